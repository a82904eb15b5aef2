import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { decisionLines, ENDINGS, entryText } from "../../common/history-words.js";
import type { HistoryFilters } from "../../common/page-messages.js";
import { type HistoryEntry, isHistoryPage } from "../../protocol/generated.js";
import type { Actions } from "../actions.js";
import type { PageState } from "../state.js";
import { panelStyles } from "./panel-styles.js";
import { shared } from "./theme.js";

/** More rows than this are not kept at once: the newest go, and one press brings them back. */
const MOST_ROWS = 500;
const DAY_MS = 86_400_000;
const OUTCOMES = [
  "allowed",
  "rejected",
  "denied_by_rule",
  "blocked",
  "timeout",
  "cancelled",
  "expired",
  "unusable",
] as const;

/** What was decided, or given and taken back for longer, newest first, page by page: by whom, why and when. */
export class HistoryPanel extends LitElement {
  static override properties = {
    said: { attribute: false },
    agents: { attribute: false },
    connected: {},
    actions: { attribute: false },
    entries: { state: true },
    opened: { state: true },
  };
  static override styles = [
    shared,
    panelStyles,
    css`
      form {
        display: flex;
        flex-wrap: wrap;
        gap: 4px 8px;
        align-items: end;
        margin-bottom: 8px;
      }
      label {
        display: flex;
        flex: 1 1 8em;
        flex-direction: column;
        min-width: 0;
        font-size: 0.92em;
      }
      /* A date is read whole. */
      label:has([type="date"]) {
        flex-basis: 10.5em;
      }
      /* The browser's own sign is black on every ground. */
      ::-webkit-calendar-picker-indicator {
        background: currentColor;
        clip-path: polygon(10% 30%, 90% 30%, 50% 75%);
        forced-color-adjust: none;
      }
      li {
        content-visibility: auto;
        contain-intrinsic-size: auto 5em;
      }
      .what {
        overflow-wrap: anywhere;
        font-weight: bold;
      }
      .facts {
        overflow-wrap: anywhere;
      }
      pre {
        margin-top: 4px;
      }
      .more {
        margin: 8px 0;
      }
    `,
  ];
  /** The host's latest answer. */
  declare said: PageState["history"];
  declare agents: PageState["agents"];
  declare connected: boolean;
  declare actions: Actions;
  declare entries: readonly HistoryEntry[] | undefined;
  /** The number of the entry of which everything is shown. */
  declare opened: number | undefined;
  private filters: HistoryFilters = {};
  private asked = 0;
  private isAsking = false;
  private goesOn = false;
  private hasLeft = false;
  private fault = "";

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.entries === undefined) this.look();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("said") && this.said?.id === `${this.asked}` && this.isAsking) this.take(this.said);
  }

  /** From the newest on, or from where the rows end. */
  private look(before?: number): void {
    if (!this.connected) return;
    this.asked += 1;
    this.isAsking = true;
    this.fault = "";
    const filters = before === undefined ? this.filters : { ...this.filters, before };
    this.actions.tell({ type: "historyLook", id: `${this.asked}`, filters });
    this.requestUpdate();
  }

  private take({ page, error, continues }: NonNullable<PageState["history"]>): void {
    this.isAsking = false;
    if (!isHistoryPage(page)) {
      this.fault = error || "The answer is not understood.";
      return;
    }
    const all = continues ? [...(this.entries ?? []), ...page.entries] : page.entries;
    this.hasLeft = continues === true && (this.hasLeft || all.length > MOST_ROWS);
    this.entries = all.slice(-MOST_ROWS);
    this.goesOn = page.more;
  }

  protected override render() {
    return html`${this.renderFilters()}
      <p role="status" class="facts">${this.stateWords()}</p>
      ${this.hasLeft ? html`<p class="more"><button @click=${() => this.look()}>Back to the newest</button></p>` : nothing}
      <ul aria-label="What was decided">
        ${repeat(
          this.entries ?? [],
          (entry) => entry.n,
          (entry) => this.renderEntry(entry),
        )}
      </ul>
      ${
        this.goesOn
          ? html`<p class="more"><button ?disabled=${this.isAsking || !this.connected} @click=${() => this.look(this.entries?.at(-1)?.n)}>Older</button></p>`
          : nothing
      }`;
  }

  private stateWords(): string {
    if (this.fault) return `The history could not be read: ${this.fault}`;
    if (this.isAsking) return "Looking…";
    if (this.entries === undefined) return "There is no connection to the server: it has the history.";
    if (this.entries.length > 0) return "";
    if (this.filters.stage) return "Nothing that fits is written down.";
    return Object.keys(this.filters).length > 0 ? "Nothing that fits was decided." : "Nothing was decided yet.";
  }

  private renderFilters(): TemplateResult {
    return html`<form role="search" aria-label="Find decisions" @submit=${this.submit} @change=${this.filter}>
      <label
        >What<select name="stage">
          <option value="">Decisions</option>
          <option value="granted">Given for longer</option>
          <option value="revoked">Taken back</option>
        </select></label
      >
      <label>Words<input name="text" type="search" autocomplete="off" /></label>
      <label
        >Agent<select name="agent">
          <option value="">All</option>
          ${this.agents.map(({ name }) => html`<option value=${name}>${name}</option>`)}
        </select></label
      >
      <label>Tool<input name="tool" autocomplete="off" list="tools" /></label>
      <datalist id="tools">${this.tools.map((tool) => html`<option value=${tool}></option>`)}</datalist>
      <label
        >Outcome<select name="ending" ?disabled=${this.filters.stage !== undefined}>
          <option value="">All</option>
          ${OUTCOMES.map((ending) => html`<option value=${ending}>${ENDINGS[ending]}</option>`)}
        </select></label
      >
      <label>From<input name="since" type="date" /></label>
      <label>To<input name="until" type="date" /></label>
      <button>Look</button>
    </form>`;
  }

  private get tools(): readonly string[] {
    return [...new Set(this.entries?.map((entry) => entry.tool))].sort();
  }

  private readonly submit = (event: Event) => {
    event.preventDefault();
    this.filter(event);
  };

  private readonly filter = (event: Event) => {
    const form = event.currentTarget as HTMLFormElement;
    const said = new Map([...new FormData(form)].map(([name, value]) => [name, String(value).trim()]));
    // What is given or taken back has no outcome; the choice of one comes back with the decisions.
    const { value } = form.elements.namedItem("ending") as HTMLSelectElement;
    said.set("ending", said.get("stage") ? "" : value);
    const { since, until, ...plain } = Object.fromEntries([...said].filter(([, value]) => value !== ""));
    this.filters = {
      ...plain,
      ...(since && { since: dayStart(since, 0) }),
      ...(until && { until: dayStart(until, DAY_MS) }),
    };
    this.look();
  };

  private renderEntry(entry: HistoryEntry): TemplateResult {
    const { label, description, detail } = decisionLines(entry);
    const isOpen = this.opened === entry.n;
    const name = isOpen ? "Less about it" : "All about it";
    const turn = () => {
      this.opened = isOpen ? undefined : entry.n;
    };
    return html`<li data-entry=${entry.n}>
      <p class="what"><bdi>${label}</bdi></p>
      <p>${description}</p>
      <p class="facts"><bdi>${detail}</bdi></p>
      <button class="plain" aria-expanded=${isOpen ? "true" : "false"} aria-label="${name}: ${label}" @click=${turn}>
        ${name}
      </button>
      ${isOpen ? html`<pre class="box" tabindex="0" role="group" aria-label="All about it">${entryText(entry)}</pre>` : nothing}
    </li>`;
  }
}

/** The beginning of that day, so much later, as the user's clock has it. */
function dayStart(day: string, later: number): string {
  const start = new Date(`${day}T00:00:00`);
  return Number.isNaN(start.getTime()) ? day : new Date(start.getTime() + later).toISOString();
}

customElements.define("assent-history", HistoryPanel);
