// Generated from server/assent/protocol by `python3 dev.py generate`. Do not edit.

import { type Check, type Guard, any, array, boolean, guard, integer, maybe, nullable, number, object, optional, record, string, tagged, word } from "./check.js";

export const PROTOCOL_VERSION = 1;

/** JSON-RPC error codes. */
export const ErrorCode = {
  PARSE_ERROR: -32700,
  INVALID_REQUEST: -32600,
  METHOD_NOT_FOUND: -32601,
  INVALID_PARAMS: -32602,
  INTERNAL_ERROR: -32603,
  NOT_INITIALIZED: -32002,
  REQUEST_CANCELLED: -32800,
  APPROVAL_NOT_FOUND: -31001,
  APPROVAL_ALREADY_RESOLVED: -31002,
  INVALID_OPTION: -31003,
  DIGEST_MISMATCH: -31004,
  SESSION_NOT_FOUND: -31005,
  NOT_RECORDED: -31006,
  SHELL_NOT_FOUND: -31007,
  NOT_CONFIRMED: -31008,
} as const;

export const MODE = ["plan", "ask", "default", "auto"] as const;
export type Mode = (typeof MODE)[number];

export const MODE_OR_ALIAS = ["plan", "ask", "default", "auto", "ask_every_time", "auto_accept_read_only", "auto_accept_all"] as const;
export type ModeOrAlias = (typeof MODE_OR_ALIAS)[number];

export const CATEGORY = ["read", "write", "execute", "external", "internal"] as const;
export type Category = (typeof CATEGORY)[number];

export const OPTION_KIND = ["allow_once", "allow_session", "allow_always", "reject_once", "reject_always", "bypass_session", "bypass_agent", "background", "add_directory"] as const;
export type OptionKind = (typeof OPTION_KIND)[number];

export const DECISION = ["allow_once", "allow_session", "allow_always", "reject_once", "reject_always", "bypass_session", "bypass_agent", "background", "add_directory", "accept", "reject", "always_allow", "allow", "allow_for_chat", "deny"] as const;
export type Decision = (typeof DECISION)[number];

export const TOOL_KIND = ["read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other"] as const;
export type ToolKind = (typeof TOOL_KIND)[number];

export const WRITTEN_SIDE = ["before", "after"] as const;
export type WrittenSide = (typeof WRITTEN_SIDE)[number];

export const STATUS = ["allowed", "rejected", "cancelled", "timeout", "expired", "denied_by_rule"] as const;
export type Status = (typeof STATUS)[number];

export const RESOLVED_BY = ["user", "policy", "timeout", "stop", "agent", "agent_exit", "shutdown", "restart"] as const;
export type ResolvedBy = (typeof RESOLVED_BY)[number];

export const PHASE = ["pre_tool_use", "awaiting_approval", "running", "post_tool_use"] as const;
export type Phase = (typeof PHASE)[number];

export const SHELL_STATUS = ["running", "exited", "killed", "failed"] as const;
export type ShellStatus = (typeof SHELL_STATUS)[number];

export const OUTPUT_STREAM = ["stdout", "stderr"] as const;
export type OutputStream = (typeof OUTPUT_STREAM)[number];

export const RISK_LEVEL = ["low", "medium", "high"] as const;
export type RiskLevel = (typeof RISK_LEVEL)[number];

export const LINE_KIND = ["context", "added", "removed", "gap"] as const;
export type LineKind = (typeof LINE_KIND)[number];

export const NOTICE_LEVEL = ["info", "warning", "error"] as const;
export type NoticeLevel = (typeof NOTICE_LEVEL)[number];

export const DONE_REASON = ["stop", "cancelled", "limit"] as const;
export type DoneReason = (typeof DONE_REASON)[number];

export const RUN_END = ["stop", "cancelled", "limit", "error"] as const;
export type RunEnd = (typeof RUN_END)[number];

export const WHEN_BUSY = ["queue", "replace"] as const;
export type WhenBusy = (typeof WHEN_BUSY)[number];

export const POLICY_OUTCOME = ["run", "ask", "block", "error", "need_hooks"] as const;
export type PolicyOutcome = (typeof POLICY_OUTCOME)[number];

export const WRITE_TARGET = ["workspace", "user"] as const;
export type WriteTarget = (typeof WRITE_TARGET)[number];

export const HISTORY_STAGE = ["requested", "decided", "started", "finished", "granted", "revoked"] as const;
export type HistoryStage = (typeof HISTORY_STAGE)[number];

export const HISTORY_ENDING = ["allowed", "rejected", "cancelled", "timeout", "expired", "denied_by_rule", "blocked", "unusable", "done", "failed", "stopped", "unknown"] as const;
export type HistoryEnding = (typeof HISTORY_ENDING)[number];

export const GRANT_KIND = ["key", "directory", "bypass_session", "tool", "rule", "deny_rule", "ask_rule", "bypass_agent", "root", "mode", "matrix", "server", "server_trust"] as const;
export type GrantKind = (typeof GRANT_KIND)[number];

export const SETTINGS_SCOPE = ["user", "workspace", "folder"] as const;
export type SettingsScope = (typeof SETTINGS_SCOPE)[number];

export const RULE_EFFECT = ["deny", "ask", "allow"] as const;
export type RuleEffect = (typeof RULE_EFFECT)[number];

export const GRANT_SCOPE = ["chat", "workspace", "user"] as const;
export type GrantScope = (typeof GRANT_SCOPE)[number];

export const MEDIA_TYPE = ["image/png", "image/jpeg", "image/webp", "image/gif", "image/svg+xml", "audio/wav", "audio/mpeg"] as const;
export type MediaType = (typeof MEDIA_TYPE)[number];

export const EDITOR_COMMAND_ID = ["vscode.executeDocumentSymbolProvider", "vscode.executeWorkspaceSymbolProvider", "vscode.executeDefinitionProvider", "vscode.executeTypeDefinitionProvider", "vscode.executeImplementationProvider", "vscode.executeReferenceProvider", "vscode.executeHoverProvider", "vscode.executeSignatureHelpProvider", "vscode.executeCodeLensProvider", "editor.action.formatDocument", "editor.action.organizeImports", "workbench.action.files.saveAll", "testing.runAll", "testing.reRunFailTests", "testing.cancelRun", "git.refresh"] as const;
export type EditorCommandId = (typeof EDITOR_COMMAND_ID)[number];

export const ARGUMENT_KIND = ["file", "position", "text", "number", "boolean"] as const;
export type ArgumentKind = (typeof ARGUMENT_KIND)[number];

export const FORM_ACTION = ["accept", "decline", "cancel"] as const;
export type FormAction = (typeof FORM_ACTION)[number];

export const FORM_ASKER_KIND = ["mcp_server", "agent"] as const;
export type FormAskerKind = (typeof FORM_ASKER_KIND)[number];

export const FORM_FIELD_KIND = ["text", "email", "uri", "date", "date_time", "number", "integer", "boolean", "choice", "choices"] as const;
export type FormFieldKind = (typeof FORM_FIELD_KIND)[number];

/** Of files with such names: `*.bat`, of the language that they are in. */
export interface NamedEncoding {
  pattern: string;
  encoding: string;
}

/** How the editor takes the files of a folder to be encoded: `files.encoding` as all of its settings together say
it, and for languages of which they say something else. The first pattern that fits counts. */
export interface FolderEncodings {
  folder: string;
  encoding: string;
  names?: NamedEncoding[];
}

/** The `assent.*` values by scope, without their prefix, as the editor inspects them. */
export interface ScopedSettings {
  user?: Record<string, unknown> | null;
  workspace?: Record<string, unknown> | null;
  folder?: Record<string, unknown> | null;
  workspaceTrusted?: boolean | null;
  encodings?: FolderEncodings[] | null;
}

/** `initializationOptions.assent`: what the client can do, and the settings as it knows them. */
export interface ClientHandshake {
  protocol?: number;
  capabilities?: string[];
  options?: string[] | null;
  workspaceTrusted?: boolean | null;
  settings?: ScopedSettings | null;
  workspaceFile?: string | null;
  ripgrep?: string | null;
}

/** `capabilities.experimental.assent`: the protocol spoken here, and the options that a card may have. */
export interface ServerHandshake {
  version: number;
  options: OptionKind[];
  serverVersion: string;
}

/** A key by its name. */
export interface SecretParams {
  name: string;
}

/** The key, or null. */
export interface SecretValue {
  value: string | null;
}

/** The user's message that starts a run. With `replaces`, it is said instead of the message that began that run: the
model knows nothing of what came since. `files` are named at the end of the text, each as `[name]`, pictures as
`[image name]`. */
export interface PromptData {
  text: string;
  replaces?: string | null;
  files?: string[] | null;
}

/** A run begins where the one before failed, without a new message. */
export interface RetryData {
}

/** A piece of text or of reasoning; the other one is null. */
export interface ChunkData {
  text: string | null;
  thinking: string | null;
  parentToolCallId?: string | null;
}

/** The model made a call. */
export interface ToolCallData {
  toolCallId: string;
  tool: string;
  args: unknown;
  category: Category;
  headline: string;
  depth: number;
  parentToolCallId?: string | null;
}

/** The call waits for the user: a mirror of tool/approvalRequest for those who only follow the stream. */
export interface ToolPermissionData {
  toolCallId: string;
  tool: string;
  args: unknown;
  request_id: string;
}

/** The call entered another phase, or printed something. */
export interface ToolUpdateData {
  toolCallId: string;
  phase: Phase;
  note?: string | null;
  outputDelta?: string | null;
  shellId?: string | null;
  decidedAt?: string | null;
}

/** A picture or a sound that a call has written: `tool/media` has it, as long as the file is the same. */
export interface MadeInfo {
  mime: MediaType;
  size: number;
}

/** The one result of a call. */
export interface ToolResultData {
  toolCallId: string;
  tool: string;
  success: boolean;
  output: string;
  durationMs: number;
  is_error: boolean;
  path?: string | null;
  content?: string | null;
  code?: string | null;
  truncated?: boolean | null;
  wholeLength?: number | null;
  made?: MadeInfo | null;
}

/** The run ended as it should. */
export interface DoneData {
  done_reason: DoneReason;
}

/** The run ended on a fault. */
export interface ErrorData {
  message: string;
  code?: string | null;
  canRetry?: boolean | null;
}

/** What one turn of the model cost, in tokens, and the whole run so far. */
export interface UsageData {
  runInput: number;
  runOutput: number;
  input?: number | null;
  output?: number | null;
  cached?: number | null;
  contextWindow?: number | null;
  parentToolCallId?: string | null;
}

/** The run came to one of its limits; `limit` is the name in `assent.limits`. */
export interface BudgetExceededData {
  limit: string;
  value: number;
  observed: number;
  message: string;
  parentToolCallId?: string | null;
}

/** The chat's mode is another one now. */
export interface ModeData {
  mode: Mode;
}

/** What runs in this chat without asking. */
export interface GrantsData {
  grants: string[];
  bypassAgent: boolean;
  bypassSession: boolean;
}

/** Something the user should know that belongs to no call. */
export interface NotificationData {
  text: string;
  level: NoticeLevel;
}

/** A command in the background printed something, was started, moved or ended.

Either `stream` and `line`, which pass: a piece of its output, not kept in the chat; or `status`. */
export interface ShellData {
  shellId: string;
  stream?: OutputStream | null;
  line?: string | null;
  status?: ShellStatus | null;
  exitCode?: number | null;
  signal?: string | null;
  toolCallId?: string | null;
  command?: string | null;
  reason?: string | null;
}

/** A step of an agent's plan. `status`: pending, in_progress, completed, or a word of the agent's own. */
export interface PlanEntry {
  content: string;
  status: string;
}

/** The whole plan of an agent as it is now; it takes the place of the one before. */
export interface PlanData {
  entries: PlanEntry[];
}

/** A word that a message to this agent can begin with, behind a slash; `hint`: what can follow it. */
export interface SlashCommand {
  name: string;
  description: string;
  hint?: string | null;
}

/** All slash commands that an agent of others has now. */
export interface CommandsData {
  commands: SlashCommand[];
}

/** A value that a setting of an agent can have; `danger`: why it then does not ask for everything. */
export interface AgentChoice {
  choiceId: string;
  name: string;
  description: string;
  danger?: string | null;
}

/** Something that an agent of others lets its user choose; `isMode`: it says how the agent works. */
export interface AgentSetting {
  settingId: string;
  name: string;
  isMode: boolean;
  choices: AgentChoice[];
  current?: string | null;
}

/** What can be chosen in the session of an agent of others, and what of it lets it act without asking. */
export interface AgentStateData {
  settings: AgentSetting[];
  danger?: string | null;
}

/** The call in the terms of the Agent Client Protocol. */
export interface ToolCallInfo {
  toolCallId: string;
  title?: string | null;
  kind?: ToolKind | null;
  rawInput?: Record<string, unknown> | null;
}

/** One button: its words, what it does, how far it reaches, how many other waiting calls it settles.

With a `disabledReason` it is shown and cannot be chosen; its `scopeText` then says why as well. */
export interface ApprovalOption {
  optionId: string;
  name: string;
  kind: OptionKind;
  scopeText?: string | null;
  alsoResolves?: number | null;
  disabledReason?: string | null;
}

/** The rule that made the server ask, and where it is written. */
export interface RuleOrigin {
  pattern: string;
  scope: string;
  file?: string | null;
  line?: number | null;
}

/** Why the server asks: a stable word and a sentence. */
export interface ApprovalReason {
  code: string;
  text: string;
  rule?: RuleOrigin | null;
}

/** What to look out for, computed by the server. */
export interface RiskInfo {
  level: RiskLevel;
  notes?: string[];
}

/** A line of a diff; `gap` stands for unchanged lines that are left out. */
export interface DiffLineInfo {
  kind: LineKind;
  text: string;
  oldNumber?: number | null;
  newNumber?: number | null;
}

/** A file as it is and as it would be. */
export interface DiffPreview {
  path: string;
  realPath: string;
  isNew: boolean;
  lines: DiffLineInfo[];
  added: number;
  removed: number;
  note?: string | null;
  kind: "diff";
}

/** The arguments as exact JSON text. */
export interface JsonPreview {
  text: string;
  kind: "json";
}

/** One program of a command: how it is written, what it does in words, and what to look out for. */
export interface CommandPart {
  written: string;
  does: string;
  notes?: string[];
}

/** A shell command exactly as it would run, and what is known of its parts. */
export interface CommandPreview {
  text: string;
  parts: CommandPart[];
  moreParts?: number;
  unreadable?: string | null;
  moreOnlyRead?: boolean;
  note?: string | null;
  sandbox?: string | null;
  kind: "command";
}

/** An address exactly as it would be reached, its host set apart. */
export interface UrlPreview {
  before: string;
  host: string;
  after: string;
  note?: string | null;
  kind: "url";
}

/** One call of several that another one would make. */
export interface StepInfo {
  number: number;
  name: string;
  headline: string;
  category: Category;
  preview: DiffPreview | JsonPreview | CommandPreview | UrlPreview;
  notes?: string[];
}

/** All calls that a call would make, one after the other. Each is decided about by itself when its turn comes. */
export interface StepsPreview {
  title: string;
  steps: StepInfo[];
  done?: number;
  kind: "steps";
}

/** When the question ends by itself; `running` says whether the clock counts now. */
export interface TimeoutInfo {
  seconds: number;
  running: boolean;
  remainingMs: number;
}

/** The card does not hold all of what would run; tool/approvalDetails has the whole arguments. */
export interface TruncatedInfo {
  argsBytes: number;
}

/** The user has given the same answer to such calls often in this chat, as the sentence says.

`optionId` is the answer on this card that would do without asking; it is one of its options, as they are. */
export interface RepeatedInfo {
  answer: "allowed" | "denied";
  times: number;
  text: string;
  optionId?: string | null;
}

/** A call waits for the user. Drawn as a card; the same id again replaces the card in place. */
export interface ApprovalRequest {
  approvalId: string;
  seq: number;
  sessionId: string;
  tabId: string;
  agentName: string;
  agentId: string;
  toolCall: ToolCallInfo;
  tool: string;
  args: unknown;
  argsDigest: string;
  category: Category;
  headline: string;
  directory: string;
  options: ApprovalOption[];
  reason: ApprovalReason;
  depth: number;
  path: string[];
  mode: Mode;
  createdAt: string;
  risk?: RiskInfo | null;
  preview?: DiffPreview | JsonPreview | CommandPreview | UrlPreview | StepsPreview | null;
  agentSays?: string | null;
  parentToolCallId?: string | null;
  timeout?: TimeoutInfo | null;
  truncated?: TruncatedInfo | null;
  inexact?: string[] | null;
  redactions?: number | null;
  redelivery?: boolean | null;
  refreshed?: boolean | null;
  interrupted?: boolean | null;
  repeated?: RepeatedInfo | null;
  limits?: boolean | null;
  comparable?: boolean | null;
  editable?: boolean | null;
}

/** The user picked an option. */
export interface Selected {
  optionId: string;
  outcome: "selected";
}

/** The user closed the question: it counts as a refusal. */
export interface Dismissed {
  outcome: "cancelled";
}

/** The answer in the shape of the Agent Client Protocol. */
export interface ResponseBody {
  outcome: Selected | Dismissed;
}

/** When a grant for this chat ends by itself. */
export interface GrantLimits {
  minutes?: number | null;
  uses?: number | null;
  untilRunEnds?: boolean | null;
}

/** The answer to one question. Exactly one of `response`, `bypassAll` and `decision` decides.

A `decision` picks the narrowest option of its kind. `always_allow` alone means the tool: it is stored in
`assent.toolAllowlist` where the card offers that, else the narrowest rule is. All shell commands (`bash`) are
allowed by the id of that option only, for the chat and for good: for a command `always_allow` stores exactly that
command, and `allow_for_chat` means its first words. Where the card has no such option, the answer is refused with
-31003 and the call still waits. */
export interface ApprovalResponse {
  approvalId: string;
  sessionId?: string | null;
  viewId?: string | null;
  response?: ResponseBody | null;
  bypassAll?: boolean | null;
  decision?: Decision | null;
  feedback?: string | null;
  argsDigest?: string | null;
  editedArgs?: unknown;
  limits?: GrantLimits | null;
}

/** Where something is said, as closely as it is known. */
export interface SettingPlace {
  scope: SettingsScope;
  file?: string | null;
  line?: number | null;
}

/** What became of the setting that an answer writes. */
export interface StoredSetting {
  written: boolean;
  target: string;
  error?: string | null;
  overruledBy?: SettingPlace | null;
}

/** The answer counted; this is what it decided. */
export interface ApprovalOutcome {
  approvalId: string;
  decision: OptionKind;
  status: "accepted";
  resolvedBy: "user";
  settings?: StoredSetting | null;
}

/** A question ended, however it ended. Every view closes its card. */
export interface ApprovalResolved {
  approvalId: string;
  sessionId: string;
  toolCallId: string;
  status: Status;
  resolvedBy: ResolvedBy;
  reasonText: string;
  decision?: OptionKind | null;
  resolvedAt?: string | null;
}

/** Which waiting calls: of one chat, or all. */
export interface PendingApprovalsParams {
  sessionId?: string | null;
}

/** All waiting calls, in the order in which they were asked, each marked as a redelivery. */
export interface PendingApprovals {
  approvals: ApprovalRequest[];
}

/** A piece of the arguments' JSON text, counted in characters; the text holds ASCII only. */
export interface ApprovalDetailsParams {
  approvalId: string;
  offset: number;
  length: number;
}

/** The piece, and how long the whole is. */
export interface ApprovalDetails {
  text: string;
  offset: number;
  totalLength: number;
}

/** A piece of what one of the files of a waiting call would hold, from this character on.

The digest says which state of the call is meant; any other is an error, and the card is asked anew. */
export interface ApprovalChangeParams {
  approvalId: string;
  argsDigest: string;
  file?: number;
  offset?: number;
}

/** The piece of the file's text as it would be written, and where the next one begins; nothing after the last. */
export interface ApprovalChange {
  path: string;
  realPath: string;
  text: string;
  besideFile: boolean;
  files: number;
  tellAll: boolean;
  nextOffset?: number | null;
}

/** A question whose card masks secrets, of a client that announced `reveal`. */
export interface RevealParams {
  approvalId: string;
}

/** An empty result. */
export interface Nothing {
}

/** One of the calls that are answered together, in the state in which it was shown. */
export interface BatchItem {
  approvalId: string;
  argsDigest: string;
}

/** One answer to several questions, each of which was shown. A yes leaves protected and outside ones waiting. */
export interface ApprovalBatch {
  items: BatchItem[];
  decision: "allow_once" | "reject_once";
  feedback?: string | null;
  viewId?: string | null;
}

/** Why an answer did not count. */
export interface BatchFault {
  code: number;
  message: string;
}

/** What became of one of them: accepted, left waiting, or not counted. */
export interface BatchResult {
  approvalId: string;
  status: "accepted" | "left" | "failed";
  error?: BatchFault | null;
}

/** One result for each, in the same order. */
export interface BatchOutcome {
  results: BatchResult[];
}

/** A card that leads to nothing, to see that the round trip works. */
export interface TestApprovalParams {
  sessionId: string;
}

/** What was clicked on the test card. */
export interface TestApprovalResult {
  status: Status;
  decision?: OptionKind | null;
}

/** A piece of a long result, from this character on. */
export interface ToolResultParams {
  sessionId: string;
  toolCallId: string;
  offset: number;
}

/** The piece, and where the next one begins; nothing after the last. */
export interface ToolResultPiece {
  text: string;
  nextOffset?: number | null;
}

/** A piece of a file that a call wrote, from this character on: as the run found it, or as the call left it. */
export interface ToolWrittenParams {
  sessionId: string;
  toolCallId: string;
  side: WrittenSide;
  offset?: number;
}

/** The piece, and where the next one begins; nothing after the last. No text: what was there is not known. */
export interface ToolWritten {
  realPath: string;
  text?: string | null;
  nextOffset?: number | null;
}

/** The picture or the sound that a call has made. */
export interface ToolMediaParams {
  sessionId: string;
  toolCallId: string;
}

/** All of its bytes, in base64. */
export interface ToolMedia {
  mime: MediaType;
  data: string;
}

/** One of the values that a field may have, with the words for it. */
export interface FormChoice {
  value: string;
  label: string;
}

/** One thing that is asked for. Its texts are a stranger's, with secrets masked. */
export interface FormField {
  name: string;
  kind: FormFieldKind;
  title: string;
  required: boolean;
  description?: string | null;
  default?: unknown;
  choices?: FormChoice[] | null;
  least?: number | null;
  most?: number | null;
  warning?: string | null;
}

/** A program asks the user for something. It waits until it is answered, or until what asked it has ended. */
export interface FormRequest {
  formId: string;
  sessionId: string;
  askerKind: FormAskerKind;
  askerName: string;
  message: string;
  fields: FormField[];
  createdAt: string;
  behind?: string | null;
  toolCallId?: string | null;
  warning?: string | null;
}

/** What the user did with a form. `content` goes with `accept` only, by the names of the fields. */
export interface FormAnswerParams {
  formId: string;
  action: FormAction;
  sessionId?: string | null;
  content?: Record<string, unknown> | null;
}

/** The form does not wait any more. Every view closes it. Without an action it was withdrawn. */
export interface FormEnded {
  formId: string;
  sessionId: string;
  action?: FormAction | null;
}

/** Of one chat, or of all. */
export interface PendingFormsParams {
  sessionId?: string | null;
}

/** The forms that wait, oldest first. */
export interface PendingForms {
  forms: FormRequest[];
}

/** Of one chat, or of all. */
export interface ShellListParams {
  sessionId?: string | null;
}

/** A command that runs, or has run in the background: a page lists it, with its last lines and a way to end it. */
export interface ShellInfo {
  shellId: string;
  sessionId: string;
  toolCallId: string;
  command: string;
  directory: string;
  background: boolean;
  status: ShellStatus;
  ageMs: number;
  tail: string;
  printed: number;
  dropped: number;
  exitCode?: number | null;
  signal?: string | null;
  sandbox?: string | null;
}

/** What runs, and what has ended in the background and is still kept; oldest first. */
export interface ShellList {
  shells: ShellInfo[];
}

/** What a command printed from a cursor on; without one, from the first that is kept. */
export interface ShellOutputParams {
  shellId: string;
  cursor?: number | null;
}

/** A piece of what it printed, both streams as they came, and the cursor for what follows. */
export interface ShellOutput {
  text: string;
  nextCursor: number;
  dropped: number;
  status: ShellStatus;
  exitCode?: number | null;
  signal?: string | null;
}

/** The command to end, by its own id or by that of the call that waits for it. */
export interface ShellKillParams {
  shellId?: string | null;
  toolCallId?: string | null;
}

/** Whether there was anything to end. */
export interface ShellKilled {
  killed: boolean;
}

/** The call whose command goes on by itself from now on. It is not started again. */
export interface ShellBackgroundParams {
  toolCallId: string;
}

/** The id under which it goes on. */
export interface ShellBackgrounded {
  shellId: string;
}

/** A new chat, with the agent and mode of the settings where none is named. */
export interface SessionNewParams {
  agent?: string | null;
  mode?: ModeOrAlias | null;
}

/** A chat as it is now. */
export interface SessionInfo {
  sessionId: string;
  agentId: string;
  agentName: string;
  mode: Mode;
  title: string;
  running: boolean;
  waiting: number;
  lastN: number;
  bypassAgent: boolean;
  bypassSession: boolean;
  isGuest?: boolean | null;
  ownFolder?: string | null;
  unreachable?: string[] | null;
}

/** Nothing to say. */
export interface SessionListParams {
}

/** An agent that a chat can be opened with. */
export interface AgentInfo {
  agentId: string;
  name: string;
  description: string;
}

/** All chats of this server, and the agents for new ones. */
export interface SessionList {
  sessions: SessionInfo[];
  agents: AgentInfo[];
}

/** The chats of an earlier server that are here now. The list tells of each what there is to know. */
export interface SessionsRestored {
  sessionIds: string[];
}

/** What `session/list` answers is another now, and by none of the events of a chat. */
export interface SessionListChanged {
  agentForNewChats: string;
}

/** What a view shows of a chat, from an event on that it already has. */
export interface SessionLoadParams {
  sessionId: string;
  sinceN?: number | null;
}

interface EventOf<Name extends string, Data> {
  sessionId: string;
  runId: string;
  n: number;
  event: Name;
  data: Data;
  passing?: boolean | null;
}

/** One event of a chat; `n` has no gap, so a view can ask for what it missed. `runId` is empty outside of runs. */
export type AgentEvent =
  | EventOf<"Prompt", PromptData>
  | EventOf<"Retry", RetryData>
  | EventOf<"Chunk", ChunkData>
  | EventOf<"ToolCall", ToolCallData>
  | EventOf<"ToolPermission", ToolPermissionData>
  | EventOf<"ToolUpdate", ToolUpdateData>
  | EventOf<"ToolResult", ToolResultData>
  | EventOf<"Done", DoneData>
  | EventOf<"Error", ErrorData>
  | EventOf<"Usage", UsageData>
  | EventOf<"BudgetExceeded", BudgetExceededData>
  | EventOf<"Mode", ModeData>
  | EventOf<"Grants", GrantsData>
  | EventOf<"Notification", NotificationData>
  | EventOf<"Shell", ShellData>
  | EventOf<"Plan", PlanData>
  | EventOf<"Commands", CommandsData>
  | EventOf<"AgentState", AgentStateData>;

/** The chat, its events after `sinceN`, and its waiting calls. */
export interface SessionLoaded {
  session: SessionInfo;
  events: AgentEvent[];
  pending: ApprovalRequest[];
}

/** A chat by its id. */
export interface SessionRef {
  sessionId: string;
}

/** Another mode. Tightening counts at once; loosening with the next message, unless `applyNow`. */
export interface SetModeParams {
  sessionId: string;
  mode: ModeOrAlias;
  applyNow?: boolean | null;
}

/** A value for something that the agent offers, by the ids of the event `AgentState`. */
export interface SetAgentOptionParams {
  sessionId: string;
  settingId: string;
  value: string;
  confirmed?: boolean | null;
}

/** A file of the workspace whose text, or picture, goes along. `agreedDigest`: the user read the warning with this
digest, and said yes. Where it is not the one that is due by now, nothing is sent (`digest_mismatch`). */
export interface AttachedFile {
  path: string;
  agreedDigest?: string | null;
}

/** A message to the agent. The answer comes when the run ends; cancelling this request stops the run. */
export interface ChatSendParams {
  sessionId: string;
  text: string;
  whenBusy?: WhenBusy | null;
  replacesMessage?: string | null;
  permission_mode?: ModeOrAlias | null;
  context?: unknown;
  attachments?: AttachedFile[] | null;
  tools?: unknown;
  collections?: unknown;
}

/** How the run ended. `unbegun`: it never began, for a stop dropped the message while it waited for its turn. */
export interface ChatSendResult {
  sessionId: string;
  runId: string;
  done_reason: RunEnd;
  message?: string | null;
  unbegun?: boolean | null;
}

/** What the user writes to find a file of the workspace. */
export interface ChatFilesParams {
  sessionId: string;
  query: string;
  viewId?: string | null;
}

/** Paths that fit, the nearest first. What rules keep back is not among them, nor what `.gitignore` leaves out. */
export interface ChatFiles {
  files: string[];
  more: boolean;
}

/** A file that the user names for a message. */
export interface ChatAttachableParams {
  sessionId: string;
  path: string;
}

/** It can go along with a message. `warning`: only where the user says so once more, having read this, for which
`warningDigest` stands. `picture`: it does as a picture, of this kind. */
export interface ChatAttachable {
  path: string;
  size: number;
  warning?: string | null;
  warningDigest?: string | null;
  picture?: string | null;
}

/** Whether there was anything to stop. */
export interface ChatStopResult {
  stopped: boolean;
}

/** A call that is only thought of. With a chat, what is allowed there counts; agent and mode default to its own. */
export interface ExplainParams {
  tool: string;
  args?: unknown;
  agent?: string | null;
  mode?: ModeOrAlias | null;
  sessionId?: string | null;
}

/** One rung of the ladder as it was tried; the one that matched decided. */
export interface PolicyStep {
  level: number;
  name: string;
  matched: boolean;
  note: string;
}

/** A pattern for assent.alwaysAllowRules that would let the call run, with words for all that it allows. */
export interface RuleSuggestion {
  tool: string;
  pattern: string;
  words: string;
}

/** What would be decided now, and the way there. Nothing ran and nothing was asked: where hooks have a say, not even
they. */
export interface Explanation {
  outcome: PolicyOutcome;
  headline: string;
  category: Category;
  reason: ApprovalReason;
  trace: PolicyStep[];
  suggestions: RuleSuggestion[];
}

/** Which: of one chat together with what is stored, or of all chats. */
export interface GrantsListParams {
  sessionId?: string | null;
}

/** When a grant ends by itself; with several of these, with the first. */
export interface GrantEnd {
  remainingMs?: number | null;
  usesLeft?: number | null;
  untilRunEnds?: boolean | null;
}

/** One grant, in words for a person: what it allows, who gave it when and on which card, how it was used. */
export interface GrantInfo {
  grantId: string;
  kind: GrantKind;
  scope: GrantScope;
  text: string;
  sessionId?: string | null;
  agentName?: string | null;
  givenAt?: string | null;
  givenOn?: string | null;
  used?: number;
  lastUsedAt?: string | null;
  ends?: GrantEnd | null;
  setting?: string | null;
  file?: string | null;
  line?: number | null;
  effective?: boolean;
  digest?: string | null;
}

/** The ones of chats first, then the stored ones. */
export interface GrantsList {
  grants: GrantInfo[];
}

/** A grant by its id; with the digest that it was listed with, only as long as it still says the same. */
export interface GrantRef {
  grantId: string;
  digest?: string | null;
}

/** It counts for no further call. Calls that run go on, and calls that wait go on waiting. */
export interface GrantRevoked {
  grantId: string;
  undoable: boolean;
  status: "revoked";
}

/** What was taken back by mistake counts again, as it was: with the end that it had. */
export interface GrantRestored {
  grant: GrantInfo;
}

/** The mode that new chats start in. */
export interface ModeStanding {
  mode: Mode;
  digest: string;
  place?: SettingPlace | null;
  storedIn?: SettingsScope | null;
  locked?: string | null;
}

/** What comes before the rules of one effect, and what they come before. */
export interface EffectOrder {
  effect: RuleEffect;
  text: string;
}

/** One rule, or a tool of the allow-list. Under the same id, `grants/list` says where it stands. */
export interface RuleStanding {
  grantId: string;
  effect: RuleEffect;
  tool: string;
  pattern: string;
  does: string;
  agents?: string[] | null;
  remark?: string | null;
  beside?: SettingPlace | null;
}

/** Whether an agent runs without asking, by the settings. The digest binds a click to what was shown. */
export interface BypassStanding {
  agent: string;
  on: boolean;
  why: string;
  digest: string;
  warning: string;
  place?: SettingPlace | null;
  locked?: string | null;
}

/** What the user once answered about an entry of a folder's settings. */
export interface AnswerStanding {
  answerId: string;
  setting: string;
  words: string;
  honoured: boolean;
  folder: string;
  at?: string | null;
  place?: SettingPlace | null;
}

/** Something that cannot be changed here, or takes something away everywhere, and why. */
export interface LockStanding {
  text: string;
  setting?: string | null;
  place?: SettingPlace | null;
}

/** All of it, as it counts at this moment. */
export interface PermissionsOverview {
  mode: ModeStanding;
  orders: EffectOrder[];
  rules: RuleStanding[];
  bypasses: BypassStanding[];
  answers: AnswerStanding[];
  locks: LockStanding[];
}

/** What holds commands on this machine and whether they run in it, in a sentence. */
export interface SandboxStanding {
  text: string;
  place?: SettingPlace | null;
}

/** On: for the agent as it was shown under the digest. Off: wherever it is said, and for this chat. */
export interface SetBypassParams {
  agent: string;
  on: boolean;
  digest?: string | null;
  sessionId?: string | null;
}

/** What was taken back, each of which can be given back by `grants/undo`. */
export interface BypassSet {
  revoked?: GrantRevoked[];
}

/** The digest is that of the mode that was shown. */
export interface SetDefaultModeParams {
  mode: Mode;
  digest: string;
}

/** One answer, by its id: of another answer on the same entry, the id is another one. */
export interface AnswerRef {
  answerId: string;
}

/** Entries that fit all of these, newest first; `before` goes on where the last answer ended. */
export interface HistoryQueryParams {
  sessionId?: string | null;
  callId?: string | null;
  agent?: string | null;
  tool?: string | null;
  stage?: HistoryStage | null;
  ending?: HistoryEnding | null;
  by?: ResolvedBy | null;
  folder?: string | null;
  text?: string | null;
  since?: string | null;
  until?: string | null;
  before?: number | null;
  limit?: number | null;
}

/** One line of the history. Secrets were masked before it was written. */
export interface HistoryEntry {
  n: number;
  at: string;
  stage: HistoryStage;
  hash: string;
  sessionId: string;
  runId: string;
  callId: string;
  agentId: string;
  agentName: string;
  tool: string;
  args: string;
  category: Category;
  mode: Mode;
  headline: string;
  directory: string;
  folder: string;
  digest: string;
  path?: string[];
  approvalId?: string | null;
  ending?: HistoryEnding | null;
  by?: ResolvedBy | null;
  how?: string | null;
  reason?: string | null;
  text?: string | null;
  rule?: RuleOrigin | null;
  option?: OptionKind | null;
  grant?: string | null;
  grantedAt?: string | null;
  grantUntil?: string | null;
  feedback?: string | null;
  edited?: boolean | null;
  interrupted?: boolean | null;
  waitedMs?: number | null;
  tookMs?: number | null;
  code?: string | null;
  redactions?: number | null;
}

/** Entries, newest first, and whether there are older ones that fit. */
export interface HistoryPage {
  entries: HistoryEntry[];
  more: boolean;
}

/** The entries after this one, as JSON lines, about so many characters at a time. */
export interface HistoryExportParams {
  after?: number | null;
  length?: number | null;
}

/** Whole lines, and the number of the last entry in them; the same number again means that this was the end. */
export interface HistoryExport {
  text: string;
  last: number;
  done: boolean;
}

/** Nothing to say. */
export interface HistoryVerifyParams {
}

/** Whether every entry is as it was written; if not, which is the first that is not, and how that shows. */
export interface HistoryVerified {
  intact: boolean;
  entries: number;
  firstBroken?: number | null;
  problem?: string | null;
}

/** Over which time; all of it where nothing is said. */
export interface MetricsParams {
  since?: string | null;
  until?: string | null;
}

/** How often something happened. */
export interface Count {
  name: string;
  count: number;
}

/** How a duration is spread, in milliseconds. */
export interface Spread {
  count: number;
  median: number;
  p95: number;
  longest: number;
}

/** How long the calls of one tool took. */
export interface ToolSpread {
  tool: string;
  took: Spread;
}

/** Figures counted from the history: they are those of the log. */
export interface Metrics {
  decisions: Count[];
  endings: Count[];
  answers: Count[];
  timeouts: number;
  settledByPolicy: number;
  waited: Spread | null;
  tools: ToolSpread[];
}

/** Of which chat. */
export interface CheckpointListParams {
  sessionId: string;
}

/** A run that wrote files. `notKept`: how many of them cannot be rolled back. */
export interface CheckpointInfo {
  runId: string;
  at: string;
  files: string[];
  notKept: number;
}

/** The newest first. */
export interface CheckpointList {
  checkpoints: CheckpointInfo[];
}

/** A run of a chat. */
export interface CheckpointRef {
  sessionId: string;
  runId: string;
}

/** A file that the run wrote, by its real path. `changed_since`: it is only rolled back where that is said of it. */
export interface CheckpointFile {
  path: string;
  shown: string;
  state: "changed" | "created" | "changed_since" | "same" | "left";
  note?: string | null;
  preview?: DiffPreview | null;
}

/** All files of a run as they stand now; `digest` stands for exactly that. */
export interface CheckpointDiff {
  runId: string;
  at: string;
  digest: string;
  files: CheckpointFile[];
  more?: number;
}

/** A file of a run, by its real path. */
export interface CheckpointTextParams {
  sessionId: string;
  runId: string;
  path: string;
}

/** The text that it had before the run; left out where there was none, or no copy is there. */
export interface CheckpointText {
  text?: string | null;
}

/** What was shown under this digest is rolled back; what changed since only where it is named here. */
export interface CheckpointRestoreParams {
  sessionId: string;
  runId: string;
  digest: string;
  alsoChanged?: string[];
}

/** A file that is as it was. */
export interface CheckpointLeft {
  shown: string;
  why: string;
}

/** What became of it. With an `error`, nothing was rolled back as far as it does not say otherwise. */
export interface CheckpointRestored {
  restored: string[];
  left: CheckpointLeft[];
  error?: string | null;
}

/** A model's server as the user is about to define it. Without an address, the provider's own. */
export interface ModelsListParams {
  agent: string;
  provider: string;
  baseUrl?: string | null;
  apiKeyEnv?: string | null;
}

/** A model that the server has. */
export interface ModelInfo {
  name: string;
  contextWindow?: number | null;
  tools?: boolean | null;
}

/** Its models, or why there are none. */
export interface ModelsList {
  models: ModelInfo[];
  keyName: string;
  baseUrl: string;
  problem?: string | null;
  needsKey?: boolean | null;
}

/** Nothing to say. */
export interface SuggestedAgentsParams {
}

/** A variable that an agent may need in its environment. */
export interface SuggestedVariable {
  name: string;
  about: string;
}

/** A well-known agent of others. Nothing of it is run or installed by Assent. */
export interface SuggestedAgent {
  key: string;
  name: string;
  about: string;
  command: string;
  args: string[];
  install: string;
  needs: string;
  asks: boolean;
  env: SuggestedVariable[];
  advice?: string | null;
}

/** Those that are known here. */
export interface SuggestedAgents {
  agents: SuggestedAgent[];
}

/** Nothing to say. */
export interface KeysListParams {
}

/** Where the key of an agent is looked for. */
export interface KeyInfo {
  agent: string;
  name: string;
  origin: string;
  source: string;
  variable?: string | null;
}

/** The agents of the user's own settings whose models are reached by an address. */
export interface KeysList {
  keys: KeyInfo[];
}

/** A view that shows a chat. */
export interface ViewParams {
  viewId: string;
  sessionId: string;
}

/** Asks the client to set one entry of one setting, by its full name; `path` leads into the setting's object. */
export interface SettingsWriteParams {
  key: string;
  path: string[];
  value: unknown;
  target: WriteTarget;
  append?: boolean | null;
  remove?: boolean | null;
}

/** Whether the editor stored it, and where. */
export interface SettingsWriteResult {
  written: boolean;
  target: string;
  error?: string | null;
}

/** A file by its names: as it was called, and its real one. */
export interface EditorDocumentParams {
  paths: string[];
}

/** How the editor has the file open; `open` false: it has not, and nothing else is said. */
export interface EditorDocument {
  open: boolean;
  uri?: string | null;
  version?: number | null;
  dirty?: boolean | null;
  text?: string | null;
}

/** A document that is to be saved as it stands. */
export interface EditorSaveParams {
  uri: string;
}

/** Whether the editor saved it. */
export interface EditorSaved {
  saved: boolean;
}

/** All of them, whatever they are for. */
export interface EditorTasksParams {
}

/** A task of the editor: one of its workspace, or one that an extension found there. */
export interface EditorTask {
  taskId: string;
  label: string;
  text?: string | null;
  directory?: string | null;
  shell?: string | null;
  variables?: string[];
  first?: string[];
}

/** The tasks of the editor, the first thousand of them. */
export interface EditorTasks {
  tasks: EditorTask[];
}

/** The task that is to be run, as it was told: where it is another one by now, nothing runs. */
export interface EditorTaskParams {
  task: EditorTask;
}

/** How it ended. `fault` says why it did not begin. */
export interface EditorTaskEnd {
  exitCode?: number | null;
  fault?: string | null;
}

/** A file that the user is to see as text, at this line, counted from 1. */
export interface EditorOpenParams {
  path: string;
  line?: number | null;
}

/** Whether the editor shows it, and where not, why. */
export interface EditorShown {
  shown: boolean;
  error?: string | null;
}

/** A file, and the text beside it. */
export interface EditorShowDiffParams {
  path: string;
  content: string;
}

/** Of which file, by its names. */
export interface EditorDiagnosticsParams {
  paths: string[];
}

/** Something that is underlined; lines and columns are counted from 1. */
export interface EditorDiagnostic {
  line: number;
  column: number;
  severity: string;
  message: string;
  source?: string | null;
}

/** The first of them, and how many there are. */
export interface EditorDiagnostics {
  diagnostics: EditorDiagnostic[];
  total: number;
}

/** Nothing to say. */
export interface EditorSelectionParams {
}

/** The file before the user, and what is selected in it; without a path there is none of the disk. */
export interface EditorSelection {
  path?: string | null;
  text?: string | null;
  firstLine?: number | null;
  lastLine?: number | null;
  whole?: boolean | null;
}

/** One argument of a command: a file by its path, a position as line and column counted from 1, or a plain value. */
export interface EditorArgument {
  kind: ArgumentKind;
  value: unknown;
}

/** A command with its arguments, in their order. No other command is run. */
export interface EditorCommandParams {
  command: EditorCommandId;
  arguments: EditorArgument[];
}

/** What came of a command or a tool. `fault` says why it did not come to its end. */
export interface EditorCame {
  text?: string | null;
  truncated?: boolean;
  fault?: string | null;
}

/** All of them. */
export interface EditorToolsParams {
}

/** A tool that an extension has for language models, as the extension describes it. */
export interface EditorTool {
  name: string;
  description: string;
  schema?: Record<string, unknown> | null;
}

/** The first 256 of them that are not larger than 64 KiB. */
export interface EditorTools {
  tools: EditorTool[];
}

/** A tool, and what it is given. */
export interface EditorToolParams {
  name: string;
  input: Record<string, unknown>;
}

/** The smallest thing to agree to: one rule, one agent, one directory. `words` say what it would allow. */
export interface ConsentEntry {
  entryId: string;
  key: string;
  words: string;
  before: unknown;
  after: unknown;
  file?: string | null;
  line?: number | null;
  digest?: string;
}

/** Entries that have no effect until the user agrees. It needs no chat; a later one takes the place of this one. */
export interface ConsentRequest {
  consentId: string;
  workspace: string;
  entries: ConsentEntry[];
  reason: string;
  digest: string;
}

/** Which entries are to count. The others are ignored from now on, until they change. */
export interface ConsentResponse {
  consentId: string;
  digest: string;
  honour?: string[];
}

/** How many entries count now, and what could not be kept, if anything. */
export interface ConsentOutcome {
  honoured: number;
  ignored: number;
  error?: string | null;
}

/** Nothing of this question is open any more: it was answered, or the settings changed. Every view closes it. */
export interface ConsentResolved {
  consentId: string;
}

/** A setting that the user changed by hand between two saves, whole: before and after. */
export interface AttestedEntry {
  key: string;
  before: unknown;
  after: unknown;
}

/** The user saved a settings file by hand: what changed in it counts as agreed to. `sha256` is that of the file. */
export interface AttestParams {
  file: string;
  sha256: string;
  entries: AttestedEntry[];
}

/** How many loosening entries count now because of it. */
export interface AttestResult {
  counted: number;
}

const namedEncoding: Check = object({
  pattern: string,
  encoding: string,
});
export const isNamedEncoding: Guard<NamedEncoding> = guard(namedEncoding);

const folderEncodings: Check = object({
  folder: string,
  encoding: string,
  names: optional(array(namedEncoding)),
});
export const isFolderEncodings: Guard<FolderEncodings> = guard(folderEncodings);

const scopedSettings: Check = object({
  user: maybe(record(any)),
  workspace: maybe(record(any)),
  folder: maybe(record(any)),
  workspaceTrusted: maybe(boolean),
  encodings: maybe(array(folderEncodings)),
});
export const isScopedSettings: Guard<ScopedSettings> = guard(scopedSettings);

const clientHandshake: Check = object({
  protocol: optional(integer),
  capabilities: optional(array(string)),
  options: maybe(array(string)),
  workspaceTrusted: maybe(boolean),
  settings: maybe(scopedSettings),
  workspaceFile: maybe(string),
  ripgrep: maybe(string),
});
export const isClientHandshake: Guard<ClientHandshake> = guard(clientHandshake);

const serverHandshake: Check = object({
  version: integer,
  options: array(word(OPTION_KIND)),
  serverVersion: string,
});
export const isServerHandshake: Guard<ServerHandshake> = guard(serverHandshake);

const secretParams: Check = object({
  name: string,
});
export const isSecretParams: Guard<SecretParams> = guard(secretParams);

const secretValue: Check = object({
  value: nullable(string),
});
export const isSecretValue: Guard<SecretValue> = guard(secretValue);

const promptData: Check = object({
  text: string,
  replaces: maybe(string),
  files: maybe(array(string)),
});
export const isPromptData: Guard<PromptData> = guard(promptData);

const retryData: Check = object({});
export const isRetryData: Guard<RetryData> = guard(retryData);

const chunkData: Check = object({
  text: nullable(string),
  thinking: nullable(string),
  parentToolCallId: maybe(string),
});
export const isChunkData: Guard<ChunkData> = guard(chunkData);

const toolCallData: Check = object({
  toolCallId: string,
  tool: string,
  args: any,
  category: word(CATEGORY),
  headline: string,
  depth: integer,
  parentToolCallId: maybe(string),
});
export const isToolCallData: Guard<ToolCallData> = guard(toolCallData);

const toolPermissionData: Check = object({
  toolCallId: string,
  tool: string,
  args: any,
  request_id: string,
});
export const isToolPermissionData: Guard<ToolPermissionData> = guard(toolPermissionData);

const toolUpdateData: Check = object({
  toolCallId: string,
  phase: word(PHASE),
  note: maybe(string),
  outputDelta: maybe(string),
  shellId: maybe(string),
  decidedAt: maybe(string),
});
export const isToolUpdateData: Guard<ToolUpdateData> = guard(toolUpdateData);

const madeInfo: Check = object({
  mime: word(MEDIA_TYPE),
  size: integer,
});
export const isMadeInfo: Guard<MadeInfo> = guard(madeInfo);

const toolResultData: Check = object({
  toolCallId: string,
  tool: string,
  success: boolean,
  output: string,
  durationMs: integer,
  is_error: boolean,
  path: maybe(string),
  content: maybe(string),
  code: maybe(string),
  truncated: maybe(boolean),
  wholeLength: maybe(integer),
  made: maybe(madeInfo),
});
export const isToolResultData: Guard<ToolResultData> = guard(toolResultData);

const doneData: Check = object({
  done_reason: word(DONE_REASON),
});
export const isDoneData: Guard<DoneData> = guard(doneData);

const errorData: Check = object({
  message: string,
  code: maybe(string),
  canRetry: maybe(boolean),
});
export const isErrorData: Guard<ErrorData> = guard(errorData);

const usageData: Check = object({
  runInput: integer,
  runOutput: integer,
  input: maybe(integer),
  output: maybe(integer),
  cached: maybe(integer),
  contextWindow: maybe(integer),
  parentToolCallId: maybe(string),
});
export const isUsageData: Guard<UsageData> = guard(usageData);

const budgetExceededData: Check = object({
  limit: string,
  value: integer,
  observed: integer,
  message: string,
  parentToolCallId: maybe(string),
});
export const isBudgetExceededData: Guard<BudgetExceededData> = guard(budgetExceededData);

const modeData: Check = object({
  mode: word(MODE),
});
export const isModeData: Guard<ModeData> = guard(modeData);

const grantsData: Check = object({
  grants: array(string),
  bypassAgent: boolean,
  bypassSession: boolean,
});
export const isGrantsData: Guard<GrantsData> = guard(grantsData);

const notificationData: Check = object({
  text: string,
  level: word(NOTICE_LEVEL),
});
export const isNotificationData: Guard<NotificationData> = guard(notificationData);

const shellData: Check = object({
  shellId: string,
  stream: maybe(word(OUTPUT_STREAM)),
  line: maybe(string),
  status: maybe(word(SHELL_STATUS)),
  exitCode: maybe(integer),
  signal: maybe(string),
  toolCallId: maybe(string),
  command: maybe(string),
  reason: maybe(string),
});
export const isShellData: Guard<ShellData> = guard(shellData);

const planEntry: Check = object({
  content: string,
  status: string,
});
export const isPlanEntry: Guard<PlanEntry> = guard(planEntry);

const planData: Check = object({
  entries: array(planEntry),
});
export const isPlanData: Guard<PlanData> = guard(planData);

const slashCommand: Check = object({
  name: string,
  description: string,
  hint: maybe(string),
});
export const isSlashCommand: Guard<SlashCommand> = guard(slashCommand);

const commandsData: Check = object({
  commands: array(slashCommand),
});
export const isCommandsData: Guard<CommandsData> = guard(commandsData);

const agentChoice: Check = object({
  choiceId: string,
  name: string,
  description: string,
  danger: maybe(string),
});
export const isAgentChoice: Guard<AgentChoice> = guard(agentChoice);

const agentSetting: Check = object({
  settingId: string,
  name: string,
  isMode: boolean,
  choices: array(agentChoice),
  current: maybe(string),
});
export const isAgentSetting: Guard<AgentSetting> = guard(agentSetting);

const agentStateData: Check = object({
  settings: array(agentSetting),
  danger: maybe(string),
});
export const isAgentStateData: Guard<AgentStateData> = guard(agentStateData);

const toolCallInfo: Check = object({
  toolCallId: string,
  title: maybe(string),
  kind: maybe(word(TOOL_KIND)),
  rawInput: maybe(record(any)),
});
export const isToolCallInfo: Guard<ToolCallInfo> = guard(toolCallInfo);

const approvalOption: Check = object({
  optionId: string,
  name: string,
  kind: word(OPTION_KIND),
  scopeText: maybe(string),
  alsoResolves: maybe(integer),
  disabledReason: maybe(string),
});
export const isApprovalOption: Guard<ApprovalOption> = guard(approvalOption);

const ruleOrigin: Check = object({
  pattern: string,
  scope: string,
  file: maybe(string),
  line: maybe(integer),
});
export const isRuleOrigin: Guard<RuleOrigin> = guard(ruleOrigin);

const approvalReason: Check = object({
  code: string,
  text: string,
  rule: maybe(ruleOrigin),
});
export const isApprovalReason: Guard<ApprovalReason> = guard(approvalReason);

const riskInfo: Check = object({
  level: word(RISK_LEVEL),
  notes: optional(array(string)),
});
export const isRiskInfo: Guard<RiskInfo> = guard(riskInfo);

const diffLineInfo: Check = object({
  kind: word(LINE_KIND),
  text: string,
  oldNumber: maybe(integer),
  newNumber: maybe(integer),
});
export const isDiffLineInfo: Guard<DiffLineInfo> = guard(diffLineInfo);

const diffPreview: Check = object({
  path: string,
  realPath: string,
  isNew: boolean,
  lines: array(diffLineInfo),
  added: integer,
  removed: integer,
  note: maybe(string),
  kind: word(["diff"]),
});
export const isDiffPreview: Guard<DiffPreview> = guard(diffPreview);

const jsonPreview: Check = object({
  text: string,
  kind: word(["json"]),
});
export const isJsonPreview: Guard<JsonPreview> = guard(jsonPreview);

const commandPart: Check = object({
  written: string,
  does: string,
  notes: optional(array(string)),
});
export const isCommandPart: Guard<CommandPart> = guard(commandPart);

const commandPreview: Check = object({
  text: string,
  parts: array(commandPart),
  moreParts: optional(integer),
  unreadable: maybe(string),
  moreOnlyRead: optional(boolean),
  note: maybe(string),
  sandbox: maybe(string),
  kind: word(["command"]),
});
export const isCommandPreview: Guard<CommandPreview> = guard(commandPreview);

const urlPreview: Check = object({
  before: string,
  host: string,
  after: string,
  note: maybe(string),
  kind: word(["url"]),
});
export const isUrlPreview: Guard<UrlPreview> = guard(urlPreview);

const stepInfo: Check = object({
  number: integer,
  name: string,
  headline: string,
  category: word(CATEGORY),
  preview: tagged("kind", { diff: diffPreview, json: jsonPreview, command: commandPreview, url: urlPreview }),
  notes: optional(array(string)),
});
export const isStepInfo: Guard<StepInfo> = guard(stepInfo);

const stepsPreview: Check = object({
  title: string,
  steps: array(stepInfo),
  done: optional(integer),
  kind: word(["steps"]),
});
export const isStepsPreview: Guard<StepsPreview> = guard(stepsPreview);

const timeoutInfo: Check = object({
  seconds: number,
  running: boolean,
  remainingMs: integer,
});
export const isTimeoutInfo: Guard<TimeoutInfo> = guard(timeoutInfo);

const truncatedInfo: Check = object({
  argsBytes: integer,
});
export const isTruncatedInfo: Guard<TruncatedInfo> = guard(truncatedInfo);

const repeatedInfo: Check = object({
  answer: word(["allowed", "denied"]),
  times: integer,
  text: string,
  optionId: maybe(string),
});
export const isRepeatedInfo: Guard<RepeatedInfo> = guard(repeatedInfo);

const approvalRequest: Check = object({
  approvalId: string,
  seq: integer,
  sessionId: string,
  tabId: string,
  agentName: string,
  agentId: string,
  toolCall: toolCallInfo,
  tool: string,
  args: any,
  argsDigest: string,
  category: word(CATEGORY),
  headline: string,
  directory: string,
  options: array(approvalOption),
  reason: approvalReason,
  depth: integer,
  path: array(string),
  mode: word(MODE),
  createdAt: string,
  risk: maybe(riskInfo),
  preview: maybe(tagged("kind", { diff: diffPreview, json: jsonPreview, command: commandPreview, url: urlPreview, steps: stepsPreview })),
  agentSays: maybe(string),
  parentToolCallId: maybe(string),
  timeout: maybe(timeoutInfo),
  truncated: maybe(truncatedInfo),
  inexact: maybe(array(string)),
  redactions: maybe(integer),
  redelivery: maybe(boolean),
  refreshed: maybe(boolean),
  interrupted: maybe(boolean),
  repeated: maybe(repeatedInfo),
  limits: maybe(boolean),
  comparable: maybe(boolean),
  editable: maybe(boolean),
});
export const isApprovalRequest: Guard<ApprovalRequest> = guard(approvalRequest);

const selected: Check = object({
  optionId: string,
  outcome: word(["selected"]),
});
export const isSelected: Guard<Selected> = guard(selected);

const dismissed: Check = object({
  outcome: word(["cancelled"]),
});
export const isDismissed: Guard<Dismissed> = guard(dismissed);

const responseBody: Check = object({
  outcome: tagged("outcome", { selected: selected, cancelled: dismissed }),
});
export const isResponseBody: Guard<ResponseBody> = guard(responseBody);

const grantLimits: Check = object({
  minutes: maybe(number),
  uses: maybe(integer),
  untilRunEnds: maybe(boolean),
});
export const isGrantLimits: Guard<GrantLimits> = guard(grantLimits);

const approvalResponse: Check = object({
  approvalId: string,
  sessionId: maybe(string),
  viewId: maybe(string),
  response: maybe(responseBody),
  bypassAll: maybe(boolean),
  decision: maybe(word(DECISION)),
  feedback: maybe(string),
  argsDigest: maybe(string),
  editedArgs: optional(any),
  limits: maybe(grantLimits),
});
export const isApprovalResponse: Guard<ApprovalResponse> = guard(approvalResponse);

const settingPlace: Check = object({
  scope: word(SETTINGS_SCOPE),
  file: maybe(string),
  line: maybe(integer),
});
export const isSettingPlace: Guard<SettingPlace> = guard(settingPlace);

const storedSetting: Check = object({
  written: boolean,
  target: string,
  error: maybe(string),
  overruledBy: maybe(settingPlace),
});
export const isStoredSetting: Guard<StoredSetting> = guard(storedSetting);

const approvalOutcome: Check = object({
  approvalId: string,
  decision: word(OPTION_KIND),
  status: word(["accepted"]),
  resolvedBy: word(["user"]),
  settings: maybe(storedSetting),
});
export const isApprovalOutcome: Guard<ApprovalOutcome> = guard(approvalOutcome);

const approvalResolved: Check = object({
  approvalId: string,
  sessionId: string,
  toolCallId: string,
  status: word(STATUS),
  resolvedBy: word(RESOLVED_BY),
  reasonText: string,
  decision: maybe(word(OPTION_KIND)),
  resolvedAt: maybe(string),
});
export const isApprovalResolved: Guard<ApprovalResolved> = guard(approvalResolved);

const pendingApprovalsParams: Check = object({
  sessionId: maybe(string),
});
export const isPendingApprovalsParams: Guard<PendingApprovalsParams> = guard(pendingApprovalsParams);

const pendingApprovals: Check = object({
  approvals: array(approvalRequest),
});
export const isPendingApprovals: Guard<PendingApprovals> = guard(pendingApprovals);

const approvalDetailsParams: Check = object({
  approvalId: string,
  offset: integer,
  length: integer,
});
export const isApprovalDetailsParams: Guard<ApprovalDetailsParams> = guard(approvalDetailsParams);

const approvalDetails: Check = object({
  text: string,
  offset: integer,
  totalLength: integer,
});
export const isApprovalDetails: Guard<ApprovalDetails> = guard(approvalDetails);

const approvalChangeParams: Check = object({
  approvalId: string,
  argsDigest: string,
  file: optional(integer),
  offset: optional(integer),
});
export const isApprovalChangeParams: Guard<ApprovalChangeParams> = guard(approvalChangeParams);

const approvalChange: Check = object({
  path: string,
  realPath: string,
  text: string,
  besideFile: boolean,
  files: integer,
  tellAll: boolean,
  nextOffset: maybe(integer),
});
export const isApprovalChange: Guard<ApprovalChange> = guard(approvalChange);

const revealParams: Check = object({
  approvalId: string,
});
export const isRevealParams: Guard<RevealParams> = guard(revealParams);

const nothing: Check = object({});
export const isNothing: Guard<Nothing> = guard(nothing);

const batchItem: Check = object({
  approvalId: string,
  argsDigest: string,
});
export const isBatchItem: Guard<BatchItem> = guard(batchItem);

const approvalBatch: Check = object({
  items: array(batchItem),
  decision: word(["allow_once", "reject_once"]),
  feedback: maybe(string),
  viewId: maybe(string),
});
export const isApprovalBatch: Guard<ApprovalBatch> = guard(approvalBatch);

const batchFault: Check = object({
  code: integer,
  message: string,
});
export const isBatchFault: Guard<BatchFault> = guard(batchFault);

const batchResult: Check = object({
  approvalId: string,
  status: word(["accepted", "left", "failed"]),
  error: maybe(batchFault),
});
export const isBatchResult: Guard<BatchResult> = guard(batchResult);

const batchOutcome: Check = object({
  results: array(batchResult),
});
export const isBatchOutcome: Guard<BatchOutcome> = guard(batchOutcome);

const testApprovalParams: Check = object({
  sessionId: string,
});
export const isTestApprovalParams: Guard<TestApprovalParams> = guard(testApprovalParams);

const testApprovalResult: Check = object({
  status: word(STATUS),
  decision: maybe(word(OPTION_KIND)),
});
export const isTestApprovalResult: Guard<TestApprovalResult> = guard(testApprovalResult);

const toolResultParams: Check = object({
  sessionId: string,
  toolCallId: string,
  offset: integer,
});
export const isToolResultParams: Guard<ToolResultParams> = guard(toolResultParams);

const toolResultPiece: Check = object({
  text: string,
  nextOffset: maybe(integer),
});
export const isToolResultPiece: Guard<ToolResultPiece> = guard(toolResultPiece);

const toolWrittenParams: Check = object({
  sessionId: string,
  toolCallId: string,
  side: word(WRITTEN_SIDE),
  offset: optional(integer),
});
export const isToolWrittenParams: Guard<ToolWrittenParams> = guard(toolWrittenParams);

const toolWritten: Check = object({
  realPath: string,
  text: maybe(string),
  nextOffset: maybe(integer),
});
export const isToolWritten: Guard<ToolWritten> = guard(toolWritten);

const toolMediaParams: Check = object({
  sessionId: string,
  toolCallId: string,
});
export const isToolMediaParams: Guard<ToolMediaParams> = guard(toolMediaParams);

const toolMedia: Check = object({
  mime: word(MEDIA_TYPE),
  data: string,
});
export const isToolMedia: Guard<ToolMedia> = guard(toolMedia);

const formChoice: Check = object({
  value: string,
  label: string,
});
export const isFormChoice: Guard<FormChoice> = guard(formChoice);

const formField: Check = object({
  name: string,
  kind: word(FORM_FIELD_KIND),
  title: string,
  required: boolean,
  description: maybe(string),
  default: optional(any),
  choices: maybe(array(formChoice)),
  least: maybe(number),
  most: maybe(number),
  warning: maybe(string),
});
export const isFormField: Guard<FormField> = guard(formField);

const formRequest: Check = object({
  formId: string,
  sessionId: string,
  askerKind: word(FORM_ASKER_KIND),
  askerName: string,
  message: string,
  fields: array(formField),
  createdAt: string,
  behind: maybe(string),
  toolCallId: maybe(string),
  warning: maybe(string),
});
export const isFormRequest: Guard<FormRequest> = guard(formRequest);

const formAnswerParams: Check = object({
  formId: string,
  action: word(FORM_ACTION),
  sessionId: maybe(string),
  content: maybe(record(any)),
});
export const isFormAnswerParams: Guard<FormAnswerParams> = guard(formAnswerParams);

const formEnded: Check = object({
  formId: string,
  sessionId: string,
  action: maybe(word(FORM_ACTION)),
});
export const isFormEnded: Guard<FormEnded> = guard(formEnded);

const pendingFormsParams: Check = object({
  sessionId: maybe(string),
});
export const isPendingFormsParams: Guard<PendingFormsParams> = guard(pendingFormsParams);

const pendingForms: Check = object({
  forms: array(formRequest),
});
export const isPendingForms: Guard<PendingForms> = guard(pendingForms);

const shellListParams: Check = object({
  sessionId: maybe(string),
});
export const isShellListParams: Guard<ShellListParams> = guard(shellListParams);

const shellInfo: Check = object({
  shellId: string,
  sessionId: string,
  toolCallId: string,
  command: string,
  directory: string,
  background: boolean,
  status: word(SHELL_STATUS),
  ageMs: integer,
  tail: string,
  printed: integer,
  dropped: integer,
  exitCode: maybe(integer),
  signal: maybe(string),
  sandbox: maybe(string),
});
export const isShellInfo: Guard<ShellInfo> = guard(shellInfo);

const shellList: Check = object({
  shells: array(shellInfo),
});
export const isShellList: Guard<ShellList> = guard(shellList);

const shellOutputParams: Check = object({
  shellId: string,
  cursor: maybe(integer),
});
export const isShellOutputParams: Guard<ShellOutputParams> = guard(shellOutputParams);

const shellOutput: Check = object({
  text: string,
  nextCursor: integer,
  dropped: integer,
  status: word(SHELL_STATUS),
  exitCode: maybe(integer),
  signal: maybe(string),
});
export const isShellOutput: Guard<ShellOutput> = guard(shellOutput);

const shellKillParams: Check = object({
  shellId: maybe(string),
  toolCallId: maybe(string),
});
export const isShellKillParams: Guard<ShellKillParams> = guard(shellKillParams);

const shellKilled: Check = object({
  killed: boolean,
});
export const isShellKilled: Guard<ShellKilled> = guard(shellKilled);

const shellBackgroundParams: Check = object({
  toolCallId: string,
});
export const isShellBackgroundParams: Guard<ShellBackgroundParams> = guard(shellBackgroundParams);

const shellBackgrounded: Check = object({
  shellId: string,
});
export const isShellBackgrounded: Guard<ShellBackgrounded> = guard(shellBackgrounded);

const sessionNewParams: Check = object({
  agent: maybe(string),
  mode: maybe(word(MODE_OR_ALIAS)),
});
export const isSessionNewParams: Guard<SessionNewParams> = guard(sessionNewParams);

const sessionInfo: Check = object({
  sessionId: string,
  agentId: string,
  agentName: string,
  mode: word(MODE),
  title: string,
  running: boolean,
  waiting: integer,
  lastN: integer,
  bypassAgent: boolean,
  bypassSession: boolean,
  isGuest: maybe(boolean),
  ownFolder: maybe(string),
  unreachable: maybe(array(string)),
});
export const isSessionInfo: Guard<SessionInfo> = guard(sessionInfo);

const sessionListParams: Check = object({});
export const isSessionListParams: Guard<SessionListParams> = guard(sessionListParams);

const agentInfo: Check = object({
  agentId: string,
  name: string,
  description: string,
});
export const isAgentInfo: Guard<AgentInfo> = guard(agentInfo);

const sessionList: Check = object({
  sessions: array(sessionInfo),
  agents: array(agentInfo),
});
export const isSessionList: Guard<SessionList> = guard(sessionList);

const sessionsRestored: Check = object({
  sessionIds: array(string),
});
export const isSessionsRestored: Guard<SessionsRestored> = guard(sessionsRestored);

const sessionListChanged: Check = object({
  agentForNewChats: string,
});
export const isSessionListChanged: Guard<SessionListChanged> = guard(sessionListChanged);

const sessionLoadParams: Check = object({
  sessionId: string,
  sinceN: maybe(integer),
});
export const isSessionLoadParams: Guard<SessionLoadParams> = guard(sessionLoadParams);

function eventOf(data: Check): Check {
  return object({ sessionId: string, runId: string, n: integer, data, passing: maybe(boolean) });
}

const agentEvent: Check = tagged("event", {
  Prompt: eventOf(promptData),
  Retry: eventOf(retryData),
  Chunk: eventOf(chunkData),
  ToolCall: eventOf(toolCallData),
  ToolPermission: eventOf(toolPermissionData),
  ToolUpdate: eventOf(toolUpdateData),
  ToolResult: eventOf(toolResultData),
  Done: eventOf(doneData),
  Error: eventOf(errorData),
  Usage: eventOf(usageData),
  BudgetExceeded: eventOf(budgetExceededData),
  Mode: eventOf(modeData),
  Grants: eventOf(grantsData),
  Notification: eventOf(notificationData),
  Shell: eventOf(shellData),
  Plan: eventOf(planData),
  Commands: eventOf(commandsData),
  AgentState: eventOf(agentStateData),
});
export const isAgentEvent: Guard<AgentEvent> = guard(agentEvent);

const sessionLoaded: Check = object({
  session: sessionInfo,
  events: array(agentEvent),
  pending: array(approvalRequest),
});
export const isSessionLoaded: Guard<SessionLoaded> = guard(sessionLoaded);

const sessionRef: Check = object({
  sessionId: string,
});
export const isSessionRef: Guard<SessionRef> = guard(sessionRef);

const setModeParams: Check = object({
  sessionId: string,
  mode: word(MODE_OR_ALIAS),
  applyNow: maybe(boolean),
});
export const isSetModeParams: Guard<SetModeParams> = guard(setModeParams);

const setAgentOptionParams: Check = object({
  sessionId: string,
  settingId: string,
  value: string,
  confirmed: maybe(boolean),
});
export const isSetAgentOptionParams: Guard<SetAgentOptionParams> = guard(setAgentOptionParams);

const attachedFile: Check = object({
  path: string,
  agreedDigest: maybe(string),
});
export const isAttachedFile: Guard<AttachedFile> = guard(attachedFile);

const chatSendParams: Check = object({
  sessionId: string,
  text: string,
  whenBusy: maybe(word(WHEN_BUSY)),
  replacesMessage: maybe(string),
  permission_mode: maybe(word(MODE_OR_ALIAS)),
  context: optional(any),
  attachments: maybe(array(attachedFile)),
  tools: optional(any),
  collections: optional(any),
});
export const isChatSendParams: Guard<ChatSendParams> = guard(chatSendParams);

const chatSendResult: Check = object({
  sessionId: string,
  runId: string,
  done_reason: word(RUN_END),
  message: maybe(string),
  unbegun: maybe(boolean),
});
export const isChatSendResult: Guard<ChatSendResult> = guard(chatSendResult);

const chatFilesParams: Check = object({
  sessionId: string,
  query: string,
  viewId: maybe(string),
});
export const isChatFilesParams: Guard<ChatFilesParams> = guard(chatFilesParams);

const chatFiles: Check = object({
  files: array(string),
  more: boolean,
});
export const isChatFiles: Guard<ChatFiles> = guard(chatFiles);

const chatAttachableParams: Check = object({
  sessionId: string,
  path: string,
});
export const isChatAttachableParams: Guard<ChatAttachableParams> = guard(chatAttachableParams);

const chatAttachable: Check = object({
  path: string,
  size: integer,
  warning: maybe(string),
  warningDigest: maybe(string),
  picture: maybe(string),
});
export const isChatAttachable: Guard<ChatAttachable> = guard(chatAttachable);

const chatStopResult: Check = object({
  stopped: boolean,
});
export const isChatStopResult: Guard<ChatStopResult> = guard(chatStopResult);

const explainParams: Check = object({
  tool: string,
  args: optional(any),
  agent: maybe(string),
  mode: maybe(word(MODE_OR_ALIAS)),
  sessionId: maybe(string),
});
export const isExplainParams: Guard<ExplainParams> = guard(explainParams);

const policyStep: Check = object({
  level: integer,
  name: string,
  matched: boolean,
  note: string,
});
export const isPolicyStep: Guard<PolicyStep> = guard(policyStep);

const ruleSuggestion: Check = object({
  tool: string,
  pattern: string,
  words: string,
});
export const isRuleSuggestion: Guard<RuleSuggestion> = guard(ruleSuggestion);

const explanation: Check = object({
  outcome: word(POLICY_OUTCOME),
  headline: string,
  category: word(CATEGORY),
  reason: approvalReason,
  trace: array(policyStep),
  suggestions: array(ruleSuggestion),
});
export const isExplanation: Guard<Explanation> = guard(explanation);

const grantsListParams: Check = object({
  sessionId: maybe(string),
});
export const isGrantsListParams: Guard<GrantsListParams> = guard(grantsListParams);

const grantEnd: Check = object({
  remainingMs: maybe(integer),
  usesLeft: maybe(integer),
  untilRunEnds: maybe(boolean),
});
export const isGrantEnd: Guard<GrantEnd> = guard(grantEnd);

const grantInfo: Check = object({
  grantId: string,
  kind: word(GRANT_KIND),
  scope: word(GRANT_SCOPE),
  text: string,
  sessionId: maybe(string),
  agentName: maybe(string),
  givenAt: maybe(string),
  givenOn: maybe(string),
  used: optional(integer),
  lastUsedAt: maybe(string),
  ends: maybe(grantEnd),
  setting: maybe(string),
  file: maybe(string),
  line: maybe(integer),
  effective: optional(boolean),
  digest: maybe(string),
});
export const isGrantInfo: Guard<GrantInfo> = guard(grantInfo);

const grantsList: Check = object({
  grants: array(grantInfo),
});
export const isGrantsList: Guard<GrantsList> = guard(grantsList);

const grantRef: Check = object({
  grantId: string,
  digest: maybe(string),
});
export const isGrantRef: Guard<GrantRef> = guard(grantRef);

const grantRevoked: Check = object({
  grantId: string,
  undoable: boolean,
  status: word(["revoked"]),
});
export const isGrantRevoked: Guard<GrantRevoked> = guard(grantRevoked);

const grantRestored: Check = object({
  grant: grantInfo,
});
export const isGrantRestored: Guard<GrantRestored> = guard(grantRestored);

const modeStanding: Check = object({
  mode: word(MODE),
  digest: string,
  place: maybe(settingPlace),
  storedIn: maybe(word(SETTINGS_SCOPE)),
  locked: maybe(string),
});
export const isModeStanding: Guard<ModeStanding> = guard(modeStanding);

const effectOrder: Check = object({
  effect: word(RULE_EFFECT),
  text: string,
});
export const isEffectOrder: Guard<EffectOrder> = guard(effectOrder);

const ruleStanding: Check = object({
  grantId: string,
  effect: word(RULE_EFFECT),
  tool: string,
  pattern: string,
  does: string,
  agents: maybe(array(string)),
  remark: maybe(string),
  beside: maybe(settingPlace),
});
export const isRuleStanding: Guard<RuleStanding> = guard(ruleStanding);

const bypassStanding: Check = object({
  agent: string,
  on: boolean,
  why: string,
  digest: string,
  warning: string,
  place: maybe(settingPlace),
  locked: maybe(string),
});
export const isBypassStanding: Guard<BypassStanding> = guard(bypassStanding);

const answerStanding: Check = object({
  answerId: string,
  setting: string,
  words: string,
  honoured: boolean,
  folder: string,
  at: maybe(string),
  place: maybe(settingPlace),
});
export const isAnswerStanding: Guard<AnswerStanding> = guard(answerStanding);

const lockStanding: Check = object({
  text: string,
  setting: maybe(string),
  place: maybe(settingPlace),
});
export const isLockStanding: Guard<LockStanding> = guard(lockStanding);

const permissionsOverview: Check = object({
  mode: modeStanding,
  orders: array(effectOrder),
  rules: array(ruleStanding),
  bypasses: array(bypassStanding),
  answers: array(answerStanding),
  locks: array(lockStanding),
});
export const isPermissionsOverview: Guard<PermissionsOverview> = guard(permissionsOverview);

const sandboxStanding: Check = object({
  text: string,
  place: maybe(settingPlace),
});
export const isSandboxStanding: Guard<SandboxStanding> = guard(sandboxStanding);

const setBypassParams: Check = object({
  agent: string,
  on: boolean,
  digest: maybe(string),
  sessionId: maybe(string),
});
export const isSetBypassParams: Guard<SetBypassParams> = guard(setBypassParams);

const bypassSet: Check = object({
  revoked: optional(array(grantRevoked)),
});
export const isBypassSet: Guard<BypassSet> = guard(bypassSet);

const setDefaultModeParams: Check = object({
  mode: word(MODE),
  digest: string,
});
export const isSetDefaultModeParams: Guard<SetDefaultModeParams> = guard(setDefaultModeParams);

const answerRef: Check = object({
  answerId: string,
});
export const isAnswerRef: Guard<AnswerRef> = guard(answerRef);

const historyQueryParams: Check = object({
  sessionId: maybe(string),
  callId: maybe(string),
  agent: maybe(string),
  tool: maybe(string),
  stage: maybe(word(HISTORY_STAGE)),
  ending: maybe(word(HISTORY_ENDING)),
  by: maybe(word(RESOLVED_BY)),
  folder: maybe(string),
  text: maybe(string),
  since: maybe(string),
  until: maybe(string),
  before: maybe(integer),
  limit: maybe(integer),
});
export const isHistoryQueryParams: Guard<HistoryQueryParams> = guard(historyQueryParams);

const historyEntry: Check = object({
  n: integer,
  at: string,
  stage: word(HISTORY_STAGE),
  hash: string,
  sessionId: string,
  runId: string,
  callId: string,
  agentId: string,
  agentName: string,
  tool: string,
  args: string,
  category: word(CATEGORY),
  mode: word(MODE),
  headline: string,
  directory: string,
  folder: string,
  digest: string,
  path: optional(array(string)),
  approvalId: maybe(string),
  ending: maybe(word(HISTORY_ENDING)),
  by: maybe(word(RESOLVED_BY)),
  how: maybe(string),
  reason: maybe(string),
  text: maybe(string),
  rule: maybe(ruleOrigin),
  option: maybe(word(OPTION_KIND)),
  grant: maybe(string),
  grantedAt: maybe(string),
  grantUntil: maybe(string),
  feedback: maybe(string),
  edited: maybe(boolean),
  interrupted: maybe(boolean),
  waitedMs: maybe(integer),
  tookMs: maybe(integer),
  code: maybe(string),
  redactions: maybe(integer),
});
export const isHistoryEntry: Guard<HistoryEntry> = guard(historyEntry);

const historyPage: Check = object({
  entries: array(historyEntry),
  more: boolean,
});
export const isHistoryPage: Guard<HistoryPage> = guard(historyPage);

const historyExportParams: Check = object({
  after: maybe(integer),
  length: maybe(integer),
});
export const isHistoryExportParams: Guard<HistoryExportParams> = guard(historyExportParams);

const historyExport: Check = object({
  text: string,
  last: integer,
  done: boolean,
});
export const isHistoryExport: Guard<HistoryExport> = guard(historyExport);

const historyVerifyParams: Check = object({});
export const isHistoryVerifyParams: Guard<HistoryVerifyParams> = guard(historyVerifyParams);

const historyVerified: Check = object({
  intact: boolean,
  entries: integer,
  firstBroken: maybe(integer),
  problem: maybe(string),
});
export const isHistoryVerified: Guard<HistoryVerified> = guard(historyVerified);

const metricsParams: Check = object({
  since: maybe(string),
  until: maybe(string),
});
export const isMetricsParams: Guard<MetricsParams> = guard(metricsParams);

const count: Check = object({
  name: string,
  count: integer,
});
export const isCount: Guard<Count> = guard(count);

const spread: Check = object({
  count: integer,
  median: integer,
  p95: integer,
  longest: integer,
});
export const isSpread: Guard<Spread> = guard(spread);

const toolSpread: Check = object({
  tool: string,
  took: spread,
});
export const isToolSpread: Guard<ToolSpread> = guard(toolSpread);

const metrics: Check = object({
  decisions: array(count),
  endings: array(count),
  answers: array(count),
  timeouts: integer,
  settledByPolicy: integer,
  waited: nullable(spread),
  tools: array(toolSpread),
});
export const isMetrics: Guard<Metrics> = guard(metrics);

const checkpointListParams: Check = object({
  sessionId: string,
});
export const isCheckpointListParams: Guard<CheckpointListParams> = guard(checkpointListParams);

const checkpointInfo: Check = object({
  runId: string,
  at: string,
  files: array(string),
  notKept: integer,
});
export const isCheckpointInfo: Guard<CheckpointInfo> = guard(checkpointInfo);

const checkpointList: Check = object({
  checkpoints: array(checkpointInfo),
});
export const isCheckpointList: Guard<CheckpointList> = guard(checkpointList);

const checkpointRef: Check = object({
  sessionId: string,
  runId: string,
});
export const isCheckpointRef: Guard<CheckpointRef> = guard(checkpointRef);

const checkpointFile: Check = object({
  path: string,
  shown: string,
  state: word(["changed", "created", "changed_since", "same", "left"]),
  note: maybe(string),
  preview: maybe(diffPreview),
});
export const isCheckpointFile: Guard<CheckpointFile> = guard(checkpointFile);

const checkpointDiff: Check = object({
  runId: string,
  at: string,
  digest: string,
  files: array(checkpointFile),
  more: optional(integer),
});
export const isCheckpointDiff: Guard<CheckpointDiff> = guard(checkpointDiff);

const checkpointTextParams: Check = object({
  sessionId: string,
  runId: string,
  path: string,
});
export const isCheckpointTextParams: Guard<CheckpointTextParams> = guard(checkpointTextParams);

const checkpointText: Check = object({
  text: maybe(string),
});
export const isCheckpointText: Guard<CheckpointText> = guard(checkpointText);

const checkpointRestoreParams: Check = object({
  sessionId: string,
  runId: string,
  digest: string,
  alsoChanged: optional(array(string)),
});
export const isCheckpointRestoreParams: Guard<CheckpointRestoreParams> = guard(checkpointRestoreParams);

const checkpointLeft: Check = object({
  shown: string,
  why: string,
});
export const isCheckpointLeft: Guard<CheckpointLeft> = guard(checkpointLeft);

const checkpointRestored: Check = object({
  restored: array(string),
  left: array(checkpointLeft),
  error: maybe(string),
});
export const isCheckpointRestored: Guard<CheckpointRestored> = guard(checkpointRestored);

const modelsListParams: Check = object({
  agent: string,
  provider: string,
  baseUrl: maybe(string),
  apiKeyEnv: maybe(string),
});
export const isModelsListParams: Guard<ModelsListParams> = guard(modelsListParams);

const modelInfo: Check = object({
  name: string,
  contextWindow: maybe(integer),
  tools: maybe(boolean),
});
export const isModelInfo: Guard<ModelInfo> = guard(modelInfo);

const modelsList: Check = object({
  models: array(modelInfo),
  keyName: string,
  baseUrl: string,
  problem: maybe(string),
  needsKey: maybe(boolean),
});
export const isModelsList: Guard<ModelsList> = guard(modelsList);

const suggestedAgentsParams: Check = object({});
export const isSuggestedAgentsParams: Guard<SuggestedAgentsParams> = guard(suggestedAgentsParams);

const suggestedVariable: Check = object({
  name: string,
  about: string,
});
export const isSuggestedVariable: Guard<SuggestedVariable> = guard(suggestedVariable);

const suggestedAgent: Check = object({
  key: string,
  name: string,
  about: string,
  command: string,
  args: array(string),
  install: string,
  needs: string,
  asks: boolean,
  env: array(suggestedVariable),
  advice: maybe(string),
});
export const isSuggestedAgent: Guard<SuggestedAgent> = guard(suggestedAgent);

const suggestedAgents: Check = object({
  agents: array(suggestedAgent),
});
export const isSuggestedAgents: Guard<SuggestedAgents> = guard(suggestedAgents);

const keysListParams: Check = object({});
export const isKeysListParams: Guard<KeysListParams> = guard(keysListParams);

const keyInfo: Check = object({
  agent: string,
  name: string,
  origin: string,
  source: string,
  variable: maybe(string),
});
export const isKeyInfo: Guard<KeyInfo> = guard(keyInfo);

const keysList: Check = object({
  keys: array(keyInfo),
});
export const isKeysList: Guard<KeysList> = guard(keysList);

const viewParams: Check = object({
  viewId: string,
  sessionId: string,
});
export const isViewParams: Guard<ViewParams> = guard(viewParams);

const settingsWriteParams: Check = object({
  key: string,
  path: array(string),
  value: any,
  target: word(WRITE_TARGET),
  append: maybe(boolean),
  remove: maybe(boolean),
});
export const isSettingsWriteParams: Guard<SettingsWriteParams> = guard(settingsWriteParams);

const settingsWriteResult: Check = object({
  written: boolean,
  target: string,
  error: maybe(string),
});
export const isSettingsWriteResult: Guard<SettingsWriteResult> = guard(settingsWriteResult);

const editorDocumentParams: Check = object({
  paths: array(string),
});
export const isEditorDocumentParams: Guard<EditorDocumentParams> = guard(editorDocumentParams);

const editorDocument: Check = object({
  open: boolean,
  uri: maybe(string),
  version: maybe(integer),
  dirty: maybe(boolean),
  text: maybe(string),
});
export const isEditorDocument: Guard<EditorDocument> = guard(editorDocument);

const editorSaveParams: Check = object({
  uri: string,
});
export const isEditorSaveParams: Guard<EditorSaveParams> = guard(editorSaveParams);

const editorSaved: Check = object({
  saved: boolean,
});
export const isEditorSaved: Guard<EditorSaved> = guard(editorSaved);

const editorTasksParams: Check = object({});
export const isEditorTasksParams: Guard<EditorTasksParams> = guard(editorTasksParams);

const editorTask: Check = object({
  taskId: string,
  label: string,
  text: maybe(string),
  directory: maybe(string),
  shell: maybe(string),
  variables: optional(array(string)),
  first: optional(array(string)),
});
export const isEditorTask: Guard<EditorTask> = guard(editorTask);

const editorTasks: Check = object({
  tasks: array(editorTask),
});
export const isEditorTasks: Guard<EditorTasks> = guard(editorTasks);

const editorTaskParams: Check = object({
  task: editorTask,
});
export const isEditorTaskParams: Guard<EditorTaskParams> = guard(editorTaskParams);

const editorTaskEnd: Check = object({
  exitCode: maybe(integer),
  fault: maybe(string),
});
export const isEditorTaskEnd: Guard<EditorTaskEnd> = guard(editorTaskEnd);

const editorOpenParams: Check = object({
  path: string,
  line: maybe(integer),
});
export const isEditorOpenParams: Guard<EditorOpenParams> = guard(editorOpenParams);

const editorShown: Check = object({
  shown: boolean,
  error: maybe(string),
});
export const isEditorShown: Guard<EditorShown> = guard(editorShown);

const editorShowDiffParams: Check = object({
  path: string,
  content: string,
});
export const isEditorShowDiffParams: Guard<EditorShowDiffParams> = guard(editorShowDiffParams);

const editorDiagnosticsParams: Check = object({
  paths: array(string),
});
export const isEditorDiagnosticsParams: Guard<EditorDiagnosticsParams> = guard(editorDiagnosticsParams);

const editorDiagnostic: Check = object({
  line: integer,
  column: integer,
  severity: string,
  message: string,
  source: maybe(string),
});
export const isEditorDiagnostic: Guard<EditorDiagnostic> = guard(editorDiagnostic);

const editorDiagnostics: Check = object({
  diagnostics: array(editorDiagnostic),
  total: integer,
});
export const isEditorDiagnostics: Guard<EditorDiagnostics> = guard(editorDiagnostics);

const editorSelectionParams: Check = object({});
export const isEditorSelectionParams: Guard<EditorSelectionParams> = guard(editorSelectionParams);

const editorSelection: Check = object({
  path: maybe(string),
  text: maybe(string),
  firstLine: maybe(integer),
  lastLine: maybe(integer),
  whole: maybe(boolean),
});
export const isEditorSelection: Guard<EditorSelection> = guard(editorSelection);

const editorArgument: Check = object({
  kind: word(ARGUMENT_KIND),
  value: any,
});
export const isEditorArgument: Guard<EditorArgument> = guard(editorArgument);

const editorCommandParams: Check = object({
  command: word(EDITOR_COMMAND_ID),
  arguments: array(editorArgument),
});
export const isEditorCommandParams: Guard<EditorCommandParams> = guard(editorCommandParams);

const editorCame: Check = object({
  text: maybe(string),
  truncated: optional(boolean),
  fault: maybe(string),
});
export const isEditorCame: Guard<EditorCame> = guard(editorCame);

const editorToolsParams: Check = object({});
export const isEditorToolsParams: Guard<EditorToolsParams> = guard(editorToolsParams);

const editorTool: Check = object({
  name: string,
  description: string,
  schema: maybe(record(any)),
});
export const isEditorTool: Guard<EditorTool> = guard(editorTool);

const editorTools: Check = object({
  tools: array(editorTool),
});
export const isEditorTools: Guard<EditorTools> = guard(editorTools);

const editorToolParams: Check = object({
  name: string,
  input: record(any),
});
export const isEditorToolParams: Guard<EditorToolParams> = guard(editorToolParams);

const consentEntry: Check = object({
  entryId: string,
  key: string,
  words: string,
  before: any,
  after: any,
  file: maybe(string),
  line: maybe(integer),
  digest: optional(string),
});
export const isConsentEntry: Guard<ConsentEntry> = guard(consentEntry);

const consentRequest: Check = object({
  consentId: string,
  workspace: string,
  entries: array(consentEntry),
  reason: string,
  digest: string,
});
export const isConsentRequest: Guard<ConsentRequest> = guard(consentRequest);

const consentResponse: Check = object({
  consentId: string,
  digest: string,
  honour: optional(array(string)),
});
export const isConsentResponse: Guard<ConsentResponse> = guard(consentResponse);

const consentOutcome: Check = object({
  honoured: integer,
  ignored: integer,
  error: maybe(string),
});
export const isConsentOutcome: Guard<ConsentOutcome> = guard(consentOutcome);

const consentResolved: Check = object({
  consentId: string,
});
export const isConsentResolved: Guard<ConsentResolved> = guard(consentResolved);

const attestedEntry: Check = object({
  key: string,
  before: any,
  after: any,
});
export const isAttestedEntry: Guard<AttestedEntry> = guard(attestedEntry);

const attestParams: Check = object({
  file: string,
  sha256: string,
  entries: array(attestedEntry),
});
export const isAttestParams: Guard<AttestParams> = guard(attestParams);

const attestResult: Check = object({
  counted: integer,
});
export const isAttestResult: Guard<AttestResult> = guard(attestResult);

/** What the client asks of the server. */
export interface ClientRequests {
  /** The user's answer to one question. Counts once; an answer that does not fit changes nothing. */
  "tool/approvalResponse": { params: ApprovalResponse; result: ApprovalOutcome };
  /** All waiting questions again, with the same ids: for a view that was rebuilt. */
  "tool/pendingApprovals": { params: PendingApprovalsParams; result: PendingApprovals };
  /** The full arguments of a waiting call, in pieces. */
  "tool/approvalDetails": { params: ApprovalDetailsParams; result: ApprovalDetails };
  /** What a file of a waiting call would hold, in pieces: of comparable calls. The call is looked at again. */
  "tool/approvalChange": { params: ApprovalChangeParams; result: ApprovalChange };
  /** The card of a waiting question comes again, from now on with the secrets that it masked. */
  "tool/reveal": { params: RevealParams; result: Nothing };
  /** One answer to several waiting calls of a chat; one result for each. */
  "tool/approvalBatch": { params: ApprovalBatch; result: BatchOutcome };
  /** Shows a card that leads to nothing and tells what was clicked. */
  "tool/testApproval": { params: TestApprovalParams; result: TestApprovalResult };
  /** The whole text of a result of which the model got a part, in pieces. It is kept while the server runs. */
  "tool/result": { params: ToolResultParams; result: ToolResultPiece };
  /** What a call wrote into its file, and what its run had found there, in pieces. */
  "tool/written": { params: ToolWrittenParams; result: ToolWritten };
  /** A picture or a sound that a call has made, read from its file; a fault where that is another one by now. */
  "tool/media": { params: ToolMediaParams; result: ToolMedia };
  /** What the user did with a form. Counts once; what does not fit the form changes nothing, and it still waits. */
  "form/answer": { params: FormAnswerParams; result: Nothing };
  /** All waiting forms again, with the same ids: for a view that was rebuilt. */
  "form/pending": { params: PendingFormsParams; result: PendingForms };
  /** The commands that run, and those that ran in the background and whose output is still kept. */
  "shell/list": { params: ShellListParams; result: ShellList };
  /** What a command printed, from a cursor on. An unknown id is an error. */
  "shell/output": { params: ShellOutputParams; result: ShellOutput };
  /** Ends a command with everything that it started. Its call, where it waits, gets its result. */
  "shell/kill": { params: ShellKillParams; result: ShellKilled };
  /** Lets the command of a running call go on by itself: the same process, without a limit of time. */
  "shell/background": { params: ShellBackgroundParams; result: ShellBackgrounded };
  /** Opens a chat. */
  "session/new": { params: SessionNewParams; result: SessionInfo };
  /** All chats and agents. */
  "session/list": { params: SessionListParams; result: SessionList };
  /** What a rebuilt view needs: the chat, the events it missed, the calls that wait. */
  "session/load": { params: SessionLoadParams; result: SessionLoaded };
  /** Stops the chat's run, forgets the chat and deletes the folder of its own. */
  "session/close": { params: SessionRef; result: Nothing };
  /** Sets the mode of a chat. */
  "session/setMode": { params: SetModeParams; result: SessionInfo };
  /** Chooses a mode, a model or another setting that an agent of others offers. One with which it does not ask for everything is refused without `confirmed`; the error's `danger` says why. */
  "session/setAgentOption": { params: SetAgentOptionParams; result: Nothing };
  /** Sends a message; answers when the run ends. */
  "chat/send": { params: ChatSendParams; result: ChatSendResult };
  /** Files of the workspace by a part of their path, to name one in a message. */
  "chat/files": { params: ChatFilesParams; result: ChatFiles };
  /** Whether a file can go along with a message; a fault says why it cannot. */
  "chat/attachable": { params: ChatAttachableParams; result: ChatAttachable };
  /** Goes on where a run failed, without a new message; answers when the run ends. No finished call runs again. */
  "chat/retry": { params: SessionRef; result: ChatSendResult };
  /** Ends the run and everything that it waits for. */
  "chat/stop": { params: SessionRef; result: ChatStopResult };
  /** What would be decided about a call now, and why. Runs nothing and asks nobody. */
  "policy/explain": { params: ExplainParams; result: Explanation };
  /** Everything that is allowed without asking. */
  "grants/list": { params: GrantsListParams; result: GrantsList };
  /** Takes a grant back, from the next call on. */
  "grants/revoke": { params: GrantRef; result: GrantRevoked };
  /** Gives back what was taken back by mistake. */
  "grants/undo": { params: GrantRef; result: GrantRestored };
  /** What decides beside the grants: modes, rules, bypasses, and what the user agreed to, each with its place. */
  "permissions/overview": { params: Nothing; result: PermissionsOverview };
  /** What holds commands on this machine. The first time, it is tried out. */
  "permissions/sandbox": { params: Nothing; result: SandboxStanding };
  /** Switches the bypass of an agent in the settings, as a click on a card does. On counts only with the digest. */
  "permissions/setBypass": { params: SetBypassParams; result: BypassSet };
  /** Sets the mode that new chats start in, in the settings, together with the user's agreement. */
  "permissions/setMode": { params: SetDefaultModeParams; result: Nothing };
  /** Forgets what the user answered about an entry of the workspace's settings: it is asked about again. */
  "permissions/forgetAnswer": { params: AnswerRef; result: Nothing };
  /** The decisions that were taken, newest first. */
  "history/query": { params: HistoryQueryParams; result: HistoryPage };
  /** The history as JSON lines, in pieces. */
  "history/export": { params: HistoryExportParams; result: HistoryExport };
  /** Whether the history is as it was written; names the first entry that is not. */
  "history/verify": { params: HistoryVerifyParams; result: HistoryVerified };
  /** Figures counted from the history. */
  "history/metrics": { params: MetricsParams; result: Metrics };
  /** The runs of a chat that wrote files by tools that write files, as far as what was there before is kept. */
  "checkpoint/list": { params: CheckpointListParams; result: CheckpointList };
  /** What a run changed, file by file, from before it until now. What shell commands wrote is not part of it. */
  "checkpoint/diff": { params: CheckpointRef; result: CheckpointDiff };
  /** A file as before the run. */
  "checkpoint/text": { params: CheckpointTextParams; result: CheckpointText };
  /** Rolls back what was shown under the digest, all of it or nothing, also where the request is cancelled meanwhile. Another digest is an error. */
  "checkpoint/restore": { params: CheckpointRestoreParams; result: CheckpointRestored };
  /** The models of a server that the user is about to define an agent with. */
  "models/list": { params: ModelsListParams; result: ModelsList };
  /** Well-known agents of others: how they are installed and started, and what to know about them. */
  "agents/suggested": { params: SuggestedAgentsParams; result: SuggestedAgents };
  /** Where the keys of the agents are looked for. */
  "keys/list": { params: KeysListParams; result: KeysList };
  /** A view shows this chat from now on. */
  "view/attached": { params: ViewParams; result: Nothing };
  /** The view is gone or hidden. */
  "view/detached": { params: ViewParams; result: Nothing };
  /** The user did something in the view. */
  "view/activity": { params: ViewParams; result: Nothing };
  /** The user's answer to it. An unknown id or another digest is an error and changes nothing. */
  "settings/consentResponse": { params: ConsentResponse; result: ConsentOutcome };
  /** The user's own manual save of a settings file. Only from a client that announced `attest`. */
  "settings/attest": { params: AttestParams; result: AttestResult };
}

/** What the server asks of the client, where announced. */
export interface ServerRequests {
  /** Asks for a key that the client stores. Only where the client announced it, and only for agents of its user. */
  "secrets/get": { params: SecretParams; result: SecretValue };
  /** Asks the editor to store one entry of a setting. Only where the client announced it. */
  "settings/write": { params: SettingsWriteParams; result: SettingsWriteResult };
  /** Asks how the editor has a file open, with the text that is not saved. Only where the client announced it. */
  "editor/document": { params: EditorDocumentParams; result: EditorDocument };
  /** Asks the editor to save a document after `workspace/applyEdit`. Only where the client announced it. */
  "editor/save": { params: EditorSaveParams; result: EditorSaved };
  /** Asks which tasks the editor has. Only where the client announced it. */
  "editor/tasks": { params: EditorTasksParams; result: EditorTasks };
  /** Asks the editor to run a task, to its end; `$/cancelRequest` ends it. Only where the client announced it. */
  "editor/runTask": { params: EditorTaskParams; result: EditorTaskEnd };
  /** Asks to show the user a file. Like the three below: only where the client announced it under this name. */
  "editor/openFile": { params: EditorOpenParams; result: EditorShown };
  /** Asks to show the user a file beside a text. Nothing is written. */
  "editor/showDiff": { params: EditorShowDiffParams; result: EditorShown };
  /** Asks what the editor underlines in a file. */
  "editor/diagnostics": { params: EditorDiagnosticsParams; result: EditorDiagnostics };
  /** Asks which file the user has before them, and what is selected in it. */
  "editor/selection": { params: EditorSelectionParams; result: EditorSelection };
  /** Asks the editor to run one of its commands, out of a closed list. Only where the client announced it. */
  "editor/runCommand": { params: EditorCommandParams; result: EditorCame };
  /** Asks which tools the editor has for language models. Only where the client announced `lm/invokeTool`. */
  "lm/tools": { params: EditorToolsParams; result: EditorTools };
  /** Asks the editor to call one of them; `$/cancelRequest` stops it. Only where the client announced it. */
  "lm/invokeTool": { params: EditorToolParams; result: EditorCame };
}

/** What the server tells the client. */
export interface ServerNotifications {
  /** A call waits for the user. Sent after the question is registered and before anything happens. */
  "tool/approvalRequest": ApprovalRequest;
  /** A question ended, by an answer or otherwise. Every view closes its card. */
  "tool/approvalResolved": ApprovalResolved;
  /** An MCP server or an external agent asks the user to fill in a form. Only to a client that announced `forms`. */
  "form/request": FormRequest;
  /** A form was answered or withdrawn. Views close it. */
  "form/ended": FormEnded;
  /** Something happened in a chat. */
  "agent/event": AgentEvent;
  /** Chats of a server that is gone are here now. It may come later than an answer to `session/list`. */
  "session/restored": SessionsRestored;
  /** Other agents are there now, new chats start with another one, or chats work in other folders. */
  "session/listChanged": SessionListChanged;
  /** Entries of the workspace's settings would loosen something: they have no effect until the user agrees. */
  "settings/consentRequest": ConsentRequest;
  /** The question about these settings is closed. */
  "settings/consentResolved": ConsentResolved;
}

/** Checks of notifications as they arrive. */
export const serverNotificationGuards = {
  "tool/approvalRequest": isApprovalRequest,
  "tool/approvalResolved": isApprovalResolved,
  "form/request": isFormRequest,
  "form/ended": isFormEnded,
  "agent/event": isAgentEvent,
  "session/restored": isSessionsRestored,
  "session/listChanged": isSessionListChanged,
  "settings/consentRequest": isConsentRequest,
  "settings/consentResolved": isConsentResolved,
} as const;

/** Checks of the server's answers. */
export const clientResultGuards = {
  "tool/approvalResponse": isApprovalOutcome,
  "tool/pendingApprovals": isPendingApprovals,
  "tool/approvalDetails": isApprovalDetails,
  "tool/approvalChange": isApprovalChange,
  "tool/reveal": isNothing,
  "tool/approvalBatch": isBatchOutcome,
  "tool/testApproval": isTestApprovalResult,
  "tool/result": isToolResultPiece,
  "tool/written": isToolWritten,
  "tool/media": isToolMedia,
  "form/answer": isNothing,
  "form/pending": isPendingForms,
  "shell/list": isShellList,
  "shell/output": isShellOutput,
  "shell/kill": isShellKilled,
  "shell/background": isShellBackgrounded,
  "session/new": isSessionInfo,
  "session/list": isSessionList,
  "session/load": isSessionLoaded,
  "session/close": isNothing,
  "session/setMode": isSessionInfo,
  "session/setAgentOption": isNothing,
  "chat/send": isChatSendResult,
  "chat/files": isChatFiles,
  "chat/attachable": isChatAttachable,
  "chat/retry": isChatSendResult,
  "chat/stop": isChatStopResult,
  "policy/explain": isExplanation,
  "grants/list": isGrantsList,
  "grants/revoke": isGrantRevoked,
  "grants/undo": isGrantRestored,
  "permissions/overview": isPermissionsOverview,
  "permissions/sandbox": isSandboxStanding,
  "permissions/setBypass": isBypassSet,
  "permissions/setMode": isNothing,
  "permissions/forgetAnswer": isNothing,
  "history/query": isHistoryPage,
  "history/export": isHistoryExport,
  "history/verify": isHistoryVerified,
  "history/metrics": isMetrics,
  "checkpoint/list": isCheckpointList,
  "checkpoint/diff": isCheckpointDiff,
  "checkpoint/text": isCheckpointText,
  "checkpoint/restore": isCheckpointRestored,
  "models/list": isModelsList,
  "agents/suggested": isSuggestedAgents,
  "keys/list": isKeysList,
  "view/attached": isNothing,
  "view/detached": isNothing,
  "view/activity": isNothing,
  "settings/consentResponse": isConsentOutcome,
  "settings/attest": isAttestResult,
} as const;

/** Checks of the server's requests. */
export const serverRequestGuards = {
  "secrets/get": isSecretParams,
  "settings/write": isSettingsWriteParams,
  "editor/document": isEditorDocumentParams,
  "editor/save": isEditorSaveParams,
  "editor/tasks": isEditorTasksParams,
  "editor/runTask": isEditorTaskParams,
  "editor/openFile": isEditorOpenParams,
  "editor/showDiff": isEditorShowDiffParams,
  "editor/diagnostics": isEditorDiagnosticsParams,
  "editor/selection": isEditorSelectionParams,
  "editor/runCommand": isEditorCommandParams,
  "lm/tools": isEditorToolsParams,
  "lm/invokeTool": isEditorToolParams,
} as const;
