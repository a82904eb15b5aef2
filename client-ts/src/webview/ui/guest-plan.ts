import { css, html, LitElement, nothing } from "lit";
import type { PlanEntry } from "../../protocol/generated.js";
import { shared } from "./theme.js";
import { visible } from "./visible.js";

const LOOKS = {
  completed: { sign: "✓", words: "Done" },
  in_progress: { sign: "◐", words: "In progress" },
  pending: { sign: "○", words: "To do" },
} as const;

/** The agent's plan, as it is now. It is only what the agent says: nothing of it runs without its own question. */
export class GuestPlan extends LitElement {
  static override properties = { entries: { attribute: false } };
  static override styles = [
    shared,
    css`
      details {
        border: 1px solid var(--line);
        border-radius: 6px;
        padding: 4px 8px;
      }
      summary {
        color: var(--muted);
        cursor: pointer;
      }
      ol {
        margin: 4px 0 2px;
        padding: 0;
        list-style: none;
      }
      li {
        display: grid;
        grid-template-columns: 1.4em 1fr;
        padding: 1px 0;
      }
      .sign {
        font-weight: bold;
      }
      .completed {
        color: var(--muted);
      }
      .completed .sign {
        color: var(--good);
      }
      .in_progress .sign {
        color: var(--warn);
      }
    `,
  ];
  declare entries: readonly PlanEntry[];

  protected override render() {
    const { entries } = this;
    if (entries.length === 0) return nothing;
    const done = entries.filter(({ status }) => status === "completed").length;
    return html`<details open>
      <summary>Plan of the agent · ${done} of ${entries.length} done</summary>
      <ol>
        ${entries.map(({ content, status }) => {
          const look = LOOKS[status as keyof typeof LOOKS] ?? { sign: "○", words: status };
          return html`<li class=${status in LOOKS ? status : "pending"}>
            <span class="sign" aria-hidden="true">${look.sign}</span
            ><span><span class="sr-only">${visible(look.words)}: </span>${visible(content)}</span>
          </li>`;
        })}
      </ol>
    </details>`;
  }
}

customElements.define("assent-plan", GuestPlan);
