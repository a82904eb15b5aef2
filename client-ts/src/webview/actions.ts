// What the user can do on the page.
import type {
  AnswerMessage,
  BatchDecision,
  HistoryMessage,
  HostAction,
  PermissionsMessage,
} from "../common/page-messages.js";
import type { FormAction, Mode } from "../protocol/generated.js";
import type { Card, Remedy, ToolItem, UserItem } from "./state.js";

/** What an answer may carry along. */
export type AnswerExtras = Pick<AnswerMessage, "feedback" | "editedArgs" | "limits">;

/** Handed to everything that draws; nothing else on the page sends. */
export interface Actions {
  /** Behind the run that goes on, if there is one, or in its place. */
  send(text: string, replaces: boolean): void;
  /** Files of the workspace that fit what is written so far. */
  findFiles(query: string): void;
  endFinding(): void;
  /** Names a file for the next message. */
  attach(path: string): void;
  /** Names several, as many as go along with one message. */
  attachAll(paths: readonly string[]): void;
  /** Lets the user choose files in the editor; a browser offers those of the workspace, as behind an @. */
  pickFiles(): void;
  /** Says why something that was handed over does not go along. */
  refuse(why: string): void;
  /** The user has read why this file is not sent just like that, and sends it: just that, by its digest. */
  agreeToFile(path: string, warningDigest: string | undefined): void;
  detach(path: string): void;
  /** Whether a file that was named is still being looked at: asked of now, and not of what was drawn last. */
  looksAtFiles(): boolean;
  /** Takes an earlier message into the composer, to say it anew. */
  change(message: UserItem): void;
  /** Leaves it as it was. */
  keepMessage(): void;
  retry(messageId: string): void;
  discard(messageId: string): void;
  /** Goes on where the last run failed. */
  retryRun(): void;
  stop(): void;
  /** Answers what this card shows; what is asked by now may be another question, and is not answered. */
  answer(card: Card, optionId: string, extras: AnswerExtras): void;
  /** Whether keys of the editor answer cards. */
  answersKeys(): boolean;
  /** The whole card was in sight, in this state. */
  seen(approvalId: string, argsDigest: string, revision: number): void;
  edit(approvalId: string, editing: boolean): void;
  /** An answer to all does not mean these, or means them again. */
  leaveOut(approvalIds: readonly string[], out: boolean): void;
  answerAll(cards: readonly Card[], decision: BatchDecision): void;
  askAgain(item: ToolItem): void;
  openPermits(open: boolean): void;
  /** With a digest: only as long as it says what was shown. */
  removeGrant(grantId: string, digest?: string): void;
  /** What views that are loaded later want. */
  tell(message: PermissionsMessage | HistoryMessage): void;
  undoRemoval(grantId: string): void;
  hideRemoval(grantId: string): void;
  openShells(open: boolean): void;
  refreshShells(): void;
  /** Ends it with everything that it started. */
  killShell(shellId: string): void;
  /** Lets the command of a running call go on by itself. */
  toBackground(callId: string): void;
  /** All that is kept of what it printed. */
  openShellOutput(shellId: string): void;
  showDetails(approvalId: string): void;
  /** All that the files of a waiting call would hold, in the editor's view of differences. */
  openDiff(approvalId: string, argsDigest: string): void;
  /** The same of what a call has written. */
  openWritten(callId: string): void;
  /** The secrets that the card masks. */
  reveal(approvalId: string): void;
  setMode(mode: Mode, applyNow: boolean): void;
  /** Of what the agent lets its user choose. `confirmed`: the user has read what the danger of it is. */
  chooseForAgent(settingId: string, value: string, confirmed: boolean): void;
  newChat(agent?: string): void;
  /** Stops what runs in it, and forgets it. */
  closeChat(sessionId: string): void;
  showChat(sessionId: string): void;
  openLink(url: string): void;
  openFile(path: string, line?: number): void;
  /** The picture or the sound that a call has made. */
  showMedia(callId: string): void;
  /** All of the output of a call, of which the page shows a part. */
  openResult(callId: string): void;
  pickConsent(entryId: string, picked: boolean): void;
  answerConsent(honour: string[]): void;
  hideConsent(consentId: string): void;
  /** What the user does with a form; a content goes with `accept`. */
  answerForm(formId: string, action: FormAction, content?: Record<string, unknown>): void;
  hideConsentFault(): void;
  host(action: HostAction): void;
  remedy(remedy: Remedy): void;
  fillComposer(text: string): void;
  /** What is allowed, or what was decided. */
  showAllowed(history: boolean): void;
  /** Opens the bar that finds words in the chat. */
  find(): void;
  /** Tells who only hears the page what has just been done. */
  say(text: string): void;
}
