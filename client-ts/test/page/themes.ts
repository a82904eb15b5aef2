// The editor's own themes as it hands them to a page: their variables, as far as the page uses them.
import { readFileSync } from "node:fs";
import path from "node:path";

export const THEME_NAMES = [
  "light",
  "dark",
  "high-contrast",
  "high-contrast-light",
  "light-2026",
  "dark-2026",
] as const;
export type Theme = (typeof THEME_NAMES)[number];

/** Those with high contrast have borders in place of most grounds. */
export const THEMES: Record<Theme, Record<string, string>> = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, "themes.json"), "utf8"),
);
