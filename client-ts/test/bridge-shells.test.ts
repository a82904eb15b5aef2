// Commands that run by themselves, between page and server.
import { describe, expect, test } from "vitest";
import { ServerFault } from "../src/common/server.js";
import { ErrorCode } from "../src/protocol/generated.js";
import { connected, RecordingPage, settled } from "./support/bridge-room.js";
import { event, text } from "./support/examples.js";
import { Peer } from "./support/peer.js";
import { goesOn, printed, printedAlone, shell } from "./support/shells.js";

describe("the list", () => {
  test("comes with the connection, and again with a new page", async () => {
    const peer = new Peer();
    peer.shells = [shell()];
    const { room } = await connected(peer);
    expect(room.page.of("shells").at(-1)).toEqual({ type: "shells", shells: [shell()] });
    const again = new RecordingPage();
    room.bridge.attach(again);
    again.say({ type: "ready" });
    await settled();
    expect(again.of("shells").at(-1)?.shells).toHaveLength(1);
  });

  test("comes when the page asks for it", async () => {
    const { room, peer } = await connected();
    peer.shells = [shell()];
    room.page.say({ type: "shellsList" });
    await settled();
    expect(room.page.of("shells").at(-1)?.shells).toEqual([shell()]);
  });

  test("comes when one begins or ends, in whatever chat, and not when one prints", async () => {
    const { room, peer } = await connected();
    const before = peer.called("shell/list").length;
    peer.happen(goesOn(1));
    await settled();
    expect(peer.called("shell/list")).toHaveLength(before + 1);
    peer.tell("agent/event", event(7, "Shell", { shellId: "sh-8", status: "exited", exitCode: 0 }, "s-9"));
    await settled();
    expect(peer.called("shell/list")).toHaveLength(before + 2);
    for (let count = 0; count < 30; count += 1) peer.tell("agent/event", printedAlone(1, "y\n"));
    await settled();
    expect(peer.called("shell/list")).toHaveLength(before + 2);
    expect(room.page.of("event").filter((one) => one.event.passing)).toHaveLength(30);
  });

  test("is asked for once at a time, and once more for all that wanted it meanwhile", async () => {
    const { room, peer } = await connected();
    const before = peer.called("shell/list").length;
    let answer = () => {};
    peer.overrides.set("shell/list", () => new Promise((resolve) => (answer = () => resolve({ shells: [] }))));
    for (let count = 0; count < 20; count += 1) room.page.say({ type: "shellsList" });
    await settled();
    expect(peer.called("shell/list")).toHaveLength(before + 1);
    answer();
    await settled();
    expect(peer.called("shell/list")).toHaveLength(before + 2);
    answer();
    await settled();
    expect(peer.called("shell/list")).toHaveLength(before + 2);
  });

  test("that is refused or does not fit changes nothing on the page", async () => {
    const { room, peer } = await connected();
    const before = room.page.received.length;
    peer.overrides.set("shell/list", () => ({ shells: [{ ...shell(), status: "odd" }] }));
    room.page.say({ type: "shellsList" });
    await settled();
    expect(room.page.received).toHaveLength(before);
    expect(room.logged.join()).toContain("shell/list");
  });

  test("of a server that is gone is not shown", async () => {
    const { room, peer } = await connected();
    let answer = () => {};
    peer.overrides.set("shell/list", () => new Promise((resolve) => (answer = () => resolve({ shells: [shell()] }))));
    room.page.say({ type: "shellsList" });
    await settled();
    const before = room.page.of("shells").length;
    room.bridge.disconnected("lost", "", [], true);
    answer();
    await settled();
    expect(room.page.of("shells")).toHaveLength(before);
  });
});

describe("ending and moving", () => {
  test("go to the server as the page says, and the list comes after", async () => {
    const { room, peer } = await connected();
    peer.overrides.set("shell/kill", () => ({ killed: true }));
    peer.overrides.set("shell/background", () => ({ shellId: "sh-2" }));
    const before = room.page.of("shells").length;
    room.page.say({ type: "shellKill", shellId: "sh-1" });
    room.page.say({ type: "shellBackground", toolCallId: "c-2" });
    await settled();
    expect(peer.called("shell/kill")).toEqual([{ shellId: "sh-1" }]);
    expect(peer.called("shell/background")).toEqual([{ toolCallId: "c-2" }]);
    expect(room.page.of("shellAnswered")).toEqual([
      { type: "shellAnswered", id: "sh-1", error: null },
      { type: "shellAnswered", id: "c-2", error: null },
    ]);
    expect(room.page.of("shells").length).toBeGreaterThan(before);
  });

  test.each([
    ["shellKill", { type: "shellKill", shellId: "x-1" }, "shell/kill", "It was not ended: there is no such command"],
    [
      "shellBackground",
      { type: "shellBackground", toolCallId: "x-1" },
      "shell/background",
      "It was not moved: there is no such command",
    ],
    [
      "openShellOutput",
      { type: "openShellOutput", shellId: "x-1" },
      "shell/output",
      "Its output was not opened: there is no such command",
    ],
  ] as const)("%s that is refused says why", async (_name, message, method, words) => {
    const { room, peer } = await connected();
    peer.overrides.set(method, () => {
      throw new ServerFault(ErrorCode.SHELL_NOT_FOUND, "there is no such command");
    });
    room.page.say(message);
    await settled();
    expect(room.page.of("shellAnswered")).toEqual([{ type: "shellAnswered", id: "x-1", error: words }]);
    expect(room.shown).toEqual([]);
  });

  test("without a server says so", async () => {
    const { room, peer } = await connected();
    room.bridge.disconnected("lost", "", [], false);
    room.page.say({ type: "shellKill", shellId: "sh-1" });
    await settled();
    expect(peer.called("shell/kill")).toEqual([]);
    expect(room.page.of("shellAnswered")[0]?.error).toContain("no connection");
  });

  test.each([
    { type: "shellKill" },
    { type: "shellKill", shellId: "" },
    { type: "shellKill", shellId: 7 },
    { type: "shellKill", toolCallId: "c-1" },
    { type: "shellBackground", shellId: "sh-1" },
    { type: "shellBackground", toolCallId: null },
    { type: "openShellOutput", shellId: {} },
  ])("%j never leaves the host", async (message) => {
    const { room, peer } = await connected();
    const before = peer.calls.length;
    room.page.sayAnything(message);
    await settled();
    expect(peer.calls).toHaveLength(before);
    expect(room.logged.join()).toContain("dropped a message of the page");
  });
});

describe("the whole output", () => {
  const open = { type: "openShellOutput", shellId: "sh-1" } as const;

  test("is put together from its pieces, and says what is lost", async () => {
    const { room, peer } = await connected();
    peer.shells = [shell({ printed: 9 })];
    const pieces = new Map<number | null, object>([
      [null, { text: "bcd\n", nextCursor: 5, dropped: 1, status: "running" }],
      [5, { text: "efg\n", nextCursor: 9, dropped: 0, status: "running" }],
    ]);
    peer.overrides.set("shell/output", ({ cursor }: { cursor: number | null }) => pieces.get(cursor));
    room.page.say(open);
    await settled();
    expect(room.shown).toEqual([["Output of a command", "[1 characters are not kept any more]\nbcd\nefg\n"]]);
  });

  test("of a command that prints without end is what it had printed when it was asked for", async () => {
    const { room, peer } = await connected();
    peer.shells = [shell({ printed: 5 })];
    peer.overrides.set("shell/output", ({ cursor }: { cursor: number | null }) => ({
      text: "yy",
      nextCursor: (cursor ?? 0) + 2,
      dropped: 0,
      status: "running",
    }));
    room.page.say(open);
    await settled();
    expect(room.shown).toEqual([["Output of a command", "yyyyyy"]]);
  });

  test("ends where the server does not get on", async () => {
    const { room, peer } = await connected();
    peer.shells = [shell({ printed: 500 })];
    peer.overrides.set("shell/output", () => ({ text: "yy", nextCursor: 2, dropped: 0, status: "running" }));
    room.page.say(open);
    await settled();
    expect(room.shown).toEqual([["Output of a command", "yyyy"]]);
  });

  test("ends where the server has no more", async () => {
    const { room, peer } = await connected();
    peer.shells = [shell({ printed: 500 })];
    peer.overrides.set("shell/output", () => ({ text: "", nextCursor: 0, dropped: 500, status: "exited" }));
    room.page.say(open);
    await settled();
    expect(room.shown).toEqual([["Output of a command", "[500 characters are not kept any more]\n"]]);
  });
});

describe("what passes", () => {
  test("reaches the page and is no reason to load", async () => {
    const { room, peer } = await connected();
    peer.happen(text(1, "a"));
    peer.tell("agent/event", printed(1, "one\n"));
    peer.tell("agent/event", printed(1, "two\n"));
    peer.happen(text(2, "b"));
    await settled();
    expect(room.page.of("event").map((one) => [one.event.n, one.event.passing ?? false])).toEqual([
      [1, false],
      [1, true],
      [1, true],
      [2, false],
    ]);
    expect(peer.called("session/load")).toHaveLength(1);
  });

  test("before the page has what it follows is dropped", async () => {
    const { room, peer } = await connected();
    peer.tell("agent/event", printed(4, "early\n"));
    await settled();
    expect(room.page.of("event")).toEqual([]);
    expect(peer.called("session/load")).toHaveLength(1);
  });
});
