// No answer counts that was aimed at something else: buttons work only after standing still for a moment.

export const ARM_AFTER_MS = 400;
export const STILL_AFTER_MS = 500;
const STEP_MS = 50;

/** Knows since when a thing has been standing where it stands, unchanged. */
export class Arming {
  private changedAt: number;
  private movedAt: number;
  private place = "";

  constructor(now: number) {
    this.changedAt = now;
    this.movedAt = now;
  }

  /** It appeared or changed. */
  disturb(now: number): void {
    this.changedAt = now;
  }

  /** Where it stands now; another place than before is a disturbance. */
  measure(rect: { left: number; top: number; width: number; height: number }, now: number): void {
    const place = [rect.left, rect.top, rect.width, rect.height].map((side) => Math.round(side)).join(" ");
    if (place === this.place) return;
    this.place = place;
    this.movedAt = now;
  }

  /** For a pointer, which may hit what moved under it. */
  isArmed(now: number): boolean {
    return this.isArmedForKeys(now) && now - this.movedAt >= ARM_AFTER_MS;
  }

  /** For a key that is pressed without looking at a button: it stands still for longer. */
  isStill(now: number): boolean {
    return now - Math.max(this.changedAt, this.movedAt) >= STILL_AFTER_MS;
  }

  /** For a key, which goes to what has the focus, wherever that stands. */
  isArmedForKeys(now: number): boolean {
    return now - this.changedAt >= ARM_AFTER_MS;
  }
}

const watched = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Something scrolled: everyone looks at once. */
export function lookNow(): void {
  for (const step of [...watched]) step();
}

let isLookDue = false;

/** What was drawn is looked at when all that is being drawn with it is there, and before anything else can happen. */
export function lookAfterDrawing(): void {
  if (isLookDue) return;
  isLookDue = true;
  queueMicrotask(() => {
    isLookDue = false;
    lookNow();
  });
}

/** Calls back at a steady pace while there is someone to call. */
export function watch(step: () => void): () => void {
  watched.add(step);
  timer ??= setInterval(lookNow, STEP_MS);
  return () => {
    watched.delete(step);
    if (watched.size === 0 && timer !== undefined) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}
