import { css, html, LitElement } from "lit";
import type { HostMessage } from "../../common/page-messages.js";
import type { Actions } from "../actions.js";
import type { PageHost } from "../host.js";
import { isWebLink } from "../links.js";
import { initialState, openCards, type PageState } from "../state.js";
import { type LocalMessage, reduce } from "../store.js";
import "./composer.js";
import type { Composer } from "./composer.js";
import "./consent-panel.js";
import "./header.js";
import "./status-line.js";
import { shared, theme } from "./theme.js";
import "./thread.js";
import type { Thread } from "./thread.js";

const ACTIVITY_EVERY_MS = 10_000;

/** The page: holds the state, draws it, and turns what the user does into messages. */
export class App extends LitElement {
  static override properties = { state: { state: true }, draft: { state: true } };
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
  private lastActivity = Number.NEGATIVE_INFINITY;

  constructor(private readonly host: PageHost) {
    super();
    this.state = initialState;
    this.draft = host.load().draft;
    for (const event of ["pointerdown", "keydown"])
      this.addEventListener(event, this.noticeActivity, { passive: true });
  }

  /** Something came from the host. */
  receive(message: HostMessage | LocalMessage): void {
    this.state = reduce(this.state, message);
  }

  private readonly actions: Actions = {
    send: (text) => this.send(text),
    retry: (messageId) => this.retry(messageId),
    discard: (messageId) => this.receive({ type: "localDiscard", messageId }),
    stop: () => {
      this.receive({ type: "localStop" });
      this.host.post({ type: "stop" });
    },
    answer: (approvalId, optionId, feedback) => this.answer(approvalId, optionId, feedback),
    showDetails: (approvalId) => {
      this.receive({ type: "localDetails", approvalId });
      this.host.post({ type: "details", approvalId });
    },
    setMode: (mode, applyNow) => {
      this.receive({ type: "localMode", mode, applyNow });
      this.host.post({ type: "setMode", mode, applyNow });
    },
    newChat: () => this.host.post({ type: "newChat" }),
    showChat: (sessionId) => this.host.post({ type: "showChat", sessionId }),
    openLink: (url) => {
      if (isWebLink(url)) this.host.post({ type: "openLink", url });
    },
    openFile: (path, line) => this.host.post({ type: "openFile", path, ...(line === undefined ? {} : { line }) }),
    pickConsent: (entryId, picked) => this.receive({ type: "localConsentPick", entryId, picked }),
    answerConsent: (honour) => this.answerConsent(honour),
    hideConsent: (consentId) => this.host.post({ type: "consentHide", consentId }),
    hideConsentFault: () => this.receive({ type: "localConsentFaultSeen" }),
    host: (action) => this.host.post({ type: "hostAction", action }),
    fillComposer: (text) => void this.composer?.fill(text),
  };

  private send(text: string): void {
    const messageId = this.host.randomId();
    this.receive({ type: "localSend", messageId, text });
    this.host.post({ type: "send", messageId, text });
  }

  private retry(messageId: string): void {
    const message = this.state.outgoing.find((one) => one.messageId === messageId);
    if (message === undefined) return;
    this.receive({ type: "localDiscard", messageId });
    this.send(message.text);
  }

  /** Sends an answer once: the state knows of it before another click can come. */
  private answer(approvalId: string, optionId: string, feedback: string): void {
    const before = openCards(this.state).find((card) => card.request.approvalId === approvalId);
    if (before?.phase !== "open" || this.state.connection.state !== "ready") return;
    this.receive({ type: "localAnswer", approvalId, optionId });
    const { argsDigest } = before.request;
    this.host.post({ type: "answer", approvalId, argsDigest, optionId, ...(feedback === "" ? {} : { feedback }) });
  }

  private answerConsent(honour: string[]): void {
    const { consent, connection } = this.state;
    if (consent?.phase !== "open" || connection.state !== "ready") return;
    this.receive({ type: "localConsentAnswer" });
    const { consentId, digest } = consent.request;
    this.host.post({ type: "consentAnswer", consentId, digest, honour });
  }

  private readonly noticeActivity = () => {
    const now = performance.now();
    if (now - this.lastActivity < ACTIVITY_EVERY_MS) return;
    this.lastActivity = now;
    this.host.post({ type: "activity" });
  };

  private get composer(): Composer | null {
    return this.renderRoot.querySelector<Composer>("assent-composer");
  }

  private readonly keepDraft = (event: CustomEvent<string>) => {
    this.draft = event.detail;
    this.host.save({ draft: event.detail });
  };

  private readonly reveal = (event: CustomEvent<string>) => {
    this.renderRoot.querySelector<Thread>("assent-thread")?.reveal(event.detail);
  };

  protected override render() {
    const { state } = this;
    const waiting = openCards(state).map((card) => card.request.approvalId);
    return html`<main>
      <h1 class="sr-only">Assent</h1>
      <assent-header .state=${state} .actions=${this.actions}></assent-header>
      <assent-consent
        .panel=${state.consent}
        .fault=${state.consentFault}
        .actions=${this.actions}
        .connected=${state.connection.state === "ready"}
        .canOpenFiles=${state.host === "editor"}
      ></assent-consent>
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
        .waiting=${waiting}
        @reveal=${this.reveal}
      ></assent-status-line>
      <assent-composer
        .session=${state.session}
        .running=${state.running}
        .stopping=${state.stopping}
        .canSend=${state.connection.state === "ready"}
        .modeFromNextMessage=${state.modeFromNextMessage}
        .draft=${this.draft}
        .actions=${this.actions}
        @draft=${this.keepDraft}
      ></assent-composer>
      <div class="sr-only" role="status" aria-live="polite">${state.announcement}</div>
    </main>`;
  }
}

customElements.define("assent-app", App);
