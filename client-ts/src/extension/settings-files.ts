// The settings files of this window, and what happens to them in the editor.
import { readFile } from "node:fs/promises";
import * as vscode from "vscode";
import { Disposables } from "../common/emitter.js";
import type { AttestParams } from "../protocol/generated.js";
import { attestation, type OpenFile, OwnSaves } from "./own-saves.js";
import type { SettingsKind } from "./settings-text.js";

/** The files that hold settings of this window's workspace, on this machine's disk. */
export function settingsFiles(): Map<string, SettingsKind> {
  const { workspaceFile, workspaceFolders } = vscode.workspace;
  const files = new Map<string, SettingsKind>();
  for (const { uri } of workspaceFolders ?? []) {
    if (uri.scheme === "file") files.set(vscode.Uri.joinPath(uri, ".vscode", "settings.json").toString(), "folder");
  }
  if (workspaceFile?.scheme === "file") files.set(workspaceFile.toString(), "workspace");
  return files;
}

/** Tells of the user's own saves of these files, while the workspace is trusted. */
export function watchOwnSaves(isWriting: () => boolean, attest: (saved: AttestParams) => void): vscode.Disposable {
  const saves = new OwnSaves(isWriting, () => performance.now());
  const { workspace } = vscode;
  const owned = new Disposables();
  owned.add(workspace.onDidOpenTextDocument((document) => isSettings(document) && saves.opened(stateOf(document))));
  owned.add(workspace.onDidCloseTextDocument((document) => saves.closed(document.uri.toString())));
  owned.add(
    workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (isSettings(document)) saves.changed(stateOf(document), contentChanges.length > 0);
    }),
  );
  owned.add(
    workspace.onWillSaveTextDocument(({ document, reason }) => {
      const byHand = reason === vscode.TextDocumentSaveReason.Manual && isInSight(document);
      if (isSettings(document)) saves.willSave(stateOf(document), byHand);
    }),
  );
  owned.add(
    workspace.onDidSaveTextDocument((document) => {
      const kind = settingsFiles().get(document.uri.toString());
      const save = kind && saves.saved(stateOf(document));
      if (!kind || !save || !workspace.isTrusted) return;
      const file = document.uri.fsPath;
      readFile(file).then(
        (bytes) => {
          const saved = attestation(save, file, kind, bytes);
          if (saved !== undefined) attest(saved);
        },
        // Gone already: then there is nothing to attest.
        () => undefined,
      );
    }),
  );
  for (const document of workspace.textDocuments) if (isSettings(document)) saves.opened(stateOf(document));
  return owned;
}

function isSettings(document: vscode.TextDocument): boolean {
  return settingsFiles().has(document.uri.toString());
}

function stateOf(document: vscode.TextDocument): OpenFile {
  return { id: document.uri.toString(), text: document.getText(), isDirty: document.isDirty };
}

/** A file that nobody looks at is saved by a program: the editor's settings are written like that, too. */
function isInSight(document: vscode.TextDocument): boolean {
  return vscode.window.visibleTextEditors.some((editor) => editor.document === document);
}
