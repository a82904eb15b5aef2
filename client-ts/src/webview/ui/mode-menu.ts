import { css, html, nothing } from "lit";
import type { Mode } from "../../protocol/generated.js";
import type { Actions } from "../actions.js";
import { MODES, modeLabel } from "../words.js";
import { Menu } from "./menu.js";
import { shared } from "./theme.js";

/** The chat's mode, and the menu to change it. */
export class ModeMenu extends Menu {
  static override properties = { mode: {}, actions: { attribute: false } };
  static override styles = [
    shared,
    Menu.styles,
    css`
      :host {
        min-width: 0;
      }
      .opens {
        display: flex;
        gap: 6px;
        align-items: center;
        max-width: 100%;
        padding: 3px 6px;
        background: none;
        border-color: var(--line);
        color: var(--fg);
      }
      .opens span:nth-child(2) {
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
        bottom: calc(100% + 4px);
        inset-inline-start: 0;
        z-index: 2;
        width: min(300px, calc(100vw - 24px));
      }
      .item {
        display: grid;
        grid-template-columns: auto 1fr auto;
        gap: 0 8px;
        align-items: center;
      }
      .item .description {
        grid-column: 2;
        font-size: 0.92em;
      }
    `,
  ];
  declare mode: Mode;
  declare actions: Actions;

  protected override render() {
    return html`<button
        class="opens"
        aria-haspopup="menu"
        aria-expanded=${this.expanded}
        aria-label="Mode: ${modeLabel(this.mode)}"
        @click=${this.toggle}
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

  private choose(mode: Mode): void {
    this.close();
    if (mode !== this.mode) this.actions.setMode(mode, false);
  }
}

customElements.define("assent-mode-menu", ModeMenu);
