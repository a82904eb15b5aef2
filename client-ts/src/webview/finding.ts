// Which rows of a chat speak of something: also those that are not drawn.
import { exactJson } from "./exact-json.js";
import type { Item } from "./state.js";
import { callAround } from "./tree.js";

/** The ids of the rows in which these words stand, in the order of the chat. */
export function found(items: readonly Item[], words: string): readonly string[] {
  const wanted = words.trim().toLowerCase();
  if (wanted === "") return [];
  return items.filter((item) => textOf(item).toLowerCase().includes(wanted)).map(({ id }) => id);
}

/** The row of the chat itself in which an item stands. */
export function placeOf(items: readonly Item[], itemId: string): Item | undefined {
  let item = items.find(({ id }) => id === itemId);
  for (const _ of items) {
    const call = item && callAround(item);
    const outer = call === undefined ? undefined : items.find((one) => one.kind === "tool" && one.callId === call);
    if (outer === undefined) return item;
    item = outer;
  }
  return item;
}

/** The place in the list that is a step further, round its ends. */
export function stepped(at: number, step: 1 | -1, count: number): number {
  if (count === 0) return -1;
  return at < 0 && step < 0 ? count - 1 : (at + step + count) % count;
}

function textOf(item: Item): string {
  if (item.kind === "plan") return item.entries.map(({ content }) => content).join("\n");
  if (item.kind !== "tool") return item.text;
  const { tool, headline, args, notes, result, liveOutput, cards } = item;
  const shown = [tool, headline, exactJson(args), ...notes, liveOutput, result?.output, result?.path, result?.content];
  return [...shown, ...cards.map(({ request }) => request.headline)].join("\n");
}
