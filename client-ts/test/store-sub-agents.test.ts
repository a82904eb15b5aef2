// What sub-agents say and do on the page: each in its own place, whoever speaks at the same time.
import { describe, expect, test } from "vitest";
import { endedUnasked, type Item } from "../src/webview/state.js";
import { treeOf, waitingInside } from "../src/webview/tree.js";
import { event, request, resolution, session, text, toolResult } from "./support/examples.js";
import { pageAfter } from "./support/page-state.js";

const says = (n: number, words: string, parentToolCallId: string) => ({
  type: "event" as const,
  event: event(n, "Chunk", { text: words, thinking: null, parentToolCallId }),
});
const thinks = (n: number, words: string, parentToolCallId: string) => ({
  type: "event" as const,
  event: event(n, "Chunk", { text: null, thinking: words, parentToolCallId }),
});
const root = (n: number, words: string) => ({ type: "event" as const, event: text(n, words) });
const calls = (n: number, toolCallId: string, parentToolCallId?: string) => ({
  type: "event" as const,
  event: event(n, "ToolCall", {
    toolCallId,
    tool: parentToolCallId === undefined ? "run_subtask" : "write_file",
    args: {},
    category: "internal",
    headline: toolCallId,
    depth: parentToolCallId === undefined ? 0 : 1,
    ...(parentToolCallId === undefined ? {} : { parentToolCallId }),
  }),
});
const ends = (n: number, toolCallId: string) => ({ type: "event" as const, event: toolResult(n, { toolCallId }) });

const words = (items: readonly Item[] = []) =>
  items.map((item) => (item.kind === "tool" ? item.callId : `${item.kind}: ${"text" in item ? item.text : ""}`));

describe("what is said at the same time", () => {
  const state = pageAfter(
    root(1, "I hand "),
    calls(2, "A"),
    calls(3, "B"),
    says(4, "a one, ", "A"),
    says(5, "b one, ", "B"),
    root(6, "the root "),
    says(7, "a two", "A"),
    thinks(8, "b thinks", "B"),
    calls(9, "A1", "A"),
    says(10, "a three", "A"),
    root(11, "goes on"),
  );
  const { top, inside } = treeOf(state.items);

  test("stands with who says it, in the order of each", () => {
    expect(words(top)).toEqual(["text: I hand ", "A", "B", "text: the root goes on"]);
    expect(words(inside.get("A"))).toEqual(["text: a one, a two", "A1", "text: a three"]);
    expect(words(inside.get("B"))).toEqual(["text: b one, ", "thinking: b thinks"]);
  });

  test("is complete when something else of the same agent begins, and for all when the run ends", () => {
    const streaming = (items: readonly Item[]) =>
      items.filter((item) => "streaming" in item && item.streaming).map((item) => words([item])[0]);
    expect(streaming(state.items)).toEqual(["text: the root goes on", "thinking: b thinks", "text: a three"]);
    const after = pageAfter(calls(1, "A"), says(2, "a", "A"), root(3, "r"), ends(4, "A"));
    expect(streaming(after.items)).toEqual(["text: r"]);
    const done = pageAfter(calls(1, "A"), says(2, "a", "A"), root(3, "r"), {
      type: "event",
      event: event(4, "Done", { done_reason: "stop" }),
    });
    expect(streaming(done.items)).toEqual([]);
  });
});

test("a limit that a sub-agent came to is told with it", () => {
  const told = { limit: "iterations", value: 50, observed: 51, message: "50 turns", parentToolCallId: "A" };
  const state = pageAfter(calls(1, "A"), { type: "event", event: event(2, "BudgetExceeded", told) });
  expect(words(treeOf(state.items).inside.get("A"))).toEqual(["notice: 50 turns"]);
});

const card = (approvalId: string, toolCallId: string, parentToolCallId: string) => ({
  type: "approval" as const,
  request: request({
    approvalId,
    toolCall: { toolCallId, title: "Write", kind: "edit", rawInput: {} },
    parentToolCallId,
    depth: 1,
    path: ["Title"],
  }),
});

test("what a sub-agent called and did not run is not offered to be asked for again", () => {
  const expired = (n: number, toolCallId: string) => ({
    type: "event" as const,
    event: toolResult(n, { toolCallId, success: false, is_error: true, code: "interrupted" }),
  });
  const state = pageAfter(calls(1, "A"), calls(2, "A1", "A"), expired(3, "A1"), expired(4, "A"));
  const unasked = state.items.filter((item) => item.kind === "tool" && endedUnasked(item));
  expect(words(unasked)).toEqual(["A"]);
});

describe("questions of sub-agents", () => {
  test("count for every call above them until they are answered", () => {
    const asked = [calls(1, "A"), calls(2, "A1", "A"), card("a-1", "A2", "A1"), card("a-2", "A3", "A")];
    const open = pageAfter(...asked);
    const waits = (state: typeof open) => ["A", "A1"].map((id) => waitingInside(id, treeOf(state.items).inside));
    expect(waits(open)).toEqual([2, 1]);
    const one = pageAfter(...asked, {
      type: "resolved",
      resolved: resolution({ approvalId: "a-1", toolCallId: "A2" }),
    });
    expect(waits(one)).toEqual([1, 0]);
  });

  test("stand in the chat itself while nobody knows of the call that they belong to", () => {
    const early = pageAfter(card("a-1", "A1", "A"));
    expect(words(treeOf(early.items).top)).toEqual(["A1"]);
    const later = pageAfter(card("a-1", "A1", "A"), calls(1, "A"));
    expect(words(treeOf(later.items).inside.get("A"))).toEqual(["A1"]);
  });
});

test("the rows above a restart keep what belongs to them, and a new call of the same id has its own", () => {
  const chat = { type: "chat" as const, how: "restarted" as const, session: session(), events: [], pending: [] };
  const state = pageAfter(calls(1, "A"), says(2, "before", "A"), chat, calls(1, "A"), says(2, "after", "A"));
  const { top, inside } = treeOf(state.items);
  const rows = top.filter((item) => item.kind === "tool");
  expect(rows.map(({ callId }) => words(inside.get(callId)))).toEqual([["text: before"], ["text: after"]]);
});
