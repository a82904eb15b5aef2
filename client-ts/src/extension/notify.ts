// A notification while nobody sees the chat. It can be answered there only where it shows all that would happen.
import * as vscode from "vscode";
import { ANSWER_TIMEOUT_MS, explain, NO_SERVER, NO_WORD } from "../common/answers.js";
import { type CallNotice, isStillSaid, noticeOf } from "../common/notice.js";
import { type Server, toFault } from "../common/server.js";
import type { Waiting } from "../common/waiting.js";
import { attentionWords } from "./attention-words.js";

const REVIEW = "Review";
const ALLOW = "Allow once";
const DENY = "Deny";
/** What is pressed sooner was not meant for what stands there. */
const ARMED_MS = 1000;

/** What it needs: what waits, the server, and the way to the chat. */
export interface NoticeContext {
  waiting: Waiting;
  asksAboutSettings(): boolean;
  /** How many forms wait. */
  forms(): number;
  server(): Server | undefined;
  review(): Thenable<unknown>;
}

/** Tells what waits, and carries out what is pressed. Returns when the notification is gone. */
export async function notifyWaiting(context: NoticeContext): Promise<void> {
  const { waiting } = context;
  const [only, ...others] = waiting.all;
  if (only === undefined || others.length > 0 || context.asksAboutSettings() || context.forms() > 0)
    return tellOfSeveral(context);
  const notice = noticeOf(only);
  const actions = notice.canAllow ? [REVIEW, ALLOW, DENY] : [REVIEW, DENY];
  for (;;) {
    const shownAt = performance.now();
    const pressed = await vscode.window.showInformationMessage(`Assent: ${notice.text}`, ...actions);
    if (pressed === undefined) return;
    if (pressed === REVIEW) return void (await context.review());
    if (performance.now() - shownAt >= ARMED_MS) return answer(notice, pressed === ALLOW, context);
  }
}

async function tellOfSeveral({ waiting, asksAboutSettings, forms, review }: NoticeContext): Promise<void> {
  const words = attentionWords(waiting.count, asksAboutSettings(), forms());
  const text = `Assent: ${words}. Nothing is allowed until you answer.`;
  if ((await vscode.window.showInformationMessage(text, REVIEW)) !== undefined) await review();
}

/** Counts for exactly what was said; whatever is another one by now is looked at on its card. */
async function answer(notice: CallNotice, allows: boolean, context: NoticeContext): Promise<void> {
  const { approvalId, argsDigest } = notice;
  const request = context.waiting.get(approvalId);
  if (request === undefined) return failed("This question is no longer open, so your answer did not count.", context);
  const isAlone = context.waiting.count === 1;
  if (!isStillSaid(notice, request) || (allows && !(notice.canAllow && isAlone))) return failed(CHANGED, context);
  const server = context.server();
  if (server === undefined) return failed(NO_SERVER, context);
  const decision = allows ? "allow_once" : "reject_once";
  try {
    // The answer to several, given to one: the server takes no yes of that kind to what wants a look of its own.
    const sent = server.request("tool/approvalBatch", { items: [{ approvalId, argsDigest }], decision });
    const { results } = await Promise.race([sent, silence()]);
    const result = results.find((one) => one.approvalId === approvalId);
    if (result?.status === "accepted") return;
    return failed(result?.error ? `Your answer did not count: ${result.error.message}` : CHANGED, context);
  } catch (error) {
    return failed(explain(toFault(error)), context);
  }
}

const CHANGED = "The call wants a look on its card, so your answer did not count. Please review it.";

function silence(): Promise<never> {
  return new Promise((_, reject) => setTimeout(() => reject(new Error(NO_WORD)), ANSWER_TIMEOUT_MS));
}

async function failed(text: string, { review }: NoticeContext): Promise<void> {
  if ((await vscode.window.showWarningMessage(`Assent: ${text}`, REVIEW)) !== undefined) await review();
}
