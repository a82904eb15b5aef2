import type { Locator } from "playwright-core";
import { beforeEach, describe, expect, test } from "vitest";
import { manyOptions } from "../support/consents.js";
import { request, resolution } from "../support/examples.js";
import { aPageForEachTest, page } from "./each-page.js";

aPageForEachTest();

const MORE = "Don’t ask again…";
const LASTING = [
  "Add /home/ada/notes to the workspace",
  "Always allow write_file in docs/**",
  "Always allow write_file",
  "Bypass permissions for this chat",
  "Bypass permissions for Demo",
  "Never allow write_file in docs/**",
];

beforeEach(async () => {
  await page.page.setViewportSize({ width: 420, height: 1400 });
});

const ask = () => page.ask(request({ options: manyOptions() }));
const clickAtOnce = (name: string) => page.button(name).click({ force: true, noWaitAfter: true });
const enabled = (name: string) => page.card().locator('button[aria-disabled="false"]', { hasText: name }).first();
const focusedName = () =>
  page.page.evaluate(() => {
    let active: Element | null = document.activeElement;
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
    return active?.textContent?.replace(/[▸▾]/u, "").trim() ?? "";
  });

test("what lasts is folded away, and nothing else", async () => {
  await ask();
  const names = await page.card().getByRole("button").allInnerTexts();
  expect(names.map((name) => name.replace("▸", "").trim())).toEqual([
    "Approve",
    "Deny",
    "Deny with a message…",
    "Allow write_file for this chat",
    MORE,
  ]);
  await page.armed();
  expect(await page.button(MORE).getAttribute("aria-expanded")).toBe("false");
  await page.button(MORE).click();
  expect(await page.button(MORE).getAttribute("aria-expanded")).toBe("true");
  const unfolded = page.card().getByRole("group", { name: MORE });
  expect((await unfolded.getByRole("button").allInnerTexts()).map((name) => name.trim())).toEqual(LASTING);
});

test.each([
  ["the last of it where all of it fits", 900, LASTING.length - 1],
  ["the first of it where it does not", 500, 0],
] as const)("what is unfolded comes into sight: %s", async (_name, height, index) => {
  await page.page.setViewportSize({ width: 420, height });
  await ask();
  await page.armed();
  await page.button(MORE).click();
  const top = async () => (await page.button(LASTING[index] ?? "").boundingBox())?.y ?? -1;
  const room = (await page.page.locator("assent-thread").boundingBox()) ?? { y: 0, height: 0 };
  await expect.poll(top).toBeGreaterThan(room.y);
  expect(await top()).toBeLessThan(room.y + room.height);
});

test("a card without anything that lasts has nothing to unfold", async () => {
  await page.ask(request({ options: manyOptions().filter(({ kind }) => kind.endsWith("_once")) }));
  expect(await page.card().getByRole("button").count()).toBe(3);
});

test("where only a refusal lasts, the words say so", async () => {
  await page.ask(request({ options: manyOptions().filter(({ kind }) => /_once|^reject/.test(kind)) }));
  await page.button("Never allow…").click();
  await page.button("Never allow write_file in docs/**").waitFor();
});

describe("every lasting answer", () => {
  test.each(LASTING.map((name, index) => [name, index] as const))(
    "%s can be given, and is sent as itself",
    async (name) => {
      await ask();
      await page.armed();
      await page.button(MORE).click();
      await enabled(name).waitFor();
      await page.button(name).click();
      const wanted = manyOptions().find((option) => option.name === name)?.optionId;
      await expect.poll(() => page.answers()).toMatchObject([{ optionId: wanted }]);
    },
  );

  test("counts only after standing still, for pointer and key", async () => {
    await ask();
    await page.armed();
    await page.stopClock();
    await page.button(MORE).click();
    await clickAtOnce("Bypass permissions for Demo");
    await page.button("Bypass permissions for Demo").focus();
    await page.page.keyboard.press("Enter");
    // What stood still all the time has moved with its neighbours as far as anyone can tell.
    await clickAtOnce("Approve");
    await page.passes(399);
    await clickAtOnce("Always allow write_file");
    await page.drawn();
    expect(page.answers()).toEqual([]);
    await page.passes(1);
    await enabled("Bypass permissions for Demo").waitFor();
    await page.button("Bypass permissions for Demo").click();
    await expect.poll(() => page.answers()).toHaveLength(1);
  });

  test("is reached by the keyboard alone, in the order in which it stands", async () => {
    await ask();
    await page.armed();
    await page.button(MORE).focus();
    await page.page.keyboard.press("Enter");
    await enabled(LASTING[0] ?? "").waitFor();
    const passed: string[] = [];
    for (const _ of LASTING) {
      await page.page.keyboard.press("Tab");
      passed.push(await focusedName());
    }
    expect(passed).toEqual(LASTING);
    await page.page.keyboard.press("Space");
    await expect.poll(() => page.answers()).toMatchObject([{ optionId: "never" }]);
  });

  test("is folded away again by Escape, and the focus goes to what unfolds it", async () => {
    await ask();
    await page.armed();
    await page.button(MORE).focus();
    await page.page.keyboard.press("Enter");
    await page.page.keyboard.press("Tab");
    await page.page.keyboard.press("Escape");
    expect(await page.button(MORE).getAttribute("aria-expanded")).toBe("false");
    expect(await focusedName()).toBe(MORE);
    expect(await page.button("Bypass permissions for Demo").count()).toBe(0);
    expect(page.answers()).toEqual([]);
  });

  test("is described by its scope and by what it settles as well", async () => {
    await ask();
    await page.button(MORE).click();
    expect(await description(page.button("Always allow write_file"))).toBe(
      "Every call of write_file runs without asking. Stored in the workspace settings. Also runs 2 waiting calls.",
    );
    expect(await description(page.button("Add /home/ada/notes to the workspace"))).not.toContain("Also");
    expect(await description(page.button("Allow write_file for this chat"))).toContain("Also runs 2 waiting calls.");
  });

  test("that allows is closed to a long call of which not all was opened; one that refuses is not", async () => {
    await page.ask(request({ options: manyOptions(), truncated: { argsBytes: 70_000 } }));
    await page.armed();
    await page.button(MORE).click();
    await enabled("Never allow write_file in docs/**").waitFor();
    await clickAtOnce("Bypass permissions for Demo");
    await page.drawn();
    expect(page.answers()).toEqual([]);
    await page.button("Never allow write_file in docs/**").click();
    await expect.poll(() => page.answers()).toMatchObject([{ optionId: "never" }]);
  });
});

test("a card that changed under an unfolded list takes no click for a moment", async () => {
  await ask();
  await page.armed();
  await page.button(MORE).click();
  await enabled("Bypass permissions for Demo").waitFor();
  await page.stopClock();
  await page.tell({
    type: "approval",
    request: request({ options: manyOptions(), argsDigest: "d-2", refreshed: true }),
  });
  await page.card().getByText("Changed, please review again.").waitFor();
  await page.button("Bypass permissions for Demo").focus();
  await page.page.keyboard.press("Enter");
  await clickAtOnce("Bypass permissions for Demo");
  await page.drawn();
  expect(page.answers()).toEqual([]);
});

test.each([
  [{ written: true, target: "workspace" }, "Stored “Always allow write_file” in the workspace settings.", false],
  [
    { written: false, target: "workspace", error: "The file has unsaved changes. It holds for this chat." },
    "Not stored in the workspace settings: The file has unsaved changes. It holds for this chat.",
    true,
  ],
  [
    {
      written: true,
      target: "workspace",
      error: "It stands in /w/s.json, line 4, but it has no effect: what stands in line 2 of that file wins over it.",
      overruledBy: { scope: "workspace", file: "/w/s.json", line: 2 },
    },
    "Written in the workspace settings. It stands in /w/s.json, line 4, but it has no effect: " +
      "what stands in line 2 of that file wins over it.",
    true,
  ],
] as const)("the row of the call says at its end what was stored: %j", async (settings, words, isProblem) => {
  await ask();
  await page.armed();
  await page.button(MORE).click();
  await enabled("Always allow write_file").waitFor();
  await page.button("Always allow write_file").click();
  await page.tell({ type: "resolved", resolved: resolution({ decision: "allow_always" }) });
  await page.tell({ type: "answered", approvalId: "a-1", decision: "allow_always", settings });
  const note = page.page.locator('[data-call-id="c-1"] .notes li').last();
  await expect.poll(() => note.textContent()).toBe(words);
  expect(await note.evaluate((element) => element.classList.contains("problem"))).toBe(isProblem);
  await expect.poll(() => page.page.locator('[aria-live="polite"]').textContent()).toContain(words);
});

/** What a screen reader says after the button's name. */
function description(button: Locator): Promise<string> {
  return button.evaluate((element) => {
    const ids = (element.getAttribute("aria-describedby") ?? "").split(" ");
    const texts = ids.map((id) => (element.getRootNode() as ShadowRoot).getElementById(id)?.textContent ?? "");
    return texts.join(" ").replace(/\s+/g, " ").trim();
  });
}
