// What a run changed: looked at file by file, and rolled back as one after a question that names every file.
import * as vscode from "vscode";
import {
  fileLines,
  questionWords,
  restoredWords,
  runLines,
  sinceWords,
  unansweredWords,
} from "../common/checkpoint-words.js";
import { type Server, toFault } from "../common/server.js";
import type {
  CheckpointDiff,
  CheckpointFile,
  CheckpointInfo,
  CheckpointRef,
  CheckpointRestored,
} from "../protocol/generated.js";
import { withoutIcons } from "./quick-text.js";
import type { Texts } from "./texts.js";

const ROLL_BACK = "Roll Back";
const OVERWRITE = "Overwrite Them Too";
const LEAVE = "Leave Them";

/** What the commands need: the server, started where it is not, and the chat that is shown. */
export interface RunContext {
  server(): Promise<Server | undefined>;
  shownChat(): string | undefined;
  texts: Texts;
}

/** The commands by their names. */
export function runCommands(context: RunContext) {
  return {
    "assent.reviewRun": () => attempt(context),
  };
}

async function attempt({ server, shownChat, texts }: RunContext): Promise<void> {
  const present = await server();
  const sessionId = shownChat();
  if (present === undefined || sessionId === undefined) return failed("No chat of Assent is open.");
  try {
    await reviewRun(present, sessionId, texts);
  } catch (error) {
    failed(`Nothing was rolled back: ${toFault(error).message}`);
  }
}

async function reviewRun(server: Server, sessionId: string, texts: Texts): Promise<void> {
  const { checkpoints } = await server.request("checkpoint/list", { sessionId });
  if (checkpoints.length === 0) {
    void vscode.window.showInformationMessage(
      "No run of this chat changed a file by a tool that writes files, or nothing is kept of it any more.",
    );
    return;
  }
  const run = await pickedRun(checkpoints);
  if (run === undefined) return;
  const reference = { sessionId, runId: run.runId };
  const found = await server.request("checkpoint/diff", reference);
  const picked = await pickedFile(found);
  if (picked === "all") await rollBack(server, reference, found);
  else if (picked !== undefined) await showFile(server, reference, picked, texts);
}

async function pickedRun(checkpoints: readonly CheckpointInfo[]): Promise<CheckpointInfo | undefined> {
  const items = checkpoints.map((run) => {
    const { label, description } = runLines(run);
    return { label: withoutIcons(label), description: withoutIcons(description), run };
  });
  const picked = await vscode.window.showQuickPick(items, {
    title: "Assent: What a Run Changed",
    placeHolder: "The runs of this chat that wrote files, newest first.",
    matchOnDescription: true,
  });
  return picked?.run;
}

interface FileItem extends vscode.QuickPickItem {
  file?: CheckpointFile;
}

async function pickedFile(found: CheckpointDiff): Promise<CheckpointFile | "all" | undefined> {
  const items = found.files.map((file): FileItem => {
    const { label, description, detail } = fileLines(file);
    return { label: withoutIcons(label), description, detail: withoutIcons(detail), file };
  });
  items.unshift({ label: "$(discard) Roll all of it back…", alwaysShow: true });
  const picked = await vscode.window.showQuickPick(items, {
    title: "Assent: What the Run Changed",
    placeHolder: "Pick a file to compare it with what it was before, or roll all of it back.",
    matchOnDetail: true,
  });
  return picked === undefined ? undefined : (picked.file ?? "all");
}

async function showFile(server: Server, run: CheckpointRef, file: CheckpointFile, texts: Texts): Promise<void> {
  const { text } = await server.request("checkpoint/text", { ...run, path: file.path });
  const name = file.shown.split(/[\\/]/).at(-1) ?? "file";
  const before = texts.keep(`${name} before the run`, text ?? "");
  const now = vscode.Uri.file(file.path);
  const there = await vscode.workspace.fs.stat(now).then(
    () => true,
    () => false,
  );
  const after = there ? now : texts.keep(`${name} is gone`, "");
  await vscode.commands.executeCommand("vscode.diff", before, after, `${name}: before the run ↔ now`);
}

async function rollBack(server: Server, run: CheckpointRef, found: CheckpointDiff): Promise<void> {
  if ((await asked(questionWords(found), ROLL_BACK)) !== ROLL_BACK) return;
  const since = sinceWords(found);
  const word = since === undefined ? LEAVE : await asked(since, OVERWRITE, LEAVE);
  if (word === undefined) return;
  const changed = found.files.filter(({ state }) => state === "changed_since").map(({ path }) => path);
  const alsoChanged = word === OVERWRITE ? changed : [];
  let done: CheckpointRestored;
  try {
    done = await server.request("checkpoint/restore", { ...run, digest: found.digest, alsoChanged });
  } catch (error) {
    return failed(unansweredWords(toFault(error)));
  }
  if (done.error) failed(restoredWords(done));
  else void vscode.window.showInformationMessage(restoredWords(done));
}

async function asked({ message, detail }: { message: string; detail: string }, ...words: string[]) {
  return vscode.window.showWarningMessage(message, { modal: true, detail }, ...words);
}

function failed(message: string): void {
  void vscode.window.showErrorMessage(message);
}
