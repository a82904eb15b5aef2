import { describe, expect, test } from "vitest";
import type { UsageData } from "../src/protocol/generated.js";
import { costInFull, costWords } from "../src/webview/cost-words.js";
import { event, session } from "./support/examples.js";
import { pageAfter } from "./support/page-state.js";

const told = (data: UsageData) => ({ type: "event", event: event(1, "Usage", data) }) as const;
const failed = (code: string | null) =>
  ({ type: "event", event: event(2, "Error", { message: "It failed.", code }) }) as const;

describe("what a run costs", () => {
  test("is unknown until the server tells it", () => {
    expect(pageAfter().cost).toBeUndefined();
  });

  test("is the whole run's, and the latest turn says how full the context is", () => {
    const state = pageAfter(
      told({ runInput: 1000, runOutput: 50, input: 1000, output: 50, contextWindow: 4000 }),
      told({ runInput: 2500, runOutput: 550, input: 1500, output: 500, contextWindow: 4000 }),
    );
    expect(state.cost).toEqual({ input: 2500, output: 550, filled: 0.5 });
  });

  test("has no share of a context that is not known, or of a turn that was not counted", () => {
    expect(pageAfter(told({ runInput: 10, runOutput: 1, input: 10, output: 1 })).cost?.filled).toBeUndefined();
    expect(pageAfter(told({ runInput: 0, runOutput: 1, output: 1, contextWindow: 4000 })).cost?.filled).toBeUndefined();
  });

  test("counts sub-agents, whose contexts are others", () => {
    const state = pageAfter(
      told({ runInput: 1000, runOutput: 0, input: 1000, output: 0, contextWindow: 4000 }),
      told({ runInput: 4000, runOutput: 9, input: 3000, output: 9, contextWindow: 4000, parentToolCallId: "c-1" }),
    );
    expect(state.cost).toEqual({ input: 4000, output: 9, filled: 0.25 });
  });

  test("is another chat's no more when that one is shown", () => {
    const other = session({ sessionId: "s-2" });
    const state = pageAfter(told({ runInput: 10, runOutput: 1 }), {
      type: "chat",
      how: "replace",
      session: other,
      events: [],
      pending: [],
    });
    expect(state.cost).toBeUndefined();
  });
});

test.each([
  [{ input: 0, output: 7, filled: undefined }, "0 tokens in · 7 out"],
  [{ input: 999, output: 1000, filled: 0.004 }, "999 tokens in · 1k out · < 1 % of the context"],
  [{ input: 12_345, output: 456, filled: 0.081 }, "12.3k tokens in · 456 out · 8 % of the context"],
  [{ input: 234_567, output: 99_949, filled: 1.2 }, "235k tokens in · 99.9k out · 100 % of the context"],
  [{ input: 999_499, output: 999_500, filled: 0 }, "999k tokens in · 1M out · 0 % of the context"],
])("%j is told as %j", (cost, words) => {
  expect(costWords(cost)).toBe(words);
});

test("whoever wants to know gets the exact numbers", () => {
  const words = costInFull({ input: 12_345, output: 456, filled: 0.5 });
  expect(words).toContain("12,345 tokens sent");
  expect(words).toContain("456 received");
  expect(words).toContain("50 %");
});

test.each([
  ["key_missing", "setKey"],
  ["key_rejected", "setKey"],
  ["unreachable", "chooseModel"],
  ["model_not_found", "chooseModel"],
  ["rate_limited", undefined],
  ["toString", undefined],
  [null, undefined],
])("a run that ends with the code %s leads to %s", (code, remedy) => {
  expect(pageAfter(failed(code)).items.at(-1)).toMatchObject({ kind: "end", failed: true, remedy });
});
