import { css, html, LitElement, type PropertyValues } from "lit";
import { shared } from "./theme.js";
import { visible } from "./visible.js";

const NEAR_END = 8;

/** The end of what a command prints. It stays at the end, unless the user reads what stands above. Nothing is read out. */
export class Tail extends LitElement {
  static override properties = { text: { attribute: false } };
  static override styles = [
    shared,
    css`
      pre.box {
        max-height: calc(var(--lines, 12) * 1.45em + 14px);
        line-height: 1.45;
      }
    `,
  ];
  declare text: string;
  private follows = true;

  protected override updated(_changed: PropertyValues<this>): void {
    const box = this.box;
    if (this.follows && box) box.scrollTop = box.scrollHeight;
  }

  private get box(): HTMLElement | null {
    return this.renderRoot.querySelector("pre");
  }

  private readonly onScroll = () => {
    const { box } = this;
    if (box) this.follows = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_END;
  };

  protected override render() {
    return html`<pre class="box" tabindex="0" role="group" aria-label="The latest output" @scroll=${this.onScroll}>${visible(this.text.trimEnd())}</pre>`;
  }
}

customElements.define("assent-tail", Tail);
