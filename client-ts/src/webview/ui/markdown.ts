// Markdown of the model as elements: built one by one from a closed list, never through HTML text.
import MarkdownIt, { type Env, type Token } from "markdown-it";
import { segments } from "../../common/visible-text.js";
import { isWebLink } from "../links.js";

const parser = new MarkdownIt({ html: false, linkify: false, typographer: false, breaks: false });
parser.validateLink = isWebLink;
// An image is never loaded: it stands as text, with its address.
const TAGS = new Set(
  "p h1 h2 h3 h4 h5 h6 ul ol li blockquote strong em s code pre hr br table thead tbody tr th td".split(" "),
);

/** The elements of a text. A link calls `open` with its address and shows where it leads. */
export function renderMarkdown(text: string, open: (url: string) => void): DocumentFragment {
  const root = document.createDocumentFragment();
  appendTokens(root, parser.parse(text, {}), open);
  return root;
}

/** A text that grows: what is complete above its last block stays as it is drawn. */
export class GrowingMarkdown {
  private text = "";
  /** Where the last block begins, and how many elements stand above it. */
  private from = 0;
  private kept = 0;
  /** The links that what is complete defines; the line that is being written may still change its own. */
  private env: Env = {};

  draw(target: Node, text: string, open: (url: string) => void): void {
    if (!text.startsWith(this.text)) this.begin();
    this.text = text;
    const rest = text.slice(this.from);
    const tokens = parser.parse(rest, { references: { ...this.env.references } });
    while (target.childNodes.length > this.kept) target.lastChild?.remove();
    appendTokens(target, tokens, open);
    this.keep(rest, tokens);
  }

  private begin(): void {
    [this.from, this.kept, this.env] = [0, 0, {}];
  }

  /** Only below an empty line does a block begin for certain: any other line may still turn out to go on the one above. */
  private keep(rest: string, tokens: readonly Token[]): void {
    const blocks = tokens.filter(({ level, nesting, map }) => level === 0 && nesting >= 0 && map !== null);
    const line = blocks.at(-1)?.map?.[0] ?? 0;
    const lines = rest.split("\n");
    if (blocks.length < 2 || lines[line - 1]?.trim() !== "") return;
    this.kept += blocks.length - 1;
    const complete = `${lines.slice(0, line).join("\n")}\n`;
    parser.parse(complete, this.env);
    this.from += complete.length;
  }
}

function appendTokens(root: Node, tokens: readonly Token[], open: (url: string) => void): void {
  const stack: Node[] = [root];
  for (const token of tokens) {
    const parent = stack.at(-1) ?? root;
    if (token.type === "inline") appendTokens(parent, token.children ?? [], open);
    else if (token.type === "link_open") stack.push(parent.appendChild(link(token, open)));
    else if (token.type === "link_close") closeLink(stack);
    else if (token.nesting === 1) stack.push(parent.appendChild(element(token)));
    else if (token.nesting === -1) stack.pop();
    else parent.appendChild(leaf(token));
  }
}

function element(token: Token): HTMLElement {
  if (token.hidden || !TAGS.has(token.tag)) return document.createElement("span");
  // Whatever its level, a heading of a message is a heading below the page's own.
  const made = document.createElement(/^h\d$/.test(token.tag) ? "h2" : token.tag);
  // The outermost one alone: a list begins on the side on which its items do.
  if (token.block && token.level === 0) made.dir = "auto";
  const start = token.tag === "ol" ? Number(token.attrGet("start") ?? "1") : 1;
  if (start !== 1) (made as HTMLOListElement).start = start;
  return made;
}

function leaf(token: Token): Node {
  switch (token.type) {
    case "softbreak":
      return document.createTextNode("\n");
    case "hardbreak":
      return document.createElement("br");
    case "hr":
      return document.createElement("hr");
    case "code_inline":
      return withText("code", token.content);
    case "fence":
    case "code_block":
      return codeBlock(token);
    case "image":
      return visibleNode(`[image: ${token.content}] (${token.attrGet("src") ?? ""})`);
    default:
      return visibleNode(token.content);
  }
}

function codeBlock(token: Token): HTMLElement {
  const block = document.createElement("pre");
  block.className = "box";
  block.tabIndex = 0;
  const text = token.content.replace(/\n$/, "");
  block.append(withText("code", text));
  const around = document.createElement("div");
  around.className = "copies";
  const copy = Object.assign(document.createElement("assent-copy"), { text, what: "this code" });
  around.append(block, copy);
  return around;
}

function link(token: Token, open: (url: string) => void): HTMLElement {
  const url = String(token.attrGet("href") ?? "");
  const made = document.createElement("a");
  made.href = url;
  made.rel = "noopener noreferrer";
  made.addEventListener("click", (event) => {
    event.preventDefault();
    event.stopPropagation();
    open(url);
  });
  return made;
}

/** Where the words of a link are not its address, the address stands behind them. */
function closeLink(stack: Node[]): void {
  const made = stack.pop();
  if (!(made instanceof HTMLAnchorElement)) return;
  const url = made.getAttribute("href") ?? "";
  if (made.textContent !== url) {
    const target = withText("span", ` (${url})`);
    target.className = "muted";
    made.append(target);
  }
}

function withText(tag: string, text: string): HTMLElement {
  const made = document.createElement(tag);
  made.append(visibleNode(text));
  return made;
}

function visibleNode(text: string): Node {
  const pieces = segments(text);
  if (pieces.length === 1 && pieces[0] && !pieces[0].escaped) return document.createTextNode(text);
  const fragment = document.createDocumentFragment();
  for (const { text: piece, escaped } of pieces) {
    const node = escaped ? document.createElement("span") : document.createTextNode(piece);
    if (node instanceof HTMLElement) {
      node.className = "escaped";
      node.textContent = piece;
    }
    fragment.append(node);
  }
  return fragment;
}
