// The chat that the page shows: opened, loaded, followed event by event, and given up with its server.
import { type AgentEvent, ErrorCode, type SessionInfo } from "../protocol/generated.js";
import type { Ends } from "./ends.js";
import { EventOrder } from "./event-order.js";
import type { Snapshot } from "./page-messages.js";
import { type Server, toFault } from "./server.js";

/** What is told of the shown chat beside the page. */
export interface ChatListener {
  onShown(): void;
  /** A run began or ended. */
  onRun(): void;
}

/** One chat at a time. */
export class ShownChat {
  private shown: SessionInfo | undefined;
  private shownId: string | undefined;
  private order = new EventOrder();
  private latestLoad = 0;
  private opening: Promise<SessionInfo | undefined> | undefined;
  private loading: Promise<boolean> | undefined;
  private keepsTranscript = false;
  /** The chat that was shown when its server ended: a new server may have it still. */
  private before: string | undefined;
  /** Set while the user has begun nothing in the chat, which came up by itself: opened anew, or found on the server. */
  private untouched: "new" | "found" | undefined;
  private beginningUp: Promise<void> | undefined;
  private following: Promise<void> | undefined;

  constructor(
    private readonly ends: Ends,
    private readonly listener: ChatListener,
  ) {}

  /** The chat, once it is loaded. */
  get session(): SessionInfo | undefined {
    return this.shown;
  }

  /** Its id, already while it is being loaded. */
  get id(): string | undefined {
    return this.shownId;
  }

  /** The page stayed, the connection is new: go on where it stands. */
  async resume(server: Server): Promise<void> {
    if (this.shown !== undefined) await this.load(server, this.shown.sessionId, "continue");
    else await this.openSome(server);
  }

  /** The page is new: it gets everything. */
  async rebuild(server: Server): Promise<void> {
    this.keepsTranscript = false;
    if (this.shown !== undefined) await this.load(server, this.shown.sessionId, "replace");
    else await this.openSome(server);
  }

  async show(server: Server, sessionId: string): Promise<void> {
    this.untouched = undefined;
    await this.load(server, sessionId, "replace");
  }

  /** Chats of an earlier server are there. What the user has begun stays; otherwise one of them is shown. */
  async restored(server: Server, sessions: readonly SessionInfo[]): Promise<void> {
    await this.beginningUp;
    await this.loading;
    const { shown, untouched } = this;
    const back = waitingOrLatest(sessions);
    if (this.ends.server !== server || shown === undefined || untouched === undefined) return;
    if (back === undefined || back.sessionId === shown.sessionId || this.waitsIn(shown)) return;
    if (untouched === "found" && back.waiting === 0) return;
    this.untouched = "found";
    await this.load(server, back.sessionId, "replace");
  }

  /** The chat for something that the user does, opened now where there is none. */
  async ensure(server: Server): Promise<SessionInfo | undefined> {
    this.untouched = undefined;
    const session = await this.haveOne(server);
    this.untouched = undefined;
    return session;
  }

  private waitsIn({ sessionId, waiting }: SessionInfo): boolean {
    return waiting > 0 || this.ends.waiting.countOf(sessionId) > 0;
  }

  private async haveOne(server: Server): Promise<SessionInfo | undefined> {
    if (this.shown === undefined) await this.loading;
    if (this.shown === undefined) await this.openOnce(server, this.beginning());
    // What was opened may have been loaded once more meanwhile: that load has the last word.
    if (this.shown === undefined) await this.loading;
    return this.shown;
  }

  async openNew(server: Server, agent?: string): Promise<void> {
    const { following } = this;
    await following;
    // Who chooses an agent for new chats wants one with it: that may have come up just now.
    const isThere = following !== undefined && this.untouched === "new" && this.shown?.agentId === agent;
    this.untouched = undefined;
    if (!isThere) await this.openInstead(server, agent);
  }

  /** A chat that came up by itself, and in which the user has begun nothing, is with the agent that new chats start with. */
  agentsChanged(server: Server, agentForNewChats: string): Promise<void> {
    const following = this.follow(server, agentForNewChats).finally(() => {
      if (this.following === following) this.following = undefined;
    });
    this.following = following;
    return following;
  }

  private async follow(server: Server, agentForNewChats: string): Promise<void> {
    await this.beginningUp;
    await this.loading;
    const { shown, untouched } = this;
    if (this.ends.server !== server || shown === undefined || untouched !== "new") return;
    if (shown.agentId === agentForNewChats || this.waitsIn(shown)) return;
    const opened = await this.openInstead(server);
    const sessionId = shown.sessionId;
    if (opened !== undefined && opened.sessionId !== sessionId)
      await this.ends.tried("Closing the chat", () => server.request("session/close", { sessionId }));
  }

  /** Where no other one can be opened, what was shown stays. */
  private async openInstead(server: Server, agent?: string): Promise<SessionInfo | undefined> {
    const left = this.shown;
    this.shown = undefined;
    this.opening = undefined;
    const opened = await this.openOnce(server, "replace", agent);
    // Another chat may be on its way by now: then that one is meant.
    const isOver = this.opening === undefined && this.loading === undefined;
    const isStranded = isOver && this.shown === undefined && this.ends.server === server;
    if (opened === undefined && left !== undefined && isStranded) await this.load(server, left.sessionId, "replace");
    return opened;
  }

  /** The chat is gone because the user closed it. */
  async closed(server: Server): Promise<void> {
    this.shown = undefined;
    this.shownId = undefined;
    this.before = undefined;
    this.keepsTranscript = false;
    await this.openSome(server);
    // The user chose to leave the other one: what comes up now stays.
    this.untouched = undefined;
  }

  /** The server has changed something about the chat. */
  update(session: SessionInfo): void {
    if (session.sessionId !== this.shown?.sessionId) return;
    this.shown = session;
    this.ends.post({ type: "session", session });
  }

  /** The list says where the chat works now; of all else the chat's own events say more. */
  listed(sessions: readonly SessionInfo[]): void {
    const { shown } = this;
    const now = sessions.find(({ sessionId }) => sessionId === shown?.sessionId);
    if (shown === undefined || now === undefined) return;
    const { ownFolder = null, unreachable = null } = now;
    const isSame = (shown.ownFolder ?? null) === ownFolder && `${shown.unreachable ?? null}` === `${unreachable}`;
    if (!isSame) this.update({ ...shown, ownFolder, unreachable });
  }

  receive(event: AgentEvent): void {
    if (event.sessionId !== this.shownId) return;
    const { ready, missing } = this.order.receive(event);
    for (const one of ready) this.pass(one);
    const server = this.ends.server;
    if (!missing || server === undefined || this.shown === undefined) return;
    this.ends.log("info", `events are missing before ${event.n}: loading them`);
    void this.load(server, this.shown.sessionId, "continue");
  }

  /** The connection is lost; the chat may still be there when it comes back. */
  interrupted(): void {
    this.opening = undefined;
    this.order.abandon();
  }

  /** What the old server knew is void: its questions never run, its chat cannot be gone on with. */
  forget(): void {
    this.before = this.shownId ?? this.before;
    this.shown = undefined;
    this.shownId = undefined;
    this.order = new EventOrder();
    this.keepsTranscript = true;
    this.ends.waiting.replaceAll([]);
    this.ends.post({ type: "serverGone" });
  }

  private beginning(): Snapshot {
    return this.keepsTranscript ? "restarted" : "replace";
  }

  private async openSome(server: Server): Promise<void> {
    const beginning = this.openSomeNow(server).finally(() => {
      if (this.beginningUp === beginning) this.beginningUp = undefined;
    });
    this.beginningUp = beginning;
    return beginning;
  }

  private async openSomeNow(server: Server): Promise<void> {
    // What the server kept of the chat takes the place of what the page saw of it.
    const before = this.before;
    if (before !== undefined && (await this.load(server, before, "replace", true))) return;
    if (this.ends.server !== server || this.shown !== undefined) return;
    const list = await this.ends.tried("The list of chats", () => server.request("session/list", {}));
    if (this.ends.server !== server || this.shown !== undefined) return;
    if (this.opening !== undefined) return void (await this.opening);
    const found = list && waitingOrLatest(list.sessions);
    this.untouched = found === undefined ? "new" : "found";
    if (found !== undefined) await this.load(server, found.sessionId, this.beginning());
    else await this.haveOne(server);
  }

  private openOnce(server: Server, how: Snapshot, agent?: string): Promise<SessionInfo | undefined> {
    if (this.opening !== undefined) return this.opening;
    const opening = this.open(server, how, agent).finally(() => {
      if (this.opening === opening) this.opening = undefined;
    });
    this.opening = opening;
    return opening;
  }

  private async open(server: Server, how: Snapshot, agent?: string): Promise<SessionInfo | undefined> {
    const session = await this.ends.tried("A new chat", () =>
      server.request("session/new", agent === undefined ? {} : { agent }),
    );
    if (session === undefined || this.ends.server !== server) return undefined;
    await this.load(server, session.sessionId, how);
    return this.shown;
  }

  /** Brings the page up to date: the whole chat, or what it missed. Says whether the server has it. */
  private async load(server: Server, sessionId: string, how: Snapshot, mayBeGone = false): Promise<boolean> {
    const loading = this.loadNow(server, sessionId, how, mayBeGone).finally(() => {
      if (this.loading === loading) this.loading = undefined;
    });
    this.loading = loading;
    return loading;
  }

  private async loadNow(server: Server, sessionId: string, how: Snapshot, mayBeGone: boolean): Promise<boolean> {
    const wasShown = this.shownId === sessionId;
    const left = wasShown ? undefined : this.shown;
    if (how !== "continue" || !wasShown) this.order = new EventOrder();
    if (!wasShown) this.shown = undefined;
    this.shownId = sessionId;
    this.latestLoad += 1;
    const [order, load] = [this.order, this.latestLoad];
    const isOutdated = () => this.latestLoad !== load || this.ends.server !== server;
    order.startLoading();
    try {
      const sinceN = how === "continue" ? order.lastN : 0;
      const { session, events, pending } = await server.request("session/load", { sessionId, sinceN });
      if (isOutdated()) return true;
      this.shown = session;
      this.before = undefined;
      this.keepsTranscript = false;
      this.ends.waiting.replaceOf(sessionId, pending);
      this.ends.post({ type: "chat", how, session, events, pending });
      const lastN = events.at(-1)?.n ?? Math.max(sinceN, session.lastN);
      for (const event of order.loaded(lastN)) this.pass(event);
      this.listener.onShown();
      return true;
    } catch (error) {
      if (isOutdated()) return true;
      order.abandon();
      if (mayBeGone && toFault(error).code === ErrorCode.SESSION_NOT_FOUND) this.shownId = undefined;
      else await this.loadFailed(server, error, wasShown, left);
      return false;
    }
  }

  private async loadFailed(server: Server, error: unknown, wasShown: boolean, left?: SessionInfo): Promise<void> {
    const fault = toFault(error);
    this.ends.log("warning", `session/load: ${fault.message} (${fault.code})`);
    if (fault.code !== ErrorCode.SESSION_NOT_FOUND) {
      this.ends.notice("error", `The chat could not be loaded: ${fault.message}`);
      // The page still shows the one before: what happens there, and waits, goes on being told.
      if (left) await this.load(server, left.sessionId, "replace");
      return;
    }
    this.shown = undefined;
    this.shownId = undefined;
    if (wasShown) this.forget();
    else this.ends.notice("warning", "This chat is closed.");
    await this.openOnce(server, this.beginning());
  }

  private pass(event: AgentEvent): void {
    if (event.event === "Mode" && this.shown) this.shown = { ...this.shown, mode: event.data.mode };
    this.ends.post({ type: "event", event });
    if (event.event === "Prompt" || event.event === "Done" || event.event === "Error") this.listener.onRun();
  }
}

/** The one that a user wants to see first. */
function waitingOrLatest(sessions: readonly SessionInfo[]): SessionInfo | undefined {
  return sessions.findLast((one) => one.waiting > 0) ?? sessions.at(-1);
}

/** Whether the user did something in another chat than the one that came up meanwhile. */
export function isForAnother(sessionId: string | undefined, shown: SessionInfo): boolean {
  return sessionId !== undefined && sessionId !== shown.sessionId;
}
