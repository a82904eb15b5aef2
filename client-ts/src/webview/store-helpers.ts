// Small changes of the page's state that several messages share.
import type { NoticeLevel } from "../common/page-messages.js";
import { visibleText } from "../common/visible-text.js";
import type { Card, Item, PageState, ToolItem } from "./state.js";
import { callAround } from "./tree.js";

/** An item as it is before it has an id. */
type Unnumbered<T> = T extends Item ? Omit<T, "id"> : never;

/** What a draft knows of its rows. */
interface Known {
  calls: Set<string>;
  /** Whose rows are among them: the chat's own agent's, and those of calls. */
  around: Set<string | undefined>;
}

/**
 * Lists that a long chat is being read into. Nobody else has them yet: they are changed in place, because ten thousand
 * copies of ten thousand rows would take seconds. What is remembered of lists that never change is not asked of these.
 */
const drafts = new WeakMap<readonly Item[], Known>();

/** Does many steps at once. What comes out is what one after the other would make of it. */
export function atOnce(state: PageState, steps: (state: PageState) => PageState): PageState {
  const next = steps({ ...state, items: draftOf(state.items) });
  drafts.delete(next.items);
  return next;
}

function draftOf(items: readonly Item[]): readonly Item[] {
  const draft = [...items];
  const known: Known = { calls: new Set(), around: new Set() };
  for (const item of draft) learn(known, item);
  drafts.set(draft, known);
  return draft;
}

function learn({ calls, around }: Known, item: Item): void {
  around.add(callAround(item));
  if (item.kind === "tool") calls.add(item.callId);
}

function added(items: readonly Item[], item: Item): readonly Item[] {
  const known = drafts.get(items);
  if (known === undefined) return [...items, item];
  (items as Item[]).push(item);
  learn(known, item);
  return items;
}

/** The list with another item in this place. */
export function replaced(items: readonly Item[], index: number, item: Item): readonly Item[] {
  const known = drafts.get(items);
  if (known === undefined) return items.with(index, item);
  (items as Item[])[index] = item;
  learn(known, item);
  return items;
}

/** The list with each item made anew. */
export function mapped(items: readonly Item[], change: (item: Item) => Item): readonly Item[] {
  const changed = items.map(change);
  return drafts.has(items) ? draftOf(changed) : changed;
}

export function push(state: PageState, item: Unnumbered<Item>): PageState {
  const id = `item-${state.nextId}`;
  return { ...state, items: added(state.items, { ...item, id } as Item), nextId: state.nextId + 1 };
}

export function pushNotice(state: PageState, level: NoticeLevel, text: string, within?: string): PageState {
  return announce(push(state, { kind: "notice", level, text, within }), text);
}

/** What a screen reader says next. The same words twice differ by a space that cannot be heard. */
export function announce(state: PageState, said: string): PageState {
  const text = visibleText(said, "multiple");
  return { ...state, announcement: text === state.announcement && text !== "" ? `${text}\u00A0` : text };
}

/** Changes the newest row of this call; rows above a restart are of another life. */
export function changeTool(state: PageState, callId: string, change: (item: ToolItem) => ToolItem): PageState {
  const index = state.items.findLastIndex((item) => item.kind === "tool" && item.callId === callId);
  const item = state.items[index];
  if (item?.kind !== "tool") return state;
  const changed = change(item);
  return changed === item ? state : { ...state, items: replaced(state.items, index, changed) };
}

export function hasTool(state: PageState, callId: string): boolean {
  const known = drafts.get(state.items);
  if (known !== undefined) return known.calls.has(callId);
  return state.items.some((item) => item.kind === "tool" && item.callId === callId);
}

/** Where the newest row stands of those that belong to this call, or to the chat itself; -1 for none. */
export function lastWithin(
  { items }: PageState,
  within: string | undefined,
  isMeant: (item: Item) => boolean = () => true,
): number {
  if (drafts.get(items)?.around.has(within) === false) return -1;
  return items.findLastIndex((item) => callAround(item) === within && isMeant(item));
}

export function findCard(state: PageState, approvalId: string): { item: ToolItem; card: Card } | undefined {
  for (const item of state.items) {
    if (item.kind !== "tool") continue;
    const card = item.cards.find((one) => one.request.approvalId === approvalId);
    if (card !== undefined) return { item, card };
  }
  return undefined;
}

export function changeCard(state: PageState, approvalId: string, change: (card: Card) => Card): PageState {
  const found = findCard(state, approvalId);
  if (found === undefined) return state;
  const changed = change(found.card);
  if (changed === found.card) return state;
  const item = { ...found.item, cards: found.item.cards.map((card) => (card === found.card ? changed : card)) };
  return { ...state, items: replaced(state.items, state.items.indexOf(found.item), item) };
}
