import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { editorRipgrep } from "../src/extension/ripgrep.js";

const made = mkdtempSync(path.join(tmpdir(), "assent-"));
afterAll(() => rmSync(made, { recursive: true, force: true }));

function editor(name: string, file: string, mode = 0o755): string {
  const root = path.join(made, name);
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), "");
  chmodSync(path.join(root, file), mode);
  return root;
}

test.each([
  ["new", "node_modules/@vscode/ripgrep-universal/bin/linux-x64/rg"],
  ["old", "node_modules/@vscode/ripgrep/bin/rg"],
  ["packed", "node_modules.asar.unpacked/@vscode/ripgrep/bin/rg"],
])("the program of an editor is found: %s", (name, file) => {
  const root = editor(name, file);
  expect(editorRipgrep(root, "linux", "x64")).toBe(path.join(root, file));
});

test("what is not for this machine, cannot be started, or has no whole path is not used", () => {
  const other = editor("other", "node_modules/@vscode/ripgrep-universal/bin/darwin-arm64/rg");
  expect(editorRipgrep(other, "linux", "x64")).toBeUndefined();
  expect(editorRipgrep(other, "darwin", "arm64")).toBeDefined();
  expect(editorRipgrep(path.join(made, "none"))).toBeUndefined();
  expect(editorRipgrep("")).toBeUndefined();
  if (process.getuid?.() !== undefined) {
    expect(
      editorRipgrep(editor("plain", "node_modules/@vscode/ripgrep/bin/rg", 0o644), "linux", "x64"),
    ).toBeUndefined();
  }
});
