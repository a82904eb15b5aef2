import { describe, expect, test } from "vitest";
import { parseJsonc } from "../src/extension/jsonc.js";
import { changedSettings, settingsIn } from "../src/extension/settings-text.js";

describe("JSON with comments", () => {
  test.each<[string, unknown]>([
    ['{"a": 1}', { a: 1 }],
    ['\uFEFF{"a": 1}\r\n', { a: 1 }],
    ['// x\n{ /* "b": 2, */ "a": [1, 2,], // y\n }\n/* end */', { a: [1, 2] }],
    ['{"a": "// no comment /* */ \\" \\u0041 \\n"}', { a: '// no comment /* */ " A \n' }],
    ["[-1.5e+3, 0, true, false, null]", [-1500, 0, true, false, null]],
    ['{"a": 1, "b": 2, "a": 3}', { b: 2, a: 3 }],
    ['{"": {"": []}}', { "": { "": [] } }],
    ["", {}],
    [" // nothing\n", {}],
    ["7", 7],
  ])("%s is read", (text, value) => expect(parseJsonc(text)).toEqual(value));

  test("keeps any name as a name", () => {
    const read = parseJsonc('{"__proto__": {"x": 1}, "constructor": 2, "a": 3, "__proto__": 4}') as object;
    expect(Object.entries(read)).toEqual([
      ["constructor", 2],
      ["a", 3],
      ["__proto__", 4],
    ]);
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  });

  test.each([
    '{"a": 1',
    '{"a" 1}',
    '{"a": 1 "b": 2}',
    "{a: 1}",
    "{'a': 1}",
    "{,}",
    "[1,,2]",
    '{"a": 01}',
    '{"a": +1}',
    '{"a": .5}',
    '{"a": NaN}',
    '{"a": "x\ny"}',
    '{"a": "\\x"}',
    '{"a": "x}',
    '{"a": 1} {"b": 2}',
    "{} // x\n]",
    "/* open",
    "truefalse",
    `${"[".repeat(200)}${"]".repeat(200)}`,
    `{"a": "${"x".repeat(1_000_000)}"}`,
  ])("%s has no value", (text) => expect(parseJsonc(text)).toBeUndefined());

  test("a long text is read in one go", () => {
    const text = `{${" ".repeat(300_000)}"a": "${"\\\\x".repeat(100_000)}" /*${"*".repeat(300_000)}*/}`;
    expect(parseJsonc(text)).toEqual({ a: "\\x".repeat(100_000) });
  });

  test("a quote that is never closed is told at once", () =>
    expect(parseJsonc(`{"a": "${"\\\\ab".repeat(200_000)}`)).toBeUndefined());
});

describe("the settings of a file", () => {
  test.each<[string, string, [string, unknown][]]>([
    ["with dots", '{"assent.mode": "ask", "editor.x": 1}', [["assent.mode", "ask"]]],
    [
      "nested",
      '{"assent": {"mode": "ask", "server.args": []}}',
      [
        ["assent.mode", "ask"],
        ["assent.server.args", []],
      ],
    ],
    ["both, the nested later", '{"assent.mode": "a", "assent": {"mode": "b"}}', [["assent.mode", "b"]]],
    ["both, the dotted later", '{"assent": {"mode": "b"}, "assent.mode": "a"}', [["assent.mode", "a"]]],
    ["both, and once more", '{"assent.mode": 1, "assent": {"mode": 2}, "assent.mode": 3}', [["assent.mode", 3]]],
    ["two nested: the last", '{"assent": {"mode": 1, "agent": 2}, "assent": {"mode": 3}}', [["assent.mode", 3]]],
    ["no object", '{"assent": 7}', []],
    ["nothing", "", []],
  ])("spelled %s", (_name, text, expected) => {
    expect([...(settingsIn(text, "folder") ?? [])].sort()).toEqual(expected.toSorted());
  });

  test("of a whole workspace stand one level deeper", () => {
    const text = '{"folders": [], "settings": {"assent.mode": "ask"}, "assent.mode": "auto"}';
    expect([...(settingsIn(text, "workspace") ?? [])]).toEqual([["assent.mode", "ask"]]);
    expect([...(settingsIn('{"folders": []}', "workspace") ?? [1])]).toEqual([]);
  });

  test.each<[string, "folder" | "workspace"]>([
    ["[]", "folder"],
    ["{", "folder"],
    ["null", "folder"],
    ['{"settings": []}', "workspace"],
    ["7", "workspace"],
  ])("%s is none in a %s file", (text, kind) => expect(settingsIn(text, kind)).toBeUndefined());
});

describe("what changed between two texts", () => {
  test.each<[string, string, string, unknown[]]>([
    ["nothing of ours", '{"a": 1}', '{"a": 2}', []],
    ["only the layout", '{"assent.mode":"ask"}', '// x\n{ "assent.mode" : "ask", }', []],
    ["only the order", '{"assent.x": {"a": 1, "b": [2]}}', '{"assent.x": {"b": [2], "a": 1}}', []],
    ["only the spelling", '{"assent.x": 1}', '{"assent": {"x": 1}}', []],
    ["a new one", "{}", '{"assent.x": {"a": true}}', [{ key: "assent.x", before: null, after: { a: true } }]],
    ["one less", '{"assent.x": [1]}', "{}", [{ key: "assent.x", before: [1], after: null }]],
    [
      "one of several",
      '{"assent.x": {"a": true}, "assent.y": 1}',
      '{"assent.x": {"a": true, "b": true}, "assent.y": 1}',
      [{ key: "assent.x", before: { a: true }, after: { a: true, b: true } }],
    ],
    [
      "the order of a list",
      '{"assent.x": [1, 2]}',
      '{"assent.x": [2, 1]}',
      [{ key: "assent.x", before: [1, 2], after: [2, 1] }],
    ],
    [
      "one value among others, deep down",
      '{"assent.x": {"a": {"b": true, "c": [1, {"d": 1}]}}}',
      '{"assent.x": {"a": {"b": true, "c": [1, {"d": 2}]}}}',
      [
        {
          key: "assent.x",
          before: { a: { b: true, c: [1, { d: 1 }] } },
          after: { a: { b: true, c: [1, { d: 2 }] } },
        },
      ],
    ],
    [
      "a name",
      '{"assent.x": {"a": 1}}',
      '{"assent.x": {"b": 1}}',
      [{ key: "assent.x", before: { a: 1 }, after: { b: 1 } }],
    ],
    [
      "a value that every object has",
      '{"assent.x": {"a": 1}}',
      '{"assent.x": {"toString": 1}}',
      [{ key: "assent.x", before: { a: 1 }, after: { toString: 1 } }],
    ],
    ["a list that was an object", '{"assent.x": {}}', '{"assent.x": []}', [{ key: "assent.x", before: {}, after: [] }]],
  ])("%s", (_name, before, after, expected) => expect(changedSettings(before, after, "folder")).toEqual(expected));

  test("is found under the name of a prototype, too", () => {
    const found = changedSettings('{"assent.x": {}}', '{"assent.x": {"__proto__": true}}', "folder");
    expect(JSON.stringify(found)).toBe('[{"key":"assent.x","before":{},"after":{"__proto__":true}}]');
  });

  test.each([
    ["{", "{}"],
    ["{}", '{"assent.x": tru}'],
  ])("is unknown where %s becomes %s", (before, after) => {
    expect(changedSettings(before, after, "folder")).toBeUndefined();
  });
});
