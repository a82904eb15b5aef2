// An answer that a card only shows: it can be found and read, and neither pointer nor keyboard gives it.
import { beforeEach, expect, test } from "vitest";
import type { ApprovalOption } from "../../src/protocol/generated.js";
import { manyOptions } from "../support/consents.js";
import { request } from "../support/examples.js";
import { aPageForEachTest, page } from "./each-page.js";

aPageForEachTest();

const MORE = "Don’t ask again…";
const NAME = "Let Agent stop asking: “Yes, always”";
const WHY = "It cannot be chosen here. What is protected is always asked for.";
const SHOWN: ApprovalOption = {
  optionId: "own:always",
  name: NAME,
  kind: "allow_always",
  scopeText: WHY,
  disabledReason: WHY,
};

beforeEach(async () => {
  await page.page.setViewportSize({ width: 420, height: 1400 });
  const plain = manyOptions().filter(({ kind }) => kind.endsWith("_once") || kind === "reject_always");
  await page.ask(request({ options: [...plain, SHOWN] }));
  await page.armed();
  await page.button(MORE).click();
  // What may be chosen beside it takes a click by now, so only its own state can keep it from one.
  await page.card().locator('button[aria-disabled="false"]', { hasText: "Never allow" }).waitFor();
});

test("stands in the menu with its words, and why in sight and for a screen reader", async () => {
  const button = page.button(NAME);
  expect(await button.getAttribute("aria-disabled")).toBe("true");
  await page.card().getByText(WHY).waitFor({ state: "visible" });
  const described = await button.evaluate((element) => {
    const id = element.getAttribute("aria-describedby") ?? "";
    const root = element.getRootNode() as ShadowRoot;
    return root.getElementById(id)?.textContent?.trim();
  });
  expect(described).toBe(WHY);
  expect(await button.getAttribute("title")).toBeNull();
});

test("takes no click and no key, and the card still waits", async () => {
  await page.button(NAME).click({ force: true });
  await page.button(NAME).focus();
  for (const key of ["Enter", "Space", "Control+Enter"]) await page.page.keyboard.press(key);
  await page.button(NAME).dispatchEvent("click");
  await page.drawn();
  expect(page.answers()).toEqual([]);
  await page.button("Deny").first().click();
  await expect.poll(() => page.answers()).toMatchObject([{ optionId: "deny" }]);
});

test("keeps nobody from going on with the keyboard", async () => {
  await page.button(MORE).focus();
  const passed: string[] = [];
  for (let step = 0; step < 2; step += 1) {
    await page.page.keyboard.press("Tab");
    passed.push(await focusedName());
  }
  expect(passed).toEqual([NAME, "Never allow write_file in docs/**"]);
  await page.page.keyboard.press("Shift+Tab");
  expect(await focusedName()).toBe(NAME);
  await page.page.keyboard.press("Escape");
  expect(await focusedName()).toBe(MORE);
});

function focusedName(): Promise<string> {
  return page.page.evaluate(() => {
    let active: Element | null = document.activeElement;
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
    return active?.textContent?.replace(/[▸▾]/u, "").trim() ?? "";
  });
}
