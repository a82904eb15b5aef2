import { css, html, LitElement } from "lit";
import { shared } from "./theme.js";
import { visible } from "./visible.js";

/** The model's text as it was written, where what draws its Markdown cannot be loaded. */
class PlainText extends LitElement {
  static override properties = { text: {} };
  static override styles = [
    shared,
    css`
      div {
        white-space: pre-wrap;
        overflow-wrap: anywhere;
        unicode-bidi: isolate;
      }
    `,
  ];
  declare text: string;

  protected override render() {
    return html`<div>${visible(this.text)}</div>`;
  }
}

export function definePlainText(): void {
  if (customElements.get("assent-markdown") === undefined) customElements.define("assent-markdown", PlainText);
}
