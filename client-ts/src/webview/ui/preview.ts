// What a card shows of a call: the diff, the command or the exact arguments, as the server computed them.
import { css, html, nothing, type TemplateResult } from "lit";
import type {
  ApprovalRequest,
  DiffLineInfo,
  DiffPreview,
  StepInfo,
  StepsPreview,
  UrlPreview,
} from "../../protocol/generated.js";
import { once } from "../once.js";
import type { Details } from "../state.js";
import { CATEGORY_WORDS } from "../words.js";
import { command, commandStyles, commandTexts } from "./command-preview.js";
import { visible, visibleLine } from "./visible.js";

type Shown = NonNullable<ApprovalRequest["preview"]>;

const diffStyles = css`
  .diff {
    max-height: 40vh;
    overflow-y: auto;
    border: 1px solid var(--line);
    border-radius: 4px;
    background: var(--code-bg);
    font-family: var(--mono);
    font-size: var(--mono-size);
  }
  .line {
    position: relative;
    display: grid;
    grid-template-columns: auto auto 1.4ch minmax(0, 1fr);
    column-gap: 6px;
    padding-inline: 6px;
  }
  .many .line {
    content-visibility: auto;
    contain-intrinsic-block-size: auto 1.35em;
  }
  .line.added {
    border-inline-start: 3px solid var(--good);
    background: var(--added);
  }
  .line.removed {
    border-inline-start: 3px solid var(--error);
    background: var(--removed);
  }
  .line.context {
    border-inline-start: 3px solid transparent;
  }
  .number {
    min-width: 2.5ch;
    color: var(--muted);
    text-align: end;
    user-select: none;
  }
  .line.added .number,
  .line.removed .number {
    color: inherit;
  }
  .sign {
    font-weight: bold;
    user-select: none;
  }
  .code {
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .whole pre {
    content-visibility: auto;
    contain-intrinsic-block-size: auto 40em;
  }
  /* Where it is narrow, one number has to do: that of the line as it will be, or as it was. */
  @media (width < 340px) {
    .line {
      grid-template-columns: auto 1.4ch minmax(0, 1fr);
    }
    :is(.context, .added) > .number:first-child,
    .removed > .number:nth-child(2) {
      display: none;
    }
  }
  .gap {
    padding: 0 6px;
    color: var(--muted);
  }
  .summary {
    margin: 0 0 4px;
  }
  .steps {
    margin: 0;
    padding-inline-start: 1.6em;
  }
  .steps > li + li {
    margin-top: 10px;
  }
`;

export const previewStyles = [diffStyles, commandStyles];

/** The preview of a call, or nothing where the server gave none. */
export const preview = once((request: ApprovalRequest): TemplateResult | typeof nothing =>
  request.preview ? drawn(request.preview, request.directory) : nothing,
);

/** The full arguments of a long call: very much text, of which the browser lays out what is in sight. */
export const wholeText = once(
  ({ pieces }: Details) => html`<div class="box whole" tabindex="0" role="group" aria-label="Full arguments">
    ${pieces.map((piece) => html`<pre>${visible(piece)}</pre>`)}
  </div>`,
);

function drawn(shown: Shown, directory: string): TemplateResult {
  switch (shown.kind) {
    case "steps":
      return steps(shown, directory);
    case "diff":
      return diff(shown, directory);
    case "command":
      return command(shown);
    case "json":
      return json(shown.text);
    case "url":
      return url(shown);
  }
}

/** An address with its host set apart: that is what a reader is most easily misled about. */
function url({ before, host, after, note }: UrlPreview): TemplateResult {
  return html`<pre class="box" tabindex="0" role="group" aria-label="Address"
>${visible(before)}<strong>${visible(host)}</strong>${visible(after)}</pre>
    ${note ? html`<p class="summary">${visible(note)}</p>` : nothing}`;
}

/** Arguments as the exact text that the server wrote: never parsed and written again. */
export function json(text: string): TemplateResult {
  return html`<pre class="box arguments" tabindex="0" role="group" aria-label="Arguments">${visible(text)}</pre>`;
}

/** Every call that would be made, each with all that its own card would show of it. */
function steps({ title, steps: all, done }: StepsPreview, directory: string): TemplateResult {
  return html`${title ? html`<p class="summary">Its file calls it “${visibleLine(title)}”.</p>` : nothing}
    ${done ? html`<p class="summary">Done before, and not done again: ${done}</p>` : nothing}
    <ol class="steps" start=${(done ?? 0) + 1} aria-label="Steps">
      ${all.map(
        ({ headline, category, notes, preview: shown }) => html`<li>
          <strong>${visibleLine(headline)}</strong> <span class="muted">${CATEGORY_WORDS[category]}</span>
          ${notes?.map((note) => html`<p class="summary">⚠ ${visible(note)}</p>`)} ${drawn(shown, directory)}
        </li>`,
      )}
    </ol>`;
}

function diff(shown: DiffPreview, directory: string): TemplateResult {
  const what = shown.isNew ? "New file" : "Changes";
  return html`
    <p class="summary">
      ${what}: <span class="mono">${visibleLine(shown.path)}</span>
      <span class="muted">+${shown.added} −${shown.removed} lines</span>
    </p>
    ${
      isWhereItSeems(shown, directory)
        ? nothing
        : html`<p class="summary muted">Really at <span class="mono">${visibleLine(shown.realPath)}</span></p>`
    }
    ${shown.note ? html`<p class="summary">${visible(shown.note)}</p>` : nothing}
    <div class=${shown.lines.length > MANY_LINES ? "diff many" : "diff"} data-path=${shown.path} tabindex="0" role="group" aria-label="Changes, line by line">${shown.lines.map(diffLine)}</div>
  `;
}

/** Whether the path, read from the directory, is the real one: no link and no way around. */
function isWhereItSeems({ path, realPath }: DiffPreview, directory: string): boolean {
  return [path, `${directory}/${path}`, `${directory}\\${path}`].includes(realPath);
}

/** From so many lines on, only those in sight are laid out. */
const MANY_LINES = 200;

const SIGNS = { added: "+", removed: "−", context: " " } as const;
const SPOKEN = { added: "added", removed: "removed", context: "" } as const;

function diffLine(line: DiffLineInfo): TemplateResult {
  if (line.kind === "gap") return html`<div class="gap">⋯ ${visible(line.text || "unchanged lines")}</div>`;
  return html`<div class="line ${line.kind}">
    <span class="number">${line.oldNumber ?? ""}</span><span class="number">${line.newNumber ?? ""}</span
    ><span class="sign" aria-hidden="true">${SIGNS[line.kind]}</span
    ><span class="code"><span class="sr-only">${SPOKEN[line.kind]} </span>${visible(line.text, "single")}</span>
  </div>`;
}

/** Every text of a card that could hide something. */
export function untrustedTexts(request: ApprovalRequest): string[] {
  const names = [request.headline, request.tool, request.agentName, request.directory, ...request.path];
  return [...names, ...textsOf(request.preview), ...request.options.map((option) => option.name)];
}

/** Those of them that may have several lines. */
export function untrustedBlocks(request: ApprovalRequest): string[] {
  return [...blocksOf(request.preview), request.agentSays ?? "", request.reason.text];
}

function textsOf(shown: Shown | null | undefined): string[] {
  if (shown?.kind === "steps") return [shown.title, ...shown.steps.flatMap(textsOfStep)];
  return shown?.kind === "diff" ? [shown.path, shown.realPath, ...shown.lines.map((line) => line.text)] : [];
}

function textsOfStep({ headline, preview: shown }: StepInfo): string[] {
  return [headline, ...textsOf(shown)];
}

function blocksOf(shown: Shown | null | undefined): string[] {
  if (shown?.kind === "steps") return shown.steps.flatMap((one) => [...(one.notes ?? []), ...blocksOf(one.preview)]);
  if (shown?.kind === "url") return [shown.before, shown.host, shown.after, shown.note ?? ""];
  return shown?.kind === "json" ? [shown.text] : shown?.kind === "command" ? commandTexts(shown) : [];
}
