// What is allowed without asking, as the server lists it, and taking it back.
import type { AgentEvent } from "../protocol/generated.js";
import { OnceMore } from "./once-more.js";
import type { HostMessage, NoticeLevel } from "./page-messages.js";
import { type Server, toFault } from "./server.js";

/** What this needs of the bridge. */
export interface GrantsContext {
  server(): Server | undefined;
  post(message: HostMessage): void;
  log(level: NoticeLevel, text: string): void;
}

const CHANGES: ReadonlySet<AgentEvent["event"]> = new Set(["Grants", "Done", "Error"]);

/** The list is asked for anew whenever it may have changed; one request at a time. */
export class Grants {
  private readonly listing = new OnceMore(() => this.list());
  private counted = false;

  constructor(private readonly context: GrantsContext) {}

  /** Brings the page's list up to date. */
  refresh(): Promise<void> {
    return this.listing.refresh();
  }

  /** Something happened in a chat: what is allowed may be another thing now, or have fewer uses left. */
  async happened({ event }: AgentEvent): Promise<void> {
    if (CHANGES.has(event) || (event === "ToolResult" && this.counted)) await this.refresh();
  }

  revoke(grantId: string): Promise<void> {
    return this.change(grantId, async (server) => {
      const { undoable } = await server.request("grants/revoke", { grantId });
      this.context.post({ type: "grantRevoked", grantId, undoable });
    });
  }

  undo(grantId: string): Promise<void> {
    return this.change(grantId, async (server) => {
      await server.request("grants/undo", { grantId });
      this.context.post({ type: "grantRestored", grantId });
    });
  }

  private async list(): Promise<void> {
    const server = this.context.server();
    if (server === undefined) return;
    try {
      const { grants } = await server.request("grants/list", {});
      if (this.context.server() !== server) return;
      this.counted = grants.some((grant) => grant.ends?.usesLeft != null);
      this.context.post({ type: "grants", grants });
    } catch (error) {
      // The page goes on showing what it had: a list that is too long hides nothing that is allowed.
      this.context.log("warning", `grants/list: ${toFault(error).message}`);
    }
  }

  private async change(grantId: string, action: (server: Server) => Promise<void>): Promise<void> {
    const failed = (text: string) => this.context.post({ type: "grantFailed", grantId, text });
    const server = this.context.server();
    if (server === undefined) return failed("There is no connection to the server, so nothing was changed.");
    try {
      await action(server);
    } catch (error) {
      failed(`Nothing was changed: ${toFault(error).message}`);
    }
    await this.refresh();
  }
}
