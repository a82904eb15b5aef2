import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { found, placeOf, stepped } from "../finding.js";
import type { Item } from "../state.js";
import { shared } from "./theme.js";
import type { ToolRow } from "./tool-row.js";

/** Looks for words in the chat, also in rows that are not drawn, and leads from one to the next. */
export class FindBar extends LitElement {
  static override properties = {
    open: { type: Boolean },
    items: { attribute: false },
    words: { state: true },
    at: { state: true },
  };
  static override styles = [
    shared,
    css`
      .bar {
        border-bottom: 1px solid var(--line);
        background: var(--raised);
      }
      input {
        flex: 1 1 8em;
      }
      .steps {
        display: flex;
        gap: 4px;
      }
    `,
  ];
  declare open: boolean;
  declare items: readonly Item[];
  /** Brings a row of the chat in sight. */
  declare lookAt: (row: Item) => Promise<Element | undefined> | undefined;
  declare words: string;
  /** The place that is shown among those that were found; -1 before the first. */
  declare at: number;
  private shown: HTMLElement | undefined;

  constructor() {
    super();
    [this.open, this.items, this.words, this.at] = [false, [], "", -1];
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has("open") && this.open) this.field?.select();
  }

  protected override render() {
    if (!this.open) return nothing;
    const { length } = this.places;
    return html`<div class="bar" role="search" @keydown=${this.onKey}>
      <input aria-label="Find in the chat" placeholder="Find" .value=${this.words} @input=${this.onInput} />
      <span role="status">${this.countWords(length)}</span>
      <span class="steps">
        <button aria-label="The one before" title="Shift+Enter" ?disabled=${length === 0} @click=${() => this.step(-1)}>‹</button>
        <button aria-label="The next one" title="Enter" ?disabled=${length === 0} @click=${() => this.step(1)}>›</button>
        <button aria-label="Close the search" title="Escape" @click=${this.close}>×</button>
      </span>
    </div>`;
  }

  private get field(): HTMLInputElement | null {
    return this.renderRoot.querySelector("input");
  }

  private get places(): readonly string[] {
    return found(this.items, this.words);
  }

  private countWords(count: number): string {
    if (this.words.trim() === "") return "";
    if (count === 0) return "Nothing found";
    return `${this.at < 0 ? "" : `${Math.min(this.at, count - 1) + 1} of `}${count}`;
  }

  private readonly onInput = () => {
    this.words = this.field?.value ?? "";
    this.at = -1;
  };

  private step(step: 1 | -1): void {
    const { places } = this;
    this.at = stepped(this.at, step, places.length);
    const id = places[this.at] ?? "";
    const row = placeOf(this.items, id);
    if (row === undefined) return;
    void this.show(row, row.id !== id);
  }

  /** What was looked for stands in this row, or in something below it. */
  private async show(at: Item, isInside: boolean): Promise<void> {
    const row = await this.lookAt(at);
    if (!(row instanceof HTMLElement)) return;
    if (isInside) (row as ToolRow).unfold();
    if (this.shown) this.shown.style.outline = "";
    row.style.outline = "2px solid var(--focus)";
    row.style.outlineOffset = "2px";
    row.scrollIntoView({ block: "center" });
    this.shown = row;
  }

  private readonly onKey = (event: KeyboardEvent) => {
    if (event.key === "Escape") this.close();
    else if (event.key === "Enter" && event.target === this.field && !event.isComposing)
      this.step(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  };

  private readonly close = () => void this.dispatchEvent(new CustomEvent("close"));
}

customElements.define("assent-find", FindBar);
