// What is allowed without asking, as the server lists it, and taking it back.
import type { AgentEvent } from "../protocol/generated.js";
import type { Bypassed } from "./bypassed.js";
import type { Ends } from "./ends.js";
import { OnceMore } from "./once-more.js";
import { type Server, toFault } from "./server.js";

const CHANGES: ReadonlySet<AgentEvent["event"]> = new Set(["Grants", "Done", "Error"]);

/** The list is asked for anew whenever it may have changed; one request at a time. */
export class Grants {
  private readonly listing = new OnceMore(() => this.list());
  private counted = false;

  constructor(
    private readonly ends: Ends,
    private readonly bypassed: Bypassed,
  ) {}

  /** Brings the page's list up to date. */
  refresh(): Promise<void> {
    return this.listing.refresh();
  }

  /** Something happened in a chat: what is allowed may be another thing now, or have fewer uses left. */
  async happened({ event }: AgentEvent): Promise<void> {
    if (CHANGES.has(event) || (event === "ToolResult" && this.counted)) await this.refresh();
  }

  /** With a digest, an entry of the settings goes only as long as it says what was shown. */
  revoke(grantId: string, digest?: string): Promise<void> {
    return this.change(grantId, async (server) => {
      const { undoable } = await server.request("grants/revoke", { grantId, digest: digest ?? null });
      this.ends.post({ type: "grantRevoked", grantId, undoable });
    });
  }

  undo(grantId: string): Promise<void> {
    return this.change(grantId, async (server) => {
      await server.request("grants/undo", { grantId });
      this.ends.post({ type: "grantRestored", grantId });
    });
  }

  private async list(): Promise<void> {
    const server = this.ends.server;
    if (server === undefined) return;
    try {
      const { grants } = await server.request("grants/list", {});
      if (this.ends.server !== server) return;
      this.counted = grants.some((grant) => grant.ends?.usesLeft != null);
      this.bypassed.listed(grants);
      this.ends.post({ type: "grants", grants });
    } catch (error) {
      // The page goes on showing what it had: a list that is too long hides nothing that is allowed.
      this.ends.log("warning", `grants/list: ${toFault(error).message}`);
    }
  }

  private async change(grantId: string, action: (server: Server) => Promise<void>): Promise<void> {
    const failed = (text: string) => this.ends.post({ type: "grantFailed", grantId, text });
    const server = this.ends.server;
    if (server === undefined) return failed("There is no connection to the server, so nothing was changed.");
    try {
      await action(server);
    } catch (error) {
      failed(`Nothing was changed: ${toFault(error).message}`);
    }
    await this.refresh();
  }
}
