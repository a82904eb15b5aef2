import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Actions } from "../actions.js";
import { cardsForLater, type Item, openCards, type PageState, retryable } from "../state.js";
import { type Inside, type Tree, treeOf } from "../tree.js";
import { lookNow } from "./arming.js";
import { around, deep } from "./deep.js";
import "./markdown-block.js";
import { spoken, spokenStyles } from "./spoken.js";
import { shared } from "./theme.js";
import { ToolRow } from "./tool-row.js";
import { visible } from "./visible.js";
import "./welcome.js";

const NEAR_END = 40;
const REMEDY_WORDS = { setKey: "Set API Key", chooseModel: "Choose a Model…" } as const;

/** The chat, in the order of its stream. It follows the end, but stands still while a question waits. */
export class Thread extends LitElement {
  static override properties = { state: { attribute: false }, actions: { attribute: false } };
  static override styles = [
    shared,
    spokenStyles,
    css`
      :host {
        flex: 1 1 0;
        min-height: 0;
        overflow-y: auto;
        padding: 10px;
      }
      .items > * + * {
        margin-top: 10px;
      }
      .user {
        position: relative;
        border: 1px solid var(--line);
        border-radius: 8px;
        margin-inline-start: 24px;
        padding: 6px 10px;
        background: var(--raised);
        white-space: pre-wrap;
      }
      .user.waiting {
        border-style: dashed;
      }
      .user small {
        display: block;
        color: var(--muted);
        white-space: normal;
      }
      .end.failed {
        border: 1px solid var(--error);
        border-radius: 4px;
        padding: 6px 8px;
        background: var(--error-bg);
        color: var(--error-fg);
      }
      .end {
        color: var(--muted);
      }
      .actions {
        display: flex;
        gap: 6px;
        margin-top: 4px;
      }
    `,
  ];
  declare state: PageState;
  declare actions: Actions;
  private follows = true;
  private lastTop = 0;
  private later: ReadonlySet<string> | undefined;
  private drawn: { items: readonly Item[]; tree: Tree } | undefined;
  private shownCards: ReadonlySet<string> = new Set();

  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener("scroll", this.onScroll, { passive: true });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.removeEventListener("scroll", this.onScroll);
  }

  private readonly onScroll = () => {
    lookNow();
    const atEnd = this.scrollHeight - this.scrollTop - this.clientHeight < NEAR_END;
    if (atEnd) this.follows = true;
    else if (this.scrollTop < this.lastTop) this.follows = false;
    this.lastTop = this.scrollTop;
  };

  /** Shows the card with this id; the focus goes there because the user asked for it. */
  reveal(approvalId: string): void {
    const card = this.findCard(approvalId);
    for (const outer of card ? around(card) : []) if (outer instanceof ToolRow) outer.unfold();
    card?.scrollIntoView({ block: "nearest" });
    card?.focus({ preventScroll: true });
  }

  protected override async updated(_changed: PropertyValues<this>): Promise<void> {
    await this.settled();
    const cards = openCards(this.state).map((card) => card.request.approvalId);
    const first = cards.find((id) => !this.shownCards.has(id));
    const isNew = first !== undefined && cards.every((id) => !this.shownCards.has(id));
    this.shownCards = new Set(cards);
    if (!this.follows) return;
    if (isNew) this.findCard(first)?.scrollIntoView({ block: "nearest" });
    else if (cards.length === 0 && this.state.items.length > 0) this.scrollTop = this.scrollHeight;
  }

  private async settled(): Promise<void> {
    const parts = "assent-tool-row, assent-tail, assent-markdown, assent-welcome";
    for (const part of deep<LitElement>(this.renderRoot, parts)) {
      if (part.isUpdatePending) await part.updateComplete;
    }
  }

  private findCard(approvalId: string): HTMLElement | null {
    for (const card of deep<HTMLElementTagNameMap["assent-card"]>(this.renderRoot, "assent-card")) {
      if (card.card.request.approvalId === approvalId)
        return card.shadowRoot?.querySelector<HTMLElement>(".card") ?? card;
    }
    return null;
  }

  /** The same set as long as it holds the same: a row is drawn anew only where something changes. */
  private cardsForLater(): ReadonlySet<string> | undefined {
    const later = cardsForLater(this.state);
    const same = later?.size === this.later?.size && [...(later ?? [])].every((id) => this.later?.has(id));
    if (!same) this.later = later;
    return this.later;
  }

  private tree(items: readonly Item[]): Tree {
    if (this.drawn?.items !== items) this.drawn = { items, tree: treeOf(items) };
    return this.drawn.tree;
  }

  protected override render() {
    const { items, outgoing, session, host } = this.state;
    const later = this.cardsForLater();
    const tree = this.tree(items);
    const empty = items.length === 0 && outgoing.length === 0 && session !== undefined;
    return html`<div class="items">
      ${
        empty
          ? html`<assent-welcome .session=${session} .host=${host} .actions=${this.actions}></assent-welcome>`
          : nothing
      }
      ${repeat(
        tree.top,
        (item) => item.id,
        (item) => this.renderItem(item, later, tree.inside),
      )}
      ${outgoing.map((message) => this.renderOutgoing(message))}
    </div>`;
  }

  private renderItem(item: Item, later: ReadonlySet<string> | undefined, inside: Inside): TemplateResult {
    switch (item.kind) {
      case "user":
        return html`<div class="user"><span class="sr-only">You: </span>${visible(item.text)}</div>`;
      case "text":
      case "thinking":
      case "notice":
        return spoken(item, this.actions);
      case "plan":
        return html`<assent-plan .entries=${item.entries}></assent-plan>`;
      case "end":
        return html`<div class="end ${item.failed ? "failed" : ""}">${visible(item.text)}${this.renderWaysOn(item)}</div>`;
      case "tool":
        return html`<assent-tool-row
          .item=${item}
          .inside=${inside.has(item.callId) ? inside : undefined}
          .later=${later && (inside.has(item.callId) || item.cards.some((card) => later.has(card.request.approvalId))) ? later : undefined}
          .actions=${this.actions}
          .connected=${this.state.connection.state === "ready"}
          .canOpenFiles=${this.state.host === "editor"}
          .asked=${this.state.shellsAsked}
        ></assent-tool-row>`;
    }
  }

  /** Only under the latest fault: what stands above it is past. */
  private renderWaysOn(item: Extract<Item, { kind: "end" }>) {
    const { items, host, connection } = this.state;
    const remedy = host === "editor" && items.at(-1) === item ? item.remedy : undefined;
    const again = item === retryable(this.state);
    if (remedy === undefined && !again) return nothing;
    return html`<div class="actions">
      ${remedy && html`<button @click=${() => this.actions.remedy(remedy)}>${REMEDY_WORDS[remedy]}</button>`}
      ${
        again
          ? html`<button ?disabled=${connection.state !== "ready"} @click=${() => this.actions.retryRun()}>${item.restarts ? "Restart" : "Retry"}</button>`
          : nothing
      }
    </div>`;
  }

  private renderOutgoing({ messageId, text, replaces, error }: PageState["outgoing"][number]): TemplateResult {
    if (error === undefined) {
      return html`<div class="user waiting">${visible(text)}<small>${this.state.running && !replaces ? "Queued" : "Sending…"}</small></div>`;
    }
    return html`<div class="user waiting">
      ${visible(text)}<small>${visible(error)}</small>
      <div class="actions">
        <button @click=${() => this.actions.retry(messageId)}>Send again</button>
        <button @click=${() => this.actions.discard(messageId)}>Remove</button>
      </div>
    </div>`;
  }
}

customElements.define("assent-thread", Thread);

declare global {
  interface HTMLElementTagNameMap {
    "assent-tool-row": ToolRow;
    "assent-card": import("./card.js").ApprovalCard;
  }
}
