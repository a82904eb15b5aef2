// Files that go along with the next message, in the page's state.
import type { HostMessage } from "../common/page-messages.js";
import type { AttachedFile } from "../protocol/generated.js";
import type { Chip } from "./attaching.js";
import type { PageState } from "./state.js";
import { announce } from "./store-helpers.js";

/** The user named a file: the server looks at it before it can go along. */
export function fileNamed(state: PageState, path: string): PageState {
  const others = state.attached.filter((one) => one.path !== path);
  return { ...state, attached: [...others, { path, agreed: false }], found: undefined };
}

/** What the server says of a file that was named. */
export function fileLookedAt(
  state: PageState,
  { path, found, error }: Extract<HostMessage, { type: "attachable" }>,
): PageState {
  const looked: Partial<Chip> = found
    ? {
        path: found.path,
        size: found.size,
        error: undefined,
        warning: found.warning ?? undefined,
        picture: found.picture ?? undefined,
        warningDigest: found.warningDigest ?? undefined,
      }
    : { error: error ?? "it could not be looked at" };
  // Another name of a file that is there already makes no second one of it.
  const others =
    found && found.path !== path ? state.attached.filter((one) => one.path !== found.path) : state.attached;
  const attached = others.map((one) => (one.path === path ? lookedAt(one, looked) : one));
  const said = looked.error ?? looked.warning;
  const words = said
    ? `${path}: ${said}`
    : `${path} goes along${found?.picture ? ` as a ${found.picture} picture` : ""}.`;
  return attached.some((one) => one.path === (found?.path ?? path)) ? announce({ ...state, attached }, words) : state;
}

/** A yes was given to what was read then. */
function lookedAt(chip: Chip, looked: Partial<Chip>): Chip {
  return { ...chip, ...looked, agreed: chip.agreed && chip.warningDigest === looked.warningDigest };
}

/** The user has read its danger, and says yes to exactly that. */
export function fileAgreed(state: PageState, path: string, warningDigest: string | undefined): PageState {
  const isMeant = (one: Chip) => one.path === path && one.warningDigest === warningDigest;
  return { ...state, attached: state.attached.map((one) => (isMeant(one) ? { ...one, agreed: true } : one)) };
}

/** Another chat has other rules, and another model: what was said of them there says nothing here. */
export function filesOfAnotherChat(chips: readonly Chip[]): readonly Chip[] {
  return chips.map(({ path }) => ({ path, agreed: false }));
}

export function fileRemoved(state: PageState, path: string): PageState {
  return { ...state, attached: state.attached.filter((one) => one.path !== path) };
}

/** These went along with a message. */
export function filesSent(state: PageState, sent: readonly AttachedFile[]): PageState {
  const paths = new Set(sent.map(({ path }) => path));
  return { ...state, attached: state.attached.filter(({ path }) => !paths.has(path)) };
}

/** A message came back: what went along with it does too, and is looked at again when it is sent. */
export function filesReturned(state: PageState, paths: readonly string[]): PageState {
  const kept = new Set(state.attached.map(({ path }) => path));
  const back = paths.filter((path) => !kept.has(path));
  return { ...state, attached: [...state.attached, ...back.map((path) => ({ path, agreed: false }))] };
}
