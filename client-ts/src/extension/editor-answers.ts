// The answers to what the server asks of the editor, each request checked before it is done.
import type * as vscode from "vscode";
import type { Guard } from "../protocol/check.js";
import {
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
import { runCommand } from "./editor-commands.js";
import { diagnostics, openFile, selection, showDiff } from "./editor-views.js";
import { invokeTool, listTools } from "./model-tools.js";
import { openDocument, saveDocument } from "./open-documents.js";
import { listTasks, runTask } from "./tasks.js";
import type { Texts } from "./texts.js";

type Answer = (params: unknown, token: vscode.CancellationToken, texts: Texts) => unknown;

const ANSWERS: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  ["editor/document", fitting(isEditorDocumentParams, openDocument)],
  ["editor/save", fitting(isEditorSaveParams, saveDocument)],
  ["editor/openFile", fitting(isEditorOpenParams, openFile)],
  ["editor/showDiff", fitting(isEditorShowDiffParams, (params, _token, texts) => showDiff(params, texts))],
  ["editor/diagnostics", fitting(isEditorDiagnosticsParams, diagnostics)],
  ["editor/selection", fitting(isEditorSelectionParams, selection)],
  ["editor/tasks", listTasks],
  ["editor/runTask", fitting(isEditorTaskParams, runTask)],
  ["editor/runCommand", fitting(isEditorCommandParams, runCommand)],
  ["lm/tools", listTools],
  ["lm/invokeTool", fitting(isEditorToolParams, invokeTool)],
]);

/** Does what a request asks for. Throws Misfit, and does nothing, where its params do not fit. */
export async function answerRequest(
  method: string,
  params: unknown,
  token: vscode.CancellationToken,
  texts: Texts,
): Promise<unknown> {
  return ANSWERS.get(method)?.(params, token, texts);
}

/** The params of a request do not fit. */
export class Misfit extends Error {}

function fitting<P>(
  guard: Guard<P>,
  perform: (params: P, token: vscode.CancellationToken, texts: Texts) => unknown,
): Answer {
  return async (params, token, texts) => {
    if (guard(params)) return perform(params, token, texts);
    throw new Misfit(`params${guard.fault(params)} does not fit`);
  };
}
