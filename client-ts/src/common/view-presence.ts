// Who looks at a chat: the server is told of a view that is there and can be seen, and of what the user does in it.
import type { Ends } from "./ends.js";

/** A page that is hidden but alive is no view of its chat, until it is shown again. */
export class ViewPresence {
  private visible = true;

  constructor(private readonly ends: Ends) {}

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
    const sessionId = this.ends.chatInView();
    if (sessionId !== undefined) this.ends.server?.notify(method, { viewId: this.ends.viewId, sessionId });
  }
}
