// The editor's configuration behind the ports that the rest of the extension uses.
import * as vscode from "vscode";
import type { ScopedSettings } from "../protocol/generated.js";
import { collectScopes, serverSettings } from "./scoped-settings.js";
import type { SettingsStore } from "./settings-write.js";

const SECTION = "assent";

/** What the server gets, read anew: the values, and whether those of the workspace are trusted. */
export function scopedSettings(extension: vscode.Extension<unknown>): ScopedSettings {
  const manifest = extension.packageJSON as { contributes: { configuration: { properties: Record<string, unknown> } } };
  const configuration = vscode.workspace.getConfiguration(SECTION);
  const keys = serverSettings(manifest.contributes.configuration.properties);
  return { ...collectScopes(keys, (key) => configuration.inspect(key)), workspaceTrusted: vscode.workspace.isTrusted };
}

/** Where entries are written. */
export const editorStore: SettingsStore = {
  get isTrusted() {
    return vscode.workspace.isTrusted;
  },
  get hasWorkspace() {
    return (vscode.workspace.workspaceFolders?.length ?? 0) > 0;
  },
  inspect: (key) => vscode.workspace.getConfiguration(SECTION).inspect(key),
  update: async (key, value, target) => {
    const where = target === "workspace" ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
    await vscode.workspace.getConfiguration(SECTION).update(key, value, where);
  },
};

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
