import { css, html, LitElement } from "lit";
import type { BatchDecision, HostMessage, PageMessage } from "../../common/page-messages.js";
import type { Actions, AnswerExtras } from "../actions.js";
import type { PageHost } from "../host.js";
import { loadLater } from "../later-loader.js";
import { isWebLink } from "../links.js";
import {
  answeredTogether,
  type Card,
  canStop,
  drawnCards,
  initialState,
  openCards,
  type PageState,
  type Remedy,
  retryable,
  type ToolItem,
  withReturned,
} from "../state.js";
import { type LocalMessage, reduce } from "../store.js";
import { findCard } from "../store-helpers.js";
import { askAgainWords } from "../words.js";
import "./composer.js";
import type { Composer } from "./composer.js";
import "./header.js";
import "./status-line.js";
import type { StatusLine } from "./status-line.js";
import { shared, theme } from "./theme.js";
import "./thread.js";
import type { FoundPlace, Thread } from "./thread.js";

const ACTIVITY_EVERY_MS = 10_000;
/** What a person does. The pointer's mere moving is left out: it is also reported when the page moves under it. */
const ACTIVITY = ["pointerdown", "keydown", "wheel", "focus"];

/** The page: holds the state, draws it, and turns what the user does into messages. */
export class App extends LitElement {
  static override properties = { state: { state: true }, draft: { state: true }, finding: { state: true } };
  static override styles = [
    theme,
    shared,
    css`
      :host {
        background: var(--bg);
      }
      main {
        position: relative;
        display: flex;
        flex-direction: column;
        height: 100vh;
        overflow: clip;
      }
      assent-thread:focus-visible {
        outline-offset: -2px;
      }
    `,
  ];
  declare state: PageState;
  declare draft: string;
  /** Whether the bar is open that finds words in the chat. */
  declare finding: boolean;
  private lastActivity = Number.NEGATIVE_INFINITY;

  constructor(private readonly host: PageHost) {
    super();
    this.state = initialState;
    this.draft = host.load().draft;
    this.finding = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    for (const name of ACTIVITY) window.addEventListener(name, this.noticeActivity, { passive: true, capture: true });
    document.addEventListener("keydown", this.stepByKey);
    document.addEventListener("keydown", this.findByKey);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const name of ACTIVITY) window.removeEventListener(name, this.noticeActivity, { capture: true });
    document.removeEventListener("keydown", this.stepByKey);
    document.removeEventListener("keydown", this.findByKey);
  }

  /** Something came from the host. */
  receive(message: HostMessage | LocalMessage): void {
    // What was done before a question says nothing of whether anyone is there for it: the next input is told at once.
    if (message.type === "approval" && findCard(this.state, message.request.approvalId) === undefined)
      this.lastActivity = Number.NEGATIVE_INFINITY;
    if (message.type === "returned") this.keep(withReturned(this.draft, message.text));
    this.state = reduce(this.state, message);
    if (needsLater(this.state)) loadLater();
  }

  /** What comes in a burst is drawn at once, with the next frame; where no frames come, a little later. */
  protected override async scheduleUpdate(): Promise<void> {
    if (this.hasUpdated) await nextFrame();
    super.scheduleUpdate();
  }

  private readonly actions: Actions = {
    send: (text, replaces) => this.send(text, replaces),
    retry: (messageId) => this.retry(messageId),
    discard: (messageId) => this.receive({ type: "localDiscard", messageId }),
    retryRun: () => this.retryRun(),
    stop: () => {
      this.receive({ type: "localStop" });
      this.host.post({ type: "stop" });
    },
    answer: (card, optionId, extras) => this.answer(card, optionId, extras),
    seen: (approvalId, argsDigest, revision) => this.receive({ type: "localSeen", approvalId, argsDigest, revision }),
    edit: (approvalId, editing) => this.receive({ type: "localEdit", approvalId, editing }),
    leaveOut: (approvalIds, out) => this.receive({ type: "localLeaveOut", approvalIds, out }),
    answerAll: (cards, decision) => this.answerAll(cards, decision),
    askAgain: (item) => this.askAgain(item),
    openPermits: (open) => this.openPermits(open),
    removeGrant: (grantId) => {
      this.receive({ type: "localRemove", grantId });
      this.host.post({ type: "grantRevoke", grantId });
    },
    undoRemoval: (grantId) => this.host.post({ type: "grantUndo", grantId }),
    hideRemoval: (grantId) => this.receive({ type: "localRemovedSeen", grantId }),
    refreshGrants: () => this.host.post({ type: "grantsList" }),
    openShells: (open) => {
      this.receive({ type: "localShells", open });
      if (open) this.host.post({ type: "shellsList" });
    },
    refreshShells: () => this.host.post({ type: "shellsList" }),
    killShell: (shellId) => this.askOfShell(shellId, { type: "shellKill", shellId }),
    toBackground: (toolCallId) => this.askOfShell(toolCallId, { type: "shellBackground", toolCallId }),
    openShellOutput: (shellId) => this.host.post({ type: "openShellOutput", shellId }),
    showDetails: (approvalId) => {
      this.receive({ type: "localDetails", approvalId });
      this.host.post({ type: "details", approvalId });
    },
    reveal: (approvalId) => this.host.post({ type: "reveal", approvalId }),
    setMode: (mode, applyNow) => {
      this.receive({ type: "localMode", mode, applyNow });
      this.host.post({ type: "setMode", mode, applyNow, sessionId: this.state.session?.sessionId });
    },
    chooseForAgent: (settingId, value, confirmed) => {
      const sessionId = this.state.session?.sessionId;
      this.host.post({ type: "setAgentOption", settingId, value, confirmed, sessionId });
    },
    newChat: (agent) => this.host.post({ type: "newChat", ...(agent === undefined ? {} : { agent }) }),
    closeChat: (sessionId) => this.host.post({ type: "closeChat", sessionId }),
    showChat: (sessionId) => this.host.post({ type: "showChat", sessionId }),
    openLink: (url) => {
      if (isWebLink(url)) this.host.post({ type: "openLink", url });
    },
    openFile: (path, line) => this.host.post({ type: "openFile", path, ...(line === undefined ? {} : { line }) }),
    showMedia: (toolCallId) => {
      const sessionId = this.state.session?.sessionId;
      if (sessionId !== undefined) this.host.post({ type: "showMedia", sessionId, toolCallId });
    },
    openResult: (toolCallId) => {
      const sessionId = this.state.session?.sessionId;
      if (sessionId !== undefined) this.host.post({ type: "openResult", sessionId, toolCallId });
    },
    pickConsent: (entryId, picked) => this.receive({ type: "localConsentPick", entryId, picked }),
    answerConsent: (honour) => this.answerConsent(honour),
    hideConsent: (consentId) => this.host.post({ type: "consentHide", consentId }),
    hideConsentFault: () => this.receive({ type: "localConsentFaultSeen" }),
    host: (action) => this.host.post({ type: "hostAction", action }),
    remedy: (remedy) => this.remedy(remedy),
    fillComposer: (text) => void this.composer?.fill(text),
  };

  private send(text: string, replaces = false): void {
    const messageId = this.host.randomId();
    this.receive({ type: "localSend", messageId, text, replaces });
    const busy = replaces ? ({ whenBusy: "replace" } as const) : {};
    this.host.post({ type: "send", messageId, text, ...busy, sessionId: this.state.session?.sessionId });
  }

  /** The button goes with the press: the focus stays with the chat. */
  private retryRun(): void {
    if (retryable(this.state) === undefined || this.state.connection.state !== "ready") return;
    this.thread?.focus();
    this.receive({ type: "localRetry" });
    this.host.post({ type: "retryRun", sessionId: this.state.session?.sessionId });
  }

  private retry(messageId: string): void {
    const message = this.state.outgoing.find((one) => one.messageId === messageId);
    if (message === undefined) return;
    this.receive({ type: "localDiscard", messageId });
    this.send(message.text);
  }

  /** Sends an answer once: the state knows of it before another click can come, and of a change before it is drawn. */
  private answer(shown: Card, optionId: string, extras: AnswerExtras): void {
    const { approvalId, argsDigest } = shown.request;
    const now = findCard(this.state, approvalId)?.card;
    if (now?.phase !== "open" || now.revision !== shown.revision || this.state.connection.state !== "ready") return;
    this.receive({ type: "localAnswer", approvalId, optionId });
    this.host.post({ type: "answer", approvalId, argsDigest, optionId, ...extras });
  }

  /** Exactly these, in exactly the state in which they were shown. */
  private answerAll(cards: readonly Card[], decision: BatchDecision): void {
    const now = new Set(answeredTogether(drawnCards(this.state), decision));
    const meant = cards.filter((card) => now.has(card));
    if (meant.length === 0 || this.state.connection.state !== "ready") return;
    const items = meant.map(({ request: { approvalId, argsDigest } }) => ({ approvalId, argsDigest }));
    this.receive({ type: "localBatch", approvalIds: items.map((item) => item.approvalId), decision });
    this.host.post({ type: "batch", items, decision });
  }

  private askAgain(item: ToolItem): void {
    if (item.askedAgain || this.state.connection.state !== "ready") return;
    this.receive({ type: "localAskAgain", itemId: item.id });
    this.send(askAgainWords(item));
  }

  private remedy(remedy: Remedy): void {
    if (remedy === "chooseModel") this.host.post({ type: "chooseModel" });
    else if (this.state.session) this.host.post({ type: "setKey", agent: this.state.session.agentName });
  }

  /** Asks it once, until there is an answer. */
  private askOfShell(id: string, message: PageMessage): void {
    if (this.state.shellsAsked.includes(id) || this.state.connection.state !== "ready") return;
    this.receive({ type: "localShellAsked", id });
    this.host.post(message);
  }

  private openPermits(open: boolean): void {
    this.receive({ type: "localPermits", open });
    if (open) this.host.post({ type: "grantsList" });
  }

  private answerConsent(honour: string[]): void {
    const { consent, connection } = this.state;
    if (consent?.phase !== "open" || connection.state !== "ready") return;
    this.receive({ type: "localConsentAnswer" });
    const { consentId, digest } = consent.request;
    this.host.post({ type: "consentAnswer", consentId, digest, honour });
  }

  /** What a program does on the page is no activity of a person. */
  private readonly noticeActivity = (event: Event) => {
    if (!event.isTrusted || (event.type === "focus" && event.target !== window)) return;
    const now = performance.now();
    if (now - this.lastActivity < ACTIVITY_EVERY_MS) return;
    this.lastActivity = now;
    this.host.post({ type: "activity" });
  };

  private get thread(): Thread | null {
    return this.renderRoot.querySelector<Thread>("assent-thread");
  }

  private get composer(): Composer | null {
    return this.renderRoot.querySelector<Composer>("assent-composer");
  }

  private readonly keepDraft = (event: CustomEvent<string>) => this.keep(event.detail);

  private keep(draft: string): void {
    this.draft = draft;
    this.host.save({ draft });
  }

  /** Alt with an arrow leads through what waits, wherever the focus is, but where these keys have a meaning already. */
  private readonly stepByKey = (event: KeyboardEvent) => {
    const direction = ({ ArrowDown: 1, ArrowUp: -1 } as const)[event.key as "ArrowDown"];
    const line = this.renderRoot.querySelector<StatusLine>("assent-status-line");
    if (!direction || !isAltAlone(event) || event.defaultPrevented || !line || line.waiting.length === 0) return;
    const [target] = event.composedPath();
    if (target instanceof Element && target.matches(keepsAltArrows())) return;
    event.preventDefault();
    line.step(direction);
  };

  /** The browser itself finds only what is drawn. */
  private readonly findByKey = (event: KeyboardEvent) => {
    if (event.key !== "f" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    event.preventDefault();
    loadLater();
    this.finding = true;
    this.renderRoot.querySelector("assent-find")?.shadowRoot?.querySelector("input")?.select();
  };

  private readonly endFinding = () => {
    this.finding = false;
    this.thread?.focus();
  };

  private readonly reveal = (event: CustomEvent<string>) => {
    this.thread?.reveal(event.detail);
  };

  protected override render() {
    const { state } = this;
    const waiting = openCards(state);
    // The bar that answers several at once is in there.
    if (waiting.length > 1) loadLater();
    const connected = state.connection.state === "ready";
    return html`<main>
      <h1 class="sr-only">Assent</h1>
      <assent-header .state=${state} .actions=${this.actions}></assent-header>
      <assent-removed .removed=${state.removed} .connected=${connected} .actions=${this.actions}></assent-removed>
      <assent-permits .state=${state} .actions=${this.actions}></assent-permits>
      <assent-shells .state=${state} .actions=${this.actions}></assent-shells>
      <assent-consent
        .panel=${state.consent}
        .fault=${state.consentFault}
        .actions=${this.actions}
        .connected=${connected}
        .canOpenFiles=${state.host === "editor"}
      ></assent-consent>
      <assent-find
        .open=${this.finding}
        .items=${state.items}
        @close=${this.endFinding}
        @place=${(event: CustomEvent<FoundPlace>) => this.thread?.lookAt(event.detail)}
      ></assent-find>
      <assent-thread
        tabindex="0"
        role="region"
        aria-label="Conversation"
        .state=${state}
        .actions=${this.actions}
      ></assent-thread>
      <assent-status-line
        .running=${state.running}
        .stopping=${state.stopping}
        .cost=${state.cost}
        .waiting=${waiting}
        .connected=${connected}
        .actions=${this.actions}
        @reveal=${this.reveal}
      ></assent-status-line>
      <assent-composer
        .session=${state.session}
        .canStop=${canStop(state)}
        .running=${state.running}
        .stopping=${state.stopping}
        .canSend=${connected}
        .modeFromNextMessage=${state.modeFromNextMessage}
        .guest=${state.guest}
        .draft=${this.draft}
        .actions=${this.actions}
        @draft=${this.keepDraft}
      ></assent-composer>
      <div class="sr-only" role="status" aria-live="polite">${state.announcement}</div>
    </main>`;
  }
}

/** Whether something is there that the part of the page draws which is loaded later. */
function needsLater({ chats, agents, host, items, removed, ...state }: PageState): boolean {
  const listsChats = chats.length > 1 || agents.length > 1 || host === "browser";
  const { consent, consentFault, guest, permitsOpen, shellsOpen } = state;
  if (consent || consentFault || guest || permitsOpen || shellsOpen || listsChats || removed.length > 0) return true;
  return items.some((item) => item.kind === "plan" || (item.kind === "tool" && item.result?.made));
}

/** Alt with an arrow opens a list of choices. In a text it moves the caret on a Mac, and does nothing elsewhere. */
function keepsAltArrows(): string {
  return navigator.userAgent.includes("Mac OS") ? "select, input, textarea" : "select";
}

function isAltAlone(event: KeyboardEvent): boolean {
  return event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.isComposing;
}

const LATEST_MS = 100;

function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, LATEST_MS);
    requestAnimationFrame(() => {
      clearTimeout(late);
      resolve();
    });
  });
}

customElements.define("assent-app", App);
