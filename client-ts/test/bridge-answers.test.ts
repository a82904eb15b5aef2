import { describe, expect, test } from "vitest";
import type { PageMessage } from "../src/common/page-messages.js";
import { ServerFault } from "../src/common/server.js";
import { ErrorCode } from "../src/protocol/generated.js";
import { connected, settled } from "./support/bridge-room.js";
import { request } from "./support/examples.js";
import { numbered } from "./support/page-state.js";

const answer = { type: "answer", approvalId: "a-1", argsDigest: "digest-1", optionId: "allow_once" } as const;
const forChat = { ...answer, optionId: "allow_session" } as const;

describe("an answer carries", () => {
  test("arguments that were changed, and only where they were", async () => {
    const { room, peer } = await connected();
    peer.ask(request({ editable: true }));
    room.page.say({ ...answer, editedArgs: { path: "other.txt", content: "" } });
    await settled();
    expect(peer.called("tool/approvalResponse")).toMatchObject([
      { editedArgs: { path: "other.txt", content: "" }, argsDigest: "digest-1" },
    ]);
    peer.ask(request({ approvalId: "a-2", editable: true }));
    room.page.say({ ...answer, approvalId: "a-2" });
    await settled();
    expect(peer.called("tool/approvalResponse").at(-1)).not.toHaveProperty("editedArgs");
  });

  test("how long something is allowed", async () => {
    const { room, peer } = await connected();
    peer.ask(request({ limits: true }));
    room.page.say({ ...forChat, limits: { minutes: 15 } });
    await settled();
    expect(peer.called("tool/approvalResponse")).toMatchObject([{ limits: { minutes: 15 } }]);
  });

  test.each<[string, object, PageMessage]>([
    ["changed arguments of a call that may not be changed", {}, { ...answer, editedArgs: {} }],
    ["changed arguments with more than once", { editable: true }, { ...forChat, editedArgs: {} }],
    ["changed arguments with a no", { editable: true }, { ...answer, optionId: "reject_once", editedArgs: {} }],
    ["an end that is not offered", {}, { ...forChat, limits: { uses: 5 } }],
    ["an end for a single call", { limits: true }, { ...answer, limits: { uses: 5 } }],
    ["an end for what is stored", { limits: true }, { ...answer, optionId: "bypass_agent", limits: { uses: 5 } }],
  ])("never %s", async (_name, changes, message) => {
    const { room, peer } = await connected();
    peer.ask(request(changes));
    room.page.say(message);
    await settled();
    expect(peer.called("tool/approvalResponse")).toEqual([]);
    expect(room.page.of("answerFailed")).toMatchObject([{ text: "This answer was not offered." }]);
  });

  test("no end that is none", async () => {
    const { room, peer } = await connected();
    peer.ask(request({ limits: true }));
    room.page.sayAnything({ ...forChat, limits: { uses: "many" } });
    await settled();
    expect(peer.called("tool/approvalResponse")).toEqual([]);
  });
});

describe("an answer that did not count says why:", () => {
  test.each([
    [
      "it could not be written down",
      ErrorCode.NOT_RECORDED,
      undefined,
      /^Your answer did not count: The disk is full\.$/,
    ],
    [
      "what was changed cannot run",
      ErrorCode.INVALID_PARAMS,
      { path: "params.editedArgs.command" },
      /cannot run: The disk is full\. Nothing ran/,
    ],
    ["something else was wrong", ErrorCode.INVALID_PARAMS, { path: "params.limits" }, /did not count.*-32602/],
    ["the call is another one now", ErrorCode.DIGEST_MISMATCH, undefined, /changed after this card was shown/],
  ])("%s", async (_name, code, data, text) => {
    const { room, peer } = await connected();
    peer.ask(request({ editable: true }));
    peer.overrides.set("tool/approvalResponse", () => {
      throw new ServerFault(code, "The disk is full.", data);
    });
    room.page.say({ ...answer, editedArgs: { command: 7 } });
    await settled();
    expect(room.page.of("answerFailed")).toMatchObject([{ code, text: expect.stringMatching(text) }]);
    expect(room.page.of("answered")).toEqual([]);
    expect(room.bridge.waiting.count).toBe(1);
  });
});

describe("an answer to several", () => {
  const batch = (...numbers: number[]): PageMessage => ({
    type: "batch",
    items: numbers.map((number) => ({ approvalId: `a-${number}`, argsDigest: `digest-${number}` })),
    decision: "allow_once",
  });

  test("names exactly those, with their digests, and brings a result for each", async () => {
    const { room, peer } = await connected();
    for (const number of [1, 2, 3]) peer.ask(numbered(number));
    peer.ask(numbered(4, { reason: { code: "protected", text: "Protected." } }));
    room.page.say(batch(1, 3, 4));
    await settled();
    expect(peer.called("tool/approvalBatch")).toEqual([
      {
        items: [1, 3, 4].map((number) => ({ approvalId: `a-${number}`, argsDigest: `digest-${number}` })),
        decision: "allow_once",
        viewId: "id-1",
      },
    ]);
    expect(room.page.of("batchAnswered")[0]?.results.map((one) => one.status)).toEqual([
      "accepted",
      "accepted",
      "left",
    ]);
    expect([...peer.pending.keys()]).toEqual(["a-2", "a-4"]);
    expect(room.bridge.waiting.count).toBe(2);
  });

  test.each([
    ["one that nobody asked", numbered(2), batch(1, 9)],
    ["one of a chat that is not shown", numbered(2, { sessionId: "s-9" }), batch(1, 2)],
  ])("never leaves the host with %s", async (_name, other, message) => {
    const { room, peer } = await connected();
    peer.ask(numbered(1));
    peer.ask(other);
    room.page.say(message);
    await settled();
    expect(peer.called("tool/approvalBatch")).toEqual([]);
    expect(room.page.of("batchFailed")).toHaveLength(1);
  });

  test("without a word for five seconds brings the buttons back, and still counts when it comes", async () => {
    const { room, peer } = await connected();
    peer.ask(numbered(1));
    let release = (_: unknown) => {};
    peer.overrides.set("tool/approvalBatch", () => new Promise((resolve) => (release = resolve)));
    room.page.say(batch(1));
    await settled();
    room.timePasses();
    expect(room.page.of("batchFailed")[0]).toMatchObject({ approvalIds: ["a-1"], text: /5 seconds/ });
    release({ results: [{ approvalId: "a-1", status: "accepted" }] });
    await settled();
    expect(room.page.of("batchAnswered")).toHaveLength(1);
  });

  test("of which the server says nothing about some leaves those waiting", async () => {
    const { room, peer } = await connected();
    peer.ask(numbered(1));
    peer.ask(numbered(2));
    peer.overrides.set("tool/approvalBatch", () => ({ results: [{ approvalId: "a-1", status: "accepted" }] }));
    room.page.say(batch(1, 2));
    await settled();
    expect(room.page.of("batchFailed")).toMatchObject([{ approvalIds: ["a-2"] }]);
  });

  test("that the server refuses is told for all of them", async () => {
    const { room, peer } = await connected();
    peer.ask(numbered(1));
    peer.overrides.set("tool/approvalBatch", () => {
      throw new ServerFault(ErrorCode.NOT_RECORDED, "The disk is full.");
    });
    room.page.say(batch(1));
    await settled();
    expect(room.page.of("batchFailed")).toMatchObject([
      { approvalIds: ["a-1"], code: ErrorCode.NOT_RECORDED, text: "Your answer did not count: The disk is full." },
    ]);
  });

  test.each([
    ["another decision", { type: "batch", items: [], decision: "allow_session" }],
    ["an item without a digest", { type: "batch", items: [{ approvalId: "a-1" }], decision: "allow_once" }],
  ])("with %s is no message", async (_name, message) => {
    const { room, peer } = await connected();
    room.page.sayAnything(message);
    await settled();
    expect(peer.called("tool/approvalBatch")).toEqual([]);
    expect(room.logged.join()).toContain("dropped a message of the page");
  });
});
