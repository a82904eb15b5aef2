// What there is on a page that no part of it makes, and that could act.
import type { EditorPage } from "./browser.js";

/** What on a page could act. */
export interface Markup {
  foreign: string[];
  handlers: string[];
  links: string[];
}

/** Elements that no part of the page makes, attributes that run code, and addresses that are left to click. */
export function foreignMarkup(page: EditorPage): Promise<Markup> {
  return page.page.evaluate(() => {
    const found: { foreign: string[]; handlers: string[]; links: string[] } = { foreign: [], handlers: [], links: [] };
    const walk = (root: Document | ShadowRoot) => {
      for (const element of root.querySelectorAll("*")) {
        if (element.shadowRoot) walk(element.shadowRoot);
        const isOurs = element.matches("head > style[nonce], body > script[nonce]");
        const name = element.localName;
        const names = [
          "script",
          "style",
          "img",
          "iframe",
          "svg",
          "form",
          "template",
          "slot",
          "object",
          "embed",
          "base",
          "link",
        ];
        if (names.includes(name) && !isOurs) found.foreign.push(element.outerHTML);
        for (const attribute of element.attributes) {
          if (attribute.name.startsWith("on")) found.handlers.push(`${name} ${attribute.name}`);
          if (attribute.name === "href" && name === "a") found.links.push(attribute.value);
        }
      }
    };
    walk(document);
    return found;
  });
}
