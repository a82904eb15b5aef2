// The commands of the palette.
import * as vscode from "vscode";
import type { Bridge } from "../common/bridge.js";
import type { HostAction } from "../common/page-messages.js";
import { diagnosticsText } from "./diagnostics.js";
import { historyCommands } from "./history-commands.js";
import type { ServerLifecycle } from "./lifecycle.js";
import type { Texts } from "./texts.js";
import { VIEW_ID } from "./view.js";

/** Opens the settings of this extension. */
export function openSettings(): void {
  void vscode.commands.executeCommand("workbench.action.openSettings", "@ext:assent.assent");
}

/** What a button about the server does, on the page and in notifications. */
export function hostAction(action: HostAction, log: vscode.LogOutputChannel, retry: () => void): void {
  if (action === "openSettings") openSettings();
  else if (action === "showLog") log.show();
  else retry();
}

/** Registers them all. */
export function registerCommands(
  bridge: Bridge,
  lifecycle: ServerLifecycle,
  log: vscode.LogOutputChannel,
  texts: Texts,
): vscode.Disposable[] {
  const showChat = () => vscode.commands.executeCommand(`${VIEW_ID}.focus`);
  const commands: Record<string, () => unknown> = {
    "assent.newChat": async () => {
      await showChat();
      await lifecycle.start();
      await bridge.newChat();
    },
    "assent.stop": () => bridge.stop(),
    "assent.sendTestRequest": async () => {
      await showChat();
      await lifecycle.start();
      log.info((await bridge.sendTestRequest()) ?? "The test request was not sent.");
    },
    "assent.showLog": () => log.show(),
    "assent.reinstallServer": () => lifecycle.restart(true),
    "assent.openSettings": openSettings,
    "assent.showAllowed": async () => {
      await showChat();
      await lifecycle.start();
      bridge.showGrants();
    },
    "assent.copyDiagnostics": () => copyDiagnostics(bridge, lifecycle, texts),
    ...historyCommands({
      texts,
      server: async () => {
        await lifecycle.start();
        return bridge.connectedServer;
      },
    }),
  };
  return Object.entries(commands).map(([name, run]) => vscode.commands.registerCommand(name, run));
}

async function copyDiagnostics(bridge: Bridge, lifecycle: ServerLifecycle, texts: Texts): Promise<void> {
  const text = await diagnosticsText(
    {
      extension: lifecycle.version,
      editor: `${vscode.env.appName} ${vscode.version}`,
      platform: `${process.platform} ${process.arch}`,
      remote: vscode.env.remoteName,
      trusted: vscode.workspace.isTrusted,
      connection: bridge.connectionWords,
    },
    () => lifecycle.python(),
  );
  await vscode.env.clipboard.writeText(text);
  const shown = await vscode.window.showInformationMessage("The diagnostics are on the clipboard.", "Show");
  if (shown !== undefined) await texts.show("Assent diagnostics.txt", text);
}
