import { expect, test } from "vitest";
import type { UrlPreview } from "../../src/protocol/generated.js";
import { request } from "../support/examples.js";
import { aPageForEachTest, page } from "./each-page.js";

aPageForEachTest();

/** The card of a call that reaches this address. */
async function ask(shown: Omit<UrlPreview, "kind">): Promise<void> {
  const preview: UrlPreview = { kind: "url", ...shown };
  await page.ask(
    request({ tool: "web_fetch", category: "external", headline: "Fetch a page", directory: "", preview }),
  );
}

const address = () => page.page.getByLabel("Address", { exact: true });

test("an address stands there exactly, with its host set apart", async () => {
  await ask({ before: "https://", host: "docs.example.org", after: ":8443/a?b=c&d", note: "It types: Ada & Co" });
  expect(await address().textContent()).toBe("https://docs.example.org:8443/a?b=c&d");
  expect(await address().locator("strong").textContent()).toBe("docs.example.org");
  expect(await page.page.getByText("It types: Ada & Co").count()).toBe(1);
  expect(await page.page.locator(".place").count()).toBe(0);
});

test("what cannot be seen in what would be typed is written out", async () => {
  await ask({ before: "https://", host: "example.org", after: "/", note: "It types: a\u202eb<img src=x>" });
  expect(await page.page.getByText("‹U+202E›").count()).toBeGreaterThan(0);
  expect(await page.page.locator("img").count()).toBe(0);
});
