import { type CSSResultGroup, css, LitElement, type PropertyDeclarations } from "lit";
import { floating } from "./theme.js";

/** A button with a menu that opens from it: by keys as by the pointer, and closed by whatever happens elsewhere. */
export abstract class Menu extends LitElement {
  static override properties: PropertyDeclarations = { open: { state: true } };
  static override styles: CSSResultGroup = css`
    :host {
      position: relative;
    }
    .menu {
      position: absolute;
      ${floating}
    }
    .item {
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
  `;
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

  protected get expanded(): "true" | "false" {
    return this.open ? "true" : "false";
  }

  protected readonly toggle = () => {
    if (this.open) this.close();
    else void this.show();
  };

  /** Opens it, with the keyboard where the user begins: what is chosen now, or the first of all. */
  protected async show(): Promise<void> {
    this.open = true;
    await this.updateComplete;
    const chosen = this.renderRoot.querySelector<HTMLElement>(".item[aria-checked=true]");
    (chosen ?? this.renderRoot.querySelector<HTMLElement>(".item"))?.focus();
  }

  protected close(): void {
    this.open = false;
    this.renderRoot.querySelector<HTMLElement>(".opens")?.focus();
  }

  protected readonly onButtonKey = (event: KeyboardEvent) => {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    event.preventDefault();
    void this.show();
  };

  protected readonly onMenuKey = (event: KeyboardEvent) => {
    const items = [...this.renderRoot.querySelectorAll<HTMLElement>(".item")];
    const at = items.findIndex((item) => item.matches(":focus"));
    const next = { ArrowDown: at + 1, ArrowUp: at - 1 + items.length, Home: 0, End: items.length - 1 }[event.key];
    if (event.key === "Escape") this.close();
    else if (event.key === "Tab") this.open = false;
    else if (next !== undefined) items[next % items.length]?.focus();
    else return;
    if (event.key !== "Tab") event.preventDefault();
  };
}
