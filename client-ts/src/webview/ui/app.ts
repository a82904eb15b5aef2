import { css, html, LitElement } from "lit";
import type { HostMessage } from "../../common/page-messages.js";
import { isLookedAt, toChips } from "../attaching.js";
import { letDrop, takeDropped, takePasted } from "../handed-over.js";
import type { PageHost } from "../host.js";
import { laterArrived, loadLater } from "../later-loader.js";
import { once } from "../once.js";
import { pageActions } from "../page-actions.js";
import { canStop, hasRareRows, type Item, initialState, openCards, type PageState, withReturned } from "../state.js";
import { type LocalMessage, reduce } from "../store.js";
import { saidInsteadOf } from "../store-changing.js";
import { findCard } from "../store-helpers.js";
import { lookNow } from "./arming.js";
import { CardKeys } from "./card-keys.js";
import "./composer.js";
import type { Composer } from "./composer.js";
import "./copy-button.js";
import type { CopyRequest } from "./copy-button.js";
import "./header.js";
import "./status-line.js";
import type { StatusLine } from "./status-line.js";
import { shared, theme } from "./theme.js";
import "./thread.js";
import type { Thread } from "./thread.js";

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
        /* Only where all of it is too much for the window: then nothing is out of reach. */
        overflow: clip auto;
      }
      /* What stands above the chat becomes smaller before anything below it is pushed out of sight. */
      :is(assent-permits, assent-shells, assent-consent, assent-forms) {
        display: flex;
        flex-direction: column;
        min-height: 0;
      }
      :is(assent-permits, assent-shells, assent-consent, assent-forms)[open] {
        min-height: 96px;
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
  /** What was given to the clipboard, until the host says whether it is there. */
  private readonly copies = new Map<string, CopyRequest["done"]>();
  private lastActivity = Number.NEGATIVE_INFINITY;

  constructor(private readonly host: PageHost) {
    super();
    const { draft, files } = host.load();
    this.state = { ...initialState, attached: toChips(files) };
    this.draft = draft;
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
    if (message.type === "named") this.nameFiles(message.paths);
    if (message.type === "copied") this.copied(message.id, message.ok);
    if (message.type === "press") this.keys.press(message);
    if (message.type === "goToCard") void this.goToCard();
    if (message.type === "returned") this.takeBack(message.messageId, message.text);
    const { attached, changing } = this.state;
    this.state = reduce(this.state, message);
    // Another chat came up meanwhile: both texts stay.
    if (changing?.draft && !this.state.changing && message.type !== "localKeepMessage")
      this.keep(withReturned(changing.draft, this.draft));
    if (attached !== this.state.attached) this.save();
    if (message.type === "chat" || message.type === "returned") this.lookAtFiles();
  }

  /** The user has chosen them for the message that comes next, so the keyboard goes to where it is written. */
  private nameFiles(paths: readonly string[]): void {
    this.actions.attachAll(paths);
    this.composer?.focus();
  }

  /** What was said instead of an earlier message goes on being that; what was begun meanwhile comes back after it. */
  private takeBack(messageId: string, text: string): void {
    const runId = saidInsteadOf(this.state, messageId);
    if (runId !== undefined) {
      const { attached } = this.state;
      this.receive({ type: "localChange", changing: { runId, draft: this.draft, attached }, files: [] });
    }
    this.keep(runId === undefined ? withReturned(this.draft, text) : text);
  }

  /** What comes in a burst is drawn at once, with the next frame; where no frames come, a little later. */
  protected override async scheduleUpdate(): Promise<void> {
    if (this.hasUpdated) await nextFrame();
    if (needsLater(this.state)) loadLater();
    // A chat that comes back with its texts is drawn once, with them.
    if (this.state.items.some(({ kind }) => kind === "text")) await laterArrived();
    super.scheduleUpdate();
  }

  private readonly actions = pageActions({
    host: this.host,
    now: () => this.state,
    receive: (message) => this.receive(message),
    focusChat: () => this.thread?.focus(),
    fillComposer: (text) => void this.composer?.fill(text),
    find: () => this.find(),
    beginMention: () => this.composer?.mention(),
    draft: () => this.draft,
  });

  /** What a program does on the page is no activity of a person. */
  private readonly noticeActivity = (event: Event) => {
    if (!event.isTrusted || (event.type === "focus" && event.target !== window)) return;
    const now = performance.now();
    if (now - this.lastActivity < ACTIVITY_EVERY_MS) return;
    this.lastActivity = now;
    this.host.post({ type: "activity" });
  };

  private readonly keys = new CardKeys({
    cards: () => this.thread?.drawnCards() ?? [],
    tell: (inView, hasKeyboard) => this.host.post({ type: "cardInView", hasKeyboard, ...inView }),
    say: (text) => this.receive({ type: "localSay", text }),
  });

  protected override updated(): void {
    this.keys.watchWhile(this.state.answersKeys && openCards(this.state).length > 0);
  }

  /** The keyboard goes to the first card that waits, once it is drawn. */
  private async goToCard(): Promise<void> {
    await this.updateComplete;
    const [first] = openCards(this.state);
    if (first) await this.thread?.reveal(first.request.approvalId);
  }

  private get thread(): Thread | null {
    return this.renderRoot.querySelector<Thread>("assent-thread");
  }

  private get composer(): Composer | null {
    return this.renderRoot.querySelector<Composer>("assent-composer");
  }

  private readonly copy = ({ detail: { text, done } }: CustomEvent<CopyRequest>) => {
    const id = this.host.randomId();
    this.copies.set(id, done);
    this.host.post({ type: "copy", id, text });
  };

  private copied(id: string, ok: boolean): void {
    this.copies.get(id)?.(ok);
    this.copies.delete(id);
  }

  private readonly keepDraft = (event: CustomEvent<string>) => this.keep(event.detail);

  private readonly takeDropped = (event: DragEvent) => {
    takeDropped(event, this.actions);
  };

  private readonly takePasted = (event: ClipboardEvent) => {
    takePasted(event, this.actions);
  };

  private keep(draft: string): void {
    this.draft = draft;
    if (draft.includes("@") || draft.startsWith("/")) loadLater();
    this.save();
  }

  private save(): void {
    // What stood there before an earlier message was taken up is not lost with the page.
    const { changing } = this.state;
    const draft = changing?.draft ? withReturned(changing.draft, this.draft) : this.draft;
    const files = new Set([...(changing?.attached ?? []), ...this.state.attached].map(({ path }) => path));
    this.host.save({ draft, files: [...files] });
  }

  /** What was named before, and nobody has looked at since. */
  private lookAtFiles(): void {
    for (const { path } of this.state.attached.filter(isLookedAt)) this.host.post({ type: "attach", path });
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
    this.find();
  };

  private find(): void {
    loadLater();
    this.finding = true;
    this.renderRoot.querySelector("assent-find")?.shadowRoot?.querySelector("input")?.select();
  }

  private readonly endFinding = () => {
    this.finding = false;
    this.thread?.focus();
  };

  private readonly lookAt = (row: Item) => this.thread?.lookAt(row);

  private readonly reveal = (event: CustomEvent<string>) => {
    void this.thread?.reveal(event.detail);
  };

  protected override render() {
    const { state } = this;
    const waiting = openCards(state);
    // The bar that answers several at once is in there.
    if (waiting.length > 1) loadLater();
    const connected = state.connection.state === "ready";
    const forms = formsHere(state);
    return html`<main @copytext=${this.copy} @scroll=${lookNow}>
      <h1 class="sr-only">Assent</h1>
      <assent-header .state=${state} .actions=${this.actions}></assent-header>
      <assent-removed .removed=${state.removed} .connected=${connected} .actions=${this.actions}></assent-removed>
      <assent-permits ?open=${state.permitsOpen} .state=${state} .actions=${this.actions}></assent-permits>
      <assent-shells ?open=${state.shellsOpen} .state=${state} .actions=${this.actions}></assent-shells>
      <assent-consent
        ?open=${state.consent !== undefined}
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
        .lookAt=${this.lookAt}
      ></assent-find>
      <assent-thread
        tabindex="0"
        role="region"
        aria-label="Conversation"
        .state=${state}
        .actions=${this.actions}
      ></assent-thread>
      <assent-forms
        ?open=${forms.length > 0}
        .forms=${forms}
        .actions=${this.actions}
        .connected=${connected}
      ></assent-forms>
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
        .host=${state.host}
        .changing=${state.changing !== undefined}
        .draft=${this.draft}
        .attached=${state.attached}
        .found=${state.found}
        .actions=${this.actions}
        @draft=${this.keepDraft}
        @dragover=${letDrop}
        @drop=${this.takeDropped}
        @paste=${this.takePasted}
      ></assent-composer>
      <div class="sr-only" role="status" aria-live="polite">${state.announcement}</div>
    </main>`;
  }
}

/** Whether something is there that the part of the page draws which is loaded later. */
function needsLater(state: PageState): boolean {
  const { chats, agents, host, outgoing, attached, removed, consent, consentFault, guest, permitsOpen, shellsOpen } =
    state;
  if (formsHere(state).length > 0) return true;
  const listsChats = chats.length > 1 || agents.length > 1 || host === "browser";
  if (consent || consentFault || guest || permitsOpen || shellsOpen || listsChats || removed.length > 0) return true;
  // What draws the model's text is to be there before the text is.
  return outgoing.length + attached.length > 0 || hasRareRows(state);
}

/** The forms of the chat that is shown. */
const formsHere = once(({ forms, session }: PageState) =>
  forms.filter((one) => one.request.sessionId === session?.sessionId),
);

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
