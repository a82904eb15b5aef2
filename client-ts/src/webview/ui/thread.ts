import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Actions } from "../actions.js";
import { type Block, blocksOf, drawnBlocks, MOST_DRAWN } from "../blocks.js";
import { cardsForLater, type Item, openCards, type PageState, retryable } from "../state.js";
import { type Tree, treeOf, waitingInside } from "../tree.js";
import { lookNow } from "./arming.js";
import { around, deep } from "./deep.js";
import { spokenStyles } from "./spoken.js";
import { shared } from "./theme.js";
import "./thread-block.js";
import type { ThreadBlock } from "./thread-block.js";
import type { Look } from "./thread-item.js";
import { ToolRow } from "./tool-row.js";
import { visible } from "./visible.js";
import "./welcome.js";

const NEAR_END = 40;
/** Blocks this far outside of what is in sight are drawn already. */
const AHEAD = "1200px 0px";

/** A row of the chat, and whether what was looked for stands in it or in something below it. */
export interface FoundPlace {
  row: Item;
  isInside: boolean;
}

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
      .items > * + *,
      assent-block > * + * {
        margin-top: 10px;
      }
      assent-block {
        display: block;
      }
      .found {
        outline: 2px solid var(--focus);
        outline-offset: 2px;
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
  private lastHeight = 0;
  private drawn: { items: readonly Item[]; tree: Tree } | undefined;
  private blocks: readonly Block[] = [];
  private look: Look | undefined;
  /** The blocks that were near what is in sight, and at which look that was. */
  private readonly nearAt = new Map<string, number>();
  private looks = 0;
  /** The block of the row that the user looked for last. */
  private wanted: string | undefined;
  private observer: IntersectionObserver | undefined;
  private readonly observed = new Set<ThreadBlock>();
  private shownCards: ReadonlySet<string> = new Set();

  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener("scroll", this.onScroll, { passive: true });
    this.observer = new IntersectionObserver((entries) => this.looked(entries), { root: this, rootMargin: AHEAD });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.removeEventListener("scroll", this.onScroll);
    this.observer?.disconnect();
    this.observed.clear();
  }

  private readonly onScroll = () => {
    lookNow();
    const { scrollTop, scrollHeight, clientHeight, lastTop, lastHeight } = this;
    // What became smaller above has moved everything up: that was nobody's hand.
    const shrunk = Math.max(0, lastHeight - scrollHeight);
    if (scrollHeight - scrollTop - clientHeight < NEAR_END) this.follows = true;
    else if (scrollTop < lastTop - shrunk) this.follows = false;
    this.lastTop = scrollTop;
    this.lastHeight = scrollHeight;
  };

  private looked(entries: readonly IntersectionObserverEntry[]): void {
    const before = new Set(this.near());
    this.looks += 1;
    for (const { target, isIntersecting } of entries) {
      const { key } = (target as ThreadBlock).block;
      if (isIntersecting) before.add(key);
      else before.delete(key);
    }
    for (const key of before) this.nearAt.set(key, this.looks);
    this.requestUpdate();
  }

  private near(): string[] {
    return [...this.nearAt].filter(([, at]) => at === this.looks).map(([key]) => key);
  }

  /** What is drawn for the first time is looked at from then on. */
  private observe(): void {
    const present = new Set(this.renderRoot.querySelectorAll("assent-block"));
    for (const block of present) {
      if (this.observed.has(block)) continue;
      this.observed.add(block);
      this.observer?.observe(block);
    }
    for (const block of [...this.observed].filter((one) => !present.has(one))) {
      this.observed.delete(block);
      this.observer?.unobserve(block);
      this.nearAt.delete(block.block.key);
    }
  }

  /** Shows the card with this id; the focus goes there because the user asked for it. */
  reveal(approvalId: string): void {
    const card = this.findCard(approvalId);
    for (const outer of card ? around(card) : []) if (outer instanceof ToolRow) outer.unfold();
    card?.scrollIntoView({ block: "nearest" });
    card?.focus({ preventScroll: true });
  }

  /** Brings a row in sight that the user looks for, also one that is not drawn yet. */
  async lookAt({ row: at, isInside }: FoundPlace): Promise<void> {
    const block = this.blocks.find(({ items }) => items.some((item) => item === at));
    if (block === undefined) return;
    this.follows = false;
    this.wanted = block.key;
    this.requestUpdate();
    await this.updateComplete;
    await this.settled();
    const drawn = [...this.observed].find((one) => one.block.key === block.key);
    const row = drawn?.children[block.items.indexOf(at)];
    if (isInside && row instanceof ToolRow) row.unfold();
    for (const before of this.renderRoot.querySelectorAll(".found")) before.classList.remove("found");
    row?.classList.add("found");
    row?.scrollIntoView({ block: "center" });
  }

  protected override async updated(_changed: PropertyValues<this>): Promise<void> {
    this.observe();
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
    for (const block of this.observed) if (block.isUpdatePending) await block.updateComplete;
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

  /** Where the user has something open, or the keyboard. */
  private get used(): ReadonlySet<string> {
    const used = [...this.observed].filter((block) => block.drawn && block.isUsed);
    return new Set(used.map((block) => block.block.key));
  }

  /** The same object as long as all of it is the same: only then nothing is drawn anew. */
  private currentLook(later: ReadonlySet<string> | undefined): Look {
    const { items, host, connection, shellsAsked } = this.state;
    const last = items.at(-1);
    const look: Look = {
      actions: this.actions,
      connected: connection.state === "ready",
      canOpenFiles: host === "editor",
      later,
      asked: shellsAsked,
      last: last?.kind === "end" ? last : undefined,
      again: retryable(this.state),
    };
    const before = this.look;
    if (before === undefined || KEYS.some((key) => before[key] !== look[key])) this.look = look;
    return this.look ?? look;
  }

  protected override render() {
    const { items, outgoing, session, host } = this.state;
    const later = this.cardsForLater();
    const tree = this.tree(items);
    this.blocks = blocksOf(tree.top, this.blocks);
    const used = this.blocks.length > MOST_DRAWN ? this.used : NONE;
    const drawn = drawnBlocks(
      this.blocks,
      this.nearAt,
      this.looks,
      (block) => block.key === this.wanted || used.has(block.key) || waits(block, tree, later),
    );
    const look = this.currentLook(later);
    const empty = items.length === 0 && outgoing.length === 0 && session !== undefined;
    return html`<div class="items">
      ${
        empty
          ? html`<assent-welcome .session=${session} .host=${host} .actions=${this.actions}></assent-welcome>`
          : nothing
      }
      ${repeat(
        this.blocks,
        ({ key }) => key,
        (block) => html`<assent-block
          .block=${block}
          .look=${look}
          .inside=${block.items.some((item) => item.kind === "tool" && tree.inside.has(item.callId)) ? tree.inside : undefined}
          .drawn=${drawn.has(block.key)}
        ></assent-block>`,
      )}
      ${outgoing.map((message) => this.renderOutgoing(message))}
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

const NONE: ReadonlySet<string> = new Set();
const KEYS = ["actions", "connected", "canOpenFiles", "later", "asked", "last", "again"] as const;

/** Whether a card that is drawn waits in it: what can be clicked never goes away by itself. */
function waits({ items }: Block, { inside }: Tree, later: ReadonlySet<string> | undefined): boolean {
  return items.some(
    (item) =>
      item.kind === "tool" &&
      (item.cards.some((card) => card.phase !== "closed" && !later?.has(card.request.approvalId)) ||
        (inside.has(item.callId) && waitingInside(item.callId, inside) > 0)),
  );
}

customElements.define("assent-thread", Thread);

declare global {
  interface HTMLElementTagNameMap {
    "assent-block": ThreadBlock;
    "assent-tool-row": ToolRow;
    "assent-card": import("./card.js").ApprovalCard;
  }
}
