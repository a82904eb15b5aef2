import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { Guard } from "../src/protocol/check.js";
import * as wire from "../src/protocol/generated.js";

interface Golden {
  type: string;
  valid: unknown[];
  invalid: { value: unknown; path: string }[];
}

// The same files are read by the server's tests: both sides take and refuse the same messages, at the same place.
const folder = path.resolve(import.meta.dirname, "../../tests/golden/wire");
const files = readdirSync(folder).map((name) => JSON.parse(readFileSync(path.join(folder, name), "utf8")) as Golden);

function guardOf(type: string): Guard<unknown> {
  const found = (wire as unknown as Record<string, Guard<unknown> | undefined>)[`is${type}`];
  if (found === undefined) throw new Error(`there is no guard for ${type}`);
  return found;
}

test("there are golden messages", () => expect(files.length).toBeGreaterThanOrEqual(6));

describe.each(files)("$type", ({ type, valid, invalid }) => {
  test.each(valid.map((value, index) => [index, value] as const))("takes valid example %i", (_index, value) => {
    expect(guardOf(type).fault(value)).toBeUndefined();
    expect(guardOf(type)(value)).toBe(true);
  });

  test.each(invalid.map((one, index) => [index, one.path, one.value] as const))(
    "refuses invalid example %i at %s",
    (_index, place, value) => {
      expect(guardOf(type)(value)).toBe(false);
      expect(`params${guardOf(type).fault(value)}`).toBe(place);
    },
  );
});
