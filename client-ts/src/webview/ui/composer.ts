import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import type { SessionInfo } from "../../protocol/generated.js";
import type { Actions } from "../actions.js";
import type { Guest } from "../state.js";
import "./mode-menu.js";
import { shared } from "./theme.js";
import { visibleLine } from "./visible.js";

/** Where the user writes. Enter sends the message and nothing else; during a run it waits, or takes the run's place. */
export class Composer extends LitElement {
  static override properties = {
    session: { attribute: false },
    canStop: { attribute: false },
    running: { attribute: false },
    stopping: { attribute: false },
    canSend: { attribute: false },
    modeFromNextMessage: { attribute: false },
    guest: { attribute: false },
    draft: { attribute: false },
    actions: { attribute: false },
  };
  static override styles = [
    shared,
    css`
      :host {
        border-top: 1px solid var(--line);
        padding: 8px 10px;
      }
      textarea {
        display: block;
        width: 100%;
        min-height: 3.6em;
        max-height: 30vh;
        field-sizing: content;
        resize: none;
        border: 1px solid var(--input-line);
        border-radius: 4px;
        padding: 6px 8px;
        background: var(--input-bg);
        color: var(--input-fg);
      }
      textarea::placeholder {
        color: var(--placeholder);
        opacity: 1;
      }
      textarea:focus {
        outline: 1px solid var(--focus);
        outline-offset: -1px;
      }
      .footer {
        display: flex;
        flex-wrap: wrap;
        gap: 6px 8px;
        align-items: center;
        margin-top: 6px;
      }
      .agent {
        flex: 1 1 0;
        min-width: 3em;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
        color: var(--muted);
      }
      .buttons {
        display: flex;
        gap: 6px;
        margin-inline-start: auto;
      }
      .hint {
        margin: 6px 0 0;
        color: var(--muted);
      }
    `,
  ];
  declare session: SessionInfo | undefined;
  declare canStop: boolean;
  declare running: boolean;
  declare stopping: boolean;
  declare canSend: boolean;
  declare modeFromNextMessage: boolean;
  declare guest: Guest | undefined;
  declare draft: string;
  declare actions: Actions;

  /** Puts a text into the field and the cursor behind it. */
  async fill(text: string): Promise<void> {
    this.changeDraft(text);
    await this.updateComplete;
    const field = this.field;
    field?.focus();
    field?.setSelectionRange(text.length, text.length);
  }

  protected override updated(changed: PropertyValues<this>): void {
    const field = this.field;
    if (changed.has("draft") && field && field.value !== this.draft) field.value = this.draft;
  }

  protected override render() {
    const { session } = this;
    const empty = this.draft.trim() === "";
    const waits = this.running && !empty;
    return html`<textarea
        aria-label="Message"
        rows="2"
        aria-describedby=${waits ? "waits" : nothing}
        placeholder="Ask the agent…"
        @input=${() => this.changeDraft(this.field?.value ?? "")}
        @keydown=${this.onKey}
      ></textarea>
      ${
        this.modeFromNextMessage
          ? html`<p class="hint">
              The looser mode counts from your next message.
              <button class="plain" @click=${() => session && this.actions.setMode(session.mode, true)}>Apply now</button>
            </p>`
          : nothing
      }
      ${
        waits
          ? html`<p class="hint">
              <span id="waits">Sent when this run has ended.</span>
              <button class="plain" ?disabled=${!this.canSend} @click=${() => this.send(true)}>Stop and send</button>
            </p>`
          : nothing
      }
      <div class="footer">
        ${session ? html`<assent-mode-menu .mode=${session.mode} .actions=${this.actions}></assent-mode-menu>` : nothing}
        <span class="agent" title=${session?.agentName ?? ""}>${session ? visibleLine(session.agentName) : nothing}</span>
        <span class="buttons">
          ${
            this.canStop
              ? html`<button ?disabled=${this.stopping} @click=${() => this.actions.stop()}>Stop</button>`
              : nothing
          }
          <button class="primary" ?disabled=${!this.canSend || empty} @click=${() => this.send()}>Send</button>
        </span>
      </div>
      ${
        this.guest
          ? html`<assent-guest .guest=${this.guest} .agent=${session?.agentName} .draft=${this.draft} .canSend=${this.canSend} .actions=${this.actions}></assent-guest>`
          : nothing
      }`;
  }

  private get field(): HTMLTextAreaElement | null {
    return this.renderRoot.querySelector("textarea");
  }

  private changeDraft(text: string): void {
    this.draft = text;
    this.dispatchEvent(new CustomEvent<string>("draft", { detail: text }));
  }

  private onKey(event: KeyboardEvent): void {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (!event.repeat) this.send();
  }

  private send(replaces = false): void {
    const text = this.draft.trim();
    if (text === "" || !this.canSend) return;
    this.changeDraft("");
    this.actions.send(text, replaces);
  }
}

customElements.define("assent-composer", Composer);
