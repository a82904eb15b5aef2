// Colours and shapes: those of the editor's theme, and of nothing else. A high contrast theme leaves some of them out.
import { css } from "lit";

/** Set once, on the outermost element: custom properties reach into every shadow root. */
export const theme = css`
  :host {
    --fg: var(--vscode-foreground);
    --muted: var(--vscode-descriptionForeground, var(--fg));
    --bg: var(--vscode-sideBar-background, var(--vscode-editor-background));
    --raised: var(--vscode-editorWidget-background, var(--bg));
    --line: var(--vscode-contrastBorder, var(--vscode-widget-border, var(--vscode-panel-border, var(--muted))));
    --focus: var(--vscode-focusBorder, var(--fg));
    --link: var(--vscode-textLink-foreground, var(--fg));
    --code-bg: var(--vscode-textCodeBlock-background, var(--raised));
    --input-bg: var(--vscode-input-background, var(--bg));
    --input-fg: var(--vscode-input-foreground, var(--fg));
    --input-line: var(--vscode-contrastBorder, var(--vscode-input-border, var(--line)));
    --placeholder: var(--vscode-input-placeholderForeground, var(--muted));
    --primary: var(--vscode-button-background);
    --primary-fg: var(--vscode-button-foreground);
    --primary-hover: var(--vscode-button-hoverBackground, var(--primary));
    --secondary: var(--vscode-button-secondaryBackground, var(--raised));
    --secondary-fg: var(--vscode-button-secondaryForeground, var(--fg));
    --secondary-hover: var(--vscode-button-secondaryHoverBackground, var(--secondary));
    --button-line: var(--vscode-contrastBorder, var(--vscode-button-border, transparent));
    --warn: var(--vscode-editorWarning-foreground, var(--fg));
    --error: var(--vscode-errorForeground, var(--fg));
    --good: var(--vscode-testing-iconPassed, var(--fg));
    --info: var(--vscode-editorInfo-foreground, var(--fg));
    --added: var(--vscode-diffEditor-insertedTextBackground, transparent);
    --removed: var(--vscode-diffEditor-removedTextBackground, transparent);
    --warn-bg: var(--vscode-inputValidation-warningBackground, transparent);
    --warn-fg: var(--vscode-inputValidation-warningForeground, var(--fg));
    --error-bg: var(--vscode-inputValidation-errorBackground, transparent);
    --error-fg: var(--vscode-inputValidation-errorForeground, var(--fg));
    --menu-bg: var(--vscode-menu-background, var(--raised));
    --menu-fg: var(--vscode-menu-foreground, var(--fg));
    --menu-active: var(--vscode-menu-selectionBackground, transparent);
    --menu-active-fg: var(--vscode-menu-selectionForeground, var(--menu-fg));
    --mono: var(--vscode-editor-font-family, monospace);
    --mono-size: var(--vscode-editor-font-size, 12px);
    --sans: var(--vscode-font-family, sans-serif);
    --size: var(--vscode-font-size, 13px);
  }
`;

/** A box that lies above the rest of the page. */
export const floating = css`
  border: 1px solid var(--line);
  border-radius: 6px;
  padding: 4px;
  background: var(--menu-bg);
  color: var(--menu-fg);
  box-shadow: 0 2px 10px rgb(0 0 0 / 30%);
`;

/** What every component starts from. */
export const shared = css`
  :host {
    display: block;
    color: var(--fg);
    font-family: var(--sans);
    font-size: var(--size);
    line-height: 1.45;
  }
  :host([hidden]) {
    display: none;
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  button,
  input,
  textarea,
  select {
    font: inherit;
  }
  :where(input:not([type="checkbox"]), textarea, select) {
    min-width: 0;
    max-width: 100%;
    border: 1px solid var(--input-line);
    border-radius: 4px;
    padding: 3px 6px;
    background: var(--input-bg);
    color: var(--input-fg);
  }
  select {
    padding-inline: 2px;
    background: var(--vscode-dropdown-background, var(--input-bg));
    color: var(--vscode-dropdown-foreground, var(--input-fg));
  }
  button {
    min-width: 24px;
    min-height: 24px;
    border: 1px solid var(--button-line);
    border-radius: 4px;
    padding: 3px 10px;
    background: var(--secondary);
    color: var(--secondary-fg);
    cursor: pointer;
    text-align: start;
  }
  /* A row of small things: it becomes two where it is narrow. */
  .bar {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 6px;
    align-items: center;
    padding: 4px 10px;
  }
  :where(.bar) button {
    padding: 1px 8px;
  }
  button:hover:not([aria-disabled="true"], :disabled) {
    background: var(--secondary-hover);
  }
  button.primary {
    background: var(--primary);
    color: var(--primary-fg);
  }
  button.primary:hover:not([aria-disabled="true"], :disabled) {
    background: var(--primary-hover);
  }
  button.plain {
    border-color: transparent;
    padding: 0;
    background: none;
    color: var(--link);
  }
  button.plain:hover:not([aria-disabled="true"], :disabled) {
    background: none;
    text-decoration: underline;
  }
  button[aria-disabled="true"],
  button:disabled {
    cursor: default;
    opacity: 0.55;
  }
  :focus-visible {
    outline: 2px solid var(--focus);
    outline-offset: 1px;
  }
  .muted {
    color: var(--muted);
  }
  .mono,
  pre,
  code {
    font-family: var(--mono);
    font-size: var(--mono-size);
  }
  pre {
    margin: 0;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .untrusted {
    unicode-bidi: isolate;
    overflow-wrap: anywhere;
  }
  .apart {
    unicode-bidi: isolate;
  }
  /* What a machine reads begins on the left, whatever letters it begins with. */
  :is(.mono, .written, .box) > bdi {
    direction: ltr;
  }
  .escaped {
    border: 1px solid var(--warn);
    border-radius: 3px;
    padding: 0 2px;
    background: var(--warn-bg);
    color: var(--warn-fg);
    font-family: var(--mono);
    font-size: 0.9em;
  }
  .box {
    max-height: 40vh;
    overflow: auto;
    border: 1px solid var(--line);
    border-radius: 4px;
    padding: 6px 8px;
    background: var(--code-bg);
  }
  /* What can be copied has its button in the corner. It is there while one is, and for the keyboard. */
  .copies {
    position: relative;
  }
  .copies > :is(assent-copy, .tools) {
    position: absolute;
    inset-block-start: 3px;
    inset-inline-end: 3px;
    opacity: 0;
  }
  .copies:hover > :is(assent-copy, .tools),
  .copies:focus-within > :is(assent-copy, .tools) {
    opacity: 1;
  }
  @media (hover: none) {
    .copies > :is(assent-copy, .tools) {
      opacity: 1;
    }
  }
  .sr-only {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  @media (prefers-reduced-motion: reduce) {
    * {
      animation: none !important;
      transition: none !important;
      scroll-behavior: auto !important;
    }
  }
`;
