// What the parts of the view of permissions have in common: what they draw, and how a press in them counts.
import { html, nothing, type TemplateResult } from "lit";
import type { PermissionsOverview, SandboxStanding, SettingPlace } from "../../protocol/generated.js";
import type { Actions } from "../actions.js";
import type { PageState } from "../state.js";
import { visible, visibleLine } from "./visible.js";

/** Something that is done only after its warning was read: for what was shown under the digest. */
export interface Confirmation {
  about: string;
  digest: string;
}

/** What a part of the view is drawn from. */
export interface PermitsView {
  state: PageState;
  /** What decides beside the grants; undefined until the server told. */
  overview: PermissionsOverview | undefined;
  sandbox: SandboxStanding | undefined;
  actions: Actions;
  /** Whether a press would count now. */
  usable: boolean;
  asking: Confirmation | undefined;
  /** Does it where this press was meant for it: everything has stood still for a moment. `stays`: its button does. */
  press(event: MouseEvent, action: () => void, stays?: boolean): void;
  /** Opens the warning, or closes it. */
  ask(confirmation: Confirmation | undefined): void;
}

/** A button that takes no press that was aimed at something else. */
export function guarded(
  view: PermitsView,
  label: string,
  action: () => void,
  more: { name?: string; look?: string; can?: boolean; stays?: boolean } = {},
): TemplateResult {
  return html`<button
    class=${more.look ?? ""}
    aria-label=${more.name ?? label}
    aria-disabled=${view.usable && more.can !== false ? "false" : "true"}
    @click=${(event: MouseEvent) => more.can !== false && view.press(event, action, more.stays)}
  >
    ${label}
  </button>`;
}

/** What something looser means, and the way to do it all the same. */
export function confirm(view: PermitsView, text: string, yes: string, action: () => void): TemplateResult {
  const done = () => {
    view.ask(undefined);
    action();
  };
  return html`<div class="warning" role="group" aria-label=${yes}>
    <p>${visible(text)}</p>
    <p class="answers">
      ${guarded(view, yes, done, { look: "danger" })}
      <button @click=${() => view.ask(undefined)}>Leave it</button>
    </p>
  </div>`;
}

const SCOPES: Record<SettingPlace["scope"], string> = {
  user: "your user settings",
  workspace: "the workspace settings",
  folder: "the folder’s settings",
};

/** Where something is said: with the way there, where the editor has one. */
export function placeWords(view: PermitsView, place: SettingPlace | null | undefined): TemplateResult | typeof nothing {
  if (!place) return nothing;
  return html`In ${SCOPES[place.scope]}${place.file ? html`, ${fileLink(view, place.file, place.line)}` : nothing}`;
}

export function fileLink(view: PermitsView, file: string, line: number | null | undefined): TemplateResult {
  const name = visibleLine(`${file}${line ? `:${line}` : ""}`);
  if (view.state.host !== "editor") return html`<span class="mono">${name}</span>`;
  return html`<button class="plain mono" @click=${() => view.actions.openFile(file, line ?? undefined)}>${name}</button>`;
}
