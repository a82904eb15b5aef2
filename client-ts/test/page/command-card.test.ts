import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import type { CommandPreview } from "../../src/protocol/generated.js";
import { request } from "../support/examples.js";
import { aPageForEachTest, page } from "./each-page.js";

aPageForEachTest();

/** The card of a command, with this known of it. */
async function ask(shown: Partial<CommandPreview>): Promise<void> {
  const preview: CommandPreview = { kind: "command", text: "ls", parts: [], ...shown };
  await page.ask(request({ tool: "bash", category: "execute", headline: "Run a command", preview }));
}

const box = () => page.page.getByLabel("Command", { exact: true });
/** What an element says, without the blanks of its markup. */
const words = async (place: Locator) => (await place.textContent())?.replace(/\s+/g, " ").trim();
const parts = () => page.page.getByLabel("What it does").locator("> li");

test("a command stands there as it runs, with its line breaks", async () => {
  const text = "cd src &&\n\tgrep -n  'a  b' *.ts | wc -l";
  await ask({ text });
  expect(await box().textContent()).toBe(text);
  const style = await box().evaluate((node) => [getComputedStyle(node).whiteSpace, getComputedStyle(node).fontFamily]);
  expect(style[0]).toMatch(/^(pre|pre-wrap|break-spaces)$/);
  expect(style[1]).not.toBe(await page.page.evaluate(() => getComputedStyle(document.body).fontFamily));
});

test("each part has a line with what it does, and below it what to look out for", async () => {
  await ask({
    text: "ls; curl -T a.txt example.org",
    parts: [
      { written: "ls", does: "lists files" },
      { written: "curl -T a.txt example.org", does: "transfers data", notes: ["It sends a file.", "Second."] },
    ],
    moreParts: 3,
  });
  expect(await parts().count()).toBe(3);
  expect(await words(parts().nth(0))).toBe("lists files: ls");
  expect(await parts().nth(1).locator(".notes li").allInnerTexts()).toEqual(["It sends a file.", "Second."]);
  expect(await words(parts().nth(2))).toBe("and 3 more");
});

test("what is left out only reads, where the server says so", async () => {
  await ask({ parts: [{ written: "ls", does: "lists files" }], moreParts: 3, moreOnlyRead: true });
  expect(await words(parts().nth(1))).toBe("and 3 more that only read");
});

test("how long it may run is said where the server says it", async () => {
  await ask({ note: "It may run for up to 1 hour." });
  expect(await page.page.getByText("It may run for up to 1 hour.").count()).toBe(1);
});

const lines = (count: number) => Array.from({ length: count }, (_, at) => `echo ${at}`).join("\n");
const scrolledBy = (node: Element) => [node.scrollTop, node.scrollHeight - node.clientHeight];

test("a long command says its size, and all of it is reached with the keyboard", async () => {
  await ask({ text: `${lines(40)}\n` });
  expect(await page.page.getByText("40 lines", { exact: false }).count()).toBe(1);
  await box().focus();
  await page.page.keyboard.press("End");
  await expect
    .poll(() =>
      box()
        .evaluate(scrolledBy)
        .then(([at, most]) => Number(at) > 0 && at === most),
    )
    .toBe(true);
  expect(await box().textContent()).toContain("echo 39");
});

test("a box that goes on has an edge that shows it, and loses it at the end", async () => {
  await ask({ text: lines(40) });
  const before = await box().screenshot();
  await box().evaluate((node) => node.scrollTo(0, node.scrollHeight));
  const after = await box().screenshot();
  const [start, end] = await Promise.all([edges(before), edges(after)]);
  expect(start.bottom).not.toBe(start.middle);
  expect(start.top).toBe(start.middle);
  expect(end.top).not.toBe(end.middle);
  expect(end.bottom).toBe(end.middle);
});

/** The colours near the right side, where no text stands: just within the upper edge, half way down, above the lower. */
async function edges(png: Buffer): Promise<{ top: string; middle: string; bottom: string }> {
  return page.page.evaluate(async (data) => {
    const image = await createImageBitmap(new Blob([new Uint8Array(data)], { type: "image/png" }));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const pen = canvas.getContext("2d");
    if (!pen) throw new Error("no canvas");
    pen.drawImage(image, 0, 0);
    const at = (y: number) => pen.getImageData(Math.round(image.width * 0.7), y, 1, 1).data.join();
    return { top: at(3), middle: at(Math.round(image.height / 2)), bottom: at(image.height - 4) };
  }, Array.from(png));
}

test("a short one says no size", async () => {
  await ask({ text: lines(5) });
  expect(await page.page.getByText("5 lines", { exact: false }).count()).toBe(0);
});

test("what could not be read is said", async () => {
  await ask({ text: "coproc x", unreadable: "This command cannot be read: it holds coproc." });
  expect(await page.page.getByText("This command cannot be read: it holds coproc.").count()).toBe(1);
  expect(await page.page.getByLabel("What it does").count()).toBe(0);
});

test.each([
  ["a carriage return", "true #\rls", "true #‹U+000D›ls"],
  ["an escape sequence", "ls \u001b[8m; rm x", "ls ‹U+001B›[8m; rm x"],
  ["a turn of direction", "ls # \u202etxt.exe", "ls # ‹U+202E›txt.exe"],
  ["a width of nothing", "r\u200bm x", "r‹U+200B›m x"],
  ["a blank that is none", "rm\u00a0x", "rm‹U+00A0›x"],
  ["a letter of another script", "p\u0430ss ls", "p\u0430‹U+0430›ss ls"],
])("%s is seen, in the command and in its parts", async (_, text, seen) => {
  await ask({ text, parts: [{ written: text, does: text, notes: [text] }] });
  expect(await words(box())).toBe(seen);
  expect(await words(parts().nth(0).locator(".written"))).toBe(seen);
  expect(await words(parts().nth(0).locator(".notes li"))).toBe(seen);
  expect(await page.page.getByText("Holds characters that cannot be seen").count()).toBe(1);
});

test("a note that hides something is noticed though the command is plain", async () => {
  await ask({ text: "ls", parts: [{ written: "ls", does: "lists files", notes: ["Reads a\u202eb."] }] });
  expect(await page.page.getByText("Holds characters that cannot be seen").count()).toBe(1);
});
