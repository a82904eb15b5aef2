// What the user wants to see whole or unmasked, or to take along: fetched from the server, and shown where it belongs.
import { openWritten } from "./changes.js";
import type { Ends } from "./ends.js";
import type { ChatMessageOf } from "./page-messages.js";
import { type Server, toFault } from "./server.js";
import { wholeResult } from "./whole-result.js";

/** What cannot be shown is said on the page. */
export class Showing {
  constructor(private readonly ends: Ends) {}

  /** The card with its secret values. */
  async reveal(approvalId: string): Promise<void> {
    const server = this.ends.server;
    if (server) await this.ends.tried("Reveal", () => server.request("tool/reveal", { approvalId }));
  }

  /** A picture or a sound that a call made. */
  async media({ sessionId, toolCallId }: ChatMessageOf<"showMedia">): Promise<void> {
    try {
      const server = this.ends.server;
      if (server === undefined) throw new Error("There is no connection to the server: it has the file.");
      const media = await server.request("tool/media", { sessionId, toolCallId });
      this.ends.post({ type: "media", toolCallId, media });
    } catch (error) {
      this.ends.post({ type: "media", toolCallId, error: toFault(error).message });
    }
  }

  /** All of what a call resulted in. */
  async result(message: ChatMessageOf<"openResult">): Promise<void> {
    const server = this.serverWithText();
    if (server === undefined) return;
    const text = await this.ends.tried("The whole result", () => wholeResult(server, message));
    if (text !== undefined) this.ends.showText("Whole result", text);
  }

  /** What a call wrote into its file. */
  async written(message: ChatMessageOf<"openWritten">): Promise<void> {
    const server = this.serverWithText();
    if (server !== undefined) await this.ends.tried("The diff", () => openWritten(message, server, this.ends));
  }

  async copy({ id, text }: ChatMessageOf<"copy">): Promise<void> {
    try {
      await this.ends.host.copy(text);
      this.ends.post({ type: "copied", id, ok: true });
    } catch (error) {
      this.ends.log("warning", `could not copy: ${String(error)}`);
      this.ends.post({ type: "copied", id, ok: false });
    }
  }

  private serverWithText(): Server | undefined {
    const server = this.ends.server;
    if (server === undefined) this.ends.notice("warning", "There is no connection to the server: it has the text.");
    return server;
  }
}
