// How the editor has files open, for the server, which asks when it needs to know: nothing is sent while somebody types.
import { realpath } from "node:fs/promises";
import * as vscode from "vscode";
import type { EditorDocument, EditorDocumentParams, EditorSaved, EditorSaveParams } from "../protocol/generated.js";

const LONGEST = 10 * 1024 * 1024;

/** The file as it stands here, under whichever of its names it was opened. */
export async function openDocument({ paths }: EditorDocumentParams): Promise<EditorDocument> {
  const document = await find(new Set(paths));
  if (document === undefined || document.isClosed) return { open: false };
  const text = document.getText();
  return {
    open: true,
    uri: document.uri.toString(),
    version: document.version,
    dirty: document.isDirty,
    ...(Buffer.byteLength(text) <= LONGEST ? { text } : {}),
  };
}

/** Saves a document as it stands. */
export async function saveDocument({ uri }: EditorSaveParams): Promise<EditorSaved> {
  const document = onDisk().find((one) => one.uri.toString() === uri);
  return { saved: document !== undefined && (await document.save()) };
}

const onDisk = () => vscode.workspace.textDocuments.filter(({ uri, isClosed }) => uri.scheme === "file" && !isClosed);

async function find(paths: ReadonlySet<string>): Promise<vscode.TextDocument | undefined> {
  const documents = onDisk();
  const named = documents.filter(({ uri }) => paths.has(uri.fsPath));
  const found = named.find(({ isDirty }) => isDirty) ?? named[0];
  if (found !== undefined) return found;
  const real = await Promise.all(documents.map(({ uri }) => realpath(uri.fsPath).catch(() => undefined)));
  return documents.find((_, at) => paths.has(real[at] ?? ""));
}
