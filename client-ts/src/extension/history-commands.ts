// The commands that look things up: what was decided, whether it is whole, its figures.
import * as vscode from "vscode";
import { exportedPieces, newestDecisions } from "../common/history.js";
import { decisionLines, entryText, metricsText, verifiedWords } from "../common/history-words.js";
import { type Server, toFault } from "../common/server.js";
import type { HistoryEntry } from "../protocol/generated.js";
import { writeExport } from "./history-file.js";
import { withoutIcons } from "./quick-text.js";
import type { Texts } from "./texts.js";

const MOST_DECISIONS = 500;

/** What the commands need: the server, started where it is not. */
export interface HistoryContext {
  server(): Promise<Server | undefined>;
  texts: Texts;
}

type HistoryCommand = "assent.showHistory" | "assent.exportHistory" | "assent.verifyHistory" | "assent.showMetrics";

/** The commands by their names. */
export function historyCommands(context: HistoryContext): Record<HistoryCommand, () => unknown> {
  const run = (what: string, action: (server: Server) => Promise<void>) => () => attempt(context, what, action);
  return {
    "assent.showHistory": run("The history could not be read", (server) => showHistory(server, context.texts)),
    "assent.exportHistory": run("The history was not exported", exportHistory),
    "assent.verifyHistory": run("The history could not be checked", verifyHistory),
    "assent.showMetrics": run("The figures could not be counted", async (server) =>
      context.texts.show("Assent metrics.txt", metricsText(await server.request("history/metrics", {}))),
    ),
  };
}

async function attempt(
  { server }: HistoryContext,
  what: string,
  action: (server: Server) => Promise<void>,
): Promise<void> {
  const present = await server();
  if (present === undefined) {
    void vscode.window.showErrorMessage(`${what}: the server of Assent does not run. “Assent: Show Log” says why.`);
    return;
  }
  try {
    await action(present);
  } catch (error) {
    void vscode.window.showErrorMessage(`${what}: ${toFault(error).message}`);
  }
}

interface DecisionItem extends vscode.QuickPickItem {
  entry: HistoryEntry | undefined;
}

async function showHistory(server: Server, texts: Texts): Promise<void> {
  const { entries, more } = await newestDecisions(server, MOST_DECISIONS);
  if (entries.length === 0) {
    void vscode.window.showInformationMessage("Nothing was decided yet, so there is no history.");
    return;
  }
  const items = entries.map(decisionItem);
  if (more) items.push({ label: "Older decisions: use “Assent: Export History”", alwaysShow: true, entry: undefined });
  const picked = await vscode.window.showQuickPick(items, {
    title: "Assent: History",
    placeHolder: "Decisions, newest first. Type to filter, pick one to read all of it.",
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (picked === undefined) return;
  if (picked.entry === undefined) await exportHistory(server);
  else await texts.show(`Assent history ${picked.entry.n}.txt`, entryText(picked.entry));
}

function decisionItem(entry: HistoryEntry): DecisionItem {
  const { label, description, detail } = decisionLines(entry);
  return {
    label: withoutIcons(label),
    description: withoutIcons(description),
    detail: withoutIcons(detail),
    entry,
  };
}

async function exportHistory(server: Server): Promise<void> {
  const day = new Date().toISOString().slice(0, 10);
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = `assent-history-${day}.jsonl`;
  const target = await vscode.window.showSaveDialog({
    title: "Export the history of decisions",
    filters: { "JSON lines": ["jsonl"] },
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, name) } : {}),
  });
  if (target === undefined) return;
  if (target.scheme !== "file") throw new Error("it can only be written to a file of the machine that runs Assent.");
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: "Exporting the history…",
    cancellable: true,
  };
  const lines = await vscode.window.withProgress(options, (_progress, stop) =>
    writeExport(target.fsPath, stoppable(exportedPieces(server), stop)),
  );
  const open = await vscode.window.showInformationMessage(
    `${lines.toLocaleString("en")} ${lines === 1 ? "entry" : "entries"} exported to ${target.fsPath}.`,
    "Open",
  );
  if (open !== undefined) await vscode.window.showTextDocument(target);
}

async function* stoppable(pieces: AsyncIterable<string>, stop: vscode.CancellationToken): AsyncGenerator<string> {
  for await (const piece of pieces) {
    if (stop.isCancellationRequested) throw new Error("it was stopped, and no file was written.");
    yield piece;
  }
}

async function verifyHistory(server: Server): Promise<void> {
  const options = { location: vscode.ProgressLocation.Notification, title: "Checking the history…" };
  const found = await vscode.window.withProgress(options, () => server.request("history/verify", {}));
  const words = verifiedWords(found);
  if (found.intact) void vscode.window.showInformationMessage(words);
  else void vscode.window.showErrorMessage(words, { modal: true });
}
