// What the page offers while a run goes on, and when it has failed.
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { event, session, text } from "../support/examples.js";
import { aPageForEachTest, ownPage, page } from "./each-page.js";
import type { Theme } from "./themes.js";

aPageForEachTest();

const button = (name: string) => page.page.getByRole("button", { name, exact: true });
const retry = () => button("Retry");
const sent = () => page.said.filter((one) => one.type === "send");

const runs = () => page.tell({ type: "event", event: event(1, "Prompt", { text: "tell me a story" }) });
async function fails(n = 2): Promise<void> {
  await page.tell({ type: "event", event: text(n, "Once upon") });
  const message = "The model’s answer was cut off: the connection ended before it did.";
  await page.tell({ type: "event", event: event(n + 1, "Error", { message, code: "stream_cut", canRetry: true }) });
}

describe("a run that failed", () => {
  test("is retried with one press, also where it is pressed twice, and the button is gone", async () => {
    await runs();
    await fails();
    await retry().waitFor();
    await retry().evaluate((found: HTMLElement) => {
      found.click();
      found.click();
    });
    await retry().waitFor({ state: "detached" });
    await expect
      .poll(() => page.said.filter((one) => one.type === "retryRun"))
      .toEqual([{ type: "retryRun", sessionId: "s-1" }]);
    await page.page.getByText("Working").waitFor();
    await page.tell({ type: "event", event: event(4, "Retry", {}) });
    await page.tell({ type: "event", event: text(5, " a time.") });
    await page.tell({ type: "event", event: event(6, "Done", { done_reason: "stop" }) });
    await page.page.getByText("a time.").waitFor();
    expect(await retry().count()).toBe(0);
  });

  test("by the keyboard, and the focus stays with the chat", async () => {
    await runs();
    await fails();
    await retry().focus();
    await page.page.keyboard.press("Enter");
    await retry().waitFor({ state: "detached" });
    const focused = await page.page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.localName);
    expect(focused).toBe("assent-thread");
  });

  test("has a button only where it failed last", async () => {
    await runs();
    await fails();
    await page.tell({ type: "event", event: event(4, "Retry", {}) });
    await fails(5);
    await expect.poll(() => page.page.locator(".end.failed").count()).toBe(2);
    expect(await retry().count()).toBe(1);
    await page.composer.fill("never mind");
    await page.composer.press("Enter");
    await retry().waitFor({ state: "detached" });
  });

  test("cannot be retried while there is no server", async () => {
    await runs();
    await fails();
    await retry().waitFor();
    await page.tell({ type: "connection", state: "lost", text: "Connecting…", actions: [] });
    await expect.poll(() => retry().isDisabled()).toBe(true);
    expect(page.said.filter((one) => one.type === "retryRun")).toEqual([]);
  });
});

describe("a message while a run goes on", () => {
  test("waits when it is sent with Enter", async () => {
    await runs();
    await page.composer.fill("and then?");
    await page.page.getByText("Sent when this run has ended.").waitFor();
    expect(await page.composer.evaluate(describedBy)).toBe("Sent when this run has ended.");
    await page.composer.press("Enter");
    await expect.poll(sent).toMatchObject([{ text: "and then?", sessionId: "s-1" }]);
    expect(sent()[0]).not.toHaveProperty("whenBusy");
    await page.page.getByText("Queued").waitFor();
    expect(await page.page.getByText("Stopping").count()).toBe(0);
  });

  test("takes the place of the run where the user says so", async () => {
    await runs();
    await page.composer.fill("something else");
    await button("Stop and send").click();
    await expect.poll(sent).toMatchObject([{ text: "something else", sessionId: "s-1", whenBusy: "replace" }]);
    expect(await page.composer.inputValue()).toBe("");
    await page.page.getByText("Stopping").waitFor();
    await page.page.getByText("Sending…").waitFor();
    expect(await page.page.getByText("Queued").count()).toBe(0);
  });

  test("can be sent instead by the keyboard alone", async () => {
    await runs();
    await page.composer.fill("something else");
    await button("Stop and send").waitFor();
    await page.composer.press("Tab");
    await page.page.keyboard.press("Enter");
    await expect.poll(sent).toMatchObject([{ text: "something else", whenBusy: "replace" }]);
  });

  test("has no second way where nothing goes on, or nothing is written", async () => {
    await page.composer.fill("hello");
    await page.drawn();
    expect(await button("Stop and send").count()).toBe(0);
    await page.composer.fill("");
    await runs();
    await page.page.getByText("Working").waitFor();
    expect(await button("Stop and send").count()).toBe(0);
    await page.composer.fill("  ");
    await page.drawn();
    expect(await button("Stop and send").count()).toBe(0);
    await page.composer.fill("hello");
    await button("Stop and send").waitFor();
    await page.tell({ type: "event", event: event(2, "Done", { done_reason: "stop" }) });
    await button("Stop and send").waitFor({ state: "detached" });
  });
});

const SCREENS = path.resolve(import.meta.dirname, "../../../test-results/screens");
const LOOKS: [Theme, number][] = [
  ["light", 420],
  ["dark", 420],
  ["high-contrast", 420],
  ["light", 250],
];

test.each(LOOKS)("its buttons are in sight: %s, %i px", async (theme, width) => {
  await ownPage(theme, width);
  await mkdir(SCREENS, { recursive: true });
  await page.tell({ type: "session", session: session({ agentName: "A model with a long name" }) });
  await runs();
  await fails();
  await inSight("Retry");
  await page.page.screenshot({ path: path.join(SCREENS, `retry-${theme}-${width}.png`) });
  await retry().click();
  await page.composer.fill("Leave that. Tell me about the weather instead.");
  for (const name of ["Stop and send", "Stop", "Send"]) await inSight(name);
  await page.page.screenshot({ path: path.join(SCREENS, `busy-${theme}-${width}.png`) });
});

async function inSight(name: string): Promise<void> {
  await button(name).waitFor();
  const box = await button(name).boundingBox();
  const size = page.page.viewportSize();
  if (box === null || size === null) throw new Error(`there is no ${name}`);
  expect(box.x).toBeGreaterThanOrEqual(0);
  expect(box.x + box.width).toBeLessThanOrEqual(size.width);
  expect(box.y + box.height).toBeLessThanOrEqual(size.height);
}

function describedBy(field: Element): string | null | undefined {
  const id = field.getAttribute("aria-describedby");
  return (field.getRootNode() as ShadowRoot).getElementById(id ?? "")?.textContent;
}
