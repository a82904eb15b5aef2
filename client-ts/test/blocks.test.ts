// The rows of a long chat in blocks, and what a long chat is read into.
import { describe, expect, test } from "vitest";
import { BLOCK, type Block, blocksOf, drawnBlocks, guessedHeight, MOST_DRAWN } from "../src/webview/blocks.js";
import type { Item } from "../src/webview/state.js";
import { reduce } from "../src/webview/store.js";
import { event, session, text, toolCall, toolResult } from "./support/examples.js";
import { pageAfter } from "./support/page-state.js";

const rows = (count: number): Item[] =>
  Array.from({ length: count }, (_, at) => ({ kind: "user", id: `i-${at}`, text: "hello" }));
const many = blocksOf(rows(BLOCK * (MOST_DRAWN + 8)));
const key = (at: number) => many.at(at)?.key ?? "";
const never = () => false;

describe("blocks", () => {
  test("hold all rows in their order", () => {
    const all = rows(BLOCK * 3 + 1);
    expect(blocksOf(all).flatMap((block) => block.items)).toEqual(all);
    expect(blocksOf([])).toEqual([]);
  });

  test("stay the same objects where no row changed", () => {
    const all = rows(BLOCK * 3);
    const before = blocksOf(all);
    const more = blocksOf([...all, ...rows(1)], before);
    expect(before.every((block, at) => more[at] === block)).toBe(true);
    const changed = blocksOf(all.with(BLOCK, { kind: "user", id: `i-${BLOCK}`, text: "other" }), before);
    expect(changed.map((block, at) => block === before[at])).toEqual([true, false, true]);
    expect(changed[1]?.key).toBe(before[1]?.key);
  });

  test("are guessed to be higher with more in them", () => {
    const [low, high] = ["short", "long ".repeat(400)].map((words) =>
      guessedHeight({ key: "k", items: [{ kind: "user", id: "i", text: words }] }),
    );
    expect(low).toBeLessThan(high ?? 0);
  });
});

describe("what is drawn of them", () => {
  const drawn = (nearAt: [number, number][], now: number, isHeld: (block: Block) => boolean = never) =>
    drawnBlocks(many, new Map(nearAt.map(([at, when]) => [key(at), when])), now, isHeld);

  test("is all, in a chat that is not long", () => {
    expect(drawnBlocks(many.slice(0, MOST_DRAWN), new Map(), 0, never).size).toBe(MOST_DRAWN);
  });

  test("is the end of a long one at first", () => {
    expect([...drawn([], 0)].sort()).toEqual([key(-2), key(-1)].sort());
  });

  test("is what is in sight, what waits, and the end", () => {
    const found = drawn([[3, 7]], 7, (block) => block.key === key(0));
    expect(found).toEqual(new Set([key(3), key(0), key(-2), key(-1)]));
  });

  test("is also what was in sight lately, and no more than a measure of it", () => {
    const visited: [number, number][] = Array.from({ length: MOST_DRAWN + 6 }, (_, at) => [at, at + 1]);
    const found = drawn(visited, MOST_DRAWN + 6);
    expect(found.size).toBe(MOST_DRAWN);
    expect(found.has(key(0))).toBe(false);
    expect(found.has(key(MOST_DRAWN + 4))).toBe(true);
  });

  test("holds everything that waits, however much that is", () => {
    expect(drawn([], 0, () => true).size).toBe(many.length);
  });
});

test("a chat that is read at once is the one that was told event by event", () => {
  const events = [
    event(1, "Prompt", { text: "go" }),
    event(2, "Chunk", { text: null, thinking: "hm" }),
    text(3, "I will"),
    toolCall(4, "c-1"),
    text(5, "meanwhile"),
    event(6, "Notification", { text: "careful", level: "warning" }),
    toolResult(7, { toolCallId: "c-1" }),
    toolCall(8, "c-1"),
    event(9, "Plan", { entries: [{ content: "one", status: "pending" }] }),
    event(10, "Plan", { entries: [{ content: "one", status: "completed" }] }),
    text(11, "done"),
    event(12, "Done", { done_reason: "stop" }),
    event(13, "Prompt", { text: "again" }),
    toolCall(14, "c-2"),
    event(15, "ToolUpdate", { toolCallId: "c-2", phase: "running", outputDelta: "milk\n" }),
  ];
  const whole = pageAfter({ type: "chat", how: "replace", session: session({ running: true }), events, pending: [] });
  const steps = pageAfter(...events.map((one) => ({ type: "event", event: one }) as const));
  expect(whole.items).toEqual(steps.items);
  const before = [...whole.items];
  const after = reduce(whole, { type: "event", event: text(16, "more") });
  expect(after.items).toHaveLength(before.length + 1);
  // What was handed out is not changed any more by what comes later.
  expect(whole.items).toEqual(before);
});
