import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { hidesSomething, visibleText } from "../../common/visible-text.js";
import type { FormAction, FormField, FormRequest } from "../../protocol/generated.js";
import type { Actions } from "../actions.js";
import type { OpenForm } from "../state.js";
import { PressGuard } from "./press-guard.js";
import { shared } from "./theme.js";
import { visible, visibleLine } from "./visible.js";

/** What a field holds: its text, whether it is ticked, or which choices are. */
type Value = string | boolean | readonly string[];

/** Below the chat: what MCP servers and agents ask the user. Nothing is sent that the user did not see and send. */
export class FormsView extends LitElement {
  static override properties = {
    forms: { attribute: false },
    actions: { attribute: false },
    connected: { attribute: false },
  };
  static override styles = [
    shared,
    css`
      .scroll {
        max-height: 55vh;
        min-height: 0;
        overflow-y: auto;
        border-top: 1px solid var(--line);
      }
      section {
        display: flex;
        flex-direction: column;
        gap: 8px;
        border-inline-start: 3px solid var(--primary);
        padding: 10px;
        background: var(--raised);
      }
      section + section {
        border-top: 1px solid var(--line);
      }
      h2,
      p,
      blockquote,
      fieldset {
        margin: 0;
      }
      h2 {
        font-size: 1.05em;
      }
      .behind,
      small {
        font-size: 0.92em;
        color: var(--muted);
        overflow-wrap: anywhere;
      }
      blockquote {
        border-inline-start: 2px solid var(--line);
        padding-inline-start: 8px;
        overflow-wrap: anywhere;
        white-space: pre-wrap;
      }
      .field {
        display: flex;
        flex-direction: column;
        gap: 2px;
        min-width: 0;
        border: 0;
        padding: 0;
      }
      .ticked {
        display: flex;
        gap: 8px;
        align-items: start;
        padding-block: 4px;
      }
      label,
      legend {
        padding: 0;
        overflow-wrap: anywhere;
      }
      label.name,
      legend {
        font-weight: bold;
      }
      input[type="checkbox"] {
        flex: none;
        width: 16px;
        height: 16px;
        margin: 2px 0 0;
        accent-color: var(--primary);
      }
      input[type="checkbox"]:not(:focus-visible) {
        outline: 1px solid var(--input-line);
        outline-offset: 0;
      }
      .warning {
        border: 1px solid var(--warn);
        border-radius: 4px;
        padding: 4px 8px;
        background: var(--warn-bg);
        color: var(--warn-fg);
      }
      .fault {
        border: 1px solid var(--error);
        border-radius: 4px;
        padding: 4px 8px;
        background: var(--error-bg);
        color: var(--error-fg);
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
    `,
  ];
  declare forms: readonly OpenForm[];
  declare actions: Actions;
  declare connected: boolean;
  private readonly guard = new PressGuard(this, ".scroll");
  /** What was filled in, by form and field. */
  private readonly filled = new Map<string, Map<string, Value>>();

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("forms")) return;
    const before = (changed.get("forms") ?? []).map(({ request }) => request.formId);
    const now = this.forms.map(({ request }) => request.formId);
    if (before.join() !== now.join()) this.guard.disturb();
    for (const formId of this.filled.keys()) if (!now.includes(formId)) this.filled.delete(formId);
  }

  protected override render() {
    if (this.forms.length === 0) return nothing;
    return html`<div class="scroll" @pointerdown=${this.guard.pressed} @keydown=${this.guard.pressed}>
      ${this.forms.map((form) => this.renderForm(form))}
    </div>`;
  }

  private renderForm(form: OpenForm): TemplateResult {
    const { request, error } = form;
    const asker = `asker-${request.formId}`;
    return html`<section role="group" tabindex="-1" aria-labelledby=${asker} data-form-id=${request.formId}>
      <h2 id=${asker}>${request.askerKind === "mcp_server" ? "MCP server" : "Agent"} “${visibleLine(request.askerName)}” asks you</h2>
      ${request.behind ? html`<p class="behind mono">${visibleLine(request.behind)}</p>` : nothing}
      <blockquote>${visible(request.message)}</blockquote>
      ${hides(request) ? html`<p class="warning">Holds characters that cannot be seen or that look like others. They are shown as ‹U+…›.</p>` : nothing}
      ${request.warning ? html`<p class="warning">${visible(request.warning)}</p>` : nothing}
      ${request.fields.map((field, index) => this.renderField(form, field, `${request.formId}-${index}`))}
      <small>What you send goes to this program, and a model may read it.</small>
      ${this.renderAnswers(form)}
      ${error && !this.isOfField(form) ? html`<p class="fault">${visible(error.text)}</p>` : nothing}
    </section>`;
  }

  private renderField(form: OpenForm, field: FormField, id: string): TemplateResult {
    const { error } = form;
    const fault = error?.field === field.name ? error.text : undefined;
    const hint = hintOf(field);
    const described = [
      field.description ? `about-${id}` : "",
      hint ? `hint-${id}` : "",
      field.warning ? `warning-${id}` : "",
      fault ? `fault-${id}` : "",
    ]
      .join(" ")
      .trim();
    const more = html`
      ${field.description ? html`<small id="about-${id}">${visible(field.description)}</small>` : nothing}
      ${hint ? html`<small id="hint-${id}">${hint}</small>` : nothing}
      ${field.warning ? html`<p class="warning" id="warning-${id}">${visible(field.warning)}</p>` : nothing}
      ${fault ? html`<p class="fault" id="fault-${id}">${visible(fault)}</p>` : nothing}`;
    const name = html`${visibleLine(field.title)}${field.required ? " (required)" : ""}`;
    const control = { form, field, id, described, faulty: fault !== undefined };
    if (field.kind === "choices") {
      return html`<fieldset class="field" aria-describedby=${described || nothing}>
        <legend>${name}</legend>
        ${this.renderChoices(control)} ${more}
      </fieldset>`;
    }
    if (field.kind === "boolean") {
      return html`<div class="field">
        <div class="ticked">${this.renderTick(control)}<label class="name" for=${id}>${name}</label></div>
        ${more}
      </div>`;
    }
    return html`<div class="field">
      <label class="name" for=${id}>${name}</label>
      ${field.kind === "choice" ? this.renderChoice(control) : this.renderText(control)} ${more}
    </div>`;
  }

  private renderText({ form, field, id, described, faulty }: Control): TemplateResult {
    return html`<input
      id=${id}
      type=${TYPES[field.kind] ?? "text"}
      inputmode=${MODES[field.kind] ?? nothing}
      autocomplete="off"
      spellcheck="false"
      aria-describedby=${described || nothing}
      aria-required=${field.required ? "true" : "false"}
      aria-invalid=${faulty ? "true" : "false"}
      ?disabled=${form.phase !== "open"}
      .value=${String(this.value(form, field))}
      @input=${(event: Event) => this.fill(form, field, (event.target as HTMLInputElement).value)}
    />`;
  }

  private renderTick({ form, field, id, described, faulty }: Control): TemplateResult {
    return html`<input
      id=${id}
      type="checkbox"
      aria-describedby=${described || nothing}
      aria-invalid=${faulty ? "true" : "false"}
      ?disabled=${form.phase !== "open"}
      .checked=${this.value(form, field) === true}
      @change=${(event: Event) => this.fill(form, field, (event.target as HTMLInputElement).checked)}
    />`;
  }

  private renderChoice({ form, field, id, described, faulty }: Control): TemplateResult {
    const chosen = this.value(form, field);
    return html`<select
      id=${id}
      aria-describedby=${described || nothing}
      aria-required=${field.required ? "true" : "false"}
      aria-invalid=${faulty ? "true" : "false"}
      ?disabled=${form.phase !== "open"}
      @change=${(event: Event) => this.fill(form, field, (event.target as HTMLSelectElement).value)}
    >
      <option value="" .selected=${chosen === ""}>Choose…</option>
      ${(field.choices ?? []).map(
        ({ value, label }) =>
          html`<option value=${value} .selected=${chosen === value}>${visibleText(label, "single")}</option>`,
      )}
    </select>`;
  }

  private renderChoices({ form, field, id }: Control): TemplateResult[] {
    const chosen = this.value(form, field);
    const ticked = new Set(Array.isArray(chosen) ? (chosen as readonly string[]) : []);
    return (field.choices ?? []).map(
      ({ value, label }, index) => html`<div class="ticked">
        <input
          id="${id}-${index}"
          type="checkbox"
          ?disabled=${form.phase !== "open"}
          .checked=${ticked.has(value)}
          @change=${(event: Event) => {
            if ((event.target as HTMLInputElement).checked) ticked.add(value);
            else ticked.delete(value);
            this.fill(form, field, [...ticked]);
          }}
        />
        <label for="${id}-${index}">${visibleLine(label)}</label>
      </div>`,
    );
  }

  private renderAnswers(form: OpenForm): TemplateResult {
    const usable = this.guard.armed && this.connected && form.phase === "open" ? "false" : "true";
    const button = (action: FormAction, words: string, title: string) =>
      html`<button
        class=${action === "accept" ? "primary" : ""}
        aria-disabled=${usable}
        title=${title}
        @click=${(event: MouseEvent) => this.answer(event, form, action)}
      >
        ${words}
      </button>`;
    return html`<div class="answers ${this.guard.armed ? "" : "unarmed"}">
        ${button("accept", "Send", "Send what you filled in")}
        ${button("decline", "Decline", "Tell the program that you don’t want to answer")}
        ${button("cancel", "Cancel", "Close the form without an answer")}
      </div>
      ${form.phase === "sending" ? html`<p class="behind" role="status">Sending…</p>` : nothing}`;
  }

  private answer(event: MouseEvent, form: OpenForm, action: FormAction): void {
    if (!this.guard.takes(event) || !this.connected || form.phase !== "open") return;
    this.actions.answerForm(form.request.formId, action, action === "accept" ? this.content(form) : undefined);
  }

  /** What the user gave. A field that was left alone and has nothing to begin with is not given. */
  private content(form: OpenForm): Record<string, unknown> {
    const given: [string, unknown][] = [];
    for (const field of form.request.fields) {
      const value = this.value(form, field);
      const isLeftAlone = !this.filled.get(form.request.formId)?.has(field.name) && field.default == null;
      if (value === "" || (isLeftAlone && !(field.kind === "boolean" && field.required))) continue;
      given.push([field.name, NUMBERS.has(field.kind) ? asNumber(String(value)) : value]);
    }
    return Object.fromEntries(given);
  }

  private value({ request }: OpenForm, field: FormField): Value {
    const filled = this.filled.get(request.formId)?.get(field.name);
    if (filled !== undefined) return filled;
    const { default: begins } = field;
    if (field.kind === "boolean") return begins === true;
    if (field.kind === "choices") return Array.isArray(begins) ? begins.map(String) : [];
    return begins == null ? "" : String(begins);
  }

  private fill({ request }: OpenForm, field: FormField, value: Value): void {
    const filled = this.filled.get(request.formId) ?? new Map<string, Value>();
    this.filled.set(request.formId, filled.set(field.name, value));
    this.requestUpdate();
  }

  private isOfField({ request, error }: OpenForm): boolean {
    return request.fields.some(({ name }) => name === error?.field);
  }
}

interface Control {
  form: OpenForm;
  field: FormField;
  id: string;
  described: string;
  faulty: boolean;
}

const TYPES: Partial<Record<FormField["kind"], string>> = { email: "email", uri: "url", date: "date" };
const MODES: Partial<Record<FormField["kind"], string>> = { number: "decimal", integer: "numeric" };
const NUMBERS = new Set<FormField["kind"]>(["number", "integer"]);
const PLAIN_NUMBER = /^[+-]?\d+(\.\d+)?$/;

/** The number that is written there; what is none goes as it is, and the server says what is wrong with it. */
function asNumber(text: string): number | string {
  const trimmed = text.trim();
  return PLAIN_NUMBER.test(trimmed) ? Number(trimmed) : text;
}

/** What is asked of the value, in a few words. */
function hintOf({ kind, least, most }: FormField): string {
  const unit = kind === "choices" ? " choices" : NUMBERS.has(kind) ? "" : " characters";
  const shape = HINTS[kind] ?? "";
  const bounds =
    least != null && most != null
      ? `${least} to ${most}${unit}`
      : least != null
        ? `at least ${least}${unit}`
        : most != null
          ? `at most ${most}${unit}`
          : "";
  return [shape, bounds].filter((part) => part !== "").join(", ");
}

const HINTS: Partial<Record<FormField["kind"], string>> = {
  integer: "A whole number",
  number: "A number",
  date_time: "Such as 2026-01-31T12:00:00Z",
};

function hides({ askerName, behind, message, fields }: FormRequest): boolean {
  const lines = fields.flatMap(({ title, choices }) => [title, ...(choices ?? []).map(({ label }) => label)]);
  const blocks = fields.map(({ description }) => description ?? "");
  return (
    [askerName, behind ?? "", ...lines].some((text) => hidesSomething(text, "single")) ||
    [message, ...blocks].some((text) => hidesSomething(text))
  );
}

customElements.define("assent-forms", FormsView);
