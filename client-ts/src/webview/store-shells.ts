// Commands that run: the end of what they print, and what becomes of those that go on by themselves.
import type { ShellData, ShellInfo } from "../protocol/generated.js";
import type { Item, PageState, ShellEnd, ToolItem } from "./state.js";
import { announce, changeTool, pushNotice } from "./store-helpers.js";

/** Characters of what a running command printed that the page keeps: more than fits in sight. */
export const LIVE_OUTPUT_LIMIT = 8_000;

/** The end of a text that grows. Where something is left out before it, it begins with a whole line, if it has one. */
export function withOutput(before: string, more: string | null | undefined): string {
  const whole = before + (more ?? "");
  if (whole.length <= LIVE_OUTPUT_LIMIT) return whole;
  const kept = whole.slice(-LIVE_OUTPUT_LIMIT);
  const line = kept.indexOf("\n") + 1;
  if (line > 0 && line < kept.length) return kept.slice(line);
  // Half a character would be shown as something that nobody printed.
  return /^[\uDC00-\uDFFF]/.test(kept) ? kept.slice(1) : kept;
}

/** Whether its command goes on by itself, as far as is known here. */
export function runsOn({ status, shell }: ToolItem): boolean {
  return status === "background" && (shell === undefined || shell.status === "running");
}

/** A command in the background printed something, began or ended. */
export function shellTold(state: PageState, { shellId, toolCallId, line, status, ...how }: ShellData): PageState {
  const item = state.items.findLast(
    (one) => one.kind === "tool" && (one.shellId === shellId || one.callId === toolCallId),
  );
  if (item?.kind !== "tool") return state;
  if (line) return changeTool(state, item.callId, (one) => ({ ...one, liveOutput: withOutput(one.liveOutput, line) }));
  if (!status) return state;
  const shell: ShellEnd = { status, exitCode: how.exitCode, signal: how.signal, reason: how.reason };
  const next = changeTool(state, item.callId, (one) => ({
    ...one,
    shellId,
    ran: one.shellId === shellId ? one.ran : { ageMs: 0 },
    shell,
  }));
  return announce(next, `In the background, ${endWords(shell)}: ${item.headline}`);
}

/** The server's list takes the place of the one before, and says what rows do not know of their commands. */
export function shellsListed(state: PageState, shells: readonly ShellInfo[]): PageState {
  const known = new Map(shells.map((shell) => [shell.shellId, shell]));
  const items = state.items.map((item) => withListed(item, known));
  const changed = items.some((item, index) => item !== state.items[index]);
  return { ...state, shells, ...(changed && { items }) };
}

const NOT_LISTED: ShellEnd = { status: "exited" };

function withListed(item: Item, known: ReadonlyMap<string, ShellInfo>): Item {
  if (item.kind !== "tool" || item.shellId === undefined) return item;
  const info = known.get(item.shellId);
  if (info === undefined) return runsOn(item) ? { ...item, shell: NOT_LISTED } : item;
  const { status, exitCode, signal } = info;
  const isNews = item.status === "background" && item.shell?.status !== status;
  const shell = isNews ? { status, exitCode, signal } : item.shell;
  if (status !== "running" || !(item.status === "running" || item.status === "background"))
    return shell === item.shell ? item : { ...item, shell };
  // A page that is new has heard nothing of what was printed, nor since when.
  return { ...item, shell, ran: { ageMs: info.ageMs }, liveOutput: item.liveOutput || withOutput("", info.tail) };
}

/** The server has answered to an end or a move; what came of it, its events and its list say. */
export function shellAnswered(state: PageState, id: string, error: string | null | undefined): PageState {
  const next = { ...state, shellsAsked: state.shellsAsked.filter((one) => one !== id) };
  return error ? pushNotice(next, "warning", error) : next;
}

/** What is told of a row's command when the server is gone. */
export const ENDED_WITH_SERVER: ShellEnd = { status: "killed", reason: "The server ended, and this with it." };

/** Those that the user is shown, running ones first and of the others the latest first. */
export function shellsInBackground({ shells }: PageState): { running: ShellInfo[]; ended: ShellInfo[] } {
  const all = shells?.filter((shell) => shell.background) ?? [];
  const running = all.filter(({ status }) => status === "running");
  return { running, ended: all.filter((shell) => !running.includes(shell)).reverse() };
}

/** How far a command is, in words that go behind its name. */
export function endWords({ status, exitCode, signal }: ShellEnd): string {
  if (status === "killed") return "killed";
  if (status === "failed") return "could not be ended";
  if (status === "running") return "running";
  if (typeof exitCode === "number") return `exit code ${exitCode}`;
  return signal ? `ended by ${signal}` : "ended";
}
