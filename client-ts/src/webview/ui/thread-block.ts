import { html, LitElement } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Block } from "../blocks.js";
import type { Inside } from "../tree.js";
import { deep } from "./deep.js";
import { drawItem, type Look } from "./thread-item.js";

/** Some rows of the chat. It draws into the chat itself. */
export class ThreadBlock extends LitElement {
  static override properties = {
    block: { attribute: false },
    look: { attribute: false },
    inside: { attribute: false },
  };
  declare block: Block;
  declare look: Look;
  /** What belongs to which call; only where something belongs to one of these. */
  declare inside: Inside | undefined;
  /** Who is told how high it is. */
  declare sizes: ResizeObserver;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override render() {
    return repeat(
      this.block.items,
      (item) => item.id,
      (item) => {
        const row = drawItem(item, this.look, this.inside);
        return this.look.gone.has(item.id) ? html`<div class="gone">${row}</div>` : row;
      },
    );
  }

  protected override firstUpdated(): void {
    this.sizes.observe(this);
  }

  /** Whether the user has something open here, or the keyboard. */
  get isUsed(): boolean {
    if (this.matches(":focus-within")) return true;
    return !deep(this, "details[open]:not(.fold), audio, video").next().done;
  }

  /** Whether some of it is marked. */
  get isMarked(): boolean {
    // Chromium alone has a selection for each tree; elsewhere the document's reaches into all of them.
    const { getSelection = () => document.getSelection() } = this.getRootNode() as Partial<Document>;
    const selection = getSelection.call(this.getRootNode() as Document);
    return selection?.type === "Range" && (this.contains(selection.anchorNode) || selection.containsNode(this, true));
  }
}

customElements.define("assent-block", ThreadBlock);
