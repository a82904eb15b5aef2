import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { hidesSomething, visibleText } from "../../common/visible-text.js";
import type { Actions } from "../actions.js";
import type { Card } from "../state.js";
import { shared } from "./theme.js";
import { visibleLine } from "./visible.js";

/** Those that wait in a line each, equal ones together: any of them can be left out of an answer to all. */
export class BatchList extends LitElement {
  static override properties = { cards: { attribute: false }, actions: { attribute: false }, filter: { state: true } };
  static override styles = [
    shared,
    css`
      .list {
        /* In a low window what stands around it needs its room first: the composer is never pushed out. */
        max-height: max(4em, min(30vh, 100vh - 27em));
        overflow-y: auto;
        padding: 0 10px 6px;
      }
      ul {
        margin: 4px 0 0;
        padding: 0;
        list-style: none;
      }
      label {
        display: flex;
        gap: 6px;
        align-items: baseline;
        padding-block: 3px;
      }
      label > span {
        min-width: 0;
        overflow-wrap: anywhere;
      }
      .out > span {
        color: var(--muted);
      }
      .ways {
        display: flex;
        flex-wrap: wrap;
        gap: 4px 10px;
        align-items: center;
      }
      input[type="search"] {
        flex: 1 1 8em;
      }
    `,
  ];
  declare cards: readonly Card[];
  declare actions: Actions;
  declare filter: string;

  constructor() {
    super();
    this.cards = [];
    this.filter = "";
  }

  protected override render(): TemplateResult {
    const groups = groupsOf(this.cards.filter((card) => fits(card, this.filter)));
    const listed = groups.flat();
    return html`<div class="list" role="group" aria-label="Which of them an answer to all means" tabindex="-1">
      <div class="ways">
        <input
          type="search"
          aria-label="Show only those with these words"
          placeholder="Filter"
          .value=${this.filter}
          @input=${this.write}
        />
        <button class="plain" @click=${() => this.takeOnly(listed)}>Only these ${listed.length}</button>
        <button class="plain" @click=${() => this.leaveOut(this.cards, false)}>All ${this.cards.length}</button>
      </div>
      <ul>
        ${groups.map((group) => this.renderGroup(group))}
      </ul>
      ${listed.length === 0 ? html`<p class="muted">None of them has these words.</p>` : nothing}
    </div>`;
  }

  private renderGroup(group: readonly Card[]): TemplateResult {
    const [first] = group as [Card];
    const { headline, agentName, path } = first.request;
    const isIn = group.every((card) => !card.leftOut);
    const whose = [agentName, ...path].join(" › ");
    return html`<li>
      <label class=${isIn ? "" : "out"}>
        <input type="checkbox" .checked=${isIn} @change=${() => this.leaveOut(group, isIn)} />
        <span>${visibleLine(headline)} <span class="muted">${visibleLine(whose)}</span>${
          group.length > 1 ? html` <strong>${group.length} times the same</strong>` : nothing
        }${isIn ? nothing : " · left out"}</span>
      </label>
    </li>`;
  }

  private readonly write = (event: Event) => {
    this.filter = (event.target as HTMLInputElement).value;
  };

  private takeOnly(meant: readonly Card[]): void {
    this.leaveOut(
      this.cards.filter((card) => !meant.includes(card)),
      true,
    );
    this.leaveOut(meant, false);
  }

  private leaveOut(cards: readonly Card[], out: boolean): void {
    if (cards.length > 0) {
      const approvalIds = cards.map((card) => card.request.approvalId);
      this.actions.leaveOut(approvalIds, out);
    }
  }
}

/** Whether these words stand on it. What hides in its words is looked for as it is shown. */
function fits({ request: { headline, tool, agentName } }: Card, filter: string): boolean {
  const text = [headline, tool, agentName].map((one) => (hidesSomething(one) ? visibleText(one) : one)).join("\n");
  return text.toLowerCase().includes(filter.trim().toLowerCase());
}

/** Calls that would do the same stand together, in the order of the first of each. */
function groupsOf(cards: readonly Card[]): Card[][] {
  const groups = new Map<string, Card[]>();
  for (const card of cards) {
    const { tool, headline, args, directory, preview, agentName, path, truncated, approvalId } = card.request;
    // Of a call that is not shown in full, nobody can say that it is the same.
    const same = truncated ? approvalId : JSON.stringify([tool, headline, args, directory, preview, agentName, path]);
    const group = groups.get(same);
    if (group) group.push(card);
    else groups.set(same, [card]);
  }
  return [...groups.values()];
}

customElements.define("assent-batch-list", BatchList);
