import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { visibleText } from "../../common/visible-text.js";
import type { SessionInfo } from "../../protocol/generated.js";
import type { Actions } from "../actions.js";
import { closesAtOnce, closingWords, titleOf, waitsWords } from "../chat-words.js";
import { openCards, type PageState } from "../state.js";
import "./agent-menu.js";
import { shared } from "./theme.js";
import { visibleLine } from "./visible.js";

/** The chats beside each other: which one is shown, which one waits for the user, and the ways to a new one. */
export class ChatTabs extends LitElement {
  static override properties = {
    state: { attribute: false },
    actions: { attribute: false },
    closing: { state: true },
  };
  static override styles = [
    shared,
    css`
      .bar {
        flex-wrap: nowrap;
        border-bottom: 1px solid var(--line);
      }
      ul {
        display: flex;
        flex: 1 1 0;
        gap: 4px;
        min-width: 0;
        overflow-x: auto;
        scroll-padding: 2px;
        scrollbar-width: thin;
        margin: 0;
        padding: 2px;
        list-style: none;
      }
      li {
        display: flex;
        flex: 0 1 auto;
        align-items: stretch;
        min-width: min(100%, 9.5em);
        max-width: 16em;
        border: 1px solid var(--line);
        border-radius: 4px;
      }
      li.shown {
        border-color: var(--focus);
        background: var(--raised);
      }
      li.waits {
        border-color: var(--warn);
      }
      li button {
        border-color: transparent;
        background: none;
        color: inherit;
      }
      .name {
        display: flex;
        flex: 1 1 0;
        gap: 4px;
        min-width: 0;
        padding: 2px 6px;
      }
      .title {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      .shown .title {
        font-weight: 600;
      }
      .mark {
        color: var(--warn);
      }
      .count {
        flex: none;
      }
      .runs {
        flex: none;
        color: var(--muted);
      }
      .close {
        flex: none;
        padding: 0 8px;
      }
      .question {
        max-height: 30vh;
        overflow-y: auto;
        border-bottom: 1px solid var(--warn);
        padding: 8px 10px;
        background: var(--warn-bg);
        color: var(--warn-fg);
      }
      .question p {
        margin: 0 0 6px;
      }
      .question div {
        display: flex;
        flex-wrap: wrap;
        gap: 6px;
      }
    `,
  ];
  declare state: PageState;
  declare actions: Actions;
  /** The chat that the user is asked about before it is closed. */
  declare closing: string | undefined;
  /** The chats as they are: what waits in the shown one is known here before anybody lists them anew. */
  private chats: readonly SessionInfo[] = [];
  private placeBefore = "";
  private readonly sizes = new ResizeObserver(() => this.keepInSight());

  protected override willUpdate(): void {
    const { chats, session } = this.state;
    const waiting = openCards(this.state).length;
    this.chats = chats.map((chat) => (chat.sessionId === session?.sessionId ? { ...chat, waiting } : chat));
    if (this.closing !== undefined && this.chat(this.closing) === undefined) this.closing = undefined;
  }

  protected override updated(_changed: PropertyValues<this>): void {
    const bar = this.renderRoot.querySelector("ul");
    if (bar) this.sizes.observe(bar);
    this.keepInSight();
  }

  /** The shown one, wherever it goes: its words and marks change, its neighbours, and the room for all of them. */
  private keepInSight(): void {
    const shown = this.renderRoot.querySelector<HTMLElement>(".shown");
    const room = shown?.parentElement?.clientWidth;
    const place = `${this.state.session?.sessionId} ${shown?.offsetLeft} ${shown?.offsetWidth} ${room}`;
    if (place === this.placeBefore) return;
    this.placeBefore = place;
    shown?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  protected override render() {
    const { chats } = this;
    const { session, agents, host } = this.state;
    if (session === undefined || (chats.length < 2 && agents.length < 2 && host === "editor")) return nothing;
    return html`<nav class="bar" aria-label="Chats">
        <ul @keydown=${this.onKey}>
          ${repeat(
            chats,
            (chat) => chat.sessionId,
            (chat) => this.renderTab(chat, chat.sessionId === session.sessionId),
          )}
        </ul>
        <assent-agent-menu .agents=${agents} .actions=${this.actions}></assent-agent-menu>
      </nav>
      ${this.renderQuestion()}`;
  }

  private renderTab(chat: SessionInfo, isShown: boolean): TemplateResult {
    const { sessionId, agentName, waiting, running } = chat;
    const name = titleOf(chat, this.chats);
    const title = visibleText(name);
    const waits = waitsWords(chat);
    return html`<li class="${isShown ? "shown" : ""} ${waiting > 0 ? "waits" : ""}" data-session-id=${sessionId}>
      <button
        class="name"
        aria-current=${isShown ? "true" : nothing}
        aria-keyshortcuts="Delete"
        title="${title} · ${visibleText(agentName)}${waits && ` · ${waits}`}"
        @click=${() => this.show(sessionId)}
        @auxclick=${(event: MouseEvent) => event.button === 1 && this.close(chat)}
      >
        ${waiting > 0 ? html`<span class="count" aria-hidden="true"><span class="mark">●</span> ${waiting}</span>` : nothing}
        ${waiting === 0 && running ? html`<span class="runs" aria-hidden="true">◑</span>` : nothing}
        <span class="title">${visibleLine(name)}</span>
        ${waits || running ? html`<span class="sr-only">, ${waits || "works"}</span>` : nothing}
      </button>
      ${
        this.mayClose(chat)
          ? html`<button class="close" aria-label="Close the chat: ${title}" title="Close" @click=${() => this.close(chat)}>×</button>`
          : nothing
      }
    </li>`;
  }

  private renderQuestion(): TemplateResult | typeof nothing {
    const chat = this.closing === undefined ? undefined : this.chat(this.closing);
    if (chat === undefined) return nothing;
    return html`<div class="question" role="group" aria-label="Close the chat?" @keydown=${this.onQuestionKey}>
      <p><strong>Close “${visibleLine(titleOf(chat, this.chats))}”?</strong> ${closingWords(chat)}</p>
      <div>
        <button class="keep" @click=${() => this.answer(undefined)}>Keep it</button>
        <button ?disabled=${!this.canClose} @click=${() => this.answer(chat.sessionId)}>Close the chat</button>
      </div>
    </div>`;
  }

  private get canClose(): boolean {
    return this.state.connection.state === "ready";
  }

  private chat(sessionId: string): SessionInfo | undefined {
    return this.chats.find((chat) => chat.sessionId === sessionId);
  }

  /** The only chat, while nothing is in it, is as good as the one that would take its place. */
  private mayClose(chat: SessionInfo): boolean {
    return this.canClose && (this.chats.length > 1 || !closesAtOnce(chat));
  }

  private show(sessionId: string): void {
    if (sessionId !== this.state.session?.sessionId) this.actions.showChat(sessionId);
  }

  private async close(chat: SessionInfo): Promise<void> {
    if (!this.mayClose(chat)) return;
    if (closesAtOnce(chat)) return this.answer(chat.sessionId);
    this.closing = chat.sessionId;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(".keep")?.focus();
  }

  /** The buttons go away with the answer: the focus goes to the chat that is shown. */
  private answer(sessionId: string | undefined): void {
    this.closing = undefined;
    this.renderRoot.querySelector<HTMLElement>(".shown .name")?.focus();
    if (sessionId !== undefined) this.actions.closeChat(sessionId);
  }

  private readonly onQuestionKey = (event: KeyboardEvent) => {
    if (event.key === "Escape") this.answer(undefined);
  };

  private readonly onKey = (event: KeyboardEvent) => {
    const names = [...this.renderRoot.querySelectorAll<HTMLElement>(".name")];
    const at = names.findIndex((name) => name.matches(":focus"));
    if (at < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    const chat = this.chats[at];
    const [forth, back] = getComputedStyle(this).direction === "rtl" ? [-1, 1] : [1, -1];
    const steps = { ArrowRight: at + forth, ArrowLeft: at + back, Home: 0, End: names.length - 1 };
    const next = steps[event.key as keyof typeof steps];
    if (event.key === "Delete" && chat !== undefined && !event.repeat) void this.close(chat);
    else if (next !== undefined) names.at(next % names.length)?.focus();
    else return;
    event.preventDefault();
  };
}

customElements.define("assent-chat-tabs", ChatTabs);
