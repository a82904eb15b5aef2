// What the page knows of the other chats, of what Stop can end, and of messages that no run took up.
import { describe, expect, test } from "vitest";
import { canStop, openCards, waitingElsewhere, withReturned } from "../src/webview/state.js";
import { reduce } from "../src/webview/store.js";
import { event, resolution, session, toolCall, toolResult } from "./support/examples.js";
import { type Message, numbered, pageAfter } from "./support/page-state.js";

const asked: Message = { type: "approval", request: numbered(1, { interrupted: true }) };
const closed: Message = { type: "resolved", resolved: resolution() };
const made: Message = { type: "event", event: toolCall(1) };
const runs: Message = { type: "event", event: event(2, "ToolUpdate", { toolCallId: "c-1", phase: "running" }) };
const over: Message = { type: "event", event: toolResult(3) };
const quiet: Message = { type: "session", session: session() };
const reloaded: Message = {
  type: "chat",
  how: "replace",
  session: session(),
  events: [toolCall(1)],
  pending: [numbered(1, { interrupted: true })],
};

describe("Stop", () => {
  test.each<[string, Message[], boolean]>([
    ["is not there in a quiet chat", [quiet], false],
    ["is there during a run", [{ type: "event", event: event(1, "Prompt", { text: "x" }) }], true],
    ["is there while a call waits that came back", [reloaded], true],
    ["is there while such a call runs", [reloaded, closed, runs], true],
    ["is gone when it has its result", [reloaded, closed, runs, over], false],
    ["is there while a card waits that leads to nothing", [asked], true],
    ["is gone with that card", [asked, closed], false],
    ["is gone with the server", [reloaded, { type: "serverGone" }], false],
  ])("%s", (_name, messages, expected) => {
    expect(canStop(pageAfter(...messages))).toBe(expected);
  });

  test("does not look as if a run were being stopped where none is", () => {
    expect(pageAfter(reloaded, { type: "localStop" }).stopping).toBe(false);
    expect(pageAfter(made, { type: "localStop" }).stopping).toBe(true);
  });
});

describe("another chat in which something waits", () => {
  const chats = (...waiting: number[]): Message => ({
    type: "chats",
    sessions: waiting.map((count, index) => session({ sessionId: `s-${index + 1}`, waiting: count })),
    agents: [],
  });

  test.each<[string, number[], string | undefined]>([
    ["is not the one that is shown", [3], undefined],
    ["is not one in which nothing waits", [0, 0], undefined],
    ["is told", [0, 2], "s-2"],
    ["is the latest of several", [1, 2, 3, 0], "s-3"],
  ])("%s", (_name, waiting, expected) => {
    expect(waitingElsewhere(pageAfter(chats(...waiting)))?.sessionId).toBe(expected);
  });
});

test("what waits in a chat that is still on its way is no card of the one that is shown", () => {
  const early: Message = { type: "approval", request: numbered(1, { sessionId: "s-2" }) };
  expect(pageAfter(early).items).toEqual([]);
  const shown: Message = {
    type: "chat",
    how: "replace",
    session: session({ sessionId: "s-2" }),
    events: [toolCall(1)],
    pending: [numbered(1, { sessionId: "s-2" })],
  };
  expect(openCards(pageAfter(early, shown)).map(({ request }) => request.approvalId)).toEqual(["a-1"]);
});

describe("a message that no run took up", () => {
  const sent: Message = { type: "localSend", messageId: "m-1", text: "and then this", replaces: false };
  const other: Message = {
    type: "chat",
    how: "replace",
    session: session({ sessionId: "s-2" }),
    events: [],
    pending: [],
  };

  test("leaves the queue, and it is said where it is", () => {
    const state = pageAfter(sent, { type: "returned", messageId: "m-1", text: "and then this", files: [] });
    expect(state.outgoing).toEqual([]);
    expect(state.announcement).toContain("It is back");
  });

  test.each([
    ["", "again", "again"],
    ["  \n", "again", "again"],
    ["half a thought", "again", "half a thought\n\nagain"],
    ["half a thought\n", "again", "half a thought\n\nagain"],
  ])("stands behind what is being written: %j", (draft, text, expected) => {
    expect(withReturned(draft, text)).toBe(expected);
  });

  test("because it failed is still there when another chat comes up", () => {
    const failed: Message = { type: "sendFailed", messageId: "m-1", text: "No connection." };
    expect(reduce(pageAfter(sent, failed), other).outgoing).toMatchObject([{ text: "and then this" }]);
    expect(reduce(pageAfter(sent), other).outgoing).toEqual([]);
  });
});
