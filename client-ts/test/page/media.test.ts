import { deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import type { MadeInfo } from "../../src/protocol/generated.js";
import { event, session } from "../support/examples.js";
import { violations } from "./axe.js";
import { aPageForEachTest, ownPage, page } from "./each-page.js";

aPageForEachTest();

const PROMPT = "A red dot, <b>bold</b> and round";

function png(width: number, height: number): string {
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    crc.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, crc]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, 200)]);
  const data = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  const parts = [chunk("IHDR", head), chunk("IDAT", data), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), ...parts]).toString("base64");
}

function crc32(data: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function wav(): string {
  const sound = Buffer.alloc(8_000, 128);
  const head = Buffer.alloc(44);
  head.write("RIFF", 0);
  head.writeUInt32LE(36 + sound.length, 4);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8_000, 24);
  head.writeUInt32LE(8_000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write("data", 36);
  head.writeUInt32LE(sound.length, 40);
  return Buffer.concat([head, sound]).toString("base64");
}

const SVG = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64">' +
    '<script>parent.wasHere = true; fetch("/")</script><circle cx="32" cy="32" r="30" onload="parent.wasHere = true"/></svg>',
).toString("base64");

async function makes(mime: MadeInfo["mime"], tool = "generate_image"): Promise<void> {
  const isSound = mime.startsWith("audio/");
  const args = isSound ? { text: PROMPT, path: "a.wav" } : { prompt: PROMPT, path: "a.png" };
  const call = { toolCallId: "c-1", tool, args, category: "write" as const, headline: `Make ${args.path}`, depth: 0 };
  const result = { toolCallId: "c-1", tool, success: true, output: "Made it.", durationMs: 5, is_error: false };
  await page.tell({ type: "hello", host: "editor" });
  await page.tell({ type: "chat", how: "replace", session: session(), events: [], pending: [] });
  await page.tell({ type: "event", event: event(1, "Prompt", { text: "Draw, please." }) });
  await page.tell({ type: "event", event: event(2, "ToolCall", call) });
  await page.tell({
    type: "event",
    event: event(3, "ToolResult", { ...result, path: args.path, made: { mime, size: 10 } }),
  });
  await expect.poll(() => asked()).toBe(1);
}

const asked = () => page.said.filter(({ type }) => type === "showMedia").length;
const comes = (mime: MadeInfo["mime"], data: string) =>
  page.tell({ type: "media", toolCallId: "c-1", media: { mime, data } });
const picture = () => page.page.getByRole("img", { name: PROMPT });

test("a picture is asked for when it is in sight, and shown with its description", async () => {
  await makes("image/png");
  expect(page.said.at(-1)).toEqual({ type: "showMedia", sessionId: session().sessionId, toolCallId: "c-1" });
  await comes("image/png", png(40, 30));
  await picture().waitFor();
  const size = await picture().evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]);
  expect(size).toEqual([40, 30]);
  expect(await picture().getAttribute("src")).toMatch(/^blob:/);
  expect(asked()).toBe(1);
});

test("a drawing shows, and nothing in it acts", async () => {
  await makes("image/svg+xml");
  await comes("image/svg+xml", SVG);
  await picture().waitFor();
  await expect.poll(() => picture().evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(64);
  expect(await page.page.evaluate(() => "wasHere" in window)).toBe(false);
  expect(await page.page.locator("assent-made svg, assent-made script").count()).toBe(0);
});

test("a sound has a player with a label", async () => {
  await makes("audio/wav", "text_to_speech");
  await comes("audio/wav", wav());
  const player = page.page.getByLabel(PROMPT);
  await player.waitFor();
  await expect.poll(() => player.evaluate((audio: HTMLAudioElement) => audio.duration)).toBeCloseTo(1, 1);
  expect(await player.evaluate((audio: HTMLAudioElement) => audio.controls && audio.paused)).toBe(true);
  expect(await violations(page)).toEqual([]);
});

test("what is another file by now is not shown, and can be looked for again", async () => {
  await makes("image/png");
  await page.tell({ type: "media", toolCallId: "c-1", error: "the file is another one by now" });
  await page.page.getByText("It is not shown: the file is another one by now").waitFor();
  await page.page.getByRole("button", { name: "Look again" }).click();
  await expect.poll(() => asked()).toBe(2);
  await comes("image/png", png(4, 4));
  await picture().waitFor();
});

test.each(["no base64!", Buffer.from("<html>").toString("base64")])(
  "bytes that are no picture are said to be none (%#)",
  async (data) => {
    await makes("image/png");
    await comes("image/png", data);
    await page.page.getByText("this is no file that can be shown here").waitFor();
    expect(await page.page.getByRole("img").count()).toBe(0);
  },
);

test("a call that made nothing has no picture", async () => {
  const result = { toolCallId: "c-1", tool: "x", success: false, output: "No.", durationMs: 5, is_error: true };
  await page.tell({ type: "event", event: event(1, "ToolResult", result) });
  expect(await page.page.locator("assent-made").count()).toBe(0);
});

test.each([
  ["light", 420],
  ["dark", 420],
  ["high-contrast", 420],
  ["dark", 260],
] as const)("it fits and can be read in %s at %i", async (theme, width) => {
  await ownPage(theme, width);
  await makes("image/png");
  await comes("image/png", png(900, 300));
  await picture().waitFor();
  const box = await picture().boundingBox();
  expect(box && box.x >= 0 && box.x + box.width <= width).toBe(true);
  expect(await violations(page)).toEqual([]);
  if (process.env.ASSENT_SHOTS)
    await page.page.screenshot({ path: `${process.env.ASSENT_SHOTS}/${theme}-${width}.png` });
});
