// Draws text that comes from a model, a tool or the server: as text, with everything hidden made visible.
import { html, type TemplateResult } from "lit";
import { type Lines, segments } from "../../common/visible-text.js";

/** The text, isolated from the direction of what stands around it. */
export function visible(text: string, lines: Lines = "multiple"): TemplateResult {
  return html`<bdi class="untrusted"
    >${segments(text, lines).map((segment) =>
      segment.escaped ? html`<span class="escaped">${segment.text}</span>` : segment.text,
    )}</bdi
  >`;
}

/** For headlines and names: a line break is no part of those. */
export function visibleLine(text: string): TemplateResult {
  return visible(text, "single");
}
