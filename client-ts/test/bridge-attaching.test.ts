import { expect, test } from "vitest";
import { ServerFault } from "../src/common/server.js";
import { ErrorCode } from "../src/protocol/generated.js";
import { Room, settled } from "./support/bridge-room.js";
import { Peer } from "./support/peer.js";

test("what was chosen in the editor's dialog is named on the page, and nothing where it was closed", async () => {
  const room = new Room();
  room.bridge.attach(room.page);
  room.page.say({ type: "ready" });
  await room.bridge.connected(new Peer());
  room.page.say({ type: "pickFiles" });
  await settled();
  expect(room.page.of("named")).toEqual([]);
  room.picked = ["/work/a.txt", "/work/b.txt"];
  room.page.say({ type: "pickFiles" });
  await settled();
  expect(room.page.of("named")).toEqual([{ type: "named", paths: ["/work/a.txt", "/work/b.txt"] }]);
});

test("files named beside the page wait until it is there, with a server that can look at them", async () => {
  const room = new Room();
  const peer = new Peer();
  peer.overrides.set("chat/attachable", () => ({ path: "a.txt", size: 3 }));
  room.bridge.nameFiles(["/work/a.txt"]);
  room.bridge.attach(room.page);
  room.page.say({ type: "ready" });
  room.bridge.nameFiles(["/work/b.txt"]);
  await settled();
  expect(room.page.of("named")).toEqual([]);
  await room.bridge.connected(peer);
  await settled();
  expect(room.page.of("named")).toEqual([{ type: "named", paths: ["/work/a.txt", "/work/b.txt"] }]);
  room.page.say({ type: "attach", path: "/work/a.txt" });
  await settled();
  expect(peer.called("chat/attachable")).toMatchObject([{ path: "/work/a.txt" }]);
  expect(room.page.of("attachable")).toEqual([
    { type: "attachable", path: "/work/a.txt", found: { path: "a.txt", size: 3 } },
  ]);
});

test("only what was written last is answered on the page, whatever becomes of what was written before", async () => {
  const room = new Room();
  const peer = new Peer();
  room.bridge.attach(room.page);
  room.page.say({ type: "ready" });
  await room.bridge.connected(peer);
  const answers: ((refused: boolean) => void)[] = [];
  peer.overrides.set("chat/files", ({ query }: { query: string }) => {
    return new Promise((resolve, reject) =>
      answers.push((refused) => (refused ? reject(new Error("cancelled")) : resolve({ files: [query], more: false }))),
    );
  });
  for (const query of ["a", "ab", "a", "abc"]) {
    room.page.say({ type: "findFiles", query });
    await settled();
  }
  const views = new Set(peer.called("chat/files").map((params) => (params as { viewId?: string }).viewId));
  expect([...views]).toEqual([expect.any(String)]);
  for (const [at, answer] of answers.entries()) answer(at % 2 === 0);
  await settled();
  expect(room.page.of("files")).toEqual([{ type: "files", query: "abc", files: ["abc"], more: false }]);
});

test("a message with a file of which other things are to be known by now is the user's again", async () => {
  const room = new Room();
  const peer = new Peer();
  room.bridge.attach(room.page);
  room.page.say({ type: "ready" });
  await room.bridge.connected(peer);
  peer.overrides.set("chat/send", () => {
    throw new ServerFault(ErrorCode.DIGEST_MISMATCH, "A rule asks about it now.");
  });
  const attachments = [{ path: ".env", agreedDigest: "read" }];
  room.page.say({ type: "send", messageId: "m", text: "look", attachments });
  await settled();
  expect(room.page.of("returned")).toEqual([{ type: "returned", messageId: "m", text: "look", files: [".env"] }]);
  expect(room.page.of("notice").map(({ text }) => text)).toEqual(["A rule asks about it now."]);
  expect(room.page.of("sendFailed")).toEqual([]);
});
