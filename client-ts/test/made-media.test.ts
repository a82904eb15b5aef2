// Pictures and sounds on their way to the page: asked for with their call, told with it, or why they cannot be shown.
import { describe, expect, test } from "vitest";
import { isPageMessage } from "../src/common/page-messages.js";
import type { ToolItem } from "../src/webview/state.js";
import { Room, settled } from "./support/bridge-room.js";
import { type event, toolCall, toolResult } from "./support/examples.js";
import { type Message, pageAfter } from "./support/page-state.js";
import { Peer } from "./support/peer.js";

const MADE = { mime: "image/png", size: 3 } as const;
const told = (one: ReturnType<typeof event>): Message => ({ type: "event", event: one });
const made = [told(toolCall(1, "c-1")), told(toolResult(2, { toolCallId: "c-1", made: MADE }))];

function row(...messages: Message[]): ToolItem {
  const found = pageAfter(...messages).items.find((item) => item.kind === "tool");
  if (found?.kind !== "tool") throw new Error("no row");
  return found;
}

describe("the page knows", () => {
  test("that a call has made something, and has nothing of it yet", () => {
    expect(row(...made)).toMatchObject({ result: { made: MADE } });
    expect(row(...made).media).toBeUndefined();
  });

  test("the thing itself, or why it is not shown; what is told last counts", () => {
    const media = { mime: "image/png", data: "AAAA" } as const;
    const failed: Message = { type: "media", toolCallId: "c-1", error: "it is gone" };
    const shown: Message = { type: "media", toolCallId: "c-1", media };
    expect(row(...made, failed).media).toEqual({ media: undefined, error: "it is gone" });
    expect(row(...made, failed, shown).media).toEqual({ media, error: undefined });
  });

  test("nothing of a call that it does not show", () => {
    const stray: Message = { type: "media", toolCallId: "c-9", error: "it is gone" };
    expect(pageAfter(...made, stray).items).toEqual(pageAfter(...made).items);
  });
});

describe("the bridge", () => {
  async function asks(peer?: Peer): Promise<Room> {
    const room = new Room();
    room.bridge.attach(room.page);
    room.page.say({ type: "ready" });
    if (peer) await room.bridge.connected(peer);
    await settled();
    room.page.say({ type: "showMedia", sessionId: "s-1", toolCallId: "c-1" });
    await settled();
    return room;
  }

  test("fetches it from the server", async () => {
    const peer = new Peer();
    const media = { mime: "audio/wav", data: "AAAA" };
    peer.overrides.set("tool/media", () => media);
    const room = await asks(peer);
    expect(peer.called("tool/media")).toEqual([{ sessionId: "s-1", toolCallId: "c-1" }]);
    expect(room.page.of("media")).toMatchObject([{ toolCallId: "c-1", media }]);
  });

  test("tells why there is none, where the row stands", async () => {
    const peer = new Peer();
    peer.overrides.set("tool/media", () => {
      throw new Error("the file is another one by now");
    });
    const room = await asks(peer);
    expect(room.page.of("media")).toMatchObject([{ toolCallId: "c-1", error: expect.stringMatching(/another one/) }]);
    expect(room.page.of("notice")).toEqual([]);
  });

  test("says so where there is no server", async () => {
    expect((await asks()).page.of("media")).toMatchObject([{ error: expect.stringMatching(/no connection/) }]);
  });
});

test.each([{}, { sessionId: "s" }, { sessionId: "", toolCallId: "c" }, { sessionId: "s", toolCallId: 5 }])(
  "a page cannot ask for it without saying of which call (%#)",
  (said) => expect(isPageMessage({ type: "showMedia", ...said })).toBe(false),
);
