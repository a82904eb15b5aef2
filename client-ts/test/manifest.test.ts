import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

interface Setting {
  type: string | string[];
  scope: string;
  default: unknown;
  markdownDescription: string;
}

const root = path.resolve(import.meta.dirname, "..");
const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
const settings = Object.entries(manifest.contributes.configuration.properties as Record<string, Setting>);
const restricted = new Set<string>(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations);

// A setting may only be missing from the guarded ones when it can neither start, nor send, nor loosen anything.
const HARMLESS: ReadonlySet<string> = new Set([
  "assent.alwaysDenyRules",
  "assent.alwaysAskRules",
  "assent.enabled",
  "assent.sessionGrants",
  "assent.streaming",
]);

describe.each(settings)("%s", (name, setting) => {
  test("has a type, a scope, a default, and says what it risks", () => {
    expect(setting.type).toBeTruthy();
    expect(setting.default).toBeDefined();
    expect(["machine", "application", "window", "resource"]).toContain(setting.scope);
    expect(setting.markdownDescription).toMatch(/\*\*Risk/);
  });

  test("cannot be set by a workspace that nobody trusts", () => {
    const guarded = setting.scope === "machine" || setting.scope === "application" || restricted.has(name);
    expect(guarded || HARMLESS.has(name)).toBe(true);
  });
});

test("what a workspace may tighten is open to it, and what it may loosen is kept back and says so", () => {
  const known = Object.fromEntries(settings);
  for (const name of HARMLESS) {
    expect(known[name]?.scope).toBe("window");
    expect(restricted).not.toContain(name);
  }
  for (const name of ["assent.alwaysAllowRules", "assent.toolAllowlist", "assent.additionalWorkingDirectories"]) {
    expect(known[name]?.scope).toBe("window");
    expect(known[name]?.markdownDescription).toContain("counts only once you agreed to it");
    expect(restricted).toContain(name);
  }
});

test("restricted settings exist", () => {
  const names = new Set(settings.map(([name]) => name));
  expect([...restricted].filter((name) => !names.has(name))).toEqual([]);
});

test("what may weaken the gate or start a program is the machine's business alone", () => {
  const scopes = Object.fromEntries(settings.map(([name, setting]) => [name, setting.scope]));
  for (const name of [
    "assent.bypassAvailable",
    "assent.bypassWriteTarget",
    "assent.confirmOutsideWorkspace",
    "assent.server.python",
    "assent.server.args",
    "assent.trace.server",
  ]) {
    expect(scopes[name]).toBe("machine");
  }
  expect(scopes["assent.matrixOverrides"]).toBe("application");
});

test("every command is there, says what it does, and can be found by the product's name", () => {
  const promised = manifest.contributes.commands as { command: string; title: string; category: string }[];
  const source = [
    "agent-commands.ts",
    "attach-commands.ts",
    "commands.ts",
    "history-commands.ts",
    "key-commands.ts",
    "model-commands.ts",
    "run-commands.ts",
  ].map((name) => readFileSync(path.join(root, "src/extension", name), "utf8"));
  const registered = [...source.join("\n").matchAll(/^ {4}"(assent\.\w+)":/gm)].map((match) => match[1]);
  expect(promised.map((one) => one.command).toSorted()).toEqual(registered.toSorted());
  expect(promised.filter((one) => one.title === "" || one.category !== "Assent")).toEqual([]);
  const menus = Object.values(manifest.contributes.menus as Record<string, { command: string }[]>);
  const inMenus = menus.flat().map((one) => one.command);
  expect(inMenus.filter((command) => !registered.includes(command))).toEqual([]);
});

test("the types of the editor are those of the oldest editor that is promised", () => {
  expect(manifest.engines.vscode).toBe(`^${manifest.devDependencies["@types/vscode"]}`);
});

test("every version is exact, and the lock names no place to download from", () => {
  for (const version of Object.values(manifest.devDependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(readFileSync(path.join(root, "package-lock.json"), "utf8")).not.toContain('"resolved"');
});

test("untrusted and virtual workspaces are limited, and say why", () => {
  for (const one of [manifest.capabilities.untrustedWorkspaces, manifest.capabilities.virtualWorkspaces]) {
    expect(one.supported).toBe("limited");
    expect(one.description).toBeTruthy();
  }
});

interface Step {
  id: string;
  title: string;
  description: string;
  media: { svg?: string; markdown?: string; altText?: string };
}

describe("the walkthrough", () => {
  const [walkthrough] = manifest.contributes.walkthroughs as { icon: string; steps: Step[] }[];
  const steps = (walkthrough?.steps ?? []).map((step) => [step.title, step] as const);
  const own = new Set((manifest.contributes.commands as { command: string }[]).map(({ command }) => command));

  test("begins with the chat", () => {
    expect(steps.map(([, step]) => step.id)).toEqual(["chat", "demo", "model", "modes", "allowed"]);
    expect(existsSync(path.join(root, walkthrough?.icon ?? ""))).toBe(true);
  });

  test.each(steps)("%s: every button does something", (_, { description }) => {
    const commands = [...description.matchAll(/\]\(command:([\w.]+)/g)].map(([, command]) => command ?? "");
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands) expect(own.has(command) || command.startsWith("workbench.")).toBe(true);
  });

  test.each(steps)("%s: its picture is there, and in words for who does not see it", (_, { media }) => {
    const file = path.join(root, media.svg ?? media.markdown ?? "");
    expect(readFileSync(file, "utf8")).toMatch(media.svg ? /^<svg / : /^## /);
    if (media.svg) expect(media.altText).toMatch(/\.$/);
  });
});
