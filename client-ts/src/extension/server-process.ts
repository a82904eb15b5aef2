// The server's process: starts it, hears what it says on its error stream, and tells how it ended.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { pythonEnvironment } from "./run-process.js";

/** How to start the server: which Python, and the options that keep it from importing what it should not. */
export interface ServerPython {
  executable: string;
  options: readonly string[];
  cwd: string;
}

/** The server's process ended before it could be talked to; the message is for the user. */
export class ServerDied extends Error {}

const KEPT = 4000;
const LAST_LINES = 3;
const LAST_CHARACTERS = 500;

/** The end of what a process said, short enough for a message. Lines that only underline the one above are left out. */
export function lastWords(text: string): string {
  const lines = text.split(/\r?\n/).map((line) => line.replace(/\p{Cc}/gu, " ").trim());
  const last = Array.from(
    lines
      .filter((line) => /[^\s~^]/.test(line))
      .slice(-LAST_LINES)
      .join(" | "),
  );
  return last.length <= LAST_CHARACTERS ? last.join("") : `…${last.slice(1 - LAST_CHARACTERS).join("")}`;
}

/** One process from its start to its end. */
export class ServerProcess {
  /** Resolves when it runs, rejects where it cannot be started. */
  readonly started: Promise<ChildProcessWithoutNullStreams>;
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly ended: Promise<void>;
  private said = "";
  private line = "";

  constructor(
    python: ServerPython,
    args: readonly string[],
    private readonly onLine: (line: string) => void,
  ) {
    const { executable, options, cwd } = python;
    const child = spawn(executable, [...options, ...args], { cwd, env: pythonEnvironment(), windowsHide: true });
    this.child = child;
    child.stderr.setEncoding("utf8").on("data", (text: string) => this.hear(text));
    child.stderr.on("end", () => this.hear("\n"));
    this.ended = new Promise((resolve) => child.once("close", () => resolve()));
    this.started = new Promise((resolve, reject) => {
      child.once("spawn", () => resolve(child));
      child.once("error", reject);
    });
  }

  get lastWords(): string {
    return lastWords(this.said);
  }

  kill(): void {
    if (this.howItEnded === undefined) this.child.kill("SIGKILL");
  }

  /** What to tell of a process that ended at its start; undefined when it is not gone after this long. */
  async deathAtStart(waitMs: number): Promise<string | undefined> {
    if (this.child.pid === undefined) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // Its last words may arrive after its end was noticed.
    await Promise.race([
      this.ended,
      new Promise((resolve) => {
        timer = setTimeout(resolve, waitMs);
      }),
    ]);
    clearTimeout(timer);
    const how = this.howItEnded;
    if (how === undefined) return undefined;
    const words = this.lastWords;
    const said = words === "" ? "It said nothing before." : `Its last words: ${words}`;
    return `The server ended while it was starting (${how}). ${said}`;
  }

  private get howItEnded(): string | undefined {
    const { exitCode, signalCode } = this.child;
    return signalCode ?? (exitCode === null ? undefined : `exit code ${exitCode}`);
  }

  private hear(text: string): void {
    this.said = (this.said + text).slice(-KEPT);
    const lines = (this.line + text).split(/\r?\n/);
    this.line = lines.pop() ?? "";
    for (const line of lines.filter((each) => each.trim() !== "")) this.onLine(line);
  }
}
