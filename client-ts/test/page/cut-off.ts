// What a person could not get at: whatever stands outside of the page's own width.
import type { EditorPage } from "./browser.js";

/** Each element that reaches beyond the edge, on either side, and the composer where it is pushed out of sight. */
export function cutOff({ page }: EditorPage): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    // What ends in “…” is there whole where it is asked for; what scrolls by itself, too.
    const isAround = (element: Element | null): boolean => {
      if (element === null) return false;
      const { textOverflow, overflowX } = getComputedStyle(element);
      return (
        textOverflow === "ellipsis" || overflowX === "auto" || overflowX === "scroll" || isAround(element.parentElement)
      );
    };
    const walk = (root: Document | ShadowRoot) => {
      for (const element of root.querySelectorAll("*")) {
        if (element.shadowRoot) walk(element.shadowRoot);
        const { left, right, width } = element.getBoundingClientRect();
        const reachesOut = right > window.innerWidth + 1 || left < -1;
        if (width > 1 && reachesOut && !isAround(element.parentElement))
          found.push(`${element.localName}.${element.className} from ${left} to ${right}`);
      }
    };
    walk(document);
    const composer = document.querySelector("assent-app")?.shadowRoot?.querySelector("assent-composer");
    const below = composer?.getBoundingClientRect().bottom ?? Number.NaN;
    if (!(below <= window.innerHeight + 1)) found.push(`the composer down to ${below} of ${window.innerHeight}`);
    return found;
  });
}
