import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Actions } from "../actions.js";
import { exactJson } from "../exact-json.js";
import { type Card, endedUnasked, type ToolItem } from "../state.js";
import { clockWords, momentWords } from "../time-words.js";
import { type Inside, waitingInside } from "../tree.js";
import { meaningOf, STATUS_SIGNS } from "../words.js";
import "./card.js";
import { closedPreview } from "./card.js";
import { drawn } from "./drawn.js";
import { fold, foldStyles } from "./inside.js";
import { json, previewStyles } from "./preview.js";
import { lookOf, shellPart, shellStyles, stateOf } from "./running.js";
import { shared } from "./theme.js";
import { visible, visibleLine } from "./visible.js";

/** One call: its state in a line, what belongs to it folded below, and its card while it waits. */
export class ToolRow extends LitElement {
  static override properties = {
    item: { attribute: false },
    inside: { attribute: false },
    later: { attribute: false },
    actions: { attribute: false },
    connected: { attribute: false },
    canOpenFiles: { attribute: false },
    asked: { attribute: false },
    isOpen: { state: true },
  };
  static override styles = [
    shared,
    previewStyles,
    css`
      .row {
        border: 1px solid var(--line);
        border-radius: 6px;
        padding: 6px 8px;
      }
      .row > * + * {
        margin-top: 6px;
      }
      .row.asks {
        border-color: transparent;
        padding: 0;
      }
      .row.asks > .head {
        padding: 0 2px;
      }
      .head {
        display: flex;
        flex-wrap: wrap;
        gap: 0 6px;
        align-items: baseline;
      }
      .sign {
        flex: none;
        width: 1.2em;
        font-weight: bold;
        text-align: center;
      }
      .done .sign {
        color: var(--good);
      }
      .failed .sign {
        color: var(--error);
      }
      .denied .sign,
      .unknown .sign,
      .awaiting_approval .sign {
        color: var(--warn);
      }
      .running .sign {
        animation: turn 1.2s linear infinite;
      }
      @keyframes turn {
        to {
          transform: rotate(360deg);
        }
      }
      .headline {
        flex: 1 1 8em;
        min-width: 0;
      }
      .asks .headline {
        flex-basis: 5em;
      }
      .state {
        flex: none;
        margin-inline-start: auto;
        color: var(--muted);
        font-size: 0.92em;
      }
      .notes {
        margin: 0;
        padding: 0 0 0 calc(1.2em + 6px);
        list-style: none;
        color: var(--muted);
        font-size: 0.92em;
        overflow-wrap: anywhere;
      }
      .problem {
        border: 1px solid var(--error);
        border-radius: 4px;
        margin-top: 4px;
        padding: 4px 8px;
        background: var(--error-bg);
        color: var(--error-fg);
      }
      details {
        padding-inline-start: calc(1.2em + 6px);
      }
      summary {
        width: fit-content;
        color: var(--muted);
        font-size: 0.92em;
        cursor: pointer;
      }
      details > * + * {
        margin-top: 6px;
      }
      .label {
        margin: 6px 0 2px;
        color: var(--muted);
        font-size: 0.92em;
      }
    `,
    foldStyles,
    shellStyles,
  ];
  declare item: ToolItem;
  /** What belongs to which call; only where something belongs to this one. */
  declare inside: Inside | undefined;
  /** Cards that are not drawn yet, because too many wait before them. */
  declare later: ReadonlySet<string> | undefined;
  declare actions: Actions;
  declare connected: boolean;
  declare canOpenFiles: boolean;
  /** What the user asked of commands, by their ids or those of their calls, until the server answers. */
  declare asked: readonly string[];
  /** Whether the user opened its details: those of most rows are never drawn. */
  declare isOpen: boolean;
  private hadFocusInCard = false;
  private waitedInside = false;

  protected override willUpdate(): void {
    this.hadFocusInCard = this.renderRoot?.querySelector("assent-card:focus-within") != null;
  }

  /** A card that closes under the keyboard leaves the focus on its row, never on the next question. */
  protected override updated(_changed: PropertyValues<this>): void {
    const focusWasLost = this.hadFocusInCard && this.renderRoot.querySelector("assent-card:focus-within") === null;
    if (focusWasLost) this.renderRoot.querySelector<HTMLElement>(".row")?.focus({ preventScroll: true });
    const waits = this.waitsInside() > 0;
    if (waits && !this.waitedInside) this.unfold();
    this.waitedInside = waits;
    this.dispatchEvent(drawn());
  }

  /** A question inside unfolds it. Folded by hand it stays so while one waits: its summary says that one does. */
  unfold(): void {
    this.renderRoot.querySelector(".fold")?.setAttribute("open", "");
  }

  private waitsInside(): number {
    return this.inside ? waitingInside(this.item.callId, this.inside) : 0;
  }

  protected override render() {
    const { item } = this;
    const open = item.cards.filter((card) => card.phase !== "closed");
    const closed = item.cards.filter((card) => card.phase === "closed");
    const look = `row ${lookOf(item)}${open.length > 0 ? " asks" : ""}${this.inside ? " holds" : ""}`;
    return html`<div class=${look} data-status=${item.status} data-call-id=${item.callId} tabindex="-1">
      ${this.renderHead()} ${open.length > 0 ? nothing : this.renderNotes(closed)} ${shellPart(this)}
      ${repeat(
        open,
        (card) => card.request.approvalId,
        (card) => this.renderCard(card),
      )}
      ${item.result?.made ? html`<assent-made .item=${item} .actions=${this.actions} .connected=${this.connected}></assent-made>` : nothing}
      ${this.renderInside()} ${endedUnasked(item) ? this.renderAskAgain() : nothing} ${open.length > 0 ? nothing : this.renderMore(closed)}
    </div>`;
  }

  private renderCard(card: Card): TemplateResult {
    if (this.later?.has(card.request.approvalId)) {
      return html`<p class="notes">Waits. Its card appears when earlier ones are answered.</p>`;
    }
    return html`<assent-card
      .card=${card}
      .actions=${this.actions}
      .connected=${this.connected}
      .canOpenFiles=${this.canOpenFiles}
    ></assent-card>`;
  }

  private renderContent(content: string): TemplateResult {
    const label = this.item.tool === "run_subtask" ? "Its calls" : "Content";
    return html`<p class="label">${label}</p>${box(content, label)}`;
  }

  private renderInside(): TemplateResult | typeof nothing {
    const items = this.inside?.get(this.item.callId);
    return items === undefined ? nothing : fold(items, this.waitsInside(), this);
  }

  private renderAskAgain(): TemplateResult {
    const { askedAgain } = this.item;
    return html`<p class="notes">
      <button ?disabled=${askedAgain || !this.connected} @click=${() => this.actions.askAgain(this.item)}>
        ${askedAgain ? "Asked again" : "Ask again"}
      </button>
    </p>`;
  }

  private renderHead(): TemplateResult {
    const { headline, tool } = this.item;
    const asks = this.item.cards.some((card) => card.phase !== "closed");
    return html`<div class="head">
      <span class="sign" aria-hidden="true">${STATUS_SIGNS[lookOf(this.item)]}</span>
      <span class="headline">${asks ? html`<span class="mono">${visibleLine(tool)}</span>` : visibleLine(headline || tool)}</span>
      <span class="state">${stateOf(this.item)}</span>
    </div>`;
  }

  private renderNotes(closed: readonly Card[]): TemplateResult | typeof nothing {
    const endings = closed.flatMap(({ outcome }) => (outcome?.text ? [outcome] : []));
    // Why it asked stood on the card; who decided is what counts now, and when.
    const said = new Set([...endings.map(({ text }) => text), ...closed.map((card) => card.request.reason.text)]);
    const meaning = meaningOf(this.item);
    const decidedAt = endings.some(({ at }) => at) ? undefined : this.item.decidedAt;
    const notes = new Set([
      ...endings.map(({ text, at }) => (at ? `${text} · ${clockWords(at)}` : text)),
      ...(meaning === undefined ? [] : [meaning]),
      ...this.item.notes
        .filter((note) => !said.has(note))
        .map((note) => (decidedAt ? `${note} · ${momentWords(decidedAt)}` : note)),
    ]);
    const stored = closed.flatMap((card) => card.outcome?.stored ?? []);
    if (notes.size + stored.length === 0) return nothing;
    return html`<ul class="notes">
      ${[...notes].map((note) => html`<li>${visible(note)}</li>`)}
      ${stored.map(({ text, failed }) => html`<li class=${failed ? "problem" : ""}>${visible(text)}</li>`)}
    </ul>`;
  }

  private renderMore(closed: readonly Card[]): TemplateResult {
    const path = this.item.result?.path;
    return html`${path ? this.renderPath(path) : nothing}<details @toggle=${this.onToggle}>
      <summary>Details</summary>
      ${this.isOpen ? this.renderDetails(closed) : nothing}
    </details>`;
  }

  private readonly onToggle = (event: Event) => {
    this.isOpen = (event.target as HTMLDetailsElement).open;
  };

  private renderDetails(closed: readonly Card[]): TemplateResult {
    const { item } = this;
    const { result } = item;
    // What was printed in the background is told by no result; what is printed now stands above.
    const output = item.status === "background" ? item.liveOutput : result?.output;
    return html`<p class="label">Tool: <span class="mono">${visibleLine(item.tool)}</span></p>
      ${
        closed.length > 0
          ? closed.map((card) => html`<p class="label">What was shown</p>${closedPreview(card)}`)
          : html`<p class="label">Arguments</p>${this.renderArguments()}`
      }
      ${output ? html`<p class="label">Output${result?.truncated ? " (shortened)" : ""}</p>${box(output, "Output")}` : nothing}
      ${this.renderWhole()}
      ${result?.content ? this.renderContent(result.content) : nothing}`;
  }

  private renderArguments(): TemplateResult {
    const written = commandOf(this.item);
    return html`${json(exactJson(this.item.args))}${
      written ? html`<p class="notes"><assent-copy .text=${written} what="the command"></assent-copy></p>` : nothing
    }`;
  }

  private renderWhole(): TemplateResult | typeof nothing {
    const { callId, result } = this.item;
    if (result?.wholeLength === undefined || !this.canOpenFiles) return nothing;
    return html`<p class="notes">
      <button ?disabled=${!this.connected} @click=${() => this.actions.openResult(callId)}>
        Open all ${result.wholeLength.toLocaleString("en")} characters
      </button>
    </p>`;
  }

  private renderDiff(): TemplateResult | typeof nothing {
    const { category, callId, result } = this.item;
    if (category !== "write" || result?.content === undefined) return nothing;
    return html` <button class="plain" ?disabled=${!this.connected} @click=${() => this.actions.openWritten(callId)}>
      Open diff
    </button>`;
  }

  private renderPath(path: string): TemplateResult | typeof nothing {
    const name = visibleLine(path);
    if (this.canOpenFiles) {
      return html`<p class="notes"><button class="plain mono" @click=${() => this.actions.openFile(path)}>${name}</button>${this.renderDiff()}</p>`;
    }
    return this.item.headline.includes(path) ? nothing : html`<p class="notes"><span class="mono">${name}</span></p>`;
  }
}

function box(text: string, label: string): TemplateResult {
  return html`<div class="copies">
    <pre class="box" tabindex="0" role="group" aria-label=${label}>${visible(text)}</pre>
    <assent-copy .text=${text} what=${label.toLowerCase()}></assent-copy>
  </div>`;
}

/** The shell command that a call runs, as it was given. */
function commandOf({ args }: ToolItem): string {
  const { command } = (args ?? {}) as { command?: unknown };
  return typeof command === "string" ? command : "";
}

customElements.define("assent-tool-row", ToolRow);
