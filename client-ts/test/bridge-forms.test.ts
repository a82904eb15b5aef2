// Forms of MCP servers and agents, between page and server.
import { describe, expect, test } from "vitest";
import { ServerFault } from "../src/common/server.js";
import { ErrorCode } from "../src/protocol/generated.js";
import { connected, RecordingPage, settled } from "./support/bridge-room.js";
import { form } from "./support/forms.js";
import { Peer } from "./support/peer.js";

describe("what waits", () => {
  test("comes as it is asked, and goes with its end", async () => {
    const { room, peer } = await connected();
    let changes = 0;
    room.bridge.forms.changed.on(() => (changes += 1));
    peer.tell("form/request", form());
    expect(room.page.of("form").at(-1)?.request).toEqual(form());
    expect(room.bridge.forms.count).toBe(1);
    peer.tell("form/ended", { formId: "f-1", sessionId: "s-1", action: "accept" });
    expect(room.page.of("formEnded")).toEqual([{ type: "formEnded", formId: "f-1" }]);
    expect([room.bridge.forms.count, changes]).toEqual([0, 2]);
  });

  test("comes again with a new page, and nothing else does", async () => {
    const { room, peer } = await connected();
    peer.tell("form/request", form({ formId: "f-gone" }));
    peer.forms = [form()];
    const again = new RecordingPage();
    room.bridge.attach(again);
    again.say({ type: "ready" });
    await settled();
    expect(again.of("form").map(({ request }) => request.formId)).toEqual(["f-1"]);
    expect(room.bridge.forms.count).toBe(1);
  });

  test("ends with the server", async () => {
    const peer = new Peer();
    peer.forms = [form()];
    const { room } = await connected(peer);
    expect(room.bridge.forms.count).toBe(1);
    room.bridge.disconnected("lost", "The server died.", [], true);
    expect(room.bridge.forms.count).toBe(0);
    expect(room.page.of("formEnded")).toHaveLength(1);
  });

  test("that does not fit its type is dropped", async () => {
    const { room, peer } = await connected();
    peer.tell("form/request", { ...form(), fields: [{ name: "a", kind: "secret", title: "A", required: true }] });
    peer.tell("form/request", { ...form(), askerKind: "assent" });
    await settled();
    expect(room.page.of("form")).toEqual([]);
  });
});

describe("an answer", () => {
  test("goes to the server as the page says it", async () => {
    const { room, peer } = await connected();
    peer.overrides.set("form/answer", () => ({}));
    room.page.say({ type: "formAnswer", formId: "f-1", action: "accept", content: { name: "Ada", count: 1 } });
    room.page.say({ type: "formAnswer", formId: "f-2", action: "decline" });
    await settled();
    expect(peer.called("form/answer")).toEqual([
      { formId: "f-1", action: "accept", content: { name: "Ada", count: 1 } },
      { formId: "f-2", action: "decline" },
    ]);
    expect(room.page.of("formFailed")).toEqual([]);
  });

  test("that does not count comes back with its place, and nothing of it is logged", async () => {
    const { room, peer } = await connected();
    peer.overrides.set("form/answer", () => {
      throw new ServerFault(ErrorCode.INVALID_PARAMS, "Fill this in.", { path: "params.content.name" });
    });
    room.page.say({ type: "formAnswer", formId: "f-1", action: "accept", content: { name: "my own words" } });
    await settled();
    expect(room.page.of("formFailed")).toEqual([
      { type: "formFailed", formId: "f-1", text: "Fill this in.", path: "params.content.name" },
    ]);
    expect(JSON.stringify(room.logged)).not.toContain("my own words");
  });

  test("without a server is said not to have been sent", async () => {
    const { room } = await connected();
    room.bridge.disconnected("lost", "", [], false);
    room.page.say({ type: "formAnswer", formId: "f-1", action: "cancel" });
    await settled();
    expect(room.page.of("formFailed").at(-1)).toMatchObject({ text: "Not connected. Nothing was sent.", path: "" });
  });

  test.each([
    { type: "formAnswer", formId: "", action: "accept" },
    { type: "formAnswer", formId: "f-1", action: "allow" },
    { type: "formAnswer", formId: "f-1", action: "accept", content: ["Ada"] },
  ])("that does not fit is dropped: %j", async (message) => {
    const { room, peer } = await connected();
    room.page.say(message as never);
    await settled();
    expect(peer.called("form/answer")).toEqual([]);
  });
});
