// The rows of a long chat in blocks, of which only those that somebody may look at are drawn.
import type { Item } from "./state.js";

/** Rows in a block. */
export const BLOCK = 25;
/** So many blocks stay drawn, wherever they stand. A chat that has no more than these is always drawn whole. */
export const MOST_DRAWN = 12;

/** Rows that stand one after another. */
export interface Block {
  /** Its own for as long as the page lives: the id of its first row. */
  key: string;
  items: readonly Item[];
}

/** The rows in blocks. One in which nothing changed stays the same object, so that nothing is drawn anew for it. */
export function blocksOf(items: readonly Item[], before: readonly Block[] = []): readonly Block[] {
  const blocks: Block[] = [];
  for (let start = 0; start < items.length; start += BLOCK) {
    const old = before[blocks.length];
    const end = Math.min(start + BLOCK, items.length);
    const same = old?.items.length === end - start && old.items.every((item, at) => item === items[start + at]);
    blocks.push(same && old ? old : { key: items[start]?.id ?? "", items: items.slice(start, end) });
  }
  return blocks;
}

/** Which blocks are drawn, by their keys. */
export function drawnBlocks(
  blocks: readonly Block[],
  /** When each was near what is in sight, the higher the later; those that still are, bear the highest number. */
  nearAt: ReadonlyMap<string, number>,
  now: number,
  /** Whether it has to stay: something in it waits for the user, or is being used. */
  isHeld: (block: Block) => boolean,
): ReadonlySet<string> {
  if (blocks.length <= MOST_DRAWN) return new Set(blocks.map(({ key }) => key));
  const drawn = new Set(blocks.filter((block) => nearAt.get(block.key) === now || isHeld(block)).map(({ key }) => key));
  // Where everybody looks: the end, and what has just begun above it.
  for (const { key } of blocks.slice(-2)) drawn.add(key);
  const recent = blocks
    .filter(({ key }) => nearAt.has(key) && !drawn.has(key))
    .sort((one, other) => (nearAt.get(other.key) ?? 0) - (nearAt.get(one.key) ?? 0));
  for (const { key } of recent.slice(0, Math.max(0, MOST_DRAWN - drawn.size))) drawn.add(key);
  return drawn;
}

const LINE = 20;
const LETTERS = 60;
const MARGIN = 10;
const HEIGHTS = { tool: 58, notice: 34, plan: 120, end: 20, thinking: 20 } as const;

/** About how high a block will be, before it was ever drawn. */
export function guessedHeight({ items }: Block): number {
  const heights = items.map((item) =>
    item.kind === "user" || item.kind === "text"
      ? LINE * (1 + Math.floor(item.text.length / LETTERS))
      : HEIGHTS[item.kind],
  );
  return heights.reduce((sum, height) => sum + height + MARGIN, -MARGIN);
}
