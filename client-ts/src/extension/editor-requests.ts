// What the server may ask of the editor itself. What answers is loaded with the first request.
import type * as vscode from "vscode";
import { type LanguageClient, ResponseError } from "vscode-languageclient/node";
import { ErrorCode } from "../protocol/generated.js";
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
  for (const method of [...EDITOR_CAPABILITIES, "lm/tools"]) {
    client.onRequest(method, async (params: unknown, token: vscode.CancellationToken) => {
      const { answerRequest, Misfit } = await import("./rare.js");
      try {
        return await answerRequest(method, params, token, texts);
      } catch (error) {
        throw error instanceof Misfit ? new ResponseError(ErrorCode.INVALID_PARAMS, error.message) : error;
      }
    });
  }
}
