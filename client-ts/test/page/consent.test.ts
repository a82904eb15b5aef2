import { describe, expect, test } from "vitest";
import { consent, entry } from "../support/consents.js";
import { request } from "../support/examples.js";
import { aPageForEachTest, page } from "./each-page.js";

aPageForEachTest();

const HONOUR = "Honour the selected";
const IGNORE = "Ignore all";
const panel = () => page.page.getByRole("group", { name: "Settings of this workspace" });
const button = (name: string) => panel().getByRole("button", { name, exact: true });
const tick = (words: string) => panel().getByRole("checkbox", { name: words }).check();
const clickAtOnce = (name: string) => button(name).click({ force: true, noWaitAfter: true });
const answers = () => page.said.filter((message) => message.type === "consentAnswer");

async function ask(changes: Parameters<typeof consent>[0] = {}): Promise<void> {
  await page.tell({ type: "consent", request: consent(changes) });
  await panel().waitFor();
}

async function armed(name = IGNORE): Promise<void> {
  await panel().locator('button[aria-disabled="false"]', { hasText: name }).waitFor();
}

const answer = (honour: string[]) => ({
  type: "consentAnswer",
  consentId: "q-1",
  digest: "consent-digest-1",
  honour,
});

describe("the panel", () => {
  test("has nothing ticked, and then there is nothing to honour", async () => {
    await ask();
    await armed();
    expect(await panel().getByRole("checkbox", { checked: true }).count()).toBe(0);
    expect(await button(HONOUR).getAttribute("aria-disabled")).toBe("true");
    await clickAtOnce(HONOUR);
    await button(HONOUR).focus();
    await page.page.keyboard.press("Enter");
    await page.drawn();
    expect(answers()).toEqual([]);
  });

  test("honours what is ticked and nothing else", async () => {
    await ask();
    await tick("write_file runs without asking for docs/**.");
    await armed(HONOUR);
    await button(HONOUR).click();
    await expect.poll(answers).toEqual([answer(["e-2"])]);
  });

  test("ignores all, also what is ticked", async () => {
    await ask();
    await tick("Demo runs without asking");
    await armed();
    await button(IGNORE).click();
    await expect.poll(answers).toEqual([answer([])]);
  });

  test("is used by the keyboard alone", async () => {
    await ask();
    await armed();
    await panel().getByRole("checkbox").first().focus();
    await page.page.keyboard.press("Space");
    await armed(HONOUR);
    for (const _ of ["its place", "the other box", "its place", HONOUR]) await page.page.keyboard.press("Tab");
    await page.page.keyboard.press("Enter");
    await expect.poll(answers).toEqual([answer(["e-1"])]);
  });

  test("shows each entry with its exact values, and opens its place", async () => {
    await ask({
      entries: [entry({ before: false, after: true }), entry({ entryId: "e-2", after: ["a\u202Eb"], line: null })],
    });
    const items = panel().getByRole("listitem");
    const text = async (index: number) => (await items.nth(index).textContent())?.replace(/\s+/g, " ");
    expect(await text(0)).toContain("assent.bypassPermissions false →would become true .vscode/settings.json:4");
    expect(await text(1)).toContain('nothing →would become ["a‹U+202E›b"]');
    await panel().getByText("Holds characters that cannot be seen").waitFor();
    await items.first().getByRole("button").click();
    await expect
      .poll(() => page.said)
      .toContainEqual({ type: "openFile", path: "/home/ada/project/.vscode/settings.json", line: 4 });
    await items.nth(1).getByRole("button").click();
    await expect
      .poll(() => page.said)
      .toContainEqual({ type: "openFile", path: "/home/ada/project/.vscode/settings.json" });
  });

  test("stands above the chat, takes no focus, and leaves the composer in sight however much it holds", async () => {
    await page.composer.focus();
    const entries = Array.from({ length: 130 }, (_, index) =>
      entry({ entryId: `e-${index}`, words: `Entry ${index}.` }),
    );
    await ask({ entries });
    await page.ask(request());
    expect(await panel().getByRole("checkbox").count()).toBe(100);
    await panel().getByText("30 more are not shown and stay without effect.").waitFor();
    const [top, card, composer] = await Promise.all(
      [panel(), page.card(), page.composer].map(async (one) => (await one.boundingBox())?.y ?? -1),
    );
    expect(top).toBeLessThan(card ?? -1);
    expect(composer).toBeLessThan(900);
    await expect.poll(() => button(IGNORE).isVisible()).toBe(true);
    expect(await page.page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.localName)).toBe(
      "assent-composer",
    );
  });

  test("is there without any chat", async () => {
    await page.page.reload();
    await page.tell({ type: "connection", state: "ready", text: "", actions: [] });
    await ask();
  });
});

describe("no answer counts", () => {
  test("before the panel has stood still for a moment", async () => {
    await page.stopClock();
    await ask();
    await page.passes(399);
    await clickAtOnce(IGNORE);
    await button(IGNORE).focus();
    await page.page.keyboard.press("Enter");
    await page.drawn();
    expect(answers()).toEqual([]);
    await page.passes(1);
    await armed();
    await button(IGNORE).click();
    await expect.poll(answers).toHaveLength(1);
  });

  test("that was meant for an earlier question: what was ticked there is not ticked here", async () => {
    await ask();
    await tick("Demo runs without asking");
    await armed(HONOUR);
    await page.stopClock();
    await page.tell({ type: "consent", request: consent({ consentId: "q-2", digest: "d-2" }) });
    await page.page.locator('[data-consent-id="q-2"]').waitFor();
    await clickAtOnce(HONOUR);
    await clickAtOnce(IGNORE);
    await page.passes(400);
    await armed();
    await clickAtOnce(HONOUR);
    await page.drawn();
    expect(answers()).toEqual([]);
    expect(await panel().getByRole("checkbox", { checked: true }).count()).toBe(0);
  });

  test("twice", async () => {
    await ask();
    await tick("Demo runs without asking");
    await armed(HONOUR);
    await button(HONOUR).dblclick();
    await clickAtOnce(IGNORE);
    await page.drawn();
    expect(answers()).toHaveLength(1);
    expect(await panel().getByRole("checkbox").first().isDisabled()).toBe(true);
  });

  test("while there is no server", async () => {
    await ask();
    await armed();
    await page.tell({ type: "connection", state: "lost", text: "Connection lost.", actions: [] });
    await page.page.getByText("Connection lost.").waitFor();
    await clickAtOnce(IGNORE);
    await page.drawn();
    expect(answers()).toEqual([]);
  });
});

test("an answer that failed leaves the panel with the reason; it can be given again, or put away", async () => {
  await ask();
  await tick("Demo runs without asking");
  await armed(HONOUR);
  await button(HONOUR).click();
  await page.tell({ type: "consentFailed", consentId: "q-1", text: "No word from the server." });
  await panel().getByText("No word from the server.").waitFor();
  await armed(HONOUR);
  await button(HONOUR).click();
  await expect.poll(answers).toEqual([answer(["e-1"]), answer(["e-1"])]);
  await page.tell({ type: "consentFailed", consentId: "q-1", text: "Still none." });
  await button("Close").click();
  await expect.poll(() => page.said).toContainEqual({ type: "consentHide", consentId: "q-1" });
  await page.tell({ type: "consentClosed", consentId: "q-1" });
  await panel().waitFor({ state: "detached" });
});

test("an answer that counted closes the panel and is told in the chat", async () => {
  await ask();
  await page.tell({ type: "consentAnswered", consentId: "q-1", outcome: { honoured: 1, ignored: 1 } });
  await panel().waitFor({ state: "detached" });
  await page.page.getByText("1 entry counts now, 1 is ignored until changed.").first().waitFor();
});

test("what could not be kept is said until it is seen", async () => {
  await page.tell({
    type: "consentAnswered",
    consentId: "q-1",
    outcome: { honoured: 1, ignored: 0, error: "Disk full." },
  });
  await page.page.getByText("Disk full.").last().waitFor();
  await page.page.getByRole("button", { name: "Close", exact: true }).click();
  await page.page.locator("assent-consent").getByText("Disk full.").waitFor({ state: "detached" });
});
