import { expect, test } from "vitest";
import { ServerFault } from "../src/common/server.js";
import { Room, settled } from "./support/bridge-room.js";
import { decision } from "./support/decisions.js";
import { event } from "./support/examples.js";
import { grant } from "./support/page-state.js";
import { Peer } from "./support/peer.js";
import { overview } from "./support/permissions.js";

async function connected(peer = new Peer()): Promise<{ room: Room; peer: Peer; hide: () => void }> {
  const room = new Room();
  const page = room.bridge.attach(room.page);
  room.page.say({ type: "ready" });
  await room.bridge.connected(peer);
  await settled();
  return { room, peer, hide: () => page.dispose() };
}

const BYPASS = grant({ grantId: "b-1", kind: "bypass_agent", scope: "workspace", sessionId: null, agentName: "Demo" });

test("what decides is asked for when the page looks, the sandbox once", async () => {
  const { room, peer } = await connected();
  let tried = 0;
  peer.overrides.set("permissions/overview", () => overview());
  peer.overrides.set("permissions/sandbox", () => {
    tried += 1;
    return { text: "It is switched off." };
  });
  room.page.say({ type: "permissionsLook" });
  await settled();
  room.page.say({ type: "permissionsLook" });
  await settled();
  expect(tried).toBe(1);
  const told = room.page.of("permissions");
  expect(told.some((message) => "sandbox" in message)).toBe(true);
  expect(told.at(-1)).toMatchObject({ overview: { mode: { mode: "default" } } });
});

test("a bypass that goes off takes its entries with it, each of which can be given back", async () => {
  const { room, peer } = await connected();
  const asked: unknown[] = [];
  peer.overrides.set("permissions/setBypass", (params: unknown) => {
    asked.push(params);
    return { revoked: [{ grantId: "b-1", undoable: true, status: "revoked" }] };
  });
  room.page.say({ type: "bypassSet", agent: "Demo", on: false });
  await settled();
  expect(asked).toMatchObject([{ agent: "Demo", on: false }]);
  expect(room.page.of("grantRevoked")).toEqual([{ type: "grantRevoked", grantId: "b-1", undoable: true }]);
});

test("what the server refuses is told in its words", async () => {
  const { room, peer } = await connected();
  peer.overrides.set("permissions/setMode", () => {
    throw new ServerFault(-32602, "look again, nothing was changed");
  });
  room.page.say({ type: "defaultMode", mode: "plan", digest: "m-1" });
  await settled();
  expect(room.page.of("grantFailed")).toMatchObject([{ text: "It was not done: look again, nothing was changed" }]);
});

test("a message that does not fit changes nothing", async () => {
  const { room, peer } = await connected();
  let asked = 0;
  peer.overrides.set("permissions/setBypass", () => {
    asked += 1;
    return {};
  });
  room.page.say({ type: "bypassSet", agent: "", on: true } as never);
  room.page.say({ type: "bypassSet", agent: "Demo", on: "yes" } as never);
  await settled();
  expect(asked).toBe(0);
});

test("the history is looked through with the page's filters, and tells where it cannot be read", async () => {
  const { room, peer } = await connected();
  const asked: unknown[] = [];
  peer.overrides.set("history/query", (params: unknown) => {
    asked.push(params);
    if (asked.length > 1) throw new ServerFault(-32603, "It is damaged.");
    return { entries: [decision()], more: true };
  });
  room.page.say({ type: "historyLook", id: "1", filters: { tool: "bash" } });
  await settled();
  expect(asked).toEqual([{ stage: "decided", limit: 50, tool: "bash" }]);
  expect(room.page.of("history")).toMatchObject([{ id: "1", continues: false, page: { more: true } }]);
  room.page.say({ type: "historyLook", id: "2", filters: { before: 7 } });
  await settled();
  expect(room.page.of("history").at(-1)).toEqual({
    type: "history",
    id: "2",
    continues: true,
    error: "It is damaged.",
  });
});

test("who runs without asking is known where no page is, and goes off at once", async () => {
  const peer = new Peer();
  peer.grants.set("b-1", BYPASS);
  peer.grants.set("b-2", { ...BYPASS, grantId: "b-2", agentName: "Other", effective: false });
  const { room, hide } = await connected(peer);
  hide();
  expect(room.bridge.bypassed.agents).toEqual(["Demo"]);
  peer.overrides.set("permissions/setBypass", ({ agent, on }: { agent: string; on: boolean }) => {
    for (const [id, one] of peer.grants) if (one.agentName === agent && !on) peer.grants.delete(id);
    return { revoked: [] };
  });
  // By now it stands somewhere else, under another id.
  peer.grants.delete("b-1");
  peer.grants.set("b-7", { ...BYPASS, grantId: "b-7" });
  expect(await room.bridge.turnOffBypasses()).toEqual([]);
  expect([...peer.grants.keys()]).toEqual(["b-2"]);
  peer.grants.set("b-3", { ...BYPASS, grantId: "b-3" });
  peer.happen(event(1, "Grants", { grants: [], bypassAgent: true, bypassSession: false }));
  await settled();
  expect(room.bridge.bypassed.agents).toEqual(["Demo"]);
  room.bridge.disconnected("lost", "…", [], true);
  expect(room.bridge.bypassed.agents).toEqual([]);
});
