// The history in words for a person. Names and texts in it come from models: nothing in them can hide.
import type {
  Count,
  HistoryEnding,
  HistoryEntry,
  HistoryStage,
  HistoryVerified,
  Metrics,
  Spread,
} from "../protocol/generated.js";
import { visibleText as plain } from "./visible-text.js";

/** A decision in three lines: what, how it ended and when, who and why. */
export interface DecisionLines {
  label: string;
  description: string;
  detail: string;
}

/** How calls end. */
export const ENDINGS: Record<HistoryEnding, string> = {
  allowed: "Allowed",
  rejected: "Denied",
  cancelled: "Cancelled",
  timeout: "Timed out",
  expired: "Expired",
  denied_by_rule: "Denied by a rule",
  blocked: "Blocked",
  unusable: "Unusable call",
  done: "Done",
  failed: "Failed",
  stopped: "Stopped",
  unknown: "Outcome not known",
};

/** A decision for a list that is searched. */
export function decisionLines(entry: HistoryEntry): DecisionLines {
  const { headline, tool, agentName, directory, text, feedback } = entry;
  const lasts = lasting(entry);
  const why = [
    lasts && headline ? plain(headline) : "",
    text ? plain(text) : "",
    ruleWords(entry),
    grantWords(entry),
    feedback ? `“${plain(feedback)}”` : "",
  ];
  return {
    label: plain(lasts || headline || tool),
    description: `${outcome(entry)} · ${moment(entry.at)}`,
    detail: [plain(agentName), plain(tool), ...why, directory ? `in ${plain(directory)}` : ""]
      .filter((part) => part !== "" && part !== plain(lasts))
      .join(" · "),
  };
}

/** Everything that was written down of an entry. */
export function entryText(entry: HistoryEntry): string {
  const facts: [string, string | null | undefined][] = [
    ["Entry", `${entry.n}`],
    ["When", `${moment(entry.at)} (${entry.at})`],
    ["What", entry.headline],
    ["Decided", `${outcome(entry)}${entry.option ? ` (${entry.option})` : ""}`],
    ["Why", [entry.reason, entry.text].filter(Boolean).join(": ")],
    ["Rule", ruleWords(entry)],
    ["Message", entry.feedback],
    [entry.stage === "revoked" ? "No longer from then on" : "From then on", entry.grantedAt ? undefined : entry.grant],
    ["Granted before", grantWords(entry)],
    ["Agent", [entry.agentName, ...(entry.path ?? [])].join(" › ")],
    ["Tool", entry.tool && `${entry.tool} (${entry.category}, mode ${entry.mode})`],
    ["In", entry.directory],
    ["Changed before approving", entry.edited ? "yes" : undefined],
    ["Asked again after a restart", entry.interrupted ? "yes" : undefined],
    ["Waited", entry.waitedMs == null ? undefined : duration(entry.waitedMs)],
    ["Took", entry.tookMs == null ? undefined : duration(entry.tookMs)],
    ["Result", entry.code],
    ["Masked values", entry.redactions ? `${entry.redactions}` : undefined],
    ["Chat, run, call", [entry.sessionId, entry.runId, entry.callId].filter(Boolean).join(", ")],
    ["Digest", entry.digest],
    ["Hash", entry.hash],
  ];
  const lines = facts.flatMap(([name, value]) => (value ? [`${name}: ${plain(value)}`] : []));
  const args = entry.args ? `\nArguments:\n${plain(entry.args, "multiple")}\n` : "";
  return `${lines.join("\n")}\n${args}`;
}

/** Whether the history is whole, for a message. */
export function verifiedWords({ intact, entries, firstBroken, problem }: HistoryVerified): string {
  const count = `${entries.toLocaleString("en")} ${entries === 1 ? "entry" : "entries"}`;
  if (intact) return `The history is as it was written: ${count} checked.`;
  const where = firstBroken == null ? "The history" : `Entry ${firstBroken} of the history`;
  return `${where} is not as it was written${problem ? `: ${plain(problem)}` : "."} Somebody or something else has changed the file. ${count} checked.`;
}

/** The figures as a readable text. */
export function metricsText(metrics: Metrics): string {
  const { decisions, endings, answers, timeouts, settledByPolicy, waited, tools } = metrics;
  const parts = [
    section("Decisions", decisions),
    section("How calls ended", endings),
    section("What was clicked", answers),
    `Timed out: ${timeouts}\nSettled by settings while they waited: ${settledByPolicy}`,
    waited ? `Waited for an answer: ${spread(waited)}` : "Nothing has waited for an answer yet.",
    ["How long tools took", ...tools.map(({ tool, took }) => `  ${plain(tool)}: ${spread(took)}`)].join("\n"),
  ];
  return `Counted from the history of decisions.\n\n${parts.join("\n\n")}\n`;
}

function section(title: string, counts: readonly Count[]): string {
  const lines = counts.map(({ name, count }) => `  ${plain(name)}: ${count}`);
  return [title, ...(lines.length > 0 ? lines : ["  none"])].join("\n");
}

function spread({ count, median, p95, longest }: Spread): string {
  return `${count} times, half of them within ${duration(median)}, 95 of 100 within ${duration(p95)}, the longest ${duration(longest)}`;
}

/** What was given or taken back for more than one call; empty for all other entries. */
function lasting({ stage, grant, text }: HistoryEntry): string {
  return stage === "granted" || stage === "revoked" ? grant || text || "" : "";
}

const LASTING: Partial<Record<HistoryStage, string>> = { granted: "Given", revoked: "Taken back" };

function outcome({ stage, ending, how }: HistoryEntry): string {
  const what = LASTING[stage] ?? (ending ? ENDINGS[ending] : "Decided");
  return how ? `${what} ${plain(how)}` : what;
}

/** The rule that decided or asked, and where it stands. */
function ruleWords({ rule }: HistoryEntry): string {
  if (!rule) return "";
  const scope = rule.scope === "chat" ? "this chat" : `${plain(rule.scope)} settings`;
  const file = rule.file ? `, ${plain(rule.file)}${rule.line ? `:${rule.line}` : ""}` : "";
  return `rule ${plain(rule.pattern)} (${scope}${file})`;
}

/** What had been granted in the chat that a call ran by, and when that ends. */
function grantWords({ grant, grantedAt, grantUntil }: HistoryEntry): string {
  if (!grant || !grantedAt) return "";
  const until = grantUntil ? ` until ${moment(grantUntil)}` : "";
  return `granted ${moment(grantedAt)}${until}: ${plain(grant)}`;
}

function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  return seconds < 120 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds / 60)} min`;
}

function moment(at: string): string {
  const when = new Date(at);
  return Number.isNaN(when.getTime())
    ? plain(at)
    : when.toLocaleString("en", { dateStyle: "medium", timeStyle: "medium" });
}
