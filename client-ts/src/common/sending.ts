// Messages to the chat that is shown, and the runs that they begin: sent, tried again, stopped.
import { ErrorCode } from "../protocol/generated.js";
import type { Ends } from "./ends.js";
import type { KeptForPage } from "./kept-for-page.js";
import type { ChatMessageOf } from "./page-messages.js";
import { type ServerFault, toFault } from "./server.js";
import { isForAnother, type ShownChat } from "./shown-chat.js";

/** The page always hears what became of a message; one that no run takes up is the user's again. */
export class Sending {
  constructor(
    private readonly ends: Ends,
    private readonly chat: ShownChat,
    private readonly kept: KeptForPage,
  ) {}

  async send(message: ChatMessageOf<"send">): Promise<void> {
    const { messageId, text, whenBusy, replacesMessage, sessionId, attachments } = message;
    const server = this.ends.server;
    const session = server && (await this.chat.ensure(server));
    if (server === undefined || session === undefined) {
      const why = server === undefined ? "There is no connection to the server." : "The chat could not be opened.";
      this.ends.post({ type: "sendFailed", messageId, text: `${why} Your message was not sent.` });
      return;
    }
    if (isForAnother(sessionId, session)) return this.kept.giveBack(message);
    try {
      const params = {
        sessionId: session.sessionId,
        text,
        ...(whenBusy && { whenBusy }),
        ...(replacesMessage && { replacesMessage }),
        ...(attachments && { attachments }),
      };
      const { unbegun } = await server.request("chat/send", params);
      if (unbegun) this.kept.giveBack(message);
      else this.ends.post({ type: "sent", messageId });
    } catch (error) {
      const fault = toFault(error);
      if (attachments && fault.code === ErrorCode.DIGEST_MISMATCH) return this.askAnew(message, fault);
      const reason = this.ends.server === server ? fault.message : "the connection to the server was lost.";
      this.ends.post({ type: "sendFailed", messageId, text: `The message was not handled: ${reason}` });
    }
  }

  /** What the user agreed to of a file is no more what is to be known of it: they have the message again, and its files. */
  private askAnew(message: ChatMessageOf<"send">, fault: ServerFault): void {
    this.ends.notice("warning", fault.message);
    this.kept.giveBack(message);
  }

  /** Goes on where the last run failed. Where that is not to be, the page is brought back to what is so. */
  async retryRun(sessionId: string | undefined): Promise<void> {
    const server = this.ends.server;
    const { session } = this.chat;
    if (server === undefined || session === undefined || isForAnother(sessionId, session)) return;
    const run = await this.ends.tried("Retry", () => server.request("chat/retry", { sessionId: session.sessionId }));
    const isShown = this.ends.server === server && this.chat.session?.sessionId === session.sessionId;
    if (isShown && (run === undefined || run.unbegun)) await this.chat.resume(server);
  }

  async stop(): Promise<void> {
    const server = this.ends.server;
    const { session } = this.chat;
    if (server === undefined || session === undefined) return;
    await this.ends.tried("Stop", () => server.request("chat/stop", { sessionId: session.sessionId }));
  }

  /** Shows a card that leads to nothing. Answers with what was clicked. */
  async testRequest(): Promise<string | undefined> {
    const server = this.ends.server;
    const session = server && (await this.chat.ensure(server));
    if (server === undefined || session === undefined) return undefined;
    const result = await this.ends.tried("The test request", () =>
      server.request("tool/testApproval", { sessionId: session.sessionId }),
    );
    if (result === undefined) return undefined;
    const text = `Test request: ${result.status}${result.decision ? ` (${result.decision})` : ""}. Nothing ran.`;
    this.ends.notice("info", text);
    return text;
  }
}
