// Runs a program to its end and hears it line by line.
import { spawn } from "node:child_process";

/** How a program ended. */
export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  cwd: string;
  timeoutMs: number;
  onLine?: (line: string) => void;
}

const KEPT = 100_000;

/** The environment for every Python that is started: without what would change how it behaves here. */
export function pythonEnvironment(): NodeJS.ProcessEnv {
  const { PYTHONUNBUFFERED: _buffering, PYTHONSTARTUP: _startup, ...rest } = process.env;
  return rest;
}

/** Never rejects for a bad exit code, only where the program cannot be started. */
export function runProcess(command: string, args: readonly string[], options: RunOptions): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: pythonEnvironment(),
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
      timeout: options.timeoutMs,
      killSignal: "SIGKILL",
    });
    let [stdout, stderr, line] = ["", "", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout = (stdout + text).slice(-KEPT);
      const lines = (line + text).split(/\r?\n/);
      line = lines.pop() ?? "";
      for (const each of lines) options.onLine?.(each);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr = (stderr + text).slice(-KEPT);
    });
    child.on("error", reject);
    child.on("close", (code) => {
      if (line !== "") options.onLine?.(line);
      resolve({ code, stdout, stderr });
    });
  });
}
