// The page's own words for the wire's.
import type { Category, Mode, OptionKind, RuleOrigin, StoredSetting } from "../protocol/generated.js";
import type { ToolStatus } from "./state.js";

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
};

export const STATUS_SIGNS: Record<ToolStatus, string> = {
  pending: "○",
  awaiting_approval: "?",
  running: "◐",
  done: "✓",
  failed: "✕",
  denied: "⊘",
  cancelled: "–",
};

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
export function storedWords({ written, target, error }: StoredSetting, name: string): string {
  const where = STORES.get(target) ?? target;
  const what = name === "" ? "" : ` “${name}”`;
  const into = where === "" ? "" : ` in ${where}`;
  if (written) return error ? `Stored${what}${into}, but: ${error}` : `Stored${what}${into}.`;
  return `Not stored${into}: ${error || "no reason was given."}`;
}

export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  return seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
