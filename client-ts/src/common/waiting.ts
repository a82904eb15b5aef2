// The calls that wait for the user, over all chats: what the badge counts and what an answer may refer to.
import type { ApprovalRequest } from "../protocol/generated.js";
import { Emitter } from "./emitter.js";

/** The open questions by id. */
export class Waiting {
  readonly changed = new Emitter<number>();
  private readonly requests = new Map<string, ApprovalRequest>();
  /** Of each list that is on its way: what came, and what ended, since it was asked for. */
  private readonly meanwhile = new Set<Map<string, ApprovalRequest | undefined>>();

  get count(): number {
    return this.requests.size;
  }

  /** In the order in which they came. */
  get all(): ApprovalRequest[] {
    return [...this.requests.values()];
  }

  get(approvalId: string): ApprovalRequest | undefined {
    return this.requests.get(approvalId);
  }

  countOf(sessionId: string): number {
    return [...this.requests.values()].filter((request) => request.sessionId === sessionId).length;
  }

  add(request: ApprovalRequest): void {
    this.requests.set(request.approvalId, request);
    for (const told of this.meanwhile) told.set(request.approvalId, request);
    this.changed.fire(this.count);
  }

  remove(approvalId: string): void {
    for (const told of this.meanwhile) told.set(approvalId, undefined);
    if (this.requests.delete(approvalId)) this.changed.fire(this.count);
  }

  /** The server's list is the truth for this chat. */
  replaceOf(sessionId: string, requests: readonly ApprovalRequest[]): void {
    for (const [id, request] of this.requests) if (request.sessionId === sessionId) this.requests.delete(id);
    for (const request of requests) this.requests.set(request.approvalId, request);
    this.changed.fire(this.count);
  }

  replaceAll(requests: readonly ApprovalRequest[]): void {
    this.requests.clear();
    for (const request of requests) this.requests.set(request.approvalId, request);
    this.changed.fire(this.count);
  }

  /** The list that this fetches is the truth, but for what is told while it is on its way: that is newer. */
  async refresh(fetch: () => Promise<readonly ApprovalRequest[] | undefined>): Promise<void> {
    const told = new Map<string, ApprovalRequest | undefined>();
    this.meanwhile.add(told);
    try {
      const list = await fetch();
      if (list === undefined) return;
      const known = list.filter(({ approvalId }) => !told.has(approvalId));
      this.replaceAll([...known, ...[...told.values()].filter((request) => request !== undefined)]);
    } finally {
      this.meanwhile.delete(told);
    }
  }
}
