// A server in memory that behaves as the protocol says: it numbers events, keeps questions, and takes the first answer.
import { Emitter } from "../../src/common/emitter.js";
import type { Connection } from "../../src/common/server.js";
import { ServerFault } from "../../src/common/server.js";
import {
  type AgentEvent,
  type ApprovalBatch,
  type ApprovalRequest,
  type ApprovalResponse,
  ErrorCode,
  type FormRequest,
  type GrantInfo,
  type SessionInfo,
  type ShellInfo,
} from "../../src/protocol/generated.js";
import { session } from "./examples.js";

interface Chat {
  info: SessionInfo;
  events: AgentEvent[];
}

type Handler = (params: never) => unknown;

export class Peer implements Connection {
  readonly calls: { method: string; params: unknown }[] = [];
  readonly chats = new Map<string, Chat>();
  readonly pending = new Map<string, ApprovalRequest>();
  readonly grants = new Map<string, GrantInfo>();
  shells: ShellInfo[] = [];
  agentForNewChats = session().agentId;
  forms: FormRequest[] = [];
  private opened = 0;
  private readonly revoked = new Map<string, GrantInfo>();
  /** Answers of a test in place of the server's own. */
  readonly overrides = new Map<string, Handler>();
  private readonly notifications = new Emitter<{ method: string; params: unknown }>();

  constructor(private readonly prefix = "s") {}

  async request(method: string, params: unknown): Promise<unknown> {
    this.calls.push({ method, params: structuredClone(params) });
    const handler = this.overrides.get(method) ?? this.handlers[method];
    if (handler === undefined) throw new ServerFault(ErrorCode.METHOD_NOT_FOUND, method);
    return structuredClone(await handler(structuredClone(params) as never));
  }

  notify(method: string, params: unknown): void {
    this.calls.push({ method, params: structuredClone(params) });
  }

  onNotification(listener: (method: string, params: unknown) => void) {
    return this.notifications.on(({ method, params }) => listener(method, params));
  }

  tell(method: string, params: unknown): void {
    this.notifications.fire({ method, params: structuredClone(params) });
  }

  /** Something happens in a chat: kept, and told unless it gets lost on the way. */
  happen(event: AgentEvent, { lost = false } = {}): void {
    const chat = this.chats.get(event.sessionId);
    if (chat === undefined) throw new Error(`no chat ${event.sessionId}`);
    chat.events.push(event);
    chat.info = { ...chat.info, lastN: event.n };
    if (!lost) this.tell("agent/event", event);
  }

  ask(request: ApprovalRequest): void {
    this.pending.set(request.approvalId, request);
    this.tell("tool/approvalRequest", request);
  }

  called(method: string): unknown[] {
    return this.calls.filter((call) => call.method === method).map((call) => call.params);
  }

  private chat(sessionId: string): Chat {
    const chat = this.chats.get(sessionId);
    if (chat === undefined) throw new ServerFault(ErrorCode.SESSION_NOT_FOUND, "There is no such chat.");
    return chat;
  }

  private waiting(sessionId?: string | null): ApprovalRequest[] {
    const all = [...this.pending.values()].map((request) => ({ ...request, redelivery: true }));
    return sessionId ? all.filter((request) => request.sessionId === sessionId) : all;
  }

  private readonly handlers: Record<string, Handler> = {
    "session/new": ({ agent = this.agentForNewChats }: { agent?: string }) => {
      this.opened += 1;
      const info = session({ sessionId: `${this.prefix}-${this.opened}`, agentId: agent, agentName: agent });
      this.chats.set(info.sessionId, { info, events: [] });
      return info;
    },
    "session/list": () => ({ sessions: [...this.chats.values()].map((chat) => chat.info), agents: [] }),
    "session/load": ({ sessionId, sinceN }: { sessionId: string; sinceN: number }) => {
      const chat = this.chat(sessionId);
      return {
        session: chat.info,
        events: chat.events.filter((one) => one.n > (sinceN ?? 0)),
        pending: this.waiting(sessionId),
      };
    },
    "session/close": ({ sessionId }: { sessionId: string }) => {
      this.chat(sessionId);
      this.chats.delete(sessionId);
      return {};
    },
    "session/setMode": ({ sessionId, mode }: { sessionId: string; mode: SessionInfo["mode"] }) => {
      const chat = this.chat(sessionId);
      chat.info = { ...chat.info, mode };
      return chat.info;
    },
    "chat/send": ({ sessionId }: { sessionId: string }) => {
      this.chat(sessionId);
      return { sessionId, runId: "r-1", done_reason: "stop" };
    },
    "chat/stop": () => ({ stopped: true }),
    "form/pending": () => ({ forms: this.forms }),
    "tool/pendingApprovals": ({ sessionId }: { sessionId?: string | null }) => ({ approvals: this.waiting(sessionId) }),
    "tool/approvalResponse": (answer: ApprovalResponse) => this.answer(answer),
    "tool/approvalBatch": ({ items, decision }: ApprovalBatch) => ({
      results: items.map(({ approvalId, argsDigest }) => this.answerOne(approvalId, argsDigest, decision)),
    }),
    "grants/list": () => ({ grants: [...this.grants.values()] }),
    "grants/revoke": ({ grantId }: { grantId: string }) => {
      const grant = this.grants.get(grantId);
      if (grant === undefined) throw new ServerFault(ErrorCode.INVALID_PARAMS, "There is no such grant.");
      this.grants.delete(grantId);
      this.revoked.set(grantId, grant);
      return { grantId, undoable: true, status: "revoked" };
    },
    "grants/undo": ({ grantId }: { grantId: string }) => {
      const grant = this.revoked.get(grantId);
      if (grant === undefined) throw new ServerFault(ErrorCode.INVALID_PARAMS, "There is nothing to undo.");
      this.grants.set(grantId, grant);
      return { grant };
    },
    "shell/list": () => ({ shells: this.shells }),
    "tool/testApproval": () => ({ status: "allowed", decision: "allow_once" }),
  };

  private answerOne(approvalId: string, argsDigest: string, decision: ApprovalBatch["decision"]) {
    const option = this.pending.get(approvalId)?.options.find((one) => one.kind === decision);
    if (this.pending.get(approvalId)?.reason.code === "protected" && decision === "allow_once")
      return { approvalId, status: "left" };
    try {
      const response = { outcome: { outcome: "selected", optionId: option?.optionId ?? "" } } as const;
      this.answer({ approvalId, argsDigest, response });
      return { approvalId, status: "accepted" };
    } catch (error) {
      const { code, message } = error as ServerFault;
      return { approvalId, status: "failed", error: { code, message } };
    }
  }

  private answer(answer: ApprovalResponse) {
    const { approvalId } = answer;
    const request = this.pending.get(approvalId);
    if (request === undefined) throw new ServerFault(ErrorCode.APPROVAL_NOT_FOUND, "There is no such question.");
    if (answer.argsDigest !== request.argsDigest) throw new ServerFault(ErrorCode.DIGEST_MISMATCH, "Changed.");
    const outcome = answer.response?.outcome;
    const option = request.options.find((one) => outcome?.outcome === "selected" && one.optionId === outcome.optionId);
    if (option === undefined) throw new ServerFault(ErrorCode.INVALID_OPTION, "Not offered.");
    this.pending.delete(approvalId);
    this.tell("tool/approvalResolved", {
      approvalId,
      sessionId: request.sessionId,
      toolCallId: request.toolCall.toolCallId,
      status: option.kind.startsWith("reject") ? "rejected" : "allowed",
      resolvedBy: "user",
      reasonText: `You chose “${option.name}”.`,
      decision: option.kind,
    });
    return { approvalId, decision: option.kind, status: "accepted", resolvedBy: "user" };
  }
}
