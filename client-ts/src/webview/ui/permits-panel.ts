import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { visibleText } from "../../common/visible-text.js";
import type { GrantInfo } from "../../protocol/generated.js";
import type { Actions } from "../actions.js";
import type { PageState } from "../state.js";
import { endWords, momentWords } from "../time-words.js";
import { panelStyles } from "./panel-styles.js";
import { shared } from "./theme.js";
import "./ticking.js";
import { visible, visibleLine } from "./visible.js";

/** Everything that runs without asking: since when, how long, where it is stored, and the way to take it back. */
export class PermitsPanel extends LitElement {
  static override properties = { state: { attribute: false }, actions: { attribute: false } };
  static override styles = [
    shared,
    panelStyles,
    css`
      .never {
        margin-top: 12px;
      }
      .never + ul {
        margin-top: 6px;
      }
    `,
  ];
  declare state: PageState;
  declare actions: Actions;
  private isOpen = false;

  protected override updated(): void {
    const { permitsOpen } = this.state;
    if (permitsOpen && !this.isOpen) this.renderRoot.querySelector<HTMLElement>("section")?.focus();
    this.isOpen = permitsOpen;
  }

  protected override render() {
    const { permits, permitsOpen } = this.state;
    if (!permitsOpen) return nothing;
    return html`<section role="region" tabindex="-1" aria-label="What is allowed" @keydown=${this.onKey}>
      <div class="top">
        <h2>What is allowed without asking</h2>
        <button @click=${this.close}>Close</button>
      </div>
      <div class="lists" tabindex="0" role="group" aria-label="All of it">${permits ? this.renderLists(permits) : html`<p>Asking the server…</p>`}</div>
    </section>`;
  }

  private renderLists(permits: readonly GrantInfo[]): TemplateResult {
    const bans = permits.filter(isBan);
    const allowed = permits.filter((grant) => !isBan(grant));
    return html`${allowed.length > 0 ? this.renderList(allowed, "What is allowed") : html`<p>${NOTHING}</p>`}
      ${bans.length > 0 ? html`<h2 class="never">${NEVER}</h2>${this.renderList(bans, NEVER)}` : nothing}`;
  }

  private renderList(grants: readonly GrantInfo[], label: string): TemplateResult {
    return html`<ul aria-label=${label}>
      ${repeat(
        grants,
        (one) => one.grantId,
        (one) => this.renderOne(one),
      )}
    </ul>`;
  }

  private renderOne(grant: GrantInfo): TemplateResult {
    const { connection, removing } = this.state;
    const goes = removing.includes(grant.grantId);
    const remove = isBan(grant) ? "Remove this ban" : "Remove";
    return html`<li data-grant-id=${grant.grantId}>
      <p>${visible(grant.text)}</p>
      <p class="facts">${this.reach(grant)}${grant.agentName ? html` · ${visibleLine(grant.agentName)}` : nothing}</p>
      ${grant.effective === false ? html`<p><strong>Has no effect</strong> until you agree to it.</p>` : nothing}
      ${grant.givenAt ? html`<p class="facts">Given ${momentWords(grant.givenAt)}${grant.givenOn ? html` on the card “${visibleLine(grant.givenOn)}”` : nothing}</p>` : nothing}
      <p class="facts">${usedWords(grant)}</p>
      ${grant.ends ? html`<p class="facts"><assent-ticking .since=${grant.ends} .words=${(passed: number) => endWords(grant.ends, passed)}></assent-ticking></p>` : nothing}
      ${this.renderStored(grant)}
      <button
        aria-label="${remove}: ${visibleText(grant.text)}"
        ?disabled=${goes || connection.state !== "ready"}
        @click=${() => this.takeBack(grant.grantId)}
      >
        ${goes ? "Removing…" : remove}
      </button>
    </li>`;
  }

  /** The button goes away with what it removes: the focus stays in the panel. */
  private takeBack(grantId: string): void {
    this.renderRoot.querySelector<HTMLElement>("section")?.focus();
    this.actions.removeGrant(grantId);
  }

  private reach({ scope, sessionId }: GrantInfo): string {
    const { session, chats } = this.state;
    if (scope === "user") return "In every workspace";
    if (scope === "workspace") return "In this workspace";
    if (sessionId === session?.sessionId) return "In this chat";
    const title = chats.find((chat) => chat.sessionId === sessionId)?.title;
    return title ? `In the chat “${visibleText(title.slice(0, 60))}”` : "In another chat";
  }

  private renderStored({ setting, file, line }: GrantInfo): TemplateResult | typeof nothing {
    if (!setting && !file) return nothing;
    const place = file ? `${file}${line ? `:${line}` : ""}` : "";
    const canOpen = file && this.state.host === "editor";
    return html`<p class="facts">
      Stored in ${setting ? html`<span class="mono">${visibleLine(setting)}</span> ` : nothing}${
        canOpen
          ? html`<button class="plain mono" @click=${() => this.actions.openFile(file, line ?? undefined)}>${visibleLine(place)}</button>`
          : html`<span class="mono">${visibleLine(place)}</span>`
      }
    </p>`;
  }

  private readonly onKey = (event: KeyboardEvent) => {
    if (event.key === "Escape") this.close();
  };

  private readonly close = () => this.actions.openPermits(false);
}

const NEVER = "What is never allowed";

/** Whether it forbids: what stands in the list is what never runs. */
function isBan({ kind }: GrantInfo): boolean {
  return kind === "deny_rule";
}

const NOTHING = "Nothing: every call that is not plain reading asks first.";

function usedWords({ used, lastUsedAt }: GrantInfo): string {
  if (!used) return "Not used yet";
  const times = used === 1 ? "Used once" : `Used ${used} times`;
  return lastUsedAt ? `${times}, last ${momentWords(lastUsedAt)}` : times;
}

customElements.define("assent-permits", PermitsPanel);
