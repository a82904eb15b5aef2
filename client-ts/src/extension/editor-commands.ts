// Commands of the editor, for the server. The check of the request lets none through that is not on the closed list.
import * as vscode from "vscode";
import type { EditorArgument, EditorCame, EditorCommandParams } from "../protocol/generated.js";
import { plainJson } from "./plain-json.js";

/** Runs the command. No command can be taken back: being cancelled only ends the waiting. */
export async function runCommand(
  { command, arguments: given }: EditorCommandParams,
  token: vscode.CancellationToken,
): Promise<EditorCame> {
  const values = given.map(argument);
  const unfit = values.indexOf(undefined);
  if (unfit >= 0) return { fault: `argument ${unfit + 1} is none of its kind; it did not run` };
  if (token.isCancellationRequested) return { fault: "it was stopped before" };
  try {
    const result: unknown = await untilCancelled(vscode.commands.executeCommand(command, ...values), token);
    return result === undefined || result === null ? {} : plainJson(result);
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

/** The argument as the editor takes it; undefined where its value is none of its kind. */
function argument({ kind, value }: EditorArgument): unknown {
  switch (kind) {
    case "file":
      return typeof value === "string" && value !== "" ? vscode.Uri.file(value) : undefined;
    case "position":
      return position(value);
    case "text":
      return typeof value === "string" ? value : undefined;
    case "number":
      return Number.isFinite(value) ? value : undefined;
    case "boolean":
      return typeof value === "boolean" ? value : undefined;
  }
}

function position(value: unknown): vscode.Position | undefined {
  const { line, column } = (value ?? {}) as { line?: unknown; column?: unknown };
  if (!counted(line) || !counted(column)) return undefined;
  return new vscode.Position(line - 1, column - 1);
}

function counted(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}

async function untilCancelled(work: Thenable<unknown>, token: vscode.CancellationToken): Promise<unknown> {
  let listening: vscode.Disposable | undefined;
  const stopped = new Promise<never>((_, reject) => {
    listening = token.onCancellationRequested(() => reject(new Error("it was stopped; it may go on by itself")));
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    listening?.dispose();
  }
}
