// What an agent says, thinks, and what is to be known beside it: the same in the chat and below a call.
import { css, html, type TemplateResult } from "lit";
import type { Actions } from "../actions.js";
import type { Item } from "../state.js";
import { visible } from "./visible.js";

type Spoken = Extract<Item, { kind: "text" | "thinking" | "notice" }>;

export function spoken(item: Spoken, actions: Actions): TemplateResult {
  switch (item.kind) {
    case "text":
      return html`<assent-markdown .text=${item.text} .streaming=${item.streaming} .actions=${actions}></assent-markdown>`;
    case "thinking":
      return html`<details class="thinking">
        <summary>${item.streaming ? "Thinking…" : "Thoughts"}</summary>
        <pre>${visible(item.text)}</pre>
      </details>`;
    case "notice":
      return html`<div class="notice ${item.level}">${visible(item.text)}</div>`;
  }
}

export const spokenStyles = css`
  .thinking {
    color: var(--muted);
  }
  .thinking summary {
    cursor: pointer;
  }
  .thinking pre {
    margin-top: 4px;
    border-inline-start: 2px solid var(--line);
    padding-inline-start: 8px;
    font-family: inherit;
    font-size: inherit;
  }
  .notice {
    border: 1px solid var(--line);
    border-inline-start: 3px solid var(--info);
    border-radius: 4px;
    padding: 6px 8px;
  }
  .notice.warning {
    border-inline-start-color: var(--warn);
  }
  .notice.error {
    border: 1px solid var(--error);
    background: var(--error-bg);
    color: var(--error-fg);
  }
`;
