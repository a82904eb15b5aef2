// The commands of the palette.
import * as vscode from "vscode";
import type { Bridge } from "../common/bridge.js";
import type { HostAction } from "../common/page-messages.js";
import type { ServerLifecycle } from "./lifecycle.js";
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
  };
  return Object.entries(commands).map(([name, run]) => vscode.commands.registerCommand(name, run));
}
