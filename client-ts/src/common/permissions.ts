// What decides beside the grants, as the server tells it, and changing it in the settings.
import type { Ends } from "./ends.js";
import type { Grants } from "./grants.js";
import { OnceMore } from "./once-more.js";
import type { PermissionsMessage } from "./page-messages.js";
import { type Server, toFault } from "./server.js";

/** Asks the server and tells the page; what the user changes is shown as the server says it is afterwards. */
export class Permissions {
  private readonly looking = new OnceMore(() => this.tell());
  /** The server whose sandbox the page was told of: trying one out takes a moment. */
  private sandboxOf: Server | undefined;

  constructor(
    private readonly ends: Ends,
    private readonly grants: Grants,
  ) {}

  /** Answers with whether it was done; where not, the page is told why. */
  async handle(message: PermissionsMessage): Promise<boolean> {
    const done = message.type === "permissionsLook" || (await this.change(message));
    await Promise.all([this.grants.refresh(), this.looking.refresh(), this.tellSandbox()]);
    return done;
  }

  private async tell(): Promise<void> {
    await this.asked("permissions/overview", async (server) => {
      this.ends.post({ type: "permissions", overview: await server.request("permissions/overview", {}) });
    });
  }

  private async tellSandbox(): Promise<void> {
    const server = this.ends.server;
    if (server === this.sandboxOf) return;
    this.sandboxOf = server;
    await this.asked("permissions/sandbox", async () => {
      if (server) this.ends.post({ type: "permissions", sandbox: await server.request("permissions/sandbox", {}) });
    });
  }

  private async asked(method: string, ask: (server: Server) => Promise<void>): Promise<void> {
    const server = this.ends.server;
    if (server === undefined) return;
    try {
      await ask(server);
    } catch (error) {
      // The page goes on showing what it had; each click says by itself whether it counted.
      this.ends.log("warning", `${method}: ${toFault(error).message}`);
    }
  }

  private async change(message: Exclude<PermissionsMessage, { type: "permissionsLook" }>): Promise<boolean> {
    const failed = (text: string) => {
      this.ends.post({ type: "grantFailed", grantId: message.type, text });
      return false;
    };
    const server = this.ends.server;
    if (server === undefined) return failed("There is no connection to the server, so nothing was changed.");
    try {
      await this.send(server, message);
      return true;
    } catch (error) {
      return failed(`It was not done: ${toFault(error).message}`);
    }
  }

  private async send(server: Server, message: Exclude<PermissionsMessage, { type: "permissionsLook" }>): Promise<void> {
    if (message.type === "answerForget") {
      await server.request("permissions/forgetAnswer", { answerId: message.answerId });
    } else if (message.type === "defaultMode") {
      await server.request("permissions/setMode", { mode: message.mode, digest: message.digest });
    } else {
      const { agent, on, digest = null, sessionId = null } = message;
      const { revoked } = await server.request("permissions/setBypass", { agent, on, digest, sessionId });
      for (const { grantId, undoable } of revoked ?? []) this.ends.post({ type: "grantRevoked", grantId, undoable });
    }
  }
}
