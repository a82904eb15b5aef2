import { LitElement, nothing, type PropertyValues } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { type Block, guessedHeight } from "../blocks.js";
import type { Inside } from "../tree.js";
import { deep } from "./deep.js";
import { drawItem, type Look } from "./thread-item.js";

/** Some rows of the chat, or as much empty space while nobody looks there. It draws into the chat itself. */
export class ThreadBlock extends LitElement {
  static override properties = {
    block: { attribute: false },
    look: { attribute: false },
    inside: { attribute: false },
    drawn: { attribute: false },
  };
  declare block: Block;
  declare look: Look;
  /** What belongs to which call; only where something belongs to one of these. */
  declare inside: Inside | undefined;
  declare drawn: boolean;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  /** It keeps its place: what was drawn once leaves exactly as much space. */
  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("drawn")) return;
    const height = this.drawn ? "" : `${this.hasUpdated ? this.offsetHeight : guessedHeight(this.block)}px`;
    this.style.height = height;
  }

  protected override render() {
    if (!this.drawn) return nothing;
    return repeat(
      this.block.items,
      (item) => item.id,
      (item) => drawItem(item, this.look, this.inside),
    );
  }

  /** Whether the user has something open here, or the keyboard. */
  get isUsed(): boolean {
    if (this.matches(":focus-within")) return true;
    return !deep(this, "details[open]:not(.fold), audio, video").next().done;
  }
}

customElements.define("assent-block", ThreadBlock);
