// Between the page and the server: both come and go, and each gets what the other has to say.
import type { AgentEvent, AttestParams } from "../protocol/generated.js";
import { Attaching } from "./attaching.js";
import { Bypassed } from "./bypassed.js";
import { ChatSettings } from "./chat-settings.js";
import { Chats } from "./chats.js";
import { OpenConsent } from "./consent.js";
import { type Disposable, Disposables } from "./emitter.js";
import { type BridgeHost, Ends, type PagePort } from "./ends.js";
import { OpenForms } from "./forms.js";
import { Grants } from "./grants.js";
import { HandSaves } from "./hand-saves.js";
import { KeptForPage } from "./kept-for-page.js";
import {
  type CardInView,
  type CardKey,
  type ConnectionState,
  type HostAction,
  type HostMessage,
  isPageMessage,
} from "./page-messages.js";
import { handle, type Parts } from "./page-requests.js";
import { Permissions } from "./permissions.js";
import { Sending } from "./sending.js";
import { type Connection, type Malformed, Server } from "./server.js";
import { Shells } from "./shells.js";
import { Showing } from "./showing.js";
import { ShownChat } from "./shown-chat.js";
import { ViewPresence } from "./view-presence.js";
import type { Waiting } from "./waiting.js";

export type { BridgeHost, PagePort } from "./ends.js";

type ConnectionStatus = Extract<HostMessage, { type: "connection" }>;

/** Owns the shown chat and forwards. It takes no decision: what an answer means is the server's business. */
export class Bridge implements Disposable {
  readonly waiting: Waiting;
  readonly consent: OpenConsent;
  readonly forms: OpenForms;
  readonly bypassed = new Bypassed();
  private readonly ends: Ends;
  private readonly chat: ShownChat;
  private readonly parts: Parts;
  private readonly handSaves: HandSaves;
  private readonly owned = new Disposables();
  private readonly pageParts = new Disposables();
  private readonly serverParts = new Disposables();
  private status: ConnectionStatus = {
    type: "connection",
    state: "starting",
    text: "Starting the server…",
    actions: [],
  };

  constructor(host: BridgeHost) {
    const ends = new Ends(host, () => this.shownChat);
    const presence = new ViewPresence(ends);
    const kept = new KeptForPage(ends);
    const chat = new ShownChat(ends, {
      onShown: () => presence.shows(),
      onRun: () => void this.parts.chats.refresh(),
    });
    const grants = new Grants(ends, this.bypassed);
    this.ends = ends;
    this.chat = chat;
    this.waiting = ends.waiting;
    this.consent = new OpenConsent(ends);
    this.forms = new OpenForms(ends);
    this.handSaves = new HandSaves(ends);
    this.parts = {
      ends,
      presence,
      kept,
      grants,
      consent: this.consent,
      forms: this.forms,
      chats: new Chats(ends, chat, presence),
      chatSettings: new ChatSettings(ends, chat),
      sending: new Sending(ends, chat, kept),
      permissions: new Permissions(ends, grants),
      shells: new Shells(ends),
      attaching: new Attaching(ends, chat),
      showing: new Showing(ends),
      pageReady: () => this.pageReady(),
    };
    for (const { changed } of [this.waiting, this.consent, this.forms, this.bypassed]) this.owned.add(changed);
  }

  /** A server is there, for the first time or again. */
  async connected(connection: Connection): Promise<void> {
    this.serverParts.dispose();
    // What is still open, this server asks again.
    this.consent.close();
    const server = new Server(connection);
    this.ends.server = server;
    this.listenTo(server);
    this.setStatus("ready", "");
    this.handSaves.connected();
    if (this.ends.page !== undefined) await this.chat.resume(server);
    this.nameFiles([]);
    if (this.ends.server === server) await this.refreshWaiting(server);
    await this.refreshLists();
  }

  /** The connection is lost. `gone`: the server's process ended, so what waited there will never run. */
  disconnected(state: ConnectionState, text: string, actions: HostAction[], gone: boolean): void {
    this.serverParts.dispose();
    this.ends.server = undefined;
    this.bypassed.listed([]);
    this.chat.interrupted();
    this.setStatus(state, text, actions);
    if (!gone) return;
    this.chat.forget();
    this.consent.close();
    this.forms.keep([]);
  }

  /** What the page shows about the server while there is none. */
  setStatus(state: ConnectionState, text: string, actions: HostAction[] = []): void {
    this.status = { type: "connection", state, text, actions };
    this.ends.post(this.status);
  }

  /** A page appears; the one before, if any, is gone. */
  attach(page: PagePort): Disposable {
    this.detach();
    this.ends.page = page;
    this.parts.presence.appeared();
    this.pageParts.add(page.onMessage((message) => this.fromPage(message)));
    return { dispose: () => this.ends.page === page && this.detach() };
  }

  /** The page is hidden or shown. One that is hidden is made anew when it is shown, and says so itself. */
  setVisible(visible: boolean): void {
    if (!visible) this.parts.kept.gone();
    this.parts.presence.setVisible(visible);
  }

  /** The chat that is shown, by its id. */
  get shownChat(): string | undefined {
    return this.chat.session?.sessionId;
  }

  /** The server of now, for what is asked beside the chat. */
  get connectedServer(): Server | undefined {
    return this.ends.server;
  }

  /** How things stand with the server, for somebody who helps. */
  get connectionWords(): string {
    const { state, text } = this.status;
    return text === "" ? state : `${state}: ${text}`;
  }

  /** The page shows what is allowed: at once, or when it is there. */
  showGrants(history = false): void {
    this.parts.kept.show({ type: "showGrants", history });
  }

  /** The page leads to the first card that waits, in another chat where none waits in this one. */
  async goToCard(): Promise<void> {
    const [first, ...more] = this.waiting.all;
    const isHere = [first, ...more].some((request) => request?.sessionId === this.shownChat);
    if (first && !isHere) await this.parts.chats.show(first.sessionId);
    this.parts.kept.show({ type: "goToCard" });
  }

  /** The page knows whether keys answer cards, as the user has it set now. */
  tellKeys(): void {
    const { host } = this.ends;
    this.ends.post({ type: "hello", host: host.kind, keys: host.answersKeys() });
  }

  /** A key means this card. Only a page that shows it now can take that as an answer. */
  press(key: CardKey, card: CardInView, onPage: boolean): void {
    this.ends.post({ type: "press", key, onPage, ...card });
  }

  /** The page names these files for the next message: at once, or when it is there and can have them looked at. */
  nameFiles(paths: readonly string[]): void {
    this.parts.kept.nameFiles(paths);
  }

  /** Nobody runs without asking any more. Answers with the agents that still do. */
  async turnOffBypasses(): Promise<readonly string[]> {
    const left: string[] = [];
    for (const bypass of this.bypassed.switches) {
      const done = await this.parts.permissions.handle({ type: "bypassSet", on: false, ...bypass });
      if (!done) left.push(bypass.agent);
    }
    return left;
  }

  newChat(agent?: string): Promise<void> {
    return this.parts.chats.openNew(agent);
  }

  stop(): Promise<void> {
    return this.parts.sending.stop();
  }

  /** Shows a card that leads to nothing. Answers with what was clicked. */
  sendTestRequest(): Promise<string | undefined> {
    return this.parts.sending.testRequest();
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

  private listenTo(server: Server): void {
    const { waiting, consent, forms, parts } = this;
    const told = [
      server.events.on((event) => this.happened(event)),
      server.approvals.on((request) => {
        waiting.add(request);
        this.concerns(request.sessionId, { type: "approval", request });
      }),
      server.endings.on((resolved) => {
        waiting.remove(resolved.approvalId);
        this.concerns(resolved.sessionId, { type: "resolved", resolved });
      }),
      server.restorations.on(({ sessionIds }) => void parts.chats.restored(server, sessionIds)),
      server.listChanges.on(({ agentForNewChats }) => void parts.chats.changed(server, agentForNewChats)),
      server.consents.on((request) => consent.ask(request)),
      server.consentEndings.on(({ consentId }) => consent.close(consentId)),
      server.forms.on((request) => {
        forms.asked(request);
        this.marks(request.sessionId);
      }),
      server.formEndings.on((ended) => {
        forms.ended(ended);
        this.marks(ended.sessionId);
      }),
      server.malformed.on((message) => this.reportMalformed(message)),
    ];
    for (const one of [server, ...told]) this.serverParts.add(one);
  }

  private happened(event: AgentEvent): void {
    const { page } = this.ends;
    this.chat.receive(event);
    // A bypass is told of also where no page is.
    if (page !== undefined || event.event === "Grants") void this.parts.grants.happened(event);
    if (page !== undefined) void this.parts.shells.happened(event);
  }

  /** The page hears of its own chat; of another one the list says how it is. */
  private concerns(sessionId: string, message: HostMessage): void {
    if (sessionId === this.chat.id) this.ends.post(message);
    else this.marks(sessionId);
  }

  private marks(sessionId: string): void {
    if (sessionId !== this.chat.id) void this.parts.chats.refresh();
  }

  private reportMalformed({ method, path }: Malformed): void {
    this.ends.log("error", `dropped a malformed ${method} (at "${path}")`);
    if (method === "tool/approvalRequest") {
      this.ends.notice(
        "error",
        "The server asked a question that cannot be shown here, so it cannot be answered. Stop ends it.",
      );
    }
  }

  private fromPage(message: unknown): void {
    const { host } = this.ends;
    if (!isPageMessage(message)) {
      const type = (message as { type?: unknown } | null)?.type;
      host.log("warning", `dropped a message of the page that does not fit: ${String(type).slice(0, 40)}`);
      return;
    }
    switch (message.type) {
      case "openLink":
      case "openFile":
      case "hostAction":
      case "setKey":
      case "chooseModel":
      case "cardInView":
        host.perform(message);
        break;
      default:
        handle(message, this.parts).catch((error: unknown) => host.log("error", `${message.type}: ${String(error)}`));
    }
  }

  private async pageReady(): Promise<void> {
    const { ends, parts } = this;
    this.tellKeys();
    ends.post(this.status);
    this.consent.show();
    parts.kept.ready();
    const { server } = ends;
    if (server === undefined) return;
    await this.chat.rebuild(server);
    this.nameFiles([]);
    await this.refreshWaiting(server);
    await this.refreshLists();
  }

  private async refreshWaiting(server: Server): Promise<void> {
    await this.waiting.refresh(async () => {
      const ask = () => server.request("tool/pendingApprovals", {});
      const list = await this.ends.tried("The list of waiting calls", ask);
      return this.ends.server === server ? list?.approvals : undefined;
    });
    await this.forms.refresh(server);
  }

  /** What is listed beside the chat. */
  private async refreshLists(): Promise<void> {
    const { chats, grants, shells } = this.parts;
    await Promise.all([chats.refresh(), grants.refresh(), this.ends.page && shells.refresh()]);
  }

  private detach(): void {
    this.parts.presence.leaves();
    this.ends.page = undefined;
    this.parts.kept.gone();
    this.pageParts.dispose();
  }
}
