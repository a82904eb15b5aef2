// What the user can do on the page.
import type { AnswerMessage, BatchDecision, HostAction } from "../common/page-messages.js";
import type { Mode } from "../protocol/generated.js";
import type { Card, Remedy, ToolItem } from "./state.js";

/** What an answer may carry along. */
export type AnswerExtras = Pick<AnswerMessage, "feedback" | "editedArgs" | "limits">;

/** Handed to everything that draws; nothing else on the page sends. */
export interface Actions {
  /** Behind the run that goes on, if there is one, or in its place. */
  send(text: string, replaces: boolean): void;
  retry(messageId: string): void;
  discard(messageId: string): void;
  /** Goes on where the last run failed. */
  retryRun(): void;
  stop(): void;
  /** Answers what this card shows; what is asked by now may be another question, and is not answered. */
  answer(card: Card, optionId: string, extras: AnswerExtras): void;
  /** The whole card was in sight, in this state. */
  seen(approvalId: string, argsDigest: string, revision: number): void;
  edit(approvalId: string, editing: boolean): void;
  /** An answer to all does not mean these, or means them again. */
  leaveOut(approvalIds: readonly string[], out: boolean): void;
  answerAll(cards: readonly Card[], decision: BatchDecision): void;
  askAgain(item: ToolItem): void;
  openPermits(open: boolean): void;
  removeGrant(grantId: string): void;
  undoRemoval(grantId: string): void;
  hideRemoval(grantId: string): void;
  refreshGrants(): void;
  openShells(open: boolean): void;
  refreshShells(): void;
  /** Ends it with everything that it started. */
  killShell(shellId: string): void;
  /** Lets the command of a running call go on by itself. */
  toBackground(callId: string): void;
  /** All that is kept of what it printed. */
  openShellOutput(shellId: string): void;
  showDetails(approvalId: string): void;
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
  hideConsentFault(): void;
  host(action: HostAction): void;
  remedy(remedy: Remedy): void;
  fillComposer(text: string): void;
}
