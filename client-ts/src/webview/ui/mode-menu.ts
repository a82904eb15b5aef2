import { css, html, LitElement, nothing } from "lit";
import type { Mode } from "../../protocol/generated.js";
import type { Actions } from "../actions.js";
import { MODES, modeLabel } from "../words.js";
import { shared } from "./theme.js";

/** The chat's mode, and the menu to change it. */
export class ModeMenu extends LitElement {
  static override properties = { mode: {}, actions: { attribute: false }, open: { state: true } };
  static override styles = [
    shared,
    css`
      :host {
        position: relative;
        min-width: 0;
      }
      .current {
        display: flex;
        gap: 6px;
        align-items: center;
        max-width: 100%;
        padding: 3px 6px;
        background: none;
        border-color: var(--line);
        color: var(--fg);
      }
      .current span:nth-child(2) {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      .dot {
        flex: none;
        width: 9px;
        height: 9px;
        border: 1px solid var(--line);
        border-radius: 50%;
      }
      .dot.plan {
        background: var(--info);
      }
      .dot.ask {
        background: var(--good);
      }
      .dot.default {
        background: var(--warn);
      }
      .dot.auto {
        background: var(--error);
      }
      .menu {
        position: absolute;
        bottom: calc(100% + 4px);
        left: 0;
        z-index: 2;
        width: min(300px, calc(100vw - 24px));
        border: 1px solid var(--line);
        border-radius: 6px;
        padding: 4px;
        background: var(--menu-bg);
        color: var(--menu-fg);
        box-shadow: 0 2px 10px rgb(0 0 0 / 30%);
      }
      .item {
        display: grid;
        grid-template-columns: auto 1fr auto;
        gap: 0 8px;
        align-items: center;
        width: 100%;
        border-color: transparent;
        padding: 5px 8px;
        background: none;
        color: inherit;
      }
      .item:hover,
      .item:focus-visible {
        background: var(--menu-active) !important;
        color: var(--menu-active-fg);
      }
      .item .description {
        grid-column: 2;
        font-size: 0.92em;
      }
    `,
  ];
  declare mode: Mode;
  declare actions: Actions;
  declare open: boolean;

  constructor() {
    super();
    this.open = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener("pointerdown", this.closeFromOutside);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener("pointerdown", this.closeFromOutside);
  }

  private readonly closeFromOutside = (event: Event) => {
    if (this.open && !event.composedPath().includes(this)) this.open = false;
  };

  protected override render() {
    return html`<button
        class="current"
        aria-haspopup="menu"
        aria-expanded=${this.open ? "true" : "false"}
        aria-label="Mode: ${modeLabel(this.mode)}"
        @click=${() => (this.open ? this.close() : this.show())}
        @keydown=${this.onButtonKey}
      >
        <span class="dot ${this.mode}"></span><span>${modeLabel(this.mode)}</span><span aria-hidden="true">▾</span>
      </button>
      ${this.open ? this.renderMenu() : nothing}`;
  }

  private renderMenu() {
    return html`<div class="menu" role="menu" aria-label="Mode" @keydown=${this.onMenuKey}>
      ${MODES.map(
        ({ mode, label, description }) => html`<button
          class="item"
          role="menuitemradio"
          aria-checked=${mode === this.mode ? "true" : "false"}
          aria-label=${label}
          aria-describedby="about-${mode}"
          data-mode=${mode}
          tabindex=${mode === this.mode ? "0" : "-1"}
          @click=${() => this.choose(mode)}
        >
          <span class="dot ${mode}"></span><span>${label}</span
          ><span aria-hidden="true">${mode === this.mode ? "✓" : ""}</span>
          <span class="description" id="about-${mode}">${description}</span>
        </button>`,
      )}
    </div>`;
  }

  private get items(): HTMLElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>(".item")];
  }

  private async show(): Promise<void> {
    this.open = true;
    await this.updateComplete;
    this.items.find((item) => item.dataset.mode === this.mode)?.focus();
  }

  private close(): void {
    this.open = false;
    this.renderRoot.querySelector<HTMLElement>(".current")?.focus();
  }

  private choose(mode: Mode): void {
    this.close();
    if (mode !== this.mode) this.actions.setMode(mode, false);
  }

  private onButtonKey(event: KeyboardEvent): void {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    event.preventDefault();
    void this.show();
  }

  private onMenuKey(event: KeyboardEvent): void {
    const { items } = this;
    const at = items.findIndex((item) => item.matches(":focus"));
    const next = { ArrowDown: at + 1, ArrowUp: at - 1 + items.length, Home: 0, End: items.length - 1 }[event.key];
    if (event.key === "Escape") this.close();
    else if (event.key === "Tab") this.open = false;
    else if (next !== undefined) items[next % items.length]?.focus();
    else return;
    if (event.key !== "Tab") event.preventDefault();
  }
}

customElements.define("assent-mode-menu", ModeMenu);
