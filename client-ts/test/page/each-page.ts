// A page for each test of a file, all in one browser. A fault on a page fails its test.
import { afterEach, beforeEach, expect } from "vitest";
import { EditorPage } from "./browser.js";
import { browser, server } from "./one-browser.js";
import type { Theme } from "./themes.js";

export { browser, server };
export let page: EditorPage;
let usual: EditorPage | undefined;

/** Has each test of this file find a new page; it lies where the one before lay, which takes half of the time. */
export function aPageForEachTest(): void {
  beforeEach(async () => {
    if (usual === undefined || usual.page.isClosed()) usual = await EditorPage.open(browser, server.address);
    else await usual.again();
    page = usual;
  });
  afterEach(async () => {
    expect(page.faults).toEqual([]);
    if (page !== usual) await page.page.close();
  });
}

/** Another page for this test alone: in a look of its own, or because what is done to it could not be undone. */
export async function ownPage(theme: Theme = "light", width = 420): Promise<void> {
  page = await EditorPage.open(browser, server.address, theme, width);
}
