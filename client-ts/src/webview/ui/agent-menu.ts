import { css, html, nothing, type TemplateResult } from "lit";
import type { AgentInfo } from "../../protocol/generated.js";
import type { Actions } from "../actions.js";
import { Menu } from "./menu.js";
import { shared } from "./theme.js";
import { visibleLine } from "./visible.js";

/** The way to a new chat: with the agent that the settings name, or with another one. */
export class AgentMenu extends Menu {
  static override properties = { agents: { attribute: false }, actions: { attribute: false } };
  static override styles = [
    shared,
    Menu.styles,
    css`
      :host {
        display: flex;
        flex: none;
        gap: 2px;
      }
      :host > button {
        padding: 2px 7px;
      }
      .menu {
        top: calc(100% + 4px);
        inset-inline-end: 0;
        z-index: 3;
        width: min(280px, calc(100vw - 24px));
        max-height: 60vh;
        overflow-y: auto;
      }
      .item {
        display: block;
      }
      small {
        display: block;
        font-size: 0.92em;
      }
    `,
  ];
  declare agents: readonly AgentInfo[];
  declare actions: Actions;

  protected override render() {
    return html`<button aria-label="New chat" title="New chat" @click=${() => this.actions.newChat()}>+</button>
      ${
        this.agents.length > 1
          ? html`<button
              class="opens"
              aria-label="New chat with another agent"
              title="New chat with…"
              aria-haspopup="menu"
              aria-expanded=${this.expanded}
              @click=${this.toggle}
            >▾</button>`
          : nothing
      }
      ${this.open ? this.renderMenu() : nothing}`;
  }

  private renderMenu(): TemplateResult {
    return html`<div class="menu" role="menu" aria-label="New chat with" @keydown=${this.onMenuKey}>
      ${this.agents.map(
        ({
          agentId,
          name,
          description,
        }) => html`<button class="item" role="menuitem" tabindex="-1" @click=${() => this.choose(agentId)}>
          ${visibleLine(name)}${description ? html`<small>${visibleLine(description)}</small>` : nothing}
        </button>`,
      )}
    </div>`;
  }

  private choose(agentId: string): void {
    this.close();
    this.actions.newChat(agentId);
  }
}

customElements.define("assent-agent-menu", AgentMenu);
