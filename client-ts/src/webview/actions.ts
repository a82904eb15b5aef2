// What the user can do on the page.
import type { HostAction } from "../common/page-messages.js";
import type { Mode } from "../protocol/generated.js";

/** Handed to everything that draws; nothing else on the page sends. */
export interface Actions {
  send(text: string): void;
  retry(messageId: string): void;
  discard(messageId: string): void;
  stop(): void;
  answer(approvalId: string, optionId: string, feedback: string): void;
  showDetails(approvalId: string): void;
  setMode(mode: Mode, applyNow: boolean): void;
  newChat(): void;
  showChat(sessionId: string): void;
  openLink(url: string): void;
  openFile(path: string, line?: number): void;
  pickConsent(entryId: string, picked: boolean): void;
  answerConsent(honour: string[]): void;
  hideConsent(consentId: string): void;
  hideConsentFault(): void;
  host(action: HostAction): void;
  fillComposer(text: string): void;
}
