// Makes the invisible visible: characters that could make a text look like another one become escapes.

/** A piece of a text: as it is, or an escape that stands for something not to be seen. */
export interface Segment {
  text: string;
  escaped: boolean;
}

/** Where a text may have line breaks, they stay; elsewhere they are escaped like other control characters. */
export type Lines = "single" | "multiple";

const LONGEST_BLANK = 40;
const MOST_BLANK_LINES = 12;
// Control characters but tab; format characters (direction, zero width, tags, soft hyphen); separators of lines and
// paragraphs; lone surrogates; what looks like a space or like nothing; variation selectors and blank letters.
const HIDDEN = new RegExp(
  [
    "[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}\\p{Co}\\p{Cn}]",
    "[\\u034F\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180D\\u2800\\u3164\\uFE00-\\uFE0D\\uFFA0\\u{E0100}-\\u{E01EF}]",
    "[^\\S \\t\\n\\r\\f\\v]",
    "(?<!\\p{Extended_Pictographic})[\\uFE0E\\uFE0F](?!\\u20E3)",
  ].join("|"),
  "u",
);
const SPLIT = new RegExp(
  `([ \\t]{${LONGEST_BLANK + 1},})|((?:[ \\t]*\\n){${MOST_BLANK_LINES + 1},})|(${HIDDEN.source})`,
  "gu",
);
// An emoji may be joined by U+200D and styled by U+FE0F: both are allowed only directly after a pictograph.
const JOINED_EMOJI = /(?<=\p{Extended_Pictographic}\uFE0F?\p{Emoji_Modifier}?)\u200D(?=\p{Extended_Pictographic})/uy;
// A word of Latin letters with Cyrillic or Greek ones in between reads like another word.
const WORD = /[\p{L}\p{M}\p{N}_]+/gu;
const LATIN = /\p{Script=Latin}/u;
const LOOKALIKE = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u;
// A whole word of nothing but such letters reads like a Latin one where it is joined to one, as the name of a host is.
const IN_DISGUISE = /^[аеорсухіјѕԁӏһԛԝѵүАВЕКМНОРСТХІЈЅҮοναρυΑΒΕΖΗΙΚΜΝΟΡΤΥΧ\d]+$/u;

/** The text in pieces, with every hidden character, long blank run and letter of a foreign script as an escape. */
export function segments(text: string, lines: Lines = "multiple"): Segment[] {
  const found: Segment[] = [];
  let start = 0;
  const push = (end: number, shownAs: string, length: number) => {
    if (end > start) found.push({ text: text.slice(start, end), escaped: false });
    found.push({ text: shownAs, escaped: true });
    start = end + length;
  };
  for (const place of hiddenPlaces(text, lines)) push(place.at, place.shownAs, place.length);
  if (start < text.length) found.push({ text: text.slice(start), escaped: false });
  return found;
}

/** The text with its escapes, for places where only plain text can stand. */
export function visibleText(text: string, lines: Lines = "single"): string {
  return segments(text, lines)
    .map((segment) => segment.text)
    .join("");
}

/** Whether anything in the text would be shown as an escape. */
export function hidesSomething(text: string, lines: Lines = "multiple"): boolean {
  return hiddenPlaces(text, lines).length > 0;
}

interface Place {
  at: number;
  length: number;
  shownAs: string;
}

function hiddenPlaces(text: string, lines: Lines): Place[] {
  const places: Place[] = [];
  for (const match of text.matchAll(SPLIT)) {
    const [whole, spaces, breaks] = match;
    const shownAs = spaces
      ? `⋯ ${spaces.length} ${spaces.includes("\t") ? "blanks" : "spaces"} ⋯`
      : breaks
        ? blankLines(breaks, lines)
        : escapeOf(whole, text, match.index, lines);
    if (shownAs !== undefined) places.push({ at: match.index, length: whole.length, shownAs });
  }
  for (const place of lookalikes(text)) places.push(place);
  return places.sort((one, other) => one.at - other.at);
}

function blankLines(breaks: string, lines: Lines): string {
  const count = breaks.split("\n").length - 1;
  return `⋯ ${count} line breaks ⋯${lines === "multiple" ? "\n" : ""}`;
}

function escapeOf(character: string, text: string, index: number, lines: Lines): string | undefined {
  if (character === "\t") return undefined;
  if (character === "\n" && lines === "multiple") return undefined;
  if (character === "\u200D") {
    JOINED_EMOJI.lastIndex = index;
    if (JOINED_EMOJI.test(text)) return undefined;
  }
  return codePoint(character);
}

function codePoint(character: string): string {
  return `‹U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}›`;
}

function isDisguised(text: string, word: string, at: number): boolean {
  if (!IN_DISGUISE.test(word)) return false;
  return (
    /[a-z\d][.@/:-]$/i.test(text.slice(Math.max(0, at - 2), at)) ||
    /^[.-][a-z]/i.test(text.slice(at + word.length, at + word.length + 2))
  );
}

function* lookalikes(text: string): Generator<Place> {
  for (const word of text.matchAll(WORD)) {
    if (!LOOKALIKE.test(word[0]) || !(LATIN.test(word[0]) || isDisguised(text, word[0], word.index))) continue;
    let at = word.index;
    for (const character of word[0]) {
      if (LOOKALIKE.test(character))
        yield { at, length: character.length, shownAs: `${character}${codePoint(character)}` };
      at += character.length;
    }
  }
}
