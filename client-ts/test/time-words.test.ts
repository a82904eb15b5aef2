import { describe, expect, test } from "vitest";
import { canBeLimited, LIMIT_CHOICES, limitsOf, scopeWithoutEnd } from "../src/webview/limits.js";
import { endWords, momentWords, remainingWords, shortEnd } from "../src/webview/time-words.js";
import { request } from "./support/examples.js";

describe("what is left of a time", () => {
  test.each([
    [-5, "any moment now"],
    [0, "any moment now"],
    [9_000, "in a few seconds"],
    [11_000, "in about 20 seconds"],
    [49_000, "in about 50 seconds"],
    [60_000, "in about a minute"],
    [89_000, "in about a minute"],
    [300_000, "in about 5 minutes"],
    [89 * 60_000, "in about 89 minutes"],
    [3 * 3_600_000, "in about 3 hours"],
    [72 * 3_600_000, "in about 3 days"],
  ])("%i ms: %s", (milliseconds, words) => expect(remainingWords(milliseconds)).toBe(words));

  test("changes its words rarely", () => {
    const words = new Set(Array.from({ length: 300 }, (_, second) => remainingWords(second * 1000)));
    expect(words.size).toBeLessThan(15);
  });
});

test.each([
  [null, 0, ""],
  [{}, 0, ""],
  [{ remainingMs: 600_000 }, 300_000, "ends in about 5 minutes"],
  [{ remainingMs: 600_000 }, 700_000, "ends any moment now"],
  [{ usesLeft: 1 }, 0, "ends after 1 more call"],
  [{ usesLeft: 5, untilRunEnds: true }, 0, "ends after 5 more calls or with this task"],
  [{ remainingMs: null, usesLeft: 0 }, 0, "ends after 0 more calls"],
])("the end %j, %i ms later: %s", (ends, passed, words) => expect(endWords(ends, passed)).toBe(words));

test.each([
  [{ remainingMs: 600_000 }, 60_000, "9 min"],
  [{ remainingMs: 1_000 }, 60_000, "1 min"],
  [{ remainingMs: 7_200_000 }, 0, "2 h"],
  [{ usesLeft: 3, untilRunEnds: true }, 0, "3 more, this task"],
  [{}, 0, ""],
])("the end %j, %i ms later, in short: %s", (ends, passed, words) => expect(shortEnd(ends, passed)).toBe(words));

test("a moment that is none is shown as it came", () => expect(momentWords("soon")).toBe("soon"));

test("a moment has a day and a time", () => {
  expect(momentWords("2026-03-01T18:00:00Z")).toMatch(/2026.*\d:\d\d/);
});

describe("how long something is allowed", () => {
  test("has no end of its own unless one is chosen", () => {
    expect(LIMIT_CHOICES[0]?.limits).toBeUndefined();
    expect(limitsOf(undefined)).toBeUndefined();
    expect(limitsOf("whatever")).toBeUndefined();
  });

  test("says what it sends", () => {
    expect(LIMIT_CHOICES.slice(1).map(({ words, name }) => [words, limitsOf(name)])).toEqual([
      ["for 15 minutes", { minutes: 15 }],
      ["for 1 hour", { minutes: 60 }],
      ["for the next 5 calls", { uses: 5 }],
      ["until this task is done", { untilRunEnds: true }],
    ]);
  });

  test("takes the end of the chat out of a scope, and nothing that a name says", () => {
    const end = ", until it or the window is closed.";
    expect(scopeWithoutEnd(`Every “x${end}” call in this chat${end} Not stored.`)).toBe(
      `Every “x${end}” call in this chat. Not stored.`,
    );
    expect(scopeWithoutEnd("In this chat.")).toBe("In this chat.");
  });

  test.each([
    ["allow_session", true, true],
    ["bypass_session", true, true],
    ["allow_once", true, false],
    ["allow_always", true, false],
    ["bypass_agent", true, false],
    ["reject_once", true, false],
    ["allow_session", false, false],
  ] as const)("can be chosen for %s where the server offers it (%s): %s", (kind, limits, can) => {
    expect(canBeLimited({ optionId: "x", name: "x", kind }, request({ limits }))).toBe(can);
  });
});
