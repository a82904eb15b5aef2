// The editor's own themes as it hands them to a page: their variables, as far as the page uses them.
import { readFileSync } from "node:fs";
import path from "node:path";
import { ALL } from "../support/sizes.js";

export const THEME_NAMES = [
  "light",
  "dark",
  "high-contrast",
  "high-contrast-light",
  "light-2026",
  "dark-2026",
] as const;
export type Theme = (typeof THEME_NAMES)[number];

/** Some of them for one of many things that are looked at, others for the next one; all of them in the long run. */
export function themesOf(number: number): readonly Theme[] {
  return ALL ? THEME_NAMES : THEME_NAMES.filter((_, at) => at % 3 === number % 3);
}

/** Those with high contrast have borders in place of most grounds. */
export const THEMES: Record<Theme, Record<string, string>> = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, "themes.json"), "utf8"),
);
