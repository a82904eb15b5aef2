// Looks for elements where rows stand below rows, each in a tree of its own.

const ROW = "assent-tool-row";

/** All elements that the selector names, in the order of the page. */
export function* deep<T extends Element>(root: ParentNode, selector: string): Generator<T> {
  for (const element of root.querySelectorAll(`${ROW}, ${selector}`)) {
    if (element.matches(selector)) yield element as T;
    if (element.shadowRoot !== null && element.matches(ROW)) yield* deep<T>(element.shadowRoot, selector);
  }
}

/** The elements that an element stands in, across all trees, from the inside. */
export function* around(element: Element): Generator<Element> {
  const next = element.parentElement ?? hostOf(element);
  if (next === undefined) return;
  yield next;
  yield* around(next);
}

function hostOf(element: Element): Element | undefined {
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? root.host : undefined;
}
