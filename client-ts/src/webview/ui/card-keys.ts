// The keyboard's way to a card: which one a key would answer now, if any. The host tells of the keys, by their commands.
import type { CardInView, PressMessage } from "../../common/page-messages.js";
import { watch } from "./arming.js";
import type { ApprovalCard } from "./card.js";

/** A key that is held down comes again and again, sooner than this: only its first press means something. */
const HELD_MS = 700;
const TEXT_FIELDS = "input, textarea, select, [contenteditable]";

/** What is to be known of the page. */
interface Around {
  /** The cards that are drawn. */
  cards(): Iterable<ApprovalCard>;
  tell(inView: CardInView, hasKeyboard: boolean): void;
  say(text: string): void;
}

/** Tells which card a key would answer as soon as that changes; a key counts for the one that was told last. */
export class CardKeys {
  private told: CardInView = {};
  private hadKeyboard = false;
  private lastPressAt = Number.NEGATIVE_INFINITY;
  private stopWatching: (() => void) | undefined;

  constructor(private readonly around: Around) {}

  /** Looks as long as something waits. */
  watchWhile(waits: boolean): void {
    if (waits === (this.stopWatching !== undefined)) return void this.look();
    this.stopWatching?.();
    this.stopWatching = waits ? watch(this.look) : undefined;
    const listen = waits ? addEventListener : removeEventListener;
    for (const name of ["focus", "blur"]) listen(name, this.look);
    listen("keydown", this.noticeHeld, { capture: true });
    this.look();
  }

  /** A key on its way may be late: it means the card that was in view when it was pressed, as that stood then. */
  press({ key, approvalId, argsDigest, onPage }: PressMessage): void {
    const now = performance.now();
    const isHeld = now - this.lastPressAt < HELD_MS;
    this.lastPressAt = now;
    if (isHeld || (onPage && !document.hasFocus())) return;
    if (isWriting()) this.around.say("While you write, keys do not answer. Go to the card first.");
    const card = this.look();
    const { request } = card?.card ?? {};
    if (card && request && request.approvalId === approvalId && request.argsDigest === argsDigest)
      card.answerByKey(key);
  }

  /** The page sees it, where it has the keyboard, however long the system waits before it repeats a key. */
  private readonly noticeHeld = (event: Event) => {
    if (event instanceof KeyboardEvent && event.repeat) this.lastPressAt = performance.now();
  };

  private readonly look = (): ApprovalCard | undefined => {
    const card = this.meant();
    const { approvalId, argsDigest } = card?.card.request ?? {};
    const { told } = this;
    const hasKeyboard = document.hasFocus();
    if (told.approvalId !== approvalId || told.argsDigest !== argsDigest || this.hadKeyboard !== hasKeyboard) {
      this.told = approvalId === undefined ? {} : { approvalId, argsDigest };
      this.hadKeyboard = hasKeyboard;
      this.around.tell(this.told, hasKeyboard);
    }
    return card;
  };

  /** The card that has the focus, or the only one in view; none while the user writes. */
  private meant(): ApprovalCard | undefined {
    if (this.stopWatching === undefined) return undefined;
    const inView = [...this.around.cards()].filter((card) => card.takesKeys());
    if (isWriting() || document.visibilityState === "hidden") return undefined;
    return inView.find((card) => card.matches(":focus-within")) ?? (inView.length === 1 ? inView[0] : undefined);
  }
}

function isWriting(): boolean {
  return document.hasFocus() && innermost(document)?.matches(TEXT_FIELDS) === true;
}

function innermost(root: DocumentOrShadowRoot): Element | null {
  const at = root.activeElement;
  return at?.shadowRoot ? innermost(at.shadowRoot) : at;
}

/** Whether all of these stand in the window, and nothing stands before them. */
export function areInView(parts: readonly Element[]): boolean {
  return parts.every((part) => {
    const { left, top, right, bottom, width, height } = part.getBoundingClientRect();
    const isInside = top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth && width > 0 && height > 0;
    return isInside && [top + 1, bottom - 1].every((y) => isHit(part, left + Math.min(width / 2, 8), y));
  });
}

function isHit(part: Element, x: number, y: number): boolean {
  const root = part.getRootNode() as Document | ShadowRoot;
  const hit = root.elementFromPoint(x, y);
  return hit !== null && part.contains(hit);
}

/** How the keys are called, as they are unless the user has chosen others. */
export const KEY_NAMES = navigator.userAgent.includes("Mac OS")
  ? { approve: "⌘Enter", deny: "⌥⌘Enter" }
  : { approve: "Ctrl+Enter", deny: "Ctrl+Alt+Enter" };
