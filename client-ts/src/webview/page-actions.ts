// Turns what the user does into messages: to the page's own state, and to the host.
import type { BatchDecision, HostMessage, PageMessage } from "../common/page-messages.js";
import type { AttachedFile } from "../protocol/generated.js";
import type { Actions, AnswerExtras } from "./actions.js";
import { attachedFiles, isLookedAt, MOST_FILES } from "./attaching.js";
import type { PageHost } from "./host.js";
import { isWebLink } from "./links.js";
import {
  answeredTogether,
  type Card,
  drawnCards,
  type PageState,
  type Remedy,
  retryable,
  type ToolItem,
  type UserItem,
} from "./state.js";
import type { LocalMessage } from "./store.js";
import { ownWords } from "./store-changing.js";
import { findCard } from "./store-helpers.js";
import { askAgainWords } from "./words.js";

/** The page, as far as what the user does has to do with it. */
export interface Around {
  host: PageHost;
  now(): PageState;
  receive(message: HostMessage | LocalMessage): void;
  focusChat(): void;
  fillComposer(text: string): void;
  /** What stands in the composer. */
  draft(): string;
  find(): void;
  /** Where the user writes, a file begins to be named. */
  beginMention(): void;
}

/** Everything that the user can do here. */
export function pageActions(page: Around): Actions {
  const { host, now, receive } = page;
  return {
    send: (text, replaces) => sendDraft(page, text, replaces),
    change: (message) => change(page, message),
    keepMessage: () => endChanging(page, false),
    findFiles: (query) => host.post({ type: "findFiles", query }),
    endFinding: () => now().found && receive({ type: "localNoFiles" }),
    attach: (path) => attach(page, path),
    attachAll: (paths) => attachAll(page, paths),
    pickFiles: () => (now().host === "browser" ? page.beginMention() : host.post({ type: "pickFiles" })),
    refuse: (why) => receive({ type: "notice", level: "warning", text: why }),
    looksAtFiles: () => now().attached.some(isLookedAt),
    agreeToFile: (path, warningDigest) => receive({ type: "localAgree", path, warningDigest }),
    detach: (path) => receive({ type: "localDetach", path }),
    retry: (messageId) => retry(page, messageId),
    discard: (messageId) => receive({ type: "localDiscard", messageId }),
    retryRun: () => retryRun(page),
    stop: () => {
      receive({ type: "localStop" });
      host.post({ type: "stop" });
    },
    answersKeys: () => now().answersKeys,
    answer: (card, optionId, extras) => answer(page, card, optionId, extras),
    seen: (approvalId, argsDigest, revision) => receive({ type: "localSeen", approvalId, argsDigest, revision }),
    edit: (approvalId, editing) => receive({ type: "localEdit", approvalId, editing }),
    leaveOut: (approvalIds, out) => receive({ type: "localLeaveOut", approvalIds, out }),
    answerAll: (cards, decision) => answerAll(page, cards, decision),
    askAgain: (item) => askAgain(page, item),
    openPermits: (open) => receive({ type: "localPermits", open }),
    removeGrant: (grantId, digest) => {
      receive({ type: "localRemove", grantId });
      host.post({ type: "grantRevoke", grantId, ...(digest && { digest }) });
    },
    undoRemoval: (grantId) => host.post({ type: "grantUndo", grantId }),
    hideRemoval: (grantId) => receive({ type: "localRemovedSeen", grantId }),
    tell: (message) => host.post(message),
    openShells: (open) => {
      receive({ type: "localShells", open });
      if (open) host.post({ type: "shellsList" });
    },
    refreshShells: () => host.post({ type: "shellsList" }),
    killShell: (shellId) => askOfShell(page, shellId, { type: "shellKill", shellId }),
    toBackground: (toolCallId) => askOfShell(page, toolCallId, { type: "shellBackground", toolCallId }),
    openShellOutput: (shellId) => host.post({ type: "openShellOutput", shellId }),
    showDetails: (approvalId) => {
      receive({ type: "localDetails", approvalId });
      host.post({ type: "details", approvalId });
    },
    openDiff: (approvalId, argsDigest) => {
      receive({ type: "localCompare", approvalId });
      host.post({ type: "openDiff", approvalId, argsDigest });
    },
    openWritten: (toolCallId) => {
      const sessionId = now().session?.sessionId;
      if (sessionId !== undefined) host.post({ type: "openWritten", sessionId, toolCallId });
    },
    reveal: (approvalId) => host.post({ type: "reveal", approvalId }),
    setMode: (mode, applyNow) => {
      receive({ type: "localMode", mode, applyNow });
      host.post({ type: "setMode", mode, applyNow, sessionId: now().session?.sessionId });
    },
    chooseForAgent: (settingId, value, confirmed) => {
      const sessionId = now().session?.sessionId;
      host.post({ type: "setAgentOption", settingId, value, confirmed, sessionId });
    },
    newChat: (agent) => host.post({ type: "newChat", ...(agent === undefined ? {} : { agent }) }),
    closeChat: (sessionId) => host.post({ type: "closeChat", sessionId }),
    showChat: (sessionId) => host.post({ type: "showChat", sessionId }),
    openLink: (url) => {
      if (isWebLink(url)) host.post({ type: "openLink", url });
    },
    openFile: (path, line) => host.post({ type: "openFile", path, ...(line === undefined ? {} : { line }) }),
    showMedia: (toolCallId) => {
      const sessionId = now().session?.sessionId;
      if (sessionId !== undefined) host.post({ type: "showMedia", sessionId, toolCallId });
    },
    openResult: (toolCallId) => {
      const sessionId = now().session?.sessionId;
      if (sessionId !== undefined) host.post({ type: "openResult", sessionId, toolCallId });
    },
    pickConsent: (entryId, picked) => receive({ type: "localConsentPick", entryId, picked }),
    answerConsent: (honour) => answerConsent(page, honour),
    hideConsent: (consentId) => host.post({ type: "consentHide", consentId }),
    answerForm: (formId, action, content) => {
      receive({ type: "localFormAnswer", formId });
      host.post({ type: "formAnswer", formId, action, ...(content && { content }) });
    },
    hideConsentFault: () => receive({ type: "localConsentFaultSeen" }),
    host: (action) => host.post({ type: "hostAction", action }),
    remedy: (remedy) => help(page, remedy),
    fillComposer: (text) => page.fillComposer(text),
    showAllowed: (history) => receive({ type: "showGrants", history }),
    find: () => page.find(),
    say: (text) => receive({ type: "localSay", text }),
  };
}

function attach({ host, receive }: Around, path: string): void {
  receive({ type: "localAttach", path });
  host.post({ type: "attach", path });
}

function attachAll(page: Around, paths: readonly string[]): void {
  const known = new Set(page.now().attached.map(({ path }) => path));
  const others = [...new Set(paths)].filter((path) => !known.has(path));
  const fitting = others.slice(0, Math.max(0, MOST_FILES - known.size));
  for (const path of fitting) attach(page, path);
  const left = others.length - fitting.length;
  if (left === 0) return;
  const text = `At most ${MOST_FILES} files go along with one message: ${left} of them ${left === 1 ? "was" : "were"} left out.`;
  page.receive({ type: "notice", level: "warning", text });
}

/** What stands in the composer: a new message, or an earlier one that is said anew. */
function sendDraft(page: Around, text: string, replaces: boolean): void {
  const { changing, session, attached } = page.now();
  // Nothing can be taken out of what an agent of others was told.
  const insteadOf = session?.isGuest ? undefined : changing?.runId;
  send(page, text, replaces || insteadOf !== undefined, attachedFiles(attached), insteadOf);
  if (changing) endChanging(page, true);
}

function send(
  page: Around,
  text: string,
  replaces: boolean,
  attachments: readonly AttachedFile[],
  insteadOf?: string,
): void {
  const messageId = page.host.randomId();
  const files = attachments.length > 0 ? { attachments: [...attachments] } : {};
  page.receive({ type: "localSend", messageId, text, replaces, insteadOf, ...files });
  const busy = replaces ? ({ whenBusy: "replace" } as const) : {};
  const instead = insteadOf === undefined ? {} : { replacesMessage: insteadOf };
  const { sessionId } = page.now().session ?? {};
  page.host.post({ type: "send", messageId, text, ...busy, ...instead, ...files, sessionId });
}

/** What stood in the composer comes back afterwards. */
function change(page: Around, message: UserItem): void {
  const { runId, files = [] } = message;
  if (runId === undefined) return;
  const { changing, attached } = page.now();
  const before = changing ?? { draft: page.draft(), attached };
  page.receive({ type: "localChange", changing: { ...before, runId }, files });
  for (const path of files) page.host.post({ type: "attach", path });
  page.fillComposer(ownWords(message));
}

function endChanging(page: Around, sent: boolean): void {
  const { changing } = page.now();
  if (changing === undefined) return;
  page.receive({ type: "localKeepMessage", sent });
  page.fillComposer(changing.draft);
}

/** The button goes with the press: the focus stays with the chat. */
function retryRun(page: Around): void {
  if (retryable(page.now()) === undefined || page.now().connection.state !== "ready") return;
  page.focusChat();
  page.receive({ type: "localRetry" });
  page.host.post({ type: "retryRun", sessionId: page.now().session?.sessionId });
}

function retry(page: Around, messageId: string): void {
  const message = page.now().outgoing.find((one) => one.messageId === messageId);
  if (message === undefined) return;
  page.receive({ type: "localDiscard", messageId });
  const { text, attachments = [], insteadOf } = message;
  send(page, text, insteadOf !== undefined, attachments, insteadOf);
}

/** Sends an answer once: the state knows of it before another click can come, and of a change before it is drawn. */
function answer(page: Around, shown: Card, optionId: string, extras: AnswerExtras): void {
  const { approvalId, argsDigest } = shown.request;
  const now = findCard(page.now(), approvalId)?.card;
  if (now?.phase !== "open" || now.revision !== shown.revision || page.now().connection.state !== "ready") return;
  page.receive({ type: "localAnswer", approvalId, optionId });
  page.host.post({ type: "answer", approvalId, argsDigest, optionId, ...extras });
}

/** Exactly these, in exactly the state in which they were shown. */
function answerAll(page: Around, cards: readonly Card[], decision: BatchDecision): void {
  const now = new Set(answeredTogether(drawnCards(page.now()), decision));
  const meant = cards.filter((card) => now.has(card));
  if (meant.length === 0 || page.now().connection.state !== "ready") return;
  const items = meant.map(({ request: { approvalId, argsDigest } }) => ({ approvalId, argsDigest }));
  page.receive({ type: "localBatch", approvalIds: items.map((item) => item.approvalId), decision });
  page.host.post({ type: "batch", items, decision });
}

function askAgain(page: Around, item: ToolItem): void {
  if (item.askedAgain || page.now().connection.state !== "ready") return;
  page.receive({ type: "localAskAgain", itemId: item.id });
  send(page, askAgainWords(item), false, []);
}

function help({ host, now }: Around, remedy: Remedy): void {
  const { session } = now();
  if (remedy === "chooseModel") host.post({ type: "chooseModel" });
  else if (session) host.post({ type: "setKey", agent: session.agentName });
}

/** Asks it once, until there is an answer. */
function askOfShell(page: Around, id: string, message: PageMessage): void {
  if (page.now().shellsAsked.includes(id) || page.now().connection.state !== "ready") return;
  page.receive({ type: "localShellAsked", id });
  page.host.post(message);
}

function answerConsent(page: Around, honour: string[]): void {
  const { consent, connection } = page.now();
  if (consent?.phase !== "open" || connection.state !== "ready") return;
  page.receive({ type: "localConsentAnswer" });
  const { consentId, digest } = consent.request;
  page.host.post({ type: "consentAnswer", consentId, digest, honour });
}
