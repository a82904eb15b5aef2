// What a card says about its call, beside what would run.
import { html, nothing, type TemplateResult } from "lit";
import { hidesSomething } from "../../common/visible-text.js";
import type { ApprovalRequest, RuleOrigin, TimeoutInfo } from "../../protocol/generated.js";
import { once } from "../once.js";
import type { Card, Details } from "../state.js";
import { remainingWords } from "../time-words.js";
import { CATEGORY_WORDS, modeLabel, rulePlace } from "../words.js";
import { untrustedBlocks, untrustedTexts } from "./preview.js";
import "./ticking.js";
import { visible, visibleLine } from "./visible.js";

type Part = TemplateResult | typeof nothing;

/** Who asks, with which tool, in which mode. */
export function meta(request: ApprovalRequest): TemplateResult {
  const path = request.path.length > 0 ? html`<span>through ${visibleLine(request.path.join(" › "))}</span>` : nothing;
  return html`<div class="meta">
    <span>${visibleLine(request.agentName)}</span>
    ${path}
    <span><span class="mono">${visibleLine(request.tool)}</span></span>
    <span>${CATEGORY_WORDS[request.category]}</span>
    <span>mode: ${modeLabel(request.mode)}</span>
  </div>`;
}

/** Why it is asked, and by which rule; `open` leads to the line on which that stands. */
export function why({ reason }: ApprovalRequest, open?: (file: string, line?: number) => void): TemplateResult {
  const { rule } = reason;
  return html`<p class="why">${visible(reason.text)}</p>
    ${rule ? html`<p class="rule muted">Rule: ${visibleLine(rule.pattern)} — ${ruleOrigin(rule, open)}</p>` : nothing}`;
}

function ruleOrigin(rule: RuleOrigin, open?: (file: string, line?: number) => void): TemplateResult {
  const place = visibleLine(rulePlace(rule));
  const { file, line } = rule;
  if (!file || !open) return place;
  return html`<button class="plain" @click=${() => open(file, line ?? undefined)}>${place}</button>`;
}

export function risk({ risk: found }: ApprovalRequest): Part {
  if (!found || (found.level === "low" && !found.notes?.length)) return nothing;
  const notes = found.notes ?? [];
  return html`<div class="risk ${found.level}">
    <strong>${RISK_WORDS[found.level]}</strong>
    ${notes.length > 0 ? html`<ul>${notes.map((note) => html`<li>${visible(note)}</li>`)}</ul>` : nothing}
  </div>`;
}

/** Says that something on the card could not have been seen, where that is so. */
export function hiddenNote({ request, details, comparison }: Card): Part {
  if (!hides(request) && !hidesInPieces(details) && !comparison?.hides) return nothing;
  return html`<p class="hidden-note">
    Holds characters that cannot be seen or that look like others. They are shown as <span class="escaped">‹U+…›</span>.
  </p>`;
}

const hides = once(
  (request: ApprovalRequest) =>
    untrustedTexts(request).some((text) => hidesSomething(text, "single")) ||
    untrustedBlocks(request).some((text) => hidesSomething(text)),
);
const hidesInPieces = once(({ pieces }: Details) => pieces.some((piece) => hidesSomething(piece)));

/** Where it would run, and what of it is not shown as it is. */
export function place({ directory, inexact, redactions }: ApprovalRequest, reveal: () => void): TemplateResult {
  return html`${directory ? html`<p class="place">in <span class="mono">${visibleLine(directory)}</span></p>` : nothing}
    ${
      inexact?.length
        ? html`<p class="muted">Numbers that JSON cannot carry are shown as text: ${visibleLine(inexact.join(", "))}</p>`
        : nothing
    }
    ${
      redactions
        ? html`<p class="muted">Secret values are masked here. Reveal them before you can approve. <button class="plain" @click=${reveal}>Reveal (${redactions})</button></p>`
        : nothing
    }`;
}

/** The model's own words, as a quotation. */
export function quote({ agentSays, agentName }: ApprovalRequest): Part {
  if (!agentSays) return nothing;
  return html`<figure>
    <figcaption>${visibleLine(agentName)} says:</figcaption>
    <blockquote tabindex="0">“${visible(agentSays)}”</blockquote>
  </figure>`;
}

/** When the question ends by itself. Below the buttons: what comes and goes must not move them. */
export function countdown({ timeout }: ApprovalRequest): Part {
  if (!timeout?.running) return nothing;
  return html`<p class="muted countdown">
    <assent-ticking .since=${timeout} .words=${(passed: number) => deniedWords(timeout, passed)}></assent-ticking>
  </p>`;
}

function deniedWords({ remainingMs }: TimeoutInfo, passed: number): string {
  return `Without an answer, this is denied ${remainingWords(remainingMs - passed)}.`;
}

const RISK_WORDS = { low: "Please note", medium: "Look closely", high: "High risk" } as const;
