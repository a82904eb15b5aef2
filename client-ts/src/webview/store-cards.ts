// The life of a card on the page. What a question really came to is the server's word alone.
import type { HostMessage } from "../common/page-messages.js";
import {
  type ApprovalRequest,
  type ApprovalResolved,
  type BatchResult,
  ErrorCode,
  type OptionKind,
  type StoredSetting,
} from "../protocol/generated.js";
import {
  answeredByItself,
  type Card,
  drawnCards,
  NO_DETAILS,
  type Outcome,
  openCards,
  type PageState,
  refuses,
  type ToolStatus,
} from "./state.js";
import { announce, changeCard, changeTool, findCard, hasTool, push, pushNotice } from "./store-helpers.js";
import { ENDED_WITH_SERVER, runsOn } from "./store-shells.js";
import { RESTARTED, storedWords, TIMED_OUT } from "./words.js";

type Message<T extends HostMessage["type"]> = Extract<HostMessage, { type: T }>;

/** A question, new or again. The same id replaces the card in place; a closed card stays closed. */
export function upsertCard(state: PageState, request: ApprovalRequest): PageState {
  const known = findCard(state, request.approvalId);
  if (known !== undefined) return known.card.phase === "closed" ? state : refresh(state, known.card, request);
  const card: Card = {
    request,
    phase: "open",
    revision: 0,
    details: NO_DETAILS,
    seen: false,
    editing: false,
    leftOut: false,
  };
  const callId = request.toolCall.toolCallId;
  const next = hasTool(state, callId) ? state : pushRow(state, request);
  return announce(
    changeTool(next, callId, (item) => ({ ...item, status: "awaiting_approval", cards: [...item.cards, card] })),
    `Approval needed: ${request.headline}`,
  );
}

function pushRow(state: PageState, request: ApprovalRequest): PageState {
  return push(state, {
    kind: "tool",
    callId: request.toolCall.toolCallId,
    within: request.parentToolCallId ?? undefined,
    tool: request.tool,
    headline: request.headline,
    category: request.category,
    depth: request.depth,
    args: request.args,
    status: "awaiting_approval",
    notes: [],
    liveOutput: "",
    cards: [],
    fromCard: true,
    askedAgain: false,
  });
}

function refresh(state: PageState, card: Card, request: ApprovalRequest): PageState {
  if (sameQuestion(card.request, request)) {
    // What a mark stood for was not in sight: an answer to several cards waits until it was.
    const seen = card.seen && card.request.redactions === request.redactions;
    return changeCard(state, request.approvalId, (one) => ({ ...one, request, seen }));
  }
  const changed = changeCard(state, request.approvalId, (one) => ({
    ...one,
    request,
    phase: "open",
    revision: one.revision + 1,
    details: NO_DETAILS,
    comparison: undefined,
    seen: false,
    chosen: undefined,
    error: undefined,
    note: undefined,
  }));
  return announce(changed, `Changed, please review again: ${request.headline}`);
}

function sameQuestion(one: ApprovalRequest, other: ApprovalRequest): boolean {
  // The same with its secrets masked or revealed is in other words, and has the same digest.
  const inOtherWords = (one.redactions ?? 0) !== (other.redactions ?? 0);
  const facts = (request: ApprovalRequest) =>
    JSON.stringify([
      request.argsDigest,
      // How many other calls an answer would settle changes all the time, and changes nothing of the question.
      request.options.map((option) => ({ ...option, alsoResolves: null })),
      request.directory,
      request.refreshed ?? false,
      request.reason.code,
      request.risk?.level,
      ...(inOtherWords ? [] : [request.headline, request.preview ?? null, request.reason, request.risk ?? null]),
    ]);
  return facts(one) === facts(other);
}

/** The server's word that a question ended. */
export function resolved(state: PageState, ending: ApprovalResolved): PageState {
  const found = findCard(state, ending.approvalId);
  if (found === undefined) return state;
  const at = ending.resolvedAt ?? undefined;
  // The page's own answer may be confirmed first: when it counted, only this says.
  if (found.card.outcome) return changeCard(state, ending.approvalId, (card) => withMoment(card, ending, at));
  return close(state, ending.approvalId, {
    status: ending.status,
    text: endingWords(ending),
    decision: ending.decision ?? undefined,
    by: ending.resolvedBy,
    at,
  });
}

function withMoment(card: Card, { status }: ApprovalResolved, at: string | undefined): Card {
  const { outcome } = card;
  return outcome === undefined || outcome.at || outcome.status !== status
    ? card
    : { ...card, outcome: { ...outcome, at } };
}

function endingWords({ status, resolvedBy, reasonText }: ApprovalResolved): string {
  if (status === "timeout") return TIMED_OUT;
  return status === "expired" && resolvedBy === "restart" ? RESTARTED : reasonText;
}

/** The answer counted. The word that the question ended usually came before. */
export function answered(state: PageState, { approvalId, decision, settings }: Message<"answered">): PageState {
  const next = close(state, approvalId, acceptedOutcome(decision));
  return settings ? withStored(next, approvalId, settings) : next;
}

/** The row of the call says what its answer stored, and where, or why not. */
function withStored(state: PageState, approvalId: string, settings: StoredSetting): PageState {
  const card = findCard(state, approvalId)?.card;
  if (card === undefined) return settings.error ? pushNotice(state, "error", storedWords(settings, "")) : state;
  const chosen = card.request.options.find((option) => option.optionId === card.chosen?.optionId);
  const text = storedWords(settings, chosen?.name ?? "");
  const stored = { text, failed: !settings.written || Boolean(settings.error) };
  const next = changeCard(state, approvalId, (one) =>
    one.outcome ? { ...one, outcome: { ...one.outcome, stored } } : one,
  );
  return announce(next, text);
}

function acceptedOutcome(decision: OptionKind): Outcome {
  const refused = refuses(decision);
  return {
    status: refused ? "rejected" : "allowed",
    text: refused ? "You denied this call." : "You allowed this call.",
    decision,
    by: "user",
  };
}

/** The answer did not count, or came too late: the card comes alive again, or tells what really happened. */
export function answerFailed(state: PageState, message: Message<"answerFailed">): PageState {
  const found = findCard(state, message.approvalId);
  if (found === undefined || found.card.phase === "closed") return state;
  const { outcome } = message;
  if (outcome) {
    const same = outcome.decision !== undefined && outcome.decision === found.card.chosen?.kind;
    const text = same && outcome.decision ? acceptedOutcome(outcome.decision).text : tooLate(outcome.status);
    return close(state, message.approvalId, {
      status: outcome.status,
      text,
      decision: outcome.decision ?? undefined,
      by: outcome.resolvedBy ?? undefined,
    });
  }
  if (message.code === ErrorCode.APPROVAL_NOT_FOUND && state.connection.state === "ready") {
    return close(state, message.approvalId, { status: "expired", text: message.text });
  }
  const alive = changeCard(state, message.approvalId, (card) => ({
    ...card,
    phase: "open",
    chosen: undefined,
    error: message.text,
  }));
  return announce(alive, message.text);
}

function tooLate(status: string): string {
  if (status === "allowed") return "This call was already allowed before your answer.";
  if (status === "timeout") return "This timed out before your answer; nothing was run.";
  return `This question was already closed (${status.replaceAll("_", " ")}) before your answer. The call did not run.`;
}

function close(state: PageState, approvalId: string, outcome: Outcome): PageState {
  const found = findCard(state, approvalId);
  if (found === undefined || found.card.phase === "closed") return state;
  const { item } = found;
  const closed = changeCard(state, approvalId, (card) => ({ ...card, phase: "closed", error: undefined, outcome }));
  const othersWait = item.cards.some((card) => card !== found.card && card.phase !== "closed");
  const next = changeTool(closed, item.callId, (row) =>
    row.result || othersWait ? row : { ...row, status: statusAfter(outcome, row.fromCard) },
  );
  return announce(next, `${outcome.text} ${found.card.request.headline}`.trim());
}

function statusAfter(outcome: Outcome, fromCard: boolean): ToolStatus {
  switch (outcome.status) {
    case "allowed":
      return fromCard ? "done" : "pending";
    case "rejected":
    case "timeout":
    case "denied_by_rule":
      return "denied";
    default:
      return "cancelled";
  }
}

/** What was allowed in its chats is not allowed any more; what can be undone is not there to be asked. */
const NO_GRANTS = { grants: [], permits: undefined, permissions: undefined, removing: [], removed: [] } as const;
const NO_SHELLS = { shells: undefined, shellsAsked: [] } as const;

/** The server is gone: what waited there will never run, and the page says so. */
export function withoutServer(state: PageState): PageState {
  const lost: Outcome = { status: "lost", text: RESTARTED };
  const cards = openCards(state);
  const next = cards.reduce((now, card) => close(now, card.request.approvalId, lost), state);
  const items = next.items.map((item) => {
    if (item.kind === "tool" && runsOn(item)) return { ...item, shell: ENDED_WITH_SERVER };
    if (item.kind !== "tool" || !(item.status === "running" || item.status === "pending")) return item;
    const note = "The server restarted while this call was under way. What it did until then is not known.";
    return { ...item, status: "cancelled" as const, notes: [...item.notes, note] };
  });
  const text =
    cards.length > 0 ? "The server restarted. What waited for your approval did not run." : "The server restarted.";
  return announce(
    { ...next, items, running: false, stopping: false, ...NO_GRANTS, ...NO_SHELLS, modeFromNextMessage: false },
    text,
  );
}

/** One answer was given to several. Each of them ends or goes on by its own result. */
export function batchAnswered(state: PageState, { results }: Message<"batchAnswered">): PageState {
  const accepts = results.some(({ approvalId }) => findCard(state, approvalId)?.card.chosen?.kind === "allow_once");
  const next = results.reduce(batchResult, state);
  const leftIds = new Set(results.filter(({ status }) => status === "left").map(({ approvalId }) => approvalId));
  const left = drawnCards(next)
    .filter((card) => card.phase === "open" && (leftIds.has(card.request.approvalId) || answeredByItself(card)))
    .map((card) => card.request.approvalId);
  if (!accepts || left.length === 0) return next;
  const noted = left.reduce(
    (now, approvalId) => changeCard(now, approvalId, (card) => ({ ...card, note: leftWords(card) })),
    next,
  );
  return announce(noted, leftAnnouncement(left.length));
}

function leftAnnouncement(count: number): string {
  return count === 1
    ? "1 call is left: it wants a look of its own."
    : `${count} calls are left: they want a look of their own.`;
}

function batchResult(state: PageState, { approvalId, status, error }: BatchResult): PageState {
  if (status === "accepted") {
    const chosen = findCard(state, approvalId)?.card.chosen;
    return chosen ? close(state, approvalId, acceptedOutcome(chosen.kind)) : state;
  }
  if (status === "left") {
    return changeCard(state, approvalId, (card) =>
      card.phase === "closed" ? card : { ...card, phase: "open", chosen: undefined },
    );
  }
  const { code, message } = error ?? { code: ErrorCode.INTERNAL_ERROR, message: "No reason was given." };
  return answerFailed(state, { type: "answerFailed", approvalId, code, text: `Your answer did not count: ${message}` });
}

const LEFT: ReadonlyMap<string, string> = new Map([
  ["protected", "Protected: answer this one by itself."],
  ["ask_rule", "A rule always asks for it: answer this one by itself."],
  ["outside_workspace", "Outside the workspace: answer this one by itself."],
]);

/** Why a card still waits after a yes to all. */
function leftWords({ request }: Card): string {
  return LEFT.get(request.reason.code) ?? "Left out of your answer to all: this one wants a look of its own.";
}

/** The answer to several came to nothing: each of them waits on. */
export function batchFailed(state: PageState, { approvalIds, code, text }: Message<"batchFailed">): PageState {
  return approvalIds.reduce(
    (next, approvalId) => answerFailed(next, { type: "answerFailed", approvalId, code, text }),
    state,
  );
}

/** A piece of the full arguments. Pieces of another version of the call are dropped. */
export function details(state: PageState, piece: Message<"details">): PageState {
  return changeCard(state, piece.approvalId, (card) => {
    const { pieces, received } = card.details;
    if (card.request.argsDigest !== piece.argsDigest || piece.offset !== received) return card;
    return {
      ...card,
      details: {
        pieces: [...pieces, piece.text],
        received: received + piece.text.length,
        total: piece.total,
        requested: true,
      },
    };
  });
}

export function detailsFailed(state: PageState, message: Message<"detailsFailed">): PageState {
  return changeCard(state, message.approvalId, (card) => ({
    ...card,
    details: { ...NO_DETAILS, error: message.text },
  }));
}

/** The editor shows what the files would hold. Of another version of the call it says nothing. */
export function compared(state: PageState, { approvalId, argsDigest, tellAll, hides }: Message<"compared">): PageState {
  return changeCard(state, approvalId, (card) =>
    card.request.argsDigest === argsDigest ? { ...card, comparison: { toldAll: tellAll, hides } } : card,
  );
}

/** It shows nothing, and what was shown before still was. */
export function compareFailed(state: PageState, { approvalId, text }: Message<"compareFailed">): PageState {
  return changeCard(state, approvalId, (card) => ({
    ...card,
    comparison: { ...card.comparison, asked: false, error: text },
  }));
}
