// What the page is to get, kept until it is there.
import type { Ends } from "./ends.js";
import type { ChatMessageOf, HostMessage } from "./page-messages.js";

/** Told at once where the page is ready for it, otherwise to the next page that is. */
export class KeptForPage {
  private isReady = false;
  /** What a command wants to be shown. */
  private wanted: HostMessage | undefined;
  /** Files that the page is to name. */
  private named: string[] = [];
  /** Messages that no run took up. */
  private readonly unreturned: HostMessage[] = [];

  constructor(private readonly ends: Ends) {}

  /** The page listens, and knows how things stand. */
  ready(): void {
    this.isReady = true;
    if (this.wanted) this.ends.post(this.wanted);
    this.wanted = undefined;
    for (const message of this.unreturned.splice(0)) this.ends.post(message);
  }

  /** The page is gone, or will be made anew before it is seen again. */
  gone(): void {
    this.isReady = false;
  }

  /** The page shows what a command of the user wants: the last of them, where it is not there yet. */
  show(message: HostMessage): void {
    this.wanted = this.isReady ? undefined : message;
    if (this.isReady) this.ends.post(message);
  }

  /** The page names these files for the next message, and those from before, once it can have them looked at. */
  nameFiles(paths: readonly string[] = []): void {
    this.named.push(...paths);
    if (this.named.length === 0 || !this.isReady || this.ends.server === undefined) return;
    this.ends.post({ type: "named", paths: this.named.splice(0) });
  }

  /** No run took it up: the user has it again, with the files that would have gone along. */
  giveBack({ messageId, text, attachments }: ChatMessageOf<"send">): void {
    const files = (attachments ?? []).map(({ path }) => path);
    const message = { type: "returned", messageId, text, files } as const;
    if (this.isReady) this.ends.post(message);
    else this.unreturned.push(message);
  }
}
