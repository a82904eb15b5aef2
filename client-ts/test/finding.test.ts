// Words that are looked for in a chat.
import { expect, test } from "vitest";
import { found, placeOf, stepped } from "../src/webview/finding.js";
import { event, text, toolCall, toolResult } from "./support/examples.js";
import { pageAfter } from "./support/page-state.js";

const inside = { toolCallId: "c-2", tool: "read_file", category: "read", headline: "Read x", args: {} } as const;
const { items } = pageAfter(
  ...[
    event(1, "Prompt", { text: "Mend the Fence" }),
    text(2, "I will mend it."),
    toolCall(3),
    toolResult(4, { output: "a FENCE post" }),
    event(5, "ToolCall", { ...inside, depth: 1, parentToolCallId: "c-1" }),
    event(6, "Plan", { entries: [{ content: "paint the fence", status: "pending" }] }),
  ].map((one) => ({ type: "event", event: one }) as const),
);
const kinds = (words: string) => found(items, words).map((id) => items.find((item) => item.id === id)?.kind);

test.each([
  ["fence", ["user", "tool", "plan"]],
  ["  FENCE ", ["user", "tool", "plan"]],
  ["notes.txt", ["tool"]],
  ["mend it.", ["text"]],
  ["nowhere", []],
  ["   ", []],
])("%j stands in %j", (words, expected) => {
  expect(kinds(words)).toEqual(expected);
});

test.each([
  [-1, 1, 3, 0],
  [2, 1, 3, 0],
  [0, -1, 3, 2],
  [-1, -1, 3, 2],
  [5, 1, 0, -1],
] as const)("from %i a step of %i among %i leads to %i", (at, step, count, next) => {
  expect(stepped(at, step, count)).toBe(next);
});

test("what a sub-agent did is found in the row of its call", () => {
  const inner = items.find((item) => item.kind === "tool" && item.callId === "c-2");
  const outer = placeOf(items, inner?.id ?? "");
  expect(outer?.kind === "tool" && outer.callId).toBe("c-1");
  expect(placeOf(items, items[0]?.id ?? "")).toBe(items[0]);
  expect(placeOf(items, "gone")).toBeUndefined();
});
