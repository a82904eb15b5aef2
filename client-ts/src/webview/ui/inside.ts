// What a sub-agent says and does, folded below the call that it works for.
import { css, html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Actions } from "../actions.js";
import type { Item } from "../state.js";
import type { Inside } from "../tree.js";
import { spoken, spokenStyles } from "./spoken.js";

/** What every row is drawn with. */
interface Drawing {
  inside: Inside | undefined;
  later: ReadonlySet<string> | undefined;
  actions: Actions;
  connected: boolean;
  canOpenFiles: boolean;
  asked: readonly string[];
}

export function fold(items: readonly Item[], waiting: number, drawing: Drawing): TemplateResult {
  const calls = items.filter(({ kind }) => kind === "tool").length;
  return html`<details class="fold">
    <summary>
      ${calls} ${calls === 1 ? "call" : "calls"}${
        waiting === 0 ? nothing : html` · <b>${waiting} ${waiting === 1 ? "waits" : "wait"} for you</b>`
      }
    </summary>
    ${repeat(
      items,
      (item) => item.id,
      (item) => one(item, drawing),
    )}
  </details>`;
}

function one(
  item: Item,
  { inside, later, actions, connected, canOpenFiles, asked }: Drawing,
): TemplateResult | undefined {
  switch (item.kind) {
    case "tool":
      return html`<assent-tool-row
        .item=${item}
        .inside=${inside?.has(item.callId) ? inside : undefined}
        .later=${later}
        .actions=${actions}
        .connected=${connected}
        .canOpenFiles=${canOpenFiles}
        .asked=${asked}
      ></assent-tool-row>`;
    case "text":
    case "thinking":
    case "notice":
      return spoken(item, actions);
  }
}

export const foldStyles = [
  spokenStyles,
  css`
    .holds {
      border-width: 0 0 0 1px;
      border-radius: 0;
      padding: 0 0 0 6px;
    }
    .fold {
      padding: 0;
    }
    .fold b {
      color: var(--fg);
    }
  `,
];
