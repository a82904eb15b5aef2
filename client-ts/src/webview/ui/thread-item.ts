// One row of the chat.
import { html, nothing, type TemplateResult } from "lit";
import type { Actions } from "../actions.js";
import type { Item } from "../state.js";
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
  /** The end of a run that can go on. */
  again: Item | undefined;
}

const REMEDY_WORDS = { setKey: "Set API Key", chooseModel: "Choose a Model…" } as const;

export function drawItem(item: Item, look: Look, inside: Inside | undefined): TemplateResult {
  switch (item.kind) {
    case "user":
      return html`<div class="user"><span class="sr-only">You: </span>${visible(item.text)}</div>`;
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
