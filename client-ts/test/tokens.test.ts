import { describe, expect, test } from "vitest";
import {
  JSON_LANGUAGE,
  type Language,
  languageOf,
  SHELL_LANGUAGE,
  tokens,
  type Unended,
} from "../src/webview/tokens.js";

const NAMES = ["a.ts", "a.rs", "a.css", "a.json", "a.py", "a.rb", "a.sh", "a.yaml", "a.sql", "a.lua", "a.html"];
const LANGUAGES = NAMES.map((name) => languageOf(name) as Language);

const MARKS = ['"', "'", "`", "\\", "/*", "*/", "//", "#", "--", '"""', "<!--", "-->", "\n"];
const PIECES = [...MARKS, "0x", "1e9", "if", " ", "a", "𝒶", "\ud800", "\u202e", "ß1", "$", "."];

/** The same numbers from 0 to 1 every time. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The parts by their kind, as they are written. */
function parts(text: string, language: Language, before?: Unended): string[] {
  return tokens(text, language, before).tokens.map(({ start, end, kind }) => `${kind}: ${text.slice(start, end)}`);
}

describe("the parts of a line", () => {
  test.each([
    [
      "a.ts",
      'const a = "x\\"y" + 0xff; // why',
      ["keyword: const", 'string: "x\\"y"', "number: 0xff", "comment: // why"],
    ],
    ["a.ts", "a.if1 /* b */ return", ["comment: /* b */", "keyword: return"]],
    ["a.py", "def f(): return 'a#b' # c", ["keyword: def", "keyword: return", "string: 'a#b'", "comment: # c"]],
    ["b.rs", "fn f<'a>() -> u8 { 1_000u8 }", ["keyword: fn", "number: 1_000u8"]],
    ["Dockerfile", "# a", ["comment: # a"]],
    ["a.sql", "SELECT 'x' -- all", ["keyword: SELECT", "string: 'x'", "comment: -- all"]],
    ["a.html", '<a href="x"><!-- b -->', ['string: "x"', "comment: <!-- b -->"]],
    ["a.yaml", "key: a#b # c", ["comment: # c"]],
  ])("of %s: %s", (name, text, expected) => {
    expect(parts(text, languageOf(name) as Language)).toEqual(expected);
  });

  test("of a command", () => {
    expect(parts("if true; then echo 'a b' \"$x\" a#b # c", SHELL_LANGUAGE)).toEqual([
      "keyword: if",
      "keyword: then",
      "string: 'a b'",
      'string: "$x"',
      "comment: # c",
    ]);
  });

  test("of arguments", () => {
    expect(parts('{"a": [1.5, true]}', JSON_LANGUAGE)).toEqual(['string: "a"', "number: 1.5", "keyword: true"]);
  });

  test("go on where the line before ended", () => {
    const language = languageOf("a.ts") as Language;
    const { unended } = tokens("a /* b", language);
    expect(parts("still */ const", language, unended)).toEqual(["comment: still */", "keyword: const"]);
    expect(parts("nothing else", language, unended)).toEqual(["comment: nothing else"]);
    expect(tokens("'no end", language).unended).toBeUndefined();
  });

  test("of a file that nobody knows are none", () => {
    expect(["a.bin", "README", "", "a.constructor"].map(languageOf)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe("whatever stands there", () => {
  test("its parts stand one after the other, inside of it, and it is read to its end", () => {
    const random = numbers(1);
    const piece = () => PIECES[Math.floor(random() * PIECES.length)] as string;
    for (let run = 0; run < 5_000; run += 1) {
      const whole = Array.from({ length: Math.floor(random() * 20) }, piece).join("");
      const language = LANGUAGES[run % LANGUAGES.length] as Language;
      let before = 0;
      for (const { start, end } of tokens(whole, language).tokens) {
        const isInPlace = start >= before && end > start && end <= whole.length;
        expect(isInPlace, `${JSON.stringify(whole)}: ${start} to ${end} after ${before}`).toBe(true);
        before = end;
      }
    }
  });

  test("a long one takes no long time", () => {
    for (const piece of ["a ", '"', "/*", "#", "0", "\\", "-"])
      for (const language of LANGUAGES) tokens(piece.repeat(20_000), language);
  });
});
