// The server's process and the connection to it, from start to end, over crashes.
import type { ChildProcess } from "node:child_process";
import type * as vscode from "vscode";
import { CloseAction, ErrorAction, ErrorCodes, LanguageClient, ResponseError, State } from "vscode-languageclient/node";
import type { Disposable } from "../common/emitter.js";
import { type Connection, NOTIFICATIONS, serverFault } from "../common/server.js";
import {
  type ClientHandshake,
  ErrorCode,
  isSecretParams,
  isSettingsWriteParams,
  type SecretValue,
  type SettingsWriteResult,
} from "../protocol/generated.js";
import { answerForEditor } from "./editor-requests.js";
import { withoutBodies } from "./message-trace.js";
import { RestartBudget } from "./restart-budget.js";
import { ServerDied, ServerProcess, type ServerPython } from "./server-process.js";
import type { SettingsWriter } from "./settings-write.js";
import type { Texts } from "./texts.js";

/** What the client needs of the extension. */
export interface ServerClientOptions {
  python: ServerPython;
  args: readonly string[];
  log: vscode.LogOutputChannel;
  writer: SettingsWriter;
  texts: Texts;
  /** The key that the user stored under this name. */
  storedKey(name: string): Promise<string | undefined>;
  handshake(): ClientHandshake;
  onConnected(connection: Connection): void;
  /** The process is gone. `final`: it is not started again by itself. */
  onGone(text: string, final: boolean): void;
}

const STOP_WITHIN_MS = 2000;
const END_WITHIN_MS = 2000;

/** The documents that the server is told of. Which of these hold settings of this window, it knows itself. */
const SETTINGS_FILES = [
  { scheme: "file", pattern: "**/settings.json" },
  { scheme: "file", pattern: "**/*.code-workspace" },
  { scheme: "vscode-userdata", pattern: "**/settings.json" },
];

/** Says its own faults in the log only: what the user has to know of the server is told once, in words of ours. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

/** One server after another, until it is stopped or crashes too often. */
export class ServerClient {
  private readonly client: LanguageClient;
  private readonly restarts = new RestartBudget(5, 180_000, () => performance.now());
  private process: ServerProcess | undefined;
  /** The first start succeeded: whoever called it no longer hears of what fails. */
  private begun = false;
  /** The present process answered to `initialize`. */
  private speaking = false;
  private stopped = false;
  /** The settings changed after the server was told of them, and before it could be told anew. */
  private missed = false;

  constructor(private readonly options: ServerClientOptions) {
    this.client = new QuietClient("assent", "Assent", () => this.spawn(), {
      documentSelector: SETTINGS_FILES,
      outputChannel: options.log,
      traceOutputChannel: withoutBodies(options.log),
      stdioOptions: { stdout: () => {}, stderr: () => {} },
      initializationOptions: () => this.greeting(),
      initializationFailedHandler: (error) => {
        if (this.begun) void this.restartFailed(error);
        return false;
      },
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => this.closed(),
      },
    });
    this.client.onDidChangeState(({ newState }) => newState === State.Running && this.running());
    this.client.onRequest("settings/write", (params: unknown) => this.write(params));
    this.client.onRequest("secrets/get", (params: unknown) => this.storedKey(params));
    answerForEditor(this.client, options.texts);
  }

  /** Resolves when the server answered to `initialize`. */
  async start(): Promise<void> {
    try {
      await this.client.start();
    } catch (error) {
      throw await this.explained(error);
    }
    const fault = serverFault(this.client.initializeResult);
    if (fault !== undefined) throw new Error(fault);
    this.begun = true;
  }

  /** The settings changed: the server is told now, or as soon as it listens. */
  settingsChanged(): void {
    this.missed = this.client.state !== State.Running;
    if (this.missed) return;
    const { settings } = this.options.handshake();
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
      ending?.kill();
      await this.client.dispose().catch(() => undefined);
    }
  }

  private async spawn(): Promise<ChildProcess> {
    const { python, args, log } = this.options;
    this.speaking = false;
    this.process = new ServerProcess(python, ["-m", "assent", "serve", "--stdio", ...args], (line) => this.hear(line));
    try {
      const child = await this.process.started;
      child.on("exit", (code, signal) => log.info(`The server ended (${signal ?? `exit code ${code}`}).`));
      return child;
    } catch (error) {
      if (this.begun) void this.restartFailed(error);
      throw error;
    }
  }

  private greeting(): { assent: ClientHandshake } {
    this.missed = false;
    return { assent: this.options.handshake() };
  }

  private running(): void {
    this.speaking = true;
    const fault = serverFault(this.client.initializeResult);
    if (this.missed) this.settingsChanged();
    if (fault === undefined) this.options.onConnected(this.connection());
    else if (this.begun) this.options.onGone(fault, true);
  }

  /** The server's own log. Its lines name their level. */
  private hear(line: string): void {
    const { log } = this.options;
    if (/\b(DEBUG|INFO)\b/.test(line)) log.info(line);
    else if (/\bWARNING\b/.test(line)) log.warn(line);
    else log.error(line);
  }

  private closed() {
    // What ends before it answered is told by whoever started it; starting it once more would end the same way.
    if (this.stopped || !this.speaking) return { action: CloseAction.DoNotRestart, handled: true };
    const words = this.process?.lastWords ?? "";
    const again = this.restarts.take();
    const text = again
      ? "The server ended unexpectedly. Starting it again…"
      : `The server ended ${this.restarts.limit + 1} times within three minutes and is not started again.${words && ` Its last words: ${words}`}`;
    this.options.log.error(text);
    this.options.onGone(text, !again);
    return { action: again ? CloseAction.Restart : CloseAction.DoNotRestart, handled: true };
  }

  private async restartFailed(error: unknown): Promise<void> {
    const { message } = await this.explained(error);
    if (this.stopped) return;
    this.options.log.error(message);
    this.options.onGone(message, true);
  }

  /** Why a start failed, for the user. */
  private async explained(error: unknown): Promise<Error> {
    const answered = error instanceof ResponseError && error.code !== ErrorCodes.PendingResponseRejected;
    const death = answered ? undefined : await this.process?.deathAtStart(END_WITHIN_MS);
    if (death !== undefined) return new ServerDied(death);
    return new Error(`The server did not start: ${error instanceof Error ? error.message : String(error)}`);
  }

  private async write(params: unknown): Promise<SettingsWriteResult> {
    if (isSettingsWriteParams(params)) return this.options.writer.write(params);
    throw new ResponseError(ErrorCode.INVALID_PARAMS, `params${isSettingsWriteParams.fault(params)} does not fit`);
  }

  private async storedKey(params: unknown): Promise<SecretValue> {
    if (!isSecretParams(params))
      throw new ResponseError(ErrorCode.INVALID_PARAMS, `params${isSecretParams.fault(params)} does not fit`);
    try {
      return { value: (await this.options.storedKey(params.name)) ?? null };
    } catch {
      // Never with what the storage says of it: a log would keep that.
      throw new ResponseError(ErrorCode.INTERNAL_ERROR, "the editor's secret storage could not be read");
    }
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
