import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { diagnosticsText } from "../src/extension/diagnostics.js";

const facts = {
  extension: "0.1.0",
  editor: "Editor 1.2.3",
  platform: "linux x64",
  remote: undefined,
  trusted: true,
  connection: "ready",
};
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "assent-diagnostics-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A program in the place of Python. */
function program(source: string) {
  const script = path.join(folder, "program.cjs");
  writeFileSync(script, source);
  return async () => ({ executable: process.execPath, options: [script], cwd: folder });
}

test("editor and server are told in one text", async () => {
  const text = await diagnosticsText(facts, program("console.log('asked for ' + process.argv.slice(2).join(' '))"));
  expect(text).toContain("Extension: Assent 0.1.0\nEditor: Editor 1.2.3\n");
  expect(text).toContain("Connection: ready");
  expect(text).toContain("asked for -m assent diagnostics");
});

test.each<[string, () => Promise<never> | ReturnType<ReturnType<typeof program>>, RegExp]>([
  [
    "fails",
    () => program("console.error('no such command'); process.exit(2)")(),
    /diagnostics failed \(exit code 2\)\. no such command/,
  ],
  [
    "is not found",
    () => Promise.reject(new Error("Assent needs Python.")),
    /could not be asked: Assent needs Python\./,
  ],
  [
    "cannot be started",
    async () => ({ executable: path.join(folder, "missing"), options: [], cwd: folder }),
    /could not be asked: .*ENOENT/,
  ],
])("a server that %s leaves the rest of it", async (_name, python, words) => {
  const text = await diagnosticsText(facts, python);
  expect(text).toContain("Extension: Assent 0.1.0");
  expect(text).toMatch(words);
});
