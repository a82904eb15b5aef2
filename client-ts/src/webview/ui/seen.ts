import type { LitElement, ReactiveController } from "lit";

/** Tells when all these parts of an element have been in sight since it changed last. */
export class SeenWhole implements ReactiveController {
  private readonly missing = new Set<Element>();
  private watched: readonly Element[] = [];
  private observer: IntersectionObserver | undefined;

  constructor(
    private readonly host: LitElement,
    private readonly parts: readonly string[],
    private readonly onSeen: () => void,
  ) {
    host.addController(this);
  }

  hostUpdated(): void {
    const found = this.parts.map((part) => this.host.renderRoot.querySelector(part)).filter((part) => part !== null);
    if (found.length === this.watched.length && found.every((part) => this.watched.includes(part))) return;
    this.watched = found;
    this.again();
  }

  hostDisconnected(): void {
    this.observer?.disconnect();
    this.watched = [];
  }

  /** What was seen until now does not count: it is another thing now. */
  again(): void {
    this.observer?.disconnect();
    this.missing.clear();
    for (const part of this.watched) this.missing.add(part);
    this.observer = new IntersectionObserver((entries) => this.looked(entries), { threshold: 0.9 });
    for (const part of this.watched) this.observer.observe(part);
  }

  private looked(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting, intersectionRatio } of entries) {
      if (isIntersecting && intersectionRatio >= 0.9) this.missing.delete(target);
    }
    if (this.missing.size > 0 || this.watched.length < this.parts.length) return;
    this.observer?.disconnect();
    this.onSeen();
  }
}
