// The commands around keys: one is typed into a box of the editor, kept by the editor, and shown to nobody.
import * as vscode from "vscode";
import { type Server, toFault } from "../common/server.js";
import { visibleText } from "../common/visible-text.js";
import type { KeyInfo } from "../protocol/generated.js";
import { withoutIcons } from "./quick-text.js";
import { keyFault, type SecretKeys } from "./secret-keys.js";

/** What the commands need: the keys, and the server, started where it is not. */
export interface KeyContext {
  keys: SecretKeys;
  server(): Promise<Server | undefined>;
}

/** The commands by their names. */
export function keyCommands(
  context: KeyContext,
): Record<"assent.setKey" | "assent.removeKey", (agent?: unknown) => unknown> {
  return {
    "assent.setKey": (agent) => setKey(context, agent),
    "assent.removeKey": () => removeKey(context.keys),
  };
}

/** Asks for the key of this agent, or of one that the user picks, and stores it. */
async function setKey({ keys, server }: KeyContext, agent: unknown): Promise<void> {
  const present = await server();
  if (present === undefined) return failed("The server of Assent does not run. “Assent: Show Log” says why.");
  try {
    const { keys: places } = await present.request("keys/list", {});
    const place = await pickedPlace(places, agent);
    if (place !== undefined && (await enteredKey(keys, place)))
      void vscode.window.showInformationMessage(storedWords(place));
  } catch (error) {
    failed(toFault(error).message);
  }
}

/** Asks for a key and stores it. Says whether there is a new one. */
export async function enteredKey(keys: SecretKeys, place: Pick<KeyInfo, "agent" | "name" | "origin">) {
  const typed = await vscode.window.showInputBox({
    title: `Assent: API key of ${visibleText(place.agent)}`,
    prompt: `For ${visibleText(place.origin)} and no other address. The editor's secret storage keeps it.`,
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) => (text === "" ? undefined : keyFault(text)),
  });
  if (typed === undefined || typed.trim() === "") return false;
  try {
    await keys.set(place.name, typed.trim());
    return true;
  } catch {
    // Whatever the storage has to say of it might hold the key.
    failed("The editor's secret storage did not take the key, so it is not stored.");
    return false;
  }
}

async function pickedPlace(places: readonly KeyInfo[], agent: unknown): Promise<KeyInfo | undefined> {
  const named = places.find((place) => place.agent === agent);
  if (named !== undefined) return named;
  if (places.length === 0) {
    const choose = "Choose a Model…";
    const text = "No agent of your user settings has a model behind an address, so there is nothing to set a key for.";
    const picked = await vscode.window.showInformationMessage(text, choose);
    if (picked === choose) void vscode.commands.executeCommand("assent.chooseModel");
    return undefined;
  }
  const items = places.map((place) => ({
    label: shown(place.agent),
    description: shown(place.origin),
    detail: sourceWords(place),
    place,
  }));
  const options = { title: "Assent: Set API Key", placeHolder: "Whose key?", matchOnDescription: true };
  return (await vscode.window.showQuickPick(items, options))?.place;
}

function sourceWords({ source, variable }: KeyInfo): string {
  if (source === "environment") return `From the environment variable ${shown(variable ?? "")}`;
  return source === "stored" ? "Stored in the editor" : "No key";
}

function storedWords({ agent, origin, source, variable }: KeyInfo): string {
  const stored = `The key of ${visibleText(agent)} for ${visibleText(origin)} is stored.`;
  if (source !== "environment") return stored;
  return `${stored} It counts while the environment variable ${visibleText(variable ?? "")} is not set: that one comes first.`;
}

async function removeKey(keys: SecretKeys): Promise<void> {
  try {
    const names = await keys.names();
    if (names.length === 0) return void vscode.window.showInformationMessage("No key is stored.");
    const items = names.map((name) => ({ ...nameLines(name), name }));
    const options = { title: "Assent: Remove API Key", placeHolder: "Which key is to be forgotten?" };
    const picked = await vscode.window.showQuickPick(items, options);
    if (picked === undefined) return;
    await keys.remove(picked.name);
    void vscode.window.showInformationMessage(`The key ${visibleText(picked.name)} is removed.`);
  } catch {
    failed("The editor's secret storage could not be read or changed.");
  }
}

/** A name is an agent's and an address; an agent's name may hold an @. */
function nameLines(name: string) {
  const at = name.lastIndexOf("@");
  return { label: shown(name.slice(0, at)), description: shown(name.slice(at + 1)) };
}

function shown(text: string): string {
  return withoutIcons(visibleText(text));
}

function failed(text: string): void {
  void vscode.window.showErrorMessage(text);
}
