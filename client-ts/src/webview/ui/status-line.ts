import { css, html, LitElement, nothing } from "lit";
import { shared } from "./theme.js";

/** Between chat and composer: what is going on, and the way to the questions that wait. */
export class StatusLine extends LitElement {
  static override properties = { running: {}, stopping: {}, waiting: { attribute: false }, revealed: { state: true } };
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
  /** The ids of the questions that wait, in their order. */
  declare waiting: readonly string[];
  declare revealed: string | undefined;

  protected override render() {
    const { waiting } = this;
    if (waiting.length > 0) {
      return html`<div class="line waits">
        <span class="text"
          ><span class="bell" aria-hidden="true">●</span> Awaiting your approval${waiting.length > 1 ? html` · ${waiting.length} waiting` : nothing}</span
        >
        <span class="steps">
          ${
            waiting.length > 1
              ? html`<button aria-label="Previous waiting call" @click=${() => this.step(-1)}>‹</button
                  ><button aria-label="Next waiting call" @click=${() => this.step(1)}>›</button>`
              : html`<button @click=${() => this.step(1)}>Show</button>`
          }
        </span>
      </div>`;
    }
    if (this.stopping) return html`<div class="line"><span class="text dots">Stopping</span></div>`;
    return this.running ? html`<div class="line"><span class="text dots">Working</span></div>` : nothing;
  }

  private step(direction: 1 | -1): void {
    const { waiting } = this;
    const at = this.revealed === undefined ? -1 : waiting.indexOf(this.revealed);
    const start = at < 0 && direction < 0 ? 0 : at;
    const next = waiting[(start + direction + waiting.length) % waiting.length];
    if (next === undefined) return;
    this.revealed = next;
    this.dispatchEvent(new CustomEvent<string>("reveal", { detail: next }));
  }
}

customElements.define("assent-status-line", StatusLine);
