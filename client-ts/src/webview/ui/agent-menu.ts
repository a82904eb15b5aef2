import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import type { AgentInfo } from "../../protocol/generated.js";
import type { Actions } from "../actions.js";
import { shared } from "./theme.js";
import { visibleLine } from "./visible.js";

/** The way to a new chat: with the agent that the settings name, or with another one. */
export class AgentMenu extends LitElement {
  static override properties = {
    agents: { attribute: false },
    actions: { attribute: false },
    open: { state: true },
  };
  static override styles = [
    shared,
    css`
      :host {
        position: relative;
        display: flex;
        flex: none;
        gap: 2px;
      }
      :host > button {
        padding: 2px 7px;
      }
      .menu {
        position: absolute;
        top: calc(100% + 4px);
        inset-inline-end: 0;
        z-index: 3;
        width: min(280px, calc(100vw - 24px));
        max-height: 60vh;
        overflow-y: auto;
        border: 1px solid var(--line);
        border-radius: 6px;
        padding: 4px;
        background: var(--menu-bg);
        color: var(--menu-fg);
        box-shadow: 0 2px 10px rgb(0 0 0 / 30%);
      }
      .item {
        display: block;
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
      small {
        display: block;
        font-size: 0.92em;
      }
    `,
  ];
  declare agents: readonly AgentInfo[];
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
    const expanded = this.open ? "true" : "false";
    return html`<button aria-label="New chat" title="New chat" @click=${() => this.actions.newChat()}>+</button>
      ${
        this.agents.length > 1
          ? html`<button
              class="opens"
              aria-label="New chat with another agent"
              title="New chat with…"
              aria-haspopup="menu"
              aria-expanded=${expanded}
              @click=${() => (this.open ? this.close() : this.show())}
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

  private async show(): Promise<void> {
    this.open = true;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(".item")?.focus();
  }

  private close(): void {
    this.open = false;
    this.renderRoot.querySelector<HTMLElement>(".opens")?.focus();
  }

  private choose(agentId: string): void {
    this.close();
    this.actions.newChat(agentId);
  }

  private readonly onMenuKey = (event: KeyboardEvent) => {
    const items = [...this.renderRoot.querySelectorAll<HTMLElement>(".item")];
    const at = items.findIndex((item) => item.matches(":focus"));
    const steps = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 };
    const next = steps[event.key as keyof typeof steps];
    if (event.key === "Tab") this.open = false;
    else if (event.key === "Escape") this.close();
    else if (next !== undefined) items.at(next % items.length)?.focus();
    else return;
    if (event.key !== "Tab") event.preventDefault();
  };
}

customElements.define("assent-agent-menu", AgentMenu);
