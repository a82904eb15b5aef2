import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import type { HostKind } from "../../common/page-messages.js";
import type { SessionInfo } from "../../protocol/generated.js";
import type { Actions } from "../actions.js";
import type { Chip, FoundFiles } from "../attaching.js";
import { ownCommands, writtenCommand } from "../own-commands.js";
import { type Guest, NO_GUEST } from "../state.js";
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
    host: { attribute: false },
    changing: { attribute: false },
    draft: { attribute: false },
    attached: { attribute: false },
    found: { attribute: false },
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
      .hint.changing {
        margin: 0 0 6px;
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
  declare host: HostKind;
  /** What stands there is an earlier message. */
  declare changing: boolean;
  declare draft: string;
  declare attached: readonly Chip[];
  declare found: FoundFiles | undefined;
  declare actions: Actions;

  override focus(): void {
    this.field?.focus();
  }

  /** Puts a text into the field and the cursor behind it. */
  async fill(text: string, caret = text.length): Promise<void> {
    this.changeDraft(text);
    await this.updateComplete;
    const field = this.field;
    field?.focus();
    field?.setSelectionRange(caret, caret);
  }

  /** A file begins to be named where the cursor is. */
  mention(): void {
    const { field } = this;
    if (field === null) return;
    const { selectionStart: start, selectionEnd: end, value } = field;
    field.focus();
    field.setRangeText(start === 0 || /\s/.test(value.charAt(start - 1)) ? "@" : " @", start, end, "end");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  protected override updated(changed: PropertyValues<this>): void {
    const field = this.field;
    if (changed.has("draft") && field && field.value !== this.draft) field.value = this.draft;
  }

  protected override render() {
    const { session } = this;
    const empty = this.draft.trim() === "";
    const does = this.command;
    const waits = this.running && !empty && does === undefined && (!this.changing || session?.isGuest === true);
    return html`${this.renderChanging()}<textarea
        aria-label="Message"
        dir="auto"
        rows="2"
        aria-describedby=${[this.changing && "changing", waits && "waits"].filter(Boolean).join(" ") || nothing}
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
      <assent-attached
        .attached=${this.attached}
        .found=${this.found}
        .draft=${this.draft}
        .actions=${this.actions}
        @written=${(event: CustomEvent<{ text: string; caret: number }>) => this.fill(event.detail.text, event.detail.caret)}
      ></assent-attached>
      <div class="footer">
        ${session ? html`<assent-mode-menu .mode=${session.mode} .actions=${this.actions}></assent-mode-menu>` : nothing}
        <span class="agent" title=${session?.agentName ?? ""}>${session ? visibleLine(session.agentName) : nothing}</span>
        <button class="plain" @click=${() => this.actions.pickFiles()}>Attach…</button>
        <span class="buttons">
          ${
            this.canStop
              ? html`<button ?disabled=${this.stopping} @click=${() => this.actions.stop()}>Stop</button>`
              : nothing
          }
          <button class="primary" ?disabled=${!this.canSend || empty} @click=${() => this.send()}>${does ? "Run" : "Send"}</button>
        </span>
      </div>
      <assent-guest
        .guest=${this.guest ?? NO_GUEST}
        .own=${this.isOwn ? ownCommands(this.host) : undefined}
        .agent=${session?.agentName}
        .draft=${this.draft}
        .canSend=${this.canSend}
        .actions=${this.actions}
      ></assent-guest>`;
  }

  private renderChanging() {
    if (!this.changing) return nothing;
    const what = this.session?.isGuest
      ? "It goes as a new message: this agent keeps what was said before."
      : "Sending it stops what goes on. The agent starts again from here and forgets what came after; what was done on disk stays.";
    return html`<p class="hint changing">
      <span id="changing"><strong>You are changing an earlier message.</strong> ${what}</span>
      <button class="plain" @click=${() => this.actions.keepMessage()}>Cancel</button>
    </p>`;
  }

  /** An agent of others has commands of its own, and no others. */
  private get isOwn(): boolean {
    return this.guest === undefined && this.session?.isGuest !== true;
  }

  private get command(): ReturnType<typeof writtenCommand> {
    return this.isOwn ? writtenCommand(this.draft, this.host) : undefined;
  }

  private get field(): HTMLTextAreaElement | null {
    return this.renderRoot.querySelector("textarea");
  }

  private changeDraft(text: string): void {
    this.draft = text;
    this.dispatchEvent(new CustomEvent<string>("draft", { detail: text }));
  }

  private onKey(event: KeyboardEvent): void {
    if (event.key === "Escape" && this.changing && !event.isComposing) this.actions.keepMessage();
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (!event.repeat) this.send();
  }

  private send(replaces = false): void {
    const text = this.draft.trim();
    const does = this.command;
    if (does && this.canSend) {
      this.changeDraft("");
      does.run(this.actions);
      return;
    }
    // What is still being looked at would stay behind without a word.
    if (text === "" || !this.canSend || this.actions.looksAtFiles()) return;
    this.changeDraft("");
    this.actions.send(text, replaces);
  }
}

customElements.define("assent-composer", Composer);
