import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Actions } from "../actions.js";
import { type Block, blocksOf, drawnBlocks, partsOf } from "../blocks.js";
import { chatText } from "../chat-text.js";
import { type Card, cardsForLater, type Item, openCards, type PageState, retryable } from "../state.js";
import { type Inside, type Tree, treeOf } from "../tree.js";
import { AllMarked } from "./all-marked.js";
import { lookNow } from "./arming.js";
import { around, deep } from "./deep.js";
import { spokenStyles } from "./spoken.js";
import { shared } from "./theme.js";
import { ThreadBlock } from "./thread-block.js";
import type { Look } from "./thread-item.js";
import { ToolRow } from "./tool-row.js";
import { visible } from "./visible.js";
import "./welcome.js";

const NEAR_END = 40;
/** More blocks than these are not drawn for a selection: of all that is marked, what is far away is not. */
const MOST_MARKED = 60;

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
      :host([marked]) .items {
        outline: 2px solid var(--focus);
        outline-offset: 4px;
      }
      .gap {
        overflow-anchor: none;
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
      /* Its own letters say on which side it begins. */
      .user > bdi {
        display: block;
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
      .gone {
        border-inline-start: 3px dashed var(--line);
        padding-inline-start: 8px;
        color: var(--muted);
      }
      /* Below the last line: a short message would end under them. */
      .user > .tools {
        display: flex;
        gap: 4px;
        inset-block: auto -14px;
        z-index: 1;
      }
      .edit {
        min-width: 24px;
        min-height: 24px;
        border-color: var(--line);
        padding: 0 6px;
        background: var(--bg);
        color: var(--muted);
        font-size: 0.85em;
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
  private rows: { items: readonly Item[]; tree: Tree; blocks: readonly Block[] } = {
    items: [],
    tree: treeOf([]),
    blocks: [],
  };
  private look: Look | undefined;
  /** The blocks that are drawn, and how high each was when it was drawn last. */
  private drawn: ReadonlySet<string> = new Set();
  private readonly heights = new Map<string, number>();
  private sightHeight = 0;
  /** The block that the user was led to last. */
  private wanted: string | undefined;
  private readonly sizes = new ResizeObserver((entries) => this.resized(entries));
  private cards: readonly Card[] = [];
  private readonly marked = new AllMarked(this);

  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener("scroll", this.onScroll, { passive: true });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.removeEventListener("scroll", this.onScroll);
  }

  get wholeText(): string {
    const { top, inside } = this.rows.tree;
    const unsent = this.state.outgoing.map(({ messageId: id, text }) => ({ kind: "user", id, text }) as const);
    return chatText([...top, ...unsent], inside);
  }

  say(text: string): void {
    this.actions.say(text);
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
    this.requestUpdate();
  };

  /** Told when everything stands where it stands, and before it can be seen: nothing has to be placed twice. */
  private resized(entries: readonly ResizeObserverEntry[]): void {
    const { heights } = this;
    let hasRoom = false;
    for (const { target, contentRect } of entries) {
      const { height } = contentRect;
      // What has no height is hidden, or gone already.
      if (height === 0) continue;
      const key = target instanceof ThreadBlock ? target.block.key : undefined;
      // What only grows leaves no room for more blocks.
      hasRoom ||= target === this || (key !== undefined && height < (heights.get(key) ?? Number.POSITIVE_INFINITY));
      if (key !== undefined) heights.set(key, height);
      if (target === this) this.sightHeight = height;
    }
    if (this.follows && openCards(this.state).length === 0 && this.state.items.length > 0) {
      this.scrollTop = this.scrollHeight;
      // A hand that scrolls up before this is told as a scroll of its own has come from here.
      this.lastTop = this.scrollTop;
    }
    if (hasRoom) requestAnimationFrame(() => this.requestUpdate());
  }

  /** Shows the card with this id; the focus goes there because the user asked for it. */
  async reveal(approvalId: string, takesFocus = true): Promise<void> {
    const isMeant = (card: Card) => card.request.approvalId === approvalId;
    const { blocks, tree } = this.rows;
    const block = blocks.find(({ items }) => asks(items, tree.inside, isMeant));
    if (block === undefined) return;
    const drawn = this.drawnBlock(block.key);
    const card = findCard(drawn, isMeant) ?? findCard(await this.draw(block), isMeant);
    for (const outer of card ? around(card) : []) if (outer instanceof ToolRow) outer.unfold();
    card?.scrollIntoView({ block: "nearest" });
    if (takesFocus) card?.focus({ preventScroll: true });
  }

  /** The cards that are drawn. */
  *drawnCards(): Iterable<HTMLElementTagNameMap["assent-card"]> {
    for (const block of this.renderRoot.querySelectorAll("assent-block")) yield* deep(block, "assent-card");
  }

  /** Brings a row in sight that the user looks for, also one that is not drawn yet. */
  async lookAt(at: Item): Promise<Element | undefined> {
    const block = this.rows.blocks.find(({ items }) => items.includes(at));
    this.follows = false;
    return block && (await this.draw(block))?.children[block.items.indexOf(at)];
  }

  /** This block, with all that stands in it. */
  private async draw({ key }: Block): Promise<ThreadBlock | undefined> {
    this.wanted = key;
    this.requestUpdate();
    await this.updateComplete;
    const drawn = this.drawnBlock(key);
    await drawn?.updateComplete;
    for (const part of drawn ? deep<LitElement>(drawn, "*") : []) await part.updateComplete;
    return drawn;
  }

  private drawnBlock(key: string): ThreadBlock | undefined {
    return [...this.renderRoot.querySelectorAll("assent-block")].find(({ block }) => block.key === key);
  }

  /** The first of questions that come where none waited is brought in sight of whoever reads the end. */
  protected override updated(_changed: PropertyValues<this>): void {
    const before = new Set(this.cards.map(({ request }) => request.approvalId));
    this.cards = openCards(this.state);
    const first = this.cards[0]?.request.approvalId;
    if (first === undefined || !this.follows || this.cards.some(({ request }) => before.has(request.approvalId)))
      return;
    void this.reveal(first, false);
  }

  protected override firstUpdated(): void {
    for (const part of [this, ...this.renderRoot.querySelectorAll(".items")]) this.sizes.observe(part);
  }

  /** The same set as long as it holds the same: a row is drawn anew only where something changes. */
  private cardsForLater(): ReadonlySet<string> | undefined {
    const later = cardsForLater(this.state);
    const same = later?.size === this.later?.size && [...(later ?? [])].every((id) => this.later?.has(id));
    if (!same) this.later = later;
    return this.later;
  }

  /** Of another chat nothing has been seen yet: neither its end nor what waits in it. Nor was it marked. */
  private beginAnew(): void {
    this.marked.end();
    this.heights.clear();
    this.follows = true;
    this.cards = [];
  }

  /** What the rows are drawn from. Another chat begins with another row. */
  private layOut(): void {
    const { items } = this.state;
    if (this.rows.items === items) return;
    const tree = treeOf(items);
    const blocks = blocksOf(tree.top, this.rows.blocks);
    if (blocks[0]?.key !== this.rows.blocks[0]?.key) this.beginAnew();
    this.rows = { items, tree, blocks };
  }

  /** Which blocks are drawn. What is being used, is marked or can be clicked never goes away by itself. */
  private chooseBlocks(later: ReadonlySet<string> | undefined): void {
    const { blocks, tree } = this.rows;
    const atEnd = this.follows && openCards(this.state).length === 0;
    const sight = { top: this.lastTop, height: this.sightHeight, atEnd };
    const waits = ({ phase, request }: Card) => phase !== "closed" && !later?.has(request.approvalId);
    const isInUse = (key: string) => {
      const block = this.drawnBlock(key);
      return block !== undefined && (block.isUsed || (this.drawn.size < MOST_MARKED && block.isMarked));
    };
    this.drawn = drawnBlocks(blocks, this.heights, sight, this.drawn, ({ key, items }) => {
      return key === this.wanted || (this.drawn.has(key) && (asks(items, tree.inside, waits) || isInUse(key)));
    });
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
      gone: this.state.gone,
      again: retryable(this.state),
    };
    const before = this.look;
    if (before === undefined || KEYS.some((key) => before[key] !== look[key])) this.look = look;
    return this.look ?? look;
  }

  protected override render() {
    const { items, outgoing, session, host } = this.state;
    const later = this.cardsForLater();
    this.layOut();
    this.chooseBlocks(later);
    const look = this.currentLook(later);
    const empty = items.length === 0 && outgoing.length === 0 && session !== undefined;
    return html`<div class="items">
      ${
        empty
          ? html`<assent-welcome .session=${session} .host=${host} .actions=${this.actions}></assent-welcome>`
          : nothing
      }
      ${repeat(
        partsOf(this.rows.blocks, this.heights, this.drawn),
        ({ key }) => key,
        (part) =>
          "height" in part
            ? html`<div class="gap" .style=${`height:${part.height}px`}></div>`
            : html`<assent-block .sizes=${this.sizes} .block=${part} .look=${look} .inside=${this.insideOf(part)}></assent-block>`,
      )}
      ${outgoing.map((message) => this.renderOutgoing(message))}
    </div>`;
  }

  private insideOf({ items }: Block): Inside | undefined {
    const { inside } = this.rows.tree;
    return items.some((item) => item.kind === "tool" && inside.has(item.callId)) ? inside : undefined;
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

const KEYS = ["actions", "connected", "canOpenFiles", "later", "asked", "last", "gone", "again"] as const;

/** Whether a question that is meant stands among these rows or in something below them. */
function asks(items: readonly Item[], inside: Inside, isMeant: (card: Card) => boolean): boolean {
  return items.some(
    (item) =>
      item.kind === "tool" && (item.cards.some(isMeant) || asks(inside.get(item.callId) ?? [], inside, isMeant)),
  );
}

function findCard(drawn: ThreadBlock | undefined, isMeant: (card: Card) => boolean): HTMLElement | undefined {
  for (const card of drawn ? deep<HTMLElementTagNameMap["assent-card"]>(drawn, "assent-card") : []) {
    if (isMeant(card.card)) return card.shadowRoot?.querySelector<HTMLElement>(".card") ?? undefined;
  }
  return undefined;
}

customElements.define("assent-thread", Thread);

declare global {
  interface HTMLElementTagNameMap {
    "assent-block": ThreadBlock;
    "assent-tool-row": ToolRow;
    "assent-card": import("./card.js").ApprovalCard;
  }
}
