// One row of the chat.
import { html, nothing, type TemplateResult } from "lit";
import type { Actions } from "../actions.js";
import type { Item, UserItem } from "../state.js";
import type { Inside } from "../tree.js";
import { spoken } from "./spoken.js";
import "./tool-row.js";
import { visible } from "./visible.js";

/** What all rows are drawn with. The same object for as long as nothing in it changes. */
export interface Look {
  actions: Actions;
  connected: boolean;
  canOpenFiles: boolean;
  /** Cards that are not drawn yet, because too many wait before them. */
  later: ReadonlySet<string> | undefined;
  asked: readonly string[];
  /** The newest row, which alone says what can be done about a fault. */
  last: Item | undefined;
  /** Rows that the model knows no more. */
  gone: ReadonlySet<string>;
  /** The end of a run that can go on. */
  again: Item | undefined;
}

const REMEDY_WORDS = { setKey: "Set API Key", chooseModel: "Choose a Model…" } as const;

export function drawItem(item: Item, look: Look, inside: Inside | undefined): TemplateResult {
  switch (item.kind) {
    case "user":
      return drawUser(item, look);
    case "text":
    case "thinking":
    case "notice":
      return spoken(item, look.actions);
    case "plan":
      return html`<assent-plan .entries=${item.entries}></assent-plan>`;
    case "end":
      return html`<div class="end ${item.failed ? "failed" : ""}">${visible(item.text)}${waysOn(item, look)}</div>`;
    case "tool": {
      const { later, actions, connected, canOpenFiles, asked } = look;
      const holds = inside?.has(item.callId);
      return html`<assent-tool-row
        .item=${item}
        .inside=${holds ? inside : undefined}
        .later=${later && (holds || item.cards.some((card) => later.has(card.request.approvalId))) ? later : undefined}
        .actions=${actions}
        .connected=${connected}
        .canOpenFiles=${canOpenFiles}
        .asked=${asked}
      ></assent-tool-row>`;
    }
  }
}

function drawUser(item: UserItem, { actions, connected, canOpenFiles }: Look): TemplateResult {
  const { text, runId, changed } = item;
  const change =
    runId && !changed
      ? html`<button class="edit" aria-label="Change your message" title="Change this message and send it again" ?disabled=${!connected} @click=${() => actions.change(item)}>Edit</button>`
      : nothing;
  return html`<div class="user copies"><span class="sr-only">You: </span>${visible(text)}<span class="tools">${change}<assent-copy .text=${text} what="your message"></assent-copy></span>${
    changed
      ? html`<small>Replaced by a changed message; what it did on disk stays.</small>${
          changed.wrote && canOpenFiles
            ? html`<div class="actions"><button @click=${() => actions.host("reviewRun")}>Review or roll back what it changed…</button></div>`
            : nothing
        }`
      : nothing
  }</div>`;
}

/** Only under the latest fault: what stands above it is past. */
function waysOn(item: Extract<Item, { kind: "end" }>, look: Look): TemplateResult | typeof nothing {
  const { actions, canOpenFiles: inEditor, connected, last, again } = look;
  const remedy = inEditor && last === item ? item.remedy : undefined;
  if (remedy === undefined && again !== item) return nothing;
  return html`<div class="actions">
    ${remedy && html`<button @click=${() => actions.remedy(remedy)}>${REMEDY_WORDS[remedy]}</button>`}
    ${
      again === item
        ? html`<button ?disabled=${!connected} @click=${() => actions.retryRun()}>${item.restarts ? "Restart" : "Retry"}</button>`
        : nothing
    }
  </div>`;
}
