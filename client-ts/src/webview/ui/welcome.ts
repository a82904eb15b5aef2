import { css, html, LitElement, nothing } from "lit";
import type { HostKind } from "../../common/page-messages.js";
import type { SessionInfo } from "../../protocol/generated.js";
import type { Actions } from "../actions.js";
import { shared } from "./theme.js";
import { visibleLine } from "./visible.js";

const EXAMPLES = [
  "write hello to greeting.txt",
  "list files, then read README.md",
  "run: ls -l && mkdir -p notes",
  "what can you do?",
];

/** What an empty chat shows: who listens, what can be tried. */
export class Welcome extends LitElement {
  static override properties = {
    session: { attribute: false },
    host: { attribute: false },
    actions: { attribute: false },
  };
  static override styles = [
    shared,
    css`
      :host {
        padding: 16px 0;
      }
      h2 {
        margin: 0 0 6px;
        font-size: 1.15em;
      }
      p {
        margin: 0 0 10px;
      }
      .examples {
        display: flex;
        flex-direction: column;
        gap: 6px;
        align-items: flex-start;
        margin-bottom: 12px;
      }
      .examples button {
        max-width: 100%;
        border-color: var(--line);
        background: none;
        color: var(--fg);
      }
    `,
  ];
  declare session: SessionInfo;
  declare host: HostKind;
  declare actions: Actions;

  protected override render() {
    const isDemo = this.session.agentName === "Demo";
    return html`<h2>What should the agent do?</h2>
      <p>
        ${
          isDemo
            ? html`This is the demo agent. It has no model behind it and follows simple sentences. Its tools are real: it reads
              and writes files and runs commands in this workspace, and asks you first, as every agent here does.`
            : html`${visibleLine(this.session.agentName)} asks you before it acts, as the mode below says.`
        }
      </p>
      ${
        isDemo
          ? html`<p class="muted">Try one of these:</p>
              <div class="examples">
                ${EXAMPLES.map(
                  (text) => html`<button @click=${() => this.actions.fillComposer(text)}>${text}</button>`,
                )}
              </div>`
          : nothing
      }
      ${
        this.host === "editor"
          ? html`<button class="plain" @click=${() => this.actions.remedy("chooseModel")}>Choose a model</button>`
          : nothing
      }`;
  }
}

customElements.define("assent-welcome", Welcome);
