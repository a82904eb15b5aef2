import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { ApprovalOption } from "../../protocol/generated.js";
import type { Actions } from "../actions.js";
import { type Card, isFullyShown, refuses } from "../state.js";
import { hidesSomething } from "../visible-text.js";
import { CATEGORY_WORDS, isFarReaching, modeLabel, rulePlace } from "../words.js";
import { Arming, watch } from "./arming.js";
import { cardStyles } from "./card-styles.js";
import { json, preview, previewStyles, untrustedBlocks, untrustedTexts } from "./preview.js";
import { shared } from "./theme.js";
import { visible, visibleLine } from "./visible.js";

/** A question to the user, at the place of its call in the chat. It sends nothing but the click. */
export class ApprovalCard extends LitElement {
  static override properties = {
    card: { attribute: false },
    actions: { attribute: false },
    connected: { attribute: false },
    armed: { state: true },
    feedbackOpen: { state: true },
  };
  static override styles = [shared, previewStyles, cardStyles];
  declare card: Card;
  declare actions: Actions;
  declare connected: boolean;
  declare armed: boolean;
  declare feedbackOpen: boolean;
  private readonly arming = new Arming(performance.now());
  private stopWatching: () => void = () => {};
  /** Whether the press that is under way began while the buttons were armed; undefined without a press. */
  private pressWasArmed: boolean | undefined;

  constructor() {
    super();
    this.armed = false;
    this.feedbackOpen = false;
    this.connected = true;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.arming.disturb(performance.now());
    document.addEventListener("visibilitychange", this.disturb);
    this.stopWatching = watch(() => this.check());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener("visibilitychange", this.disturb);
    this.stopWatching();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get("card");
    if (before && before.revision !== this.card.revision) this.disturb();
  }

  /** A card that grew or shrank has moved its own buttons: that counts from now on, not from the next look. */
  protected override updated(): void {
    this.check();
  }

  private readonly disturb = () => {
    this.arming.disturb(performance.now());
    this.armed = false;
  };

  /** Looks where the buttons stand now, and whether they have been there long enough. */
  private check(): boolean {
    const buttons = this.renderRoot.querySelector(".answers");
    if (buttons) this.arming.measure(buttons.getBoundingClientRect(), performance.now());
    this.armed = this.arming.isArmed(performance.now());
    return this.armed;
  }

  private get canAnswer(): boolean {
    return this.card.phase === "open" && this.connected;
  }

  private canPick(option: ApprovalOption): boolean {
    return this.canAnswer && (refuses(option.kind) || isFullyShown(this.card));
  }

  /** A key goes to the button that has the focus; a pointer to whatever is under it now. */
  private mayPress(byKey: boolean): boolean {
    const armed = this.check();
    return byKey ? this.arming.isArmedForKeys(performance.now()) : armed;
  }

  private readonly pressed = (event: Event) => {
    const target = event.target;
    if (!(target instanceof Element) || target.closest("button") === null) return;
    if (event instanceof KeyboardEvent && event.key !== "Enter" && event.key !== " ") return;
    if (event instanceof KeyboardEvent && event.repeat) {
      event.preventDefault();
      this.pressWasArmed = false;
      return;
    }
    this.pressWasArmed = this.mayPress(event instanceof KeyboardEvent);
  };

  private pick(option: ApprovalOption, event: MouseEvent, feedback = ""): void {
    const pressWasArmed = this.pressWasArmed ?? true;
    this.pressWasArmed = undefined;
    if (!this.mayPress(event.detail === 0) || !pressWasArmed || event.detail > 1 || !this.canPick(option)) return;
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
      <div class="answers ${this.armed ? "" : "unarmed"}" @pointerdown=${this.pressed} @keydown=${this.pressed}>${this.renderAnswers()}</div>
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
    const { options } = this.card.request;
    const approve = options.find((option) => option.kind === "allow_once");
    const deny = options.find((option) => option.kind === "reject_once") ?? options.find(({ kind }) => refuses(kind));
    const wider = options.filter((option) => option !== approve && option !== deny);
    return html`<div class="main">
        ${approve ? this.renderButton(approve, "primary") : nothing} ${deny ? this.renderButton(deny, "") : nothing}
      </div>
      ${[approve, deny].map((option) =>
        option?.scopeText
          ? html`<span class="scope" id=${this.scopeId(option)}>${visibleLine(option.name)}: ${visible(option.scopeText)}</span>`
          : nothing,
      )}
      ${this.card.phase === "sending" ? html`<p class="muted" role="status">Sending your answer…</p>` : nothing}
      ${deny ? this.renderFeedback(deny) : nothing}
      ${wider.length > 0 ? html`<div class="wider">${wider.map((option) => this.renderWider(option))}</div>` : nothing}`;
  }

  private renderButton(option: ApprovalOption, look: string): TemplateResult {
    const usable = this.armed && this.canPick(option);
    return html`<button
      class=${look}
      data-kind=${option.kind}
      aria-disabled=${usable ? "false" : "true"}
      aria-describedby=${option.scopeText ? this.scopeId(option) : nothing}
      @click=${(event: MouseEvent) => this.pick(option, event)}
    >
      ${visibleLine(option.name)}
    </button>`;
  }

  private renderWider(option: ApprovalOption): TemplateResult {
    const also = option.alsoResolves ? ` Settles ${option.alsoResolves} other waiting calls too.` : "";
    return html`<div>
      ${this.renderButton(option, isFarReaching(option.kind) ? "warning" : "")}
      <span class="scope" id=${this.scopeId(option)}>${visible(option.scopeText ?? "")}${also}</span>
    </div>`;
  }

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
        aria-disabled=${this.armed && this.canAnswer ? "false" : "true"}
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

const RISK_WORDS = { low: "Please note", medium: "Look closely", high: "High risk" } as const;

/** The same question without buttons, for a row that tells what was asked. */
export function closedPreview(card: Card): TemplateResult {
  return html`${preview(card.request)}${
    card.request.truncated && isFullyShown(card) ? card.details.pieces.map((piece) => json(piece)) : nothing
  }`;
}

customElements.define("assent-card", ApprovalCard);
