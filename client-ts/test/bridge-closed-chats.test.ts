// A chat that the user closes, and what is shown then.
import { expect, test } from "vitest";
import { ServerFault } from "../src/common/server.js";
import { ErrorCode } from "../src/protocol/generated.js";
import { Room, settled } from "./support/bridge-room.js";
import { request } from "./support/examples.js";
import { Peer } from "./support/peer.js";

async function withChats(count: number): Promise<{ room: Room; peer: Peer }> {
  const [room, peer] = [new Room(), new Peer()];
  room.bridge.attach(room.page);
  room.page.say({ type: "ready" });
  await room.bridge.connected(peer);
  for (let more = 1; more < count; more += 1) room.page.say({ type: "newChat" });
  await settled();
  return { room, peer };
}

async function close(room: Room, sessionId: string): Promise<void> {
  room.page.say({ type: "closeChat", sessionId });
  await settled();
}

const listed = (room: Room) =>
  room.page
    .of("chats")
    .at(-1)
    ?.sessions.map((chat) => chat.sessionId);

test("one beside what is shown goes, and the shown one stays", async () => {
  const { room, peer } = await withChats(2);
  const before = room.page.of("chat").length;
  await close(room, "s-1");
  expect(peer.called("session/close")).toEqual([{ sessionId: "s-1" }]);
  expect(listed(room)).toEqual(["s-2"]);
  expect(room.page.of("chat")).toHaveLength(before);
});

test("the shown one makes room for the one that waits", async () => {
  const { room, peer } = await withChats(3);
  const waiting = peer.chats.get("s-1");
  if (waiting) waiting.info = { ...waiting.info, waiting: 1 };
  await close(room, "s-3");
  expect(room.page.of("chat").at(-1)).toMatchObject({ how: "replace", session: { sessionId: "s-1" } });
  expect(room.bridge.shownChat).toBe("s-1");
  expect(listed(room)).toEqual(["s-1", "s-2"]);
});

test("the last one makes room for a new one", async () => {
  const { room } = await withChats(1);
  await close(room, "s-1");
  expect(room.page.of("chat").at(-1)).toMatchObject({ how: "replace", session: { sessionId: "s-2" }, events: [] });
});

test("what waited there waits no more, and can be answered no more", async () => {
  const { room, peer } = await withChats(1);
  peer.ask(request());
  await settled();
  peer.overrides.set("session/close", ({ sessionId }: { sessionId: string }) => {
    peer.chats.delete(sessionId);
    peer.pending.clear();
    peer.tell("tool/approvalResolved", {
      approvalId: "a-1",
      sessionId,
      toolCallId: "c-1",
      status: "cancelled",
      resolvedBy: "stop",
      reasonText: "The chat was closed.",
    });
    return {};
  });
  await close(room, "s-1");
  expect(room.bridge.waiting.count).toBe(0);
  room.page.say({ type: "answer", approvalId: "a-1", argsDigest: "digest-1", optionId: "allow_once" });
  await settled();
  expect(peer.called("tool/approvalResponse")).toEqual([]);
});

test("one that cannot be closed stays, and the page is told why", async () => {
  const { room, peer } = await withChats(2);
  peer.overrides.set("session/close", () => {
    throw new ServerFault(ErrorCode.INTERNAL_ERROR, "the disk is full.");
  });
  await close(room, "s-2");
  expect(room.bridge.shownChat).toBe("s-2");
  expect(room.page.of("notice").at(-1)?.text).toContain("the disk is full.");
});

test("a new chat is opened with the agent that was picked", async () => {
  const { room, peer } = await withChats(1);
  room.page.say({ type: "newChat", agent: "other" });
  await settled();
  expect(peer.called("session/new").at(-1)).toEqual({ agent: "other" });
});
