// What a row shows of a command: how far it is, the end of what it prints, and the ways to end or move it.
import { css, html, nothing, type TemplateResult } from "lit";
import type { Actions } from "../actions.js";
import type { ToolItem, ToolStatus } from "../state.js";
import { endWords, runsOn } from "../store-shells.js";
import { duration, passedWords, STATUS_WORDS } from "../words.js";
import "./tail.js";
import "./ticking.js";

type Part = TemplateResult | typeof nothing;

/** What a row hands over. */
interface Row {
  readonly item: ToolItem;
  readonly actions: Actions;
  readonly connected: boolean;
  readonly asked: readonly string[];
  readonly renderRoot: ParentNode;
}

export const shellStyles = css`
  .ways {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
  }
  .ways button {
    padding: 1px 8px;
  }
`;

export const KILL = "Ends it, with everything that it started.";
const MOVE = "It goes on by itself, without a limit of time, until the chat is closed. The agent works on.";

/** The look of a row: a command that ended in the background looks like one that ended here. */
export function lookOf(item: ToolItem): ToolStatus {
  const { status, shell } = item;
  if (status !== "background" || runsOn(item) || shell === undefined) return status;
  if (shell.status === "killed") return "cancelled";
  return shell.status === "exited" && !shell.exitCode && !shell.signal ? "done" : "failed";
}

/** How far the call is, and for how long. */
export function stateOf(item: ToolItem): TemplateResult {
  const { status, shell, ran, durationMs } = item;
  const goesOn = runsOn(item);
  const words = `${STATUS_WORDS[status]}${shell && !goesOn ? ` · ${endWords(shell)}` : ""}`;
  if (ran && (goesOn || status === "running")) return html`${words} · ${age(ran, ran.ageMs)}`;
  return html`${words}${durationMs === undefined || status === "background" ? nothing : ` · ${duration(durationMs)}`}`;
}

/** A time that goes on. */
export function age(since: unknown, milliseconds: number): TemplateResult {
  const words = (passed: number) => passedWords(milliseconds + passed);
  return html`<assent-ticking .every=${1000} .since=${since} .words=${words}></assent-ticking>`;
}

/** The end of what it prints, and what can be done with it, while it runs. */
export function shellPart(row: Row): Part {
  const { item, actions, connected, asked } = row;
  const { shellId, callId, status, liveOutput } = item;
  const isRunning = status === "running";
  if (shellId === undefined || !(isRunning || runsOn(item))) return nothing;
  const way = (words: string, title: string, id: string, action: (id: string) => void) => html`<button
    title=${title}
    ?disabled=${!connected || asked.includes(id)}
    @click=${() => {
      // The button goes away with what it does: the focus stays with the row.
      row.renderRoot.querySelector<HTMLElement>(".row")?.focus({ preventScroll: true });
      action(id);
    }}
  >${words}</button>`;
  return html`${isRunning && liveOutput ? html`<assent-tail .text=${liveOutput}></assent-tail>` : nothing}
    <div class="ways">
      ${isRunning ? way("Move to background", MOVE, callId, actions.toBackground) : nothing}
      ${way("Kill", KILL, shellId, actions.killShell)}
    </div>`;
}
