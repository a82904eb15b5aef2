// Changing a call before it is approved: from its arguments to a text, and from the text back. What was not changed is not sent.
import { hasExactNumbers } from "./exact-json.js";
import { type Card, isFullyShown } from "./state.js";

/** A call's arguments as a text to be changed: one of them as it is, or all of them as JSON. */
export interface EditForm {
  label: string;
  text: string;
  /** The argument that the text is; without one it is all of them. */
  field: string | undefined;
  args: Record<string, unknown>;
}

/** What a text means: the call as it was, the call with other arguments, or nothing that could run. */
export type Edited =
  | { kind: "same" }
  | { kind: "changed"; args: Record<string, unknown> }
  | { kind: "fault"; text: string };

const TEXTS: ReadonlyMap<string, readonly [field: string, label: string]> = new Map([
  ["bash", ["command", "Command"]],
  ["write_file", ["content", "Content"]],
] as const);

/** How a card's call can be changed; undefined where it cannot, or where this side does not hold it exactly. */
export function editForm(card: Card): EditForm | undefined {
  const { editable, inexact, options, tool } = card.request;
  const approvable = options.some(({ kind }) => kind === "allow_once");
  if (!editable || inexact?.length || !approvable || !isFullyShown(card)) return undefined;
  const args = wholeArguments(card);
  if (args === undefined || !hasExactNumbers(args)) return undefined;
  const [field, label] = TEXTS.get(tool) ?? [];
  const text = field === undefined ? undefined : args[field];
  if (field !== undefined && label !== undefined && typeof text === "string" && survivesEditing(text))
    return { label, field, args, text: lineFeeds(text) };
  return { label: "Arguments as JSON", field: undefined, args, text: JSON.stringify(args, null, 2) };
}

/** What the user's text means for this call. */
export function readEdit(form: EditForm, text: string): Edited {
  if (text === form.text) return { kind: "same" };
  if (form.field === undefined) return readJson(form, text);
  const before = form.args[form.field];
  const written = typeof before === "string" && before.includes("\r\n") ? text.replaceAll("\n", "\r\n") : text;
  return { kind: "changed", args: { ...form.args, [form.field]: written } };
}

function readJson({ args }: EditForm, text: string): Edited {
  const value = parsed(text);
  if (value instanceof Error) return { kind: "fault", text: `This is not JSON: ${value.message}` };
  if (!isRecord(value)) return { kind: "fault", text: "The arguments must be an object: { … }." };
  if (!hasExactNumbers(value))
    return { kind: "fault", text: "A number is too long to be sent exactly. Write it shorter, or as a text." };
  return JSON.stringify(value) === JSON.stringify(args) ? { kind: "same" } : { kind: "changed", args: value };
}

function wholeArguments({ request, details }: Card): Record<string, unknown> | undefined {
  const value = request.truncated ? parsed(details.pieces.join("")) : request.args;
  return isRecord(value) ? value : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** A text field knows one kind of line end: a text that mixes them would come back as another one. */
function survivesEditing(text: string): boolean {
  return !text.includes("\r") || lineFeeds(text).replaceAll("\n", "\r\n") === text;
}

function lineFeeds(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
