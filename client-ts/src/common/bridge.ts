// Between the page and the server: which chat is shown, what the page has seen of it, and what waits.
import type { AgentEvent, AttestParams, SessionInfo } from "../protocol/generated.js";
import { type AnswerContext, fetchDetails, sendAnswer } from "./answers.js";
import { sendBatch } from "./batch.js";
import { OpenConsent } from "./consent.js";
import { type Disposable, Disposables } from "./emitter.js";
import { Grants } from "./grants.js";
import { HandSaves } from "./hand-saves.js";
import {
  type ChatMessage,
  type ConnectionState,
  type HostAction,
  type HostKind,
  type HostMessage,
  type HostRequest,
  isPageMessage,
  type NoticeLevel,
} from "./page-messages.js";
import { type Connection, Server, toFault } from "./server.js";
import { Shells } from "./shells.js";
import { ShownChat } from "./shown-chat.js";
import { ViewPresence } from "./view-presence.js";
import { Waiting } from "./waiting.js";
import { wholeResult } from "./whole-result.js";

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
  /** Shows a text to read, apart from the page. */
  showText(title: string, text: string): void;
  log(level: NoticeLevel, text: string): void;
}

type ConnectionStatus = Extract<HostMessage, { type: "connection" }>;

/** Owns the shown chat and forwards. It takes no decision: what an answer means is the server's business. */
export class Bridge implements Disposable {
  readonly waiting = new Waiting();
  readonly consent: OpenConsent;
  private readonly owned = new Disposables();
  private readonly pageParts = new Disposables();
  private page: PagePort | undefined;
  private server: Server | undefined;
  private serverParts = new Disposables();
  private readonly chat: ShownChat;
  private status: ConnectionStatus = {
    type: "connection",
    state: "starting",
    text: "Starting the server…",
    actions: [],
  };
  private readonly answering: AnswerContext;
  private readonly grants: Grants;
  private readonly shells: Shells;
  private readonly presence: ViewPresence;
  private readonly handSaves: HandSaves;
  /** The page is to show what is allowed, as soon as it is there. */
  private grantsWanted = false;
  private pageIsReady = false;
  private readonly unreturned: HostMessage[] = [];

  constructor(private readonly host: BridgeHost) {
    const viewId = host.randomId();
    this.presence = new ViewPresence({
      viewId,
      server: () => this.server,
      shownChat: () => (this.page === undefined ? undefined : this.chat.session?.sessionId),
    });
    this.handSaves = new HandSaves({ server: () => this.server, log: (level, text) => host.log(level, text) });
    this.answering = {
      viewId,
      waiting: this.waiting,
      server: () => this.server,
      shownChat: () => this.chat.session?.sessionId,
      post: (message) => this.post(message),
      after: (milliseconds, action) => host.after(milliseconds, action),
    };
    this.consent = new OpenConsent({
      server: () => this.server,
      post: (message) => this.post(message),
      after: (milliseconds, action) => host.after(milliseconds, action),
      log: (level, text) => host.log(level, text),
    });
    this.grants = new Grants({
      server: () => this.server,
      post: (message) => this.post(message),
      log: (level, text) => host.log(level, text),
    });
    this.shells = new Shells({
      server: () => this.server,
      post: (message) => this.post(message),
      showText: (title, text) => host.showText(title, text),
      log: (level, text) => host.log(level, text),
    });
    this.chat = new ShownChat({
      waiting: this.waiting,
      server: () => this.server,
      post: (message) => this.post(message),
      tried: (what, action) => this.tried(what, action),
      notice: (level, text) => this.notice(level, text),
      log: (level, text) => this.host.log(level, text),
      onShown: () => this.presence.shows(),
      onRun: () => void this.refreshChats(),
    });
    this.owned.add(this.waiting.changed);
    this.owned.add(this.consent.changed);
  }

  /** A server is there, for the first time or again. */
  async connected(connection: Connection): Promise<void> {
    this.serverParts.dispose();
    // What is still open, this server asks again.
    this.consent.close();
    const server = new Server(connection);
    this.server = server;
    this.serverParts = new Disposables();
    this.serverParts.add(server);
    this.serverParts.add(server.events.on((event) => this.happened(event)));
    this.serverParts.add(
      server.approvals.on((request) => {
        this.waiting.add(request);
        if (request.sessionId === this.chat.id) this.post({ type: "approval", request });
        else void this.refreshChats();
      }),
    );
    this.serverParts.add(
      server.endings.on((resolved) => {
        this.waiting.remove(resolved.approvalId);
        if (resolved.sessionId === this.chat.id) this.post({ type: "resolved", resolved });
        else void this.refreshChats();
      }),
    );
    this.serverParts.add(server.restorations.on(({ sessionIds }) => void this.restored(server, sessionIds)));
    this.serverParts.add(server.consents.on((request) => this.consent.ask(request)));
    this.serverParts.add(server.consentEndings.on(({ consentId }) => this.consent.close(consentId)));
    this.serverParts.add(server.malformed.on(({ method, path }) => this.reportMalformed(method, path)));
    this.setStatus("ready", "");
    this.handSaves.connected();
    if (this.page !== undefined) await this.chat.resume(server);
    if (this.server === server) await this.refreshWaiting(server);
    await Promise.all([this.refreshChats(), this.refreshLists()]);
  }

  /** The chat that is shown, by its id. */
  get shownChat(): string | undefined {
    return this.chat.session?.sessionId;
  }

  /** The server of now, for what is asked beside the chat. */
  get connectedServer(): Server | undefined {
    return this.server;
  }

  /** How things stand with the server, for somebody who helps. */
  get connectionWords(): string {
    const { state, text } = this.status;
    return text === "" ? state : `${state}: ${text}`;
  }

  /** The page shows what is allowed: at once, or when it is there. */
  showGrants(): void {
    this.grantsWanted = this.page === undefined || !this.pageIsReady;
    if (!this.grantsWanted) this.post({ type: "showGrants" });
  }

  /** The connection is lost. `gone`: the server's process ended, so what waited there will never run. */
  disconnected(state: ConnectionState, text: string, actions: HostAction[], gone: boolean): void {
    this.serverParts.dispose();
    this.server = undefined;
    this.chat.interrupted();
    this.setStatus(state, text, actions);
    if (!gone) return;
    this.chat.forget();
    this.consent.close();
  }

  /** What the page shows about the server while there is none. */
  setStatus(state: ConnectionState, text: string, actions: HostAction[] = []): void {
    this.status = { type: "connection", state, text, actions };
    this.post(this.status);
  }

  /** A page appears; the one before, if any, is gone. */
  attach(page: PagePort): Disposable {
    this.detach();
    this.page = page;
    this.presence.appeared();
    this.pageParts.add(page.onMessage((message) => this.fromPage(message)));
    return { dispose: () => this.page === page && this.detach() };
  }

  /** The page is hidden or shown. One that is hidden is made anew when it is shown, and says so itself. */
  setVisible(visible: boolean): void {
    if (!visible) this.pageIsReady = false;
    this.presence.setVisible(visible);
  }

  async newChat(agent?: string): Promise<void> {
    const server = this.server;
    if (server === undefined) return this.notice("warning", "A new chat can be opened as soon as the server is there.");
    this.presence.leaves();
    await this.chat.openNew(server, agent);
    await this.refreshChats();
  }

  async stop(): Promise<void> {
    const { server } = this;
    const { session } = this.chat;
    if (server === undefined || session === undefined) return;
    await this.tried("Stop", () => server.request("chat/stop", { sessionId: session.sessionId }));
  }

  /** Shows a card that leads to nothing. Answers with what was clicked. */
  async sendTestRequest(): Promise<string | undefined> {
    const server = this.server;
    const session = server && (await this.chat.ensure(server));
    if (server === undefined || session === undefined) return undefined;
    const result = await this.tried("The test request", () =>
      server.request("tool/testApproval", { sessionId: session.sessionId }),
    );
    if (result === undefined) return undefined;
    const text = `Test request: ${result.status}${result.decision ? ` (${result.decision})` : ""}. Nothing ran.`;
    this.notice("info", text);
    return text;
  }

  /** The user saved settings by hand. */
  attest(saved: AttestParams): Promise<void> {
    return this.handSaves.attest(saved);
  }

  dispose(): void {
    this.detach();
    this.serverParts.dispose();
    this.owned.dispose();
  }

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
      case "setKey":
      case "chooseModel":
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
        return this.send(message);
      case "retryRun":
        return this.retryRun(message.sessionId);
      case "stop":
        return this.stop();
      case "answer":
        return sendAnswer(message, this.answering);
      case "batch":
        return sendBatch(message, this.answering);
      case "grantsList":
        return this.grants.refresh();
      case "grantRevoke":
        return this.grants.revoke(message.grantId);
      case "grantUndo":
        return this.grants.undo(message.grantId);
      case "shellsList":
        return this.shells.refresh();
      case "shellKill":
        return this.shells.kill(message.shellId);
      case "shellBackground":
        return this.shells.background(message.toolCallId);
      case "openShellOutput":
        return this.shells.openOutput(message.shellId);
      case "details":
        return fetchDetails(message.approvalId, this.answering);
      case "reveal":
        return this.reveal(message.approvalId);
      case "showMedia":
        return this.showMedia(message);
      case "openResult":
        return this.openResult(message);
      case "consentAnswer":
        return this.consent.answer(message);
      case "consentHide":
        return this.consent.close(message.consentId);
      case "setMode":
        return this.setMode(message);
      case "setAgentOption":
        return this.setAgentOption(message);
      case "newChat":
        return this.newChat(message.agent);
      case "showChat":
        return this.showChat(message.sessionId);
      case "closeChat":
        return this.closeChat(message.sessionId);
      case "activity":
        return this.presence.activity();
    }
  }

  private async reveal(approvalId: string): Promise<void> {
    const { server } = this;
    if (server) await this.tried("Reveal", () => server.request("tool/reveal", { approvalId }));
  }

  private async pageReady(): Promise<void> {
    this.post({ type: "hello", host: this.host.kind });
    this.post(this.status);
    this.consent.show();
    this.pageIsReady = true;
    if (this.grantsWanted) this.showGrants();
    for (const message of this.unreturned.splice(0)) this.post(message);
    const { server } = this;
    if (server === undefined) return;
    await this.chat.rebuild(server);
    await this.refreshWaiting(server);
    await Promise.all([this.refreshChats(), this.refreshLists()]);
  }

  private happened(event: AgentEvent): void {
    this.chat.receive(event);
    if (this.page === undefined) return;
    void this.grants.happened(event);
    void this.shells.happened(event);
  }

  /** What is listed beside the chat. */
  private async refreshLists(): Promise<void> {
    if (this.page !== undefined) await Promise.all([this.grants.refresh(), this.shells.refresh()]);
  }

  private async send(message: Extract<ChatMessage, { type: "send" }>): Promise<void> {
    const { messageId, text, whenBusy, sessionId } = message;
    const server = this.server;
    const session = server && (await this.chat.ensure(server));
    if (server === undefined || session === undefined) {
      const why = server === undefined ? "There is no connection to the server." : "The chat could not be opened.";
      this.post({ type: "sendFailed", messageId, text: `${why} Your message was not sent.` });
      return;
    }
    if (isForAnother(sessionId, session)) return this.giveBack(messageId, text);
    try {
      const params = { sessionId: session.sessionId, text, ...(whenBusy && { whenBusy }) };
      const { unbegun } = await server.request("chat/send", params);
      if (unbegun) this.giveBack(messageId, text);
      else this.post({ type: "sent", messageId });
    } catch (error) {
      const reason = this.server === server ? toFault(error).message : "the connection to the server was lost.";
      this.post({ type: "sendFailed", messageId, text: `The message was not handled: ${reason}` });
    }
  }

  /** Goes on where the last run failed. Where that is not to be, the page is brought back to what is so. */
  private async retryRun(sessionId: string | undefined): Promise<void> {
    const { server } = this;
    const { session } = this.chat;
    if (server === undefined || session === undefined || isForAnother(sessionId, session)) return;
    const run = await this.tried("Retry", () => server.request("chat/retry", { sessionId: session.sessionId }));
    const isShown = this.server === server && this.chat.session?.sessionId === session.sessionId;
    if (isShown && (run === undefined || run.unbegun)) await this.chat.resume(server);
  }

  /** No run took it up: the user has it again, if not at once then with the next page. */
  private giveBack(messageId: string, text: string): void {
    const message = { type: "returned", messageId, text } as const;
    if (this.pageIsReady) this.post(message);
    else this.unreturned.push(message);
  }

  private async showMedia({ sessionId, toolCallId }: Extract<ChatMessage, { type: "showMedia" }>): Promise<void> {
    try {
      if (this.server === undefined) throw new Error("There is no connection to the server: it has the file.");
      const media = await this.server.request("tool/media", { sessionId, toolCallId });
      this.post({ type: "media", toolCallId, media });
    } catch (error) {
      this.post({ type: "media", toolCallId, error: toFault(error).message });
    }
  }

  private async openResult(message: Extract<ChatMessage, { type: "openResult" }>): Promise<void> {
    const { server } = this;
    if (server === undefined) return this.notice("warning", "There is no connection to the server: it has the text.");
    const text = await this.tried("The whole result", () => wholeResult(server, message));
    if (text !== undefined) this.host.showText("Whole result", text);
  }

  private async setMode(message: Extract<ChatMessage, { type: "setMode" }>): Promise<void> {
    const server = this.server;
    const session = server && (await this.chat.ensure(server));
    if (server === undefined || session === undefined) return;
    if (isForAnother(message.sessionId, session)) return this.chat.update(session);
    const { mode, applyNow } = message;
    const changed = await this.tried("The mode", () =>
      server.request("session/setMode", { sessionId: session.sessionId, mode, applyNow: applyNow ?? null }),
    );
    this.chat.update(changed ?? session);
  }

  private async setAgentOption(message: Extract<ChatMessage, { type: "setAgentOption" }>): Promise<void> {
    const { server } = this;
    const { session } = this.chat;
    if (server === undefined || session === undefined || isForAnother(message.sessionId, session)) return;
    const { settingId, value, confirmed } = message;
    const params = { sessionId: session.sessionId, settingId, value, confirmed };
    await this.tried("The agent's setting", () => server.request("session/setAgentOption", params));
  }

  private async showChat(sessionId: string): Promise<void> {
    const server = this.server;
    if (server === undefined || sessionId === this.chat.session?.sessionId) return;
    this.presence.leaves();
    await this.chat.show(server, sessionId);
    await this.refreshChats();
  }

  /** What was shown makes room for another chat, the one that waits before all others. */
  private async closeChat(sessionId: string): Promise<void> {
    const server = this.server;
    if (server === undefined) return this.notice("warning", "A chat can be closed as soon as the server is there.");
    const closed = await this.tried("Closing the chat", () => server.request("session/close", { sessionId }));
    if (this.server !== server) return;
    if (closed !== undefined && sessionId === this.chat.id) await this.chat.closed(server);
    await this.refreshChats();
  }

  private async refreshWaiting(server: Server): Promise<void> {
    const list = await this.tried("The list of waiting calls", () => server.request("tool/pendingApprovals", {}));
    if (list === undefined || this.server !== server) return;
    this.waiting.replaceAll(list.approvals);
  }

  private async refreshChats(): Promise<void> {
    const server = this.server;
    if (server !== undefined && this.page !== undefined) await this.listChats(server);
  }

  /** The chats as they are now, also for the page. */
  private async listChats(server: Server): Promise<readonly SessionInfo[]> {
    const list = await this.tried("The list of chats", () => server.request("session/list", {}));
    if (list === undefined || this.server !== server) return [];
    this.post({ type: "chats", ...list });
    return list.sessions;
  }

  private async restored(server: Server, sessionIds: readonly string[]): Promise<void> {
    const sessions = await this.listChats(server);
    await this.chat.restored(
      server,
      sessions.filter((one) => sessionIds.includes(one.sessionId)),
    );
  }

  private detach(): void {
    this.presence.leaves();
    this.page = undefined;
    this.pageIsReady = false;
    this.pageParts.dispose();
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

function isForAnother(sessionId: string | undefined, shown: SessionInfo): boolean {
  return sessionId !== undefined && sessionId !== shown.sessionId;
}
