// What the user sets for the chat that is shown: its mode, and what its agent offers to be set.
import type { Ends } from "./ends.js";
import type { ChatMessageOf } from "./page-messages.js";
import { isForAnother, type ShownChat } from "./shown-chat.js";

/** What cannot be set leaves everything as it was, and the page shows that. */
export class ChatSettings {
  constructor(
    private readonly ends: Ends,
    private readonly chat: ShownChat,
  ) {}

  async setMode({ sessionId, mode, applyNow }: ChatMessageOf<"setMode">): Promise<void> {
    const server = this.ends.server;
    const session = server && (await this.chat.ensure(server));
    if (server === undefined || session === undefined) return;
    if (isForAnother(sessionId, session)) return this.chat.update(session);
    const changed = await this.ends.tried("The mode", () =>
      server.request("session/setMode", { sessionId: session.sessionId, mode, applyNow: applyNow ?? null }),
    );
    this.chat.update(changed ?? session);
  }

  async setAgentOption(message: ChatMessageOf<"setAgentOption">): Promise<void> {
    const server = this.ends.server;
    const { session } = this.chat;
    if (server === undefined || session === undefined || isForAnother(message.sessionId, session)) return;
    const { settingId, value, confirmed } = message;
    const params = { sessionId: session.sessionId, settingId, value, confirmed };
    await this.ends.tried("The agent's setting", () => server.request("session/setAgentOption", params));
  }
}
