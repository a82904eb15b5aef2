import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import type { BatchDecision } from "../../common/page-messages.js";
import type { Actions } from "../actions.js";
import { answeredByItself, answeredTogether, type Card } from "../state.js";
import "./batch-list.js";
import { PressGuard } from "./press-guard.js";
import { shared } from "./theme.js";

/** One answer to several cards: yes to those that were in sight whole, no to all that are drawn. */
export class BatchBar extends LitElement {
  static override properties = {
    cards: { attribute: false },
    connected: {},
    actions: { attribute: false },
    listed: { state: true },
  };
  static override styles = [
    shared,
    css`
      .bar {
        padding-top: 0;
      }
      .unarmed button {
        pointer-events: none;
      }
      span {
        flex: 1 1 14em;
        color: var(--muted);
        font-size: 0.92em;
      }
    `,
  ];
  declare cards: readonly Card[];
  declare connected: boolean;
  declare actions: Actions;
  declare listed: boolean;
  private readonly guard = new PressGuard(this, ".bar");
  private meant = "";
  private hadFocus = false;

  /** What a yes means has changed: a press that was meant for the others does not count for these. */
  protected override willUpdate(_changed: PropertyValues<this>): void {
    const yes = answeredTogether(this.cards, "allow_once").map(
      ({ request }) => `${request.approvalId} ${request.argsDigest}`,
    );
    const out = this.cards.filter((card) => card.leftOut).map(({ request }) => `without ${request.approvalId}`);
    const meant = [...yes, ...out].join("\n");
    this.hadFocus = this.renderRoot?.querySelector(YES)?.matches(":focus") ?? false;
    if (meant === this.meant) return;
    this.meant = meant;
    this.guard.disturb();
  }

  /** The button goes away when there is nothing to say yes to: the focus stays here, on no other button. */
  protected override updated(_changed: PropertyValues<this>): void {
    if (this.hadFocus && this.renderRoot.querySelector(YES) === null)
      this.renderRoot.querySelector<HTMLElement>(".bar")?.focus({ preventScroll: true });
  }

  protected override render() {
    const seen = answeredTogether(this.cards, "allow_once").length;
    const deniable = answeredTogether(this.cards, "reject_once");
    const alone = deniable.filter(answeredByItself).length;
    const unseen = deniable.length - seen - alone;
    const out = this.cards.filter((card) => card.leftOut).length;
    return html`<div
      class="bar ${this.guard.armed ? "" : "unarmed"}"
      role="group"
      aria-label="All that wait"
      tabindex="-1"
      @pointerdown=${this.guard.pressed}
      @keydown=${this.guard.pressed}
    >
      ${seen > 0 ? this.renderButton(`Approve all shown (${seen})`, "allow_once", seen) : nothing}
      ${this.renderButton(`Deny all (${deniable.length})`, "reject_once", deniable.length)}
      <button class="plain choose" aria-expanded=${this.listed ? "true" : "false"} @click=${this.toggleList}>Choose…</button>
      ${unseen + alone + out > 0 ? html`<span>${restWords(unseen, alone, out)}</span>` : nothing}
    </div>
    ${this.listed ? html`<assent-batch-list .cards=${this.cards} .actions=${this.actions} @keydown=${this.leaveList}></assent-batch-list>` : nothing}`;
  }

  private readonly toggleList = () => {
    this.listed = !this.listed;
  };

  private readonly leaveList = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    this.listed = false;
    this.renderRoot.querySelector<HTMLElement>(".choose")?.focus();
  };

  private renderButton(text: string, decision: BatchDecision, count: number) {
    const usable = this.guard.armed && this.connected && count > 0;
    return html`<button
      data-all=${decision}
      aria-disabled=${usable ? "false" : "true"}
      @click=${(event: MouseEvent) => this.answer(decision, event)}
    >
      ${text}
    </button>`;
  }

  private answer(decision: BatchDecision, event: MouseEvent): void {
    if (this.guard.takes(event) && this.connected)
      this.actions.answerAll(answeredTogether(this.cards, decision), decision);
  }
}

const YES = 'button[data-all="allow_once"]';

/** Why a yes does not mean all that wait. */
function restWords(unseen: number, alone: number, out: number): string {
  const parts = [
    unseen > 0 ? `${unseen} not looked at yet` : "",
    alone > 0 ? `${alone} to be answered by ${alone === 1 ? "itself" : "themselves"}` : "",
    out > 0 ? `${out} left out` : "",
  ];
  return parts.filter((part) => part !== "").join(", ");
}

customElements.define("assent-batch-bar", BatchBar);
