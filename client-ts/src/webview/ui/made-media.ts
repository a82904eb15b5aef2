import { css, html, LitElement, type PropertyValues, type TemplateResult } from "lit";
import { visibleText } from "../../common/visible-text.js";
import type { ToolMedia } from "../../protocol/generated.js";
import type { Actions } from "../actions.js";
import type { ToolItem } from "../state.js";
import { shared } from "./theme.js";
import { visible } from "./visible.js";

const LONGEST_LABEL = 300;

/**
 * A picture or a sound that a call has made: fetched when it comes into sight, and shown from the page's own memory.
 * A drawing stands in an image, where nothing of it can act.
 */
export class MadeMedia extends LitElement {
  static override properties = {
    item: { attribute: false },
    actions: { attribute: false },
    connected: { attribute: false },
    inSight: { state: true },
    unreadable: { state: true },
  };
  static override styles = [
    shared,
    css`
      :host {
        display: block;
        min-height: 1.5em;
      }
      img {
        display: block;
        box-sizing: border-box;
        max-width: 100%;
        max-height: 320px;
        border: 1px solid var(--line);
        border-radius: 4px;
        /* What is clear in a picture was drawn for paper more often than for the dark. */
        background: #fff;
      }
      audio {
        display: block;
        width: 100%;
        max-width: 420px;
      }
      p {
        margin: 0;
        color: var(--muted);
        font-size: 0.92em;
        overflow-wrap: anywhere;
      }
    `,
  ];
  declare item: ToolItem;
  declare actions: Actions;
  declare connected: boolean;
  declare inSight: boolean;
  /** The browser could not make sense of it. */
  declare unreadable: boolean;
  private asked = false;
  private shown: ToolMedia | undefined;
  private address: string | undefined;
  private readonly sight = new IntersectionObserver((seen) => {
    if (seen.some(({ isIntersecting }) => isIntersecting)) this.inSight = true;
  });

  override connectedCallback(): void {
    super.connectedCallback();
    this.sight.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.sight.disconnect();
    this.release();
  }

  protected override willUpdate(_changed: PropertyValues<this>): void {
    const media = this.item.media?.media;
    if (media === this.shown) return;
    this.release();
    this.shown = media;
    this.address = media && addressOf(media);
    this.unreadable = media !== undefined && this.address === undefined;
  }

  protected override updated(): void {
    if (this.inSight && this.connected && !this.asked && this.item.media === undefined) this.ask();
  }

  protected override render(): TemplateResult {
    const { media } = this.item;
    if (media?.error) return this.renderFault(`It is not shown: ${media.error}`);
    if (this.unreadable) return this.renderFault("It is not shown: this is no file that can be shown here.");
    if (this.shown === undefined || this.address === undefined) return html`<p>…</p>`;
    const failed = () => {
      this.unreadable = true;
    };
    const label = labelOf(this.item);
    return this.shown.mime.startsWith("audio/")
      ? html`<audio controls src=${this.address} aria-label=${label} @error=${failed}></audio>`
      : html`<img src=${this.address} alt=${label} @error=${failed} />`;
  }

  private renderFault(text: string): TemplateResult {
    return html`<p>
      ${visible(text)} <button class="plain" ?disabled=${!this.connected} @click=${this.ask}>Look again</button>
    </p>`;
  }

  private readonly ask = (): void => {
    this.asked = true;
    this.actions.showMedia(this.item.callId);
  };

  private release(): void {
    if (this.address !== undefined) URL.revokeObjectURL(this.address);
    this.address = undefined;
    this.shown = undefined;
  }
}

/** An address in the page's own memory, under which these bytes stand as what the server says that they are. */
function addressOf({ mime, data }: ToolMedia): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
    return URL.createObjectURL(new Blob([bytes], { type: mime }));
  } catch {
    return undefined;
  }
}

/** What it shows or says, in the words of who asked for it. */
function labelOf({ args, headline }: ToolItem): string {
  const { prompt, text } = (args ?? {}) as { prompt?: unknown; text?: unknown };
  const said = [prompt, text].find((one): one is string => typeof one === "string") ?? headline;
  const line = visibleText(said.replace(/\s+/g, " "));
  return line.length > LONGEST_LABEL ? `${line.slice(0, LONGEST_LABEL - 1)}…` : line;
}

customElements.define("assent-made", MadeMedia);
