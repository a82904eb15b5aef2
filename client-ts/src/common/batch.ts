// One answer to several cards: exactly those that the page names, in the state in which it showed them.
import { ErrorCode } from "../protocol/generated.js";
import { ANSWER_TIMEOUT_MS, explain, NO_SERVER, NO_WORD } from "./answers.js";
import type { Ends } from "./ends.js";
import type { ChatMessageOf } from "./page-messages.js";
import { toFault } from "./server.js";

/** Sends it. The page hears a result for each card, or why there is none. */
export async function sendBatch({ items, decision }: ChatMessageOf<"batch">, ends: Ends): Promise<void> {
  const approvalIds = items.map((item) => item.approvalId);
  const failed = (code: number, text: string) => ends.post({ type: "batchFailed", approvalIds, code, text });
  const server = ends.server;
  if (server === undefined) return failed(ErrorCode.INTERNAL_ERROR, NO_SERVER);
  if (!approvalIds.every((id) => isHere(id, ends))) return failed(ErrorCode.INVALID_PARAMS, CHANGED);
  const alarm = ends.after(ANSWER_TIMEOUT_MS, () => failed(ErrorCode.INTERNAL_ERROR, NO_WORD));
  try {
    const { results } = await server.request("tool/approvalBatch", { items, decision, viewId: ends.viewId });
    ends.post({ type: "batchAnswered", results });
    const answered = new Set(results.map((result) => result.approvalId));
    const unanswered = approvalIds.filter((id) => !answered.has(id));
    if (unanswered.length > 0)
      ends.post({ type: "batchFailed", approvalIds: unanswered, code: ErrorCode.INTERNAL_ERROR, text: NO_RESULT });
  } catch (error) {
    const fault = toFault(error);
    failed(fault.code, explain(fault));
  } finally {
    alarm.dispose();
  }
}

const CHANGED = "What waits has changed meanwhile, so nothing was answered. Please look again.";
const NO_RESULT = "The server said nothing about this call. It may still wait; you can answer it by itself.";

function isHere(approvalId: string, ends: Ends): boolean {
  const request = ends.waiting.get(approvalId);
  return request !== undefined && request.sessionId === ends.shownChat();
}
