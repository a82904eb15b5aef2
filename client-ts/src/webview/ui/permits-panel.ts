import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { isPermissionsOverview, isSandboxStanding } from "../../protocol/generated.js";
import type { Actions } from "../actions.js";
import type { PageState } from "../state.js";
import "./history-panel.js";
import { panelStyles } from "./panel-styles.js";
import { answers, locks, sandbox } from "./permits-answers.js";
import { lists } from "./permits-lists.js";
import { bypasses, modes } from "./permits-switches.js";
import type { Confirmation, PermitsView } from "./permits-view.js";
import { PressGuard } from "./press-guard.js";
import { shared } from "./theme.js";

/** How often what is open asks whether it is still so: settings also change by hand. */
const LOOK_EVERY_MS = 4000;

/** Everything that decides what runs without asking, where each comes from, and the way to take it back. */
export class PermitsPanel extends LitElement {
  static override properties = {
    state: { attribute: false },
    actions: { attribute: false },
    asking: { state: true },
    history: { state: true },
  };
  static override styles = [
    shared,
    panelStyles,
    css`
      section {
        max-height: 80vh;
      }
      .all {
        display: flow-root;
      }
      .all h2 {
        margin: 14px 0 4px;
      }
      .all > h2:first-child {
        margin-top: 0;
      }
      .row {
        display: flex;
        flex-wrap: wrap;
        gap: 4px 8px;
        align-items: center;
        justify-content: space-between;
        margin-top: 4px;
      }
      .row strong {
        min-width: 0;
        overflow-wrap: anywhere;
      }
      li.on {
        border-color: var(--warn);
        background: var(--warn-bg);
        color: var(--warn-fg);
      }
      li.on .facts {
        color: inherit;
      }
      .remark {
        border-inline-start: 3px solid var(--warn);
        padding-inline-start: 6px;
      }
      .warning,
      .locks li {
        margin-top: 6px;
        border: 1px solid var(--warn);
        border-radius: 4px;
        padding: 6px 8px;
        background: var(--warn-bg);
        color: var(--warn-fg);
      }
      .locks .facts {
        color: inherit;
      }
      .answers {
        display: flex;
        flex-wrap: wrap;
        gap: 6px;
        margin-top: 6px;
      }
      .danger {
        border-color: var(--warn);
      }
      .unarmed button[aria-disabled] {
        pointer-events: none;
      }
    `,
  ];
  declare state: PageState;
  declare actions: Actions;
  declare asking: Confirmation | undefined;
  /** What was decided is shown, instead of what decides. */
  declare history: boolean | undefined;
  private isOpen = false;
  private wanted: PageState["permitsShown"];
  private shown = "";
  private looking: ReturnType<typeof setInterval> | undefined;
  private readonly guard = new PressGuard(this, ".all");

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.looking);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const { permitsOpen, permitsShown } = this.state;
    if (permitsOpen !== this.isOpen) this.opened(permitsOpen);
    if (permitsShown !== this.wanted) this.history = permitsShown?.history === true;
    this.wanted = permitsShown;
    const shown = permitsOpen ? this.whatStands() : "";
    // What is another thing now, or asks for something else, takes no press that was meant for the one before.
    if (shown !== this.shown || changed.has("asking")) this.guard.disturb();
    this.shown = shown;
  }

  protected override updated(): void {
    const { permitsOpen } = this.state;
    if (permitsOpen && !this.isOpen) this.focusAll();
    this.isOpen = permitsOpen;
  }

  private opened(open: boolean): void {
    clearInterval(this.looking);
    this.asking = undefined;
    if (!open) {
      this.history = false;
      return;
    }
    this.look();
    this.looking = setInterval(() => document.visibilityState === "visible" && this.look(), LOOK_EVERY_MS);
  }

  private look(): void {
    if (this.state.connection.state === "ready") this.actions.tell({ type: "permissionsLook" });
  }

  /** What its buttons are about, in their order. */
  private whatStands(): string {
    const { state } = this;
    const { overview } = this.told();
    return JSON.stringify([
      state.permits?.map((grant) => [grant.grantId, grant.digest]),
      overview && [
        overview.bypasses.map((one) => one.digest),
        overview.answers.map((one) => one.answerId),
        overview.mode,
      ],
    ]);
  }

  private told(): Pick<PermitsView, "overview" | "sandbox"> {
    const { overview, sandbox } = this.state.permissions ?? {};
    return {
      overview: isPermissionsOverview(overview) ? overview : undefined,
      sandbox: isSandboxStanding(sandbox) ? sandbox : undefined,
    };
  }

  protected override render() {
    if (!this.state.permitsOpen) return nothing;
    return html`<section role="region" tabindex="-1" aria-label="What is allowed" @keydown=${this.onKey}>
      <div class="top">
        <h2>${this.history ? "History" : "Permissions"}</h2>
        <button @click=${this.turn}>${this.history ? "Permissions" : "History"}</button>
        <button @click=${this.close}>Close</button>
      </div>
      <div class="lists" tabindex="0" role="group" aria-label="All of it">
        ${this.history ? this.renderHistory() : this.renderPermits()}
      </div>
    </section>`;
  }

  private renderHistory(): TemplateResult {
    const { history, agents, connection } = this.state;
    return html`<assent-history
      .said=${history}
      .agents=${agents}
      .connected=${connection.state === "ready"}
      .actions=${this.actions}
    ></assent-history>`;
  }

  private renderPermits(): TemplateResult {
    return html`<div
          class="all ${this.guard.armed ? "" : "unarmed"}"
          @pointerdown=${this.guard.pressed}
          @keydown=${this.guard.pressed}
        >
          ${this.renderAll(this.view)}
        </div>`;
  }

  private get view(): PermitsView {
    const { state, actions, asking } = this;
    const connected = state.connection.state === "ready";
    return {
      state,
      ...this.told(),
      actions,
      usable: this.guard.armed && connected,
      asking,
      press: (event, action, stays) => {
        if (!this.guard.takes(event) || !connected) return;
        // Where its button goes with it, the focus stays in the panel.
        if (!stays) this.focusAll();
        action();
      },
      ask: (confirmation) => {
        if (this.asking && !confirmation) this.focusAll();
        this.asking = confirmation;
      },
    };
  }

  private renderAll(view: PermitsView): TemplateResult {
    const { permits } = this.state;
    return html`${locks(view)} ${modes(view)} ${bypasses(view)}
      ${permits ? lists(view, permits) : html`<p>Asking the server…</p>`} ${answers(view)} ${sandbox(view)}`;
  }

  private focusAll(): void {
    this.renderRoot.querySelector<HTMLElement>("section")?.focus();
  }

  private readonly onKey = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    if (this.asking) this.asking = undefined;
    else this.close();
  };

  private readonly turn = () => {
    this.history = !this.history;
    this.asking = undefined;
    this.focusAll();
  };

  private readonly close = () => this.actions.openPermits(false);
}

customElements.define("assent-permits", PermitsPanel);
