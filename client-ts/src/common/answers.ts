// Carries a click from the page to the server, and the truth about it back.
import { ErrorCode } from "../protocol/generated.js";
import type { Disposable } from "./emitter.js";
import { type HostMessage, isRealOutcome, type PageMessage, type RealOutcome } from "./page-messages.js";
import { type Server, type ServerFault, toFault } from "./server.js";
import type { Waiting } from "./waiting.js";

export const ANSWER_TIMEOUT_MS = 5000;
const DETAILS_PIECE = 65_536;

type Answer = Extract<PageMessage, { type: "answer" }>;

/** What answering needs of its surroundings. */
export interface AnswerContext {
  readonly viewId: string;
  readonly waiting: Waiting;
  server(): Server | undefined;
  /** The chat that the page shows: it may answer for no other. */
  shownChat(): string | undefined;
  post(message: HostMessage): void;
  after(milliseconds: number, action: () => void): Disposable;
}

/** Sends one answer. The page always hears: accepted, refused with the reason, or no word within five seconds. */
export async function sendAnswer(answer: Answer, context: AnswerContext): Promise<void> {
  const { approvalId, argsDigest, optionId, feedback } = answer;
  const refused = refusal(answer, context);
  const server = context.server();
  if (refused !== undefined || server === undefined) {
    context.post(failed(approvalId, ErrorCode.APPROVAL_NOT_FOUND, refused ?? NO_SERVER));
    return;
  }
  const alarm = context.after(ANSWER_TIMEOUT_MS, () =>
    context.post(failed(approvalId, ErrorCode.INTERNAL_ERROR, NO_WORD)),
  );
  try {
    const outcome = await server.request("tool/approvalResponse", {
      approvalId,
      sessionId: context.shownChat() ?? null,
      viewId: context.viewId,
      argsDigest,
      response: { outcome: { outcome: "selected", optionId } },
      ...(feedback ? { feedback } : {}),
    });
    context.post({ type: "answered", approvalId, decision: outcome.decision, settings: outcome.settings ?? null });
  } catch (error) {
    const fault = toFault(error);
    context.post(failed(approvalId, fault.code, explain(fault), realOutcome(fault)));
  } finally {
    alarm.dispose();
  }
}

/** Fetches the full arguments piece by piece. */
export async function fetchDetails(approvalId: string, context: AnswerContext): Promise<void> {
  const request = context.waiting.get(approvalId);
  const server = context.server();
  if (request === undefined || server === undefined) {
    context.post({ type: "detailsFailed", approvalId, text: request === undefined ? NOT_OPEN : NO_SERVER });
    return;
  }
  const argsDigest = request.argsDigest;
  try {
    let offset = 0;
    for (;;) {
      const piece = await server.request("tool/approvalDetails", { approvalId, offset, length: DETAILS_PIECE });
      context.post({ type: "details", approvalId, argsDigest, text: piece.text, offset, total: piece.totalLength });
      offset += piece.text.length;
      if (offset >= piece.totalLength) return;
      if (piece.text === "") throw new Error(`The server sent ${offset} of ${piece.totalLength} characters.`);
    }
  } catch (error) {
    context.post({
      type: "detailsFailed",
      approvalId,
      text: `The full text did not arrive: ${toFault(error).message}`,
    });
  }
}

const NO_SERVER = "There is no connection to the server, so nothing was answered. The call has not run.";
const NOT_OPEN = "This question is no longer open.";
const NO_WORD = "No word from the server within 5 seconds. Your answer may still count; you can answer again.";

function refusal(answer: Answer, context: AnswerContext): string | undefined {
  const request = context.waiting.get(answer.approvalId);
  if (request === undefined) return NOT_OPEN;
  if (request.sessionId !== context.shownChat()) return "This question belongs to another chat.";
  if (!request.options.some((option) => option.optionId === answer.optionId)) return "This answer was not offered.";
  return undefined;
}

function failed(approvalId: string, code: number, text: string, outcome?: RealOutcome): HostMessage {
  return { type: "answerFailed", approvalId, code, text, outcome: outcome ?? null };
}

function realOutcome(fault: ServerFault): RealOutcome | undefined {
  return fault.code === ErrorCode.APPROVAL_ALREADY_RESOLVED && isRealOutcome(fault.data) ? fault.data : undefined;
}

function explain(fault: ServerFault): string {
  if (fault.code === ErrorCode.DIGEST_MISMATCH) {
    return "The call changed after this card was shown, so your answer did not count. Please review it again.";
  }
  if (fault.code === ErrorCode.APPROVAL_NOT_FOUND)
    return "The server no longer knows this question. The call did not run.";
  return `Your answer did not count: ${fault.message} (${fault.code})`;
}
