import * as vscode from "vscode";
import { Bridge } from "../common/bridge.js";
import { Attention } from "./attention.js";
import { BypassItem } from "./bypass-item.js";
import { hostAction, registerCommands } from "./commands.js";
import { editorHost } from "./editor-host.js";
import { ServerLifecycle } from "./lifecycle.js";
import { SecretKeys } from "./secret-keys.js";
import { Texts } from "./texts.js";
import { ChatView, VIEW_ID } from "./view.js";

let running: ServerLifecycle | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel("Assent", { log: true });
  const act = (action: Parameters<typeof hostAction>[0]) =>
    hostAction(action, log, () => void lifecycle.restart(false));
  const texts = new Texts();
  const bridge = new Bridge(editorHost(log, texts, act));
  const keys = new SecretKeys(context.secrets);
  const lifecycle = new ServerLifecycle(context, log, bridge, keys, texts, act);
  const view = new ChatView(context.extensionUri, bridge, () => void lifecycle.start());
  const attention = new Attention(bridge.waiting, bridge.consent, bridge.forms, view, () => bridge.connectedServer);
  running = lifecycle;
  context.subscriptions.push(
    log,
    new BypassItem(bridge.bypassed),
    bridge,
    lifecycle,
    view,
    attention,
    texts,
    vscode.window.registerWebviewViewProvider(VIEW_ID, view),
    vscode.workspace.onDidChangeConfiguration(
      (event) => event.affectsConfiguration("assent.keys") && bridge.tellKeys(),
    ),
    ...registerCommands({ bridge, lifecycle, log, texts, keys }),
  );
  void lifecycle.start();
}

export async function deactivate(): Promise<void> {
  await running?.stop();
  running = undefined;
}
