// All of a chat as one text: what is found in a row stands in it too, and what a sub-agent did stands below its call.
import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../src/protocol/generated.js";
import { chatText } from "../src/webview/chat-text.js";
import { found } from "../src/webview/finding.js";
import { treeOf } from "../src/webview/tree.js";
import { event, text, toolCall, toolResult } from "./support/examples.js";
import { pageAfter } from "./support/page-state.js";

const happened = (...events: AgentEvent[]) =>
  pageAfter(...events.map((one) => ({ type: "event", event: one }) as const));
const wholeOf = ({ items }: ReturnType<typeof pageAfter>) => {
  const { top, inside } = treeOf(items);
  return chatText(top, inside);
};

describe("the text of a chat", () => {
  const state = happened(
    event(1, "Prompt", { text: "count\u202e them" }),
    event(2, "Chunk", { text: null, thinking: "hm" }),
    text(3, "I **count**."),
    toolCall(4, "c-1"),
    toolResult(5, { toolCallId: "c-1", output: "forty-two" }),
    event(6, "Notification", { text: "It is late.", level: "info" }),
    event(7, "Done", { done_reason: "stop" }),
  );

  test("has each row as it came, in its order", () => {
    const whole = wholeOf(state);
    const parts = ["You: count\u202e them", "Thoughts: hm", "I **count**.", "forty-two", "It is late."];
    const places = parts.map((part) => whole.indexOf(part));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((one, other) => one - other));
  });

  test("has what can be found", () => {
    const whole = wholeOf(state).toLowerCase();
    for (const words of ["count", "hm", "forty-two", "late", "notes.txt", "write_file"]) {
      expect(found(state.items, words)).not.toEqual([]);
      expect(whole).toContain(words);
    }
  });

  test("has what a sub-agent said below its call, whoever spoke meanwhile", () => {
    const whole = wholeOf(
      happened(
        toolCall(1, "A"),
        text(2, "I go on. "),
        event(3, "Chunk", { text: "from below", thinking: null, parentToolCallId: "A" }),
        toolResult(4, { toolCallId: "A", output: "the answer" }),
        text(5, "The end."),
      ),
    );
    expect(whole.indexOf("from below")).toBeGreaterThan(whole.indexOf("the answer"));
    expect(whole.indexOf("from below")).toBeLessThan(whole.indexOf("I go on."));
  });
});
