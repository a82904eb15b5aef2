import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const source = path.resolve(import.meta.dirname, "../src");
const folders = readdirSync(source);

// What each folder may import: other folders of ours, and packages.
const ALLOWED: Record<string, { folders: string[]; packages: RegExp }> = {
  protocol: { folders: [], packages: /^$/ },
  common: { folders: ["protocol"], packages: /^$/ },
  extension: { folders: ["protocol", "common"], packages: /^(node:.*|vscode|vscode-languageclient\/node)$/ },
  webview: { folders: ["protocol", "common"], packages: /^(lit(\/.*)?|markdown-it)$/ },
  playground: { folders: ["protocol", "common", "webview"], packages: /^$/ },
};

function importsOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"([^"]+)"/g)].map((match) => match[1] ?? "");
}

const files = folders.flatMap((folder) =>
  readdirSync(path.join(source, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => [folder, name] as const),
);

test("every folder has its rule", () => expect(folders.toSorted()).toEqual(Object.keys(ALLOWED).toSorted()));

test.each(files)("%s/%s imports what it may", (folder, name) => {
  const rule = ALLOWED[folder];
  const file = path.join(source, folder, name);
  for (const imported of importsOf(file)) {
    if (!imported.startsWith(".")) {
      expect(imported).toMatch(rule?.packages ?? /^$/);
      continue;
    }
    const target = path.relative(source, path.resolve(path.dirname(file), imported)).split(path.sep)[0] ?? "";
    expect([folder, ...(rule?.folders ?? [])]).toContain(target);
  }
});

test("one place only knows how the editor hands itself to the page", () => {
  const users = files.filter(([folder, name]) =>
    readFileSync(path.join(source, folder, name), "utf8").includes("acquireVsCodeApi"),
  );
  expect(users.map((one) => one.join("/"))).toEqual(["webview/host.ts"]);
});

test("no text becomes markup", () => {
  const forbidden = /innerHTML|outerHTML|insertAdjacentHTML|document\.write|unsafeHTML|unsafeSVG|\beval\(|new Function/;
  const users = files.filter(([folder, name]) => forbidden.test(readFileSync(path.join(source, folder, name), "utf8")));
  expect(users).toEqual([]);
});
