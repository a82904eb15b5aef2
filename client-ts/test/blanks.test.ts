import { describe, expect, test } from "vitest";
import { changesBlanks } from "../src/common/blanks.js";

const CODE = "def f(x):\n    if x:\n        stop()\n    return x\n";

describe("blanks that a view of differences may leave out", () => {
  test.each<[string, string, string]>([
    ["a line that moves into a block", CODE, CODE.replace("    return", "        return")],
    ["a line that moves out of one", CODE, CODE.replace("        stop", "    stop")],
    ["blanks at the end", "a\nb\n", "a \nb\n"],
    ["a tab for blanks", "    a\n", "\ta\n"],
    ["two lines whose depth is exchanged", "  a\nb\n    a\n", "    a\nb\n  a\n"],
    ["one of several that are alike", "  }\n }\n}\n", "  }\n  }\n}\n"],
    ["beside what everybody sees", CODE, `${CODE.replace("    return", "  return")}more()\n`],
    ["a blank that is none of the keyboard's", "a\n", "\u00a0a\n"],
  ])("%s", (_name, before, after) => {
    expect(changesBlanks(before, after)).toBe(true);
    expect(changesBlanks(after, before)).toBe(true);
  });

  test.each<[string, string, string]>([
    ["nothing", CODE, CODE],
    ["a line more", CODE, `${CODE}more()\n`],
    ["another word", CODE, CODE.replace("stop()", "go()")],
    ["a block more, with an end like others", "{\n  }\n}\n", "{\n  }\n  {\n  }\n}\n"],
    ["lines of nothing but blanks", "a\n\nb\n", "a\n   \nb\n"],
    ["ends of lines", "a\nb\n", "a\r\nb\r\n"],
    ["a file that was empty", "", CODE],
  ])("but not %s", (_name, before, after) => {
    expect(changesBlanks(before, after)).toBe(false);
  });
});
