// What the editor shows, and what it is asked to show. The keyboard stays where it is: nobody's typing goes astray.
import * as vscode from "vscode";
import type {
  EditorDiagnostics,
  EditorDiagnosticsParams,
  EditorOpenParams,
  EditorSelection,
  EditorShowDiffParams,
  EditorShown,
} from "../protocol/generated.js";
import type { Texts } from "./texts.js";

const MOST_DIAGNOSTICS = 200;
const LONGEST_MESSAGE = 2000;
const LONGEST_SELECTION = 50_000;
const SEVERITIES = ["error", "warning", "information", "hint"];
const ASIDE = { preview: true, preserveFocus: true };

/** Shows a file as text. */
export function openFile({ path, line }: EditorOpenParams): Promise<EditorShown> {
  return shown(async () => {
    const at = new vscode.Position(Math.max(0, (line ?? 1) - 1), 0);
    const selection = line ? { selection: new vscode.Range(at, at) } : {};
    await vscode.window.showTextDocument(vscode.Uri.file(path), { ...ASIDE, ...selection });
  });
}

/** Shows a file beside a text that is nowhere else. */
export function showDiff({ path, content }: EditorShowDiffParams, texts: Texts): Promise<EditorShown> {
  return shown(async () => {
    const file = vscode.Uri.file(path);
    const name = path.split(/[\\/]/).at(-1) ?? path;
    const proposal = texts.keep(`${name} as proposed`, content);
    await vscode.commands.executeCommand("vscode.diff", file, proposal, `${name} ↔ as proposed by the agent`, ASIDE);
  });
}

/** What is underlined in a file, the worst first. */
export async function diagnostics({ paths }: EditorDiagnosticsParams): Promise<EditorDiagnostics> {
  const found = paths.flatMap((path) => vscode.languages.getDiagnostics(vscode.Uri.file(path)));
  found.sort((one, other) => one.severity - other.severity || one.range.start.compareTo(other.range.start));
  const told = found.slice(0, MOST_DIAGNOSTICS).map(({ range, severity, message, source }) => ({
    line: range.start.line + 1,
    column: range.start.character + 1,
    severity: SEVERITIES[severity] ?? "information",
    message: message.slice(0, LONGEST_MESSAGE),
    ...(source ? { source } : {}),
  }));
  return { diagnostics: told, total: found.length };
}

/** The file before the user, and what is selected in it. What is no file of the disk is not told of. */
export async function selection(): Promise<EditorSelection> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || editor.document.uri.scheme !== "file") return {};
  const { document, selection: range } = editor;
  const text = document.getText(range);
  return {
    path: document.uri.fsPath,
    text: text.slice(0, LONGEST_SELECTION),
    firstLine: range.start.line + 1,
    lastLine: range.end.line + 1,
    whole: text.length <= LONGEST_SELECTION,
  };
}

async function shown(show: () => Promise<void>): Promise<EditorShown> {
  try {
    await show();
    return { shown: true };
  } catch (error) {
    return { shown: false, error: error instanceof Error ? error.message : String(error) };
  }
}
