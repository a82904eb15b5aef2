import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { collectScopes, type Inspected, serverSettings } from "../src/extension/scoped-settings.js";
import { type SettingsStore, SettingsWriter, withEntry } from "../src/extension/settings-write.js";
import type { SettingsWriteParams } from "../src/protocol/generated.js";

/** The editor's settings as text, as they are on disk: a key that gets lost on the way is lost here too. */
class Store implements SettingsStore {
  isTrusted = true;
  hasWorkspace = true;
  texts = { workspace: "{}", user: "{}" };
  failure: Error | undefined;

  inspect(key: string): Inspected {
    const read = (text: string) => (JSON.parse(text) as Record<string, unknown>)[key];
    return { workspaceValue: read(this.texts.workspace), globalValue: read(this.texts.user) };
  }

  async update(key: string, value: unknown, target: "workspace" | "user"): Promise<void> {
    await Promise.resolve();
    if (this.failure) throw this.failure;
    const all = JSON.parse(this.texts[target]) as Record<string, unknown>;
    this.texts[target] = JSON.stringify({ ...all, [key]: value });
  }
}

const bypass = (name: string): SettingsWriteParams => ({
  key: "bypassPermissions",
  path: [name],
  value: true,
  target: "workspace",
});

describe("a write", () => {
  test.each(["Demo", "a.b", "🙂", "__proto__", "constructor", "with space", "x".repeat(300)])(
    "sets the one entry of %s and leaves its neighbours",
    async (name) => {
      const store = new Store();
      store.texts.workspace = '{"bypassPermissions":{"Other":false}}';
      expect(await new SettingsWriter(store).write(bypass(name))).toEqual({ written: true, target: "workspace" });
      const stored = JSON.parse(store.texts.workspace).bypassPermissions as object;
      expect(Object.entries(stored)).toEqual([
        ["Other", false],
        [name, true],
      ]);
      expect(Object.getPrototypeOf({})).not.toHaveProperty("Demo");
    },
  );

  test("goes to the scope that was asked for", async () => {
    const store = new Store();
    await new SettingsWriter(store).write({ ...bypass("Demo"), key: "assent.bypassPermissions", target: "user" });
    expect(JSON.parse(store.texts.user)).toEqual({ bypassPermissions: { Demo: true } });
    expect(store.texts.workspace).toBe("{}");
  });

  test("waits for the one before it", async () => {
    const store = new Store();
    const writer = new SettingsWriter(store);
    await Promise.all(["a", "b", "c"].map((name) => writer.write(bypass(name))));
    expect(JSON.parse(store.texts.workspace).bypassPermissions).toEqual({ a: true, b: true, c: true });
  });

  test.each<[string, (store: Store) => void, object, string]>([
    ["the workspace is not trusted", (store) => (store.isTrusted = false), {}, "not trusted"],
    ["no folder is open", (store) => (store.hasWorkspace = false), {}, "No folder is open"],
    ["the file cannot be written", (store) => (store.failure = new Error("does not parse")), {}, "does not parse"],
    ["the setting is another one", () => {}, { key: "server.python" }, "does not let the server write"],
    ["the whole setting would be replaced", () => {}, { path: [] }, "does not let the server write"],
  ])("is refused with the reason when %s", async (_name, change, params, reason) => {
    const store = new Store();
    change(store);
    const result = await new SettingsWriter(store).write({ ...bypass("Demo"), ...params });
    expect(result).toMatchObject({ written: false, target: "workspace" });
    expect(result.error).toContain(reason);
    expect(store.texts).toEqual({ workspace: "{}", user: "{}" });
  });

  test("that failed does not stop the next one", async () => {
    const store = new Store();
    const writer = new SettingsWriter(store);
    store.failure = new Error("busy");
    await writer.write(bypass("a"));
    store.failure = undefined;
    expect(await writer.write(bypass("b"))).toMatchObject({ written: true });
  });
});

test("an entry may lie deeper, and null takes one away", () => {
  expect(withEntry({ a: { b: 1 } }, ["a", "c"], 2)).toEqual({ a: { b: 1, c: 2 } });
  expect(withEntry({ a: 1, b: 2 }, ["a"], null)).toEqual({ b: 2 });
  expect(withEntry(undefined, ["a"], true)).toEqual({ a: true });
});

test("values go to the server by scope, and absent ones stay absent", () => {
  const known: Record<string, Inspected> = {
    mode: { globalValue: "ask", workspaceValue: "auto" },
    bypassPermissions: { workspaceValue: JSON.parse('{"__proto__": true}') },
  };
  const scopes = collectScopes(["mode", "bypassPermissions", "agent"], (key) => known[key]);
  expect(JSON.stringify(scopes)).toBe(
    '{"user":{"mode":"ask"},"workspace":{"mode":"auto","bypassPermissions":{"__proto__":true}},"folder":{}}',
  );
});

test("all settings of the manifest reach the server, the rules too, but those about its start", () => {
  const file = path.resolve(import.meta.dirname, "../package.json");
  const { properties } = JSON.parse(readFileSync(file, "utf8")).contributes.configuration;
  const rules = { write_file: ["infra/**", { pattern: "docs/**", agents: ["Demo"] }] };
  const scopes = collectScopes(serverSettings(properties), (key) => ({
    globalValue: key.startsWith("always") ? rules : undefined,
    workspaceValue: key === "toolAllowlist" ? ["write_file"] : undefined,
    workspaceFolderValue: key.includes(".") ? "about the start" : undefined,
  }));
  expect(scopes).toEqual({
    user: { alwaysDenyRules: rules, alwaysAskRules: rules, alwaysAllowRules: rules },
    workspace: { toolAllowlist: ["write_file"] },
    folder: {},
  });
});

test("what concerns only the start of the server stays here", () => {
  expect(serverSettings({ "assent.mode": {}, "assent.server.python": {}, "assent.trace.server": {} })).toEqual([
    "mode",
  ]);
});
