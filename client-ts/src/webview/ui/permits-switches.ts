// The modes and the bypasses: what is looser is switched on only after its warning, what is stricter at once.
import { html, nothing, type TemplateResult } from "lit";
import { visibleText } from "../../common/visible-text.js";
import type { BypassStanding, Mode, ModeStanding } from "../../protocol/generated.js";
import { MODES } from "../words.js";
import { type Confirmation, confirm, fileLink, type PermitsView, placeWords } from "./permits-view.js";
import { visible, visibleLine } from "./visible.js";

export function modes(view: PermitsView): TemplateResult {
  const { session, connection } = view.state;
  const mode = view.overview?.mode;
  const choose = (chosen: Mode) => view.actions.setMode(chosen, false);
  return html`<h2>Mode</h2>
    ${session ? select("This chat", session.mode, connection.state !== "ready", (chosen) => warned(view, session.mode, chosen, `chat ${session.sessionId}`, choose)) : nothing}
    ${view.asking?.about === `chat ${session?.sessionId}` ? confirm(view, AUTO_HERE, "Accept all in this chat", () => choose("auto")) : nothing}
    ${mode ? defaultMode(view, mode) : nothing}`;
}

function defaultMode(view: PermitsView, now: ModeStanding): TemplateResult {
  const { mode, digest, place, locked, storedIn } = now;
  const store = (chosen: Mode) => view.actions.tell({ type: "defaultMode", mode: chosen, digest });
  const target = storedIn === "user" ? "your user settings" : "the workspace settings";
  const about = `default ${digest}`;
  return html`${select("New chats", mode, Boolean(locked) || view.state.connection.state !== "ready", (chosen) => warned(view, mode, chosen, about, store))}
    ${view.asking?.about === about ? confirm(view, `${AUTO_LATER} It is stored in ${target}.`, "Accept all in new chats", () => store("auto")) : nothing}
    <p class="facts">${place ? placeWords(view, place) : "No settings say otherwise"}${locked ? html` · ${visibleLine(locked)}` : nothing}</p>`;
}

const AUTO_HERE = "Every call in this chat runs without asking, except on protected files.";
const AUTO_LATER = "Every call in chats that are opened from now on runs without asking, except on protected files.";

/** What runs everything is not chosen by a slip of the wheel. */
function warned(view: PermitsView, now: Mode, chosen: Mode, about: string, choose: (mode: Mode) => void): void {
  const asks = chosen === "auto" && now !== "auto";
  view.ask(asks ? { about, digest: now } : undefined);
  if (!asks && chosen !== now) choose(chosen);
}

function select(label: string, mode: Mode, disabled: boolean, choose: (mode: Mode) => void): TemplateResult {
  const changed = (event: Event) => {
    const field = event.target as HTMLSelectElement;
    const chosen = field.value as Mode;
    // It shows what counts, until something else does.
    field.value = mode;
    choose(chosen);
  };
  return html`<label class="row"
    ><span>${label}</span
    ><select .value=${mode} ?disabled=${disabled} @change=${changed}>
      ${MODES.map((one) => html`<option value=${one.mode} ?selected=${one.mode === mode}>${one.label}</option>`)}
    </select></label
  >`;
}

export function bypasses(view: PermitsView): TemplateResult | typeof nothing {
  const all = view.overview?.bypasses ?? [];
  if (all.length === 0) return nothing;
  return html`<h2>Bypass</h2>
    <p class="facts">An agent whose bypass is on asks for nothing but protected files, your ask rules and what lies outside of the workspace.</p>
    <ul aria-label="Bypass of each agent">
      ${all.map((one) => bypass(view, one))}
    </ul>`;
}

function bypass(view: PermitsView, one: BypassStanding): TemplateResult {
  const { agent, on, why, digest, warning, place, locked } = one;
  const confirmation: Confirmation = { about: `bypass ${agent}`, digest };
  const isAsked = view.asking?.about === confirmation.about && view.asking.digest === digest && !on;
  const turn = () => {
    if (on) view.actions.tell({ type: "bypassSet", agent, on: false });
    else view.ask(isAsked ? undefined : confirmation);
  };
  const can = on || !locked;
  return html`<li class=${on ? "on" : ""} data-bypass-of=${agent}>
    <p class="row">
      <strong>${visibleLine(agent)}</strong>
      <button
        class="switch"
        role="switch"
        aria-checked=${on ? "true" : "false"}
        aria-label="Bypass of ${visibleText(agent)}"
        aria-disabled=${view.usable && can ? "false" : "true"}
        @click=${(event: MouseEvent) => can && view.press(event, turn, true)}
      >
        ${on ? "Bypass is on: turn off" : "Off"}
      </button>
    </p>
    <p class="facts">${visible(why)} ${place?.file ? fileLink(view, place.file, place.line) : nothing}</p>
    ${locked && !on ? html`<p class="facts">It cannot be switched on: ${visible(locked)}</p>` : nothing}
    ${isAsked ? confirm(view, warning, `Bypass permissions for ${visibleText(agent)}`, () => view.actions.tell({ type: "bypassSet", agent, on: true, digest })) : nothing}
  </li>`;
}
