// What the page knows, as plain values. Everything that it draws comes from here.
import type { ConnectionState, HostAction, HostKind, HostMessage, NoticeLevel } from "../common/page-messages.js";
import type {
  AgentInfo,
  AgentSetting,
  ApprovalRequest,
  AttachedFile,
  Category,
  ConsentRequest,
  FormRequest,
  GrantInfo,
  MadeInfo,
  OptionKind,
  PlanEntry,
  ResolvedBy,
  SessionInfo,
  ShellInfo,
  ShellStatus,
  SlashCommand,
  Status,
  ToolMedia,
} from "../protocol/generated.js";
import type { Chip, FoundFiles } from "./attaching.js";
import { once } from "./once.js";

/** Where a tool call is: what its row shows. */
export type ToolStatus =
  | "pending"
  | "awaiting_approval"
  | "running"
  | "done"
  | "failed"
  | "denied"
  | "cancelled"
  | "interrupted"
  | "unknown"
  | "background";

/** How a question ended, for a person. `lost`: the server that asked is gone. */
export interface Outcome {
  status: Status | "lost";
  text: string;
  decision?: OptionKind | undefined;
  by?: ResolvedBy | undefined;
  /** When, as the server says it. */
  at?: string | undefined;
  /** What the answer was to store, and what became of it. */
  stored?: { text: string; failed: boolean } | undefined;
}

/** The full arguments of a long call, as far as they arrived. They belong to one digest. */
export interface Details {
  pieces: readonly string[];
  received: number;
  total: number | undefined;
  requested: boolean;
  error?: string | undefined;
}

/** The files of a call in the editor's view of differences, as they are in the state that this card shows. */
export interface Comparison {
  /** Until the editor shows them. */
  asked?: boolean;
  /** They were all that the call does. */
  toldAll?: boolean;
  /** There is something in them that cannot be seen. */
  hides?: boolean;
  error?: string | undefined;
}

/** A question to the user. `open` and `sending` have buttons; `closed` has none. */
export interface Card {
  request: ApprovalRequest;
  phase: "open" | "sending" | "closed";
  /** Rises whenever what is asked changes: the buttons are armed anew. */
  revision: number;
  details: Details;
  /** What came of comparing its files; there is nothing where nobody wanted that. */
  comparison?: Comparison | undefined;
  /** The whole card has been in sight as it is now: only then may it be answered together with others. */
  seen: boolean;
  /** The user is changing the call: an answer to all does not mean this one. */
  editing: boolean;
  /** The user took it out of what an answer to all means. */
  leftOut: boolean;
  chosen?: { optionId: string; kind: OptionKind } | undefined;
  error?: string | undefined;
  /** What is to be known of it beside the question. */
  note?: string | undefined;
  outcome?: Outcome | undefined;
}

/** What a call came to. */
export interface ToolResult {
  output: string;
  path?: string | undefined;
  content?: string | undefined;
  code?: string | undefined;
  truncated: boolean;
  /** The characters of the whole output, where the server keeps it. */
  wholeLength?: number | undefined;
  /** A picture or a sound that it has written. */
  made?: MadeInfo | undefined;
}

/** That picture or sound itself, or why it cannot be shown. */
export interface ShownMedia {
  media?: ToolMedia | undefined;
  error?: string | undefined;
}

/** How far a command is that goes on by itself. One that is listed no more has ended, nobody knows how. */
export interface ShellEnd {
  status: ShellStatus;
  exitCode?: number | null | undefined;
  signal?: string | null | undefined;
  reason?: string | null | undefined;
}

/** A form that a program puts to the user. */
export interface OpenForm {
  request: FormRequest;
  phase: "open" | "sending";
  /** Why it was not sent, at a field where it is about one. */
  error?: { text: string; field?: string | undefined } | undefined;
}

export interface ToolItem {
  kind: "tool";
  id: string;
  callId: string;
  /** The call of the sub-agent that made it; the chat's own agent has none. */
  within: string | undefined;
  tool: string;
  headline: string;
  category: Category | undefined;
  depth: number;
  args: unknown;
  status: ToolStatus;
  notes: readonly string[];
  /** When somebody decided what they say, as the server says it. */
  decidedAt?: string | undefined;
  liveOutput: string;
  /** The command that it runs, which can be ended or moved. */
  shellId?: string | undefined;
  /** How long that ran already when the page was told: the time counts on from there. */
  ran?: { ageMs: number } | undefined;
  /** What became of it in the background. */
  shell?: ShellEnd | undefined;
  result?: ToolResult | undefined;
  media?: ShownMedia | undefined;
  durationMs?: number | undefined;
  cards: readonly Card[];
  /** Only known from a card: no events of a run will come for it. */
  fromCard: boolean;
  /** The user asked the agent to try it once more. */
  askedAgain: boolean;
}

/** What the user said. */
export interface UserItem {
  kind: "user";
  id: string;
  text: string;
  /** The run that it began, by which it is known; none where it can be changed no more. */
  runId?: string | undefined;
  /** What went along with it; the text names it at its end. */
  files?: readonly string[] | undefined;
  /** Something else was said instead of it. */
  changed?: { wrote: boolean } | undefined;
}

/** An earlier message that the user is saying anew, and what stood in the composer before. */
export interface Changing {
  runId: string;
  draft: string;
  attached: readonly Chip[];
}

export type Item =
  | UserItem
  | { kind: "text"; id: string; text: string; streaming: boolean; within: string | undefined }
  | { kind: "thinking"; id: string; text: string; streaming: boolean; within: string | undefined }
  | { kind: "notice"; id: string; level: NoticeLevel; text: string; within?: string | undefined }
  | { kind: "plan"; id: string; entries: readonly PlanEntry[] }
  | {
      kind: "end";
      id: string;
      text: string;
      failed: boolean;
      canRetry: boolean;
      remedy?: Remedy | undefined;
      restarts?: boolean;
    }
  | ToolItem;

/** What the user can do about a fault of a model, beside trying again. */
export type Remedy = "setKey" | "chooseModel";

/** What an agent of others says of itself. The part of the page that draws it is loaded with the first of it. */
export interface Guest {
  commands: readonly SlashCommand[];
  settings: readonly AgentSetting[];
  /** Why it does not ask for everything now. */
  danger?: string | null | undefined;
}

export const NO_GUEST: Guest = { commands: [], settings: [] };

/** What the latest run has cost, in tokens, as far as the model's server tells it. */
export interface Cost {
  input: number;
  output: number;
  /** How much of what the model can take in the latest turn was, from 0 to 1. */
  filled: number | undefined;
}

/** A message that was sent and not yet taken up by a run. */
export interface Outgoing {
  messageId: string;
  text: string;
  /** It takes the place of the run that goes on. */
  replaces: boolean;
  /** It is said instead of the message that began this run. */
  insteadOf?: string | undefined;
  attachments?: readonly AttachedFile[] | undefined;
  error?: string | undefined;
}

/** The question about settings of the workspace. What is not picked stays without effect. */
export interface ConsentPanel {
  request: ConsentRequest;
  phase: "open" | "sending";
  /** The ids of the entries that are ticked. */
  picked: readonly string[];
  error?: string | undefined;
}

/** A grant that was taken back here, or could not be. */
export interface RemovedGrant {
  grantId: string;
  text: string;
  undoable: boolean;
  error: string | undefined;
}

export interface PageState {
  host: HostKind;
  /** Whether keys of the editor answer cards. */
  answersKeys: boolean;
  connection: { state: ConnectionState; text: string; actions: readonly HostAction[] };
  session: SessionInfo | undefined;
  chats: readonly SessionInfo[];
  agents: readonly AgentInfo[];
  running: boolean;
  stopping: boolean;
  items: readonly Item[];
  outgoing: readonly Outgoing[];
  changing: Changing | undefined;
  /** Rows up to this one, from the message that was changed, are what the model knows no more. */
  gone: ReadonlySet<string>;
  /** What the user named for the next message. */
  attached: readonly Chip[];
  found: FoundFiles | undefined;
  cost: Cost | undefined;
  guest: Guest | undefined;
  /** What runs without asking in this chat, by its names alone. */
  grants: readonly string[];
  /** Everything that is allowed, as the server lists it; undefined until it did. */
  permits: readonly GrantInfo[] | undefined;
  /** Those that the user has just taken back, until the server says so. */
  removing: readonly string[];
  removed: readonly RemovedGrant[];
  permitsOpen: boolean;
  /** How the program around the page wants that to be shown: with the history, or without. */
  permitsShown: Extract<HostMessage, { type: "showGrants" }> | undefined;
  /** The latest answer about the history, for whoever asked. */
  history: Extract<HostMessage, { type: "history" }> | undefined;
  /** What decides beside them, as the host told it last. What draws it looks whether it makes sense. */
  permissions: Partial<Extract<HostMessage, { type: "permissions" }>> | undefined;
  /** The commands of all chats, as the server listed them last; undefined until it did. */
  shells: readonly ShellInfo[] | undefined;
  shellsOpen: boolean;
  /** The commands, by their own id or their call's, that the user just ended or moved, until the server answers. */
  shellsAsked: readonly string[];
  /** Forms that wait, of all chats. */
  forms: readonly OpenForm[];
  consent: ConsentPanel | undefined;
  /** What of the last answer about settings could not be kept. */
  consentFault: string | undefined;
  /** A looser mode that was chosen while a run is under way, and counts only from the next message. */
  modeFromNextMessage: boolean;
  announcement: string;
  nextId: number;
}

export const NO_DETAILS: Details = { pieces: [], received: 0, total: undefined, requested: false };

export const initialState: PageState = {
  host: "editor",
  answersKeys: false,
  connection: { state: "starting", text: "Starting…", actions: [] },
  session: undefined,
  chats: [],
  agents: [],
  running: false,
  stopping: false,
  items: [],
  outgoing: [],
  changing: undefined,
  gone: new Set(),
  attached: [],
  found: undefined,
  cost: undefined,
  guest: undefined,
  grants: [],
  permits: undefined,
  permissions: undefined,
  history: undefined,
  removing: [],
  removed: [],
  permitsOpen: false,
  permitsShown: undefined,
  shells: undefined,
  shellsOpen: false,
  shellsAsked: [],
  forms: [],
  consent: undefined,
  consentFault: undefined,
  modeFromNextMessage: false,
  announcement: "",
  nextId: 1,
};

/** The questions that wait, in the order in which the server asked. */
export function openCards(state: PageState): readonly Card[] {
  return factsOf(state.items).open;
}

/** Whether Stop has something to end: a run, or a call that waits or runs without one. */
export function canStop({ running, items }: PageState): boolean {
  return running || factsOf(items).isBusy;
}

/** Whether something is among the rows that the part of the page draws which is loaded later. */
export function hasRareRows({ items }: PageState): boolean {
  return factsOf(items).hasRare;
}

/** What all rows are looked through for: once, however often it is asked about the same rows. */
const factsOf = once((items: readonly Item[]) => {
  const open: Card[] = [];
  let [isBusy, hasRare] = [false, false];
  for (const item of items) {
    if (item.kind !== "tool") {
      if (item.kind !== "notice" && item.kind !== "end") hasRare = true;
      continue;
    }
    if (item.status === "running") isBusy = true;
    if (item.result?.made) hasRare = true;
    for (const card of item.cards) if (card.phase !== "closed") open.push(card);
  }
  open.sort((one, other) => one.request.seq - other.request.seq);
  return { open, isBusy: isBusy || open.length > 0, hasRare };
});

function waits({ cards }: ToolItem): boolean {
  return cards.some((card) => card.phase !== "closed");
}

/** The end of a run that failed and can go on from there: nothing newer has happened, and nothing is under way. */
export function retryable(state: PageState): Item | undefined {
  const last = state.items.findLast((item) => item.kind !== "notice");
  if (last?.kind !== "end" || !last.canRetry || canStop(state)) return undefined;
  return state.outgoing.some((message) => message.error === undefined) ? undefined : last;
}

/** Another chat in which something waits for the user, the latest one. */
export function waitingElsewhere({ chats, session }: PageState): SessionInfo | undefined {
  return chats.findLast((chat) => chat.waiting > 0 && chat.sessionId !== session?.sessionId);
}

/** What stands in the composer when a message comes back that no run took up: nothing that was written is lost. */
export function withReturned(draft: string, text: string): string {
  return draft.trim() === "" ? text : `${draft.trimEnd()}\n\n${text}`;
}

/** More cards than this are not drawn at once. */
export const MOST_CARDS = 100;

/** The questions whose cards are drawn. */
export function drawnCards(state: PageState): readonly Card[] {
  return openCards(state).slice(0, MOST_CARDS);
}

/** Those that one answer to all of them means. A yes means what was seen whole; a no whatever is drawn. */
export function answeredTogether(cards: readonly Card[], decision: "allow_once" | "reject_once"): readonly Card[] {
  return cards.filter((card) => {
    if (card.leftOut) return false;
    const offered = card.request.options.filter((option) => option.kind === decision).length;
    if (card.phase !== "open" || !offered || decision === "reject_once") return card.phase === "open" && offered > 0;
    // Of several ways to say yes, only a click names one.
    return offered === 1 && card.seen && !card.editing && isFullyShown(card) && !answeredByItself(card);
  });
}

const BY_ITSELF: ReadonlySet<string> = new Set(["protected", "ask_rule", "outside_workspace"]);

/** Whether a yes to all leaves it waiting, because of why it is asked. */
export function answeredByItself({ request }: Card): boolean {
  return BY_ITSELF.has(request.reason.code);
}

const NOT_RUN: ReadonlySet<string> = new Set(["approval_timeout", "interrupted", "expired"]);

/** Whether a call ended without having run and without anyone having decided so. */
export function endedUnasked(item: ToolItem): boolean {
  const { cards, result, fromCard, within } = item;
  // What a sub-agent called, the chat's agent does not know of.
  if (fromCard || within !== undefined || waits(item)) return false;
  if (result !== undefined) return NOT_RUN.has(result.code ?? "");
  const status = cards.at(-1)?.outcome?.status;
  return status === "timeout" || status === "expired" || status === "lost";
}

/** What is allowed in the chat that is shown, and ends with it. */
export function permitsOfChat({ permits, session }: PageState): readonly GrantInfo[] {
  return permits?.filter((grant) => grant.kind !== "deny_rule" && isOfChat(grant, session?.sessionId)) ?? [];
}

function isOfChat({ scope, sessionId }: GrantInfo, shown: string | undefined): boolean {
  return scope === "chat" && sessionId === shown;
}

/** Those that are drawn only when earlier ones are answered; undefined where there are none. */
export function cardsForLater(state: PageState): ReadonlySet<string> | undefined {
  const later = openCards(state).slice(MOST_CARDS);
  return later.length === 0 ? undefined : new Set(later.map((card) => card.request.approvalId));
}

/** Whether everything that the card asks about can be seen: long calls opened in full, secrets revealed. */
export function isFullyShown(card: Card): boolean {
  return !card.request.redactions && isOpened(card);
}

/** Whether a call that is too long for its card has been opened in full. */
export function isOpened({ request, details, comparison }: Card): boolean {
  return !request.truncated || comparison?.toldAll === true || isWhole(details);
}

/** Whether the full arguments of a call are there. */
export function isWhole({ total, received }: Details): boolean {
  return total !== undefined && received >= total;
}

/** Whether an answer refuses. */
export function refuses(kind: OptionKind): boolean {
  return kind === "reject_once" || kind === "reject_always";
}
