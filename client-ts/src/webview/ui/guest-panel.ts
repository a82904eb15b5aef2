import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { visibleText } from "../../common/visible-text.js";
import type { AgentChoice, AgentSetting, SlashCommand } from "../../protocol/generated.js";
import type { Actions } from "../actions.js";
import { commandsOffered, isWritten, MOST_OFFERED } from "../commands-offered.js";
import type { Guest } from "../state.js";
import { visible, visibleLine } from "./visible.js";

const styles = css`
  :host {
    position: relative;
  }
  assent-guest {
    display: block;
  }
  assent-guest .settings {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 10px;
    margin-top: 6px;
    color: var(--muted);
    font-size: 0.92em;
  }
  assent-guest label {
    display: flex;
    gap: 4px;
    align-items: center;
    min-width: 0;
    max-width: 100%;
  }
  assent-guest select {
    min-width: 0;
    max-width: 100%;
    border: 1px solid var(--input-line);
    border-radius: 4px;
    padding: 2px;
    background: var(--vscode-dropdown-background, var(--input-bg));
    color: var(--vscode-dropdown-foreground, var(--input-fg));
    text-overflow: ellipsis;
  }
  assent-guest .danger {
    border: 1px solid var(--warn);
    border-radius: 4px;
    margin: 6px 0 0;
    padding: 6px 8px;
    background: var(--warn-bg);
    color: var(--warn-fg);
  }
  assent-guest .danger p {
    margin: 0 0 6px;
  }
  assent-guest .danger div {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
  }
  assent-guest .commands {
    position: absolute;
    inset-inline: 10px;
    bottom: calc(100% + 4px);
    z-index: 2;
    max-height: min(50vh, 320px);
    overflow-y: auto;
    border: 1px solid var(--line);
    border-radius: 6px;
    padding: 4px;
    background: var(--menu-bg);
    color: var(--menu-fg);
    box-shadow: 0 2px 10px rgb(0 0 0 / 30%);
  }
  assent-guest .command {
    border: 1px solid transparent;
    border-radius: 4px;
    padding: 4px 8px;
    cursor: pointer;
    overflow-wrap: anywhere;
  }
  assent-guest .command[aria-selected="true"] {
    border-color: var(--focus);
    background: var(--menu-active);
    color: var(--menu-active-fg);
  }
  assent-guest .command small {
    display: -webkit-box;
    overflow: hidden;
    font-size: 0.92em;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
  }
  assent-guest .more {
    padding: 4px 8px;
  }
`;

const LIST = "commands-offered";

/**
 * Below the composer: what can be chosen of an agent of others, the danger of it in words, and above it its slash commands.
 * It draws into the composer itself, because the field there names what it offers.
 */
export class GuestPanel extends LitElement {
  static override properties = {
    guest: { attribute: false },
    agent: {},
    draft: {},
    canSend: { attribute: false },
    actions: { attribute: false },
    at: { state: true },
    closed: { state: true },
    asked: { state: true },
  };
  declare guest: Guest;
  declare agent: string | undefined;
  declare draft: string;
  declare canSend: boolean;
  declare actions: Actions;
  declare at: number;
  declare closed: boolean;
  /** The dangerous choice that the user has to confirm first. */
  declare asked: { setting: AgentSetting; choice: AgentChoice } | undefined;

  constructor() {
    super();
    this.at = 0;
    this.closed = false;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const root = this.getRootNode() as ShadowRoot;
    const sheet = styles.styleSheet;
    if (sheet && !root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
    root.addEventListener("keydown", this.onKey, { capture: true });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.parentNode?.removeEventListener("keydown", this.onKey, { capture: true });
  }

  private get offered(): readonly SlashCommand[] {
    return this.closed ? [] : commandsOffered(this.draft, this.guest.commands);
  }

  private get field(): HTMLTextAreaElement | null {
    return (this.getRootNode() as ShadowRoot).querySelector("textarea");
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("draft")) return;
    this.at = 0;
    if (!this.draft.startsWith("/")) this.closed = false;
  }

  protected override updated(): void {
    const { field } = this;
    const shown = this.offered.length > 0;
    const set = (name: string, value: string) =>
      shown ? field?.setAttribute(name, value) : field?.removeAttribute(name);
    set("aria-controls", LIST);
    set("aria-autocomplete", "list");
    set("aria-activedescendant", `${LIST}-${this.at}`);
    this.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }

  protected override render() {
    return html`${this.renderCommands()}${this.renderDanger()}${this.renderSettings()}`;
  }

  private renderCommands() {
    const { offered } = this;
    if (offered.length === 0) return nothing;
    const drawn = offered.slice(0, MOST_OFFERED);
    const words = `${offered.length} ${offered.length === 1 ? "command" : "commands"} of ${this.agent ?? "the agent"}`;
    return html`<div class="commands">
      <div class="sr-only" role="status">${words}: arrow keys choose, Enter takes it, Escape closes.</div>
      <div id=${LIST} role="listbox" aria-label=${words}>
        ${drawn.map(
          (command, at) => html`<div
            class="command"
            id="${LIST}-${at}"
            role="option"
            aria-selected=${at === this.at ? "true" : "false"}
            @pointerdown=${(event: Event) => event.preventDefault()}
            @click=${() => this.take(command)}
          >
            <span class="mono">/${visibleLine(command.name)}</span>
            ${command.hint ? html` <span>${visibleLine(command.hint)}</span>` : nothing}
            ${command.description ? html`<small>${visible(command.description)}</small>` : nothing}
          </div>`,
        )}
      </div>
      ${drawn.length < offered.length ? html`<div class="more">${offered.length - drawn.length} more: write on to find them.</div>` : nothing}
    </div>`;
  }

  private renderDanger() {
    if (this.asked) return this.renderQuestion(this.asked);
    const { danger } = this.guest;
    return danger
      ? html`<div class="danger" role="note"><strong>⚠ Careful:</strong> ${visible(danger)}</div>`
      : nothing;
  }

  private renderQuestion({ setting, choice }: NonNullable<GuestPanel["asked"]>) {
    return html`<div class="danger" role="group" aria-label="Set “${visibleText(choice.name)}”?">
      <p><strong>⚠ ${visibleLine(setting.name)}: ${visibleLine(choice.name)}?</strong> ${visible(choice.danger ?? "")}</p>
      <div>
        <button class="keep" @click=${() => this.answer(false)}>Leave it as it is</button>
        <button ?disabled=${!this.canSend} @click=${() => this.answer(true)}>Set it all the same</button>
      </div>
    </div>`;
  }

  private renderSettings() {
    const { settings } = this.guest;
    if (settings.length === 0) return nothing;
    return html`<div class="settings" role="group" aria-label="Settings of ${this.agent ?? "the agent"}">
      ${settings.map((setting) => this.renderSetting(setting))}
    </div>`;
  }

  private renderSetting(setting: AgentSetting) {
    const { name, choices, current } = setting;
    const known = choices.some(({ choiceId }) => choiceId === current);
    return html`<label
      ><span>${setting.isMode ? html`${visibleLine(this.agent ?? "")}: ` : nothing}${visibleLine(name)}</span>
      <select ?disabled=${!this.canSend} @change=${(event: Event) => this.choose(setting, event.target as HTMLSelectElement)}>
        ${known ? nothing : html`<option value="" selected>${visibleText(current ?? "not known")}</option>`}
        ${choices.map(
          (choice) => html`<option
            value=${choice.choiceId}
            title=${visibleText(choice.danger ?? choice.description)}
            .selected=${choice.choiceId === current}
          >
            ${choice.danger ? "⚠ " : ""}${visibleText(choice.name)}
          </option>`,
        )}
      </select></label
    >`;
  }

  /** The list goes on showing what is so: the agent says when that is another choice. */
  private async choose(setting: AgentSetting, list: HTMLSelectElement): Promise<void> {
    const choice = setting.choices.find(({ choiceId }) => choiceId === list.value);
    list.value = setting.current ?? "";
    if (choice === undefined || choice.choiceId === setting.current) return;
    this.asked = choice.danger ? { setting, choice } : undefined;
    if (choice.danger) {
      await this.updateComplete;
      this.querySelector<HTMLElement>(".keep")?.focus();
    } else this.actions.chooseForAgent(setting.settingId, choice.choiceId, false);
  }

  private answer(yes: boolean): void {
    const { asked } = this;
    this.asked = undefined;
    this.field?.focus();
    if (yes && asked) this.actions.chooseForAgent(asked.setting.settingId, asked.choice.choiceId, true);
  }

  private take(command: SlashCommand): void {
    this.actions.fillComposer(`/${command.name} `);
  }

  private readonly onKey = (event: Event) => {
    const { offered } = this;
    const { key, isComposing, shiftKey, altKey } = event as KeyboardEvent;
    if (event.target !== this.field || offered.length === 0 || isComposing || shiftKey || altKey) return;
    const drawn = Math.min(offered.length, MOST_OFFERED);
    const chosen = offered[this.at];
    // Written out in full it is a message like any other.
    if (key === "Enter" && isWritten(this.draft, chosen)) return;
    if (key === "ArrowDown") this.at = (this.at + 1) % drawn;
    else if (key === "ArrowUp") this.at = (this.at - 1 + drawn) % drawn;
    else if (key === "Escape") this.closed = true;
    else if ((key === "Enter" || key === "Tab") && chosen) this.take(chosen);
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
}

customElements.define("assent-guest", GuestPanel);
