// The part of the page that most chats never show: loaded when it is needed for the first time, once.
import { css, html, LitElement, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { hidesSomething, visibleText } from "../common/visible-text.js";
import { exactJson } from "./exact-json.js";
import { PressGuard } from "./ui/press-guard.js";
import { age, KILL } from "./ui/running.js";
import { shared } from "./ui/theme.js";
import { visible, visibleLine } from "./ui/visible.js";

/** The page's own script, while it is run for the first time: the later part stands beside it, and bears its nonce. */
const here = document.currentScript as HTMLScriptElement;
let isLoaded = false;

/** Until it is there, its elements are empty: then they draw what they were told meanwhile. */
export function loadLater(): void {
  if (isLoaded) return;
  isLoaded = true;
  // What both need is there once. The bundler replaces the later part's imports of these by this.
  const assentPage = {
    age,
    css,
    exactJson,
    hidesSomething,
    html,
    KILL,
    LitElement,
    nothing,
    PressGuard,
    repeat,
    shared,
    visible,
    visibleLine,
    visibleText,
  };
  Object.assign(window, { assentPage });
  const script = document.createElement("script");
  script.nonce = here.nonce;
  script.src = new URL("later.js", here.src).href;
  script.onload = () => script.remove();
  document.body.append(script);
}
