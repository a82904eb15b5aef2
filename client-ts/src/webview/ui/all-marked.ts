// All of the chat, marked by the key for it and copied. A browser marks the one row that was clicked on last, and copies what it has drawn.
import type { ReactiveController, ReactiveControllerHost } from "lit";

/** What it needs of the chat. */
interface Chat extends ReactiveControllerHost, Element {
  /** All of it; empty where there is nothing. */
  readonly wholeText: string;
  say(text: string): void;
}

const SAID = "All of the chat is marked: copying takes all of it, also what is not in sight.";

/** It stays marked until the user presses something elsewhere, goes elsewhere or takes it back. */
export class AllMarked implements ReactiveController {
  constructor(private readonly chat: Chat) {
    chat.addController(this);
  }

  hostConnected(): void {
    document.addEventListener("keydown", this.onKey);
    document.addEventListener("pointerdown", this.end, { capture: true });
    document.addEventListener("focusin", this.onFocus);
    this.chat.addEventListener("focusout", this.onLeave);
    document.addEventListener("beforecopy", this.onCopy);
    document.addEventListener("copy", this.onCopy);
  }

  hostDisconnected(): void {
    document.removeEventListener("keydown", this.onKey);
    document.removeEventListener("pointerdown", this.end, { capture: true });
    document.removeEventListener("focusin", this.onFocus);
    this.chat.removeEventListener("focusout", this.onLeave);
    document.removeEventListener("beforecopy", this.onCopy);
    document.removeEventListener("copy", this.onCopy);
  }

  private get isOn(): boolean {
    return this.chat.hasAttribute("marked");
  }

  private readonly onKey = (event: KeyboardEvent) => {
    if (event.key === "Escape" || !meansChat(this.chat)) this.end();
    if (!marksAll(event) || !meansChat(this.chat) || this.chat.wholeText === "") return;
    event.preventDefault();
    document.getSelection()?.removeAllRanges();
    this.chat.setAttribute("marked", "");
    this.chat.say(SAID);
  };

  private readonly onFocus = () => {
    if (!meansChat(this.chat)) this.end();
  };

  /** To another part of the page, of which the document hears nothing. To another window is not away from here. */
  private readonly onLeave = (event: Event) => {
    if ((event as FocusEvent).relatedTarget !== null) this.end();
  };

  readonly end = () => this.chat.removeAttribute("marked");

  /** Before it too: an editor's own command copies only where there is something to be copied. */
  private readonly onCopy = (event: Event) => {
    // From one part of a card into its field goes a focus of which nothing outside the card hears.
    if (!this.isOn || !meansChat(this.chat)) return;
    event.preventDefault();
    if (event instanceof ClipboardEvent && event.type === "copy")
      event.clipboardData?.setData("text/plain", this.chat.wholeText);
  };
}

function marksAll({ key, ctrlKey, metaKey, shiftKey, altKey, defaultPrevented }: KeyboardEvent): boolean {
  return key.toLowerCase() === "a" && (ctrlKey || metaKey) && !shiftKey && !altKey && !defaultPrevented;
}

/** Whether keys mean the chat: the keyboard is there, or nowhere, and not in a field. */
function meansChat(chat: Element): boolean {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  if (active?.matches("input, textarea, select")) return false;
  return active === null || active === document.body || chat.matches(":focus-within");
}
