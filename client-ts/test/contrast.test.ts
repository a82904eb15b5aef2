import { expect, test } from "vitest";
import { type Colour, contrast, ENOUGH, readable } from "../src/webview/contrast.js";

const BLACK: Colour = [0, 0, 0];
const WHITE: Colour = [255, 255, 255];
const SOME: Colour[] = [0, 60, 130, 200, 255].flatMap((red) =>
  [0, 90, 255].map((rest): Colour => [red, rest, 255 - rest]),
);

test("contrast is that of the guidelines", () => {
  expect(contrast(BLACK, WHITE)).toBeCloseTo(21);
  expect(contrast([119, 119, 119], WHITE)).toBeCloseTo(4.48, 1);
  expect(contrast(WHITE, WHITE)).toBe(1);
});

test("a colour that can be read is taken as it is, another one is made lighter or darker", () => {
  expect(readable([[0, 0, 255]], [WHITE])).toEqual([0, 0, 255]);
  const darker = readable([[255, 200, 0]], [WHITE]);
  expect(darker?.[0]).toBeLessThan(255);
  const lighter = readable([[0, 0, 255]], [BLACK]);
  expect(lighter?.[0]).toBeGreaterThan(0);
});

test("no colour comes out that cannot be read", () => {
  let found = 0;
  for (const one of SOME)
    for (const ground of SOME)
      for (const other of [ground, ...SOME, BLACK, WHITE]) {
        const colour = readable([one], [ground, other]);
        if (colour === undefined) continue;
        found += 1;
        expect(Math.min(contrast(colour, ground), contrast(colour, other))).toBeGreaterThanOrEqual(ENOUGH);
      }
  expect(found).toBeGreaterThan(100);
});
