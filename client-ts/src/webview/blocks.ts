// The rows of a long chat in blocks, of which only those that somebody may look at are drawn.
import { once } from "./once.js";
import type { Item } from "./state.js";

/** Rows in a block. */
export const BLOCK = 10;
/** A chat of no more blocks than these is drawn whole. */
export const MOST_WHOLE = 20;
/** So far outside of what is in sight, in pixels, blocks are drawn already. */
export const AHEAD = 1000;
/** So far outside they stay: who scrolls to and fro finds what was there. */
export const STAYS = 3 * AHEAD;
/** Between one row and the next. */
export const MARGIN = 10;

/** Rows that stand one after another. */
export interface Block {
  /** Its own for as long as the page lives: the id of its first row. */
  key: string;
  items: readonly Item[];
}

/** The empty space in the place of blocks that are not drawn. */
export interface Gap {
  /** It belongs to what stands above it: nothing that is drawn ever changes its place for it. */
  key: string;
  height: number;
}

/** What is in sight, from the top of the first block. */
export interface Sight {
  top: number;
  height: number;
  /** The end is in sight, wherever that will be. */
  atEnd: boolean;
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
  heights: ReadonlyMap<string, number>,
  { top, height, atEnd }: Sight,
  /** Those that are drawn now. */
  before: ReadonlySet<string>,
  /** Whether it has to be drawn all the same: something in it waits for the user, or is being used. */
  isHeld: (block: Block) => boolean,
): ReadonlySet<string> {
  if (blocks.length <= MOST_WHOLE) return new Set(blocks.map(({ key }) => key));
  const end = atEnd ? heightOf(blocks, heights) : top + height;
  const start = end - height;
  const drawn = new Set<string>();
  let above = 0;
  for (const block of blocks) {
    const below = above + heightOf([block], heights);
    const reach = before.has(block.key) ? STAYS : AHEAD;
    const isNear = below > start - reach && above < end + reach;
    if (isNear || isHeld(block)) drawn.add(block.key);
    above = below + MARGIN;
  }
  return drawn;
}

/** What stands in the chat: the blocks that are drawn, in their order, and the space of those that are not. */
export function partsOf(
  blocks: readonly Block[],
  heights: ReadonlyMap<string, number>,
  drawn: ReadonlySet<string>,
): readonly (Block | Gap)[] {
  const parts: (Block | Gap)[] = [];
  let missing: Block[] = [];
  const close = () => {
    const height = heightOf(missing, heights);
    if (missing.length > 0) parts.push({ key: `below ${parts.at(-1)?.key}`, height });
    missing = [];
  };
  for (const block of blocks) {
    if (!drawn.has(block.key)) {
      missing.push(block);
      continue;
    }
    close();
    parts.push(block);
  }
  close();
  return parts;
}

/** How high they are together: as they were drawn last, or about as they will be. */
function heightOf(blocks: readonly Block[], heights: ReadonlyMap<string, number>): number {
  return blocks.reduce((sum, block) => sum + MARGIN + (heights.get(block.key) ?? guessedHeight(block)), -MARGIN);
}

const LINE = 20;
const LETTERS = 60;
const CARD = 250;
const HEIGHTS = { tool: 58, notice: 34, plan: 120, end: 20, thinking: 20 } as const;

/** About how high a block will be, before it was ever drawn. */
export const guessedHeight = once(({ items }: Block): number => {
  const heights = items.map((item) => {
    if (item.kind === "user" || item.kind === "text") return LINE * (1 + Math.floor(item.text.length / LETTERS));
    return item.kind === "tool" && item.cards.some(({ phase }) => phase !== "closed") ? CARD : HEIGHTS[item.kind];
  });
  return heights.reduce((sum, height) => sum + height + MARGIN, -MARGIN);
});
