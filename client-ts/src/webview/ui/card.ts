import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { CardKey } from "../../common/page-messages.js";
import { visibleText } from "../../common/visible-text.js";
import type { ApprovalOption, RepeatedInfo } from "../../protocol/generated.js";
import type { Actions, AnswerExtras } from "../actions.js";
import { type EditForm, editForm, readEdit } from "../edit.js";
import { canBeLimited, endingWords, LIMIT_CHOICES, limitsOf, scopeWithoutEnd } from "../limits.js";
import { alsoText, optionGroups } from "../option-groups.js";
import { type Card, isFullyShown, isOpened, isWhole, refuses } from "../state.js";
import { INTERRUPTED, isFarReaching } from "../words.js";
import { STILL_AFTER_MS } from "./arming.js";
import { countdown, hiddenNote, meta, place, quote, risk, why } from "./card-facts.js";
import { areInView, KEY_NAMES } from "./card-keys.js";
import { cardStyles } from "./card-styles.js";
import { drawn } from "./drawn.js";
import "./edit-field.js";
import type { EditField } from "./edit-field.js";
import { PressGuard } from "./press-guard.js";
import { json, preview, previewStyles, wholeText } from "./preview.js";
import { SeenWhole } from "./seen.js";
import { shared } from "./theme.js";
import { visible, visibleLine } from "./visible.js";

/** A question to the user, at the place of its call in the chat. It sends nothing but the click. */
export class ApprovalCard extends LitElement {
  static override properties = {
    card: { attribute: false },
    actions: { attribute: false },
    connected: { attribute: false },
    canOpenFiles: { attribute: false },
    feedbackOpen: { state: true },
    feedback: { state: true },
    lastingOpen: { state: true },
    editFault: { state: true },
  };
  static override styles = [shared, previewStyles, cardStyles];
  declare card: Card;
  declare actions: Actions;
  declare connected: boolean;
  declare canOpenFiles: boolean;
  declare feedbackOpen: boolean;
  declare feedback: string;
  declare lastingOpen: boolean;
  declare editFault: string | undefined;
  private readonly guard = new PressGuard(this, ".answers");
  private readonly seen = new SeenWhole(this, ["h2", ".main"], () => {
    const { approvalId, argsDigest } = this.card.request;
    this.actions.seen(approvalId, argsDigest, this.card.revision);
  });
  /** For how long something is to be allowed, by its option; what is not here has no end of its own. */
  private readonly limits = new Map<string, string>();
  private readonly forms = new WeakMap<Card, EditForm | undefined>();
  private wasEdited = false;
  private inViewSince: number | undefined;

  constructor() {
    super();
    this.feedbackOpen = false;
    this.feedback = "";
    this.lastingOpen = false;
    this.connected = true;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get("card");
    if (!before) return;
    if (before.revision !== this.card.revision || before.request.redactions !== this.card.request.redactions) {
      this.guard.disturb();
      this.seen.again();
    }
    if (before.editing !== this.card.editing || isOpened(before) !== isOpened(this.card)) this.guard.disturb();
  }

  protected override updated(): void {
    this.dispatchEvent(drawn());
  }

  /** The call as a text that the user changes now, if so. */
  private get form(): EditForm | undefined {
    return this.card.editing ? this.possibleForm : undefined;
  }

  private get possibleForm(): EditForm | undefined {
    if (!this.forms.has(this.card)) this.forms.set(this.card, editForm(this.card));
    return this.forms.get(this.card);
  }

  private get field(): EditField | null {
    return this.renderRoot?.querySelector("assent-edit-field") ?? null;
  }

  private isEdited(form: EditForm): boolean {
    return this.field !== null && this.field.written !== form.text;
  }

  private get canAnswer(): boolean {
    return this.card.phase === "open" && this.connected;
  }

  private canPick(option: ApprovalOption): boolean {
    return this.canAnswer && !option.disabledReason && (refuses(option.kind) || isFullyShown(this.card));
  }

  private pick(option: ApprovalOption, event: MouseEvent): void {
    if (this.guard.takes(event) && this.canPick(option)) this.answerWith(option);
  }

  /** Whether a key of the editor can mean this card: it stands in view for a while now, as a whole, or its buttons, where
   * it is too high. To be asked again and again: what comes back into view has appeared. */
  takesKeys(): boolean {
    const now = performance.now();
    if (!this.isInView()) this.inViewSince = undefined;
    else this.inViewSince ??= now;
    const isStill = this.guard.standsStill() && now - (this.inViewSince ?? now) >= STILL_AFTER_MS;
    return isStill && this.canAnswer && !this.card.editing;
  }

  private isInView(): boolean {
    const [heading, buttons] = ["h2", ".main"].map((part) => this.renderRoot.querySelector(part));
    if (!heading || !buttons) return false;
    const isTooHigh = this.getBoundingClientRect().height > innerHeight * TALL;
    return areInView(isTooHigh ? [buttons] : [heading, buttons]);
  }

  /** As a click on the button would. A yes is to what was seen whole, and where there is one way to say it. */
  answerByKey(key: CardKey): void {
    const { approve, ways, deny } = optionGroups(this.card.request.options);
    const option = key === "deny" ? deny : this.card.seen && ways.length === 0 ? approve : undefined;
    if (option && this.takesKeys() && this.canPick(option)) this.answerWith(option);
  }

  private answerWith(option: ApprovalOption): void {
    const limits = limitsOf(this.limits.get(option.optionId));
    // What was being edited can no longer be: that is no answer about the call as the agent made it.
    if (this.card.editing && this.form === undefined) return;
    const edited = option.kind === "allow_once" ? this.editedArguments() : {};
    if (edited === undefined) return;
    const feedback = refuses(option.kind) ? this.feedback.trim() : "";
    const extras = { ...(feedback === "" ? {} : { feedback }), ...(limits === undefined ? {} : { limits }), ...edited };
    this.actions.answer(this.card, option.optionId, extras);
  }

  /** What the user changed, if anything; undefined where it could not run, which the card then says. */
  private editedArguments(): AnswerExtras | undefined {
    const { form, field } = this;
    if (form === undefined) return {};
    if (field === null) return undefined;
    const edited = readEdit(form, field.written);
    this.editFault = edited.kind === "fault" ? edited.text : undefined;
    if (edited.kind === "fault") return undefined;
    return edited.kind === "same" ? {} : { editedArgs: edited.args };
  }

  protected override render() {
    const { request, revision, note } = this.card;
    const isOther = this.form !== undefined;
    return html`<section
      class="card"
      role="group"
      tabindex="-1"
      aria-label="Approval: ${visibleText(request.headline)}"
      data-approval-id=${request.approvalId}
    >
      <h2>${visibleLine(request.headline)}</h2>
      ${meta(request)}
      ${
        request.refreshed || revision > 0
          ? html`<p class="changed"><strong>Changed, please review again.</strong> The earlier card no longer counts.</p>`
          : nothing
      }
      ${request.interrupted ? html`<p class="changed">${INTERRUPTED}</p>` : nothing}
      ${note ? html`<p class="changed">${note}</p>` : nothing}
      ${why(request, this.canOpenFiles ? this.actions.openFile : undefined)}
      <div class=${isOther ? "about asked-for" : "about"}>
        ${isOther ? html`<p class="muted">${ASKED_FOR}</p>` : nothing} ${risk(request)} ${hiddenNote(this.card)}
        ${preview(request)} ${this.renderDetails()}
      </div>
      ${place(request, () => this.actions.reveal(request.approvalId))} ${quote(request)} ${this.renderEdit()}
      <div
        class="answers ${this.guard.armed ? "" : "unarmed"}"
        @pointerdown=${this.guard.pressed}
        @keydown=${this.guard.pressed}
      >
        ${this.renderAnswers()}
      </div>
      ${countdown(request)}
    </section>`;
  }

  private renderDetails(): TemplateResult | typeof nothing {
    const { request, details } = this.card;
    if (!request.truncated) return this.renderDiff();
    const size = `${request.truncated.argsBytes.toLocaleString("en")} bytes`;
    if (isWhole(details)) {
      return html`<p class="muted">The full text (${size}):</p>
        ${wholeText(details)} ${this.renderDiff()}`;
    }
    return html`<p>The arguments (${size}) are not shown in full here. ${this.openedWords()}</p>
      ${this.renderDiff()}
      <button ?disabled=${!this.canAnswer || details.requested} @click=${() => this.actions.showDetails(request.approvalId)}>
        ${details.requested ? "Loading the full text…" : "Open the full text"}
      </button>
      ${details.error ? html`<p class="error">${visible(details.error)}</p>` : nothing}`;
  }

  private openedWords(): string {
    if (isOpened(this.card)) return "All of it stands in the diff that was opened.";
    return this.card.comparison?.toldAll === false
      ? "The diff shows its files, and there is more to it: open the full text before you can approve."
      : "Open the full text before you can approve.";
  }

  /** Where the editor can show it: what is there, beside all that would be written. */
  private renderDiff(): TemplateResult | typeof nothing {
    const { request, comparison } = this.card;
    if (!request.comparable || !this.canOpenFiles) return nothing;
    const cannot = !this.canAnswer || comparison?.asked || request.redactions;
    return html`<button
        class="plain"
        ?disabled=${cannot}
        @click=${() => this.actions.openDiff(request.approvalId, request.argsDigest)}
      >
        ${comparison?.asked ? "Opening the diff…" : "Open diff"}
      </button>
      ${comparison?.error ? html`<p class="error">${visible(comparison.error)}</p>` : nothing}`;
  }

  private renderEdit(): TemplateResult | typeof nothing {
    const { form } = this;
    if (form === undefined) return nothing;
    return html`<assent-edit-field .form=${form} .fault=${this.editFault} @edited=${this.edited}></assent-edit-field>`;
  }

  /** The button changes its meaning with the first change: what was about to be pressed no longer counts. */
  private readonly edited = () => {
    const { form } = this;
    const isEdited = form !== undefined && this.isEdited(form);
    if (isEdited !== this.wasEdited) this.guard.disturb();
    this.wasEdited = isEdited;
    this.editFault = undefined;
    this.requestUpdate();
  };

  private readonly toggleEdit = async () => {
    const { editing, request } = this.card;
    this.editFault = undefined;
    this.wasEdited = false;
    this.actions.edit(request.approvalId, !editing);
    await new Promise(requestAnimationFrame);
    await this.updateComplete;
    this.field?.focus();
  };

  private renderAnswers(): TemplateResult {
    const { form } = this;
    const { options, repeated } = this.card.request;
    const { approve, ways, deny, chat, lasting, never, marked } = optionGroups(options, repeated?.optionId);
    if (form !== undefined) return this.renderAnswersToEdited(form, approve, deny);
    return html`<div class="main">
        ${approve ? this.renderButton(approve, ways.length > 0 ? "" : "primary") : nothing}
        ${ways.map((option) => this.renderButton(option, ""))}
        ${deny ? this.renderDeny(deny, ways.length > 0 ? "no" : "") : nothing}
      </div>
      ${this.renderError()}
      ${[approve, ...ways.filter((option) => this.scopeOf(option) === option), deny].map((option) =>
        option && hasScope(option)
          ? this.renderScope(option, option === approve && ways.length > 0 ? "Each yes: " : `${option.name}: `)
          : nothing,
      )}
      ${this.card.phase === "sending" ? html`<p class="muted" role="status">Sending your answer…</p>` : nothing}
      ${deny ? this.renderFeedback() : nothing}
      ${
        this.possibleForm === undefined
          ? nothing
          : html`<p><button class="plain" ?disabled=${!this.canAnswer} @click=${this.toggleEdit}>Edit before approving…</button></p>`
      }
      ${repeated ? this.renderRepeated(repeated, marked) : nothing}
      ${chat.length > 0 ? html`<div class="wider">${chat.map((option) => this.renderWider(option))}</div>` : nothing}
      ${lasting.length + never.length > 0 ? this.renderLasting(lasting, never) : nothing}`;
  }

  /** What was answered often: the answer that would end the asking is in sight, and is the same as ever. */
  private renderRepeated({ answer, text }: RepeatedInfo, marked?: ApprovalOption): TemplateResult {
    const stop = html`<button @click=${this.actions.stop}>Stop</button>`;
    return html`<div class="wider repeated">
      <p>${visible(text)}</p>
      ${answer === "denied" ? stop : nothing} ${marked ? this.renderWider(marked) : nothing}
    </div>`;
  }

  /** What lasts is about the call as the agent made it: it is not offered for another one. */
  private renderAnswersToEdited(form: EditForm, approve?: ApprovalOption, deny?: ApprovalOption): TemplateResult {
    const edited = this.isEdited(form);
    return html`<div class="main">
        ${approve ? this.renderButton(approve, "primary", edited ? "Approve as edited" : approve.name) : nothing}
        ${deny ? this.renderDeny(deny) : nothing}
      </div>
      ${this.renderError()}
      ${this.card.phase === "sending" ? html`<p class="muted" role="status">Sending your answer…</p>` : nothing}
      ${deny && this.feedbackOpen ? this.renderFeedback() : nothing}
      <p>
        <button class="plain" ?disabled=${!this.canAnswer} @click=${this.toggleEdit}>
          ${edited ? "Discard what you changed" : "Leave it as it is"}
        </button>
      </p>`;
  }

  /** There is one way to deny: what was written for the agent goes with it. */
  private renderDeny(deny: ApprovalOption, look = ""): TemplateResult {
    return this.renderButton(deny, look, this.feedback.trim() === "" ? deny.name : `${deny.name} with your message`);
  }

  /** Below the buttons that it is about: what comes must not move them. */
  private renderError(): TemplateResult | typeof nothing {
    const { error } = this.card;
    return error ? html`<p class="error">${visible(error)}</p>` : nothing;
  }

  private renderButton(option: ApprovalOption, look: string, name = option.name): TemplateResult {
    const usable = this.guard.armed && this.canPick(option);
    const ends = this.endOf(option);
    return html`<button
      class=${look}
      data-kind=${option.kind}
      aria-disabled=${usable ? "false" : "true"}
      aria-label=${ends ? visibleText(`${name}. ${ends}`) : nothing}
      aria-describedby=${hasScope(option) ? this.scopeId(option) : nothing}
      title=${this.keyOf(option) ?? nothing}
      @click=${(event: MouseEvent) => this.pick(option, event)}
    >
      ${visibleLine(name)}
    </button>`;
  }

  /** The key that presses this button in the editor, as long as the user has not chosen another one. */
  private keyOf(option: ApprovalOption): string | undefined {
    const { approve, ways, deny } = optionGroups(this.card.request.options);
    if (!this.actions.answersKeys()) return undefined;
    return option === deny ? KEY_NAMES.deny : option === approve && ways.length === 0 ? KEY_NAMES.approve : undefined;
  }

  private renderScope(option: ApprovalOption, before = ""): TemplateResult {
    const also = alsoText(option);
    const ends = this.endOf(option);
    const scope = option.scopeText ?? "";
    return html`<span class="scope" id=${this.scopeId(option)}
      >${visibleLine(before)}${visible(ends ? scopeWithoutEnd(scope) : scope)}${ends ? html` <strong>${ends}</strong>` : nothing}${also ? html` <strong>${also}</strong>` : nothing}</span
    >`;
  }

  private renderWider(option: ApprovalOption): TemplateResult {
    const look = refuses(option.kind) ? "never" : isFarReaching(option.kind) ? "warning" : "";
    return html`<div>
      <div class="limited">${this.renderButton(option, look)} ${this.renderLimits(option)}</div>
      ${hasScope(option) ? this.renderScope(option) : nothing}
    </div>`;
  }

  private endOf(option: ApprovalOption): string {
    return canBeLimited(option, this.card.request) ? endingWords(this.limits.get(option.optionId)) : "";
  }

  /** How long it is to hold. Whoever touches nothing gets what the button says. */
  private renderLimits(option: ApprovalOption): TemplateResult | typeof nothing {
    if (!canBeLimited(option, this.card.request)) return nothing;
    const chosen = this.limits.get(option.optionId);
    const pick = (event: Event) => {
      this.limits.set(option.optionId, (event.target as HTMLSelectElement).value);
      this.guard.disturb();
      this.requestUpdate();
    };
    return html`<select aria-label="How long: ${visibleText(option.name)}" ?disabled=${!this.canAnswer} @change=${pick}>
      ${LIMIT_CHOICES.map(({ name, words }) => html`<option value=${name} ?selected=${name === chosen}>${words}</option>`)}
    </select>`;
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
    return `scope-${this.card.request.options.indexOf(this.scopeOf(option))}`;
  }

  /** Ways to say yes to which the same words belong have them once. */
  private scopeOf(option: ApprovalOption): ApprovalOption {
    const { kind, scopeText } = option;
    const first = kind === "allow_once" && optionGroups(this.card.request.options).approve;
    return first && first.scopeText === scopeText ? first : option;
  }

  private renderFeedback(): TemplateResult {
    if (!this.feedbackOpen) {
      return html`<p><button class="plain" @click=${() => this.openFeedback()}>Deny with a message…</button></p>`;
    }
    return html`<div class="feedback">
      <input
        aria-label="What the agent should do instead"
        placeholder="What should it do instead?"
        maxlength="2000"
        .value=${this.feedback}
        @input=${this.writeFeedback}
      />
    </div>`;
  }

  private async openFeedback(): Promise<void> {
    this.feedbackOpen = true;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLInputElement>(".feedback input")?.focus();
  }

  private readonly writeFeedback = (event: InputEvent) => {
    this.feedback = (event.target as HTMLInputElement).value;
  };
}

function hasScope(option: ApprovalOption): boolean {
  return Boolean(option.scopeText) || alsoText(option) !== "";
}

/** Of the window's height: a card that is higher may not have its heading in view beside its buttons. */
const TALL = 0.6;
const ASKED_FOR =
  "This explains what was asked for. Your change is looked at when you approve; what is risky is shown to you before it runs.";
const MORE = "Don’t ask again…";
const MORE_NEVER = "Never allow…";

/** The same question without buttons, for a row that tells what was asked. */
export function closedPreview(card: Card): TemplateResult {
  return html`${preview(card.request)}${
    card.request.truncated && isWhole(card.details) ? card.details.pieces.map((piece) => json(piece)) : nothing
  }`;
}

customElements.define("assent-card", ApprovalCard);
