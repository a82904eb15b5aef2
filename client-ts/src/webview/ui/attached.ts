import { css, html, nothing } from "lit";
import { visibleText } from "../../common/visible-text.js";
import type { Actions } from "../actions.js";
import { type Chip, type FoundFiles, goesAlong, mentionAt, whatGoes, withMention } from "../attaching.js";
import { OfferedList } from "./offered-list.js";
import { visible, visibleLine } from "./visible.js";

const styles = css`
  assent-attached {
    display: block;
  }
  assent-attached .chips {
    display: flex;
    flex-direction: column;
    gap: 4px;
    margin: 6px 0 0;
    padding: 0;
    list-style: none;
  }
  assent-attached .chip {
    display: flex;
    flex-wrap: wrap;
    gap: 2px 6px;
    align-items: center;
    border: 1px solid var(--line);
    border-radius: 6px;
    position: relative;
    min-height: 28px;
    padding: 2px 6px;
    padding-inline-end: 30px;
    font-size: 0.92em;
    overflow-wrap: anywhere;
  }
  assent-attached .chip.stays {
    border-color: var(--warn);
    background: var(--warn-bg);
    color: var(--warn-fg);
  }
  assent-attached .chip .remove {
    position: absolute;
    inset-block-start: 1px;
    inset-inline-end: 1px;
  }
`;

/** What goes along with the next message, and above the composer the files that fit what is written behind an @. */
export class Attached extends OfferedList<string> {
  static override properties = {
    attached: { attribute: false },
    found: { attribute: false },
    draft: {},
    actions: { attribute: false },
  };
  declare attached: readonly Chip[];
  declare found: FoundFiles | undefined;
  declare draft: string;
  declare actions: Actions;
  protected readonly listId = "files-offered";
  protected readonly looks = styles;
  /** What was asked for last; nothing while no file is being named. */
  private asked: string | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.composer?.addEventListener("input", this.look);
    this.composer?.addEventListener("click", this.look);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.composer?.removeEventListener("input", this.look);
    this.composer?.removeEventListener("click", this.look);
  }

  /** Only what was found for what stands there now. */
  protected get drawn(): readonly string[] {
    return this.asked !== undefined && this.found?.query === this.asked ? this.found.files : [];
  }

  protected override firstUpdated(): void {
    // It may have been written before this part of the page was there.
    this.look();
  }

  private readonly look = () => {
    const { field } = this;
    const query = field === null ? undefined : mentionAt(field.value, field.selectionStart);
    if (query === this.asked) return;
    this.asked = query;
    this.at = 0;
    if (query === undefined) this.actions.endFinding();
    else this.actions.findFiles(query);
    this.requestUpdate();
  };

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    if (changed.has("draft") && this.draft === "") this.look();
    super.updated(changed);
  }

  protected override render() {
    return html`${this.renderFiles()}${this.renderChips()}`;
  }

  private renderFiles() {
    const { length } = this.drawn;
    if (length === 0) return nothing;
    return this.renderList(
      `${length} ${length === 1 ? "file" : "files"}`,
      "Files",
      this.found?.more ? "There are more" : undefined,
    );
  }

  protected renderOne(path: string) {
    return html`<span class="mono">${visibleLine(path)}</span>`;
  }

  private renderChips() {
    if (this.attached.length === 0) return nothing;
    return html`<ul class="chips" aria-label="Goes along with the message">
      ${this.attached.map((chip) => this.renderChip(chip))}
    </ul>`;
  }

  private renderChip(chip: Chip) {
    const { path, size, warning, error, agreed } = chip;
    const stays = error !== undefined || (warning !== undefined && !agreed);
    return html`<li class="chip ${stays ? "stays" : ""}">
      <span class="mono">${visibleLine(path)}</span>
      ${size === undefined ? nothing : html`<span>${whatGoes(chip)}</span>`}
      ${error === undefined && size === undefined ? html`<span>is being looked at…</span>` : nothing}
      ${error === undefined ? nothing : html`<span>⚠ Not sent: ${visible(error)}.</span>`}
      ${
        warning === undefined
          ? nothing
          : html`<span>⚠ ${goesAlong(chip) ? "Goes along all the same." : "Not sent."} ${visible(warning)}</span>`
      }
      ${
        warning !== undefined && !agreed
          ? html`<button @click=${() => this.agree(chip)} aria-label="Send ${visibleText(path)} all the same">Send it all the same</button>`
          : nothing
      }
      <button class="remove plain" aria-label="Remove ${visibleText(path)}" @click=${() => this.leaveOut(path)}>×</button>
    </li>`;
  }

  /** The buttons go with what they do: the focus stays with the message. */
  private agree({ path, warningDigest }: Chip): void {
    this.actions.agreeToFile(path, warningDigest);
    this.field?.focus();
  }

  private leaveOut(path: string): void {
    this.actions.detach(path);
    this.field?.focus();
  }

  protected take(path: string): void {
    const { field } = this;
    if (field === null) return;
    const detail = withMention(field.value, field.selectionStart, path);
    this.asked = undefined;
    this.actions.attach(path);
    this.dispatchEvent(new CustomEvent("written", { detail }));
  }

  protected dismiss(): void {
    this.actions.endFinding();
  }
}

customElements.define("assent-attached", Attached);
