import { describe, expect, it, test } from "vitest";
import {
  addressFault,
  addressOf,
  freeName,
  inOrder,
  modelWords,
  noModelsWords,
  ownAgents,
  SERVER_KINDS,
  withModel,
} from "../src/extension/model-definitions.js";

describe("the agents whose model can be chosen", () => {
  test("are those that have a model behind an address", () => {
    const agents = {
      Local: { provider: "ollama", model: "qwen3", temperature: 0 },
      Claude: { command: "npx" },
      Played: { provider: "scripted", script: "turns" },
      Odd: "no object",
      Unfinished: { provider: "gemini" },
    };
    expect(ownAgents(agents)).toEqual([
      { name: "Local", provider: "ollama", model: "qwen3", definition: agents.Local },
      { name: "Unfinished", provider: "gemini", model: "", definition: agents.Unfinished },
    ]);
  });

  test.each([undefined, null, [], "text", 3])("are none where the setting is %j", (agents) => {
    expect(ownAgents(agents)).toEqual([]);
  });
});

describe("a definition", () => {
  const ollama = { provider: "ollama", baseUrl: "http://there:11434", headers: { "x-team": "a" } };

  test("gets the model, and keeps what else the user wrote", () => {
    const changed = withModel({ ...ollama, model: "old" }, { name: "qwen3" });
    expect(changed).toEqual({ ...ollama, model: "qwen3", contextWindow: 16_384 });
  });

  test.each([
    [undefined, undefined, 16_384],
    [undefined, 262_144, 16_384],
    [undefined, 8_192, 8_192],
    [40_000, 262_144, 40_000],
    [40_000, 8_192, 8_192],
    [40_000, undefined, 40_000],
  ])("of Ollama with %s tokens before, and a model that takes %s, has %s", (before, known, wanted) => {
    const definition = before === undefined ? ollama : { ...ollama, model: "old", contextWindow: before };
    expect(withModel(definition, { name: "qwen3", contextWindow: known ?? null }).contextWindow).toBe(wanted);
  });

  test.each([
    [undefined, 200_000, 200_000],
    [100_000, 200_000, 200_000],
    [100_000, undefined, undefined],
  ])("of another server with %s tokens before, and a model that takes %s, has %s", (before, known, wanted) => {
    const definition = { provider: "anthropic", model: "old", ...(before ? { contextWindow: before } : {}) };
    const changed = withModel(definition, { name: "new", contextWindow: known ?? null });
    expect(changed.contextWindow).toBe(wanted);
    expect(Object.hasOwn(changed, "contextWindow")).toBe(wanted !== undefined);
  });

  test("that has this model already stays as the user wrote it", () => {
    const before = { provider: "anthropic", model: "one", contextWindow: 5000 };
    expect(withModel(before, { name: "one", contextWindow: 200_000 })).toBe(before);
  });
});

test.each([
  ["Ollama", [], "Ollama"],
  ["Ollama", ["Demo"], "Ollama"],
  ["Ollama", ["Ollama"], "Ollama 2"],
  ["Ollama", ["Ollama", "Ollama 2", "Ollama 4"], "Ollama 3"],
])("%s beside %j is called %s", (wanted, taken, name) => {
  expect(freeName(wanted, new Set(taken))).toBe(name);
});

describe("an address", () => {
  it.each([
    ["http://127.0.0.1:11434", "http://127.0.0.1:11434"],
    [" https://models.example/v1/ ", "https://models.example/v1"],
    ["box:8000/v1", "http://box:8000/v1"],
    ["127.0.0.1:11434", "http://127.0.0.1:11434"],
  ])("%j is %j", (typed, address) => {
    expect(addressFault(typed)).toBeUndefined();
    expect(addressOf(typed)).toBe(address);
  });

  it.each(["", " ", "ftp://box", "file:///etc/passwd", "http://", "http://a b", "http://x:99999", "https://me:pw@box"])(
    "%j is refused",
    (typed) => {
      expect(addressFault(typed)).toBeTruthy();
    },
  );

  it("with a password in it is refused without repeating it", () => {
    expect(addressFault("https://me:pass-1234@box")).not.toContain("pass-1234");
  });
});

test("a list says what is known of a model, and begins with those that can work", () => {
  const models = [
    { name: "embed", tools: false, contextWindow: 512 },
    { name: "small", tools: true, contextWindow: 131_072 },
    { name: "unknown" },
  ];
  expect(inOrder(models).map((model) => model.name)).toEqual(["small", "unknown", "embed"]);
  expect(inOrder(models).map(modelWords)).toEqual([
    "131k tokens of context",
    "",
    "512 tokens of context · cannot call tools",
  ]);
});

test("a server without models says how to get one, where that is known", () => {
  expect(noModelsWords("ollama", "http://127.0.0.1:11434")).toContain("ollama pull");
  expect(noModelsWords("openai-compatible", "http://127.0.0.1:8000")).not.toContain("ollama");
});

test("each kind of server has a name of its own for its agent, or shares it with its like", () => {
  for (const kind of SERVER_KINDS) {
    const same = SERVER_KINDS.filter((other) => other.name === kind.name);
    expect(new Set(same.map((other) => other.provider)).size).toBe(1);
  }
});
