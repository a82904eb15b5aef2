import { describe, expect, test } from "vitest";
import { permitsOfChat } from "../src/webview/state.js";
import { reduce } from "../src/webview/store.js";
import { session } from "./support/examples.js";
import { grant, type Message, pageAfter } from "./support/page-state.js";

const listed = (...grants: ReturnType<typeof grant>[]): Message => ({ type: "grants", grants });
const two = listed(grant(), grant({ grantId: "g-2", text: "bash runs without asking" }));
const revoked: Message = { type: "grantRevoked", grantId: "g-1", undoable: true };

test("the chat's own are those of this chat, and no others", () => {
  const state = pageAfter(
    listed(
      grant(),
      grant({ grantId: "g-2", sessionId: "s-9" }),
      grant({ grantId: "g-3", scope: "workspace", sessionId: null }),
    ),
  );
  expect(permitsOfChat(state).map((one) => one.grantId)).toEqual(["g-1"]);
});

describe("taking one back", () => {
  test("is under way until the server says so", () => {
    const state = pageAfter(two, { type: "localRemove", grantId: "g-1" });
    expect(state.removing).toEqual(["g-1"]);
    expect(state.permits).toHaveLength(2);
  });

  test("takes it from the list, and says so with the way back", () => {
    const state = pageAfter(two, { type: "localRemove", grantId: "g-1" }, revoked);
    expect(state.permits?.map((one) => one.grantId)).toEqual(["g-2"]);
    expect(state.removed).toEqual([
      { grantId: "g-1", text: "write_file runs without asking", undoable: true, error: undefined },
    ]);
    expect(state.removing).toEqual([]);
    expect(state.announcement).toBe("Removed: write_file runs without asking");
  });

  test("that fails leaves it, with the reason", () => {
    const failed: Message = { type: "grantFailed", grantId: "g-1", text: "Read-only." };
    const state = pageAfter(two, { type: "localRemove", grantId: "g-1" }, failed);
    expect(state.permits).toHaveLength(2);
    expect(state.removing).toEqual([]);
    expect(state.removed).toMatchObject([{ undoable: false, error: "Read-only." }]);
  });

  test("is undone", () => {
    const state = pageAfter(two, revoked, { type: "grantRestored", grantId: "g-1" });
    expect(state.removed).toEqual([]);
    expect(state.announcement).toContain("Allowed again");
  });

  test("whose undoing fails can be undone again", () => {
    const state = pageAfter(two, revoked, { type: "grantFailed", grantId: "g-1", text: "No." });
    expect(state.removed).toMatchObject([{ grantId: "g-1", undoable: true, error: "No." }]);
  });

  test("is told of the last three", () => {
    const ids = ["1", "2", "3", "4"];
    const grants = ids.map((grantId) => grant({ grantId }));
    const gone = ids.map((grantId): Message => ({ type: "grantRevoked", grantId, undoable: true }));
    expect(pageAfter(listed(...grants), ...gone).removed.map((one) => one.grantId)).toEqual(["2", "3", "4"]);
  });
});

test("nothing that a server had given outlives it", () => {
  const gone = reduce(pageAfter(two, revoked), { type: "serverGone" });
  expect([gone.permits, gone.removed, gone.removing]).toEqual([undefined, [], []]);
});

test("a chat that is shown instead has its own", () => {
  const other: Message = {
    type: "chat",
    how: "replace",
    session: session({ sessionId: "s-2" }),
    events: [],
    pending: [],
  };
  expect(permitsOfChat(pageAfter(two, other))).toEqual([]);
});
