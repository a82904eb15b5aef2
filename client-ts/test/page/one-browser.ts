// One browser, and the server of the page, for all tests of the file that imports this.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { launch, PageServer } from "./browser.js";

export let browser: Browser;
export let server: PageServer;

beforeAll(async () => {
  [browser, server] = await Promise.all([launch(), PageServer.open()]);
});
afterAll(async () => {
  await browser?.close();
  server?.close();
});
