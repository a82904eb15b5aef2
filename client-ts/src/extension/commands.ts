// The commands of the palette.
import * as vscode from "vscode";
import type { Bridge } from "../common/bridge.js";
import type { HostAction } from "../common/page-messages.js";
import { press } from "./card-keys.js";
import { diagnosticsText } from "./diagnostics.js";
import { knownAgents } from "./editor-settings.js";
import type { ServerLifecycle } from "./lifecycle.js";
import type { Definition } from "./model-definitions.js";
import type { RareContext } from "./rare.js";
import { RARE_COMMANDS, type RareCommand } from "./rare-names.js";
import type { SecretKeys } from "./secret-keys.js";
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
  else if (action === "reviewRun") void vscode.commands.executeCommand("assent.reviewRun");
  else if (action === "openFolder") void vscode.commands.executeCommand("vscode.openFolder");
  else retry();
}

/** What the commands work with. */
export interface Parts {
  bridge: Bridge;
  lifecycle: ServerLifecycle;
  log: vscode.LogOutputChannel;
  texts: Texts;
  keys: SecretKeys;
}

/** Registers them all. */
export function registerCommands(parts: Parts): vscode.Disposable[] {
  const { bridge, lifecycle, log, texts, keys } = parts;
  const showChat = () => vscode.commands.executeCommand(`${VIEW_ID}.focus`);
  const server = async () => {
    await lifecycle.start();
    return bridge.connectedServer;
  };
  const show = async (history: boolean) => {
    await showChat();
    await lifecycle.start();
    bridge.showGrants(history);
  };
  const openChat = async (agent?: string) => {
    await showChat();
    await lifecycle.start();
    await bridge.newChat(agent);
  };
  const context: RareContext = {
    keys,
    texts,
    server,
    shownChat: () => bridge.shownChat,
    openChat,
    nameFiles: async (paths) => {
      await showChat();
      await lifecycle.start();
      bridge.nameFiles(paths);
    },
    agents: knownAgents,
    define: (name: string, definition: Definition) => defineAgent(lifecycle, name, definition),
  };
  const commands: Record<string, (...given: unknown[]) => unknown> = {
    "assent.newChat": () => openChat(),
    "assent.stop": () => bridge.stop(),
    "assent.goToWaitingCall": async () => {
      await showChat();
      await bridge.goToCard();
    },
    "assent.approveCard": (given) => press(bridge, "approve", given),
    "assent.denyCard": (given) => press(bridge, "deny", given),
    "assent.sendTestRequest": async () => {
      await showChat();
      await lifecycle.start();
      log.info((await bridge.sendTestRequest()) ?? "The test request was not sent.");
    },
    "assent.showLog": () => log.show(),
    "assent.reinstallServer": () => lifecycle.restart(true),
    "assent.openSettings": openSettings,
    "assent.showAllowed": () => show(false),
    "assent.openHistory": () => show(true),
    "assent.turnOffBypasses": async () => {
      const left = await bridge.turnOffBypasses();
      if (left.length > 0)
        void vscode.window.showErrorMessage(
          `${left.join(", ")} still runs without asking. Open “What Is Allowed” to see why.`,
        );
    },
    "assent.copyDiagnostics": () => copyDiagnostics(bridge, lifecycle, texts),
    ...Object.fromEntries(RARE_COMMANDS.map((name) => [name, (...given) => runRare(name, context, given)])),
  };
  return Object.entries(commands).map(([name, run]) => vscode.commands.registerCommand(name, run));
}

/** Loads the command and runs it. What runs it afterwards has it by then. */
async function runRare(name: RareCommand, context: RareContext, given: unknown[]): Promise<unknown> {
  const { rareCommands } = await import("./rare.js");
  return rareCommands(context)[name](...given);
}

/** Into the user's own settings, as the agent of new chats. Answers with what went wrong. */
async function defineAgent(
  lifecycle: ServerLifecycle,
  name: string,
  definition: Definition,
): Promise<string | undefined> {
  const { writer } = lifecycle;
  const defined = await writer.writeForUser("agents", [name], definition);
  const chosen = defined.written ? await writer.writeForUser("agent", [], name) : defined;
  // The chat that is opened next is one with this agent: the server has to know it by then.
  lifecycle.tellSettings();
  return chosen.written ? undefined : (chosen.error ?? "the editor does not say why.");
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
