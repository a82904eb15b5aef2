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
  updates = 0;

  async current(key: string, target: "workspace" | "user"): Promise<unknown> {
    return (JSON.parse(this.texts[target]) as Record<string, unknown>)[key];
  }

  async update(key: string, value: unknown, target: "workspace" | "user"): Promise<void> {
    await Promise.resolve();
    this.updates += 1;
    if (this.failure) throw this.failure;
    const all = JSON.parse(this.texts[target]) as Record<string, unknown>;
    this.texts[target] = JSON.stringify({ ...all, [key]: value });
  }
}

const NAMES = ["Demo", "a.b", "🙂", "__proto__", "constructor", "with space", "x".repeat(300)];

const bypass = (name: string): SettingsWriteParams => ({
  key: "bypassPermissions",
  path: [name],
  value: true,
  target: "workspace",
});
const rule = (tool: string, pattern: string): SettingsWriteParams => ({
  key: "assent.alwaysAllowRules",
  path: [tool],
  value: pattern,
  target: "workspace",
  append: true,
});
const listed = (key: string, value: string): SettingsWriteParams => ({
  key,
  path: [],
  value,
  target: "workspace",
  append: true,
});

/** What the store holds of a setting afterwards, and what the write came to. */
async function written(before: string, params: SettingsWriteParams) {
  const store = new Store();
  store.texts.workspace = before;
  const result = await new SettingsWriter(store).write(params);
  return { store, result, text: store.texts.workspace };
}

describe("a write", () => {
  test.each(NAMES)("sets the one entry of %s and leaves its neighbours", async (name) => {
    const store = new Store();
    store.texts.workspace = '{"bypassPermissions":{"Other":false}}';
    expect(await new SettingsWriter(store).write(bypass(name))).toEqual({ written: true, target: "workspace" });
    const stored = JSON.parse(store.texts.workspace).bypassPermissions as object;
    expect(Object.entries(stored)).toEqual([
      ["Other", false],
      [name, true],
    ]);
    expect(Object.getPrototypeOf({})).not.toHaveProperty("Demo");
  });

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

describe("a value that is added to a list", () => {
  test.each(NAMES)("stands behind the others of %s", async (tool) => {
    const { result, text } = await written('{"alwaysAllowRules":{"other":["a"]}}', rule(tool, "docs/**"));
    expect(result).toEqual({ written: true, target: "workspace" });
    expect(Object.entries(JSON.parse(text).alwaysAllowRules as object)).toEqual([
      ["other", ["a"]],
      [tool, ["docs/**"]],
    ]);
    const again = await written(text, rule(tool, "src/**"));
    expect(Object.entries(JSON.parse(again.text).alwaysAllowRules as object)[1]).toEqual([tool, ["docs/**", "src/**"]]);
  });

  test.each<[string, string, SettingsWriteParams, string]>([
    [
      "a setting that is a list",
      '{"toolAllowlist":["a"]}',
      listed("toolAllowlist", "b"),
      '{"toolAllowlist":["a","b"]}',
    ],
    ["a setting that is not there", "{}", listed("assent.toolAllowlist", "b"), '{"toolAllowlist":["b"]}'],
    [
      "directories",
      '{"additionalWorkingDirectories":["/a"],"z":1}',
      listed("additionalWorkingDirectories", "/with space/🙂"),
      '{"additionalWorkingDirectories":["/a","/with space/🙂"],"z":1}',
    ],
    [
      "entries of another shape, which stay",
      '{"alwaysAllowRules":{"w":[{"pattern":"x","agents":["A"]},7]}}',
      rule("w", "y"),
      '{"alwaysAllowRules":{"w":[{"pattern":"x","agents":["A"]},7,"y"]}}',
    ],
    [
      "deny rules",
      '{"alwaysDenyRules":null}',
      { ...rule("w", "y"), key: "alwaysDenyRules" },
      '{"alwaysDenyRules":{"w":["y"]}}',
    ],
    [
      "ask rules, which can be given back",
      '{"alwaysAskRules":null}',
      { ...rule("w", "y"), key: "alwaysAskRules" },
      '{"alwaysAskRules":{"w":["y"]}}',
    ],
  ])("goes into %s", async (_name, before, params, after) => {
    expect((await written(before, params)).text).toBe(after);
  });

  test.each<[string, SettingsWriteParams]>([
    ['{"toolAllowlist":["b","a"]}', listed("toolAllowlist", "b")],
    ['{"alwaysAllowRules":{"w":["y"]}}', rule("w", "y")],
  ])("and stands in %s already is not written again", async (before, params) => {
    const { store, result } = await written(before, params);
    expect(result).toEqual({ written: true, target: "workspace" });
    expect(store.updates).toBe(0);
    expect(store.texts.workspace).toBe(before);
  });

  test.each<[string, SettingsWriteParams]>([
    ['{"toolAllowlist":"b"}', listed("toolAllowlist", "c")],
    ['{"toolAllowlist":{"0":"b"}}', listed("toolAllowlist", "c")],
    ['{"alwaysAllowRules":{"w":"y"}}', rule("w", "z")],
    ['{"alwaysAllowRules":["w"]}', rule("w", "z")],
    ['{"alwaysAllowRules":true}', rule("w", "z")],
    ['{"bypassPermissions":["Other"]}', bypass("Demo")],
    ['{"bypassPermissions":"all"}', bypass("Demo")],
  ])("never takes the place of %s", async (before, params) => {
    const { store, result } = await written(before, params);
    expect(result).toMatchObject({ written: false, target: "workspace" });
    expect(result.error).toMatch(/^assent\.\w+ holds something else than .*It is left as it is\.$/);
    expect(store.updates).toBe(0);
  });
});

describe("a write is refused that", () => {
  test.each<[string, SettingsWriteParams]>([
    ["sets a bypass to no truth value", { ...bypass("Demo"), value: "true" }],
    ["sets a bypass to a number", { ...bypass("Demo"), value: 1 }],
    ["adds to the bypass map", { ...bypass("Demo"), append: true }],
    ["leads deeper into the bypass map", { ...bypass("Demo"), path: ["a", "b"] }],
    ["replaces the rules of a tool", { ...rule("w", "y"), append: false }],
    ["replaces them without saying so", { ...rule("w", "y"), append: null }],
    ["adds a rule without a pattern", { ...rule("w", "y"), value: { agents: ["A"] } }],
    ["adds an empty rule", rule("w", "")],
    ["adds a rule for no tool", rule("", "x")],
    ["adds a rule beside the tools", { ...rule("w", "y"), path: [] }],
    ["adds a rule too deep", { ...rule("w", "y"), path: ["w", "0"] }],
    ["adds a list of tools", { ...listed("toolAllowlist", "a"), value: ["a", "b"] }],
    ["replaces the list of tools", { ...listed("toolAllowlist", "a"), append: false }],
    ["adds below the list of tools", { ...listed("toolAllowlist", "a"), path: ["x"] }],
    ["adds to a setting that is the user's own business", listed("server.args", "--x")],
    ["adds a rule of an effect that there is not", { ...rule("w", "y"), key: "alwaysAnyRules" }],
    ["names what every object has", listed("constructor", "x")],
  ])("%s", async (_name, params) => {
    const { store, result } = await written("{}", params);
    expect(result.written).toBe(false);
    expect(result.error).toContain("does not let the server write");
    expect(store.updates).toBe(0);
  });
});

test("a write under way is known, from before it reads until it is done or failed", async () => {
  const store = new Store();
  const writer = new SettingsWriter(store);
  const seen: boolean[] = [];
  const update = store.update.bind(store);
  store.update = (...args) => {
    seen.push(writer.isWriting);
    return update(...args);
  };
  expect(writer.isWriting).toBe(false);
  await writer.write(bypass("a"));
  expect(writer.isWriting).toBe(false);
  store.failure = new Error("busy");
  await writer.write(bypass("b"));
  expect(seen).toEqual([true, true]);
  expect(writer.isWriting).toBe(false);
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
    workspaceFolderValue: /^(server|trace)\./.test(key) ? "about the start" : undefined,
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

describe("what is taken back", () => {
  const out = (params: SettingsWriteParams): SettingsWriteParams => ({ ...params, append: false, remove: true });
  const unset = (key: string, at: string[], value: unknown = null): SettingsWriteParams => ({
    key,
    path: at,
    value,
    target: "workspace",
  });

  test.each<[string, string, SettingsWriteParams, string]>([
    ["a tool", '{"toolAllowlist":["a","b"]}', out(listed("toolAllowlist", "a")), '{"toolAllowlist":["b"]}'],
    ["a tool twice", '{"toolAllowlist":["a","b","a"]}', out(listed("toolAllowlist", "a")), '{"toolAllowlist":["b"]}'],
    ["one that is not there", '{"toolAllowlist":["b"]}', out(listed("toolAllowlist", "a")), '{"toolAllowlist":["b"]}'],
    [
      "a rule",
      '{"alwaysAllowRules":{"x":["p","q"],"y":["p"]}}',
      out(rule("x", "p")),
      '{"alwaysAllowRules":{"x":["q"],"y":["p"]}}',
    ],
    [
      "a rule for some agents, its keys in another order",
      '{"alwaysAllowRules":{"x":[{"agents":["A"],"pattern":"p"},"p"]}}',
      { ...out(rule("x", "")), value: { pattern: "p", agents: ["A"] } },
      '{"alwaysAllowRules":{"x":["p"]}}',
    ],
    [
      "a bypass",
      '{"bypassPermissions":{"A":true,"B":true}}',
      unset("bypassPermissions", ["A"]),
      '{"bypassPermissions":{"B":true}}',
    ],
    ["the mode", '{"mode":"auto","agent":"A"}', unset("mode", []), '{"agent":"A"}'],
    [
      "a cell",
      '{"matrixOverrides":{"ask":{"write":"auto","read":"auto"}}}',
      unset("matrixOverrides", ["ask", "write"]),
      '{"matrixOverrides":{"ask":{"read":"auto"}}}',
    ],
    [
      "the trust in an MCP server",
      '{"mcpServers":{"a":{"command":"x","trusted":true},"b":{"command":"y","trusted":true}}}',
      unset("mcpServers", ["a", "trusted"]),
      '{"mcpServers":{"a":{"command":"x"},"b":{"command":"y","trusted":true}}}',
    ],
    [
      "an MCP server",
      '{"mcpServers":{"a":{"command":"x"},"b":{"command":"y"}}}',
      unset("mcpServers", ["a"]),
      '{"mcpServers":{"b":{"command":"y"}}}',
    ],
  ])("%s is gone, and nothing else", async (_name, before, params, after) => {
    const { result, text } = await written(before, params);
    expect(result).toEqual({ written: true, target: "workspace" });
    expect(text).toBe(after);
  });

  test.each<[string, SettingsWriteParams]>([
    ["a whole list", unset("toolAllowlist", [])],
    ["all rules of a tool", unset("alwaysDenyRules", ["bash"])],
    ["all bypasses", unset("bypassPermissions", [])],
    ["the whole matrix", unset("matrixOverrides", [])],
    ["all MCP servers", unset("mcpServers", [])],
    ["the command of an MCP server", { ...unset("mcpServers", ["a", "command"]), value: "evil" }],
    ["a server of the user's own", { ...unset("mcpServers", ["a"]), value: { command: "evil" }, target: "user" }],
    ["another setting", unset("server.python", [])],
    ["what is both added and taken out", { ...rule("x", "p"), remove: true }],
  ])("%s is not", async (_name, params) => {
    const before = '{"toolAllowlist":["a"],"alwaysDenyRules":{"bash":["rm"]},"mode":"auto"}';
    const { result, store, text } = await written(before, params);
    expect(result.written).toBe(false);
    expect(result.error).toBeTruthy();
    expect([text, store.updates]).toEqual([before, 0]);
  });
});

describe("what the user chose in the editor", () => {
  const agent = { provider: "ollama", model: "qwen3" };

  test.each(NAMES)("defines %s beside the other agents, in the user's own settings", async (name) => {
    const store = new Store();
    store.texts.user = '{"agents":{"Other":{"command":"x"}}}';
    const result = await new SettingsWriter(store).writeForUser("agents", [name], agent);
    expect(result).toEqual({ written: true, target: "user" });
    expect(Object.entries(JSON.parse(store.texts.user).agents as object)).toEqual([
      ["Other", { command: "x" }],
      [name, agent],
    ]);
    expect(store.texts.workspace).toBe("{}");
  });

  test("is written where the workspace is not trusted, too: it is not the workspace's", async () => {
    const store = new Store();
    store.isTrusted = false;
    await new SettingsWriter(store).writeForUser("agent", [], "Local");
    expect(JSON.parse(store.texts.user)).toEqual({ agent: "Local" });
  });

  test("leaves a setting of another shape as it is", async () => {
    const store = new Store();
    store.texts.user = '{"agents":["odd"]}';
    const result = await new SettingsWriter(store).writeForUser("agents", ["Local"], agent);
    expect(result.error).toContain("left as it is");
    expect(store.texts.user).toBe('{"agents":["odd"]}');
  });

  test("takes its turn with what the server writes", async () => {
    const store = new Store();
    const writer = new SettingsWriter(store);
    await Promise.all([
      writer.write({ ...bypass("Demo"), target: "user" }),
      writer.writeForUser("agents", ["A"], agent),
      writer.writeForUser("agents", ["B"], agent),
    ]);
    expect(JSON.parse(store.texts.user)).toEqual({ bypassPermissions: { Demo: true }, agents: { A: agent, B: agent } });
  });

  test.each(["agents", "agent"])("is nothing that the server may have written: assent.%s", async (key) => {
    const store = new Store();
    const wanted = { key, path: key === "agents" ? ["A"] : [], value: "x", target: "user" } as const;
    const result = await new SettingsWriter(store).write({ ...wanted, path: [...wanted.path] });
    expect(result.written).toBe(false);
    expect(store.updates).toBe(0);
  });
});
