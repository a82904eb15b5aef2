// All behaviour of the page: a pure function from state and message to state.
import type { BatchDecision, HostMessage } from "../common/page-messages.js";
import type { ApprovalOption, AttachedFile, Mode } from "../protocol/generated.js";
import { type Card, type Changing, initialState, NO_DETAILS, openCards, type PageState } from "./state.js";
import {
  fileAgreed,
  fileLookedAt,
  fileNamed,
  fileRemoved,
  filesOfAnotherChat,
  filesReturned,
  filesSent,
} from "./store-attaching.js";
import {
  answered,
  answerFailed,
  batchAnswered,
  batchFailed,
  compared,
  compareFailed,
  details,
  detailsFailed,
  resolved,
  upsertCard,
  withoutServer,
} from "./store-cards.js";
import { changingBegun, changingEnded } from "./store-changing.js";
import {
  consentAnswered,
  consentAsked,
  consentClosed,
  consentFailed,
  consentSent,
  pickEntry,
} from "./store-consent.js";
import { appendEvent } from "./store-events.js";
import { formAsked, formEnded, formFailed, formSent } from "./store-forms.js";
import { grantFailed, grantRestored, grantRevoked, grantsListed, removedSeen, removingGrant } from "./store-grants.js";
import { announce, atOnce, changeCard, changeTool, pushNotice } from "./store-helpers.js";
import { shellAnswered, shellsListed } from "./store-shells.js";
import { callAround } from "./tree.js";

/** What the user does that changes the page before anyone else knows. */
export type LocalMessage =
  | {
      type: "localSend";
      messageId: string;
      text: string;
      replaces: boolean;
      insteadOf?: string | undefined;
      attachments?: readonly AttachedFile[];
    }
  | { type: "localChange"; changing: Changing; files: readonly string[] }
  | { type: "localKeepMessage"; sent: boolean }
  | { type: "localAttach" | "localDetach"; path: string }
  | { type: "localAgree"; path: string; warningDigest: string | undefined }
  | { type: "localNoFiles" }
  | { type: "localRetry" }
  | { type: "localAnswer"; approvalId: string; optionId: string }
  | { type: "localBatch"; approvalIds: readonly string[]; decision: BatchDecision }
  | { type: "localSeen"; approvalId: string; argsDigest: string; revision: number }
  | { type: "localEdit"; approvalId: string; editing: boolean }
  | { type: "localLeaveOut"; approvalIds: readonly string[]; out: boolean }
  | { type: "localAskAgain"; itemId: string }
  | { type: "localPermits"; open: boolean }
  | { type: "localRemove"; grantId: string }
  | { type: "localRemovedSeen"; grantId: string }
  | { type: "localShells"; open: boolean }
  | { type: "localShellAsked"; id: string }
  | { type: "localDetails"; approvalId: string }
  | { type: "localCompare"; approvalId: string }
  | { type: "localConsentPick"; entryId: string; picked: boolean }
  | { type: "localConsentAnswer" }
  | { type: "localFormAnswer"; formId: string }
  | { type: "localConsentFaultSeen" }
  | { type: "localMode"; mode: Mode; applyNow: boolean }
  | { type: "localStop" }
  | { type: "localSay"; text: string }
  | { type: "localDiscard"; messageId: string };

/** The next state. Unchanged parts stay the same objects. */
export function reduce(state: PageState, message: HostMessage | LocalMessage): PageState {
  switch (message.type) {
    case "hello":
      return { ...state, host: message.host, answersKeys: message.keys === true };
    case "connection":
      return { ...state, connection: { state: message.state, text: message.text, actions: message.actions } };
    case "serverGone":
      return withoutServer(state);
    case "chats":
      return { ...state, chats: message.sessions, agents: message.agents };
    case "chat":
      return showChat(state, message);
    case "session":
      return message.session.sessionId === state.session?.sessionId ? { ...state, session: message.session } : state;
    case "event":
      return message.event.sessionId === state.session?.sessionId ? appendEvent(state, message.event) : state;
    case "approval":
      // What waits in a chat that is still on its way comes with it, at its place.
      return message.request.sessionId === state.session?.sessionId ? upsertCard(state, message.request) : state;
    case "resolved":
      return resolved(state, message.resolved);
    case "answered":
      return answered(state, message);
    case "answerFailed":
      return answerFailed(state, message);
    case "batchAnswered":
      return batchAnswered(state, message);
    case "batchFailed":
      return batchFailed(state, message);
    case "grants":
      return grantsListed(state, message.grants);
    case "grantRevoked":
      return grantRevoked(state, message);
    case "grantRestored":
      return grantRestored(state, message.grantId);
    case "grantFailed":
      return grantFailed(state, message);
    case "history":
      return { ...state, history: message };
    case "permissions":
      return { ...state, permissions: { ...state.permissions, ...message } };
    case "showGrants":
      return { ...state, permitsOpen: true, permitsShown: message, shellsOpen: false };
    case "localPermits":
      return { ...state, permitsOpen: message.open, shellsOpen: state.shellsOpen && !message.open };
    case "shells":
      return shellsListed(state, message.shells);
    case "shellAnswered":
      return shellAnswered(state, message.id, message.error);
    case "media":
      return changeTool(state, message.toolCallId, (item) => ({
        ...item,
        media: { media: message.media ?? undefined, error: message.error ?? undefined },
      }));
    case "localShells":
      return { ...state, shellsOpen: message.open, permitsOpen: state.permitsOpen && !message.open };
    case "localShellAsked":
      return { ...state, shellsAsked: [...state.shellsAsked, message.id] };
    case "localRemove":
      return removingGrant(state, message.grantId);
    case "localRemovedSeen":
      return removedSeen(state, message.grantId);
    case "localBatch":
      return message.approvalIds.reduce((next, id) => localChoice(next, id, { kind: message.decision }), state);
    case "localSeen":
      return changeCard(state, message.approvalId, (card) => seenCard(card, message.argsDigest, message.revision));
    case "localEdit":
      return changeCard(state, message.approvalId, (card) =>
        card.editing === message.editing ? card : { ...card, editing: message.editing, error: undefined },
      );
    case "localLeaveOut":
      return message.approvalIds.reduce(
        (next, id) => changeCard(next, id, (card) => ({ ...card, leftOut: message.out })),
        state,
      );
    case "localAskAgain":
      return askedAgain(state, message.itemId);
    case "details":
      return details(state, message);
    case "detailsFailed":
      return detailsFailed(state, message);
    case "compared":
      return compared(state, message);
    case "compareFailed":
      return compareFailed(state, message);
    case "consent":
      return consentAsked(state, message.request);
    case "consentClosed":
      return consentClosed(state, message.consentId);
    case "consentAnswered":
      return consentAnswered(state, message);
    case "consentFailed":
      return consentFailed(state, message);
    case "localConsentPick":
      return pickEntry(state, message.entryId, message.picked);
    case "localConsentAnswer":
      return consentSent(state);
    case "localConsentFaultSeen":
      return { ...state, consentFault: undefined };
    case "form":
      return formAsked(state, message.request);
    case "formEnded":
      return formEnded(state, message.formId);
    case "formFailed":
      return formFailed(state, message);
    case "localFormAnswer":
      return formSent(state, message.formId);
    case "sent":
    case "localDiscard":
      return withoutOutgoing(state, message.messageId);
    case "returned":
      return announce(
        withoutOutgoing(filesReturned(state, message.files), message.messageId),
        "Your message did not run. It is back where you write.",
      );
    case "sendFailed":
      return sendFailed(state, message.messageId, message.text);
    case "files":
      return { ...state, found: { query: message.query, files: message.files, more: message.more } };
    case "localNoFiles":
      return { ...state, found: undefined };
    case "named":
    case "goToCard":
    case "press":
      // What the page does itself.
      return state;
    case "attachable":
      return fileLookedAt(state, message);
    case "localAttach":
      return fileNamed(state, message.path);
    case "localAgree":
      return fileAgreed(state, message.path, message.warningDigest);
    case "localDetach":
      return fileRemoved(state, message.path);
    case "copied":
      return message.ok ? announce(state, "Copied.") : pushNotice(state, "error", NOT_COPIED);
    case "notice":
      return pushNotice(state, message.level, message.text);
    case "localSend":
      return localSend(state, message);
    case "localRetry":
      return { ...state, running: true };
    case "localAnswer":
      return localChoice(state, message.approvalId, { optionId: message.optionId });
    case "localDetails":
      return changeCard(state, message.approvalId, (card) => ({
        ...card,
        details: { ...NO_DETAILS, requested: true },
      }));
    case "localCompare":
      return changeCard(state, message.approvalId, (card) => ({
        ...card,
        comparison: { ...card.comparison, asked: true, error: undefined },
      }));
    case "localMode":
      return localMode(state, message.mode, message.applyNow);
    case "localChange":
      return changingBegun(state, message.changing, message.files);
    case "localKeepMessage":
      return changingEnded(state, message.sent);
    case "localSay":
      return announce(state, message.text);
    case "localStop":
      return { ...state, stopping: state.running };
  }
}

const NOT_COPIED = "It could not be copied: the clipboard did not take it. Select the text and copy it by hand.";

type Chat = Extract<HostMessage, { type: "chat" }>;

function showChat(before: PageState, { how, session, events, pending }: Chat): PageState {
  const continues = how === "continue" && session.sessionId === before.session?.sessionId;
  const state = continues || !before.changing ? before : changingEnded(before, true);
  let next: PageState = {
    ...state,
    session,
    running: session.running,
    stopping: false,
    modeFromNextMessage: false,
    items: how === "replace" ? [] : state.items,
    gone: how === "replace" ? initialState.gone : state.gone,
    cost: how === "replace" ? undefined : state.cost,
    guest: how === "continue" ? state.guest : undefined,
    // What is on its way belongs to this chat, unless another one is shown now. What failed is the user's to keep.
    outgoing:
      how === "replace" && state.session && state.session.sessionId !== session.sessionId
        ? state.outgoing.filter((one) => one.error !== undefined)
        : state.outgoing,
    grants: continues ? state.grants : [],
    attached: session.sessionId === before.session?.sessionId ? state.attached : filesOfAnotherChat(state.attached),
  };
  if (how === "restarted") {
    next = pushNotice(
      detachRows(next),
      "warning",
      "The server restarted. A new chat begins here; it does not know what stands above.",
    );
  }
  next = atOnce(next, (before) => events.reduce(appendEvent, before));
  next = closeAbsent({ ...next, running: session.running }, new Set(pending.map((request) => request.approvalId)));
  next = atOnce(next, (before) => pending.reduce(upsertCard, before));
  const waiting = openCards(next).length;
  return announce(
    next,
    waiting === 0 ? "" : `${waiting} ${waiting === 1 ? "call waits" : "calls wait"} for your approval`,
  );
}

/** Rows above a restart are history: a call of the new life may bear the same id, and a run there is over. */
function detachRows(state: PageState): PageState {
  const names = new Map(
    state.items.flatMap((item) => (item.kind === "tool" ? [[item.callId, `past ${item.id}`] as const] : [])),
  );
  const items = state.items.map((item) => {
    const call = callAround(item);
    const within = call === undefined ? undefined : (names.get(call) ?? call);
    if (item.kind === "tool") return { ...item, within, callId: names.get(item.callId) ?? item.callId };
    if (item.kind === "end") return { ...item, canRetry: false };
    if (item.kind === "user") return { ...item, runId: undefined };
    return call === undefined ? item : { ...item, within };
  });
  return { ...state, items };
}

/** A card that the server no longer waits for is closed, however that came about. */
function closeAbsent(state: PageState, pending: ReadonlySet<string>): PageState {
  return openCards(state)
    .map((card) => card.request.approvalId)
    .filter((approvalId) => !pending.has(approvalId))
    .reduce(
      (next, approvalId) =>
        changeCard(next, approvalId, (card) => ({
          ...card,
          phase: "closed",
          outcome: { status: "expired", text: "This question ended while the page was away." },
        })),
      state,
    );
}

function localSend(before: PageState, sent: Extract<LocalMessage, { type: "localSend" }>): PageState {
  const { messageId, text, replaces, insteadOf, attachments } = sent;
  const state = filesSent(before, attachments ?? []);
  const outgoing = [...state.outgoing, { messageId, text, replaces, insteadOf, attachments }];
  return { ...state, outgoing, stopping: state.stopping || (replaces && state.running) };
}

/** The user chose this option, or the one of this kind: until the server says what came of it, there is nothing to press. */
function localChoice(state: PageState, approvalId: string, by: Partial<ApprovalOption>): PageState {
  return changeCard(state, approvalId, (card) => {
    const option = card.request.options.find((one) => one.optionId === by.optionId || one.kind === by.kind);
    if (card.phase !== "open" || option === undefined) return card;
    const { optionId, kind } = option;
    return { ...card, phase: "sending", chosen: { optionId, kind }, error: undefined, note: undefined };
  });
}

/** What was in sight counts only if it is what is asked now. */
function seenCard(card: Card, argsDigest: string, revision: number): Card {
  const isThis = card.request.argsDigest === argsDigest && card.revision === revision;
  return isThis && !card.seen ? { ...card, seen: true } : card;
}

function askedAgain(state: PageState, itemId: string): PageState {
  const items = state.items.map((item) =>
    item.kind === "tool" && item.id === itemId ? { ...item, askedAgain: true } : item,
  );
  return { ...state, items };
}

const TIGHTEST_FIRST: readonly Mode[] = ["plan", "ask", "default", "auto"];

function localMode(state: PageState, mode: Mode, applyNow: boolean): PageState {
  if (state.session === undefined) return state;
  const looser = TIGHTEST_FIRST.indexOf(mode) > TIGHTEST_FIRST.indexOf(state.session.mode);
  const waits = state.running && !applyNow && (looser || (state.modeFromNextMessage && mode === state.session.mode));
  return { ...state, session: { ...state.session, mode }, modeFromNextMessage: waits };
}

function withoutOutgoing(state: PageState, messageId: string): PageState {
  return { ...state, outgoing: state.outgoing.filter((one) => one.messageId !== messageId) };
}

function sendFailed(state: PageState, messageId: string, text: string): PageState {
  const known = state.outgoing.some((one) => one.messageId === messageId);
  // A run that had begun ended with its server: that is told already.
  if (!known) return state.connection.state === "ready" ? pushNotice(state, "error", text) : state;
  const outgoing = state.outgoing.map((one) => (one.messageId === messageId ? { ...one, error: text } : one));
  return announce({ ...state, outgoing, stopping: false }, text);
}
