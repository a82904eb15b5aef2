// Colours for words that can be read wherever they stand: by the contrast that people need, worked out without a screen.

/** Red, green and blue, from 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number];

/** What is needed for text of an ordinary size. */
export const ENOUGH = 4.5;
const STEPS = [1, 0.85, 0.7, 0.55, 0.4, 0.25];
const BLACK: Colour = [0, 0, 0];
const WHITE: Colour = [255, 255, 255];

/** How much two colours differ for a reader, from 1 to 21. */
export function contrast(one: Colour, other: Colour): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

/** The first of these colours that can be read on all of these grounds, if need be made lighter or darker. */
export function readable(wanted: readonly Colour[], grounds: readonly Colour[]): Colour | undefined {
  const worst = (text: Colour) => Math.min(...grounds.map((ground) => contrast(text, ground)));
  const extreme = worst(WHITE) >= worst(BLACK) ? WHITE : BLACK;
  for (const share of STEPS) {
    for (const one of wanted) {
      const mixed = mix(one, extreme, share);
      if (grounds.every((ground) => contrast(mixed, ground) >= ENOUGH)) return mixed;
    }
  }
  return undefined;
}

function mix(one: Colour, other: Colour, share: number): Colour {
  const of = (part: 0 | 1 | 2) => Math.round(one[part] * share + other[part] * (1 - share));
  return [of(0), of(1), of(2)];
}

function luminance(colour: Colour): number {
  const [red, green, blue] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
