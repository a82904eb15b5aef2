import { css, html, LitElement } from "lit";
import { shared } from "./theme.js";

/** A text that the user wants to have in the clipboard. Who hears of it says afterwards whether it is there. */
export interface CopyRequest {
  text: string;
  done(ok: boolean): void;
}

/** Copies one text, exactly as it came: not as it is drawn. */
export class CopyButton extends LitElement {
  static override properties = { text: { attribute: false }, what: {}, isCopied: { state: true } };
  static override styles = [
    shared,
    css`
      button {
        border-color: var(--line);
        padding: 0 6px;
        background: var(--bg);
        color: var(--muted);
        font-size: 0.85em;
        white-space: nowrap;
      }
    `,
  ];
  declare text: string;
  /** What it is, in words that go behind “Copy”. */
  declare what: string;
  /** It is there, and the user is still with the button. */
  declare isCopied: boolean;

  protected override render() {
    return html`<button
      aria-label="Copy ${this.what}"
      title="Copy ${this.what}"
      @click=${this.copy}
      @blur=${this.leave}
      @pointerleave=${this.leave}
    >
      ${this.isCopied ? "✓ Copied" : "Copy"}
    </button>`;
  }

  private readonly leave = () => {
    this.isCopied = false;
  };

  private readonly copy = () => {
    const done = (ok: boolean) => {
      this.isCopied = ok;
    };
    const detail: CopyRequest = { text: this.text, done };
    this.dispatchEvent(new CustomEvent("copytext", { detail, bubbles: true, composed: true }));
  };
}

customElements.define("assent-copy", CopyButton);
