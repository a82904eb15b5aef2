import { describe, expect, test } from "vitest";
import { connected, type Room, settled } from "./support/bridge-room.js";
import { request } from "./support/examples.js";
import type { Peer } from "./support/peer.js";

interface Asked {
  file: number;
  offset: number;
  argsDigest: string;
}

async function asking(asked = request({ comparable: true })): Promise<{ room: Room; peer: Peer }> {
  const found = await connected();
  found.peer.tell("tool/approvalRequest", asked);
  await settled();
  return found;
}

async function opens(room: Room, argsDigest = "digest-1"): Promise<void> {
  room.page.say({ type: "openDiff", approvalId: "a-1", argsDigest });
  await settled();
}

const piece = (text: string, more: object = {}) => ({
  path: "src/a.ts",
  realPath: "/home/ada/project/src/a.ts",
  text,
  besideFile: true,
  files: 1,
  tellAll: true,
  ...more,
});

describe("what a waiting call would write", () => {
  test("is fetched in pieces and shown beside the file, and the page hears that it stands there", async () => {
    const { room, peer } = await asking();
    peer.overrides.set("tool/approvalChange", ({ offset }: Asked) =>
      offset === 0 ? piece("one, ", { nextOffset: 5 }) : piece("two"),
    );
    await opens(room);
    expect(room.compared).toEqual([
      ["proposed", [{ realPath: "/home/ada/project/src/a.ts", before: "file", after: "one, two" }]],
    ]);
    const ids = { approvalId: "a-1", argsDigest: "digest-1", file: 0 };
    expect(peer.called("tool/approvalChange")).toEqual([
      { ...ids, offset: 0 },
      { ...ids, offset: 5 },
    ]);
    expect(room.page.of("compared")).toEqual([
      { type: "compared", approvalId: "a-1", argsDigest: "digest-1", tellAll: true, hides: false },
    ]);
  });

  test("does not tell all where the editor leaves something out", async () => {
    const { room, peer } = await asking();
    peer.overrides.set("tool/approvalChange", () => piece("one", { files: 1, besideFile: true, tellAll: true }));
    room.leavesOut = true;
    await opens(room);
    expect(room.page.of("compared")).toMatchObject([{ tellAll: false, hides: false }]);
  });

  test("may be several files, of which some are new, and which are not all there is to it", async () => {
    const { room, peer } = await asking();
    peer.overrides.set("tool/approvalChange", ({ file }: Asked) =>
      piece(file === 0 ? "one" : "two\u202e", { files: 2, besideFile: file === 0, tellAll: false }),
    );
    await opens(room);
    expect(room.compared[0]?.[1].map(({ before, after }) => [before, after])).toEqual([
      ["file", "one"],
      [{ text: "" }, "two\u202e"],
    ]);
    expect(room.page.of("compared")).toMatchObject([{ tellAll: false, hides: true }]);
  });

  test.each([
    ["of another state of the call", () => Promise.reject(new Error("what would run has changed")), /has changed/],
    ["of which a part comes twice", () => piece("one", { nextOffset: 0 }), /only a part of it/],
  ])("%s is not shown, and why is said on the card", async (_name, told, why) => {
    const { room, peer } = await asking();
    peer.overrides.set("tool/approvalChange", told);
    await opens(room);
    expect(room.compared).toEqual([]);
    expect(room.page.of("compared")).toEqual([]);
    expect(room.page.of("compareFailed")).toMatchObject([{ approvalId: "a-1", text: expect.stringMatching(why) }]);
  });

  test("that the editor cannot show counts as not seen", async () => {
    const { room, peer } = await asking();
    peer.overrides.set("tool/approvalChange", () => piece("one"));
    room.cannotCompare = true;
    await opens(room);
    expect(room.page.of("compared")).toEqual([]);
    expect(room.page.of("compareFailed")).toHaveLength(1);
  });

  test("is not asked for while secrets are masked on its card, or where nothing waits", async () => {
    const { room, peer } = await asking(request({ comparable: true, redactions: 1 }));
    await opens(room);
    room.page.say({ type: "openDiff", approvalId: "gone", argsDigest: "digest-1" });
    await settled();
    expect(peer.called("tool/approvalChange")).toEqual([]);
    expect(room.page.of("compareFailed").map(({ approvalId }) => approvalId)).toEqual(["a-1", "gone"]);
  });
});

describe("what a call wrote", () => {
  async function opensWritten(before: object): Promise<Room> {
    const { room, peer } = await asking();
    peer.overrides.set("tool/written", ({ side }: { side: string }) =>
      side === "before" ? { realPath: "/a.ts", ...before } : { realPath: "/a.ts", text: "new" },
    );
    room.page.say({ type: "openWritten", sessionId: "s-1", toolCallId: "c-1" });
    await settled();
    return room;
  }

  test("stands beside what its run had found there", async () => {
    const room = await opensWritten({ text: "old" });
    expect(room.compared).toEqual([["written", [{ realPath: "/a.ts", before: { text: "old" }, after: "new" }]]]);
  });

  test("stands alone where that is not known any more: it is compared with nothing else", async () => {
    const room = await opensWritten({});
    expect(room.compared).toEqual([]);
    expect(room.shown).toEqual([["As this call wrote it", "new"]]);
  });
});
