// What happened in the chat, in the order in which it happened.
import type {
  AgentEvent,
  ChunkData,
  ErrorData,
  PlanEntry,
  PromptData,
  ToolCallData,
  ToolResultData,
  ToolUpdateData,
  UsageData,
} from "../protocol/generated.js";
import { type Cost, type Item, NO_GUEST, type PageState, type Remedy, type ToolStatus } from "./state.js";
import { ownWords, saidInstead } from "./store-changing.js";
import { announce, changeTool, hasTool, lastWithin, mapped, push, pushNotice, replaced } from "./store-helpers.js";
import { shellTold, withOutput } from "./store-shells.js";

/** One event more. */
export function appendEvent(state: PageState, event: AgentEvent): PageState {
  switch (event.event) {
    case "Prompt":
      return prompt(saidInstead(state, event.data), event.data, event.runId);
    case "Retry":
      return announce({ ...settle(state), running: true, stopping: false }, "Trying again.");
    case "Chunk":
      return chunk(state, event.data);
    case "ToolCall":
      return toolCall(state, event.data);
    case "ToolPermission":
      return changeTool(state, event.data.toolCallId, (item) => ({ ...item, status: "awaiting_approval" }));
    case "ToolUpdate":
      return toolUpdate(state, event.data);
    case "ToolResult":
      return toolResult(state, event.data);
    case "Done":
      return ended(state, DONE_TEXT[event.data.done_reason]);
    case "Error":
      return ended(state, event.data.message, event.data);
    case "Mode":
      return state.session ? { ...state, session: { ...state.session, mode: event.data.mode } } : state;
    case "Grants":
      return grants(state, event.data.grants, event.data.bypassAgent, event.data.bypassSession);
    case "BudgetExceeded":
      return pushNotice(state, "warning", event.data.message, event.data.parentToolCallId ?? undefined);
    case "Usage":
      return { ...state, cost: costOf(event.data, state.cost) };
    case "Notification":
      return pushNotice(state, event.data.level, event.data.text);
    case "Shell":
      return shellTold(state, event.data);
    case "Plan":
      return planned(state, event.data.entries);
    case "Commands":
      return { ...state, guest: { ...NO_GUEST, ...state.guest, ...event.data } };
    case "AgentState":
      return { ...state, guest: { ...NO_GUEST, ...state.guest, danger: null, ...event.data } };
  }
}

const DONE_TEXT = { stop: "", cancelled: "Stopped.", limit: "Stopped: a limit of this run is reached." } as const;

function prompt(state: PageState, { text, files }: PromptData, runId: string): PageState {
  const own = ownWords({ text, files: files ?? undefined });
  const taken = state.outgoing.findIndex((one) => one.text === own && one.error === undefined);
  const outgoing = state.outgoing.filter((_, index) => index !== taken);
  const next = push({ ...settle(state), outgoing }, { kind: "user", text, runId, ...(files && { files }) });
  return { ...next, running: true, stopping: false, modeFromNextMessage: false };
}

function chunk(state: PageState, { text, thinking, parentToolCallId }: ChunkData): PageState {
  const within = parentToolCallId ?? undefined;
  let next = state;
  if (thinking) next = appendText(next, "thinking", thinking, within);
  if (text) next = appendText(next, "text", text, within);
  return next.running ? next : { ...next, running: true };
}

/** What agents say at the same time goes on in the block of each. */
function appendText(state: PageState, kind: "text" | "thinking", text: string, within: string | undefined): PageState {
  const index = lastWithin(state, within);
  const last = state.items[index];
  if (last?.kind === kind && last.streaming) {
    return { ...state, items: replaced(state.items, index, { ...last, text: last.text + text }) };
  }
  return push(settleOf(state, within), { kind, text, streaming: true, within });
}

/** What this agent said is complete: whatever comes next begins a new block. */
function settleOf(state: PageState, within: string | undefined): PageState {
  // What it said before anything else that it did is complete already.
  const index = lastWithin(state, within, ({ kind }) => kind !== "notice");
  const item = state.items[index];
  return item && isStreaming(item) ? { ...state, items: replaced(state.items, index, settled(item)) } : state;
}

/** The same of all agents. */
function settle(state: PageState): PageState {
  return state.items.some(isStreaming) ? { ...state, items: mapped(state.items, settled) } : state;
}

function settled(item: Item): Item {
  return isStreaming(item) ? ({ ...item, streaming: false } as Item) : item;
}

function isStreaming(item: Item): boolean {
  return (item.kind === "text" || item.kind === "thinking") && item.streaming;
}

function toolCall(state: PageState, data: ToolCallData): PageState {
  const known = {
    tool: data.tool,
    headline: data.headline,
    category: data.category,
    within: data.parentToolCallId ?? undefined,
    depth: data.depth,
    args: data.args,
  };
  if (hasTool(state, data.toolCallId)) {
    return changeTool(state, data.toolCallId, (item) => ({ ...item, ...known, fromCard: false }));
  }
  const next = push(settleOf(state, known.within), {
    kind: "tool",
    callId: data.toolCallId,
    ...known,
    status: "pending",
    notes: [],
    liveOutput: "",
    cards: [],
    fromCard: false,
    askedAgain: false,
  });
  return next.running ? next : { ...next, running: true };
}

const PHASE_STATUS = {
  pre_tool_use: "pending",
  awaiting_approval: "awaiting_approval",
  running: "running",
  post_tool_use: "running",
} as const;

function toolUpdate(state: PageState, data: ToolUpdateData): PageState {
  return changeTool(state, data.toolCallId, (item) => ({
    ...item,
    // What was printed may be told late: a call that has its result stays where it is.
    status: data.outputDelta && item.result ? item.status : PHASE_STATUS[data.phase],
    // The later one says what became of what the earlier one asked.
    notes: data.note ? [data.note] : item.notes,
    decidedAt: data.note ? (data.decidedAt ?? undefined) : item.decidedAt,
    liveOutput: withOutput(item.liveOutput, data.outputDelta),
    ...(data.shellId && data.shellId !== item.shellId ? { shellId: data.shellId, ran: { ageMs: 0 } } : {}),
  }));
}

const REFUSALS = new Set([
  "permission_denied",
  "denied_by_rule",
  "denied_by_hook",
  "blocked_in_plan_mode",
  "blocked_by_protection",
  "approval_timeout",
  "unattended",
  "disabled",
  "limit_reached",
]);

const ENDS: ReadonlyMap<string, ToolStatus> = new Map([
  ["cancelled", "cancelled"],
  ["killed", "cancelled"],
  ["interrupted", "interrupted"],
  ["expired", "interrupted"],
  ["secret_not_kept", "interrupted"],
  ["outcome_unknown", "unknown"],
]);

const ENDS_WITHOUT_FAULT: ReadonlyMap<string, ToolStatus> = new Map([
  ["background", "background"],
  ["unknown_end", "unknown"],
]);

function toolResult(state: PageState, data: ToolResultData): PageState {
  const status = resultStatus(data);
  const next = changeTool(settleOf(state, data.toolCallId), data.toolCallId, (item) => ({
    ...item,
    status,
    durationMs: data.durationMs,
    result: {
      output: data.output,
      path: data.path ?? undefined,
      content: data.content ?? undefined,
      code: data.code ?? undefined,
      truncated: data.truncated ?? false,
      wholeLength: data.wholeLength ?? undefined,
      made: data.made ?? undefined,
    },
  }));
  return status === "failed" ? announce(next, `${data.tool} failed`) : next;
}

function resultStatus(data: ToolResultData): ToolStatus {
  if (data.success && !data.is_error) return ENDS_WITHOUT_FAULT.get(data.code ?? "") ?? "done";
  const known = data.code && ENDS.get(data.code);
  if (known) return known;
  return data.code && REFUSALS.has(data.code) ? "denied" : "failed";
}

/** A plan stays where it began, as long as nothing was asked of the agent since. */
function planned(state: PageState, entries: readonly PlanEntry[]): PageState {
  const at = state.items.findLastIndex(({ kind }) => kind === "plan" || kind === "user");
  const plan = state.items[at];
  if (plan?.kind !== "plan") return push(settle(state), { kind: "plan", entries });
  return { ...state, items: replaced(state.items, at, { ...plan, entries }) };
}

function ended(state: PageState, text: string, fault?: ErrorData): PageState {
  const next = { ...settle(state), running: false, stopping: false };
  if (text === "") return next;
  const [failed, canRetry, remedy] = [fault !== undefined, fault?.canRetry === true, remedyFor(fault?.code)];
  return announce(
    push(next, { kind: "end", text, failed, canRetry, remedy, restarts: fault?.code === "agent_exit" }),
    text,
  );
}

const REMEDIES: ReadonlyMap<string, Remedy> = new Map([
  ["key_missing", "setKey"],
  ["key_rejected", "setKey"],
  ["unreachable", "chooseModel"],
  ["model_not_found", "chooseModel"],
  ["not_a_model_server", "chooseModel"],
  ["bad_address", "chooseModel"],
  ["ill_defined", "chooseModel"],
]);

function remedyFor(code: string | null | undefined): Remedy | undefined {
  return code ? REMEDIES.get(code) : undefined;
}

function costOf({ runInput, runOutput, ...turn }: UsageData, before: Cost | undefined): Cost {
  const { input, output, contextWindow, parentToolCallId } = turn;
  const known = contextWindow && typeof input === "number" ? (input + (output ?? 0)) / contextWindow : undefined;
  // What a sub-agent takes in is not the chat's.
  return { input: runInput, output: runOutput, filled: parentToolCallId ? before?.filled : known };
}

function grants(state: PageState, labels: string[], bypassAgent: boolean, bypassSession: boolean): PageState {
  const session = state.session && { ...state.session, bypassAgent, bypassSession };
  return { ...state, session, grants: labels };
}
