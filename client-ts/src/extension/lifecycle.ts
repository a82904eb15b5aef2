// Starts and stops the server, and tells the user when that fails: one message, with what to do.
import * as vscode from "vscode";
import type { Bridge } from "../common/bridge.js";
import type { HostAction } from "../common/page-messages.js";
import { type ClientHandshake, OPTION_KIND, PROTOCOL_VERSION } from "../protocol/generated.js";
import { EDITOR_CAPABILITIES } from "./editor-requests.js";
import { editorStore, INTERPRETER, scopedSettings, serverProcessSettings } from "./editor-settings.js";
import { ASSOCIATIONS, ENCODING } from "./encodings.js";
import { locateServer } from "./locate.js";
import { editorRipgrep } from "./ripgrep.js";
import type { SecretKeys } from "./secret-keys.js";
import { ServerClient } from "./server-client.js";
import { ServerDied, type ServerPython } from "./server-process.js";
import { watchOwnSaves } from "./settings-files.js";
import { SettingsWriter } from "./settings-write.js";
import type { Texts } from "./texts.js";

/** The settings that the server is told. */
const TOLD = ["assent", INTERPRETER, ENCODING, ASSOCIATIONS];
const ACTIONS: HostAction[] = ["openSettings", "retry", "showLog"];
const AFTER_DEATH: HostAction[] = ["retry", "showLog"];
const ACTION_WORDS: Record<HostAction, string> = {
  openSettings: "Open Settings",
  retry: "Retry",
  showLog: "Show Log",
  reviewRun: "Review a Run",
  openFolder: "Open Folder…",
};

/** The one server of this window. */
export class ServerLifecycle implements vscode.Disposable {
  private client: ServerClient | undefined;
  private starting: Promise<void> | undefined;
  private located: ServerPython | undefined;
  readonly writer = new SettingsWriter(editorStore);
  private readonly owned: vscode.Disposable[] = [];

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
    private readonly bridge: Bridge,
    private readonly keys: SecretKeys,
    private readonly texts: Texts,
    private readonly perform: (action: HostAction) => void,
  ) {
    this.owned.push(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (TOLD.some((name) => event.affectsConfiguration(name))) this.tellSettings();
      }),
      // The trust counts at once; the values that it sets free follow with a change of configuration.
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.tellSettings()),
      watchOwnSaves(
        () => this.writer.isWriting,
        (saved) => void bridge.attest(saved),
      ),
    );
  }

  /** The version of this extension. */
  get version(): string {
    return String(this.context.extension.packageJSON.version);
  }

  /** The Python that runs the server, found now where that was not done yet. */
  async python(): Promise<ServerPython> {
    await this.starting;
    this.located ??= await locateServer(this.context, this.log, false);
    return this.located;
  }

  /** Starts the server, or waits for the start that is under way. */
  start(afresh = false): Promise<void> {
    this.starting ??= this.startNow(afresh).finally(() => {
      this.starting = undefined;
    });
    return this.starting;
  }

  /** Ends the server and starts another one; `afresh` makes its environment anew. */
  async restart(afresh: boolean): Promise<void> {
    await this.starting;
    await this.stop();
    await this.start(afresh);
  }

  async stop(): Promise<void> {
    const { client } = this;
    this.client = undefined;
    if (client === undefined) return;
    this.bridge.disconnected("starting", "The server is stopped.", [], true);
    await client.stop();
  }

  dispose(): void {
    for (const one of this.owned) one.dispose();
  }

  private async startNow(afresh: boolean): Promise<void> {
    if (this.client !== undefined) return;
    this.bridge.setStatus("starting", "Starting the server…");
    try {
      const python = await locateServer(this.context, this.log, afresh);
      this.located = python;
      const client = new ServerClient({
        python,
        args: serverProcessSettings().args,
        log: this.log,
        writer: this.writer,
        texts: this.texts,
        storedKey: (name) => this.keys.get(name),
        handshake: () => this.handshake(),
        onConnected: (connection) => void this.bridge.connected(connection),
        onGone: (text, final) => this.gone(client, text, final),
      });
      this.client = client;
      await client.start();
    } catch (error) {
      const failed = this.client;
      this.client = undefined;
      await failed?.stop();
      this.fail(error);
    }
  }

  private gone(client: ServerClient, text: string, final: boolean): void {
    if (this.client !== client) return;
    this.bridge.disconnected(final ? "failed" : "starting", text, final ? AFTER_DEATH : [], true);
    if (!final) return;
    this.client = undefined;
    void client.stop();
    void this.offer(text, AFTER_DEATH);
  }

  private fail(error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    const actions = error instanceof ServerDied ? AFTER_DEATH : ACTIONS;
    this.log.error(text);
    this.bridge.setStatus("failed", text, actions);
    void this.offer(text, actions);
  }

  private async offer(text: string, actions: readonly HostAction[]): Promise<void> {
    const words = actions.map((action) => ACTION_WORDS[action]);
    const picked = await vscode.window.showErrorMessage(text, ...words);
    const action = actions.find((one) => ACTION_WORDS[one] === picked);
    if (action !== undefined) this.perform(action);
  }

  private handshake(): ClientHandshake {
    const { workspaceFile } = vscode.workspace;
    return {
      protocol: PROTOCOL_VERSION,
      capabilities: [
        "cards",
        "settings/write",
        "secrets/get",
        "attest",
        "counts",
        "reveal",
        "details",
        "forms",
        "describesSettings",
        ...EDITOR_CAPABILITIES,
      ],
      options: [...OPTION_KIND],
      ripgrep: editorRipgrep(vscode.env.appRoot) ?? null,
      workspaceTrusted: vscode.workspace.isTrusted,
      settings: scopedSettings(this.context.extension),
      workspaceFile: workspaceFile?.scheme === "file" ? workspaceFile.fsPath : null,
    };
  }

  /** The server is told of the settings as they are now. */
  tellSettings(): void {
    this.client?.settingsChanged();
  }
}
