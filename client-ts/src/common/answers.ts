// Carries a click from the page to the server, and the truth about it back.

import { isRecord } from "../protocol/check.js";
import { type ApprovalRequest, ErrorCode } from "../protocol/generated.js";
import type { Ends } from "./ends.js";
import { type AnswerMessage, type HostMessage, isRealOutcome, type RealOutcome } from "./page-messages.js";
import { type ServerFault, toFault } from "./server.js";

export const ANSWER_TIMEOUT_MS = 5000;
const DETAILS_PIECE = 65_536;

/** Sends one answer. The page always hears: accepted, refused with the reason, or no word within five seconds. */
export async function sendAnswer(answer: AnswerMessage, ends: Ends): Promise<void> {
  const { approvalId, argsDigest, optionId, feedback, editedArgs, limits } = answer;
  const refused = refusal(answer, ends);
  const server = ends.server;
  if (refused !== undefined || server === undefined) {
    ends.post(failed(approvalId, ErrorCode.APPROVAL_NOT_FOUND, refused ?? NO_SERVER));
    return;
  }
  const alarm = ends.after(ANSWER_TIMEOUT_MS, () => ends.post(failed(approvalId, ErrorCode.INTERNAL_ERROR, NO_WORD)));
  try {
    const outcome = await server.request("tool/approvalResponse", {
      approvalId,
      sessionId: ends.shownChat() ?? null,
      viewId: ends.viewId,
      argsDigest,
      response: { outcome: { outcome: "selected", optionId } },
      ...(feedback ? { feedback } : {}),
      ...(editedArgs === undefined ? {} : { editedArgs }),
      ...(limits === undefined ? {} : { limits }),
    });
    ends.post({ type: "answered", approvalId, decision: outcome.decision, settings: outcome.settings ?? null });
  } catch (error) {
    const fault = toFault(error);
    ends.post(failed(approvalId, fault.code, explain(fault), realOutcome(fault)));
  } finally {
    alarm.dispose();
  }
}

/** Fetches the full arguments piece by piece. */
export async function fetchDetails(approvalId: string, ends: Ends): Promise<void> {
  const request = ends.waiting.get(approvalId);
  const server = ends.server;
  if (request === undefined || server === undefined) {
    ends.post({ type: "detailsFailed", approvalId, text: request === undefined ? NOT_OPEN : NO_SERVER });
    return;
  }
  const argsDigest = request.argsDigest;
  try {
    let offset = 0;
    for (;;) {
      const piece = await server.request("tool/approvalDetails", { approvalId, offset, length: DETAILS_PIECE });
      ends.post({ type: "details", approvalId, argsDigest, text: piece.text, offset, total: piece.totalLength });
      offset += piece.text.length;
      if (offset >= piece.totalLength) return;
      if (piece.text === "") throw new Error(`The server sent ${offset} of ${piece.totalLength} characters.`);
    }
  } catch (error) {
    ends.post({
      type: "detailsFailed",
      approvalId,
      text: `The full text did not arrive: ${toFault(error).message}`,
    });
  }
}

export const NO_SERVER = "There is no connection to the server, so nothing was answered. The call has not run.";
const NOT_OPEN = "This question is no longer open.";
export const NO_WORD = "No word from the server within 5 seconds. Your answer may still count; you can answer again.";

function refusal(answer: AnswerMessage, ends: Ends): string | undefined {
  const request = ends.waiting.get(answer.approvalId);
  if (request === undefined) return NOT_OPEN;
  if (request.sessionId !== ends.shownChat()) return "This question belongs to another chat.";
  return offered(answer, request) ? undefined : "This answer was not offered.";
}

function offered({ optionId, editedArgs, limits }: AnswerMessage, request: ApprovalRequest): boolean {
  const kind = request.options.find((option) => option.optionId === optionId)?.kind;
  if (kind === undefined) return false;
  if (editedArgs !== undefined && !(request.editable && kind === "allow_once")) return false;
  return limits === undefined || Boolean(request.limits && (kind === "allow_session" || kind === "bypass_session"));
}

function failed(approvalId: string, code: number, text: string, outcome?: RealOutcome): HostMessage {
  return { type: "answerFailed", approvalId, code, text, outcome: outcome ?? null };
}

function realOutcome(fault: ServerFault): RealOutcome | undefined {
  return fault.code === ErrorCode.APPROVAL_ALREADY_RESOLVED && isRealOutcome(fault.data) ? fault.data : undefined;
}

/** Why an answer did not count, in words for the card. */
export function explain(fault: ServerFault): string {
  if (fault.code === ErrorCode.DIGEST_MISMATCH) {
    return "The call changed after this card was shown, so your answer did not count. Please review it again.";
  }
  if (fault.code === ErrorCode.APPROVAL_NOT_FOUND)
    return "The server no longer knows this question. The call did not run.";
  if (fault.code === ErrorCode.NOT_RECORDED) return `Your answer did not count: ${fault.message}`;
  if (isAboutEdit(fault))
    return `What you wrote cannot run: ${fault.message} Nothing ran; change it, or approve the call as it was.`;
  return `Your answer did not count: ${fault.message} (${fault.code})`;
}

function isAboutEdit({ code, data }: ServerFault): boolean {
  const path = isRecord(data) ? data.path : undefined;
  return code === ErrorCode.INVALID_PARAMS && typeof path === "string" && path.startsWith("params.editedArgs");
}
