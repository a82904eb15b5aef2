// What the user answered about settings of a workspace, what holds commands, and what cannot be changed here.
import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { visibleText } from "../../common/visible-text.js";
import type { AnswerStanding } from "../../protocol/generated.js";
import { momentWords } from "../time-words.js";
import { guarded, type PermitsView, placeWords } from "./permits-view.js";
import { visible, visibleLine } from "./visible.js";

export function answers(view: PermitsView): TemplateResult | typeof nothing {
  const all = view.overview?.answers ?? [];
  if (all.length === 0) return nothing;
  const several = new Set(all.map((one) => one.folder)).size > 1;
  return html`<h2>What you answered about this workspace’s settings</h2>
    <p class="facts">Kept on this machine, outside of the workspace. What is forgotten is asked about again, and has no effect until then.</p>
    <ul aria-label="Your answers about settings">
      ${repeat(
        all,
        (one) => one.answerId,
        (one) => answer(view, one, several),
      )}
    </ul>`;
}

function answer(view: PermitsView, one: AnswerStanding, several: boolean): TemplateResult {
  const { answerId, setting, words, honoured, folder, at, place } = one;
  return html`<li data-answer-id=${answerId}>
    <p><strong>${honoured ? "You agreed:" : "You ignore this:"}</strong> ${visible(words)}</p>
    <p class="facts"><span class="mono">${visibleLine(setting)}</span>${at ? ` · ${momentWords(at)}` : nothing}${several ? html` · ${visibleLine(folder)}` : nothing}</p>
    ${place ? html`<p class="facts">${placeWords(view, place)}</p>` : nothing}
    ${guarded(view, "Forget", () => view.actions.tell({ type: "answerForget", answerId }), { name: `Forget: ${visibleText(words)}` })}
  </li>`;
}

export function sandbox(view: PermitsView): TemplateResult | typeof nothing {
  if (!view.sandbox) return nothing;
  return html`<h2>Sandbox</h2>
    <p>${visible(view.sandbox.text)}</p>
    <p class="facts">${placeWords(view, view.sandbox.place)}</p>`;
}

export function locks(view: PermitsView): TemplateResult | typeof nothing {
  const all = view.overview?.locks ?? [];
  if (all.length === 0) return nothing;
  return html`<ul class="locks" aria-label="What cannot be changed here">
    ${all.map(
      ({ text, setting, place }) =>
        html`<li>
          <p>${visible(text)}</p>
          <p class="facts">${setting ? html`<span class="mono">${visibleLine(setting)}</span> · ` : nothing}${placeWords(view, place)}</p>
        </li>`,
    )}
  </ul>`;
}
