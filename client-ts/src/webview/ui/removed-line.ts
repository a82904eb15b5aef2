import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Actions } from "../actions.js";
import type { RemovedGrant } from "../state.js";
import { PressGuard } from "./press-guard.js";
import { shared } from "./theme.js";
import { visible, visibleLine } from "./visible.js";

/** What was just taken back, and the way to give it again. That way allows something: it counts only when it stood still. */
export class RemovedLine extends LitElement {
  static override properties = {
    removed: { attribute: false },
    connected: { attribute: false },
    actions: { attribute: false },
  };
  static override styles = [
    shared,
    css`
      .line {
        display: flex;
        flex-wrap: wrap;
        gap: 4px 8px;
        align-items: baseline;
        border-bottom: 1px solid var(--line);
        padding: 4px 10px;
      }
      .line.failed {
        background: var(--error-bg);
        color: var(--error-fg);
      }
      .text {
        flex: 1 1 10em;
        min-width: 0;
      }
      .unarmed button[aria-disabled] {
        pointer-events: none;
      }
      button {
        padding: 1px 8px;
      }
    `,
  ];
  declare removed: readonly RemovedGrant[];
  declare connected: boolean;
  declare actions: Actions;
  private readonly guard = new PressGuard(this, ".lines");

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("removed")) this.guard.disturb();
  }

  protected override render() {
    if (this.removed.length === 0) return nothing;
    return html`<div
      class="lines ${this.guard.armed ? "" : "unarmed"}"
      @pointerdown=${this.guard.pressed}
      @keydown=${this.guard.pressed}
    >
      ${repeat(
        this.removed,
        (one) => one.grantId,
        (one) => this.renderLine(one),
      )}
    </div>`;
  }

  private renderLine({ grantId, text, undoable, error }: RemovedGrant): TemplateResult {
    const usable = this.guard.armed && this.connected;
    const undo = (event: MouseEvent) => this.guard.takes(event) && this.connected && this.actions.undoRemoval(grantId);
    return html`<div class="line ${error ? "failed" : ""}">
      <span class="text">${error ? html`${visible(error)} ` : "Removed: "}${visibleLine(text)}</span>
      ${undoable ? html`<button aria-disabled=${usable ? "false" : "true"} @click=${undo}>Undo</button>` : nothing}
      <button aria-label="Close this line" @click=${() => this.actions.hideRemoval(grantId)}>×</button>
    </div>`;
  }
}

customElements.define("assent-removed", RemovedLine);
