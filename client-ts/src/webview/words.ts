// The page's own words for the wire's.

import { visibleText } from "../common/visible-text.js";
import type { Category, Mode, OptionKind, RuleOrigin, StoredSetting } from "../protocol/generated.js";
import type { ToolItem, ToolStatus } from "./state.js";

interface ModeWords {
  mode: Mode;
  label: string;
  description: string;
}

export const MODES: readonly ModeWords[] = [
  { mode: "plan", label: "Plan", description: "Reads and proposes. Changes nothing, runs nothing." },
  { mode: "ask", label: "Ask every time", description: "Asks before everything, also before reading." },
  { mode: "default", label: "Auto-accept read-only", description: "Reads in the workspace; asks before the rest." },
  { mode: "auto", label: "Auto-accept all", description: "Runs without asking, except protected files." },
];

export function modeLabel(mode: Mode): string {
  return MODES.find((one) => one.mode === mode)?.label ?? mode;
}

export const CATEGORY_WORDS: Record<Category, string> = {
  read: "reads",
  write: "writes",
  execute: "runs a program",
  external: "reaches outside",
  internal: "internal",
};

export const STATUS_WORDS: Record<ToolStatus, string> = {
  pending: "Pending",
  awaiting_approval: "Awaiting approval",
  running: "Running",
  done: "Done",
  failed: "Failed",
  denied: "Denied",
  cancelled: "Cancelled",
  interrupted: "Did not run",
  unknown: "Outcome not known",
  background: "In background",
};

export const STATUS_SIGNS: Record<ToolStatus, string> = {
  pending: "○",
  awaiting_approval: "?",
  running: "◐",
  done: "✓",
  failed: "✕",
  denied: "⊘",
  cancelled: "–",
  interrupted: "–",
  unknown: "!",
  background: "◑",
};

export const TIMED_OUT = "Nobody answered in time; nothing was run.";
export const RESTARTED = "The server restarted; this call did not run.";
export const INTERRUPTED = "This waited when the server ended. It did not run. Approving runs it now, once.";

const RESULT_WORDS: ReadonlyMap<string, string> = new Map([
  ["approval_timeout", TIMED_OUT],
  ["interrupted", RESTARTED],
  ["background", "Goes on by itself, without a limit of time, until the chat is closed."],
  ["secret_not_kept", "It held what looks like a secret, which is never kept. Ask for it anew."],
  [
    "outcome_unknown",
    "The server ended while this call ran. Whether it did its work is not known. It is not run again by itself; look before you ask for it again.",
  ],
]);

/** Commands that were ended: the first line of their result says why. */
const ENDED: ReadonlySet<string> = new Set(["killed", "time_limit"]);

/** What a call's end means, where it says more than its state. */
export function meaningOf({ shell, result }: Pick<ToolItem, "shell" | "result">): string | undefined {
  // How a command in the background ended, its row's state says, and the server why.
  if (shell && shell.status !== "running") return shell.reason ?? undefined;
  const code = result?.code ?? "";
  return ENDED.has(code) ? result?.output.split("\n", 1)[0] : RESULT_WORDS.get(code);
}

const WIDE: ReadonlySet<OptionKind> = new Set(["bypass_session", "bypass_agent", "allow_always"]);

/** Whether an answer lets later calls through that nobody has seen yet, in a way that deserves a warning. */
export function isFarReaching(kind: OptionKind): boolean {
  return WIDE.has(kind);
}

const WHOSE: ReadonlyMap<string, string> = new Map([
  ["user", "your user settings"],
  ["workspace", "the workspace's settings"],
  ["folder", "the folder's settings"],
]);

/** Where a rule stands, as closely as the server knows. */
export function rulePlace({ scope, file, line }: RuleOrigin): string {
  const whose = WHOSE.get(scope) ?? `the ${scope} settings`;
  if (file) return `${whose}, ${file}${line ? `:${line}` : ""}`;
  return line ? `${whose}, line ${line}` : whose;
}

const STORES: ReadonlyMap<string, string> = new Map([
  ["user", "your user settings"],
  ["workspace", "the workspace settings"],
  ["folder", "the folder's settings"],
]);

/** What became of a setting that an answer stores; `name` is the answer's own word. */
export function storedWords({ written, target, error, overruledBy }: StoredSetting, name: string): string {
  const where = STORES.get(target) ?? target;
  const what = name === "" ? "" : ` “${name}”`;
  const into = where === "" ? "" : ` in ${where}`;
  if (written && overruledBy) return `Written${into}. ${error ?? ""}`;
  if (written) return error ? `Stored${what}${into}, but: ${error}` : `Stored${what}${into}.`;
  return `Not stored${into}: ${error || "no reason was given."}`;
}

export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  return seconds < 60 ? `${seconds.toFixed(1)} s` : passedWords(milliseconds);
}

/** How long something has been going on, in whole seconds. */
export function passedWords(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1) return `${seconds} s`;
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const LONGEST_HEADLINE = 300;

/** What is sent to the agent when the user asks for a call once more. Nothing in it can hide. */
export function askAgainWords({ tool, headline }: Pick<ToolItem, "tool" | "headline">): string {
  const about = Array.from(visibleText(headline || tool));
  const short = about.length > LONGEST_HEADLINE ? `${about.slice(0, LONGEST_HEADLINE).join("")}…` : about.join("");
  return `Please try this call again, it did not run: ${visibleText(tool)} — ${short}`;
}
