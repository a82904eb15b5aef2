import { describe, expect, test } from "vitest";
import { ServerFault } from "../src/common/server.js";
import { ErrorCode } from "../src/protocol/generated.js";
import { connected, RecordingPage, settled } from "./support/bridge-room.js";
import { event, request, resolution, text } from "./support/examples.js";
import { Peer } from "./support/peer.js";

const answer = { type: "answer", approvalId: "a-1", argsDigest: "digest-1", optionId: "allow_once" } as const;

describe("a page that appears", () => {
  test("gets a new chat where there is none", async () => {
    const { room, peer } = await connected();
    expect(peer.called("session/new")).toHaveLength(1);
    expect(room.page.of("chat").at(-1)).toMatchObject({ how: "replace", session: { sessionId: "s-1" } });
    expect(peer.called("view/attached")).toEqual([{ viewId: "id-1", sessionId: "s-1" }]);
  });

  test("gets the chat, its events and what waits again after it was rebuilt", async () => {
    const { room, peer } = await connected();
    peer.happen(event(1, "Prompt", { text: "write it" }));
    peer.ask(request());
    const again = new RecordingPage();
    room.bridge.attach(again);
    again.say({ type: "ready" });
    await settled();
    const chat = again.of("chat").at(-1);
    expect(chat?.events.map((one) => one.n)).toEqual([1]);
    expect(chat?.pending.map((one) => one.approvalId)).toEqual(["a-1"]);
    expect(peer.called("session/new")).toHaveLength(1);
    expect(peer.called("tool/pendingApprovals").length).toBeGreaterThan(0);
  });

  test("finds the chat that another page left", async () => {
    const peer = new Peer();
    await peer.request("session/new", {});
    peer.calls.length = 0;
    const { room } = await connected(peer);
    expect(peer.called("session/new")).toHaveLength(0);
    expect(room.page.of("chat").at(-1)?.session.sessionId).toBe("s-1");
  });
});

describe("events", () => {
  test("pass once and in order", async () => {
    const { room, peer } = await connected();
    peer.happen(text(1, "a"));
    peer.happen(text(2, "b"));
    peer.tell("agent/event", text(2, "b"));
    await settled();
    expect(room.page.of("event").map((one) => one.event.n)).toEqual([1, 2]);
    expect(peer.called("session/load")).toHaveLength(1);
  });

  test("that are missing are loaded from where the page stands", async () => {
    const { room, peer } = await connected();
    peer.happen(text(1, "a"));
    peer.happen(text(2, "b"), { lost: true });
    peer.happen(text(3, "c"));
    peer.happen(text(4, "d"));
    await settled();
    expect(peer.called("session/load").at(-1)).toEqual({ sessionId: "s-1", sinceN: 1 });
    const chat = room.page.of("chat").at(-1);
    expect(chat?.how).toBe("continue");
    expect(chat?.events.map((one) => one.n)).toEqual([2, 3]);
    peer.happen(text(5, "e"));
    expect(room.page.of("event").map((one) => one.event.n)).toEqual([1, 4, 5]);
  });

  test("of other chats do not reach the page", async () => {
    const { room, peer } = await connected();
    peer.tell("agent/event", event(1, "Prompt", { text: "not yours" }, "s-9"));
    expect(room.page.of("event")).toEqual([]);
  });

  test("that do not fit are dropped", async () => {
    const { room, peer } = await connected();
    peer.tell("agent/event", { ...text(1, "a"), n: "1" });
    expect(room.page.of("event")).toEqual([]);
    expect(room.logged.join()).toContain("malformed agent/event");
  });
});

describe("an answer", () => {
  test("names question, chat, view and digest", async () => {
    const { room, peer } = await connected();
    peer.ask(request());
    room.page.say({ ...answer, feedback: "fine" });
    await settled();
    expect(peer.called("tool/approvalResponse")).toEqual([
      {
        approvalId: "a-1",
        sessionId: "s-1",
        viewId: "id-1",
        argsDigest: "digest-1",
        response: { outcome: { outcome: "selected", optionId: "allow_once" } },
        feedback: "fine",
      },
    ]);
    expect(room.page.of("answered")).toMatchObject([{ approvalId: "a-1", decision: "allow_once" }]);
    expect(room.page.of("resolved")).toHaveLength(1);
  });

  test.each([
    ["without a digest", { ...answer, argsDigest: "" }],
    ["with a digest that is no text", { ...answer, argsDigest: undefined }],
    ["without an option", { ...answer, optionId: "" }],
  ])("%s never leaves the host", async (_name, message) => {
    const { room, peer } = await connected();
    peer.ask(request());
    room.page.sayAnything(message);
    await settled();
    expect(peer.called("tool/approvalResponse")).toEqual([]);
    expect(room.logged.join()).toContain("dropped a message of the page");
  });

  test.each([
    ["for a question that nobody asked", { ...answer, approvalId: "a-9" }],
    ["with an option that was not offered", { ...answer, optionId: "allow_always" }],
  ])("%s is refused", async (_name, message) => {
    const { room, peer } = await connected();
    peer.ask(request());
    room.page.say(message);
    await settled();
    expect(peer.called("tool/approvalResponse")).toEqual([]);
    expect(room.page.of("answerFailed")).toHaveLength(1);
  });

  test("for a chat that the page does not show is refused", async () => {
    const { room, peer } = await connected();
    peer.tell("tool/approvalRequest", request({ sessionId: "s-9" }));
    room.page.say(answer);
    await settled();
    expect(peer.called("tool/approvalResponse")).toEqual([]);
    expect(room.page.of("answerFailed")).toHaveLength(1);
  });

  test("without a word for five seconds brings the buttons back, and still counts when it comes", async () => {
    const { room, peer } = await connected();
    peer.ask(request());
    let release = (_: unknown) => {};
    peer.overrides.set("tool/approvalResponse", () => new Promise((resolve) => (release = resolve)));
    room.page.say(answer);
    await settled();
    room.timePasses();
    expect(room.page.of("answerFailed")[0]?.text).toContain("5 seconds");
    release({ approvalId: "a-1", decision: "allow_once", status: "accepted", resolvedBy: "user" });
    await settled();
    expect(room.page.of("answered")).toHaveLength(1);
  });

  test("that came too late brings what really happened", async () => {
    const { room, peer } = await connected();
    peer.ask(request());
    const data = { approvalId: "a-1", status: "timeout", decision: null, resolvedBy: "timeout", at: "now" };
    peer.overrides.set("tool/approvalResponse", () => {
      throw new ServerFault(ErrorCode.APPROVAL_ALREADY_RESOLVED, "too late", data);
    });
    room.page.say(answer);
    await settled();
    expect(room.page.of("answerFailed")[0]?.outcome).toMatchObject({ status: "timeout", resolvedBy: "timeout" });
  });

  test("that the server does not confirm in its own terms is no success", async () => {
    const { room, peer } = await connected();
    peer.ask(request());
    peer.overrides.set("tool/approvalResponse", () => ({ status: "accepted" }));
    room.page.say(answer);
    await settled();
    expect(room.page.of("answered")).toEqual([]);
    expect(room.page.of("answerFailed")).toHaveLength(1);
  });
});

describe("a server that restarts", () => {
  test("voids what waited, and a new chat begins below", async () => {
    const { room, peer } = await connected();
    peer.ask(request());
    room.bridge.disconnected("starting", "Starting it again…", [], true);
    expect(room.page.of("serverGone")).toHaveLength(1);
    expect(room.bridge.waiting.count).toBe(0);
    await room.bridge.connected(new Peer("t"));
    await settled();
    expect(room.page.of("chat").at(-1)).toMatchObject({ how: "restarted", session: { sessionId: "t-1" } });
  });

  test("is told from a connection that dropped: there the chat goes on", async () => {
    const { room, peer } = await connected();
    peer.happen(text(1, "a"));
    room.bridge.disconnected("lost", "Connection lost, retrying.", [], false);
    peer.happen(text(2, "b"));
    await room.bridge.connected(peer);
    await settled();
    expect(room.page.of("serverGone")).toEqual([]);
    expect(room.page.of("chat").at(-1)).toMatchObject({ how: "continue", events: [{ n: 2 }] });
  });

  test("is noticed when the chat is unknown after a drop", async () => {
    const { room } = await connected();
    room.bridge.disconnected("lost", "Connection lost, retrying.", [], false);
    await room.bridge.connected(new Peer("t"));
    await settled();
    expect(room.page.of("serverGone")).toHaveLength(1);
    expect(room.page.of("chat").at(-1)).toMatchObject({ how: "restarted", session: { sessionId: "t-1" } });
  });

  test("fails the message that it was working on", async () => {
    const { room, peer } = await connected();
    let fail = (_: Error) => {};
    peer.overrides.set("chat/send", () => new Promise((_, reject) => (fail = reject)));
    room.page.say({ type: "send", messageId: "m-1", text: "write it" });
    await settled();
    room.bridge.disconnected("starting", "…", [], true);
    fail(new ServerFault(-32603, "connection closed"));
    await settled();
    expect(room.page.of("sendFailed")).toMatchObject([{ messageId: "m-1" }]);
  });
});

describe("what waits", () => {
  test("is counted over all chats, and the end of a question uncounts it", async () => {
    const { room, peer } = await connected();
    const counts: number[] = [];
    room.bridge.waiting.changed.on((count) => counts.push(count));
    peer.ask(request());
    peer.ask(request({ approvalId: "a-2", sessionId: "s-9" }));
    peer.tell("tool/approvalResolved", resolution());
    expect(counts).toEqual([1, 2, 1]);
    expect(room.page.of("approval")).toHaveLength(1);
  });

  test("but cannot be read is told to the user", async () => {
    const { room, peer } = await connected();
    peer.tell("tool/approvalRequest", { ...request(), argsDigest: null });
    expect(room.bridge.waiting.count).toBe(0);
    expect(room.page.of("notice")[0]?.text).toContain("cannot be shown");
  });

  test("in another chat can be shown", async () => {
    const { room, peer } = await connected();
    room.page.say({ type: "newChat" });
    await settled();
    expect(room.page.of("chat").at(-1)?.session.sessionId).toBe("s-2");
    peer.ask(request());
    room.page.say({ type: "showChat", sessionId: "s-1" });
    await settled();
    expect(room.page.of("chat").at(-1)).toMatchObject({
      session: { sessionId: "s-1" },
      pending: [{ approvalId: "a-1" }],
    });
  });
});

test("the full arguments come in pieces, bound to what they belong to", async () => {
  const { room, peer } = await connected();
  peer.ask(request({ truncated: { argsBytes: 200_000 } }));
  const whole = "x".repeat(150_000);
  peer.overrides.set("tool/approvalDetails", (({ offset, length }: { offset: number; length: number }) => ({
    text: whole.slice(offset, offset + length),
    offset,
    totalLength: whole.length,
  })) as (params: never) => unknown);
  room.page.say({ type: "details", approvalId: "a-1" });
  await settled();
  const pieces = room.page.of("details");
  expect(pieces.map((piece) => piece.text).join("")).toBe(whole);
  expect(pieces.every((piece) => piece.argsDigest === "digest-1")).toBe(true);
});

test("what a card masks is asked for, and what cannot be revealed is said", async () => {
  const { room, peer } = await connected();
  peer.overrides.set("tool/reveal", (({ approvalId }: { approvalId: string }) => {
    if (approvalId !== "a-1") throw new Error("gone");
    return {};
  }) as (params: never) => unknown);
  room.page.say({ type: "reveal", approvalId: "a-1" });
  await settled();
  expect(peer.called("tool/reveal")).toEqual([{ approvalId: "a-1" }]);
  expect(room.page.of("notice")).toEqual([]);
  room.page.say({ type: "reveal", approvalId: "a-2" });
  await settled();
  expect(room.page.of("notice")).toMatchObject([{ level: "error", text: expect.stringContaining("Reveal") }]);
});

test("the mode of the chat is set, and told as the server has it", async () => {
  const { room, peer } = await connected();
  room.page.say({ type: "setMode", mode: "plan" });
  await settled();
  expect(peer.called("session/setMode")).toEqual([{ sessionId: "s-1", mode: "plan", applyNow: null }]);
  expect(room.page.of("session").at(-1)?.session.mode).toBe("plan");
});

test("a test request tells what was clicked", async () => {
  const { room } = await connected();
  expect(await room.bridge.sendTestRequest()).toBe("Test request: allowed (allow_once). Nothing ran.");
});

test("requests for the editor go to the editor, and nonsense goes nowhere", async () => {
  const { room } = await connected();
  room.page.say({ type: "openLink", url: "https://example.org" });
  for (const nonsense of [null, 7, "ready", {}, { type: "sudo" }, { type: "hostAction", action: "format" }]) {
    room.page.sayAnything(nonsense);
  }
  expect(room.requests).toEqual([{ type: "openLink", url: "https://example.org" }]);
});
