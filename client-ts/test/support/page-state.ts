// The page's state after messages, without a page.
import type { HostMessage } from "../../src/common/page-messages.js";
import type { ApprovalRequest, GrantInfo } from "../../src/protocol/generated.js";
import { type Card, initialState, openCards, type PageState } from "../../src/webview/state.js";
import { type LocalMessage, reduce } from "../../src/webview/store.js";
import { request, session } from "./examples.js";

export type Message = HostMessage | LocalMessage;

export function pageAfter(...messages: Message[]): PageState {
  const start: Message[] = [
    { type: "connection", state: "ready", text: "", actions: [] },
    { type: "chat", how: "replace", session: session(), events: [], pending: [] },
  ];
  return [...start, ...messages].reduce(reduce, initialState);
}

/** The question with this number, of a call of its own. */
export function numbered(number: number, changes: Partial<ApprovalRequest> = {}): ApprovalRequest {
  return request({
    approvalId: `a-${number}`,
    seq: number,
    argsDigest: `digest-${number}`,
    toolCall: { toolCallId: `c-${number}` },
    headline: `Write ${number}.txt`,
    ...changes,
  });
}

export function cardOf(state: PageState, approvalId: string): Card | undefined {
  return openCards(state).find((card) => card.request.approvalId === approvalId);
}

export function grant(changes: Partial<GrantInfo> = {}): GrantInfo {
  return {
    grantId: "g-1",
    kind: "key",
    scope: "chat",
    text: "write_file runs without asking",
    sessionId: "s-1",
    givenAt: "2026-03-01T18:00:00Z",
    givenOn: "Write notes.txt (+1 −0)",
    used: 2,
    lastUsedAt: "2026-03-01T18:05:00Z",
    effective: true,
    ...changes,
  };
}
