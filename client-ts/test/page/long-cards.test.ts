// Calls that are much longer than a card, and many cards at once: all of it can be read, and the page stays quick.
import { expect, test } from "vitest";
import type { HostMessage } from "../../src/common/page-messages.js";
import type { DiffLineInfo } from "../../src/protocol/generated.js";
import { request, session } from "../support/examples.js";
import { numbered } from "../support/page-state.js";
import { ALL } from "../support/sizes.js";
import { aPageForEachTest, page } from "./each-page.js";

aPageForEachTest();

const PIECE = 65_536;
const MEGABYTES = ALL ? 10 : 2;
const whole = () => page.page.getByRole("group", { name: "Full arguments" });

/** The pieces in which the host hands over a text. */
function pieces(text: string): HostMessage[] {
  const ids = { type: "details", approvalId: "a-1", argsDigest: "digest-1" } as const;
  return Array.from({ length: Math.ceil(text.length / PIECE) }, (_, at) => {
    const offset = at * PIECE;
    return { ...ids, text: text.slice(offset, offset + PIECE), offset, total: text.length };
  });
}

test(`${MEGABYTES} megabytes are approved only once all of them are there, and can be scrolled to their end`, async () => {
  const text = `{"content":"${"All of this would be written. ".repeat(MEGABYTES * 35_000)} the end\\u202e"}\u202E`;
  expect(text.length).toBeGreaterThan(MEGABYTES * 1_000_000);
  await page.ask(request({ truncated: { argsBytes: text.length }, preview: null }));
  await page.armed();
  const approve = page.button("Approve");
  await page
    .card()
    .getByText(`(${text.length.toLocaleString("en")} bytes)`)
    .waitFor();
  expect(await approve.getAttribute("aria-disabled")).toBe("true");
  await page.button("Open the full text").click();
  const all = pieces(text);
  await page.tell(...all.slice(0, -1));
  await page.drawn();
  expect(await approve.getAttribute("aria-disabled")).toBe("true");
  expect(await whole().count()).toBe(0);
  await page.tell(...all.slice(-1));
  await whole().waitFor();
  // What hides at the end of it is said at once: nobody would read that far.
  await page.card().locator(".hidden-note").waitFor();
  await whole().evaluate((box) => box.scrollTo(0, box.scrollHeight));
  await whole().getByText("the end").waitFor();
  expect(await whole().evaluate((box) => box.textContent?.replace(/\s+$/, "").length)).toBeGreaterThan(text.length);
  await page.armed();
  await page.button("Approve").click();
  await expect.poll(() => page.answers()).toMatchObject([{ optionId: "allow_once", argsDigest: "digest-1" }]);
});

test("a call that changes while its full text is open must be opened anew", async () => {
  await page.ask(request({ truncated: { argsBytes: 70_000 } }));
  await page.button("Open the full text").click();
  await page.tell(...pieces("x".repeat(70_000)));
  await whole().waitFor();
  const truncated = { argsBytes: 80_000 };
  await page.tell({ type: "approval", request: request({ argsDigest: "digest-2", refreshed: true, truncated }) });
  await page.button("Open the full text").waitFor();
  expect(await whole().count()).toBe(0);
  await page.tell(...pieces("x".repeat(70_000)));
  await page.armed();
  expect(await page.button("Approve").getAttribute("aria-disabled")).toBe("true");
});

test("a diff of two thousand lines stands there in full, in a box of its own", async () => {
  const lines = Array.from({ length: 2000 }, (_, at): DiffLineInfo => {
    return { kind: at % 2 ? "added" : "removed", text: `line ${at}`, [at % 2 ? "newNumber" : "oldNumber"]: at + 1 };
  });
  const path = { path: "big.ts", realPath: "/home/ada/project/big.ts", isNew: false };
  await page.ask(request({ preview: { kind: "diff", ...path, lines, added: 1000, removed: 1000 } }));
  await page.card().getByText("+1000 −1000 lines").waitFor();
  const box = page.page.getByRole("group", { name: "Changes, line by line" });
  expect(await box.locator(".line").count()).toBe(2000);
  const room = await box.evaluate((one) => [one.clientHeight, one.scrollHeight, window.innerHeight]);
  expect(room[0]).toBeLessThan(Number(room[2]) / 2);
  expect(room[1]).toBeGreaterThan(20_000);
  await box.focus();
  await box.getByText("line 1999").waitFor({ state: "attached" });
  // Lines are laid out as they come into sight, so that the end can be further down than it was when the key was pressed.
  await expect
    .poll(async () => {
      await page.page.keyboard.press("End");
      return await box.evaluate((one) => one.scrollTop + one.clientHeight >= one.scrollHeight - 1);
    })
    .toBe(true);
  // Lines that are still being laid out move the card, which takes no click then: a person clicks again.
  await expect
    .poll(async () => {
      await page.armed();
      await page.button("Approve").click();
      return page.answers();
    })
    .toHaveLength(1);
});

test("of five hundred that wait those in sight are drawn at once; how fast, this says", async () => {
  const pending = Array.from({ length: 500 }, (_, at) => numbered(at));
  const message: HostMessage = { type: "chat", how: "continue", session: session(), events: [], pending };
  const took = await page.page.evaluate(async (all) => {
    const start = performance.now();
    window.dispatchEvent(new MessageEvent("message", { data: all }));
    const drawn = performance.now() - start;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 0))));
    return { reduced: Math.round(drawn), painted: Math.round(performance.now() - start) };
  }, message);
  await page.page.getByText("500 waiting, 100 shown").waitFor();
  const drawn = await page.card().count();
  expect(drawn).toBeGreaterThan(2);
  expect(drawn).toBeLessThanOrEqual(100);
  console.info(`500 waiting cards: taken in within ${took.reduced} ms, painted after ${took.painted} ms`);
});
