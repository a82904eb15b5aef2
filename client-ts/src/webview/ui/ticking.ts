import { html, LitElement, type PropertyValues } from "lit";

const STEP_MS = 5000;

/** Words that depend on how long ago something was said. They change a few times a minute, and are not read out. */
export class Ticking extends LitElement {
  static override properties = { since: { attribute: false }, words: { attribute: false } };
  /** What was said: another value starts the time anew. */
  declare since: unknown;
  declare words: (passed: number) => string;
  private start = performance.now();
  private timer: ReturnType<typeof setInterval> | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.timer = setInterval(() => this.requestUpdate(), STEP_MS);
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
