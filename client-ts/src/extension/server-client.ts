// The server's process and the connection to it, from start to end, over crashes.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import type * as vscode from "vscode";
import { CloseAction, ErrorAction, LanguageClient, ResponseError, State } from "vscode-languageclient/node";
import type { Disposable } from "../common/emitter.js";
import { type Connection, NOTIFICATIONS, serverFault } from "../common/server.js";
import {
  type ClientHandshake,
  ErrorCode,
  isSettingsWriteParams,
  type SettingsWriteResult,
} from "../protocol/generated.js";
import type { ServerPython } from "./locate.js";
import { RestartBudget } from "./restart-budget.js";
import { pythonEnvironment } from "./run-process.js";
import type { SettingsWriter } from "./settings-write.js";

/** What the client needs of the extension. */
export interface ServerClientOptions {
  python: ServerPython;
  args: readonly string[];
  log: vscode.LogOutputChannel;
  writer: SettingsWriter;
  handshake(): ClientHandshake;
  onConnected(connection: Connection): void;
  /** The process is gone. `final`: it is not started again by itself. */
  onGone(text: string, final: boolean): void;
}

const STOP_WITHIN_MS = 2000;

/** One server after another, until it is stopped or crashes too often. */
export class ServerClient {
  private readonly client: LanguageClient;
  private readonly restarts = new RestartBudget(5, 180_000, () => performance.now());
  private process: ChildProcessWithoutNullStreams | undefined;
  private lastWords = "";
  private stopped = false;

  constructor(private readonly options: ServerClientOptions) {
    this.client = new LanguageClient("assent", "Assent", () => this.spawn(), {
      documentSelector: [],
      outputChannel: options.log,
      stdioOptions: { stdout: () => {}, stderr: (input) => input.on("data", (bytes: Buffer) => this.hear(bytes)) },
      initializationOptions: () => ({ assent: options.handshake() }),
      initializationFailedHandler: () => false,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => this.closed(),
      },
    });
    this.client.onDidChangeState(({ newState }) => {
      const speaksOurs = newState === State.Running && serverFault(this.client.initializeResult) === undefined;
      if (speaksOurs) options.onConnected(this.connection());
    });
    this.client.onRequest("settings/write", (params: unknown) => this.write(params));
  }

  /** Resolves when the server answered to `initialize`. */
  async start(): Promise<void> {
    try {
      await this.client.start();
    } catch (error) {
      throw new Error(`The server did not start: ${this.explain(error)}`);
    }
    const fault = serverFault(this.client.initializeResult);
    if (fault !== undefined) throw new Error(fault);
  }

  /** Tells the server that settings changed. */
  settingsChanged(settings: unknown): void {
    if (this.client.state !== State.Running) return;
    void this.client.sendNotification("workspace/didChangeConfiguration", { settings: { assent: settings } });
  }

  async stop(): Promise<void> {
    this.stopped = true;
    const ending = this.process;
    try {
      if (this.client.needsStop()) await this.client.stop(STOP_WITHIN_MS);
    } catch (error) {
      this.options.log.warn(`The server did not stop in order: ${String(error)}`);
    } finally {
      if (ending?.exitCode === null && ending.signalCode === null) ending.kill("SIGKILL");
      await this.client.dispose().catch(() => undefined);
    }
  }

  private spawn(): Promise<ChildProcessWithoutNullStreams> {
    const { python, args, log } = this.options;
    const child = spawn(python.executable, [...python.options, "-m", "assent", "serve", "--stdio", ...args], {
      cwd: python.cwd,
      env: pythonEnvironment(),
      windowsHide: true,
    });
    this.process = child;
    this.lastWords = "";
    child.on("exit", (code, signal) => log.info(`The server ended (${signal ?? `exit code ${code}`}).`));
    return new Promise((resolve, reject) => {
      child.once("spawn", () => resolve(child));
      child.once("error", reject);
    });
  }

  /** The server's own log. Its lines name their level. */
  private hear(bytes: Buffer): void {
    const text = bytes.toString("utf8");
    this.lastWords = (this.lastWords + text).slice(-4000);
    for (const line of text.split(/\r?\n/).filter((each) => each.trim() !== "")) {
      if (/\b(DEBUG|INFO)\b/.test(line)) this.options.log.info(line);
      else if (/\bWARNING\b/.test(line)) this.options.log.warn(line);
      else this.options.log.error(line);
    }
  }

  private closed() {
    if (this.stopped) return { action: CloseAction.DoNotRestart, handled: true };
    const again = this.restarts.take();
    const text = again
      ? "The server ended unexpectedly. Starting it again…"
      : `The server ended ${this.restarts.limit + 1} times within three minutes and is not started again. ${this.explain()}`;
    this.options.log.error(`${text} ${this.lastWords.trim().split("\n").at(-1) ?? ""}`);
    this.options.onGone(text, !again);
    return { action: again ? CloseAction.Restart : CloseAction.DoNotRestart, handled: true };
  }

  private explain(error?: unknown): string {
    const last = this.lastWords.trim().split("\n").at(-1) ?? "";
    const reason = error instanceof Error ? error.message : error === undefined ? "" : String(error);
    return [reason, last && `Its last words: ${last}`].filter(Boolean).join(" ");
  }

  private async write(params: unknown): Promise<SettingsWriteResult> {
    if (isSettingsWriteParams(params)) return this.options.writer.write(params);
    throw new ResponseError(ErrorCode.INVALID_PARAMS, `params${isSettingsWriteParams.fault(params)} does not fit`);
  }

  private connection(): Connection {
    const { client } = this;
    return {
      request: (method, params) => client.sendRequest<unknown>(method, params),
      notify: (method, params) => void client.sendNotification(method, params),
      onNotification: (listener): Disposable => {
        const parts = NOTIFICATIONS.map((method) =>
          client.onNotification(method, (params: unknown) => listener(method, params)),
        );
        return {
          dispose: () => {
            for (const part of parts) part.dispose();
          },
        };
      },
    };
  }
}
