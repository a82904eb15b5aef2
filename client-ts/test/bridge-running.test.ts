// Retry, and messages for a chat that is busy, between page and server.
import { describe, expect, test } from "vitest";
import { ServerFault } from "../src/common/server.js";
import { ErrorCode } from "../src/protocol/generated.js";
import { connected, settled } from "./support/bridge-room.js";
import { session } from "./support/examples.js";

describe("Retry", () => {
  const ended = { sessionId: "s-1", runId: "r-2", done_reason: "stop" };

  test("goes on in the chat that is shown", async () => {
    const { room, peer } = await connected();
    peer.overrides.set("chat/retry", () => ended);
    const loads = room.page.of("chat").length;
    room.page.say({ type: "retryRun", sessionId: "s-1" });
    await settled();
    expect(peer.called("chat/retry")).toEqual([{ sessionId: "s-1" }]);
    expect(room.page.of("notice")).toEqual([]);
    expect(room.page.of("chat")).toHaveLength(loads);
  });

  test("is not done in another chat", async () => {
    const { room, peer } = await connected();
    room.page.say({ type: "retryRun", sessionId: "s-other" });
    await settled();
    expect(peer.called("chat/retry")).toEqual([]);
  });

  test("that is refused says why, and the page shows what is so", async () => {
    const { room, peer } = await connected();
    peer.overrides.set("chat/retry", () => {
      throw new ServerFault(ErrorCode.INVALID_PARAMS, "a run is active in this chat");
    });
    room.page.say({ type: "retryRun", sessionId: "s-1" });
    await settled();
    expect(room.page.of("notice")).toMatchObject([
      { level: "error", text: "Retry failed: a run is active in this chat" },
    ]);
    expect(room.page.of("chat").at(-1)).toMatchObject({
      how: "continue",
      session: { sessionId: "s-1", running: false },
    });
  });

  test("that a stop came before is there again", async () => {
    const { room, peer } = await connected();
    peer.overrides.set("chat/retry", () => ({ ...ended, done_reason: "cancelled", unbegun: true }));
    room.page.say({ type: "retryRun", sessionId: "s-1" });
    await settled();
    expect(room.page.of("chat").at(-1)).toMatchObject({ how: "continue" });
  });

  test("that another chat took the page from brings nothing back there", async () => {
    const { room, peer } = await connected();
    let refuse = () => {};
    peer.overrides.set(
      "chat/retry",
      () =>
        new Promise((_resolve, reject) => {
          refuse = () => reject(new ServerFault(ErrorCode.INVALID_PARAMS, "no"));
        }),
    );
    peer.chats.set("s-2", { info: session({ sessionId: "s-2" }), events: [] });
    room.page.say({ type: "retryRun", sessionId: "s-1" });
    await settled();
    room.page.say({ type: "showChat", sessionId: "s-2" });
    await settled();
    const loads = room.page.of("chat").length;
    refuse();
    await settled();
    expect(room.page.of("chat")).toHaveLength(loads);
  });
});

describe("a message for a chat that is busy", () => {
  test.each([
    [{}, { sessionId: "s-1", text: "instead" }],
    [{ whenBusy: "queue" as const }, { sessionId: "s-1", text: "instead", whenBusy: "queue" }],
    [{ whenBusy: "replace" as const }, { sessionId: "s-1", text: "instead", whenBusy: "replace" }],
  ])("is sent as the user chose: %j", async (chosen, expected) => {
    const { room, peer } = await connected();
    room.page.say({ type: "send", messageId: "m-1", text: "instead", sessionId: "s-1", ...chosen });
    await settled();
    expect(peer.called("chat/send")).toEqual([expected]);
  });

  test("is dropped when it says something else", async () => {
    const { room, peer } = await connected();
    room.page.sayAnything({ type: "send", messageId: "m-1", text: "instead", whenBusy: "now" });
    await settled();
    expect(peer.called("chat/send")).toEqual([]);
  });
});
