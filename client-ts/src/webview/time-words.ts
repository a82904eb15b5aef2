// Time in words that do not change every second.
import type { GrantEnd } from "../protocol/generated.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** How long something still lasts. */
export function remainingWords(milliseconds: number): string {
  if (milliseconds <= 0) return "any moment now";
  if (milliseconds <= 10_000) return "in a few seconds";
  if (milliseconds <= 50_000) return `in about ${Math.ceil(milliseconds / 10_000) * 10} seconds`;
  if (milliseconds < 1.5 * MINUTE) return "in about a minute";
  const minutes = Math.round(milliseconds / MINUTE);
  if (minutes < 90) return `in about ${minutes} minutes`;
  const hours = Math.round(milliseconds / HOUR);
  return hours < 48 ? `in about ${hours} hours` : `in about ${Math.round(hours / 24)} days`;
}

/** When a grant ends, this long after the server said so; nothing where it does not. */
export function endWords(ends: GrantEnd | null | undefined, passed: number): string {
  if (!ends) return "";
  const { remainingMs, usesLeft, untilRunEnds } = ends;
  const parts = [
    remainingMs == null ? "" : remainingWords(remainingMs - passed),
    usesLeft == null ? "" : usesLeft === 1 ? "after 1 more call" : `after ${usesLeft} more calls`,
    untilRunEnds ? "with this task" : "",
  ].filter((part) => part !== "");
  return parts.length === 0 ? "" : `ends ${parts.join(" or ")}`;
}

/** The same, as short as can be. */
export function shortEnd({ remainingMs, usesLeft, untilRunEnds }: GrantEnd, passed: number): string {
  const minutes = remainingMs == null ? undefined : Math.max(1, Math.round((remainingMs - passed) / MINUTE));
  const parts = [
    minutes === undefined ? "" : minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`,
    usesLeft == null ? "" : `${usesLeft} more`,
    untilRunEnds ? "this task" : "",
  ];
  return parts.filter((part) => part !== "").join(", ");
}

/** The same on the clock alone: for what happened while the page was there. */
export function clockWords(at: string): string {
  const moment = new Date(at);
  return Number.isNaN(moment.getTime()) ? at : moment.toLocaleTimeString("en", { timeStyle: "short" });
}

/** A moment that the server names, as the user's clock says it; the server's own word where it is no moment. */
export function momentWords(at: string): string {
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return at;
  return moment.toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });
}
