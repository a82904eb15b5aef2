// The tools that extensions have for language models, for the server.
import * as vscode from "vscode";
import type { EditorCame, EditorTool, EditorToolParams, EditorTools } from "../protocol/generated.js";
import { plainJson } from "./plain-json.js";

const MOST_TOOLS = 256;
const MOST_SAID = 64 * 1024;
const MOST_TEXT = 200_000;

/** Those that there are now, as their extensions describe them. */
export async function listTools(): Promise<EditorTools> {
  const tools = vscode.lm.tools.map(told).filter((one) => JSON.stringify(one).length <= MOST_SAID);
  return { tools: tools.slice(0, MOST_TOOLS) };
}

/** Calls one of them. Being cancelled stops it, as far as it heeds that. */
export async function invokeTool(
  { name, input }: EditorToolParams,
  token: vscode.CancellationToken,
): Promise<EditorCame> {
  if (token.isCancellationRequested) return { fault: "it was stopped before" };
  try {
    // It belongs to no chat of the editor's own, so the editor asks in a window where the tool wants to be confirmed.
    const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }, token);
    return joined(content.map(part));
  } catch (error) {
    return { fault: token.isCancellationRequested ? "it was stopped" : why(error) };
  }
}

/** The editor says “Canceled” where its user said no to its own question, and where a tool gives up by itself. */
function why(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.name === "Canceled"
    ? "it was not confirmed where the editor itself asked, or it gave up"
    : error.message;
}

/** What an extension wrote is in no certain form: one that left something out takes nothing from the others. */
function told({ name, description, inputSchema }: vscode.LanguageModelToolInformation): EditorTool {
  const schema = typeof inputSchema === "object" && !Array.isArray(inputSchema) ? inputSchema : null;
  return { name, description: description ?? "", ...(schema ? { schema: schema as Record<string, unknown> } : {}) };
}

function part(one: unknown): EditorCame {
  if (one instanceof vscode.LanguageModelTextPart) return { text: one.value };
  if (one instanceof vscode.LanguageModelPromptTsxPart) return plainJson(one.value);
  return { text: "[a part that is no text]" };
}

function joined(parts: readonly EditorCame[]): EditorCame {
  if (parts.length === 0) return {};
  const text = parts.map((one) => one.text ?? "").join("\n");
  const cut = text.length > MOST_TEXT;
  return { text: text.slice(0, MOST_TEXT), truncated: cut || parts.some((one) => one.truncated === true) };
}
