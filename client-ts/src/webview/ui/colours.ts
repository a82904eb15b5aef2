// Colours in what a card shows. They are laid over the text as it stands there: not one character or element changes.
import { type Colour, readable } from "../contrast.js";
import {
  JSON_LANGUAGE,
  KINDS,
  type Kind,
  type Language,
  languageOf,
  SHELL_LANGUAGE,
  tokens,
  type Unended,
} from "../tokens.js";

/** More of one card is left plain: colours are worth no waiting. */
const MOST_CHARACTERS = 100_000;
/** The browser looks through all of them for each line that it draws. */
const MOST_RANGES = 1500;
const MOST_OF_ONE = 500;
const WANTED: Record<Kind, readonly string[]> = {
  comment: ["var(--vscode-terminal-ansiGreen, light-dark(#008000, #6a9955))", "var(--muted)"],
  string: ["var(--vscode-debugTokenExpression-string, light-dark(#a31515, #ce9178))"],
  number: ["var(--vscode-debugTokenExpression-number, light-dark(#098658, #b5cea8))"],
  keyword: [
    "var(--vscode-debugTokenExpression-boolean, light-dark(#0000ff, #4e94ce))",
    "var(--vscode-debugTokenExpression-name, light-dark(#9b46b0, #c586c0))",
  ],
};
/** Each ground with what it lies on, the lowest first. */
const GROUNDS = [
  ["--bg", "--raised"],
  ["--bg", "--raised", "--code-bg"],
  ["--bg", "--raised", "--code-bg", "--added"],
  ["--bg", "--raised", "--code-bg", "--removed"],
];

const sheet = new CSSStyleSheet();
const highlights = new Map<Kind, Highlight>();
const painted = new Map<ShadowRoot, readonly (readonly [Kind, StaticRange])[]>();
let isMixed = false;

/** Colours all that is drawn of cards and rows, now and from now on. */
export function beginColours(): void {
  if (!("highlights" in CSS)) return;
  for (const kind of KINDS) {
    const highlight = new Highlight();
    highlights.set(kind, highlight);
    CSS.highlights.set(`assent-${kind}`, highlight);
  }
  document.addEventListener("drawn", (event) => {
    const [element] = event.composedPath();
    if (element instanceof Element && element.shadowRoot) paint(element.shadowRoot);
  });
  new MutationObserver(themeChanged).observe(document.documentElement, { attributeFilter: ["style", "class"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", themeChanged);
}

function themeChanged(): void {
  isMixed = false;
  const root = [...painted.keys()].find(({ host }) => host.isConnected);
  if (root) mixColours(root);
}

/** What is drawn in this tree, as it is now. What is gone from the page takes its colours along. */
function paint(root: ShadowRoot): void {
  for (const one of painted.keys()) if (one === root || !one.host.isConnected) forget(one);
  const ranges = [...first(rangesIn(root), MOST_OF_ONE)];
  if (ranges.length === 0) return;
  makeRoom(ranges.length);
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
  mixColours(root);
  painted.set(root, ranges);
  for (const [kind, range] of ranges) highlights.get(kind)?.add(range);
}

function* first<T>(all: Iterable<T>, most: number): Generator<T> {
  let count = 0;
  for (const one of all) {
    if (count === most) return;
    count += 1;
    yield one;
  }
}

/** What was coloured first is plain first. */
function makeRoom(wanted: number): void {
  let count = wanted;
  for (const ranges of painted.values()) count += ranges.length;
  for (const [root, ranges] of painted) {
    if (count <= MOST_RANGES) return;
    count -= ranges.length;
    forget(root);
  }
}

function forget(root: ShadowRoot): void {
  for (const [kind, range] of painted.get(root) ?? []) highlights.get(kind)?.delete(range);
  painted.delete(root);
}

function* rangesIn(root: ShadowRoot): Generator<[Kind, StaticRange]> {
  let left = MOST_CHARACTERS;
  const inside = (text: string) => {
    left -= text.length;
    return left >= 0;
  };
  for (const box of root.querySelectorAll(".command, .arguments")) {
    const language = box.matches(".command") ? SHELL_LANGUAGE : JSON_LANGUAGE;
    if (inside(box.textContent)) yield* rangesOf(box, language).ranges;
  }
  for (const diff of root.querySelectorAll<HTMLElement>(".diff")) {
    const language = languageOf(diff.dataset.path ?? "");
    if (language !== undefined && inside(diff.textContent)) yield* rangesOfDiff(diff, language);
  }
}

/** What is there and what comes are two texts: each goes on where its line before ended. */
function* rangesOfDiff(diff: Element, language: Language): Generator<[Kind, StaticRange]> {
  let [old, now]: (Unended | undefined)[] = [];
  for (const line of diff.children) {
    const code = line.querySelector(".code > bdi");
    if (code === null) {
      // Nobody knows what the lines that are left out begin or end.
      old = now = undefined;
      continue;
    }
    const isOld = line.matches(".removed");
    const { ranges, unended } = rangesOf(code, language, isOld ? old : now);
    if (isOld || line.matches(".context")) old = unended;
    if (!isOld) now = unended;
    yield* ranges;
  }
}

/** The parts of a text, wherever its pieces stand. What is written in the place of something hidden keeps its look. */
function rangesOf(
  element: Element,
  language: Language,
  before?: Unended,
): { ranges: [Kind, StaticRange][]; unended: Unended | undefined } {
  const pieces: { node: Text; start: number; end: number }[] = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let text = "";
  for (let node = walker.nextNode() as Text | null; node !== null; node = walker.nextNode() as Text | null) {
    const start = text.length;
    text += node.data;
    if (!node.parentElement?.matches(".escaped")) pieces.push({ node, start, end: text.length });
  }
  const { tokens: found, unended } = tokens(text, language, before);
  const ranges = found.flatMap(({ start, end, kind }) =>
    pieces
      .filter((piece) => piece.start < end && piece.end > start)
      .map(({ node, start: from, end: to }): [Kind, StaticRange] => [
        kind,
        new StaticRange({
          startContainer: node,
          startOffset: Math.max(start, from) - from,
          endContainer: node,
          endOffset: Math.min(end, to) - from,
        }),
      ]),
  );
  return { ranges, unended };
}

/** The colours of the theme, as far as words in them can be read on everything that they stand on. */
function mixColours(root: ShadowRoot): void {
  if (isMixed) return;
  isMixed = true;
  const pixels = new Pixels(root);
  const grounds = GROUNDS.map((layers) => pixels.of(layers.map((name) => `var(${name})`)));
  const rules = KINDS.flatMap((kind) => {
    const wanted = WANTED[kind].map((colour) => pixels.of(["var(--bg)", colour]));
    const colour = readable(wanted, grounds);
    return colour ? [`::highlight(assent-${kind}) { color: rgb(${colour.join(" ")}) }`] : [];
  });
  pixels.end();
  sheet.replaceSync(rules.join("\n"));
}

/** Colours as they come out on a screen: of the theme's variables, one over the other. */
class Pixels {
  private readonly probe = document.createElement("span");
  private readonly canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });

  constructor(root: ShadowRoot) {
    root.append(this.probe);
  }

  of(layers: readonly string[]): Colour {
    const { canvas, probe } = this;
    if (canvas === null) return [0, 0, 0];
    canvas.clearRect(0, 0, 1, 1);
    for (const layer of layers) {
      probe.style.color = layer;
      canvas.fillStyle = getComputedStyle(probe).color;
      canvas.fillRect(0, 0, 1, 1);
    }
    const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
    return [red, green, blue];
  }

  end(): void {
    this.probe.remove();
  }
}
