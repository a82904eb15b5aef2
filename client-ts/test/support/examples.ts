// Messages as a server sends them, to be changed where a test needs it.
import type { AgentEvent, ApprovalRequest, ApprovalResolved, SessionInfo } from "../../src/protocol/generated.js";

export function session(changes: Partial<SessionInfo> = {}): SessionInfo {
  return {
    sessionId: "s-1",
    agentId: "demo",
    agentName: "Demo",
    mode: "default",
    title: "",
    running: false,
    waiting: 0,
    lastN: 0,
    bypassAgent: false,
    bypassSession: false,
    ...changes,
  };
}

export function request(changes: Partial<ApprovalRequest> = {}): ApprovalRequest {
  return {
    approvalId: "a-1",
    seq: 1,
    sessionId: "s-1",
    tabId: "s-1",
    agentName: "Demo",
    agentId: "demo",
    toolCall: { toolCallId: "c-1" },
    tool: "write_file",
    args: { path: "notes.txt", content: "milk\n" },
    argsDigest: "digest-1",
    category: "write",
    headline: "Write notes.txt (+1 −0)",
    directory: "/home/ada/project",
    options: [
      { optionId: "allow_once", name: "Approve", kind: "allow_once", scopeText: "This call only." },
      {
        optionId: "allow_session",
        name: "Allow write_file for this chat",
        kind: "allow_session",
        scopeText: "In this chat.",
      },
      { optionId: "bypass_agent", name: "Bypass permissions for Demo", kind: "bypass_agent", scopeText: "Everywhere." },
      { optionId: "reject_once", name: "Deny", kind: "reject_once" },
    ],
    reason: { code: "needs_approval", text: "Demo must ask before it writes." },
    depth: 0,
    path: [],
    mode: "default",
    createdAt: "2026-03-01T18:00:00Z",
    preview: {
      kind: "diff",
      path: "notes.txt",
      realPath: "/home/ada/project/notes.txt",
      isNew: false,
      lines: [
        { kind: "context", text: "bread", oldNumber: 1, newNumber: 1 },
        { kind: "removed", text: "mlik", oldNumber: 2 },
        { kind: "added", text: "milk", newNumber: 2 },
      ],
      added: 1,
      removed: 1,
    },
    ...changes,
  };
}

export function resolution(changes: Partial<ApprovalResolved> = {}): ApprovalResolved {
  return {
    approvalId: "a-1",
    sessionId: "s-1",
    toolCallId: "c-1",
    status: "allowed",
    resolvedBy: "user",
    reasonText: "You chose “Approve”.",
    decision: "allow_once",
    ...changes,
  };
}

type Name = AgentEvent["event"];
type Data<N extends Name> = Extract<AgentEvent, { event: N }>["data"];

export function event<N extends Name>(n: number, name: N, data: Data<N>, sessionId = "s-1"): AgentEvent {
  return { sessionId, runId: "r-1", n, event: name, data } as AgentEvent;
}

export const text = (n: number, words: string) => event(n, "Chunk", { text: words, thinking: null });

export const toolCall = (n: number, toolCallId = "c-1") =>
  event(n, "ToolCall", {
    toolCallId,
    tool: "write_file",
    args: { path: "notes.txt" },
    category: "write",
    headline: "Write notes.txt (+1 −0)",
    depth: 0,
  });

export const toolResult = (n: number, changes: Partial<Data<"ToolResult">> = {}) =>
  event(n, "ToolResult", {
    toolCallId: "c-1",
    tool: "write_file",
    success: true,
    output: "Wrote notes.txt.",
    durationMs: 12,
    is_error: false,
    ...changes,
  });
