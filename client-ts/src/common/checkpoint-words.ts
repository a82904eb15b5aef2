// What a run changed, in words for a person. Names in it come from models: nothing in them can hide.
import {
  type CheckpointDiff,
  type CheckpointFile,
  type CheckpointInfo,
  type CheckpointRestored,
  ErrorCode,
} from "../protocol/generated.js";
import { visibleText as plain } from "./visible-text.js";

type FileState = CheckpointFile["state"];

const STATES: Record<FileState, string> = {
  changed: "changed by the run",
  created: "made by the run; rolling back removes it",
  changed_since: "changed again after the run",
  same: "as before the run",
  left: "cannot be rolled back",
};
const MOST_NAMED = 15;
const REFUSALS: ReadonlySet<number> = new Set([
  ErrorCode.INVALID_PARAMS,
  ErrorCode.INVALID_REQUEST,
  ErrorCode.DIGEST_MISMATCH,
  ErrorCode.SESSION_NOT_FOUND,
]);

/** A run for a list: when it began, and which files it wrote. */
export function runLines({ at, files, notKept }: CheckpointInfo): { label: string; description: string } {
  const kept = notKept === 0 ? "" : ` · ${notKept} of them not kept`;
  return { label: new Date(at).toLocaleString(), description: `${counted(files.length)}: ${listed(files)}${kept}` };
}

/** A file for a list: its name, how many lines changed, and how it stands. */
export function fileLines(file: CheckpointFile): { label: string; description: string; detail: string } {
  const { shown, state, note, preview } = file;
  const lines = preview ? `+${preview.added} −${preview.removed}` : "";
  return { label: plain(shown), description: lines, detail: note ? plain(note) : STATES[state] };
}

/** What rolling back would do, for the question about it. */
export function questionWords({ files, more }: CheckpointDiff): { message: string; detail: string } {
  const going = files.filter(({ state }) => state === "changed" || state === "created");
  const parts = [
    named("They are put back to what they were", going, "changed"),
    named("These were made by the run and are removed", going, "created"),
    named("These stay as they are", files, "left"),
    more ? `${more} more files of the run cannot be rolled back.` : "",
    "What shell commands wrote is not part of it.",
  ];
  return {
    message: `Roll ${counted(going.length)} back to before this run?`,
    detail: parts.filter(Boolean).join("\n\n"),
  };
}

/** The question about what changed after the run; undefined where nothing did. */
export function sinceWords({ files }: CheckpointDiff): { message: string; detail: string } | undefined {
  const since = files.filter(({ state }) => state === "changed_since");
  if (since.length === 0) return undefined;
  const verb = since.length === 1 ? "was" : "were";
  return {
    message: `${counted(since.length)} ${verb} changed after the run. Overwrite them too?`,
    detail: named("What was changed there since is lost", since, "changed_since"),
  };
}

/** What became of it. */
export function restoredWords({ restored, left, error }: CheckpointRestored): string {
  if (error) return plain(error);
  const rest = left.map(({ shown, why }) => `${plain(shown)}: ${plain(why)}`);
  const done = `${counted(restored.length)} rolled back.`;
  return rest.length === 0 ? done : `${done} Left as they are: ${rest.slice(0, MOST_NAMED).join(" ")}`;
}

/** A roll back without an answer: refused by the server, so that nothing was done; or the server is gone, and it may be. */
export function unansweredWords({ code, message }: { code: number; message: string }): string {
  if (REFUSALS.has(code)) return `Nothing was rolled back: ${message}`;
  return `It is not known how far the roll back came: ${message}. Once the server is there again, its chat says so.`;
}

function named(intro: string, files: readonly CheckpointFile[], state: FileState): string {
  const names = files.filter((one) => one.state === state).map(({ shown }) => shown);
  return names.length === 0 ? "" : `${intro}:\n${listed(names, "\n")}`;
}

function listed(names: readonly string[], between = ", "): string {
  const shown = names.slice(0, MOST_NAMED).map((name) => plain(name));
  if (names.length > MOST_NAMED) shown.push(`and ${names.length - MOST_NAMED} more`);
  return shown.join(between);
}

function counted(number: number): string {
  return number === 1 ? "1 file" : `${number} files`;
}
