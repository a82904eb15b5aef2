import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import type { Actions } from "../actions.js";
import { GrowingMarkdown, renderMarkdown } from "./markdown.js";
import { shared } from "./theme.js";

/** A block of the model's text. */
export class MarkdownBlock extends LitElement {
  static override properties = { text: {}, streaming: {}, actions: { attribute: false } };
  static override styles = [
    shared,
    css`
      .text {
        overflow-wrap: anywhere;
        unicode-bidi: isolate;
      }
      .text > :first-child {
        margin-top: 0;
      }
      .text > :last-child {
        margin-bottom: 0;
      }
      p,
      ul,
      ol,
      pre,
      blockquote,
      table,
      .text .copies {
        margin: 0.5em 0;
      }
      .text .copies pre {
        margin: 0;
      }
      /* Below the last line, where no code has its own. */
      .message > assent-copy {
        inset-block: auto -10px;
        z-index: 1;
      }
      ul,
      ol {
        padding-inline-start: 1.6em;
      }
      h2 {
        margin: 0.8em 0 0.3em;
        font-size: 1.1em;
      }
      code {
        border-radius: 3px;
        padding: 0 3px;
        background: var(--code-bg);
      }
      code {
        direction: ltr;
        unicode-bidi: isolate;
      }
      pre code {
        padding: 0;
      }
      blockquote {
        border-inline-start: 3px solid var(--line);
        margin-inline: 0;
        padding-inline-start: 10px;
        color: var(--muted);
      }
      table {
        display: block;
        overflow-x: auto;
        border-collapse: collapse;
      }
      th,
      td {
        border: 1px solid var(--line);
        padding: 2px 6px;
        text-align: start;
      }
      a {
        color: var(--link);
      }
    `,
  ];
  declare text: string;
  /** More of it is to come. */
  declare streaming: boolean;
  declare actions: Actions;
  private growing: GrowingMarkdown | undefined;

  protected override render() {
    return html`<div class="message copies">
      <div class="text"></div>
      ${this.streaming || this.text === "" ? nothing : html`<assent-copy .text=${this.text} what="this message as Markdown"></assent-copy>`}
    </div>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    const target = this.renderRoot.querySelector(".text");
    if (target === null || !(changed.has("text") || changed.has("streaming"))) return;
    const open = (url: string) => this.actions.openLink(url);
    if (this.streaming) {
      this.growing ??= new GrowingMarkdown();
      this.growing.draw(target, this.text, open);
    } else {
      // The last word is that of the whole text.
      this.growing = undefined;
      target.replaceChildren(renderMarkdown(this.text, open));
    }
  }
}

customElements.define("assent-markdown", MarkdownBlock);
