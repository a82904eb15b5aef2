import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { hidesSomething } from "../../common/visible-text.js";
import type { EditForm } from "../edit.js";
import { shared } from "./theme.js";
import { visible } from "./visible.js";

/** Where a call is changed before it is approved. What is written stays until the card is gone. */
export class EditField extends LitElement {
  static override properties = { form: { attribute: false }, fault: { attribute: false }, text: { state: true } };
  static override styles = [
    shared,
    css`
      label {
        display: block;
        color: var(--muted);
      }
      textarea {
        display: block;
        width: 100%;
        min-height: 5em;
        max-height: 40vh;
        field-sizing: content;
        resize: vertical;
        margin-top: 2px;
        padding: 6px 8px;
        font-family: var(--mono);
        font-size: var(--mono-size);
      }
      p {
        margin: 6px 0 2px;
      }
      .fault {
        border: 1px solid var(--error);
        border-radius: 4px;
        padding: 6px 8px;
        background: var(--error-bg);
        color: var(--error-fg);
      }
    `,
  ];
  declare form: EditForm;
  declare fault: string | undefined;
  declare text: string | undefined;

  /** What would be sent. */
  get written(): string {
    return this.text ?? this.form.text;
  }

  override focus(): void {
    this.field?.focus();
  }

  protected override updated(_changed: PropertyValues<this>): void {
    if (this.field && this.field.value !== this.written) this.field.value = this.written;
  }

  protected override render() {
    return html`<label for="text">${this.form.label}, as it is to run</label>
      <textarea
        id="text"
        spellcheck="false"
        autocomplete="off"
        aria-describedby="fault"
        aria-invalid=${this.fault ? "true" : "false"}
        @input=${this.changed}
      ></textarea>
      ${
        hidesSomething(this.written)
          ? html`<p>It holds characters that cannot be seen or that look like others:</p>
              <pre class="box" tabindex="0" role="group" aria-label="With hidden characters shown">${visible(this.written)}</pre>`
          : nothing
      }
      <div id="fault" role="alert">${this.fault ? html`<p class="fault">${visible(this.fault)}</p>` : nothing}</div>`;
  }

  private get field(): HTMLTextAreaElement | null {
    return this.renderRoot?.querySelector("textarea") ?? null;
  }

  private readonly changed = () => {
    this.text = this.field?.value ?? "";
    this.dispatchEvent(new CustomEvent("edited"));
  };
}

customElements.define("assent-edit-field", EditField);
