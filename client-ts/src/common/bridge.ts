// Between the page and the server: which chat is shown, what the page has seen of it, and what waits.
import { type AgentEvent, ErrorCode, type SessionInfo } from "../protocol/generated.js";
import { type AnswerContext, fetchDetails, sendAnswer } from "./answers.js";
import { type Disposable, Disposables, Emitter } from "./emitter.js";
import { EventOrder } from "./event-order.js";
import {
  type ChatMessage,
  type ConnectionState,
  type HostAction,
  type HostKind,
  type HostMessage,
  type HostRequest,
  isPageMessage,
  type NoticeLevel,
  type Snapshot,
} from "./page-messages.js";
import { type Connection, Server, toFault } from "./server.js";
import { Waiting } from "./waiting.js";

/** A page, wherever it is drawn. */
export interface PagePort {
  post(message: HostMessage): void;
  onMessage(listener: (message: unknown) => void): Disposable;
}

/** What the bridge needs of the program around it. */
export interface BridgeHost {
  readonly kind: HostKind;
  randomId(): string;
  after(milliseconds: number, action: () => void): Disposable;
  perform(request: HostRequest): void;
  log(level: NoticeLevel, text: string): void;
}

type ConnectionStatus = Extract<HostMessage, { type: "connection" }>;

/** Owns the shown chat and forwards. It takes no decision: what an answer means is the server's business. */
export class Bridge implements Disposable {
  readonly waiting = new Waiting();
  readonly busy = new Emitter<boolean>();
  private readonly viewId: string;
  private readonly owned = new Disposables();
  private readonly pageParts = new Disposables();
  private page: PagePort | undefined;
  private server: Server | undefined;
  private serverParts = new Disposables();
  /** The chat that is shown or being loaded; `session` is known once it is loaded. */
  private shownId: string | undefined;
  private session: SessionInfo | undefined;
  private order = new EventOrder();
  private latestLoad = 0;
  private keepsTranscript = false;
  private opening: Promise<SessionInfo | undefined> | undefined;
  private status: ConnectionStatus = {
    type: "connection",
    state: "starting",
    text: "Starting the server…",
    actions: [],
  };
  private readonly answering: AnswerContext;

  constructor(private readonly host: BridgeHost) {
    this.viewId = host.randomId();
    this.answering = {
      viewId: this.viewId,
      waiting: this.waiting,
      server: () => this.server,
      shownChat: () => this.session?.sessionId,
      post: (message) => this.post(message),
      after: (milliseconds, action) => host.after(milliseconds, action),
    };
    this.owned.add(this.waiting.changed);
  }

  // --- the server's side -------------------------------------------------------------------------------------------

  /** A server is there, for the first time or again. */
  async connected(connection: Connection): Promise<void> {
    this.serverParts.dispose();
    const server = new Server(connection);
    this.server = server;
    this.serverParts = new Disposables();
    this.serverParts.add(server);
    this.serverParts.add(server.events.on((event) => this.receive(event)));
    this.serverParts.add(
      server.approvals.on((request) => {
        this.waiting.add(request);
        if (request.sessionId === this.shownId) this.post({ type: "approval", request });
        else void this.refreshChats();
      }),
    );
    this.serverParts.add(
      server.endings.on((resolved) => {
        this.waiting.remove(resolved.approvalId);
        if (resolved.sessionId === this.shownId) this.post({ type: "resolved", resolved });
        else void this.refreshChats();
      }),
    );
    this.serverParts.add(server.malformed.on(({ method, path }) => this.reportMalformed(method, path)));
    this.setStatus("ready", "");
    await this.resume(server);
  }

  /** The connection is lost. `gone`: the server's process ended, so what waited there will never run. */
  disconnected(state: ConnectionState, text: string, actions: HostAction[], gone: boolean): void {
    this.serverParts.dispose();
    this.server = undefined;
    this.opening = undefined;
    this.order.abandon();
    this.setStatus(state, text, actions);
    if (gone) this.forgetServer();
  }

  /** What the page shows about the server while there is none. */
  setStatus(state: ConnectionState, text: string, actions: HostAction[] = []): void {
    this.status = { type: "connection", state, text, actions };
    this.post(this.status);
  }

  // --- the page's side ---------------------------------------------------------------------------------------------

  /** A page appears; the one before, if any, is gone. */
  attach(page: PagePort): Disposable {
    this.detach();
    this.page = page;
    this.pageParts.add(page.onMessage((message) => this.fromPage(message)));
    return { dispose: () => this.page === page && this.detach() };
  }

  /** A page that is hidden but alive is no view of the chat. */
  setVisible(visible: boolean): void {
    this.tellView(visible ? "view/attached" : "view/detached");
  }

  // --- commands ----------------------------------------------------------------------------------------------------

  async newChat(agent?: string): Promise<void> {
    const server = this.server;
    if (server === undefined) return this.notice("warning", "A new chat can be opened as soon as the server is there.");
    this.tellView("view/detached");
    this.session = undefined;
    this.opening = this.open(server, "replace", agent).finally(() => {
      this.opening = undefined;
    });
    await this.opening;
    await this.refreshChats();
  }

  async stop(): Promise<void> {
    const { server, session } = this;
    if (server === undefined || session === undefined) return;
    await this.tried("Stop", () => server.request("chat/stop", { sessionId: session.sessionId }));
  }

  /** Shows a card that leads to nothing. Answers with what was clicked. */
  async sendTestRequest(): Promise<string | undefined> {
    const server = this.server;
    const session = server && (await this.ensureChat(server));
    if (server === undefined || session === undefined) return undefined;
    const result = await this.tried("The test request", () =>
      server.request("tool/testApproval", { sessionId: session.sessionId }),
    );
    if (result === undefined) return undefined;
    const text = `Test request: ${result.status}${result.decision ? ` (${result.decision})` : ""}. Nothing ran.`;
    this.notice("info", text);
    return text;
  }

  dispose(): void {
    this.detach();
    this.serverParts.dispose();
    this.owned.dispose();
    this.busy.dispose();
  }

  // --- the shown chat ----------------------------------------------------------------------------------------------

  private async resume(server: Server): Promise<void> {
    if (this.page !== undefined) {
      if (this.session !== undefined) await this.load(server, this.session.sessionId, "continue");
      else await this.openSomeChat(server);
    }
    if (this.server === server) await this.refreshWaiting(server);
    await this.refreshChats();
  }

  private async openSomeChat(server: Server): Promise<void> {
    const list = await this.tried("The list of chats", () => server.request("session/list", {}));
    if (this.server !== server || this.session !== undefined) return;
    const latest = list?.sessions.at(-1);
    if (latest !== undefined) await this.load(server, latest.sessionId, this.beginning());
    else await this.ensureChat(server);
  }

  private beginning(): Snapshot {
    return this.keepsTranscript ? "restarted" : "replace";
  }

  private async ensureChat(server: Server): Promise<SessionInfo | undefined> {
    if (this.session !== undefined) return this.session;
    this.opening ??= this.open(server, this.beginning()).finally(() => {
      this.opening = undefined;
    });
    return this.opening;
  }

  private async open(server: Server, how: Snapshot, agent?: string): Promise<SessionInfo | undefined> {
    const session = await this.tried("A new chat", () =>
      server.request("session/new", agent === undefined ? {} : { agent }),
    );
    if (session === undefined || this.server !== server) return undefined;
    await this.load(server, session.sessionId, how);
    return this.session;
  }

  /** Brings the page up to date: the whole chat, or what it missed. */
  private async load(server: Server, sessionId: string, how: Snapshot): Promise<void> {
    if (how !== "continue" || this.shownId !== sessionId) this.order = new EventOrder();
    const wasShown = this.shownId === sessionId;
    if (!wasShown) this.session = undefined;
    this.shownId = sessionId;
    this.latestLoad += 1;
    const [order, load] = [this.order, this.latestLoad];
    order.startLoading();
    try {
      const since = how === "continue" ? order.lastN : 0;
      const loaded = await server.request("session/load", { sessionId, sinceN: since });
      if (this.server !== server || this.latestLoad !== load) return;
      this.session = loaded.session;
      this.keepsTranscript = false;
      this.waiting.replaceOf(sessionId, loaded.pending);
      const lastN = loaded.events.at(-1)?.n ?? Math.max(since, loaded.session.lastN);
      this.post({ type: "chat", how, session: loaded.session, events: loaded.events, pending: loaded.pending });
      for (const event of order.loaded(lastN)) this.pass(event);
      this.tellView("view/attached");
      this.busy.fire(loaded.session.running);
    } catch (error) {
      if (this.latestLoad !== load) return;
      order.abandon();
      if (this.server === server) await this.loadFailed(server, error, wasShown);
    }
  }

  private async loadFailed(server: Server, error: unknown, wasShown: boolean): Promise<void> {
    const fault = toFault(error);
    this.host.log("warning", `session/load: ${fault.message} (${fault.code})`);
    if (fault.code !== ErrorCode.SESSION_NOT_FOUND) {
      this.notice("error", `The chat could not be loaded: ${fault.message}`);
      return;
    }
    this.shownId = undefined;
    this.session = undefined;
    if (wasShown) this.forgetServer();
    else this.notice("warning", "This chat is closed.");
    await this.ensureChat(server);
  }

  /** What the old server knew is void: its questions never run, its chat cannot be gone on with. */
  private forgetServer(): void {
    this.session = undefined;
    this.shownId = undefined;
    this.order = new EventOrder();
    this.keepsTranscript = true;
    this.waiting.replaceAll([]);
    this.post({ type: "serverGone" });
    this.busy.fire(false);
  }

  private receive(event: AgentEvent): void {
    if (event.sessionId !== this.shownId) return;
    const { ready, missing } = this.order.receive(event);
    for (const one of ready) this.pass(one);
    const { server, session } = this;
    if (missing && server !== undefined && session !== undefined) {
      this.host.log("info", `events are missing before ${event.n}: loading them`);
      void this.load(server, session.sessionId, "continue");
    }
  }

  private pass(event: AgentEvent): void {
    const begins = event.event === "Prompt";
    const ends = event.event === "Done" || event.event === "Error";
    if (begins || ends) {
      this.busy.fire(begins);
      void this.refreshChats();
    }
    if (event.event === "Mode" && this.session) this.session = { ...this.session, mode: event.data.mode };
    this.post({ type: "event", event });
  }

  // --- messages of the page ----------------------------------------------------------------------------------------

  private fromPage(message: unknown): void {
    if (!isPageMessage(message)) {
      const type = (message as { type?: unknown } | null)?.type;
      this.host.log("warning", `dropped a message of the page that does not fit: ${String(type).slice(0, 40)}`);
      return;
    }
    switch (message.type) {
      case "openLink":
      case "openFile":
      case "hostAction":
        this.host.perform(message);
        break;
      default:
        this.handle(message).catch((error: unknown) => this.host.log("error", `${message.type}: ${String(error)}`));
    }
  }

  private async handle(message: ChatMessage): Promise<void> {
    switch (message.type) {
      case "ready":
        return this.pageReady();
      case "send":
        return this.send(message.messageId, message.text);
      case "stop":
        return this.stop();
      case "answer":
        return sendAnswer(message, this.answering);
      case "details":
        return fetchDetails(message.approvalId, this.answering);
      case "setMode":
        return this.setMode(message);
      case "newChat":
        return this.newChat(message.agent);
      case "showChat":
        return this.showChat(message.sessionId);
      case "activity":
        return this.tellView("view/activity");
    }
  }

  private async pageReady(): Promise<void> {
    this.post({ type: "hello", host: this.host.kind });
    this.post(this.status);
    this.keepsTranscript = false;
    const { server, session } = this;
    if (server === undefined) return;
    if (session !== undefined) await this.load(server, session.sessionId, "replace");
    else await this.openSomeChat(server);
    await this.refreshWaiting(server);
    await this.refreshChats();
  }

  private async send(messageId: string, text: string): Promise<void> {
    const server = this.server;
    const session = server && (await this.ensureChat(server));
    if (server === undefined || session === undefined) {
      this.post({
        type: "sendFailed",
        messageId,
        text: "There is no connection to the server. Your message was not sent.",
      });
      return;
    }
    try {
      await server.request("chat/send", { sessionId: session.sessionId, text });
      this.post({ type: "sent", messageId });
    } catch (error) {
      const reason = this.server === server ? toFault(error).message : "the connection to the server was lost.";
      this.post({ type: "sendFailed", messageId, text: `The message was not handled: ${reason}` });
    }
  }

  private async setMode(message: Extract<ChatMessage, { type: "setMode" }>): Promise<void> {
    const server = this.server;
    const session = server && (await this.ensureChat(server));
    if (server === undefined || session === undefined) return;
    const { mode, applyNow } = message;
    const changed = await this.tried("The mode", () =>
      server.request("session/setMode", { sessionId: session.sessionId, mode, applyNow: applyNow ?? null }),
    );
    const shown = changed ?? this.session;
    if (shown === undefined || shown.sessionId !== this.session?.sessionId) return;
    this.session = shown;
    this.post({ type: "session", session: shown });
  }

  private async showChat(sessionId: string): Promise<void> {
    const server = this.server;
    if (server === undefined || sessionId === this.session?.sessionId) return;
    this.tellView("view/detached");
    await this.load(server, sessionId, "replace");
    await this.refreshChats();
  }

  // --- helpers -----------------------------------------------------------------------------------------------------

  private async refreshWaiting(server: Server): Promise<void> {
    const list = await this.tried("The list of waiting calls", () => server.request("tool/pendingApprovals", {}));
    if (list === undefined || this.server !== server) return;
    this.waiting.replaceAll(list.approvals);
  }

  private async refreshChats(): Promise<void> {
    const server = this.server;
    if (server === undefined || this.page === undefined) return;
    const list = await this.tried("The list of chats", () => server.request("session/list", {}));
    if (list !== undefined && this.server === server) this.post({ type: "chats", ...list });
  }

  private detach(): void {
    this.tellView("view/detached");
    this.page = undefined;
    this.pageParts.dispose();
  }

  private tellView(method: "view/attached" | "view/detached" | "view/activity"): void {
    if (this.page === undefined || this.server === undefined || this.session === undefined) return;
    this.server.notify(method, { viewId: this.viewId, sessionId: this.session.sessionId });
  }

  private async tried<T>(what: string, action: () => Promise<T>): Promise<T | undefined> {
    const server = this.server;
    try {
      return await action();
    } catch (error) {
      const fault = toFault(error);
      this.host.log("warning", `${what}: ${fault.message} (${fault.code})`);
      if (this.server === server) this.notice("error", `${what} failed: ${fault.message}`);
      return undefined;
    }
  }

  private reportMalformed(method: string, path: string): void {
    this.host.log("error", `dropped a malformed ${method} (at "${path}")`);
    if (method === "tool/approvalRequest") {
      this.notice(
        "error",
        "The server asked a question that cannot be shown here, so it cannot be answered. Stop ends it.",
      );
    }
  }

  private notice(level: NoticeLevel, text: string): void {
    this.post({ type: "notice", level, text });
  }

  private post(message: HostMessage): void {
    this.page?.post(message);
  }
}
