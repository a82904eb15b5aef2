// The part of the page that neither an empty chat nor a question needs: loaded when it is needed for the first time, once.
import { css, html, LitElement, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { hidesSomething, segments, visibleText } from "../common/visible-text.js";
import { exactJson } from "./exact-json.js";
import { Menu } from "./ui/menu.js";
import { definePlainText } from "./ui/plain-text.js";
import { PressGuard } from "./ui/press-guard.js";
import { age, KILL } from "./ui/running.js";
import { floating, shared } from "./ui/theme.js";
import { visible, visibleLine } from "./ui/visible.js";

/** The page's own script, while it is run for the first time: the later part stands beside it, and bears its nonce. */
const here = document.currentScript as HTMLScriptElement;
let isAsked = false;
let arrived = (): void => {};
const arrival = new Promise<void>((resolve) => {
  arrived = resolve;
});
/** Nothing waits longer for it than this: a question could stand behind what is not drawn yet. */
const LONGEST_WAIT_MS = 300;

/** Until it is there, its elements are empty: then they draw what they were told meanwhile. */
export function loadLater(): void {
  if (isAsked) return;
  isAsked = true;
  setTimeout(arrived, LONGEST_WAIT_MS);
  // What both need is there once. The bundler replaces the later part's imports of these by this.
  const assentPage = {
    age,
    css,
    exactJson,
    floating,
    hidesSomething,
    html,
    KILL,
    LitElement,
    Menu,
    nothing,
    PressGuard,
    repeat,
    segments,
    shared,
    visible,
    visibleLine,
    visibleText,
  };
  Object.assign(window, { assentPage });
  const script = document.createElement("script");
  script.nonce = here.nonce;
  script.src = new URL("later.js", here.src).href;
  script.onload = () => {
    script.remove();
    arrived();
  };
  // What the model says can be read all the same.
  script.onerror = () => {
    definePlainText();
    arrived();
  };
  document.body.append(script);
}

/** Resolves once what was drawn with it is drawn at once, or waiting for it has taken too long. */
export function laterArrived(): Promise<void> {
  return arrival;
}
