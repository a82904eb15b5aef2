// What belongs to which call: the page keeps all that happened in one list, and draws a sub-agent's part below its call.
import type { Item, ToolItem } from "./state.js";

/** The items of each call of a sub-agent, by the id of the call. */
export type Inside = ReadonlyMap<string, readonly Item[]>;

export interface Tree {
  /** What stands in the chat itself. What belongs to a call that nobody knows of does, too. */
  top: readonly Item[];
  inside: Inside;
}

const NOTHING: Inside = new Map();

/** The list as a tree, in the same order. */
export function treeOf(items: readonly Item[]): Tree {
  if (!items.some((item) => callAround(item) !== undefined)) return { top: items, inside: NOTHING };
  const known = new Set(items.flatMap((item) => (item.kind === "tool" ? [item.callId] : [])));
  const top: Item[] = [];
  const inside = new Map<string, Item[]>();
  for (const item of items) {
    const call = callAround(item);
    if (call === undefined || !known.has(call)) {
      top.push(item);
      continue;
    }
    const beside = inside.get(call);
    if (beside === undefined) inside.set(call, [item]);
    else beside.push(item);
  }
  return { top, inside };
}

/** The call of the sub-agent that an item belongs to. */
export function callAround(item: Item): string | undefined {
  return "within" in item ? item.within : undefined;
}

/** How many questions wait below this call, at whatever depth. */
export function waitingInside(callId: string, inside: Inside): number {
  return (inside.get(callId) ?? [])
    .filter((item): item is ToolItem => item.kind === "tool")
    .reduce((sum, { cards, callId: below }) => sum + cards.filter(isOpen).length + waitingInside(below, inside), 0);
}

function isOpen({ phase }: ToolItem["cards"][number]): boolean {
  return phase !== "closed";
}
