// What the server asks of the editor itself, each request checked before it is done.
import type * as vscode from "vscode";
import { type LanguageClient, ResponseError } from "vscode-languageclient/node";
import type { Guard } from "../protocol/check.js";
import {
  type EditorCommandParams,
  type EditorTaskParams,
  type EditorToolParams,
  ErrorCode,
  isEditorCommandParams,
  isEditorDiagnosticsParams,
  isEditorDocumentParams,
  isEditorOpenParams,
  isEditorSaveParams,
  isEditorSelectionParams,
  isEditorShowDiffParams,
  isEditorTaskParams,
  isEditorToolParams,
} from "../protocol/generated.js";
import { diagnostics, openFile, selection, showDiff } from "./editor-views.js";
import { openDocument, saveDocument } from "./open-documents.js";
import type { Texts } from "./texts.js";

/** As they are announced to the server. */
export const EDITOR_CAPABILITIES = [
  "editor/document",
  "editor/save",
  "editor/openFile",
  "editor/showDiff",
  "editor/diagnostics",
  "editor/selection",
  "editor/tasks",
  "editor/runTask",
  "editor/runCommand",
  "lm/invokeTool",
];

/** Answers them from now on. */
export function answerForEditor(client: LanguageClient, texts: Texts): void {
  client.onRequest("editor/document", fitting(isEditorDocumentParams, openDocument));
  client.onRequest("editor/save", fitting(isEditorSaveParams, saveDocument));
  client.onRequest("editor/openFile", fitting(isEditorOpenParams, openFile));
  client.onRequest(
    "editor/showDiff",
    fitting(isEditorShowDiffParams, (params) => showDiff(params, texts)),
  );
  client.onRequest("editor/diagnostics", fitting(isEditorDiagnosticsParams, diagnostics));
  client.onRequest("editor/selection", fitting(isEditorSelectionParams, selection));
  client.onRequest("editor/tasks", async () => (await import("./rare.js")).listTasks());
  const running = async (params: EditorTaskParams, token: vscode.CancellationToken) =>
    (await import("./rare.js")).runTask(params, token);
  client.onRequest("editor/runTask", fitting(isEditorTaskParams, running));
  const commanding = async (params: EditorCommandParams, token: vscode.CancellationToken) =>
    (await import("./rare.js")).runCommand(params, token);
  client.onRequest("editor/runCommand", fitting(isEditorCommandParams, commanding));
  client.onRequest("lm/tools", async () => (await import("./rare.js")).listTools());
  const invoking = async (params: EditorToolParams, token: vscode.CancellationToken) =>
    (await import("./rare.js")).invokeTool(params, token);
  client.onRequest("lm/invokeTool", fitting(isEditorToolParams, invoking));
}

/** Params that do not fit are refused, and the rest is done. */
function fitting<P, R>(guard: Guard<P>, perform: (params: P, token: vscode.CancellationToken) => Promise<R>) {
  return async (params: unknown, token: vscode.CancellationToken): Promise<R> => {
    if (guard(params)) return perform(params, token);
    throw new ResponseError(ErrorCode.INVALID_PARAMS, `params${guard.fault(params)} does not fit`);
  };
}
