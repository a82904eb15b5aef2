// Colours and shapes: the editor's theme, with fallbacks for a plain browser.
import { css } from "lit";

/** Set once, on the outermost element: custom properties reach into every shadow root. */
export const theme = css`
  :host {
    --fg: var(--vscode-foreground, light-dark(#1f1f1f, #d4d4d4));
    --muted: var(--vscode-descriptionForeground, light-dark(#4f4f4f, #a8a8a8));
    --bg: var(--vscode-sideBar-background, var(--vscode-editor-background, light-dark(#ffffff, #1b1b1b)));
    --raised: var(--vscode-editorWidget-background, light-dark(#f6f6f6, #242424));
    --line: var(--vscode-contrastBorder, var(--vscode-widget-border, light-dark(#c9c9c9, #454545)));
    --focus: var(--vscode-focusBorder, light-dark(#005fb8, #4daafc));
    --link: var(--vscode-textLink-foreground, light-dark(#005fb8, #4daafc));
    --code-bg: var(--vscode-textCodeBlock-background, light-dark(#efefef, #2b2b2b));
    --input-bg: var(--vscode-input-background, light-dark(#ffffff, #2b2b2b));
    --input-fg: var(--vscode-input-foreground, var(--fg));
    --input-line: var(--vscode-contrastBorder, var(--vscode-input-border, light-dark(#9a9a9a, #5a5a5a)));
    --placeholder: var(--vscode-input-placeholderForeground, light-dark(#666666, #a0a0a0));
    --primary: var(--vscode-button-background, light-dark(#005fb8, #0067c0));
    --primary-fg: var(--vscode-button-foreground, #ffffff);
    --primary-hover: var(--vscode-button-hoverBackground, light-dark(#0058aa, #1072c8));
    --secondary: var(--vscode-button-secondaryBackground, light-dark(#e5e5e5, #3a3a3a));
    --secondary-fg: var(--vscode-button-secondaryForeground, var(--fg));
    --secondary-hover: var(--vscode-button-secondaryHoverBackground, light-dark(#d8d8d8, #474747));
    --button-line: var(--vscode-contrastBorder, var(--vscode-button-border, transparent));
    --warn: var(--vscode-editorWarning-foreground, light-dark(#8a5a00, #e0b252));
    --error: var(--vscode-errorForeground, light-dark(#b3261e, #f48771));
    --good: var(--vscode-testing-iconPassed, light-dark(#1f7a34, #73c991));
    --info: var(--vscode-editorInfo-foreground, light-dark(#0063b1, #59a6ff));
    --added: var(--vscode-diffEditor-insertedTextBackground, light-dark(#d8f0d5, #23402a));
    --removed: var(--vscode-diffEditor-removedTextBackground, light-dark(#fbdcd9, #4b2322));
    --warn-bg: var(--vscode-inputValidation-warningBackground, light-dark(#fdf3d9, #3b3016));
    --warn-fg: var(--vscode-inputValidation-warningForeground, var(--fg));
    --error-bg: var(--vscode-inputValidation-errorBackground, light-dark(#fbe4e2, #4a2321));
    --error-fg: var(--vscode-inputValidation-errorForeground, var(--fg));
    --menu-bg: var(--vscode-menu-background, var(--raised));
    --menu-fg: var(--vscode-menu-foreground, var(--fg));
    --menu-active: var(--vscode-menu-selectionBackground, light-dark(#005fb8, #04395e));
    --menu-active-fg: var(--vscode-menu-selectionForeground, #ffffff);
    --mono: var(--vscode-editor-font-family, ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace);
    --mono-size: var(--vscode-editor-font-size, 12px);
    --sans: var(--vscode-font-family, system-ui, "Segoe UI", Roboto, sans-serif);
    --size: var(--vscode-font-size, 13px);
  }
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
  button {
    border: 1px solid var(--button-line);
    border-radius: 4px;
    padding: 3px 10px;
    background: var(--secondary);
    color: var(--secondary-fg);
    cursor: pointer;
    text-align: start;
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
    padding: 0 2px;
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
