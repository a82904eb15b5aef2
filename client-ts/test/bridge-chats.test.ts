import { describe, expect, test } from "vitest";
import { ServerFault } from "../src/common/server.js";
import { ErrorCode } from "../src/protocol/generated.js";
import { connected, RecordingPage, Room, settled } from "./support/bridge-room.js";
import { event, request, session, toolResult } from "./support/examples.js";
import { grant } from "./support/page-state.js";
import { Peer } from "./support/peer.js";

/** A server that has the chats of another one, as after a restart. */
function withChatsOf(peer: Peer): Peer {
  const next = new Peer("t");
  for (const [id, chat] of peer.chats) next.chats.set(id, chat);
  return next;
}

describe("a server that restarts and kept the chat", () => {
  test("shows it again, as the server has it", async () => {
    const { room, peer } = await connected();
    peer.happen(event(1, "Prompt", { text: "write it" }));
    peer.ask(request());
    room.bridge.disconnected("starting", "Starting it again…", [], true);
    const next = withChatsOf(peer);
    next.pending.set("a-2", request({ approvalId: "a-2", interrupted: true }));
    await room.bridge.connected(next);
    await settled();
    expect(room.page.of("chat").at(-1)).toMatchObject({
      how: "replace",
      session: { sessionId: "s-1" },
      events: [{ n: 1 }],
      pending: [{ approvalId: "a-2", interrupted: true }],
    });
    expect(next.called("session/new")).toEqual([]);
    expect(room.bridge.waiting.count).toBe(1);
  });

  test("shows the one that was shown, not the latest", async () => {
    const { room, peer } = await connected();
    await peer.request("session/new", {});
    room.bridge.disconnected("starting", "…", [], true);
    await room.bridge.connected(withChatsOf(peer));
    await settled();
    expect(room.page.of("chat").at(-1)?.session.sessionId).toBe("s-1");
  });

  test("shows it also where it is found a little later than the others", async () => {
    const { room, peer } = await connected();
    room.bridge.disconnected("starting", "…", [], true);
    const next = withChatsOf(peer);
    next.overrides.set("session/list", () => ({ sessions: [], agents: [] }));
    await room.bridge.connected(next);
    await settled();
    expect(room.page.of("chat").at(-1)).toMatchObject({ how: "replace", session: { sessionId: "s-1" } });
    expect(next.called("session/new")).toEqual([]);
  });

  test("without this one begins below, as before", async () => {
    const { room, peer } = await connected();
    room.bridge.disconnected("starting", "…", [], true);
    const next = withChatsOf(peer);
    next.chats.delete("s-1");
    await room.bridge.connected(next);
    await settled();
    expect(room.page.of("chat").at(-1)).toMatchObject({ how: "restarted", session: { sessionId: "t-1" } });
  });

  test("and restarts once more is still the same chat", async () => {
    const { room, peer } = await connected();
    room.bridge.disconnected("starting", "…", [], true);
    room.bridge.disconnected("starting", "…", [], true);
    await room.bridge.connected(withChatsOf(peer));
    await settled();
    expect(room.page.of("chat").at(-1)).toMatchObject({ how: "replace", session: { sessionId: "s-1" } });
  });
});

describe("a message that is sent while the chat is still being opened", () => {
  /** Answers only when the test says so, in any order. */
  function slowly(peer: Peer, method: string): (() => void)[] {
    const waiting: (() => void)[] = [];
    peer.overrides.set(method, (async (params: unknown) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      peer.overrides.delete(method);
      const answered = await peer.request(method, params);
      return answered;
    }) as never);
    return waiting;
  }

  test.each([
    ["by two at once, the list before the new chat", "session/new"],
    ["by two at once, the new chat before it is loaded", "session/load"],
    ["by two at once, before there is a list", "session/list"],
  ])("%s, goes to that chat", async (_name, method) => {
    const peer = new Peer();
    const waiting = slowly(peer, method);
    const room = new Room();
    room.bridge.attach(room.page);
    const connecting = room.bridge.connected(peer);
    room.page.say({ type: "ready" });
    await settled();
    room.page.say({ type: "send", messageId: "m-1", text: "write it" });
    await settled();
    while (waiting.length > 0) {
      waiting.shift()?.();
      await settled();
    }
    await connecting;
    await settled();
    expect(room.page.of("sendFailed")).toEqual([]);
    expect(peer.chats.size).toBe(1);
    expect(peer.called("chat/send")).toEqual([{ sessionId: "s-1", text: "write it" }]);
    expect(room.page.of("sent")).toHaveLength(1);
  });

  test("and loaded twice, because page and server came at once, goes to that chat", async () => {
    const peer = new Peer();
    const [lists, loads] = [slowly(peer, "session/list"), slowly(peer, "session/load")];
    const room = new Room();
    room.bridge.attach(room.page);
    void room.bridge.connected(peer);
    room.page.say({ type: "ready" });
    await settled();
    expect(lists).toHaveLength(2);
    lists.shift()?.();
    await settled();
    room.page.say({ type: "send", messageId: "m-1", text: "write it" });
    lists.shift()?.();
    await settled();
    while (loads.length > 0) {
      loads.shift()?.();
      await settled();
    }
    expect(room.page.of("sendFailed")).toEqual([]);
    expect(peer.called("chat/send")).toEqual([{ sessionId: "s-1", text: "write it" }]);
  });

  test("goes to the chat that the server kept, and opens no other", async () => {
    const peer = new Peer();
    await peer.request("session/new", {});
    const waiting = slowly(peer, "session/load");
    const room = new Room();
    room.bridge.attach(room.page);
    void room.bridge.connected(peer);
    await settled();
    room.page.say({ type: "send", messageId: "m-1", text: "go on" });
    await settled();
    for (const release of waiting) release();
    await settled();
    expect(peer.chats.size).toBe(1);
    expect(peer.called("chat/send")).toEqual([{ sessionId: "s-1", text: "go on" }]);
  });
});

describe("a view", () => {
  const told = (peer: Peer) =>
    peer.calls.filter((call) => call.method.startsWith("view/")).map((call) => call.method.replace("view/", ""));

  test("that is hidden and shown again is attached again", async () => {
    const { room, peer } = await connected();
    room.bridge.setVisible(false);
    room.bridge.setVisible(true);
    expect(told(peer)).toEqual(["attached", "detached", "attached"]);
  });

  test("that is hidden is not attached by what goes on behind it", async () => {
    const { room, peer } = await connected();
    room.bridge.setVisible(false);
    room.bridge.disconnected("starting", "…", [], true);
    const next = withChatsOf(peer);
    await room.bridge.connected(next);
    await settled();
    expect(told(next)).toEqual([]);
    room.bridge.setVisible(true);
    expect(told(next)).toEqual(["attached"]);
  });

  test("reports activity only when the page does", async () => {
    const { room, peer } = await connected();
    room.timePasses();
    expect(peer.called("view/activity")).toEqual([]);
    room.page.say({ type: "activity" });
    await settled();
    expect(peer.called("view/activity")).toEqual([{ viewId: "id-1", sessionId: "s-1" }]);
  });
});

describe("what is allowed", () => {
  const last = (room: Room) =>
    room.page
      .of("grants")
      .at(-1)
      ?.grants.map((one) => one.grantId);

  test("is listed when the page appears, and when the server says that it changed", async () => {
    const peer = new Peer();
    peer.grants.set("g-1", grant());
    const { room } = await connected(peer);
    expect(last(room)).toEqual(["g-1"]);
    peer.grants.set("g-2", grant({ grantId: "g-2" }));
    peer.tell("agent/event", event(1, "Grants", { grants: [], bypassAgent: false, bypassSession: false }, "s-9"));
    await settled();
    expect(last(room)).toEqual(["g-1", "g-2"]);
    expect(peer.called("grants/list").at(-1)).toEqual({});
  });

  test("for so many uses is listed again when one may have been used", async () => {
    const peer = new Peer();
    peer.grants.set("g-1", grant());
    await connected(peer);
    const asked = () => peer.called("grants/list").length;
    const before = asked();
    peer.happen(toolResult(1));
    await settled();
    expect(asked()).toBe(before);
    peer.grants.set("g-1", grant({ ends: { usesLeft: 2 } }));
    peer.happen(event(2, "Done", { done_reason: "stop" }));
    await settled();
    peer.happen(toolResult(3));
    await settled();
    expect(asked()).toBe(before + 2);
  });

  test("is taken back and given again", async () => {
    const peer = new Peer();
    peer.grants.set("g-1", grant());
    const { room } = await connected(peer);
    room.page.say({ type: "grantRevoke", grantId: "g-1" });
    await settled();
    expect(room.page.of("grantRevoked")).toEqual([{ type: "grantRevoked", grantId: "g-1", undoable: true }]);
    expect(last(room)).toEqual([]);
    room.page.say({ type: "grantUndo", grantId: "g-1" });
    await settled();
    expect(room.page.of("grantRestored")).toHaveLength(1);
    expect(last(room)).toEqual(["g-1"]);
  });

  test("and cannot be changed says why, and stays", async () => {
    const peer = new Peer();
    peer.grants.set("g-1", grant());
    const { room } = await connected(peer);
    room.page.say({ type: "grantRevoke", grantId: "g-9" });
    await settled();
    expect(room.page.of("grantFailed")).toMatchObject([{ text: "Nothing was changed: There is no such grant." }]);
    room.bridge.disconnected("lost", "…", [], false);
    room.page.say({ type: "grantRevoke", grantId: "g-1" });
    await settled();
    expect(room.page.of("grantFailed").at(-1)?.text).toContain("no connection");
    expect(peer.grants.size).toBe(1);
  });

  test("and cannot be listed leaves what was known", async () => {
    const { room, peer } = await connected();
    peer.overrides.set("grants/list", () => {
      throw new ServerFault(-32603, "Broken.");
    });
    const before = room.page.of("grants").length;
    room.page.say({ type: "permissionsLook" });
    await settled();
    expect(room.page.of("grants")).toHaveLength(before);
    expect(room.logged.join()).toContain("grants/list: Broken.");
  });

  test("changes faster than it can be listed, and the last state is shown", async () => {
    const { room, peer } = await connected();
    const waiting: ((value: unknown) => void)[] = [];
    peer.overrides.set("grants/list", () => new Promise((resolve) => waiting.push(resolve)));
    for (let change = 0; change < 5; change += 1) room.page.say({ type: "permissionsLook" });
    await settled();
    expect(waiting).toHaveLength(1);
    waiting[0]?.({ grants: [] });
    await settled();
    expect(waiting).toHaveLength(2);
    waiting[1]?.({ grants: [grant()] });
    await settled();
    expect(waiting).toHaveLength(2);
    expect(last(room)).toEqual(["g-1"]);
  });

  test("is opened on a page that comes later", async () => {
    const { room } = await connected();
    room.bridge.showGrants();
    expect(room.page.of("showGrants")).toHaveLength(1);
    const later = new RecordingPage();
    room.bridge.attach(later);
    room.bridge.showGrants();
    expect(later.of("showGrants")).toEqual([]);
    later.say({ type: "ready" });
    await settled();
    expect(later.of("showGrants")).toHaveLength(1);
  });
});

test("a chat that cannot be loaded leaves the page with the one before, and with what waits there", async () => {
  const { room, peer } = await connected();
  peer.chats.set("other", { info: session({ sessionId: "other" }), events: [] });
  const load = "session/load";
  peer.overrides.set(load, () => {
    peer.overrides.delete(load);
    throw new ServerFault(ErrorCode.INTERNAL_ERROR, "no");
  });
  room.page.say({ type: "showChat", sessionId: "other" });
  await settled();
  expect(room.page.of("notice").at(-1)?.text).toBe("The chat could not be loaded: no");
  peer.tell("tool/approvalRequest", request({ approvalId: "a-1", sessionId: "s-1" }));
  room.page.say({ type: "send", messageId: "m-1", text: "go on", sessionId: "s-1" });
  await settled();
  expect(room.page.of("approval").map(({ request }) => request.approvalId)).toEqual(["a-1"]);
  expect(peer.called("chat/send")).toEqual([{ sessionId: "s-1", text: "go on" }]);
});

describe("agents that change", () => {
  const shown = (room: Room) => room.page.of("chat").at(-1)?.session;

  async function mended(room: Room, peer: Peer): Promise<void> {
    peer.agentForNewChats = "Mine";
    peer.overrides.set("session/list", () => ({
      sessions: [...peer.chats.values()].map(({ info }) => info),
      agents: [{ agentId: "Mine", name: "Mine", description: "" }],
    }));
    peer.tell("session/listChanged", { agentForNewChats: "Mine" });
    await settled();
    expect(room.page.of("chats").at(-1)?.agents).toMatchObject([{ agentId: "Mine" }]);
  }

  test("are listed at once, and a chat in which nothing was begun is opened anew with the right one", async () => {
    const { room, peer } = await connected();
    await mended(room, peer);
    expect(shown(room)).toMatchObject({ sessionId: "s-2", agentId: "Mine" });
    expect(peer.called("session/close")).toEqual([{ sessionId: "s-1" }]);
    peer.agentForNewChats = "Demo";
    peer.tell("session/listChanged", { agentForNewChats: "Demo" });
    await settled();
    expect(shown(room)).toMatchObject({ sessionId: "s-3", agentId: "Demo" });
    expect([...peer.chats.keys()]).toEqual(["s-3"]);
  });

  test.each<[string, (room: Room) => unknown]>([
    ["wrote something", (room) => room.page.say({ type: "send", messageId: "m-1", text: "hello", sessionId: "s-1" })],
    ["chose a mode", (room) => room.page.say({ type: "setMode", mode: "plan", sessionId: "s-1" })],
    ["asked for it", (room) => room.page.say({ type: "newChat", agent: "Demo" })],
  ])("leave a chat alone in which the user %s", async (_name, act) => {
    const { room, peer } = await connected();
    act(room);
    await settled();
    const before = shown(room);
    await mended(room, peer);
    expect(shown(room)).toEqual(before);
    expect(peer.called("session/close")).toEqual([]);
  });

  test("and are chosen by the user at the same time show the chat with the one that was chosen", async () => {
    for (let turns = 0; turns < 40; turns += 1) {
      const { room, peer } = await connected();
      peer.agentForNewChats = "Mine";
      peer.tell("session/listChanged", { agentForNewChats: "Mine" });
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      room.page.say({ type: "newChat", agent: "Mine" });
      await settled();
      expect(shown(room), `after ${turns} turns`).toMatchObject({ agentId: "Mine" });
      expect([...peer.chats.values()].filter(({ info }) => info.agentId !== "Mine")).toEqual([]);
    }
  });

  test("give a message back that was sent meanwhile", async () => {
    const { room, peer } = await connected();
    peer.agentForNewChats = "Mine";
    peer.tell("session/listChanged", { agentForNewChats: "Mine" });
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    room.page.say({ type: "send", messageId: "m-1", text: "hello", sessionId: "s-1" });
    await settled();
    expect(peer.called("chat/send").length + room.page.of("returned").length).toBe(1);
  });
});

test("a chat that works elsewhere by now is shown so, and stays otherwise as it is", async () => {
  const { room, peer } = await connected();
  room.page.say({ type: "setMode", mode: "plan", sessionId: "s-1" });
  await settled();
  const chat = peer.chats.get("s-1");
  if (chat) chat.info = { ...chat.info, ownFolder: "/own", mode: "auto" };
  peer.tell("session/listChanged", { agentForNewChats: "demo" });
  await settled();
  expect(room.page.of("session").at(-1)?.session).toMatchObject({ ownFolder: "/own", mode: "plan" });
  const before = room.page.of("session").length;
  peer.tell("session/listChanged", { agentForNewChats: "demo" });
  await settled();
  expect(room.page.of("session")).toHaveLength(before);
});

test("a new chat that cannot be opened leaves the page with the one before", async () => {
  const { room, peer } = await connected();
  peer.overrides.set("session/new", () => {
    throw new ServerFault(ErrorCode.INVALID_PARAMS, 'There is no agent named "Gone".');
  });
  room.page.say({ type: "newChat", agent: "Gone" });
  await settled();
  expect(room.page.of("notice").at(-1)?.text).toContain('There is no agent named "Gone".');
  room.page.say({ type: "send", messageId: "m-1", text: "go on", sessionId: "s-1" });
  await settled();
  expect(peer.called("chat/send")).toEqual([{ sessionId: "s-1", text: "go on" }]);
  expect(peer.calls.findLast(({ method }) => method.startsWith("view/"))?.method).toBe("view/attached");
});
