// Commands that run by themselves: the server's list of them, and ending, moving and reading them.
import type { AgentEvent } from "../protocol/generated.js";
import type { Ends } from "./ends.js";
import { OnceMore } from "./once-more.js";
import { type Server, toFault } from "./server.js";

/** The list is asked for anew whenever one begins or ends in any chat. */
export class Shells {
  private readonly list = new OnceMore(() => this.listNow());

  constructor(private readonly ends: Ends) {}

  /** Brings the page's list up to date. */
  refresh(): Promise<void> {
    return this.list.refresh();
  }

  async happened({ event, passing }: AgentEvent): Promise<void> {
    if (event === "Shell" && !passing) await this.refresh();
  }

  /** Ends it with everything that it started. */
  kill(shellId: string): Promise<void> {
    return this.tried(shellId, "It was not ended", (server) => server.request("shell/kill", { shellId }));
  }

  background(toolCallId: string): Promise<void> {
    return this.tried(toolCallId, "It was not moved", (server) => server.request("shell/background", { toolCallId }));
  }

  /** Shows all that is kept of what it printed until now. */
  openOutput(shellId: string): Promise<void> {
    return this.tried(shellId, "Its output was not opened", async (server) =>
      this.ends.showText("Output of a command", await wholeOutput(server, shellId)),
    );
  }

  private async listNow(): Promise<void> {
    const { ends } = this;
    const server = ends.server;
    if (server === undefined) return;
    try {
      const { shells } = await server.request("shell/list", {});
      if (ends.server === server) ends.post({ type: "shells", shells });
    } catch (error) {
      // The page goes on showing what it had.
      ends.log("warning", `shell/list: ${toFault(error).message}`);
    }
  }

  /** The page hears that it was done, or why not. */
  private async tried(id: string, not: string, action: (server: Server) => Promise<unknown>): Promise<void> {
    const answer = (error?: string) => this.ends.post({ type: "shellAnswered", id, error: error ?? null });
    const server = this.ends.server;
    if (server === undefined) return answer(`${not}: there is no connection to the server.`);
    try {
      await action(server);
      answer();
    } catch (error) {
      answer(`${not}: ${toFault(error).message}`);
    }
    await this.refresh();
  }
}

/** What a command has printed up to now, as far as it is kept: one that goes on printing is not read for ever. */
export async function wholeOutput(server: Pick<Server, "request">, shellId: string): Promise<string> {
  const { shells } = await server.request("shell/list", {});
  const until = shells.find((one) => one.shellId === shellId)?.printed ?? 0;
  let whole = "";
  let cursor: number | null = null;
  do {
    const piece: { text: string; nextCursor: number; dropped: number } = await server.request("shell/output", {
      shellId,
      cursor,
    });
    whole += `${piece.dropped > 0 ? `[${piece.dropped} characters are not kept any more]\n` : ""}${piece.text}`;
    if (piece.text === "" || piece.nextCursor <= (cursor ?? 0)) break;
    cursor = piece.nextCursor;
  } while (cursor < until);
  return whole;
}
