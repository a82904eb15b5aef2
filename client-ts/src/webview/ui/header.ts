import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { visibleText } from "../../common/visible-text.js";
import type { GrantEnd, GrantInfo } from "../../protocol/generated.js";
import type { Actions } from "../actions.js";
import { titleOf } from "../chat-words.js";
import { type PageState, permitsOfChat, waitingElsewhere } from "../state.js";
import { shellsInBackground } from "../store-shells.js";
import { shortEnd } from "../time-words.js";
import { shared } from "./theme.js";
import "./ticking.js";
import { visibleLine } from "./visible.js";

/** Above the chat: the state of the connection, the chats, and what runs without asking. */
export class Header extends LitElement {
  static override properties = { state: { attribute: false }, actions: { attribute: false } };
  static override styles = [
    shared,
    css`
      .banner {
        border-bottom: 1px solid var(--warn);
        padding: 8px 10px;
        background: var(--warn-bg);
        color: var(--warn-fg);
      }
      .banner.failed {
        border-color: var(--error);
        background: var(--error-bg);
        color: var(--error-fg);
      }
      .banner.starting,
      .banner.quiet {
        border-color: var(--line);
        background: none;
        color: var(--muted);
      }
      .banner p {
        margin: 0;
        overflow-wrap: anywhere;
        white-space: pre-line;
      }
      .banner div {
        display: flex;
        flex-wrap: wrap;
        gap: 6px;
        margin-top: 6px;
      }
      .chips {
        border-bottom: 1px solid var(--line);
      }
      .group {
        display: contents;
      }
      .chip {
        display: flex;
        gap: 4px;
        align-items: center;
        max-width: 100%;
        border: 1px solid var(--line);
        border-radius: 10px;
        padding-inline-start: 8px;
        font-size: 0.92em;
      }
      .chip .text {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      .chip assent-ticking {
        flex: none;
        color: var(--muted);
      }
      .chip button {
        flex: none;
        border-color: transparent;
        border-radius: 10px;
        padding: 1px 8px;
        background: none;
        color: inherit;
      }
    `,
  ];
  declare state: PageState;
  declare actions: Actions;

  protected override render() {
    return html`${this.renderConnection()}<assent-chat-tabs .state=${this.state} .actions=${this.actions}></assent-chat-tabs>${this.renderElsewhere()} ${this.renderPlace()} ${this.renderBypass()} ${this.renderChips()}`;
  }

  /** The panel goes away with the button that closed it: the focus goes back to what opened it. */
  protected override updated(changed: PropertyValues<this>): void {
    const before = changed.get("state");
    if (before === undefined || this.state.shellsOpen || this.state.permitsOpen) return;
    const opener = before.shellsOpen ? ".shells" : before.permitsOpen ? ".group > button" : undefined;
    if (opener !== undefined) this.renderRoot.querySelector<HTMLElement>(opener)?.focus();
  }

  private renderConnection() {
    const { state, text, actions } = this.state.connection;
    if (state === "ready") return nothing;
    return html`<div class="banner ${state}" role="status">
      <p>${visibleLine(text)}</p>
      ${
        actions.length > 0
          ? html`<div>
              ${actions.map((action) => html`<button @click=${() => this.actions.host(action)}>${ACTION_WORDS[action]}</button>`)}
            </div>`
          : nothing
      }
    </div>`;
  }

  private renderElsewhere() {
    const chat = waitingElsewhere(this.state);
    if (chat === undefined) return nothing;
    const { waiting, sessionId } = chat;
    return html`<div class="banner" role="status" data-elsewhere>
      <p>
        ${waiting === 1 ? "1 call waits" : `${waiting} calls wait`} for your approval in another chat:
        ${visibleLine(titleOf(chat, this.state.chats))}
      </p>
      <div><button @click=${() => this.actions.showChat(sessionId)}>Show that chat</button></div>
    </div>`;
  }

  /** Where the chat works, where that is not simply what the editor has open. */
  private renderPlace() {
    const { ownFolder, unreachable } = this.state.session ?? {};
    if (!ownFolder && !unreachable) return nothing;
    return html`<div class="banner quiet" role="status" data-place>
      <p>${
        unreachable
          ? html`Agents cannot work in ${visibleLine(unreachable.join(", "))}: it is not on this machine’s disk. `
          : "No folder is open. "
      }${ownFolder ? html`This chat works in a folder of its own, which is deleted with the chat: ${visibleLine(ownFolder)}` : nothing}</p>
      ${
        ownFolder && this.state.host === "editor"
          ? html`<div><button @click=${() => this.actions.host("openFolder")}>${ACTION_WORDS.openFolder}</button></div>`
          : nothing
      }
    </div>`;
  }

  private renderBypass() {
    const { session } = this.state;
    if (!session?.bypassAgent && !session?.bypassSession) return nothing;
    const { agentName: agent, bypassAgent, sessionId } = session;
    const reach = bypassAgent ? "in every chat" : "in this chat";
    return html`<div class="banner" data-bypass>
      <p><strong>Bypass is on:</strong> ${visibleLine(agent)} runs without asking ${reach}.</p>
      <div>
        <button @click=${() => this.actions.tell({ type: "bypassSet", agent, on: false, sessionId })}>Turn off</button>
      </div>
    </div>`;
  }

  private renderChips() {
    const parts = [this.renderShells(), this.renderGrants()];
    return parts.every((part) => part === nothing) ? nothing : html`<div class="bar chips">${parts}</div>`;
  }

  private renderShells() {
    const { running, ended } = shellsInBackground(this.state);
    const { shellsOpen } = this.state;
    if (running.length + ended.length === 0 && !shellsOpen) return nothing;
    return html`<button
      class="plain shells"
      aria-expanded=${shellsOpen ? "true" : "false"}
      @click=${() => this.actions.openShells(!shellsOpen)}
    >
      ${running.length > 0 ? html`<span aria-hidden="true">◑</span> ${running.length} in background` : "Background commands"}
    </button>`;
  }

  private renderGrants() {
    const permits = permitsOfChat(this.state);
    const { host, permits: all, grants } = this.state;
    const known = permits.length > 0 || (host === "browser" && all !== undefined);
    if (!known && grants.length === 0) return nothing;
    return html`<div class="group" role="group" aria-label="Runs without asking in this chat">
      ${permits.slice(0, MOST_CHIPS).map((grant) => this.renderChip(grant))}
      <button class="plain" @click=${() => this.actions.openPermits(!this.state.permitsOpen)}>
        ${permits.length > MOST_CHIPS ? `${permits.length - MOST_CHIPS} more: what is allowed` : "What is allowed"}
      </button>
    </div>`;
  }

  /** The chip goes away with its button: the focus stays in its row. */
  private takeBack(grantId: string): void {
    this.renderRoot.querySelector<HTMLElement>(".group > button")?.focus();
    this.actions.removeGrant(grantId);
  }

  private renderEnd(ends: GrantEnd) {
    const words = (passed: number) => `· ${shortEnd(ends, passed)}`;
    return html`<assent-ticking .since=${ends} .words=${words}></assent-ticking>`;
  }

  private renderChip(grant: GrantInfo) {
    const { removing, connection } = this.state;
    const goes = removing.includes(grant.grantId) || connection.state !== "ready";
    return html`<span class="chip">
      <span class="text" title=${visibleText(grant.text)}>${visibleLine(grant.text)}</span>
      ${grant.ends ? this.renderEnd(grant.ends) : nothing}
      <button aria-label="Remove: ${visibleText(grant.text)}" ?disabled=${goes} @click=${() => this.takeBack(grant.grantId)}>×</button>
    </span>`;
  }
}

const MOST_CHIPS = 5;
const ACTION_WORDS = {
  openSettings: "Open Settings",
  retry: "Retry",
  showLog: "Show Log",
  reviewRun: "Review a Run",
  openFolder: "Open Folder…",
} as const;

customElements.define("assent-header", Header);
