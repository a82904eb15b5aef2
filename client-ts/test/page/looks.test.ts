// Every main state of the page in themes of the editor, in the long run in every one, wide and narrow, large, without motion, with a system's own
// colours: nothing that axe knows is wrong with it, and nothing is cut off. With ASSENT_SCREENS, pictures are kept there.
import { mkdirSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { ALL } from "../support/sizes.js";
import { type PageState, STATES } from "../support/states.js";
import { violations } from "./axe.js";
import { cutOff } from "./cut-off.js";
import { aPageForEachTest, page } from "./each-page.js";
import { themesOf } from "./themes.js";

aPageForEachTest();

const SCREENS = process.env.ASSENT_SCREENS;

beforeAll(() => {
  if (SCREENS) mkdirSync(SCREENS, { recursive: true });
});

async function begin(state: PageState): Promise<void> {
  await page.tell(...state.tells);
  for (const name of state.presses ?? []) await page.page.getByRole("button", { name, exact: true }).first().click();
  for (const key of state.keys ?? []) await page.page.keyboard.press(key);
  if (state.writes) await page.page.getByLabel(state.writes[0], { exact: true }).fill(state.writes[1]);
  await page.page.getByText(state.shows).first().waitFor({ state: "attached" });
  if (state.tells.some((one) => one.type === "approval")) await page.armed();
}

/** Magnified to twice the size, a side bar of 400 pixels holds what goes into 200, and half of its height. */
const NARROW = [
  [250, 900],
  [200, 450],
] as const;

/** What is wrong with it in this look. */
async function faults(look: string): Promise<string[]> {
  if (SCREENS) await page.page.screenshot({ path: path.join(SCREENS, `${look.replaceAll(" ", "-")}.png`) });
  return [...(await violations(page)), ...(await cutOff(page))].map((fault) => `${look}: ${fault}`);
}

const NUMBERED = Object.entries(STATES).map(([name, state], number) => [name, state, number] as const);

describe.each(NUMBERED)("%s", (name, state, number) => {
  test("in themes of the editor, narrow, at twice the size, with the colours of the system", async () => {
    await begin(state);
    const found: string[] = [];
    for (const theme of themesOf(number)) {
      await page.wear(theme);
      found.push(...(await faults(`${name} in ${theme}`)));
    }
    for (const [width, height] of ALL ? NARROW : NARROW.slice(number % 2).slice(0, 1)) {
      await page.page.setViewportSize({ width, height });
      found.push(...(await faults(`${name} at ${width}`)));
    }
    // The editor goes with a system that has colours of its own: it is dark where that is.
    await page.wear("dark-2026");
    await page.page.emulateMedia({ forcedColors: "active", colorScheme: "dark" });
    found.push(...(await faults(`${name} in the colours of the system`)));
    expect(found).toEqual([]);
  });
});
