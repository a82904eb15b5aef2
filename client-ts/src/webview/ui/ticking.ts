import { html, LitElement, type PropertyValues } from "lit";

const STEP_MS = 5000;

/** Words that depend on how long ago something was said. They are not read out as they change. */
export class Ticking extends LitElement {
  static override properties = {
    since: { attribute: false },
    words: { attribute: false },
    every: { attribute: false },
  };
  /** What was said: another value starts the time anew. */
  declare since: unknown;
  declare words: (passed: number) => string;
  /** Milliseconds after which the words change. */
  declare every: number | undefined;
  private start = performance.now();
  private timer: ReturnType<typeof setInterval> | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.timer = setInterval(() => this.requestUpdate(), this.every ?? STEP_MS);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.timer);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("since")) this.start = performance.now();
  }

  protected override render() {
    return html`<span>${this.words(performance.now() - this.start)}</span>`;
  }
}

customElements.define("assent-ticking", Ticking);
