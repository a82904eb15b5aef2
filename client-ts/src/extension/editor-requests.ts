// What the server asks of the editor itself, each request checked before it is done.
import type * as vscode from "vscode";
import { type LanguageClient, ResponseError } from "vscode-languageclient/node";
import type { Guard } from "../protocol/check.js";
import {
  type EditorCommandParams,
  type EditorDiagnosticsParams,
  type EditorDocumentParams,
  type EditorOpenParams,
  type EditorSaveParams,
  type EditorShowDiffParams,
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
  const reading = async (params: EditorDocumentParams) => (await import("./rare.js")).openDocument(params);
  client.onRequest("editor/document", fitting(isEditorDocumentParams, reading));
  const saving = async (params: EditorSaveParams) => (await import("./rare.js")).saveDocument(params);
  client.onRequest("editor/save", fitting(isEditorSaveParams, saving));
  const opening = async (params: EditorOpenParams) => (await import("./rare.js")).openFile(params);
  client.onRequest("editor/openFile", fitting(isEditorOpenParams, opening));
  const showing = async (params: EditorShowDiffParams) => (await import("./rare.js")).showDiff(params, texts);
  client.onRequest("editor/showDiff", fitting(isEditorShowDiffParams, showing));
  const judging = async (params: EditorDiagnosticsParams) => (await import("./rare.js")).diagnostics(params);
  client.onRequest("editor/diagnostics", fitting(isEditorDiagnosticsParams, judging));
  const selecting = async () => (await import("./rare.js")).selection();
  client.onRequest("editor/selection", fitting(isEditorSelectionParams, selecting));
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
