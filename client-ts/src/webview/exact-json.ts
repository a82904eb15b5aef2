// Values that came as JSON: arguments of calls that ran without a card, entries of settings. A number that this side of the wire cannot hold is never shown as another one.

const INEXACT = "This holds numbers that are too long to be shown exactly here.";

/** The value as JSON text, or a sentence where the text would not be exact. */
export function exactJson(value: unknown, indent = 2): string {
  return hasExactNumbers(value) ? (JSON.stringify(value, null, indent) ?? "") : INEXACT;
}

/** Whether every number in it is the one that was meant, as far as can be known here. */
export function hasExactNumbers(value: unknown): boolean {
  if (typeof value === "number")
    return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every(hasExactNumbers);
}
