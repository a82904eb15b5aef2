// The editor's configuration behind the ports that the rest of the extension uses.
import * as vscode from "vscode";
import { isRecord } from "../protocol/check.js";
import type { ScopedSettings } from "../protocol/generated.js";
import { encodings } from "./encodings.js";
import { collectScopes, serverSettings } from "./scoped-settings.js";
import { settingsIn } from "./settings-text.js";
import type { SettingsStore } from "./settings-write.js";

const SECTION = "assent";
const BUILT_IN = "Demo";
/** The one setting of others that the server heeds: which Python a project has. */
export const INTERPRETER = "python.defaultInterpreterPath";

/** What the server gets, read anew: the values, and whether those of the workspace are trusted. */
export function scopedSettings(extension: vscode.Extension<unknown>): ScopedSettings {
  const manifest = extension.packageJSON as { contributes: { configuration: { properties: Record<string, unknown> } } };
  const configuration = vscode.workspace.getConfiguration(SECTION);
  const keys = serverSettings(manifest.contributes.configuration.properties);
  const all = vscode.workspace.getConfiguration();
  const inspect = (key: string) => (key === INTERPRETER ? all : configuration).inspect(key);
  const { isTrusted } = vscode.workspace;
  return { ...collectScopes([...keys, INTERPRETER], inspect), workspaceTrusted: isTrusted, encodings: encodings() };
}

/** Where entries are written. */
export const editorStore: SettingsStore = {
  get isTrusted() {
    return vscode.workspace.isTrusted;
  },
  get hasWorkspace() {
    return (vscode.workspace.workspaceFolders?.length ?? 0) > 0;
  },
  current: async (key, target) => {
    const inspected = vscode.workspace.getConfiguration(SECTION).inspect(key);
    if (target === "user") return inspected?.globalValue;
    return (await inWorkspaceFile(key)) ?? inspected?.workspaceValue;
  },
  update: async (key, value, target) => {
    const where = target === "workspace" ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
    await vscode.workspace.getConfiguration(SECTION).update(key, value, where);
  },
};

/** The agents of the user's settings, and the names of all agents that any settings define or that are built in. */
export function knownAgents(): { ofUser: unknown; names: ReadonlySet<string> } {
  const configuration = vscode.workspace.getConfiguration(SECTION);
  const all = configuration.get<unknown>("agents");
  const names = new Set([BUILT_IN, ...Object.keys(isRecord(all) ? all : {})]);
  return { ofUser: configuration.inspect("agents")?.globalValue, names };
}

/** What the workspace's own file says. The editor's reading of it leaves out names such as `__proto__`. */
async function inWorkspaceFile(key: string): Promise<unknown> {
  const { workspaceFile, workspaceFolders } = vscode.workspace;
  const folder = workspaceFolders?.[0]?.uri;
  const file = workspaceFile ?? (folder && vscode.Uri.joinPath(folder, ".vscode", "settings.json"));
  if (file === undefined) return undefined;
  try {
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
    return settingsIn(text, workspaceFile ? "workspace" : "folder")?.get(`${SECTION}.${key}`);
  } catch {
    return undefined; // there is none, or none of this kind: the editor knows better
  }
}

/** Machine settings about the server's process. */
export function serverProcessSettings(): { python: string | undefined; args: string[] } {
  const configuration = vscode.workspace.getConfiguration(SECTION);
  const python = configuration.get<unknown>("server.python");
  const args = configuration.get<unknown>("server.args");
  return {
    python: typeof python === "string" && python.trim() !== "" ? python.trim() : undefined,
    args: Array.isArray(args) ? args.filter((arg) => typeof arg === "string") : [],
  };
}
