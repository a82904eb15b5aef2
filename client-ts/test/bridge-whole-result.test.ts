import { describe, expect, test } from "vitest";
import { connected, Room, settled } from "./support/bridge-room.js";
import { Peer } from "./support/peer.js";

async function keeping(pieces: Record<number, object>): Promise<{ room: Room; peer: Peer }> {
  const peer = new Peer();
  peer.overrides.set("tool/result", ({ offset }: { offset: number }) => {
    const piece = pieces[offset];
    if (piece === undefined) throw new Error("the whole of this result is not kept any more");
    return piece;
  });
  return connected(peer);
}

async function opens(room: Room): Promise<void> {
  room.page.say({ type: "openResult", sessionId: "s-1", toolCallId: "c-1" });
  await settled();
}

describe("the whole of a long result", () => {
  test("is fetched piece by piece and shown apart from the page", async () => {
    const { room, peer } = await keeping({
      0: { text: "one, ", nextOffset: 5 },
      5: { text: "two", nextOffset: null },
    });
    await opens(room);
    expect(room.shown).toEqual([["Whole result", "one, two"]]);
    expect(peer.called("tool/result")).toEqual([
      { sessionId: "s-1", toolCallId: "c-1", offset: 0 },
      { sessionId: "s-1", toolCallId: "c-1", offset: 5 },
    ]);
  });

  test.each([
    ["is not kept any more", {}, /^The whole result failed: .*not kept any more/],
    ["ends too early", { 0: { text: "a", nextOffset: 1 }, 1: { text: "", nextOffset: 1 } }, /only a part of it/],
  ])("that %s is not shown, and why is said", async (_name, pieces, why) => {
    const { room } = await keeping(pieces);
    await opens(room);
    expect(room.shown).toEqual([]);
    expect(room.page.of("notice")).toMatchObject([{ level: "error", text: expect.stringMatching(why) }]);
  });

  test("waits for nothing where there is no server", async () => {
    const room = new Room();
    room.bridge.attach(room.page);
    await opens(room);
    expect(room.shown).toEqual([]);
    expect(room.page.of("notice")).toMatchObject([{ level: "warning" }]);
  });
});
