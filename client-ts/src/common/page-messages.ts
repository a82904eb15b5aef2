// What page and host say to each other. The page is not trusted: everything that it says is checked on arrival.
import {
  any,
  array,
  boolean,
  type Check,
  fits,
  type Guard,
  guard,
  integer,
  maybe,
  object,
  optional,
  record,
  string,
  tagged,
  word,
} from "../protocol/check.js";
import {
  type AgentEvent,
  type AgentInfo,
  type ApprovalRequest,
  type ApprovalResolved,
  type AttachedFile,
  type BatchItem,
  type BatchResult,
  type ChatAttachable,
  type ConsentOutcome,
  type ConsentRequest,
  FORM_ACTION,
  type FormAction,
  type FormRequest,
  type GrantInfo,
  type GrantLimits,
  HISTORY_ENDING,
  HISTORY_STAGE,
  type HistoryEnding,
  type HistoryStage,
  isAgentEvent,
  isAgentInfo,
  isApprovalRequest,
  isApprovalResolved,
  isAttachedFile,
  isBatchItem,
  isBatchResult,
  isChatAttachable,
  isConsentOutcome,
  isConsentRequest,
  isFormRequest,
  isGrantInfo,
  isGrantLimits,
  isSessionInfo,
  isShellInfo,
  isStoredSetting,
  isToolMedia,
  MODE,
  type Mode,
  OPTION_KIND,
  type OptionKind,
  RESOLVED_BY,
  type ResolvedBy,
  type SessionInfo,
  type ShellInfo,
  STATUS,
  type Status,
  type StoredSetting,
  type ToolMedia,
  WHEN_BUSY,
  type WhenBusy,
} from "../protocol/generated.js";

export const HOST_ACTION = ["openSettings", "retry", "showLog", "reviewRun", "openFolder"] as const;
export type HostAction = (typeof HOST_ACTION)[number];

export const CONNECTION_STATE = ["starting", "ready", "lost", "failed"] as const;
export type ConnectionState = (typeof CONNECTION_STATE)[number];

export const HOST_KIND = ["editor", "browser"] as const;
export type HostKind = (typeof HOST_KIND)[number];

const SNAPSHOT = ["replace", "continue", "restarted"] as const;
/** Whether a chat takes the place of what the page shows, goes on from there, or begins below it after a restart. */
export type Snapshot = (typeof SNAPSHOT)[number];

const NOTICE_LEVEL = ["info", "warning", "error"] as const;
export type NoticeLevel = (typeof NOTICE_LEVEL)[number];

/** How a question really ended, told to a page whose answer came too late. */
export interface RealOutcome {
  status: Status;
  decision?: OptionKind | null;
  resolvedBy?: ResolvedBy | null;
}

/** From the host to the page. */
export type HostMessage =
  | { type: "hello"; host: HostKind; keys?: boolean }
  | { type: "connection"; state: ConnectionState; text: string; actions: HostAction[] }
  | { type: "serverGone" }
  | { type: "chats"; sessions: SessionInfo[]; agents: AgentInfo[] }
  | { type: "chat"; how: Snapshot; session: SessionInfo; events: AgentEvent[]; pending: ApprovalRequest[] }
  | { type: "session"; session: SessionInfo }
  | { type: "event"; event: AgentEvent }
  | { type: "approval"; request: ApprovalRequest }
  | { type: "resolved"; resolved: ApprovalResolved }
  | { type: "answered"; approvalId: string; decision: OptionKind; settings?: StoredSetting | null }
  | { type: "answerFailed"; approvalId: string; code: number; text: string; outcome?: RealOutcome | null }
  | { type: "batchAnswered"; results: BatchResult[] }
  | { type: "batchFailed"; approvalIds: string[]; code: number; text: string }
  | { type: "details"; approvalId: string; argsDigest: string; text: string; offset: number; total: number }
  | { type: "detailsFailed"; approvalId: string; text: string }
  | { type: "compared"; approvalId: string; argsDigest: string; tellAll: boolean; hides: boolean }
  | { type: "compareFailed"; approvalId: string; text: string }
  | { type: "grants"; grants: GrantInfo[] }
  | { type: "grantRevoked"; grantId: string; undoable: boolean }
  | { type: "grantRestored"; grantId: string }
  | { type: "grantFailed"; grantId: string; text: string }
  | { type: "showGrants"; history?: boolean }
  | { type: "permissions"; overview?: unknown; sandbox?: unknown }
  | { type: "history"; id: string; continues: boolean; page?: unknown; error?: string }
  | { type: "shells"; shells: ShellInfo[] }
  | { type: "shellAnswered"; id: string; error?: string | null }
  | { type: "media"; toolCallId: string; media?: ToolMedia | null; error?: string | null }
  | { type: "consent"; request: ConsentRequest }
  | { type: "consentClosed"; consentId: string }
  | { type: "consentAnswered"; consentId: string; outcome: ConsentOutcome }
  | { type: "consentFailed"; consentId: string; text: string }
  | { type: "form"; request: FormRequest }
  | { type: "formEnded"; formId: string }
  /** The answer did not count; `path` names the place where the server names one. */
  | { type: "formFailed"; formId: string; text: string; path: string }
  | { type: "sent"; messageId: string }
  | { type: "returned"; messageId: string; text: string; files: string[] }
  | { type: "sendFailed"; messageId: string; text: string }
  | { type: "files"; query: string; files: string[]; more: boolean }
  | { type: "attachable"; path: string; found?: ChatAttachable | null; error?: string | null }
  /** The user named these in the editor, beside the page. */
  | { type: "named"; paths: string[] }
  | { type: "copied"; id: string; ok: boolean }
  /** A command of the editor leads to the first card that waits. */
  | { type: "goToCard" }
  | PressMessage
  | { type: "notice"; level: NoticeLevel; text: string };

const CARD_KEY = ["approve", "deny"] as const;
export type CardKey = (typeof CARD_KEY)[number];

/** The card that a key would answer, in the state in which it is shown; nothing where there is none. */
export interface CardInView {
  approvalId?: string | undefined;
  argsDigest?: string | undefined;
}

/** A key of the editor was pressed while this card was in view. */
export interface PressMessage extends CardInView {
  type: "press";
  key: CardKey;
  /** It counts only if the page has the keyboard: the key means something else elsewhere. */
  onPage?: boolean;
}

/** The answer to one card. What was not edited is never sent back. */
export interface AnswerMessage {
  type: "answer";
  approvalId: string;
  argsDigest: string;
  optionId: string;
  feedback?: string;
  editedArgs?: unknown;
  limits?: GrantLimits;
}

/** The chat that was shown when the user did it: it is never done in another one that came up meanwhile. */
interface ForChat {
  sessionId?: string | undefined;
}

const BATCH_DECISION = ["allow_once", "reject_once"] as const;
export type BatchDecision = (typeof BATCH_DECISION)[number];

/** What the page wants to know or to be changed of what decides beside the grants. */
export type PermissionsMessage =
  | { type: "permissionsLook" }
  | { type: "bypassSet"; agent: string; on: boolean; digest?: string; sessionId?: string }
  | { type: "defaultMode"; mode: Mode; digest: string }
  | { type: "answerForget"; answerId: string };

/** What an entry of the history has to fit, all of it; `before` goes on where the last answer ended. */
export interface HistoryFilters {
  /** What kind of entries; decisions where nothing is said. */
  stage?: HistoryStage;
  agent?: string;
  tool?: string;
  ending?: HistoryEnding;
  text?: string;
  since?: string;
  until?: string;
  before?: number;
}

/** What the page wants to know of the history. */
export interface HistoryMessage {
  type: "historyLook";
  id: string;
  filters: HistoryFilters;
}

/** What the page wants of the chat. */
export type ChatMessage =
  | { type: "ready" }
  | ({
      type: "send";
      messageId: string;
      text: string;
      whenBusy?: WhenBusy;
      /** The run that an earlier message began: this is said instead of it. */
      replacesMessage?: string;
      attachments?: AttachedFile[];
    } & ForChat)
  | ({ type: "retryRun" } & ForChat)
  | { type: "stop" }
  | AnswerMessage
  | { type: "batch"; items: BatchItem[]; decision: BatchDecision }
  | { type: "details"; approvalId: string }
  | { type: "openDiff"; approvalId: string; argsDigest: string }
  | { type: "openWritten"; sessionId: string; toolCallId: string }
  | { type: "reveal"; approvalId: string }
  | { type: "showMedia"; sessionId: string; toolCallId: string }
  | { type: "openResult"; sessionId: string; toolCallId: string }
  | { type: "consentAnswer"; consentId: string; digest: string; honour: string[] }
  | { type: "consentHide"; consentId: string }
  | { type: "formAnswer"; formId: string; action: FormAction; content?: Record<string, unknown> }
  | ({ type: "setMode"; mode: Mode; applyNow?: boolean } & ForChat)
  | ({ type: "setAgentOption"; settingId: string; value: string; confirmed: boolean } & ForChat)
  | { type: "newChat"; agent?: string }
  | { type: "showChat"; sessionId: string }
  | { type: "closeChat"; sessionId: string }
  | { type: "grantRevoke"; grantId: string; digest?: string }
  | { type: "grantUndo"; grantId: string }
  | { type: "shellsList" }
  | { type: "shellKill"; shellId: string }
  | { type: "shellBackground"; toolCallId: string }
  | { type: "openShellOutput"; shellId: string }
  | { type: "findFiles"; query: string }
  | { type: "attach"; path: string }
  | { type: "pickFiles" }
  | { type: "copy"; id: string; text: string }
  | PermissionsMessage
  | HistoryMessage
  | { type: "activity" };

/** One of these by its name. */
export type ChatMessageOf<T extends ChatMessage["type"]> = Extract<ChatMessage, { type: T }>;

/** What the page wants of the program around it. */
export type HostRequest =
  | { type: "openLink"; url: string }
  | { type: "openFile"; path: string; line?: number }
  | { type: "hostAction"; action: HostAction }
  | { type: "setKey"; agent: string }
  | { type: "chooseModel" }
  | ({ type: "cardInView"; hasKeyboard: boolean } & CardInView);

/** From the page to the host. */
export type PageMessage = ChatMessage | HostRequest;

const filled: Check = (value, path) => (typeof value === "string" && value !== "" ? undefined : path);

const realOutcome = object({
  status: word(STATUS),
  decision: maybe(word(OPTION_KIND)),
  resolvedBy: maybe(word(RESOLVED_BY)),
});

const hostMessage = tagged("type", {
  hello: object({ host: word(HOST_KIND), keys: optional(boolean) }),
  connection: object({ state: word(CONNECTION_STATE), text: string, actions: array(word(HOST_ACTION)) }),
  serverGone: object({}),
  chats: object({ sessions: array(fits(isSessionInfo)), agents: array(fits(isAgentInfo)) }),
  chat: object({
    how: word(SNAPSHOT),
    session: fits(isSessionInfo),
    events: array(fits(isAgentEvent)),
    pending: array(fits(isApprovalRequest)),
  }),
  session: object({ session: fits(isSessionInfo) }),
  event: object({ event: fits(isAgentEvent) }),
  approval: object({ request: fits(isApprovalRequest) }),
  resolved: object({ resolved: fits(isApprovalResolved) }),
  answered: object({
    approvalId: string,
    decision: word(OPTION_KIND),
    settings: maybe(fits(isStoredSetting)),
  }),
  answerFailed: object({ approvalId: string, code: integer, text: string, outcome: maybe(realOutcome) }),
  batchAnswered: object({ results: array(fits(isBatchResult)) }),
  batchFailed: object({ approvalIds: array(string), code: integer, text: string }),
  details: object({ approvalId: string, argsDigest: string, text: string, offset: integer, total: integer }),
  detailsFailed: object({ approvalId: string, text: string }),
  compared: object({ approvalId: string, argsDigest: string, tellAll: boolean, hides: boolean }),
  compareFailed: object({ approvalId: string, text: string }),
  grants: object({ grants: array(fits(isGrantInfo)) }),
  grantRevoked: object({ grantId: string, undoable: boolean }),
  grantRestored: object({ grantId: string }),
  grantFailed: object({ grantId: string, text: string }),
  showGrants: object({ history: optional(boolean) }),
  // What is in there is looked at where it is drawn: by a part of the page that is loaded for it.
  permissions: object({}),
  history: object({ id: string, continues: boolean }),
  shells: object({ shells: array(fits(isShellInfo)) }),
  shellAnswered: object({ id: string, error: maybe(string) }),
  media: object({ toolCallId: string, media: maybe(fits(isToolMedia)), error: maybe(string) }),
  consent: object({ request: fits(isConsentRequest) }),
  consentClosed: object({ consentId: string }),
  consentAnswered: object({ consentId: string, outcome: fits(isConsentOutcome) }),
  consentFailed: object({ consentId: string, text: string }),
  form: object({ request: fits(isFormRequest) }),
  formEnded: object({ formId: string }),
  formFailed: object({ formId: string, text: string, path: string }),
  sent: object({ messageId: string }),
  returned: object({ messageId: string, text: string, files: array(filled) }),
  sendFailed: object({ messageId: string, text: string }),
  files: object({ query: string, files: array(string), more: boolean }),
  attachable: object({ path: string, found: maybe(fits(isChatAttachable)), error: maybe(string) }),
  named: object({ paths: array(filled) }),
  copied: object({ id: string, ok: boolean }),
  goToCard: object({}),
  press: object({
    key: word(CARD_KEY),
    onPage: optional(boolean),
    approvalId: optional(filled),
    argsDigest: optional(filled),
  }),
  notice: object({ level: word(NOTICE_LEVEL), text: string }),
});

const pageMessage = tagged("type", {
  ready: object({}),
  send: object({
    messageId: filled,
    text: filled,
    whenBusy: optional(word(WHEN_BUSY)),
    replacesMessage: optional(filled),
    attachments: optional(array(fits(isAttachedFile))),
    sessionId: optional(filled),
  }),
  retryRun: object({ sessionId: optional(filled) }),
  stop: object({}),
  answer: object({
    approvalId: filled,
    argsDigest: filled,
    optionId: filled,
    feedback: optional(string),
    editedArgs: optional(any),
    limits: optional(fits(isGrantLimits)),
  }),
  batch: object({ items: array(fits(isBatchItem)), decision: word(BATCH_DECISION) }),
  details: object({ approvalId: filled }),
  openDiff: object({ approvalId: filled, argsDigest: filled }),
  openWritten: object({ sessionId: filled, toolCallId: filled }),
  reveal: object({ approvalId: filled }),
  showMedia: object({ sessionId: filled, toolCallId: filled }),
  openResult: object({ sessionId: filled, toolCallId: filled }),
  consentAnswer: object({ consentId: filled, digest: filled, honour: array(filled) }),
  consentHide: object({ consentId: filled }),
  formAnswer: object({ formId: filled, action: word(FORM_ACTION), content: optional(record(any)) }),
  setMode: object({ mode: word(MODE), applyNow: optional(boolean), sessionId: optional(filled) }),
  setAgentOption: object({
    settingId: filled,
    value: filled,
    confirmed: boolean,
    sessionId: optional(filled),
  }),
  newChat: object({ agent: optional(filled) }),
  showChat: object({ sessionId: filled }),
  closeChat: object({ sessionId: filled }),
  grantRevoke: object({ grantId: filled, digest: optional(filled) }),
  grantUndo: object({ grantId: filled }),
  shellsList: object({}),
  shellKill: object({ shellId: filled }),
  shellBackground: object({ toolCallId: filled }),
  openShellOutput: object({ shellId: filled }),
  findFiles: object({ query: string }),
  attach: object({ path: filled }),
  pickFiles: object({}),
  copy: object({ id: filled, text: filled }),
  permissionsLook: object({}),
  bypassSet: object({ agent: filled, on: boolean, digest: optional(filled), sessionId: optional(filled) }),
  defaultMode: object({ mode: word(MODE), digest: filled }),
  answerForget: object({ answerId: filled }),
  historyLook: object({
    id: filled,
    filters: object({
      agent: optional(filled),
      tool: optional(filled),
      stage: optional(word(HISTORY_STAGE)),
      ending: optional(word(HISTORY_ENDING)),
      text: optional(filled),
      since: optional(filled),
      until: optional(filled),
      before: optional(integer),
    }),
  }),
  activity: object({}),
  openLink: object({ url: filled }),
  openFile: object({ path: filled, line: optional(integer) }),
  hostAction: object({ action: word(HOST_ACTION) }),
  setKey: object({ agent: filled }),
  chooseModel: object({}),
  cardInView: object({ hasKeyboard: boolean, approvalId: optional(filled), argsDigest: optional(filled) }),
});

export const isHostMessage: Guard<HostMessage> = guard(hostMessage);
export const isPageMessage: Guard<PageMessage> = guard(pageMessage);
export const isRealOutcome: Guard<RealOutcome> = guard(realOutcome);
