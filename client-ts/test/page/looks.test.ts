// Every main state of the page in themes of the editor, in the long run in every one, wide and narrow, large, without motion, with a system's own
// colours: nothing that axe knows is wrong with it, and nothing is cut off. With ASSENT_SCREENS, pictures are kept there.
import { mkdirSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type PageState, STATES } from "../support/states.js";
import { violations } from "./axe.js";
import { EditorPage } from "./browser.js";
import { cutOff } from "./cut-off.js";
import { browser, server } from "./one-browser.js";
import { themesOf } from "./themes.js";

const SCREENS = process.env.ASSENT_SCREENS;

beforeAll(() => {
  if (SCREENS) mkdirSync(SCREENS, { recursive: true });
});

async function inState(state: PageState): Promise<EditorPage> {
  const page = await EditorPage.open(browser, server.address);
  await page.tell(...state.tells);
  for (const name of state.presses ?? []) await page.page.getByRole("button", { name, exact: true }).first().click();
  for (const key of state.keys ?? []) await page.page.keyboard.press(key);
  if (state.writes) await page.page.getByLabel(state.writes[0], { exact: true }).fill(state.writes[1]);
  await page.page.getByText(state.shows).first().waitFor({ state: "attached" });
  if (state.tells.some((one) => one.type === "approval")) await page.armed();
  return page;
}

/** What is wrong with it in this look. */
async function faults(page: EditorPage, look: string): Promise<string[]> {
  if (SCREENS) await page.page.screenshot({ path: path.join(SCREENS, `${look.replaceAll(" ", "-")}.png`) });
  return [...(await violations(page)), ...(await cutOff(page))].map((fault) => `${look}: ${fault}`);
}

const NUMBERED = Object.entries(STATES).map(([name, state], number) => [name, state, number] as const);

describe.each(NUMBERED)("%s", (name, state, number) => {
  test("in themes of the editor, narrow, at twice the size, with the colours of the system", async () => {
    const page = await inState(state);
    const found: string[] = [];
    for (const theme of themesOf(number)) {
      await page.wear(theme);
      found.push(...(await faults(page, `${name} in ${theme}`)));
    }
    // Magnified to twice the size, a side bar of 400 pixels holds what goes into 200, and half of its height.
    for (const [width, height] of [
      [250, 900],
      [200, 450],
    ] as const) {
      await page.page.setViewportSize({ width, height });
      found.push(...(await faults(page, `${name} at ${width}`)));
    }
    // The editor goes with a system that has colours of its own: it is dark where that is.
    await page.wear("dark-2026");
    await page.page.emulateMedia({ forcedColors: "active", colorScheme: "dark" });
    found.push(...(await faults(page, `${name} in the colours of the system`)));
    expect(found).toEqual([]);
    expect(page.faults).toEqual([]);
    await page.page.close();
  });
});
