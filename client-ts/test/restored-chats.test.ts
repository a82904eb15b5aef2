// Chats of an earlier server that come back after the page has a chat already, and messages that no run took up.
import { describe, expect, test } from "vitest";
import { connected, RecordingPage, Room, settled } from "./support/bridge-room.js";
import { event, session } from "./support/examples.js";
import { Peer } from "./support/peer.js";

const shown = (room: Room) => room.page.of("chat").at(-1)?.session.sessionId;

/** Chats by their ids, each with so many calls that wait, are there and told of at once. */
function comeBack(peer: Peer, chats: Record<string, number>): void {
  const before = [...peer.chats];
  peer.chats.clear();
  for (const [sessionId, waiting] of Object.entries(chats))
    peer.chats.set(sessionId, {
      info: session({ sessionId, waiting, lastN: 1 }),
      events: [event(1, "Prompt", { text: `of ${sessionId}` }, sessionId)],
    });
  for (const [id, chat] of before) peer.chats.set(id, chat);
  peer.tell("session/restored", { sessionIds: Object.keys(chats) });
}

describe("a chat that comes back", () => {
  test.each<[string, Record<string, number>, string]>([
    ["takes the place of an empty one", { old: 0 }, "old"],
    ["with calls that wait comes before a later one without", { first: 3, second: 0 }, "first"],
    ["without calls that wait is the latest", { first: 0, second: 0 }, "second"],
    ["with calls that wait is the latest of those", { first: 1, second: 3, third: 0 }, "second"],
  ])("%s", async (_name, chats, expected) => {
    const { room, peer } = await connected();
    expect(shown(room)).toBe("s-1");
    comeBack(peer, chats);
    await settled();
    expect(room.page.of("chat").at(-1)).toMatchObject({ how: "replace", session: { sessionId: expected } });
    expect(room.page.of("chats").at(-1)?.sessions).toHaveLength(Object.keys(chats).length + 1);
  });

  test.each<[string, (room: Room) => unknown]>([
    ["wrote something", (room) => room.page.say({ type: "send", messageId: "m-1", text: "hello", sessionId: "s-1" })],
    ["chose a mode", (room) => room.page.say({ type: "setMode", mode: "plan", sessionId: "s-1" })],
    ["tried a card", (room) => room.bridge.sendTestRequest()],
  ])("leaves a chat alone in which the user %s", async (_name, act) => {
    const { room, peer } = await connected();
    act(room);
    await settled();
    comeBack(peer, { old: 3 });
    await settled();
    expect(shown(room)).toBe("s-1");
    expect(room.page.of("chats").at(-1)?.sessions).toMatchObject([{ sessionId: "old", waiting: 3 }, {}]);
  });

  test("leaves a chat alone that the user asked for", async () => {
    const { room, peer } = await connected();
    room.page.say({ type: "newChat" });
    await settled();
    comeBack(peer, { old: 3 });
    await settled();
    expect(shown(room)).toBe("s-2");
  });

  test("while the first chat is still being opened takes its place as well", async () => {
    const peer = new Peer();
    const open: (() => void)[] = [];
    peer.overrides.set("session/new", (async (params: unknown) => {
      await new Promise<void>((resolve) => open.push(resolve));
      peer.overrides.delete("session/new");
      return peer.request("session/new", params);
    }) as never);
    const room = new Room();
    room.bridge.attach(room.page);
    room.page.say({ type: "ready" });
    const connecting = room.bridge.connected(peer);
    await settled();
    comeBack(peer, { old: 3 });
    await settled();
    expect(shown(room)).toBeUndefined();
    for (const one of open) one();
    await connecting;
    await settled();
    expect(shown(room)).toBe("old");
  });

  test("later with calls that wait takes the place of one without, and no other does", async () => {
    const { room, peer } = await connected();
    comeBack(peer, { first: 0 });
    await settled();
    comeBack(peer, { second: 0 });
    await settled();
    expect(shown(room)).toBe("first");
    comeBack(peer, { third: 2 });
    await settled();
    expect(shown(room)).toBe("third");
    comeBack(peer, { fourth: 2 });
    await settled();
    expect(shown(room)).toBe("third");
  });

  test("and that the list had already is chosen by what waits, and loaded once", async () => {
    const peer = new Peer();
    comeBack(peer, { first: 1, second: 0 });
    const { room } = await connected(peer);
    expect(shown(room)).toBe("first");
    const loads = peer.called("session/load").length;
    peer.tell("session/restored", { sessionIds: ["first", "second"] });
    await settled();
    expect(peer.called("session/load")).toHaveLength(loads);
    expect(peer.called("session/new")).toEqual([]);
  });

  test("after a restart takes the place of the one that was begun for want of it", async () => {
    const { room } = await connected();
    room.bridge.disconnected("starting", "…", [], true);
    const next = new Peer("t");
    await room.bridge.connected(next);
    await settled();
    expect(shown(room)).toBe("t-1");
    comeBack(next, { "s-1": 1 });
    await settled();
    expect(shown(room)).toBe("s-1");
  });
});

describe("what the user did in another chat than the one that came up meanwhile", () => {
  test("is not sent there: the message comes back", async () => {
    const { room, peer } = await connected();
    comeBack(peer, { old: 3 });
    await settled();
    room.page.say({ type: "send", messageId: "m-1", text: "for the empty one", sessionId: "s-1" });
    await settled();
    expect(peer.called("chat/send")).toEqual([]);
    expect(room.page.of("returned")).toEqual([
      { type: "returned", messageId: "m-1", text: "for the empty one", files: [] },
    ]);
  });

  test("sets no mode there", async () => {
    const { room, peer } = await connected();
    comeBack(peer, { old: 3 });
    await settled();
    room.page.say({ type: "setMode", mode: "auto", applyNow: true, sessionId: "s-1" });
    await settled();
    expect(peer.called("session/setMode")).toEqual([]);
    expect(room.page.of("session").at(-1)?.session).toMatchObject({ sessionId: "old", mode: "default" });
  });

  test("while that one is being loaded is not sent there either", async () => {
    const { room, peer } = await connected();
    peer.tell("session/restored", { sessionIds: [] });
    comeBack(peer, { old: 3 });
    room.page.say({ type: "send", messageId: "m-1", text: "for the empty one", sessionId: "s-1" });
    await settled();
    const sent = peer.called("chat/send") as { sessionId: string }[];
    expect(sent.map((one) => one.sessionId)).not.toContain("old");
    expect(sent.length + room.page.of("returned").length).toBe(1);
  });
});

describe("a message that waited when its chat was stopped", () => {
  async function stopped(): Promise<{ room: Room; finish: () => Promise<void> }> {
    const { room, peer } = await connected();
    let end = () => {};
    peer.overrides.set("chat/send", (async () => {
      await new Promise<void>((resolve) => {
        end = resolve;
      });
      return { sessionId: "s-1", runId: "r-2", done_reason: "cancelled", unbegun: true };
    }) as never);
    room.page.say({ type: "send", messageId: "m-1", text: "and then this", attachments: [{ path: "notes.txt" }] });
    await settled();
    return {
      room,
      finish: async () => {
        end();
        await settled();
      },
    };
  }

  test("comes back", async () => {
    const { room, finish } = await stopped();
    await finish();
    expect(room.page.of("sent")).toEqual([]);
    expect(room.page.of("returned")).toEqual([
      { type: "returned", messageId: "m-1", text: "and then this", files: ["notes.txt"] },
    ]);
  });

  test("while there is no page comes back with the next one, once", async () => {
    const { room, finish } = await stopped();
    room.bridge.setVisible(false);
    await finish();
    const next = new RecordingPage();
    room.bridge.attach(next);
    for (let times = 0; times < 2; times += 1) {
      next.say({ type: "ready" });
      await settled();
    }
    expect(next.of("returned")).toEqual([
      { type: "returned", messageId: "m-1", text: "and then this", files: ["notes.txt"] },
    ]);
  });
});
