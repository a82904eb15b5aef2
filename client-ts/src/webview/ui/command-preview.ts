// What a card shows of a shell command: its text as it would run, and in words what each program in it does.
import { css, html, nothing, type TemplateResult } from "lit";
import type { CommandPart, CommandPreview } from "../../protocol/generated.js";
import { visible } from "./visible.js";

export const commandStyles = css`
  .parts {
    margin: 6px 0 0;
    padding-inline-start: 1.3em;
  }
  .parts > li + li {
    margin-top: 4px;
  }
  .parts .written {
    color: var(--muted);
    font-family: var(--mono);
    font-size: var(--mono-size);
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .parts .notes li::marker {
    content: "⚠ " / "";
  }
`;

/** The command, and a line for each of its parts. */
export function command(shown: CommandPreview): TemplateResult {
  const more = shown.moreParts ?? 0;
  return html`<pre class="box command" tabindex="0" role="region" aria-label="Command">${visible(shown.text)}</pre>
    ${shown.unreadable ? html`<p class="summary">${visible(shown.unreadable)}</p>` : nothing}
    ${
      shown.parts.length > 0
        ? html`<ul class="parts" aria-label="What it does">
            ${shown.parts.map(part)} ${more > 0 ? html`<li class="muted">and ${more} more</li>` : nothing}
          </ul>`
        : nothing
    }`;
}

function part({ written, does, notes }: CommandPart): TemplateResult {
  return html`<li>
    ${visible(does)} <span class="written">${visible(written)}</span>
    ${notes?.length ? html`<ul class="notes">${notes.map((note) => html`<li>${visible(note)}</li>`)}</ul>` : nothing}
  </li>`;
}

/** Every text of it that could hide something. */
export function commandTexts(shown: CommandPreview): string[] {
  return [shown.text, ...shown.parts.flatMap(({ written, does, notes }) => [written, does, ...(notes ?? [])])];
}
