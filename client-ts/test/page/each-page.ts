// A page for each test of the file that imports this, all in one browser. A fault on a page fails its test.
import { afterEach, beforeEach, expect } from "vitest";
import { EditorPage } from "./browser.js";
import { browser, server } from "./one-browser.js";
import type { Theme } from "./themes.js";

export { browser, server };
export let page: EditorPage;

beforeEach(async () => {
  page = await EditorPage.open(browser, server.address);
});
afterEach(async () => {
  expect(page.faults).toEqual([]);
  await page.page.close();
});

/** The page of this test anew. */
export async function pageInAnotherLook(theme: Theme, width: number): Promise<void> {
  await page.page.close();
  page = await EditorPage.open(browser, server.address, theme, width);
}
