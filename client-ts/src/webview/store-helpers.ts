// Small changes of the page's state that several messages share.
import type { NoticeLevel } from "../common/page-messages.js";
import { visibleText } from "../common/visible-text.js";
import type { Card, Item, PageState, ToolItem } from "./state.js";

/** An item as it is before it has an id. */
type Unnumbered<T> = T extends Item ? Omit<T, "id"> : never;

/**
 * Lists that a long chat is being read into, with the ids of their calls. Nobody else has them yet: they are changed in
 * place, because ten thousand copies of ten thousand rows would take seconds.
 */
const drafts = new WeakMap<readonly Item[], Set<string>>();

/** Does many steps at once. What comes out is what one after the other would make of it. */
export function atOnce(state: PageState, steps: (state: PageState) => PageState): PageState {
  const next = steps({ ...state, items: draftOf(state.items) });
  drafts.delete(next.items);
  return next;
}

function draftOf(items: readonly Item[]): readonly Item[] {
  const draft = [...items];
  drafts.set(draft, new Set(draft.flatMap((item) => (item.kind === "tool" ? [item.callId] : []))));
  return draft;
}

function added(items: readonly Item[], item: Item): readonly Item[] {
  const calls = drafts.get(items);
  if (calls === undefined) return [...items, item];
  (items as Item[]).push(item);
  if (item.kind === "tool") calls.add(item.callId);
  return items;
}

/** The list with another item in this place. */
export function replaced(items: readonly Item[], index: number, item: Item): readonly Item[] {
  if (!drafts.has(items)) return items.with(index, item);
  (items as Item[])[index] = item;
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
  const calls = drafts.get(state.items);
  if (calls !== undefined) return calls.has(callId);
  return state.items.some((item) => item.kind === "tool" && item.callId === callId);
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
  return { ...state, items: state.items.map((one) => (one === found.item ? item : one)) };
}
