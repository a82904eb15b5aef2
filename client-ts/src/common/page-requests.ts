// What the page wants of the chat: each message handed to the part of the bridge that it is for.
import { fetchDetails, sendAnswer } from "./answers.js";
import type { Attaching } from "./attaching.js";
import { sendBatch } from "./batch.js";
import { openDiff } from "./changes.js";
import type { ChatSettings } from "./chat-settings.js";
import type { Chats } from "./chats.js";
import type { OpenConsent } from "./consent.js";
import type { Ends } from "./ends.js";
import type { OpenForms } from "./forms.js";
import type { Grants } from "./grants.js";
import { lookIntoHistory } from "./history-view.js";
import type { KeptForPage } from "./kept-for-page.js";
import type { ChatMessage } from "./page-messages.js";
import type { Permissions } from "./permissions.js";
import type { Sending } from "./sending.js";
import type { Shells } from "./shells.js";
import type { Showing } from "./showing.js";
import type { ViewPresence } from "./view-presence.js";

/** The parts of the bridge, by what they are about. */
export interface Parts {
  readonly ends: Ends;
  readonly sending: Sending;
  readonly chats: Chats;
  readonly chatSettings: ChatSettings;
  readonly consent: OpenConsent;
  readonly forms: OpenForms;
  readonly grants: Grants;
  readonly permissions: Permissions;
  readonly shells: Shells;
  readonly attaching: Attaching;
  readonly showing: Showing;
  readonly presence: ViewPresence;
  readonly kept: KeptForPage;
  /** A page is there, and gets everything. */
  pageReady(): Promise<void>;
}

/** Carries out what the page asks for. */
export async function handle(message: ChatMessage, parts: Parts): Promise<void> {
  const { ends, sending, chats, chatSettings, consent, grants, shells, attaching, showing, presence, kept } = parts;
  switch (message.type) {
    case "ready":
      return parts.pageReady();
    case "send":
      return sending.send(message);
    case "retryRun":
      return sending.retryRun(message.sessionId);
    case "stop":
      return sending.stop();
    case "answer":
      return sendAnswer(message, ends);
    case "batch":
      return sendBatch(message, ends);
    case "details":
      return fetchDetails(message.approvalId, ends);
    case "openDiff":
      return openDiff(message.approvalId, message.argsDigest, ends);
    case "grantRevoke":
      return grants.revoke(message.grantId, message.digest);
    case "grantUndo":
      return grants.undo(message.grantId);
    case "permissionsLook":
    case "bypassSet":
    case "defaultMode":
    case "answerForget":
      await parts.permissions.handle(message);
      return;
    case "historyLook":
      return lookIntoHistory(message, ends);
    case "shellsList":
      return shells.refresh();
    case "shellKill":
      return shells.kill(message.shellId);
    case "shellBackground":
      return shells.background(message.toolCallId);
    case "openShellOutput":
      return shells.openOutput(message.shellId);
    case "openWritten":
      return showing.written(message);
    case "reveal":
      return showing.reveal(message.approvalId);
    case "showMedia":
      return showing.media(message);
    case "openResult":
      return showing.result(message);
    case "copy":
      return showing.copy(message);
    case "consentAnswer":
      return consent.answer(message);
    case "formAnswer":
      return parts.forms.answer(message);
    case "consentHide":
      return consent.close(message.consentId);
    case "setMode":
      return chatSettings.setMode(message);
    case "setAgentOption":
      return chatSettings.setAgentOption(message);
    case "newChat":
      return chats.openNew(message.agent);
    case "showChat":
      return chats.show(message.sessionId);
    case "closeChat":
      return chats.close(message.sessionId);
    case "findFiles":
      return attaching.find(message.query);
    case "attach":
      return attaching.look(message.path);
    case "pickFiles":
      return kept.nameFiles(await ends.host.pickFiles());
    case "activity":
      return presence.activity();
  }
}
