// Draws text that comes from a model, a tool or the server: as text, with everything hidden made visible.
import { html, type TemplateResult } from "lit";
import { type Lines, segments } from "../../common/visible-text.js";

// Letters that are written from right to left.
const LETTER = "[\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}]";
const ANY = new RegExp(LETTER, "u");
/** What of them stands together: the words of a sentence, or each word by itself, as in a path or a command. */
const PHRASES = new RegExp(`(${LETTER}(?:[^\\n/\\\\"'=()[\\]{}<>|&]*${LETTER})?)`, "u");
export const WORDS = new RegExp(`(${LETTER}+)`, "u");

/**
 * The text, isolated from the direction of what stands around it. Inside, what is written from right to left turns
 * nothing round but itself: of two folders, the first one stays the first.
 */
export function visible(
  text: string,
  lines: Lines = "multiple",
  together = lines === "single" ? WORDS : PHRASES,
): TemplateResult {
  return html`<bdi class="untrusted"
    >${segments(text, lines).map((segment) =>
      segment.escaped ? html`<span class="escaped">${segment.text}</span>` : apart(segment.text, together),
    )}</bdi
  >`;
}

/** For headlines and names: a line break is no part of those. */
export function visibleLine(text: string): TemplateResult {
  return visible(text, "single");
}

function apart(text: string, together: RegExp) {
  return ANY.test(text)
    ? text.split(together).map((one, at) => (at % 2 ? html`<span class="apart">${one}</span>` : one))
    : text;
}
