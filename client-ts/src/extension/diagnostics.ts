// What somebody who helps needs to know of this machine, without what is nobody else's business: the server says it.
import { runProcess } from "./run-process.js";
import { lastWords, type ServerPython } from "./server-process.js";

const WITHIN_MS = 30_000;

/** What the editor knows of itself. */
export interface EditorFacts {
  extension: string;
  editor: string;
  platform: string;
  remote: string | undefined;
  trusted: boolean;
  connection: string;
}

/** The editor's facts and the server's own, as one text; where the server says nothing, why. */
export async function diagnosticsText(facts: EditorFacts, findPython: () => Promise<ServerPython>): Promise<string> {
  return `${editorText(facts)}\n${await serverText(findPython)}\n`;
}

function editorText({ extension, editor, platform, remote, trusted, connection }: EditorFacts): string {
  return [
    `Extension: Assent ${extension}`,
    `Editor: ${editor}${remote ? `, remote: ${remote}` : ""}`,
    `Platform: ${platform}`,
    `Workspace trusted: ${trusted ? "yes" : "no"}`,
    `Connection: ${connection}`,
    "",
  ].join("\n");
}

async function serverText(findPython: () => Promise<ServerPython>): Promise<string> {
  try {
    const { executable, options, cwd } = await findPython();
    const finished = await runProcess(executable, [...options, "-m", "assent", "diagnostics"], {
      cwd,
      timeoutMs: WITHIN_MS,
    });
    if (finished.code === 0) return finished.stdout.trimEnd();
    const how = finished.code === null ? "no answer within 30 seconds" : `exit code ${finished.code}`;
    return `The server's diagnostics failed (${how}). ${lastWords(finished.stderr)}`.trimEnd();
  } catch (error) {
    return `The server could not be asked: ${error instanceof Error ? error.message : String(error)}`;
  }
}
