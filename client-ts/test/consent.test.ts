import { describe, expect, test } from "vitest";
import type { HostMessage } from "../src/common/page-messages.js";
import { ServerFault } from "../src/common/server.js";
import { ErrorCode } from "../src/protocol/generated.js";
import { initialState, type PageState } from "../src/webview/state.js";
import { type LocalMessage, reduce } from "../src/webview/store.js";
import { RecordingPage, Room, settled } from "./support/bridge-room.js";
import { consent, entry } from "./support/consents.js";
import { session } from "./support/examples.js";
import { Peer } from "./support/peer.js";

async function connected(peer = new Peer()): Promise<{ room: Room; peer: Peer; changes: boolean[] }> {
  const room = new Room();
  const changes: boolean[] = [];
  room.bridge.consent.changed.on(() => changes.push(room.bridge.consent.isOpen));
  room.bridge.attach(room.page);
  room.page.say({ type: "ready" });
  await room.bridge.connected(peer);
  await settled();
  return { room, peer, changes };
}

const answer = { type: "consentAnswer", consentId: "q-1", digest: "consent-digest-1", honour: ["e-2"] } as const;
const say = (room: Room, changes: object = {}) => room.page.sayAnything({ ...answer, ...changes });

async function asked() {
  const opened = await connected();
  opened.peer.overrides.set("settings/consentResponse", () => ({ honoured: 1, ignored: 1 }));
  opened.peer.tell("settings/consentRequest", consent());
  return opened;
}

describe("between server and page, a question about settings", () => {
  test("reaches the page, and is answered once with its digest", async () => {
    const { room, peer, changes } = await asked();
    expect(room.page.of("consent")).toEqual([{ type: "consent", request: consent() }]);
    say(room);
    await settled();
    expect(peer.called("settings/consentResponse")).toEqual([
      { consentId: "q-1", digest: "consent-digest-1", honour: ["e-2"] },
    ]);
    expect(room.page.of("consentAnswered")).toMatchObject([{ outcome: { honoured: 1, ignored: 1 } }]);
    expect(changes).toEqual([true, false]);
  });

  test("needs no chat and no page: whoever comes later gets the latest", async () => {
    const room = new Room();
    const peer = new Peer();
    await room.bridge.connected(peer);
    peer.tell("settings/consentRequest", consent());
    peer.tell("settings/consentRequest", consent({ consentId: "q-2" }));
    room.bridge.attach(room.page);
    room.page.say({ type: "ready" });
    await settled();
    expect(room.page.of("consent").map(({ request }) => request.consentId)).toEqual(["q-2"]);
  });

  test("comes again to a page that was rebuilt", async () => {
    const { room } = await asked();
    const again = new RecordingPage();
    room.bridge.attach(again);
    again.say({ type: "ready" });
    expect(again.of("consent")).toHaveLength(1);
  });

  test("is closed by the server, and comes to no later page", async () => {
    const { room, peer, changes } = await asked();
    peer.tell("settings/consentResolved", { consentId: "q-1" });
    expect(room.page.of("consentClosed")).toEqual([{ type: "consentClosed", consentId: "q-1" }]);
    expect(changes).toEqual([true, false]);
    const again = new RecordingPage();
    room.bridge.attach(again);
    again.say({ type: "ready" });
    expect(again.of("consent")).toEqual([]);
    say(room);
    await settled();
    expect(peer.called("settings/consentResponse")).toEqual([]);
  });

  test("stays when another one is closed", async () => {
    const { room, peer } = await asked();
    peer.tell("settings/consentResolved", { consentId: "q-0" });
    expect(room.bridge.consent.isOpen).toBe(true);
  });

  test("that does not fit is dropped, and said so in the log", async () => {
    const { room, peer } = await connected();
    const { digest: _digest, ...without } = consent();
    const { after: _after, ...half } = entry();
    for (const bad of [null, without, { ...consent(), entries: [half] }, { ...consent(), entries: {} }])
      peer.tell("settings/consentRequest", bad);
    expect(room.page.of("consent")).toEqual([]);
    expect(room.bridge.consent.isOpen).toBe(false);
    expect(room.logged.filter((line) => line.includes("malformed settings/consentRequest"))).toHaveLength(4);
  });

  test.each<[string, object, string]>([
    ["for another question", { consentId: "q-9" }, "changed"],
    ["for an earlier state of it", { digest: "older" }, "changed"],
    ["with an entry that was not asked for", { honour: ["e-1", "e-9"] }, "not asked for"],
  ])("takes no answer %s", async (_name, changes, words) => {
    const { room, peer } = await asked();
    say(room, changes);
    await settled();
    expect(peer.called("settings/consentResponse")).toEqual([]);
    expect(room.page.of("consentFailed")[0]?.text).toContain(words);
    expect(room.bridge.consent.isOpen).toBe(true);
  });

  test.each([
    { honour: undefined },
    { honour: "e-1" },
    { honour: [1] },
    { honour: [""] },
    { digest: "" },
    { consentId: 7 },
  ])("takes no answer of the shape %j", async (changes) => {
    const { room, peer } = await asked();
    say(room, changes);
    await settled();
    expect(peer.called("settings/consentResponse")).toEqual([]);
    expect(room.logged.join()).toContain("dropped a message of the page");
  });

  test.each<[string, () => unknown, string]>([
    [
      "refuses",
      () => Promise.reject(new ServerFault(ErrorCode.INVALID_PARAMS, "no such question")),
      "no such question",
    ],
    ["sees another digest", () => Promise.reject(new ServerFault(ErrorCode.DIGEST_MISMATCH, "x")), "settings changed"],
    ["could not keep it", () => ({ honoured: 0, ignored: 1, error: "The disk is full." }), "disk is full"],
    ["answers nonsense", () => ({ honoured: "all" }), "not understood"],
  ])("stays open when the server %s", async (_name, handler, words) => {
    const { room, peer } = await asked();
    peer.overrides.set("settings/consentResponse", handler);
    say(room);
    await settled();
    expect(room.page.of("consentFailed")[0]?.text).toContain(words);
    expect(room.page.of("consentAnswered")).toEqual([]);
    expect(room.bridge.consent.isOpen).toBe(true);
  });

  test("that is closed before it is told what could not be kept does not come back", async () => {
    const { room, peer } = await asked();
    peer.overrides.set("settings/consentResponse", () => {
      peer.tell("settings/consentResolved", { consentId: "q-1" });
      return { honoured: 1, ignored: 0, error: "The disk is full." };
    });
    say(room);
    await settled();
    expect(room.page.of("consentAnswered")).toMatchObject([{ outcome: { error: "The disk is full." } }]);
    expect(room.page.of("consentFailed")).toEqual([]);
    expect(room.bridge.consent.isOpen).toBe(false);
  });

  test("without a word for five seconds can be answered again, and a late word still counts", async () => {
    const { room, peer } = await asked();
    let release = (_: unknown) => {};
    peer.overrides.set("settings/consentResponse", () => new Promise((resolve) => (release = resolve)));
    say(room);
    await settled();
    room.timePasses();
    expect(room.page.of("consentFailed")[0]?.text).toContain("5 seconds");
    release({ honoured: 1, ignored: 1 });
    await settled();
    expect(room.page.of("consentAnswered")).toHaveLength(1);
  });

  test("that a newer one replaced while it was answered leaves the newer one open", async () => {
    const { room, peer } = await asked();
    let release = (_: unknown) => {};
    peer.overrides.set("settings/consentResponse", () => new Promise((resolve) => (release = resolve)));
    say(room);
    await settled();
    peer.tell("settings/consentRequest", consent({ consentId: "q-2" }));
    release({ honoured: 1, ignored: 1 });
    await settled();
    expect(room.bridge.consent.isOpen).toBe(true);
  });

  test("goes with the server that asked", async () => {
    const { room } = await asked();
    room.bridge.disconnected("starting", "…", [], true);
    expect(room.bridge.consent.isOpen).toBe(false);
    expect(room.page.of("consentClosed")).toHaveLength(1);
  });

  test("outlives a dropped connection until there is a new one, which asks again", async () => {
    const { room, peer } = await asked();
    room.bridge.disconnected("lost", "…", [], false);
    expect(room.bridge.consent.isOpen).toBe(true);
    say(room);
    await settled();
    expect(room.page.of("consentFailed")[0]?.text).toContain("no connection");
    await room.bridge.connected(peer);
    expect(room.bridge.consent.isOpen).toBe(false);
  });

  test("can be put away where it cannot be answered", async () => {
    const { room } = await asked();
    room.page.say({ type: "consentHide", consentId: "q-1" });
    await settled();
    expect(room.bridge.consent.isOpen).toBe(false);
    expect(room.page.of("consentClosed")).toHaveLength(1);
  });
});

describe("a save by hand", () => {
  const saved = { file: "/w/.vscode/settings.json", sha256: "0", entries: [] };

  test("is told to the server", async () => {
    const { room, peer } = await connected();
    peer.overrides.set("settings/attest", () => ({ counted: 2 }));
    await room.bridge.attest(saved);
    expect(peer.called("settings/attest")).toEqual([saved]);
    expect(room.logged.join()).toContain("2 of the settings need no further question");
  });

  test("that the server does not take is asked about instead: only the log tells", async () => {
    const { room } = await connected();
    await room.bridge.attest(saved);
    expect(room.logged.join()).toContain("settings/attest");
    expect(room.page.of("notice")).toEqual([]);
  });

  test("before there is a server is told to the next one: of each file the last, and once", async () => {
    const room = new Room();
    const peer = new Peer();
    const other = { ...saved, file: "/w/b/.vscode/settings.json" };
    const later = { ...saved, sha256: "1" };
    for (const one of [saved, other, later]) await room.bridge.attest(one);
    await room.bridge.connected(peer);
    await settled();
    expect(peer.called("settings/attest")).toEqual([later, other]);
    await room.bridge.connected(peer);
    await settled();
    expect(peer.called("settings/attest")).toHaveLength(2);
  });
});

describe("on the page, a question about settings", () => {
  const shown: HostMessage = { type: "consent", request: consent() };
  const pick = (entryId: string, picked = true): LocalMessage => ({ type: "localConsentPick", entryId, picked });
  const pageAfter = (...messages: (HostMessage | LocalMessage)[]): PageState => messages.reduce(reduce, initialState);
  const outcome = (changes: object = {}): HostMessage => ({
    type: "consentAnswered",
    consentId: "q-1",
    outcome: { honoured: 1, ignored: 1, ...changes },
  });

  test("has nothing ticked, and is announced", () => {
    const state = pageAfter(shown);
    expect(state.consent).toMatchObject({ phase: "open", picked: [] });
    expect(state.announcement).toContain("2 entries wait");
  });

  test("has exactly what is ticked, each once", () => {
    const picked = (...picks: LocalMessage[]) => pageAfter(shown, ...picks).consent?.picked;
    expect(picked(pick("e-1"), pick("e-2"))).toEqual(["e-1", "e-2"]);
    expect(picked(pick("e-1"), pick("e-2"), pick("e-1"))).toEqual(["e-2", "e-1"]);
    expect(picked(pick("e-1"), pick("e-2"), pick("e-1", false))).toEqual(["e-2"]);
    expect(picked(pick("e-1", false))).toEqual([]);
  });

  test("keeps what is ticked when it is the very same again, and no longer", () => {
    const picked = [shown, pick("e-1"), pick("e-2"), pick("e-1", false), pick("e-2")];
    expect(pageAfter(...picked, shown).consent?.picked).toEqual(["e-2"]);
    expect(pageAfter(...picked, { type: "consent", request: consent({ digest: "other" }) }).consent?.picked).toEqual(
      [],
    );
    const reworded = consent({ entries: [entry({ words: "Something else." })] });
    expect(pageAfter(...picked, { type: "consent", request: reworded }).consent?.picked).toEqual([]);
  });

  test("survives whatever the chat does", () => {
    const chat: HostMessage = { type: "chat", how: "replace", session: session(), events: [], pending: [] };
    expect(pageAfter(shown, pick("e-1"), chat, { type: "serverGone" }).consent?.picked).toEqual(["e-1"]);
  });

  test("cannot be changed while its answer is under way", () => {
    const state = pageAfter(shown, pick("e-1"), { type: "localConsentAnswer" }, pick("e-2"));
    expect(state.consent).toMatchObject({ phase: "sending", picked: ["e-1"] });
  });

  test("stays with the reason when the answer failed, and with what was ticked", () => {
    const failed: HostMessage = { type: "consentFailed", consentId: "q-1", text: "No word." };
    const state = pageAfter(shown, pick("e-1"), { type: "localConsentAnswer" }, failed);
    expect(state.consent).toMatchObject({ phase: "open", picked: ["e-1"], error: "No word." });
    expect(state.announcement).toBe("No word.");
    expect(pageAfter(shown, { ...failed, consentId: "q-0" }).consent?.error).toBeUndefined();
  });

  test("closes with the server's word, for this one only", () => {
    expect(pageAfter(shown, { type: "consentClosed", consentId: "q-1" }).consent).toBeUndefined();
    expect(pageAfter(shown, { type: "consentClosed", consentId: "q-0" }).consent).toBeDefined();
  });

  test.each([
    [{}, "1 entry counts now, 1 is ignored"],
    [{ honoured: 0, ignored: 2 }, "0 entries count now, 2 are ignored"],
    [{ honoured: 3, ignored: 0 }, "3 entries count now."],
  ])("that was answered with %j is told", (counts, words) => {
    const state = pageAfter(shown, outcome(counts));
    expect(state.consent).toBeUndefined();
    expect(state.items.at(-1)).toMatchObject({ kind: "notice", level: "info" });
    expect(state.announcement).toContain(words);
  });

  test("says what could not be kept until that is seen", () => {
    const state = pageAfter(
      shown,
      { type: "consentClosed", consentId: "q-1" },
      outcome({ error: "The disk is full." }),
    );
    expect(state.consentFault).toContain("The disk is full.");
    expect(reduce(state, { type: "localConsentFaultSeen" }).consentFault).toBeUndefined();
  });
});
