// Finds a Python that can run the server. It never comes from an open folder: a repository may bring its own.
import path from "node:path";

export const OLDEST = [3, 11] as const;

/** An interpreter that was run and is new enough. */
export interface Python {
  executable: string;
  version: readonly [number, number];
}

/** What the search needs of the machine. */
export interface PythonSearch {
  /** The setting; where it has a value, nothing else is tried. */
  readonly configured: string | undefined;
  /** The environment that the Python extension has active, if the workspace is trusted. */
  readonly fromPythonExtension: string | undefined;
  readonly isWindows: boolean;
  /** The file of a program on PATH, by its name; only absolute entries of PATH count. */
  which(name: string): string | undefined;
  isInsideOpenFolder(file: string): boolean;
  /** Runs it with these arguments; answers with what it printed. Rejects where that fails. */
  run(command: string, args: readonly string[]): Promise<string>;
}

/** No interpreter fits; the message says why and what to do. */
export class NoPython extends Error {}

const NAMES = ["python3.14", "python3.13", "python3.12", "python3.11", "python3", "python"];
const PROBE = "import json, sys; print(json.dumps([sys.executable, *sys.version_info[:2]]))";

/** The first interpreter that is new enough. */
export async function findPython(search: PythonSearch): Promise<Python> {
  const reasons: string[] = [];
  for (const candidate of candidates(search)) {
    const found = await probe(candidate, search);
    if (typeof found !== "string") return found;
    reasons.push(found);
  }
  throw new NoPython(explain(search.configured, reasons));
}

interface Candidate {
  command: string;
  args: readonly string[];
}

function candidates(search: PythonSearch): Candidate[] {
  const { configured, fromPythonExtension } = search;
  if (configured !== undefined) {
    const command = path.isAbsolute(configured) ? configured : search.which(configured);
    return [{ command: command ?? configured, args: [] }];
  }
  const found = [fromPythonExtension, ...NAMES.map((name) => search.which(name))]
    .filter((file) => file !== undefined)
    .filter((file) => !search.isInsideOpenFolder(file))
    .map((command) => ({ command, args: [] as string[] }));
  const launcher = search.isWindows ? search.which("py") : undefined;
  if (launcher !== undefined) found.push({ command: launcher, args: ["-3"] });
  return found.filter((one, index) => found.findIndex((other) => other.command === one.command) === index);
}

async function probe({ command, args }: Candidate, search: PythonSearch): Promise<Python | string> {
  if (!path.isAbsolute(command)) return `${command} was not found on PATH`;
  let printed: string;
  try {
    printed = await search.run(command, [...args, "-I", "-c", PROBE]);
  } catch (error) {
    return `${command} does not run: ${error instanceof Error ? error.message : String(error)}`;
  }
  const python = readProbe(printed);
  if (python === undefined) return `${command} does not answer as a Python does`;
  const [major, minor] = python.version;
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) return `${command} is Python ${major}.${minor}`;
  return python;
}

function readProbe(printed: string): Python | undefined {
  try {
    const [executable, major, minor] = JSON.parse(printed.trim().split("\n").at(-1) ?? "") as unknown[];
    if (typeof executable !== "string" || !path.isAbsolute(executable)) return undefined;
    if (typeof major !== "number" || typeof minor !== "number") return undefined;
    return { executable, version: [major, minor] };
  } catch {
    return undefined;
  }
}

function explain(configured: string | undefined, reasons: readonly string[]): string {
  const needed = `Assent needs Python ${OLDEST.join(".")} or newer.`;
  if (configured !== undefined) {
    return `${needed} The setting assent.server.python does not name one: ${reasons.join("; ")}. Correct the setting, or empty it to let Assent search.`;
  }
  const found = reasons.length > 0 ? `Found: ${reasons.join("; ")}.` : "None was found.";
  return `${needed} ${found} Install one, or name one in the setting assent.server.python.`;
}
