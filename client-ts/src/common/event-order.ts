// Puts a chat's events in order without gaps: what came is passed on once, what is missing is asked for.
import type { AgentEvent } from "../protocol/generated.js";

/** What to do with an event: pass these on, and perhaps load what is missing. */
export interface Received {
  ready: AgentEvent[];
  missing: boolean;
}

/** Follows `n`. While a load is under way, events wait. */
export class EventOrder {
  private held: AgentEvent[] | undefined;

  constructor(private last = 0) {}

  get lastN(): number {
    return this.last;
  }

  /** From now on events wait, until `loaded`. */
  startLoading(): void {
    this.held ??= [];
  }

  receive(event: AgentEvent): Received {
    // What passes has the number of the event before it. It counts only where the page stands, and is never missed.
    if (event.passing) {
      const follows = this.held === undefined && event.n <= this.last;
      return { ready: follows ? [event] : [], missing: false };
    }
    if (this.held !== undefined) {
      this.held.push(event);
      return { ready: [], missing: false };
    }
    if (event.n <= this.last) return { ready: [], missing: false };
    if (event.n === this.last + 1) {
      this.last = event.n;
      return { ready: [event], missing: false };
    }
    this.held = [event];
    return { ready: [], missing: true };
  }

  /** The load came back up to `lastN`: answers with those that waited and are not part of it. */
  loaded(lastN: number): AgentEvent[] {
    this.last = lastN;
    const ready = (this.held ?? []).filter((event) => event.n > lastN).sort((one, other) => one.n - other.n);
    this.held = undefined;
    // What the server no longer has cannot be had by asking again: go on from what there is.
    this.last = ready.at(-1)?.n ?? lastN;
    return ready;
  }

  /** The load failed: what waited is dropped and will be loaded with the next attempt. */
  abandon(): void {
    this.held = undefined;
  }
}
