// The Python environment that belongs to the installed extension: made once by the bundled script, then only checked.
import { existsSync } from "node:fs";
import path from "node:path";
import { isRecord } from "../protocol/check.js";
import type { Python } from "./python.js";
import { runProcess } from "./run-process.js";

/** The environment could not be made; the message says why and what to do. */
export class NoEnvironment extends Error {}

/** Where things stand. */
export interface EnvironmentPlaces {
  /** The folder of the installed extension. */
  extension: string;
  /** Where this extension may keep files on this machine. */
  storage: string;
  version: string;
}

const TEN_MINUTES = 600_000;

/** The folder of the environment for this Python and this version of the extension. */
export function environmentFolder({ storage, version }: EnvironmentPlaces, python: Python): string {
  return path.join(storage, `env-${version}-py${python.version.join("")}`);
}

/** Makes the environment where it is not whole, and answers with its Python. */
export async function makeEnvironment(
  python: Python,
  places: EnvironmentPlaces,
  onProgress: (message: string) => void,
): Promise<string> {
  const script = path.join(places.extension, "server", "make_environment.py");
  if (!existsSync(script)) {
    throw new NoEnvironment("This build of the extension brings no server. Install a packed one.");
  }
  const wheels = path.join(places.extension, "server", "wheels");
  const args = ["-I", script, "--wheels", wheels, "--target", environmentFolder(places, python)];
  const report = new Report(onProgress);
  const finished = await runProcess(python.executable, args, {
    cwd: places.storage,
    timeoutMs: TEN_MINUTES,
    onLine: (line) => report.read(line),
  });
  if (finished.code === 0 && report.python !== undefined) return report.python;
  throw new NoEnvironment(report.error ?? lastWords(finished.stderr, finished.code));
}

/** What the script says, line by line. */
class Report {
  python: string | undefined;
  error: string | undefined;

  constructor(private readonly onProgress: (message: string) => void) {}

  read(line: string): void {
    const said = parse(line);
    if (said === undefined) return;
    if (typeof said.message === "string") this.onProgress(said.message);
    if (said.done === true && typeof said.python === "string" && path.isAbsolute(said.python))
      this.python = said.python;
    if (typeof said.error === "string") {
      this.error = typeof said.hint === "string" ? `${said.error} ${said.hint}` : said.error;
    }
  }
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function lastWords(stderr: string, code: number | null): string {
  const last = stderr.trim().split("\n").at(-1) ?? "";
  return `The server's environment could not be made (${code === null ? "it took too long" : `exit code ${code}`}). ${last}`.trim();
}
