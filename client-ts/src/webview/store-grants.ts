// What is allowed without asking, as the server listed it last, and what was taken back here.
import type { HostMessage } from "../common/page-messages.js";
import type { GrantInfo } from "../protocol/generated.js";
import type { PageState, RemovedGrant } from "./state.js";
import { announce } from "./store-helpers.js";

type Message<T extends HostMessage["type"]> = Extract<HostMessage, { type: T }>;

const MOST_REMOVED = 3;

/** The server's list takes the place of the one before. */
export function grantsListed(state: PageState, grants: readonly GrantInfo[]): PageState {
  const counts = new Set(grants.map((grant) => grant.grantId));
  return { ...state, permits: grants, removing: state.removing.filter((grantId) => counts.has(grantId)) };
}

/** The user takes one back; until the server says so, it still counts. */
export function removingGrant(state: PageState, grantId: string): PageState {
  return state.removing.includes(grantId) ? state : { ...state, removing: [...state.removing, grantId] };
}

export function grantRevoked(state: PageState, { grantId, undoable }: Message<"grantRevoked">): PageState {
  const text = state.permits?.find((grant) => grant.grantId === grantId)?.text ?? "";
  const next: PageState = {
    ...state,
    permits: state.permits?.filter((grant) => grant.grantId !== grantId),
    removing: without(state.removing, grantId),
    removed: [...state.removed, { grantId, text, undoable, error: undefined }].slice(-MOST_REMOVED),
  };
  return announce(next, `Removed: ${text}`);
}

export function grantRestored(state: PageState, grantId: string): PageState {
  const text = state.removed.find((one) => one.grantId === grantId)?.text ?? "";
  return announce(removedSeen(state, grantId), `Allowed again: ${text}`);
}

/** Neither taken back nor given back: the page says why, where the user clicked. */
export function grantFailed(state: PageState, { grantId, text }: Message<"grantFailed">): PageState {
  const known = state.removed.find((one) => one.grantId === grantId);
  const about = state.permits?.find((grant) => grant.grantId === grantId)?.text ?? "";
  const failed: RemovedGrant = { ...(known ?? { grantId, text: about, undoable: false }), error: text };
  const removed = known ? state.removed.map((one) => (one === known ? failed : one)) : [...state.removed, failed];
  return announce({ ...state, removed, removing: without(state.removing, grantId) }, text);
}

export function removedSeen(state: PageState, grantId: string): PageState {
  return { ...state, removed: state.removed.filter((one) => one.grantId !== grantId) };
}

function without(ids: readonly string[], grantId: string): readonly string[] {
  return ids.filter((one) => one !== grantId);
}
