// From nothing to the Python that runs the server, telling the user what goes on.
import { mkdir, rm } from "node:fs/promises";
import * as vscode from "vscode";
import { serverProcessSettings } from "./editor-settings.js";
import { environmentFolder, makeEnvironment } from "./environment.js";
import { isInside, which } from "./machine.js";
import { findPython } from "./python.js";
import { runProcess } from "./run-process.js";
import type { ServerPython } from "./server-process.js";

const TEN_SECONDS = 10_000;

/** Finds Python and makes the environment. `afresh` throws the present one away first. */
export async function locateServer(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
  afresh: boolean,
): Promise<ServerPython> {
  const storage = context.globalStorageUri.fsPath;
  await mkdir(storage, { recursive: true });
  // For development: a Python that can already import the server, from PYTHONPATH too, skips the environment.
  const development = process.env.ASSENT_DEV_PYTHON;
  if (development) return { executable: development, options: ["-P"], cwd: storage };
  const python = await findPython(searchHere(storage));
  log.info(`Python ${python.version.join(".")}: ${python.executable}`);
  const places = { extension: context.extensionPath, storage, version: String(context.extension.packageJSON.version) };
  if (afresh) await rm(environmentFolder(places, python), { recursive: true, force: true });
  const executable = await withProgress(log, (progress) => makeEnvironment(python, places, progress));
  return { executable, options: ["-I"], cwd: storage };
}

function searchHere(cwd: string) {
  const folders = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath);
  return {
    configured: serverProcessSettings().python,
    fromPythonExtension: vscode.workspace.isTrusted ? activeEnvironment() : undefined,
    isWindows: process.platform === "win32",
    which,
    isInsideOpenFolder: (file: string) => isInside(file, folders),
    run: async (command: string, args: readonly string[]) => {
      const finished = await runProcess(command, args, { cwd, timeoutMs: TEN_SECONDS });
      if (finished.code === 0) return finished.stdout;
      throw new Error(finished.code === null ? "no answer within 10 seconds" : `exit code ${finished.code}`);
    },
  };
}

/** The environment that the user picked in the Python extension; only asked where that is running anyway. */
function activeEnvironment(): string | undefined {
  const extension = vscode.extensions.getExtension("ms-python.python");
  if (!extension?.isActive) return undefined;
  try {
    const api = extension.exports as { environments?: { getActiveEnvironmentPath?(): { path?: unknown } } } | undefined;
    const place = api?.environments?.getActiveEnvironmentPath?.().path;
    return typeof place === "string" && place !== "" ? place : undefined;
  } catch {
    return undefined;
  }
}

/** A notification appears only when there is something to wait for: a whole environment answers at once. */
async function withProgress(
  log: vscode.LogOutputChannel,
  action: (progress: (message: string) => void) => Promise<string>,
): Promise<string> {
  let tell: ((message: string) => void) | undefined;
  let finish: (() => void) | undefined;
  const progress = (message: string) => {
    log.info(message);
    if (tell !== undefined) return tell(message);
    const options = { location: vscode.ProgressLocation.Notification, title: "Assent" };
    void vscode.window.withProgress(options, (shown) => {
      tell = (text) => shown.report({ message: text });
      tell(message);
      return new Promise<void>((resolve) => {
        finish = resolve;
      });
    });
  };
  try {
    return await action(progress);
  } finally {
    finish?.();
  }
}
