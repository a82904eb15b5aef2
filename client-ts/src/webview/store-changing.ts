// An earlier message that is said anew: what the model knows no more stays in the chat, and is marked.
import type { PromptData } from "../protocol/generated.js";
import type { Changing, Item, PageState, UserItem } from "./state.js";
import { announce, replaced } from "./store-helpers.js";

/** The user takes up an earlier message; its files are named anew, so that they are looked at as they are now. */
export function changingBegun(state: PageState, changing: Changing, files: readonly string[]): PageState {
  const attached = files.map((path) => ({ path, agreed: false }));
  return { ...state, attached, changing };
}

/** It was sent, or stays as it was: what was named before is named again. What of its own could not go stays too. */
export function changingEnded(state: PageState, sent: boolean): PageState {
  const before = state.changing?.attached ?? [];
  const known = new Set(before.map(({ path }) => path));
  const rest = sent ? state.attached.filter(({ path }) => !known.has(path)) : [];
  return { ...state, changing: undefined, attached: [...before, ...rest] };
}

/** The run whose message this one, which is on its way, was to replace: as far as it can still be replaced here. */
export function saidInsteadOf({ outgoing, items, changing }: PageState, messageId: string): string | undefined {
  const runId = outgoing.find((one) => one.messageId === messageId)?.insteadOf;
  const isThere = items.some((item) => item.kind === "user" && item.runId === runId && item.changed === undefined);
  return isThere && changing === undefined ? runId : undefined;
}

/** What the user wrote, without the names of the files that stand behind it. */
export function ownWords({ text, files = [] }: Pick<UserItem, "text" | "files">): string {
  let rest = text;
  for (const name of files.toReversed()) {
    const mark = [`[${name}]`, `[image ${name}]`].find((one) => rest.endsWith(one));
    if (mark === undefined) return text;
    rest = rest.slice(0, -mark.length);
  }
  return files.length > 0 && rest.endsWith("\n") ? rest.slice(0, -1) : text;
}

/** All since the message that began this run is marked: it was said and done, and the model knows nothing of it. */
export function saidInstead(state: PageState, { replaces }: PromptData): PageState {
  const at = replaces ? state.items.findLastIndex((item) => item.kind === "user" && item.runId === replaces) : -1;
  const first = state.items[at];
  if (first?.kind !== "user") return state;
  const rest = state.items.slice(at);
  const items = replaced(state.items, at, { ...first, changed: { wrote: rest.some(hasWritten) } });
  return announce(
    { ...state, items, gone: new Set([...state.gone, ...rest.map(({ id }) => id)]) },
    "An earlier message was replaced by a changed one. What it did on disk stays.",
  );
}

function hasWritten(item: Item): boolean {
  return item.kind === "tool" && item.category === "write" && item.status === "done";
}
