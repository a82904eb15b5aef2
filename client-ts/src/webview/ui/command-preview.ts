// What a card shows of a shell command: its text as it would run, and in words what each program in it does.
import { css, html, nothing, type TemplateResult } from "lit";
import type { CommandPart, CommandPreview } from "../../protocol/generated.js";
import { visible, WORDS } from "./visible.js";

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
  .box.command {
    --edge: color-mix(in srgb, var(--fg) 45%, transparent);
    /* A shadow at each edge behind which there is more: covers that move with the text hide it where there is none. */
    background:
      linear-gradient(var(--raised) 40%, transparent) top / 100% 2.4em no-repeat local,
      linear-gradient(transparent, var(--raised) 60%) bottom -1px left / 100% 2.4em no-repeat local,
      linear-gradient(var(--edge), transparent) top / 100% 1em no-repeat scroll,
      linear-gradient(transparent, var(--edge)) bottom / 100% 1em no-repeat scroll,
      var(--raised);
  }
  .size {
    margin: 2px 0 0;
    color: var(--muted);
    font-size: 0.92em;
  }
  .sandbox {
    margin: 0 0 6px;
    border-inline-start: 3px solid var(--info);
    padding-inline-start: 8px;
    font-weight: bold;
  }
  .unreadable {
    margin: 6px 0 0;
    border: 1px solid var(--warn);
    border-radius: 4px;
    padding: 6px 8px;
    background: var(--warn-bg);
    color: var(--warn-fg);
  }
`;

/** From so many lines or characters on, the size of a command is said: a box may not show all of it at once. */
const MANY_LINES = 10;
const MANY_CHARACTERS = 600;

/** The command, and a line for each of its parts. */
export function command(shown: CommandPreview): TemplateResult {
  const more = shown.moreParts ?? 0;
  const size = sizeOf(shown.text);
  return html`${shown.sandbox ? html`<p class="sandbox">${visible(shown.sandbox)}</p>` : nothing}
    <div class="copies"><pre class="box command" tabindex="0" role="group" aria-label="Command">${visible(shown.text, "multiple", WORDS)}</pre>
      <assent-copy .text=${shown.text} what="the command"></assent-copy></div>
    ${size ? html`<p class="size">${size}, all of them in this box</p>` : nothing}
    ${shown.note ? html`<p class="summary">${visible(shown.note)}</p>` : nothing}
    ${shown.unreadable ? html`<p class="unreadable">${visible(shown.unreadable)}</p>` : nothing}
    ${
      shown.parts.length > 0
        ? html`<ul class="parts" aria-label="What it does">
            ${shown.parts.map(part)}
            ${more > 0 ? html`<li class="muted">and ${more} more${shown.moreOnlyRead ? ONLY_READ : ""}</li>` : nothing}
          </ul>`
        : nothing
    }`;
}

const ONLY_READ = " that only read";

/** How long the command is, where that is worth saying. */
function sizeOf(text: string): string {
  const lines = text.trimEnd().split("\n").length;
  if (lines > MANY_LINES) return `${lines.toLocaleString("en")} lines`;
  return text.length > MANY_CHARACTERS ? `${text.length.toLocaleString("en")} characters` : "";
}

function part({ written, does, notes }: CommandPart): TemplateResult {
  return html`<li>
    ${visible(does)}: <span class="written">${visible(written, "multiple", WORDS)}</span>
    ${notes?.length ? html`<ul class="notes">${notes.map((note) => html`<li>${visible(note)}</li>`)}</ul>` : nothing}
  </li>`;
}

/** Every text of it that could hide something. */
export function commandTexts(shown: CommandPreview): string[] {
  const said = [shown.unreadable ?? "", shown.note ?? "", shown.sandbox ?? ""];
  return [shown.text, ...said, ...shown.parts.flatMap(({ written, does, notes }) => [written, does, ...(notes ?? [])])];
}
