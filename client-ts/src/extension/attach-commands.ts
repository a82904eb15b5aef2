// Files for the next message, named in the editor: by a dialog, or where the editor lists and shows them.
import * as vscode from "vscode";
import { VIEW_ID } from "./view.js";

/** What the command needs: the chat, opened where it is not, and its page. */
export interface AttachContext {
  nameFiles(paths: readonly string[]): Promise<void>;
}

/** The command by its name. */
export function attachCommands(context: AttachContext) {
  return {
    "assent.addToChat": (...named: unknown[]) => addToChat(context, named),
  };
}

/** The user chooses files. The dialog begins in the workspace; what lies elsewhere, the server refuses. */
export async function pickFiles(): Promise<string[]> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const picked = await vscode.window.showOpenDialog({
    canSelectMany: true,
    openLabel: "Attach",
    title: "Files of the workspace that go along with the next message",
    ...(folder && { defaultUri: folder }),
  });
  // The editor puts the keyboard elsewhere when its dialog closes. Where it stays there, the files count all the same.
  await Promise.resolve(vscode.commands.executeCommand(`${VIEW_ID}.focus`)).catch(() => undefined);
  return picked === undefined ? [] : pathsOf(picked);
}

/** The explorer gives the file under the pointer and all that are selected, an editor its own, the palette none. */
async function addToChat(context: AttachContext, [one, several]: unknown[]): Promise<void> {
  const selected = Array.isArray(several) ? several.filter((uri) => uri instanceof vscode.Uri) : [];
  const shown = one instanceof vscode.Uri ? one : vscode.window.activeTextEditor?.document.uri;
  const paths = pathsOf(selected.length > 0 ? selected : shown ? [shown] : []);
  if (paths.length > 0) await context.nameFiles(paths);
}

/** Only what is a file can be read by the server: of anything else it is said. */
function pathsOf(uris: readonly vscode.Uri[]): string[] {
  const files = uris.filter(({ scheme }) => scheme === "file");
  if (files.length < uris.length || uris.length === 0)
    void vscode.window.showWarningMessage(
      "Only files of the workspace go along with a message. What was never saved as a file does not.",
    );
  return files.map(({ fsPath }) => fsPath);
}
