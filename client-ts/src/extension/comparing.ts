// Files beside what becomes of them, in the editor's own view of differences. Neither side can be changed there.
import * as vscode from "vscode";
import { changesBlanks } from "../common/blanks.js";
import type { ComparedAs, ComparedFile, Comparison } from "../common/changes.js";
import { hidesSomething } from "../common/visible-text.js";
import type { Texts } from "./texts.js";

const WORDS: Record<ComparedAs, { after: string; between: string }> = {
  proposed: { after: "as it would be written", between: "now ↔ as it would be written" },
  written: { after: "as this call wrote it", between: "before the run ↔ as this call wrote it" },
};

const LEFT_OUT =
  "Assent: Your editor leaves out changes of blanks at the beginning and the end of lines " +
  "(diffEditor.ignoreTrimWhitespace), and there may be some here. Read the full text on the card as well.";

/** Opens them, and says what of them can be seen there. */
export async function compareFiles(files: readonly ComparedFile[], as: ComparedAs, texts: Texts): Promise<Comparison> {
  await open(files, as, texts);
  const leavesOut = await leavesSomethingOut(files);
  if (leavesOut) void vscode.window.showInformationMessage(LEFT_OUT);
  return { hides: files.some(({ after }) => hidesSomething(after)), leavesOut };
}

async function leavesSomethingOut(files: readonly ComparedFile[]): Promise<boolean> {
  if (!vscode.workspace.getConfiguration("diffEditor").get("ignoreTrimWhitespace", true)) return false;
  const each = await Promise.all(files.map(async (file) => changesBlanks(await textBefore(file), file.after)));
  return each.includes(true);
}

async function textBefore({ before, realPath }: ComparedFile): Promise<string> {
  if (before !== "file") return before.text;
  return (await vscode.workspace.openTextDocument(vscode.Uri.file(realPath))).getText();
}

/** One beside what is there, several one below the other. */
async function open(files: readonly ComparedFile[], as: ComparedAs, texts: Texts): Promise<void> {
  const { after, between } = WORDS[as];
  const sides = files.map((file) => {
    const name = nameOf(file.realPath);
    const left =
      file.before === "file" ? vscode.Uri.file(file.realPath) : texts.keep(`before/${name}`, file.before.text);
    return { name, file: vscode.Uri.file(file.realPath), left, right: texts.keep(`${after}/${name}`, file.after) };
  });
  const [first] = sides;
  if (first === undefined) throw new Error("there is no file to compare");
  if (sides.length === 1) {
    await vscode.commands.executeCommand("vscode.diff", first.left, first.right, `${first.name}: ${between}`);
    return;
  }
  const all = sides.map(({ file, left, right }) => [file, left, right]);
  await vscode.commands.executeCommand("vscode.changes", `${sides.length} files: ${between}`, all);
}

function nameOf(path: string): string {
  return path.split(/[\\/]/).at(-1) || "file";
}
