// What the panels above the chat have in common: a head that stays, and a list that scrolls, with room in it for the
// ring around what has the keyboard.
import { css } from "lit";

export const panelStyles = css`
  section {
    display: flex;
    flex-direction: column;
    min-height: 0;
    max-height: 65vh;
    border-bottom: 1px solid var(--line);
    padding: 8px 10px;
    background: var(--raised);
  }
  .top {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 8px;
    align-items: baseline;
  }
  .top button {
    flex: none;
  }
  h2 {
    flex: 1 1 0;
    margin: 0;
    font-size: 1.05em;
  }
  .lists {
    overflow-y: auto;
    margin: 6px -2px 0;
    padding: 2px;
  }
  ul {
    margin: 0;
    padding: 0;
    list-style: none;
  }
  li {
    border: 1px solid var(--line);
    border-radius: 4px;
    padding: 6px 8px;
  }
  li + li {
    margin-top: 6px;
  }
  p {
    margin: 0;
  }
  .facts {
    color: var(--muted);
    font-size: 0.92em;
  }
  .facts .mono {
    font-size: inherit;
  }
  li button:not(.plain) {
    margin-top: 4px;
    padding: 1px 8px;
  }
`;
