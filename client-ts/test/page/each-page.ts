// A page for each test of the file that imports this, all in one browser. A fault on a page fails its test.
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { EditorPage, launch, PageServer, type Theme } from "./browser.js";

export let browser: Browser;
export let server: PageServer;
export let page: EditorPage;

beforeAll(async () => {
  [browser, server] = await Promise.all([launch(), PageServer.open()]);
});
afterAll(async () => {
  await browser?.close();
  server?.close();
});
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
