// Who looks at a chat: the server is told of a view that is there and can be seen, and of what the user does in it.
import type { Server } from "./server.js";

/** What this needs of the bridge. */
export interface PresenceContext {
  readonly viewId: string;
  server(): Server | undefined;
  /** The chat that the page shows, while there is a page. */
  shownChat(): string | undefined;
}

/** A page that is hidden but alive is no view of its chat, until it is shown again. */
export class ViewPresence {
  private visible = true;

  constructor(private readonly context: PresenceContext) {}

  /** A page is there, and begins visible. */
  appeared(): void {
    this.visible = true;
  }

  setVisible(visible: boolean): void {
    this.visible = visible;
    this.tell(visible ? "view/attached" : "view/detached");
  }

  /** The page shows a chat that it did not show before, or to a server that did not know. */
  shows(): void {
    if (this.visible) this.tell("view/attached");
  }

  leaves(): void {
    this.tell("view/detached");
  }

  activity(): void {
    this.tell("view/activity");
  }

  private tell(method: "view/attached" | "view/detached" | "view/activity"): void {
    const sessionId = this.context.shownChat();
    if (sessionId !== undefined) this.context.server()?.notify(method, { viewId: this.context.viewId, sessionId });
  }
}
