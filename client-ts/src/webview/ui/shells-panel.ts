import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { visibleText } from "../../common/visible-text.js";
import type { ShellInfo } from "../../protocol/generated.js";
import type { Actions } from "../actions.js";
import type { PageState } from "../state.js";
import { endWords, shellsInBackground } from "../store-shells.js";
import { duration } from "../words.js";
import { panelStyles } from "./panel-styles.js";
import { age, KILL } from "./running.js";
import "./tail.js";
import { shared } from "./theme.js";
import { visible, visibleLine } from "./visible.js";

const LOOK_EVERY_MS = 1000;
const SHORT_COMMAND = 40;

/** The commands in the background: how far each is, the end of what it printed, and the way to end it. */
export class ShellsPanel extends LitElement {
  static override properties = { state: { attribute: false }, actions: { attribute: false } };
  static override styles = [
    shared,
    panelStyles,
    css`
      summary {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
        cursor: pointer;
      }
      assent-tail {
        --lines: 5;
      }
      details .box,
      assent-tail {
        margin-top: 4px;
      }
    `,
  ];
  declare state: PageState;
  declare actions: Actions;
  private timer: ReturnType<typeof setInterval> | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.look(false);
  }

  protected override updated(): void {
    const { shellsOpen } = this.state;
    if (shellsOpen && this.timer === undefined) this.section?.focus();
    this.look(shellsOpen);
  }

  private get section(): HTMLElement | null {
    return this.renderRoot.querySelector("section");
  }

  /** While it is open, the server is asked again and again. */
  private look(open: boolean): void {
    if (open === (this.timer !== undefined)) return;
    clearInterval(this.timer);
    this.timer = open ? setInterval(() => this.refresh(), LOOK_EVERY_MS) : undefined;
  }

  private refresh(): void {
    if (!document.hidden && this.state.connection.state === "ready") this.actions.refreshShells();
  }

  protected override render() {
    if (!this.state.shellsOpen) return nothing;
    const { running, ended } = shellsInBackground(this.state);
    const shells = [...running, ...ended];
    return html`<section role="region" tabindex="-1" aria-label="Commands in the background" @keydown=${this.onKey}>
      <div class="top">
        <h2>Commands in the background</h2>
        <button @click=${this.close}>Close</button>
      </div>
      <div class="lists" tabindex="0" role="group" aria-label="All of them">
        ${
          shells.length === 0
            ? html`<p>${this.state.shells ? NONE : "Asking the server…"}</p>`
            : html`<ul>${repeat(
                shells,
                (one) => one.shellId,
                (one) => this.renderOne(one),
              )}</ul>`
        }
      </div>
    </section>`;
  }

  private renderOne(shell: ShellInfo): TemplateResult {
    const { shellId, sessionId, status, ageMs, sandbox, tail } = shell;
    const isRunning = status === "running";
    return html`<li data-shell-id=${shellId} data-status=${status}>
      ${this.renderCommand(shell)}
      <p class="facts">
        ${isRunning ? html`Running · ${age(shell, ageMs)}` : html`${capital(endWords(shell))} · ran ${duration(ageMs)}`}
        · <span class="mono" title=${visibleText(shellId)}>${visibleLine(shellId.slice(0, 8))}</span>${sandbox ? html` · in the sandbox ${visibleLine(sandbox)}` : nothing}${sessionId === this.state.session?.sessionId ? nothing : " · in another chat"}
      </p>
      ${tail ? html`<assent-tail .text=${tail}></assent-tail>` : html`<p class="facts">${shell.printed ? "What it printed is not kept any more." : "Nothing printed."}</p>`}
      ${isRunning ? this.renderKill(shell) : nothing}
      ${
        tail && this.state.host === "editor"
          ? html`<button ?disabled=${this.isAway} @click=${() => this.actions.openShellOutput(shellId)}>Open all output</button>`
          : nothing
      }
    </li>`;
  }

  private get isAway(): boolean {
    return this.state.connection.state !== "ready";
  }

  /** In one line; the whole of a longer one on demand. */
  private renderCommand({ command }: ShellInfo): TemplateResult {
    if (command.length <= SHORT_COMMAND && !command.includes("\n"))
      return html`<p class="mono">${visibleLine(command)}</p>`;
    return html`<details>
      <summary class="mono">${visibleLine(command)}</summary>
      <pre class="box" tabindex="0" role="group" aria-label="Command">${visible(command)}</pre>
    </details>`;
  }

  private renderKill({ shellId, command }: ShellInfo): TemplateResult {
    const asked = this.state.shellsAsked.includes(shellId);
    return html`<button
      title=${KILL}
      aria-label="Kill: ${visibleText(command)}"
      ?disabled=${asked || this.isAway}
      @click=${() => this.kill(shellId)}
    >${asked ? "Ending…" : "Kill"}</button>`;
  }

  /** The button goes away with what it ends: the focus stays in the panel. */
  private kill(shellId: string): void {
    this.section?.focus();
    this.actions.killShell(shellId);
  }

  private readonly onKey = (event: KeyboardEvent) => {
    if (event.key === "Escape") this.close();
  };

  private readonly close = () => this.actions.openShells(false);
}

const NONE = "Nothing runs in the background, and nothing that did is kept.";

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

customElements.define("assent-shells", ShellsPanel);
