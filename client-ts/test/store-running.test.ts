// A run that failed and can be retried, and messages that wait behind a run or take its place.
import { describe, expect, test } from "vitest";
import { retryable } from "../src/webview/state.js";
import { event, resolution, session, text, toolCall, toolResult } from "./support/examples.js";
import { type Message, numbered, pageAfter } from "./support/page-state.js";

const told = (one: ReturnType<typeof event>): Message => ({ type: "event", event: one });
const prompt = told(event(1, "Prompt", { text: "go" }));
const failed = told(event(2, "Error", { message: "The answer was cut off.", canRetry: true }));
const failedForGood = told(event(2, "Error", { message: "There is no such model." }));
const retried = told(event(3, "Retry", {}));
const sent: Message = { type: "localSend", messageId: "m-1", text: "instead", replaces: false };
const chat = (changes: Partial<Extract<Message, { type: "chat" }>>): Message => ({
  type: "chat",
  how: "replace",
  session: session(),
  events: [],
  pending: [],
  ...changes,
});

describe("a run that failed", () => {
  test.each<[string, Message[], boolean]>([
    ["can be retried", [prompt, failed], true],
    ["cannot where the server does not say so", [prompt, failedForGood], false],
    ["is not one that ended well", [prompt, told(event(2, "Done", { done_reason: "cancelled" }))], false],
    ["cannot once it is retried", [prompt, failed, { type: "localRetry" }], false],
    ["cannot once the server goes on", [prompt, failed, retried], false],
    ["cannot while a newer run goes on", [prompt, failed, told(event(3, "Prompt", { text: "again" }))], false],
    [
      "cannot once a newer run ended",
      [prompt, failed, retried, text(4, "Well."), told(event(5, "Done", { done_reason: "stop" }))].map((one) =>
        "type" in one ? one : told(one),
      ),
      false,
    ],
    [
      "can when it failed again",
      [prompt, failed, retried, told({ ...event(4, "Error", { message: "x", canRetry: true }) })],
      true,
    ],
    ["cannot while a message is on its way", [prompt, failed, sent], false],
    [
      "can when that message did not arrive",
      [prompt, failed, sent, { type: "sendFailed", messageId: "m-1", text: "No." }],
      true,
    ],
    ["can with a notice below it", [prompt, failed, { type: "notice", level: "info", text: "By the way." }], true],
    [
      "cannot while a call of before still waits",
      [chat({ events: [toolCall(1), event(2, "Error", { message: "x", canRetry: true })], pending: [numbered(1)] })],
      false,
    ],
    [
      "can once that call has its result",
      [
        chat({ events: [toolCall(1), event(2, "Error", { message: "x", canRetry: true })], pending: [numbered(1)] }),
        { type: "resolved", resolved: resolution() },
        told(toolResult(3)),
      ],
      true,
    ],
    ["cannot with a card below it", [prompt, failed, { type: "approval", request: numbered(1) }], false],
    [
      "can when the chat is loaded again",
      [chat({ events: [toolCall(1), event(2, "Error", { message: "x", canRetry: true })] })],
      true,
    ],
    [
      "cannot while it is loaded again and runs",
      [prompt, failed, chat({ how: "continue", session: session({ running: true }) })],
      false,
    ],
    [
      "can when the server refused to retry it",
      [prompt, failed, { type: "localRetry" }, chat({ how: "continue" })],
      true,
    ],
    ["cannot in the chat of a new server", [prompt, failed, { type: "serverGone" }, chat({ how: "restarted" })], false],
  ])("%s", (_name, messages, expected) => {
    expect(retryable(pageAfter(...messages)) !== undefined).toBe(expected);
  });

  test("is at work again at once, and that is said", () => {
    expect(pageAfter(prompt, failed, { type: "localRetry" }).running).toBe(true);
    expect(pageAfter(prompt, failed, retried)).toMatchObject({ running: true, announcement: "Trying again." });
  });
});

describe("a message that takes the place of a run", () => {
  const instead: Message = { ...sent, replaces: true };

  test("stops the run from the moment it is sent", () => {
    expect(pageAfter(prompt, instead).stopping).toBe(true);
    expect(pageAfter(prompt, sent).stopping).toBe(false);
    expect(pageAfter(instead).stopping).toBe(false);
  });

  test("leaves a stop that is under way alone when it only waits", () => {
    expect(pageAfter(prompt, { type: "localStop" }, sent).stopping).toBe(true);
  });

  test("does not look as if the run were being stopped when it did not arrive", () => {
    expect(pageAfter(prompt, instead, { type: "sendFailed", messageId: "m-1", text: "No." }).stopping).toBe(false);
  });

  test("is the run that goes on once it is taken up", () => {
    const taken = pageAfter(
      prompt,
      instead,
      told(event(2, "Done", { done_reason: "cancelled" })),
      told(event(3, "Prompt", { text: "instead" })),
    );
    expect(taken).toMatchObject({ running: true, stopping: false, outgoing: [] });
  });
});
