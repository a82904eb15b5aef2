import { css } from "lit";

/** How a card looks. */
export const cardStyles = css`
  .card {
    border: 1px solid var(--line);
    border-inline-start: 3px solid var(--warn);
    border-radius: 6px;
    padding: 10px;
    background: var(--raised);
  }
  .card > * + *,
  .about > * + * {
    margin-top: 8px;
  }
  .asked-for {
    border-inline-start: 3px dashed var(--line);
    padding-inline-start: 8px;
    filter: grayscale(1);
  }
  h2 {
    margin: 0;
    font-size: 1.05em;
  }
  p {
    margin: 0;
  }
  .meta {
    display: flex;
    flex-wrap: wrap;
    gap: 2px 8px;
    align-items: baseline;
    color: var(--muted);
    font-size: 0.92em;
  }
  .meta > span + span::before {
    content: "· " / "";
  }
  .place {
    color: var(--muted);
    font-size: 0.92em;
  }
  .why {
    color: var(--fg);
  }
  .risk {
    border: 1px solid var(--line);
    border-radius: 4px;
    padding: 6px 8px;
  }
  .risk.medium,
  .risk.high,
  .hidden-note,
  .changed {
    border: 1px solid var(--warn);
    border-radius: 4px;
    padding: 6px 8px;
    background: var(--warn-bg);
    color: var(--warn-fg);
  }
  .risk.high {
    border-color: var(--error);
    background: var(--error-bg);
    color: var(--error-fg);
  }
  ul {
    margin: 2px 0 0;
    padding-inline-start: 1.3em;
  }
  figure {
    margin-inline: 0;
    margin-bottom: 0;
    border-inline-start: 3px solid var(--line);
    padding-inline-start: 8px;
    color: var(--muted);
  }
  figcaption {
    font-size: 0.92em;
  }
  blockquote {
    margin: 0;
    max-height: 8em;
    overflow-y: auto;
    font-style: italic;
    white-space: pre-wrap;
  }
  .main {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
  }
  .main button {
    padding: 5px 16px;
  }
  .unarmed button[aria-disabled] {
    pointer-events: none;
  }
  .answers > * + * {
    margin-top: 8px;
  }
  .answers > .scope + .scope {
    margin-top: 0;
  }
  .scope {
    display: block;
    color: var(--muted);
    font-size: 0.92em;
  }
  .scope strong {
    color: var(--fg);
  }
  .wider {
    border-top: 1px solid var(--line);
    padding-top: 8px;
  }
  .wider > * + *,
  #lasting > * + *,
  .refusals > * + * {
    margin-top: 10px;
  }
  .limited {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 6px;
    align-items: center;
  }
  .wider .scope {
    margin-top: 2px;
  }
  .wider button {
    background: none;
    border-color: var(--line);
    color: var(--fg);
  }
  .wider button.warning {
    border-color: var(--warn);
  }
  .wider button.warning::before {
    content: "⚠ " / "";
    color: var(--warn);
  }
  .no,
  .wider button.never {
    border-color: var(--error);
  }
  .no::before,
  .wider button.never::before {
    content: "⊘ " / "";
    color: var(--error);
  }
  .wider button.more {
    border-color: transparent;
    padding-inline: 0;
  }
  .wider button.more:hover {
    background: none !important;
    text-decoration: underline;
  }
  .turn {
    color: var(--muted);
  }
  .refusals {
    border-top: 1px solid var(--line);
    padding-top: 10px;
  }
  [hidden] {
    display: none;
  }
  .feedback {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
  }
  .feedback input {
    flex: 1 1 12em;
  }
  .error {
    border: 1px solid var(--error);
    border-radius: 4px;
    padding: 6px 8px;
    background: var(--error-bg);
    color: var(--error-fg);
  }
`;
