// The rows of a long chat in blocks, and what a long chat is read into.
import { describe, expect, test } from "vitest";
import {
  BLOCK,
  type Block,
  blocksOf,
  drawnBlocks,
  type Gap,
  guessedHeight,
  MARGIN,
  MOST_WHOLE,
  partsOf,
  type Sight,
} from "../src/webview/blocks.js";
import { type Item, openCards } from "../src/webview/state.js";
import { reduce } from "../src/webview/store.js";
import { event, session, text, toolCall, toolResult } from "./support/examples.js";
import { numbered, pageAfter } from "./support/page-state.js";

const rows = (count: number): Item[] =>
  Array.from({ length: count }, (_, at) => ({ kind: "user", id: `i-${at}`, text: "hello" }));
const many = blocksOf(rows(BLOCK * (MOST_WHOLE + 8)));
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
  const HIGH = 500;
  const heights = new Map(many.map((block) => [block.key, HIGH]));
  const top = (at: number) => at * (HIGH + MARGIN);
  const drawn = (sight: Partial<Sight>, before: readonly number[] = [], isHeld: (block: Block) => boolean = never) => {
    const whole = { top: 0, height: 900, atEnd: false, ...sight };
    const found = drawnBlocks(many, heights, whole, new Set(before.map(key)), isHeld);
    return [...many.keys()].filter((at) => found.has(key(at)));
  };
  const last = many.length - 1;

  test("is all, in a chat that is not long", () => {
    const few = many.slice(0, MOST_WHOLE);
    expect(drawnBlocks(few, new Map(), { top: 0, height: 0, atEnd: true }, new Set(), never).size).toBe(MOST_WHOLE);
  });

  test.each<[string, Partial<Sight>, number[]]>([
    ["the beginning", { top: 0 }, [0, 1, 2, 3]],
    ["the middle", { top: top(10) }, [8, 9, 10, 11, 12, 13]],
    ["the end", { atEnd: true }, [last - 3, last - 2, last - 1, last]],
    ["the end, wherever the hand was", { top: top(3), atEnd: true }, [last - 3, last - 2, last - 1, last]],
    ["what lies beyond the end", { top: top(1000) }, []],
    ["a chat that is hidden", { top: top(10), height: 0 }, [8, 9, 10, 11]],
  ])("is what is near: %s", (_, sight, expected) => {
    expect(drawn(sight)).toEqual(expected);
  });

  test("is for longer what is drawn already, and then no more", () => {
    expect(drawn({ top: top(10) }, [3, 5, 17])).toEqual([5, 8, 9, 10, 11, 12, 13, 17]);
    expect(drawn({ top: top(20) }, [5, 8, 9, 10])).not.toContain(10);
  });

  test("is what waits or is used, wherever it is, and however much that is", () => {
    expect(drawn({ top: top(10) }, [], (block) => block.key === key(0))).toContain(0);
    expect(drawn({}, [], () => true)).toHaveLength(many.length);
  });

  test("never leaves out what is in sight, whatever is guessed of the rest", () => {
    for (let at = 0; at < top(last); at += 137) {
      const found = new Set(drawn({ top: at }));
      const seen = [...many.keys()].filter((one) => top(one) < at + 900 && top(one) + HIGH > at);
      expect(seen.every((one) => found.has(one))).toBe(true);
    }
  });

  test("takes as much room as the whole", () => {
    const sum = (parts: readonly (Block | Gap)[]) =>
      parts.reduce((all, part) => all + MARGIN + ("height" in part ? part.height : HIGH), -MARGIN);
    const whole = sum(many);
    for (const keys of [[], [0], [last], [3, 4, 9], [0, last], [...many.keys()]]) {
      const parts = partsOf(many, heights, new Set(keys.map(key)));
      expect(parts.filter((part) => !("height" in part))).toEqual(keys.map((at) => many[at]));
      expect(sum(parts)).toBe(whole);
      expect(new Set(parts.map((part) => part.key)).size).toBe(parts.length);
    }
  });

  test("never changes its place among what stays drawn", () => {
    const order = (keys: number[]) => partsOf(many, heights, new Set(keys.map(key))).map((part) => part.key);
    const [before, after] = [order([2, 3, 8]), order([2, 3, 5, 8, 9])];
    const stays = before.filter((one) => after.includes(one));
    expect(after.filter((one) => before.includes(one))).toEqual(stays);
  });
});

test("what is remembered of rows is that of these rows", () => {
  const asked = pageAfter({ type: "approval", request: numbered(1) }, { type: "approval", request: numbered(2) });
  expect(openCards(asked)).toBe(openCards({ ...asked, announcement: "other" }));
  const answered = reduce(asked, { type: "localAnswer", approvalId: "a-1", optionId: "allow_once" });
  expect(openCards(answered).map(({ phase }) => phase)).toEqual(["sending", "open"]);
  const again = reduce(answered, {
    type: "chat",
    how: "continue",
    session: session(),
    events: [],
    pending: [numbered(2), numbered(3)],
  });
  expect(openCards(again).map(({ request }) => request.approvalId)).toEqual(["a-2", "a-3"]);
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
