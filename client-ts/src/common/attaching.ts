// Files that the user names in a message: found, and looked at, by the server.
import type { Ends } from "./ends.js";
import { toFault } from "./server.js";
import type { ShownChat } from "./shown-chat.js";

/** Asks about files for the page. What cannot be answered offers nothing. */
export class Attaching {
  /** How often was asked: an answer to an earlier question is of no use any more. */
  private asked = 0;

  constructor(
    private readonly ends: Ends,
    private readonly chat: ShownChat,
  ) {}

  async find(query: string): Promise<void> {
    this.asked += 1;
    const { asked } = this;
    const sessionId = await this.sessionId();
    const { server, viewId } = this.ends;
    if (server === undefined || sessionId === undefined || asked !== this.asked) return;
    const { files, more } = await server
      .request("chat/files", { sessionId, query, viewId })
      .catch(() => ({ files: [], more: false }));
    if (asked === this.asked) this.ends.post({ type: "files", query, files, more });
  }

  async look(path: string): Promise<void> {
    try {
      const sessionId = await this.sessionId();
      const server = this.ends.server;
      if (server === undefined || sessionId === undefined) throw new Error("There is no connection to the server.");
      const found = await server.request("chat/attachable", { sessionId, path });
      this.ends.post({ type: "attachable", path, found });
    } catch (error) {
      this.ends.post({ type: "attachable", path, error: toFault(error).message });
    }
  }

  /** The chat that the message is for: it is opened where there is none yet. */
  private async sessionId(): Promise<string | undefined> {
    const server = this.ends.server;
    return server && (await this.chat.ensure(server))?.sessionId;
  }
}
