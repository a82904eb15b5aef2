import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { ApprovalOption } from "../../protocol/generated.js";
import type { Actions } from "../actions.js";
import { alsoText, optionGroups } from "../option-groups.js";
import { type Card, isFullyShown, refuses } from "../state.js";
import { hidesSomething } from "../visible-text.js";
import { CATEGORY_WORDS, isFarReaching, modeLabel, rulePlace } from "../words.js";
import { cardStyles } from "./card-styles.js";
import { PressGuard } from "./press-guard.js";
import { json, preview, previewStyles, untrustedBlocks, untrustedTexts } from "./preview.js";
import { shared } from "./theme.js";
import { visible, visibleLine } from "./visible.js";

/** A question to the user, at the place of its call in the chat. It sends nothing but the click. */
export class ApprovalCard extends LitElement {
  static override properties = {
    card: { attribute: false },
    actions: { attribute: false },
    connected: { attribute: false },
    feedbackOpen: { state: true },
    lastingOpen: { state: true },
  };
  static override styles = [shared, previewStyles, cardStyles];
  declare card: Card;
  declare actions: Actions;
  declare connected: boolean;
  declare feedbackOpen: boolean;
  declare lastingOpen: boolean;
  private readonly guard = new PressGuard(this, ".answers");

  constructor() {
    super();
    this.feedbackOpen = false;
    this.lastingOpen = false;
    this.connected = true;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get("card");
    if (before && before.revision !== this.card.revision) this.guard.disturb();
  }

  private get canAnswer(): boolean {
    return this.card.phase === "open" && this.connected;
  }

  private canPick(option: ApprovalOption): boolean {
    return this.canAnswer && (refuses(option.kind) || isFullyShown(this.card));
  }

  private pick(option: ApprovalOption, event: MouseEvent, feedback = ""): void {
    if (!this.guard.takes(event) || !this.canPick(option)) return;
    this.actions.answer(this.card.request.approvalId, option.optionId, feedback);
  }

  protected override render() {
    const { request, error, revision } = this.card;
    return html`<section
      class="card"
      role="group"
      tabindex="-1"
      aria-label="Approval: ${request.headline}"
      data-approval-id=${request.approvalId}
    >
      <h2>${visibleLine(request.headline)}</h2>
      ${this.renderMeta()}
      ${
        request.refreshed || revision > 0
          ? html`<p class="changed"><strong>Changed, please review again.</strong> The earlier card no longer counts.</p>`
          : nothing
      }
      ${request.interrupted ? html`<p class="changed">Asked again after a restart. It has not run.</p>` : nothing}
      <p class="why">${visible(request.reason.text)}</p>
      ${this.renderRule()}
      ${this.renderRisk()} ${this.renderHiddenNote()} ${preview(request)} ${this.renderDetails()} ${this.renderPlace()}
      ${this.renderNotes()} ${this.renderQuote()}
      <div
        class="answers ${this.guard.armed ? "" : "unarmed"}"
        @pointerdown=${this.guard.pressed}
        @keydown=${this.guard.pressed}
      >
        ${this.renderAnswers()}
      </div>
      ${error ? html`<p class="error">${visible(error)}</p>` : nothing}
    </section>`;
  }

  private renderMeta(): TemplateResult {
    const { request } = this.card;
    const path =
      request.path.length > 0 ? html`<span>through ${visibleLine(request.path.join(" › "))}</span>` : nothing;
    return html`<div class="meta">
      <span>${visibleLine(request.agentName)}</span>
      ${path}
      <span><span class="mono">${visibleLine(request.tool)}</span></span>
      <span>${CATEGORY_WORDS[request.category]}</span>
      <span>mode: ${modeLabel(request.mode)}</span>
    </div>`;
  }

  private renderRule(): TemplateResult | typeof nothing {
    const rule = this.card.request.reason.rule;
    if (!rule) return nothing;
    return html`<p class="rule muted">Rule: ${visibleLine(rule.pattern)} — ${visibleLine(rulePlace(rule))}</p>`;
  }

  private renderRisk(): TemplateResult | typeof nothing {
    const { risk } = this.card.request;
    if (!risk || (risk.level === "low" && !risk.notes?.length)) return nothing;
    const notes = risk.notes ?? [];
    return html`<div class="risk ${risk.level}">
      <strong>${RISK_WORDS[risk.level]}</strong>
      ${notes.length > 0 ? html`<ul>${notes.map((note) => html`<li>${visible(note)}</li>`)}</ul>` : nothing}
    </div>`;
  }

  private renderHiddenNote(): TemplateResult | typeof nothing {
    const { request } = this.card;
    const hides =
      untrustedTexts(request).some((text) => hidesSomething(text, "single")) ||
      untrustedBlocks(request).some((text) => hidesSomething(text));
    if (!hides) return nothing;
    return html`<p class="hidden-note">
      Holds characters that cannot be seen or that look like others. They are shown as <span class="escaped">‹U+…›</span>.
    </p>`;
  }

  private renderDetails(): TemplateResult | typeof nothing {
    const { request, details } = this.card;
    if (!request.truncated) return nothing;
    const size = `${request.truncated.argsBytes.toLocaleString("en")} bytes`;
    if (isFullyShown(this.card)) {
      return html`<p class="muted">The full text (${size}):</p>
        <div class="box" tabindex="0" role="region" aria-label="Full arguments">
          ${details.pieces.map((piece) => html`<pre>${visible(piece)}</pre>`)}
        </div>`;
    }
    return html`<p>
        The arguments are long (${size}) and not shown in full here. Open the full text before you can approve.
      </p>
      <button ?disabled=${!this.canAnswer || details.requested} @click=${() => this.actions.showDetails(request.approvalId)}>
        ${details.requested ? "Loading the full text…" : "Open the full text"}
      </button>
      ${details.error ? html`<p class="error">${visible(details.error)}</p>` : nothing}`;
  }

  private renderPlace(): TemplateResult {
    return html`<p class="place">in <span class="mono">${visibleLine(this.card.request.directory)}</span></p>`;
  }

  private renderNotes(): TemplateResult {
    const { inexact, redactions, timeout } = this.card.request;
    return html`${
      inexact?.length
        ? html`<p class="muted">Numbers that JSON cannot carry are shown as text: ${visibleLine(inexact.join(", "))}</p>`
        : nothing
    }
    ${redactions ? html`<p class="muted">${redactions} secret ${redactions === 1 ? "value is" : "values are"} masked.</p>` : nothing}
    ${
      timeout?.running
        ? html`<p class="muted">Is denied by itself after ${Math.ceil(timeout.remainingMs / 1000)} s without you.</p>`
        : nothing
    }`;
  }

  private renderQuote(): TemplateResult | typeof nothing {
    const { agentSays, agentName } = this.card.request;
    if (!agentSays) return nothing;
    return html`<figure>
      <figcaption>${visibleLine(agentName)} says:</figcaption>
      <blockquote tabindex="0">“${visible(agentSays)}”</blockquote>
    </figure>`;
  }

  private renderAnswers(): TemplateResult {
    const { approve, deny, chat, lasting, never } = optionGroups(this.card.request.options);
    return html`<div class="main">
        ${approve ? this.renderButton(approve, "primary") : nothing} ${deny ? this.renderButton(deny, "") : nothing}
      </div>
      ${[approve, deny].map((option) => (option && hasScope(option) ? this.renderScope(option, `${option.name}: `) : nothing))}
      ${this.card.phase === "sending" ? html`<p class="muted" role="status">Sending your answer…</p>` : nothing}
      ${deny ? this.renderFeedback(deny) : nothing}
      ${chat.length > 0 ? html`<div class="wider">${chat.map((option) => this.renderWider(option))}</div>` : nothing}
      ${lasting.length + never.length > 0 ? this.renderLasting(lasting, never) : nothing}`;
  }

  private renderButton(option: ApprovalOption, look: string): TemplateResult {
    const usable = this.guard.armed && this.canPick(option);
    return html`<button
      class=${look}
      data-kind=${option.kind}
      aria-disabled=${usable ? "false" : "true"}
      aria-describedby=${hasScope(option) ? this.scopeId(option) : nothing}
      @click=${(event: MouseEvent) => this.pick(option, event)}
    >
      ${visibleLine(option.name)}
    </button>`;
  }

  private renderScope(option: ApprovalOption, before = ""): TemplateResult {
    const also = alsoText(option);
    return html`<span class="scope" id=${this.scopeId(option)}
      >${visibleLine(before)}${visible(option.scopeText ?? "")}${also ? html` <strong>${also}</strong>` : nothing}</span
    >`;
  }

  private renderWider(option: ApprovalOption): TemplateResult {
    const look = refuses(option.kind) ? "never" : isFarReaching(option.kind) ? "warning" : "";
    return html`<div>
      ${this.renderButton(option, look)} ${hasScope(option) ? this.renderScope(option) : nothing}
    </div>`;
  }

  /** Answers that last stand behind one button: nobody is to meet them by chance. */
  private renderLasting(lasting: readonly ApprovalOption[], never: readonly ApprovalOption[]): TemplateResult {
    const open = this.lastingOpen;
    return html`<div class="wider lasting" @keydown=${this.leaveLasting}>
      <button class="more" aria-expanded=${open ? "true" : "false"} aria-controls="lasting" @click=${this.toggleLasting}>
        <span class="turn" aria-hidden="true">${open ? "▾" : "▸"}</span> ${lasting.length > 0 ? MORE : MORE_NEVER}
      </button>
      <div id="lasting" role="group" aria-label=${MORE} ?hidden=${!open}>
        ${lasting.map((option) => this.renderWider(option))}
        ${never.length > 0 ? html`<div class="refusals">${never.map((option) => this.renderWider(option))}</div>` : nothing}
      </div>
    </div>`;
  }

  private readonly toggleLasting = async () => {
    this.lastingOpen = !this.lastingOpen;
    this.guard.disturb();
    await this.updateComplete;
    if (this.lastingOpen) this.renderRoot.querySelector(".lasting")?.scrollIntoView({ block: "nearest" });
  };

  private readonly leaveLasting = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !this.lastingOpen) return;
    void this.toggleLasting();
    this.renderRoot.querySelector<HTMLElement>(".more")?.focus();
  };

  private scopeId(option: ApprovalOption): string {
    return `scope-${this.card.request.options.indexOf(option)}`;
  }

  private renderFeedback(deny: ApprovalOption): TemplateResult {
    if (!this.feedbackOpen) {
      return html`<p><button class="plain" @click=${() => this.openFeedback()}>Deny with a message…</button></p>`;
    }
    return html`<div class="feedback">
      <input aria-label="What the agent should do instead" placeholder="What should it do instead?" maxlength="2000" />
      <button
        aria-disabled=${this.guard.armed && this.canAnswer ? "false" : "true"}
        @click=${(event: MouseEvent) => this.pick(deny, event, this.feedbackText())}
      >
        Deny and send
      </button>
    </div>`;
  }

  private async openFeedback(): Promise<void> {
    this.feedbackOpen = true;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLInputElement>(".feedback input")?.focus();
  }

  private feedbackText(): string {
    return this.renderRoot.querySelector<HTMLInputElement>(".feedback input")?.value.trim() ?? "";
  }
}

function hasScope(option: ApprovalOption): boolean {
  return Boolean(option.scopeText) || alsoText(option) !== "";
}

const MORE = "Don’t ask again…";
const MORE_NEVER = "Never allow…";
const RISK_WORDS = { low: "Please note", medium: "Look closely", high: "High risk" } as const;

/** The same question without buttons, for a row that tells what was asked. */
export function closedPreview(card: Card): TemplateResult {
  return html`${preview(card.request)}${
    card.request.truncated && isFullyShown(card) ? card.details.pieces.map((piece) => json(piece)) : nothing
  }`;
}

customElements.define("assent-card", ApprovalCard);
