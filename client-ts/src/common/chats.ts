// The chats beside the one that is shown: listing them, changing over to another, closing one.
import type { SessionInfo } from "../protocol/generated.js";
import type { Ends } from "./ends.js";
import type { Server } from "./server.js";
import type { ShownChat } from "./shown-chat.js";
import type { ViewPresence } from "./view-presence.js";

/** The list is asked for anew whenever a chat came, went or became another one. */
export class Chats {
  constructor(
    private readonly ends: Ends,
    private readonly chat: ShownChat,
    private readonly presence: ViewPresence,
  ) {}

  /** Brings the page's list up to date. */
  async refresh(): Promise<void> {
    const server = this.ends.server;
    if (server !== undefined && this.ends.page !== undefined) await this.list(server);
  }

  async openNew(agent?: string): Promise<void> {
    const server = this.ends.server;
    if (server === undefined)
      return this.ends.notice("warning", "A new chat can be opened as soon as the server is there.");
    this.presence.leaves();
    await this.chat.openNew(server, agent);
    await this.refresh();
  }

  async show(sessionId: string): Promise<void> {
    const server = this.ends.server;
    if (server === undefined || sessionId === this.chat.session?.sessionId) return;
    this.presence.leaves();
    await this.chat.show(server, sessionId);
    await this.refresh();
  }

  /** What was shown makes room for another chat, the one that waits before all others. */
  async close(sessionId: string): Promise<void> {
    const server = this.ends.server;
    if (server === undefined)
      return this.ends.notice("warning", "A chat can be closed as soon as the server is there.");
    const closed = await this.ends.tried("Closing the chat", () => server.request("session/close", { sessionId }));
    if (this.ends.server !== server) return;
    if (closed !== undefined && sessionId === this.chat.id) await this.chat.closed(server);
    await this.refresh();
  }

  /** Chats of an earlier server are there. */
  async restored(server: Server, sessionIds: readonly string[]): Promise<void> {
    const sessions = await this.list(server);
    await this.chat.restored(
      server,
      sessions.filter((one) => sessionIds.includes(one.sessionId)),
    );
  }

  /** Other agents are there, new chats start with another one, or chats work in other folders. */
  async changed(server: Server, agentForNewChats: string): Promise<void> {
    if (this.ends.page === undefined) return;
    await this.chat.agentsChanged(server, agentForNewChats);
    await this.list(server);
  }

  /** The chats as they are now, also for the page. */
  private async list(server: Server): Promise<readonly SessionInfo[]> {
    const list = await this.ends.tried("The list of chats", () => server.request("session/list", {}));
    if (list === undefined || this.ends.server !== server) return [];
    this.ends.post({ type: "chats", ...list });
    this.chat.listed(list.sessions);
    return list.sessions;
  }
}
