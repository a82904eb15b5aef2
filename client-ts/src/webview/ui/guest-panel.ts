import { css, html, nothing, type PropertyValues } from "lit";
import { visibleText } from "../../common/visible-text.js";
import type { AgentChoice, AgentSetting, SlashCommand } from "../../protocol/generated.js";
import type { Actions } from "../actions.js";
import { commandsOffered, isCommandLike, isWritten, MOST_OFFERED } from "../commands-offered.js";
import type { Guest } from "../state.js";
import { OfferedList } from "./offered-list.js";
import { visible, visibleLine } from "./visible.js";

const styles = css`
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
`;

/**
 * Below the composer: what can be chosen of an agent of others, the danger of it in words, and above it the slash
 * commands: its own, or where the agent is none of others, those of the page.
 */
export class GuestPanel extends OfferedList<SlashCommand> {
  static override properties = {
    guest: { attribute: false },
    own: { attribute: false },
    agent: {},
    draft: {},
    canSend: { attribute: false },
    actions: { attribute: false },
    closed: { state: true },
    asked: { state: true },
  };
  declare guest: Guest;
  /** The commands of the page itself. */
  declare own: readonly SlashCommand[] | undefined;
  declare agent: string | undefined;
  declare draft: string;
  declare canSend: boolean;
  declare actions: Actions;
  declare closed: boolean;
  /** The dangerous choice that the user has to confirm first. */
  declare asked: { setting: AgentSetting; choice: AgentChoice } | undefined;
  protected readonly listId = "commands-offered";
  protected readonly looks = styles;

  constructor() {
    super();
    this.closed = false;
  }

  private get offered(): readonly SlashCommand[] {
    return this.closed
      ? []
      : commandsOffered(this.own ? this.draft.trimEnd() : this.draft, this.own ?? this.guest.commands);
  }

  protected get drawn(): readonly SlashCommand[] {
    return this.offered.slice(0, MOST_OFFERED);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("draft")) return;
    this.at = 0;
    if (!this.draft.startsWith("/")) this.closed = false;
  }

  protected override render() {
    return html`${this.renderCommands()}${this.renderDanger()}${this.renderSettings()}`;
  }

  private renderCommands() {
    const { length } = this.offered;
    if (length === 0) return this.renderUnknown();
    const whose = this.own ? "Assent" : (this.agent ?? "the agent");
    const words = `${length} ${length === 1 ? "command" : "commands"} of ${whose}`;
    return this.renderList(words, words, length > MOST_OFFERED ? `${length - MOST_OFFERED} more` : undefined);
  }

  protected renderOne({ name, hint, description }: SlashCommand) {
    return html`<span class="mono">/${visibleLine(name)}</span>
      ${hint ? html` <span>${visibleLine(hint)}</span>` : nothing}
      ${description ? html`<small>${visible(description)}</small>` : nothing}`;
  }

  private renderUnknown() {
    if (this.own === undefined || this.closed || !isCommandLike(this.draft)) return nothing;
    return html`<div class="commands"><div class="more" role="status">No such command: it is sent as it is.</div></div>`;
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

  protected take(command: SlashCommand): void {
    // What follows is written on; those of the page take nothing more, and are run by the next Enter.
    this.actions.fillComposer(`/${command.name}${this.own ? "" : " "}`);
  }

  protected dismiss(): void {
    this.closed = true;
  }

  /** Written out in full it is a message like any other. */
  protected override isWritten(chosen: SlashCommand | undefined): boolean {
    return isWritten(this.own ? this.draft.trimEnd() : this.draft, chosen);
  }
}

customElements.define("assent-guest", GuestPanel);
