// What a notification says while nobody sees the chat, and whether it may be answered there: only where it shows all of it.
import type { ApprovalOption, ApprovalRequest } from "../protocol/generated.js";
import { hidesSomething, visibleText } from "./visible-text.js";

/** Longer ones could be cut off, and nobody reads them in passing. */
export const LONGEST_EFFECT = 160;
const LONGEST_HEADLINE = 120;
/** The editor cuts off a message of a thousand characters: who asks must not push out what would happen, nor where. */
const LONGEST_BESIDE = 600;

/** A single waiting call, as it is told of. */
export interface CallNotice {
  text: string;
  approvalId: string;
  argsDigest: string;
  /** All of what would happen stands in the text, and nothing about it wants more than a glance. */
  canAllow: boolean;
}

/** What is said of a call that waits alone. */
export function noticeOf(request: ApprovalRequest): CallNotice {
  const { approvalId, argsDigest, agentName, headline } = request;
  const effect = wholeEffect(request);
  const text =
    effect === undefined
      ? `${said(shortened(agentName))} asks: ${said(shortened(headline))}. Nothing is allowed until you answer.`
      : `${agentName} asks: ${effect} (in ${request.directory})`;
  return { text, approvalId, argsDigest, canAllow: effect !== undefined };
}

/** Whether a notification that was shown is still about exactly this. */
export function isStillSaid(notice: CallNotice, request: ApprovalRequest | undefined): boolean {
  if (request === undefined) return false;
  const now = noticeOf(request);
  return now.text === notice.text && now.argsDigest === notice.argsDigest && now.canAllow === notice.canAllow;
}

/** All that would happen, where a line says it exactly as it is; undefined where it takes the card. */
function wholeEffect(request: ApprovalRequest): string | undefined {
  if (!isOrdinary(request) || !hasOnePlainYes(request.options)) return undefined;
  const effect = effectOf(request.preview);
  if (effect === undefined || effect.length > LONGEST_EFFECT) return undefined;
  if (request.agentName.length + request.directory.length > LONGEST_BESIDE) return undefined;
  return [effect, request.agentName, request.directory].every(isShownAsItIs) ? effect : undefined;
}

function isOrdinary(request: ApprovalRequest): boolean {
  const { reason, risk, truncated, redactions, inexact, interrupted, refreshed, depth, path } = request;
  const isPlain = !(truncated || redactions || inexact?.length || interrupted || refreshed);
  const isRisky = Boolean(risk && (risk.level !== "low" || risk.notes?.length));
  return isPlain && !isRisky && reason.code === "needs_approval" && depth === 0 && path.length === 0;
}

/** One way to say yes, for this call alone, and one to say no. */
function hasOnePlainYes(options: readonly ApprovalOption[]): boolean {
  const [yes, ...others] = options.filter(({ kind }) => kind === "allow_once");
  const canDeny = options.some(({ kind }) => kind === "reject_once");
  return yes !== undefined && others.length === 0 && !yes.disabledReason && !yes.alsoResolves && canDeny;
}

function effectOf(preview: ApprovalRequest["preview"]): string | undefined {
  if (preview?.kind === "url") return preview.note ? undefined : `${preview.before}${preview.host}${preview.after}`;
  if (preview?.kind !== "command" || preview.unreadable || preview.note || preview.moreParts) return undefined;
  if (preview.parts.length === 0) return undefined;
  const beside = [...preview.parts.flatMap(({ notes }) => notes ?? []), preview.sandbox ?? ""].filter(Boolean);
  return [preview.text, ...beside].join(" — ");
}

/** The editor joins lines and blanks in a notification, and makes links and pictures of some signs. */
const DRAWN_OTHERWISE = /[\n\r\t[\]<>]|\$\(|^\s|\s$|\s\s/;

function isShownAsItIs(text: string): boolean {
  return text !== "" && !DRAWN_OTHERWISE.test(text) && !hidesSomething(text, "single");
}

/** For a text that nobody answers by: nothing in it becomes a link, or cannot be seen. */
function said(text: string): string {
  return visibleText(text).replaceAll("[", "(").replaceAll("]", ")").replaceAll("$(", "$ (");
}

function shortened(text: string): string {
  return text.length > LONGEST_HEADLINE ? `${text.slice(0, LONGEST_HEADLINE)}…` : text;
}
