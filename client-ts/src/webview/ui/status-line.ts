import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import type { Actions } from "../actions.js";
import { costInFull, costWords } from "../cost-words.js";
import { type Card, type Cost, MOST_CARDS } from "../state.js";
import { shared } from "./theme.js";

/** Between chat and composer: what is going on, and the way to the questions that wait. */
export class StatusLine extends LitElement {
  static override properties = {
    running: {},
    stopping: {},
    cost: { attribute: false },
    waiting: { attribute: false },
    connected: {},
    actions: { attribute: false },
    revealed: { state: true },
  };
  static override styles = [
    shared,
    css`
      .line {
        display: flex;
        gap: 4px 8px;
        align-items: center;
        padding: 4px 10px;
        color: var(--muted);
      }
      .line.waits {
        border-top: 1px solid var(--line);
        color: var(--fg);
      }
      .text {
        flex: 1 1 0;
      }
      .bell {
        color: var(--warn);
      }
      .going {
        flex: 1 0 auto;
      }
      .cost {
        min-width: 0;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
        font-size: 0.92em;
      }
      .dots::after {
        content: "…";
        animation: blink 1.4s steps(2) infinite;
      }
      @keyframes blink {
        50% {
          opacity: 0.3;
        }
      }
      .steps {
        display: flex;
        gap: 4px;
      }
      .steps button {
        padding: 1px 8px;
      }
    `,
  ];
  declare running: boolean;
  declare stopping: boolean;
  declare cost: Cost | undefined;
  /** The questions that wait, in their order. */
  declare waiting: readonly Card[];
  declare connected: boolean;
  declare actions: Actions;
  declare revealed: string | undefined;

  protected override render() {
    if (this.waiting.length > 0) return this.renderWaiting();
    const { cost, running, stopping } = this;
    if (!running && !stopping && cost === undefined) return nothing;
    const going = stopping ? "Stopping" : "Working";
    return html`<div class="line">
      ${running || stopping ? html`<span class="going dots">${going}</span>` : nothing}
      ${cost === undefined ? nothing : html`<span class="cost" title=${costInFull(cost)}>${costWords(cost)}</span>`}
    </div>`;
  }

  private renderWaiting(): TemplateResult {
    const several = this.waiting.length > 1;
    return html`<div class="line waits">
        <span class="text"
          ><span class="bell" aria-hidden="true">●</span> Awaiting your approval${several ? html` · ${this.countWords()}` : nothing}</span
        >
        <span class="steps">
          ${
            several
              ? html`<button aria-label="Previous waiting call" aria-keyshortcuts="Alt+ArrowUp" title="Alt+↑" @click=${() => this.step(-1)}>‹</button
                  ><button aria-label="Next waiting call" aria-keyshortcuts="Alt+ArrowDown" title="Alt+↓" @click=${() => this.step(1)}>›</button>`
              : html`<button @click=${() => this.step(1)}>Show</button>`
          }
        </span>
      </div>
      ${
        several
          ? html`<assent-batch-bar .cards=${this.drawn} .connected=${this.connected} .actions=${this.actions}></assent-batch-bar>`
          : nothing
      }`;
  }

  private get drawn(): readonly Card[] {
    return this.waiting.slice(0, MOST_CARDS);
  }

  private countWords(): string {
    const { waiting, drawn } = this;
    const at = waiting.findIndex((card) => card.request.approvalId === this.revealed);
    const place = at < 0 ? "" : `${at + 1} of `;
    return `${place}${waiting.length} waiting${drawn.length < waiting.length ? `, ${drawn.length} shown` : ""}`;
  }

  /** Leads to the next or the one before, among those that are drawn. */
  step(direction: 1 | -1): void {
    const ids = this.drawn.map((card) => card.request.approvalId);
    const at = this.revealed === undefined ? -1 : ids.indexOf(this.revealed);
    const start = at < 0 && direction < 0 ? 0 : at;
    const next = ids[(start + direction + ids.length) % ids.length];
    if (next === undefined) return;
    this.revealed = next;
    this.dispatchEvent(new CustomEvent<string>("reveal", { detail: next }));
  }
}

customElements.define("assent-status-line", StatusLine);
