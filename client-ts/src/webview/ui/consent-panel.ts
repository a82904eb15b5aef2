import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { hidesSomething } from "../../common/visible-text.js";
import type { ConsentEntry } from "../../protocol/generated.js";
import type { Actions } from "../actions.js";
import { exactJson } from "../exact-json.js";
import type { ConsentPanel } from "../state.js";
import { PressGuard } from "./press-guard.js";
import { shared } from "./theme.js";
import { visible, visibleLine } from "./visible.js";

/** More entries than this are not drawn: they stay without effect. */
const MOST_ENTRIES = 100;
const LONGEST_LINE = 60;

/** Above the chat: settings that a workspace brought and that would allow something. Nothing is ticked beforehand. */
export class ConsentPanelView extends LitElement {
  static override properties = {
    panel: { attribute: false },
    fault: { attribute: false },
    actions: { attribute: false },
    connected: { attribute: false },
    canOpenFiles: { attribute: false },
  };
  static override styles = [
    shared,
    css`
      section {
        display: flex;
        flex-direction: column;
        gap: 8px;
        min-height: 0;
        max-height: 65vh;
        border-bottom: 1px solid var(--line);
        border-inline-start: 3px solid var(--warn);
        padding: 10px;
        background: var(--raised);
      }
      h2 {
        margin: 0;
        font-size: 1.05em;
      }
      p,
      ul {
        margin: 0;
      }
      .place {
        font-size: 0.92em;
      }
      .scroll {
        display: flex;
        flex-direction: column;
        gap: 8px;
        min-height: 4em;
        overflow-y: auto;
      }
      ul {
        padding: 0;
        list-style: none;
      }
      li {
        display: grid;
        grid-template-columns: auto minmax(0, 1fr);
        gap: 2px 8px;
        border: 1px solid var(--line);
        border-radius: 4px;
        padding: 6px 8px;
      }
      li + li {
        margin-top: 6px;
      }
      li.picked {
        border-color: var(--warn);
        background: var(--warn-bg);
        color: var(--warn-fg);
      }
      input {
        width: 16px;
        height: 16px;
        margin: 2px 0 0;
        accent-color: var(--primary);
      }
      input:not(:focus-visible) {
        outline: 1px solid var(--input-line);
        outline-offset: 0;
      }
      label {
        font-weight: bold;
        cursor: pointer;
      }
      .more {
        grid-column: 2;
        font-size: 0.92em;
      }
      .change {
        max-height: 10em;
        overflow-y: auto;
        overflow-wrap: anywhere;
      }
      .change code {
        white-space: pre-wrap;
      }
      .change .mono {
        display: block;
        color: var(--muted);
      }
      li.picked .change .mono {
        color: inherit;
      }
      .hidden-note {
        border: 1px solid var(--warn);
        border-radius: 4px;
        padding: 4px 8px;
        background: var(--warn-bg);
        color: var(--warn-fg);
      }
      .answers {
        display: flex;
        flex-wrap: wrap;
        gap: 8px;
      }
      .answers button {
        padding: 5px 14px;
      }
      .unarmed button[aria-disabled] {
        pointer-events: none;
      }
      .error {
        display: flex;
        flex-wrap: wrap;
        gap: 6px;
        align-items: center;
        border: 1px solid var(--error);
        border-radius: 4px;
        padding: 6px 8px;
        background: var(--error-bg);
        color: var(--error-fg);
      }
      .error span {
        flex: 1 1 12em;
      }
    `,
  ];
  declare panel: ConsentPanel | undefined;
  declare fault: string | undefined;
  declare actions: Actions;
  declare connected: boolean;
  declare canOpenFiles: boolean;
  private readonly guard = new PressGuard(this, ".answers");

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("panel") && changed.get("panel")?.request !== this.panel?.request) this.guard.disturb();
  }

  protected override render() {
    return html`${this.fault ? this.renderFault(this.fault) : nothing} ${this.panel ? this.renderPanel(this.panel) : nothing}`;
  }

  private renderFault(text: string): TemplateResult {
    return html`<div class="error">
      <span>${visible(text)}</span><button @click=${() => this.actions.hideConsentFault()}>Close</button>
    </div>`;
  }

  private renderPanel(panel: ConsentPanel): TemplateResult {
    const { workspace, reason, entries } = panel.request;
    return html`<section role="group" tabindex="-1" aria-label="Settings of this workspace" data-consent-id=${panel.request.consentId}>
      <h2>This workspace’s settings would allow something</h2>
      <div class="scroll">
        <p>${visible(reason)}</p>
        <p class="muted place">in <span class="mono">${visibleLine(workspace)}</span></p>
        ${hides(panel) ? html`<p class="hidden-note">Holds characters that cannot be seen or that look like others. They are shown as ‹U+…›.</p>` : nothing}
        <p>Tick what you want to allow. The rest stays without effect.</p>
        <ul>
          ${entries.slice(0, MOST_ENTRIES).map((entry, index) => this.renderEntry(entry, index, panel))}
        </ul>
        ${
          entries.length > MOST_ENTRIES
            ? html`<p>${entries.length - MOST_ENTRIES} more are not shown and stay without effect.</p>`
            : nothing
        }
      </div>
      ${this.renderAnswers(panel)}
    </section>`;
  }

  private renderEntry(entry: ConsentEntry, index: number, panel: ConsentPanel): TemplateResult {
    const picked = panel.picked.includes(entry.entryId);
    return html`<li class=${picked ? "picked" : ""}>
      <input
        type="checkbox"
        id="entry-${index}"
        aria-describedby="change-${index}"
        .checked=${picked}
        ?disabled=${panel.phase !== "open"}
        @change=${(event: Event) => this.actions.pickConsent(entry.entryId, (event.target as HTMLInputElement).checked)}
      />
      <label for="entry-${index}">${visible(entry.words)}</label>
      <div class="more change" id="change-${index}">
        <span class="mono">${visibleLine(entry.key)}</span>
        ${value(entry.before)} <span aria-hidden="true">→</span><span class="sr-only">would become</span> ${value(entry.after)}
      </div>
      ${entry.file ? html`<div class="more">${this.renderPlace(entry.file, entry.line ?? undefined, panel.request.workspace)}</div>` : nothing}
    </li>`;
  }

  private renderPlace(file: string, line: number | undefined, workspace: string): TemplateResult {
    const inside = [`${workspace}/`, `${workspace}\\`].some((start) => workspace !== "" && file.startsWith(start));
    const name = visibleLine(`${inside ? file.slice(workspace.length + 1) : file}${line ? `:${line}` : ""}`);
    if (!this.canOpenFiles) return html`<span class="mono">${name}</span>`;
    return html`<button class="plain mono" @click=${() => this.actions.openFile(file, line)}>${name}</button>`;
  }

  private renderAnswers(panel: ConsentPanel): TemplateResult {
    const usable = this.guard.armed && this.connected && panel.phase === "open";
    const count = panel.picked.length;
    return html`<div
        class="answers ${this.guard.armed ? "" : "unarmed"}"
        @pointerdown=${this.guard.pressed}
        @keydown=${this.guard.pressed}
      >
        <button
          class=${count > 0 ? "primary" : ""}
          aria-disabled=${usable && count > 0 ? "false" : "true"}
          @click=${(event: MouseEvent) => this.answer(event, panel.picked)}
        >
          Honour the selected
        </button>
        <button aria-disabled=${usable ? "false" : "true"} @click=${(event: MouseEvent) => this.answer(event, undefined)}>
          Ignore all
        </button>
      </div>
      ${panel.phase === "sending" ? html`<p class="muted" role="status">Sending your answer…</p>` : nothing}
      ${panel.error ? this.renderError(panel) : nothing}`;
  }

  private renderError({ error, request }: ConsentPanel): TemplateResult {
    return html`<div class="error">
      <span>${visible(error ?? "")}</span>
      <button @click=${() => this.actions.hideConsent(request.consentId)}>Close</button>
    </div>`;
  }

  /** What is ticked is honoured; undefined honours nothing. */
  private answer(event: MouseEvent, picked: readonly string[] | undefined): void {
    if (!this.guard.takes(event) || !this.connected || this.panel?.phase !== "open") return;
    if (picked?.length !== 0) this.actions.answerConsent([...(picked ?? [])]);
  }
}

function value(json: unknown): TemplateResult {
  return json === null ? html`<span>nothing</span>` : html`<code>${visible(shortJson(json))}</code>`;
}

/** In one line where that is short. */
function shortJson(json: unknown): string {
  const line = exactJson(json, 0);
  return line.length <= LONGEST_LINE ? line : exactJson(json);
}

function hides({ request }: ConsentPanel): boolean {
  const texts = request.entries.flatMap((entry) => [entry.key, entry.file ?? ""]);
  const blocks = request.entries.flatMap((entry) => [entry.words, exactJson(entry.before), exactJson(entry.after)]);
  return (
    [request.workspace, ...texts].some((text) => hidesSomething(text, "single")) ||
    [request.reason, ...blocks].some((text) => hidesSomething(text))
  );
}

customElements.define("assent-consent", ConsentPanelView);
