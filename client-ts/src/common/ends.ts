// The two ends of the bridge, and what all of its parts need of them: the page of now, the server of now, what waits.
import type { ComparedAs, ComparedFile, Comparison } from "./changes.js";
import type { Disposable } from "./emitter.js";
import type { HostKind, HostMessage, HostRequest, NoticeLevel } from "./page-messages.js";
import { type Server, toFault } from "./server.js";
import { Waiting } from "./waiting.js";

/** A page, wherever it is drawn. */
export interface PagePort {
  post(message: HostMessage): void;
  onMessage(listener: (message: unknown) => void): Disposable;
}

/** What the bridge needs of the program around it. */
export interface BridgeHost {
  readonly kind: HostKind;
  /** Whether keys answer cards, as the user has it set now. */
  answersKeys(): boolean;
  randomId(): string;
  after(milliseconds: number, action: () => void): Disposable;
  perform(request: HostRequest): void;
  /** Shows a text to read, apart from the page. */
  showText(title: string, text: string): void;
  /** Resolves once the text is in the clipboard. */
  copy(text: string): Promise<void>;
  /** Lets the user choose files; none where they choose nothing. */
  pickFiles(): Promise<string[]>;
  /** Shows files beside what becomes of them; says whether that hides something. Rejects where it cannot be shown. */
  compare(files: ComparedFile[], as: ComparedAs): Promise<Comparison>;
  log(level: NoticeLevel, text: string): void;
}

/** Page and server come and go; what an earlier server answers late is dropped by who asked it. */
export class Ends {
  readonly viewId: string;
  readonly waiting = new Waiting();
  page: PagePort | undefined;
  server: Server | undefined;

  constructor(
    readonly host: BridgeHost,
    /** The chat that is shown, once it is loaded. */
    readonly shownChat: () => string | undefined,
  ) {
    this.viewId = host.randomId();
  }

  /** The chat that the page shows, while there is a page. */
  chatInView(): string | undefined {
    return this.page && this.shownChat();
  }

  post(message: HostMessage): void {
    this.page?.post(message);
  }

  notice(level: NoticeLevel, text: string): void {
    this.post({ type: "notice", level, text });
  }

  /** Does it, or tells the page that it failed. */
  async tried<T>(what: string, action: () => Promise<T>): Promise<T | undefined> {
    const server = this.server;
    try {
      return await action();
    } catch (error) {
      const fault = toFault(error);
      this.log("warning", `${what}: ${fault.message} (${fault.code})`);
      if (this.server === server) this.notice("error", `${what} failed: ${fault.message}`);
      return undefined;
    }
  }

  log(level: NoticeLevel, text: string): void {
    this.host.log(level, text);
  }

  after(milliseconds: number, action: () => void): Disposable {
    return this.host.after(milliseconds, action);
  }

  compare(files: ComparedFile[], as: ComparedAs): Promise<Comparison> {
    return this.host.compare(files, as);
  }

  showText(title: string, text: string): void {
    this.host.showText(title, text);
  }
}
