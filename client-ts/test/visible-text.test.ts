import { describe, expect, test } from "vitest";
import { hidesSomething, type Lines, segments } from "../src/common/visible-text.js";

const shown = (text: string, lines?: Lines) =>
  segments(text, lines)
    .map((segment) => segment.text)
    .join("");

describe("what hides is shown", () => {
  test.each([
    ["direction override", "safe\u202Etxt.exe", "safe‹U+202E›txt.exe"],
    ["direction isolate", "\u2066x\u2069", "‹U+2066›x‹U+2069›"],
    ["right-to-left mark", "a\u200Fb", "a‹U+200F›b"],
    ["zero width space", "rm\u200B -rf", "rm‹U+200B› -rf"],
    ["joiner between letters", "a\u200Db", "a‹U+200D›b"],
    ["joiner behind a letter, before an emoji", "a\u200D💻", "a‹U+200D›💻"],
    ["byte order mark", "\uFEFFx", "‹U+FEFF›x"],
    ["soft hyphen", "pass\u00ADword", "pass‹U+00AD›word"],
    ["tag characters", "hi\u{E0068}\u{E0069}", "hi‹U+E0068›‹U+E0069›"],
    ["variation selector behind a letter", "a\uFE0F", "a‹U+FE0F›"],
    ["rare variation selector", "a\u{E0100}", "a‹U+E0100›"],
    ["carriage return", "echo ok\rrm -rf /", "echo ok‹U+000D›rm -rf /"],
    ["backspace", "ab\b", "ab‹U+0008›"],
    ["escape sequence", "\u001B[31mred", "‹U+001B›[31mred"],
    ["null", "a\0b", "a‹U+0000›b"],
    ["next line", "a\u0085b", "a‹U+0085›b"],
    ["line separator", "a\u2028b", "a‹U+2028›b"],
    ["no-break space", "a\u00A0b", "a‹U+00A0›b"],
    ["ideographic space", "a\u3000b", "a‹U+3000›b"],
    ["blank letter", "a\u3164b", "a‹U+3164›b"],
    ["braille blank", "a\u2800b", "a‹U+2800›b"],
    ["grapheme joiner", "a\u034Fb", "a‹U+034F›b"],
    ["lone surrogate", "a\uD800b", "a‹U+D800›b"],
    ["private use", "a\uE000b", "a‹U+E000›b"],
    ["unassigned", "a\u0378b", "a‹U+0378›b"],
    ["spaces that push a tail out of sight", `ls${" ".repeat(400)}; rm`, "ls⋯ 400 spaces ⋯; rm"],
    ["tabs likewise", `ls${"\t".repeat(100)}; rm`, "ls⋯ 100 blanks ⋯; rm"],
    ["empty lines likewise", `ls${"\n".repeat(300)}rm`, "ls⋯ 300 line breaks ⋯\nrm"],
    ["lines of spaces likewise", `ls${" \n".repeat(300)}rm`, "ls⋯ 300 line breaks ⋯\nrm"],
    ["a host of nothing but such letters", "\u0441\u043e.com", "\u0441‹U+0441›\u043e‹U+043E›.com"],
    ["such a part of a host", "www.\u0435\u0440\u0430.org", "www.\u0435‹U+0435›\u0440‹U+0440›\u0430‹U+0430›.org"],
    ["a foreign letter in a word", "p\u0430ypal", "p\u0430‹U+0430›ypal"],
  ])("%s", (_name, text, expected) => {
    expect(shown(text)).toBe(expected);
    expect(hidesSomething(text)).toBe(true);
  });

  test("a line break where there is one line only", () => {
    expect(shown("Read a.txt\nApproved", "single")).toBe("Read a.txt‹U+000A›Approved");
  });
});

describe("what is harmless stays", () => {
  test.each([
    ["plain text", "Write src/a.ts (+3 −1)"],
    ["umlauts and accents", "Größe, café, e\u0301"],
    ["Chinese", "读取文件"],
    ["a whole Russian word", "привет world"],
    ["a Russian name of a file", "отчёт.txt src/привет.md"],
    ["a Russian word of such letters", "а сора не хор, ах"],
    ["Hebrew", "שלום"],
    ["emoji", "👩‍💻 ❤️ 👨‍👩‍👧 👍🏽 🇩🇪 1️⃣"],
    ["indented code", `${" ".repeat(40)}return\n\tx`],
    ["some empty lines", "a\n\n\n\nb"],
    ["nothing", ""],
  ])("%s", (_name, text) => {
    expect(shown(text)).toBe(text);
    expect(hidesSomething(text)).toBe(false);
  });
});

test("no character is lost: what is not escaped stands as it was", () => {
  const text = "a\u202Eb\r\nc\uD800".repeat(50);
  const kept = segments(text)
    .filter((segment) => !segment.escaped)
    .map((segment) => segment.text)
    .join("");
  expect(kept).toBe(text.replaceAll(/[\u202E\r]|\uD800/gu, ""));
});
