import { type CSSResult, css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { floating } from "./theme.js";

const styles = css`
  :host {
    position: relative;
  }
  .commands {
    position: absolute;
    inset-inline: 10px;
    bottom: calc(100% + 4px);
    z-index: 2;
    max-height: min(50vh, 320px);
    overflow-y: auto;
    ${floating}
  }
  .command {
    border: 1px solid transparent;
    border-radius: 4px;
    padding: 4px 8px;
    cursor: pointer;
    overflow-wrap: anywhere;
  }
  .command[aria-selected="true"] {
    border-color: var(--focus);
    background: var(--menu-active);
    color: var(--menu-active-fg);
  }
  .command small {
    display: -webkit-box;
    overflow: hidden;
    font-size: 0.92em;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
  }
  .more {
    padding: 4px 8px;
  }
`;

/**
 * A list above the composer, of what could go on from what is written: chosen by keys, while the field keeps the focus.
 * It draws into the composer itself, because the field there names what it offers.
 */
export abstract class OfferedList<T> extends LitElement {
  static override properties: PropertyDeclarations = { at: { state: true } };
  declare at: number;
  protected composer: ShadowRoot | undefined;
  /** The name by which the field knows the list. */
  protected abstract readonly listId: string;
  /** How the rest of it looks. */
  protected abstract readonly looks: CSSResult;

  constructor() {
    super();
    this.at = 0;
  }

  /** What can be chosen now. */
  protected abstract get drawn(): readonly T[];
  protected abstract renderOne(one: T): TemplateResult;
  protected abstract take(one: T): void;
  /** The user wants to see it no more. */
  protected abstract dismiss(): void;

  /** What is written is this one already, so that Enter is for the message. */
  protected isWritten(_chosen: T | undefined): boolean {
    return false;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.composer = this.getRootNode() as ShadowRoot;
    adopt(this.composer, styles, this.looks);
    this.composer.addEventListener("keydown", this.onKey, { capture: true });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.composer?.removeEventListener("keydown", this.onKey, { capture: true });
  }

  protected get field(): HTMLTextAreaElement | null {
    return this.composer?.querySelector("textarea") ?? null;
  }

  protected override updated(_changed: Map<PropertyKey, unknown>): void {
    const { field, listId } = this;
    const shown = this.drawn.length > 0;
    // It may be another list that the field has.
    if (field === null || (!shown && field.getAttribute("aria-controls") !== listId)) return;
    const set = (name: string, value: string) =>
      shown ? field.setAttribute(name, value) : field.removeAttribute(name);
    set("aria-controls", listId);
    set("aria-autocomplete", "list");
    set("aria-activedescendant", `${listId}-${this.at}`);
    this.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }

  protected renderList(words: string, label: string, more: string | undefined) {
    return html`<div class="commands">
      <div class="sr-only" role="status">${words}: arrow keys choose, Enter takes it, Escape closes.</div>
      <div id=${this.listId} role="listbox" aria-label=${label}>
        ${this.drawn.map(
          (one, at) => html`<div
            class="command"
            id="${this.listId}-${at}"
            role="option"
            aria-selected=${at === this.at ? "true" : "false"}
            @pointerdown=${(event: Event) => event.preventDefault()}
            @click=${() => this.take(one)}
          >${this.renderOne(one)}</div>`,
        )}
      </div>
      ${more === undefined ? nothing : html`<div class="more">${more}: write on to find them.</div>`}
    </div>`;
  }

  private readonly onKey = (event: Event) => {
    const { drawn } = this;
    const { key, isComposing, shiftKey, altKey } = event as KeyboardEvent;
    if (event.target !== this.field || drawn.length === 0 || isComposing || shiftKey || altKey) return;
    const chosen = drawn[this.at];
    if (key === "Enter" && this.isWritten(chosen)) return;
    if (key === "ArrowDown") this.at = (this.at + 1) % drawn.length;
    else if (key === "ArrowUp") this.at = (this.at - 1 + drawn.length) % drawn.length;
    else if (key === "Escape") this.dismiss();
    else if ((key === "Enter" || key === "Tab") && chosen !== undefined) this.take(chosen);
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
}

function adopt(root: ShadowRoot, ...styles: readonly CSSResult[]): void {
  for (const { styleSheet } of styles)
    if (styleSheet && !root.adoptedStyleSheets.includes(styleSheet)) root.adoptedStyleSheets.push(styleSheet);
}
