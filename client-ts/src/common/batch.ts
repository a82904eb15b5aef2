// One answer to several cards: exactly those that the page names, in the state in which it showed them.
import { ErrorCode } from "../protocol/generated.js";
import { ANSWER_TIMEOUT_MS, type AnswerContext, explain, NO_SERVER, NO_WORD } from "./answers.js";
import type { PageMessage } from "./page-messages.js";
import { toFault } from "./server.js";

type Batch = Extract<PageMessage, { type: "batch" }>;

/** Sends it. The page hears a result for each card, or why there is none. */
export async function sendBatch({ items, decision }: Batch, context: AnswerContext): Promise<void> {
  const approvalIds = items.map((item) => item.approvalId);
  const failed = (code: number, text: string) => context.post({ type: "batchFailed", approvalIds, code, text });
  const server = context.server();
  if (server === undefined) return failed(ErrorCode.INTERNAL_ERROR, NO_SERVER);
  if (!approvalIds.every((id) => isHere(id, context))) return failed(ErrorCode.INVALID_PARAMS, CHANGED);
  const alarm = context.after(ANSWER_TIMEOUT_MS, () => failed(ErrorCode.INTERNAL_ERROR, NO_WORD));
  try {
    const { results } = await server.request("tool/approvalBatch", { items, decision, viewId: context.viewId });
    context.post({ type: "batchAnswered", results });
    const answered = new Set(results.map((result) => result.approvalId));
    const unanswered = approvalIds.filter((id) => !answered.has(id));
    if (unanswered.length > 0)
      context.post({ type: "batchFailed", approvalIds: unanswered, code: ErrorCode.INTERNAL_ERROR, text: NO_RESULT });
  } catch (error) {
    const fault = toFault(error);
    failed(fault.code, explain(fault));
  } finally {
    alarm.dispose();
  }
}

const CHANGED = "What waits has changed meanwhile, so nothing was answered. Please look again.";
const NO_RESULT = "The server said nothing about this call. It may still wait; you can answer it by itself.";

function isHere(approvalId: string, context: AnswerContext): boolean {
  const request = context.waiting.get(approvalId);
  return request !== undefined && request.sessionId === context.shownChat();
}
