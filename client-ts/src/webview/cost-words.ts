// What a run cost, in few words and in full.
import type { Cost } from "./state.js";

/** For a line that nobody has to read. */
export function costWords({ input, output, filled }: Cost): string {
  const share = filled === undefined ? "" : ` · ${percent(filled)} of the context`;
  return `${short(input)} tokens in · ${short(output)} out${share}`;
}

/** For whoever wants to know. */
export function costInFull({ input, output, filled }: Cost): string {
  const share = filled === undefined ? "" : ` The latest turn fills ${percent(filled)} of what the model can take in.`;
  return `The latest run: ${exact(input)} tokens sent to the model, ${exact(output)} received.${share}`;
}

function percent(share: number): string {
  return share > 0 && share < 0.01 ? "< 1 %" : `${Math.min(100, Math.round(share * 100))} %`;
}

function short(count: number): string {
  if (count < 1000) return String(count);
  if (count < 999_500) return `${withOneDigit(count / 1000)}k`;
  return `${withOneDigit(count / 1_000_000)}M`;
}

function withOneDigit(value: number): string {
  return value < 99.95 ? value.toFixed(1).replace(/\.0$/, "") : String(Math.round(value));
}

function exact(count: number): string {
  return count.toLocaleString("en");
}
