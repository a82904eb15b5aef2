// Commands of the editor about cards, on their way to the page.
import { expect, test } from "vitest";
import { connected, Room, settled } from "./support/bridge-room.js";
import { numbered } from "./support/page-state.js";

test("the page is told whether keys answer, and says which card is in view to the host alone", async () => {
  const { room, peer } = await connected();
  expect(room.page.of("hello")).toEqual([{ type: "hello", host: "editor", keys: true }]);
  const before = peer.calls.length;
  const inView = { type: "cardInView", hasKeyboard: true, approvalId: "a-1", argsDigest: "d" } as const;
  room.page.say(inView);
  await settled();
  expect(room.requests).toEqual([inView]);
  expect(peer.calls.length).toBe(before);
});

test("a key goes to the page that is there, and to none that comes later", async () => {
  const { room } = await connected();
  room.bridge.press("approve", { approvalId: "a-1", argsDigest: "d" }, true);
  expect(room.page.of("press")).toEqual([
    { type: "press", key: "approve", onPage: true, approvalId: "a-1", argsDigest: "d" },
  ]);
  const other = new Room();
  other.bridge.press("approve", { approvalId: "a-1", argsDigest: "d" }, true);
  other.bridge.attach(other.page);
  other.page.say({ type: "ready" });
  await settled();
  expect(other.page.of("press")).toEqual([]);
});

test("the way to a card waits for the page, and leads into the chat in which one waits", async () => {
  const room = new Room();
  await room.bridge.goToCard();
  room.bridge.attach(room.page);
  room.page.say({ type: "ready" });
  await settled();
  expect(room.page.of("goToCard")).toHaveLength(1);

  const { room: open, peer } = await connected();
  peer.tell("tool/approvalRequest", { ...numbered(1), sessionId: "elsewhere" });
  await open.bridge.goToCard();
  await settled();
  expect(peer.called("session/load")).toContainEqual(expect.objectContaining({ sessionId: "elsewhere" }));
  expect(open.page.of("goToCard")).toHaveLength(1);
});
