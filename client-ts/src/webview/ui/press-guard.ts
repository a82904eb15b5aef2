import type { LitElement, ReactiveController } from "lit";
import { Arming, lookAfterDrawing, watch } from "./arming.js";

/** Keeps the buttons of one element from taking a press that was meant for something else. */
export class PressGuard implements ReactiveController {
  /** Whether a press of a pointer would count now. */
  armed = false;
  private readonly arming = new Arming(performance.now());
  private stopWatching: () => void = () => {};
  /** Whether the press that is under way began while the buttons were armed; undefined without a press. */
  private pressWasArmed: boolean | undefined;

  /** `buttons` is the selector of the part of the element that must stand still. */
  constructor(
    private readonly host: LitElement,
    private readonly buttons: string,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    this.disturb();
    document.addEventListener("visibilitychange", this.disturb);
    this.stopWatching = watch(this.look);
    // What scrolls here moves its buttons: that is seen at once, as any other move is at the next look.
    this.host.renderRoot.addEventListener("scroll", this.look, { capture: true });
  }

  hostDisconnected(): void {
    document.removeEventListener("visibilitychange", this.disturb);
    this.stopWatching();
    this.host.renderRoot.removeEventListener("scroll", this.look, { capture: true });
  }

  /** What grew or shrank has moved its own buttons: that counts from now on, not from the next look. */
  hostUpdated(): void {
    lookAfterDrawing();
  }

  /** What is asked has changed: neither pointer nor key counts for a moment. */
  readonly disturb = () => {
    this.arming.disturb(performance.now());
    this.set(false);
  };

  /** For `pointerdown` and `keydown` around the buttons. Those that answer have `aria-disabled`. */
  readonly pressed = (event: Event) => {
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    if (button === null) return;
    if (event instanceof KeyboardEvent && event.key !== "Enter" && event.key !== " ") return;
    const isHeld = event instanceof KeyboardEvent && event.repeat;
    if (isHeld) event.preventDefault();
    // Other buttons only open or close something: their press says nothing about the next click.
    if (button.hasAttribute("aria-disabled"))
      this.pressWasArmed = !isHeld && this.mayPress(event instanceof KeyboardEvent);
  };

  /** Whether this click counts: its press and its release fell on buttons that stood still, and it is the first. */
  takes(click: MouseEvent): boolean {
    const pressWasArmed = this.pressWasArmed ?? true;
    this.pressWasArmed = undefined;
    return this.mayPress(click.detail === 0) && pressWasArmed && click.detail <= 1;
  }

  /** Whether the buttons have stood still, unchanged, for as long as a key of the editor wants it. */
  standsStill(): boolean {
    this.check();
    return this.arming.isStill(performance.now());
  }

  /** A key goes to the button that has the focus; a pointer to whatever is under it now. */
  private mayPress(byKey: boolean): boolean {
    const armed = this.check();
    return byKey ? this.arming.isArmedForKeys(performance.now()) : armed;
  }

  private readonly look = () => void this.check();

  /** Looks where the buttons stand now, and whether they have been there long enough. */
  private check(): boolean {
    const buttons = this.host.renderRoot?.querySelector(this.buttons);
    if (buttons) this.arming.measure(buttons.getBoundingClientRect(), performance.now());
    this.set(this.arming.isArmed(performance.now()));
    return this.armed;
  }

  private set(armed: boolean): void {
    if (armed === this.armed) return;
    this.armed = armed;
    this.host.requestUpdate();
  }
}
