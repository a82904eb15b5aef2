// Colours over what a card shows: nothing of what stands there is another with them, and all of it can be read.
import { mkdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { DiffLineInfo } from "../../src/protocol/generated.js";
import { type Colour, contrast, ENOUGH } from "../../src/webview/contrast.js";
import { request } from "../support/examples.js";
import { EditorPage } from "./browser.js";
import { aPageForEachTest, browser, ownPage, page, server } from "./each-page.js";
import { THEME_NAMES, type Theme } from "./themes.js";

aPageForEachTest();

const LINES: DiffLineInfo[] = [
  { kind: "context", text: "import { a } from 'b'; // why", oldNumber: 1, newNumber: 1 },
  { kind: "removed", text: "const one = 'a\u202e b' + 0x10; /* goes on", oldNumber: 2 },
  { kind: "added", text: 'const two = "<b>\u200b" + 12;', newNumber: 2 },
  { kind: "gap", text: "3 unchanged lines" },
  { kind: "added", text: "return `x` // 𝒶 \u0430bc", newNumber: 6 },
];
const diff = { kind: "diff" as const, path: "src/a.ts", realPath: "/p/src/a.ts", isNew: false, added: 2, removed: 1 };
const PREVIEWS = {
  diff: { ...diff, lines: LINES },
  command: { kind: "command" as const, text: 'if true; then echo "a\u202e" 12 # why\nfi', parts: [] },
  json: { kind: "json" as const, text: '{\n  "a\u00ad": [1, true, "<script>"]\n}' },
};

const coloured = (on: EditorPage) =>
  on.page.evaluate(() => {
    const texts: Record<string, string[]> = {};
    for (const [name, highlight] of CSS.highlights) {
      texts[name.replace("assent-", "")] = [...highlight].map((range) => {
        const { startContainer, startOffset, endOffset } = range;
        return (startContainer.textContent ?? "").slice(startOffset, endOffset);
      });
    }
    return texts;
  });
const markup = (on: EditorPage) => on.card().evaluate((card) => card.innerHTML.replace(/<!--[^>]*-->|lit\$\d+\$/g, ""));

describe.each(Object.entries(PREVIEWS))("a card with %s", (_name, preview) => {
  test("has the same characters in the same elements with its colours as without", async () => {
    const without = await EditorPage.open(browser, server.address);
    await without.page.evaluate(() =>
      window.addEventListener("drawn", (event) => event.stopImmediatePropagation(), true),
    );
    await without.ask(request({ preview }));
    await page.ask(request({ preview }));
    for (const one of [page, without]) await one.armed();
    await expect.poll(async () => Object.values(await coloured(page)).flat().length).toBeGreaterThan(3);
    expect(await markup(page)).toBe(await markup(without));
    expect(Object.values(await coloured(without)).flat()).toEqual([]);
    const escaped = await page.card().locator(".escaped").allTextContents();
    expect(escaped.length).toBeGreaterThan(0);
    for (const text of Object.values(await coloured(page)).flat()) expect(text).not.toContain("U+");
    await without.page.close();
  });
});

test("each part has the colour of its kind, also over something that is made visible", async () => {
  await page.ask(request({ preview: PREVIEWS.diff }));
  await expect.poll(async () => (await coloured(page)).keyword).toContain("const");
  const found = await coloured(page);
  expect(found.keyword).toEqual(["import", "from", "const", "const", "return"]);
  expect(found.number).toEqual(["0x10", "12"]);
  expect(found.string).toEqual(["'b'", "'a", " b'", '"<b>', '"', "`x`"]);
  expect(found.comment).toEqual(["// why", "/* goes on", "// 𝒶 ", "bc"]);
});

test("a card that is another one, or gone, leaves no colours behind", async () => {
  await page.ask(request({ preview: PREVIEWS.diff }));
  await expect.poll(async () => (await coloured(page)).keyword).toContain("import");
  await page.tell({ type: "approval", request: request({ preview: PREVIEWS.command, argsDigest: "digest-2" }) });
  await expect.poll(async () => (await coloured(page)).keyword).toEqual(["if", "then", "fi"]);
});

describe.each<Theme>([...THEME_NAMES])("in the theme %s", (theme) => {
  test("all colours can be read on all that they stand on", async () => {
    await ownPage(theme, 420);
    await page.ask(request({ preview: PREVIEWS.diff }));
    await expect.poll(async () => (await coloured(page)).keyword).toContain("const");
    const rules = await page.card().evaluate((card) => {
      const root = card.getRootNode() as ShadowRoot;
      return root.adoptedStyleSheets.flatMap((sheet) => [...sheet.cssRules].map(({ cssText }) => cssText));
    });
    const colours = rules.filter((rule) => rule.startsWith("::highlight"));
    expect(colours.length).toBe(4);
    const grounds = await page.card().evaluate(groundsOfLines);
    for (const rule of colours) {
      const colour = (rule.match(/\d+/g) ?? []).map(Number) as unknown as Colour;
      for (const ground of grounds) expect(contrast(colour, ground)).toBeGreaterThanOrEqual(ENOUGH);
    }
    const shots = process.env.ASSENT_SHOTS;
    if (shots === undefined) return;
    mkdirSync(shots, { recursive: true });
    await page.page.screenshot({ path: `${shots}/colours-${theme}.png` });
  });
});

/** What the lines stand on, worked out by the browser from the outermost element on. */
function groundsOfLines(card: Element): Colour[] {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d") as OffscreenCanvasRenderingContext2D;
  return [...card.querySelectorAll(".diff .line")].map((line) => {
    const around: Element[] = [];
    for (let one: Element | null = line; one !== null; ) {
      around.unshift(one);
      const root = one.getRootNode();
      one = one.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
    }
    for (const one of around) {
      canvas.fillStyle = getComputedStyle(one).backgroundColor;
      canvas.fillRect(0, 0, 1, 1);
    }
    const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
    return [red, green, blue];
  });
}
