// Files that the user names in a message: found while they write, seen before they go, and never sent unseen.
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import type { PageMessage } from "../../src/common/page-messages.js";
import { aPageForEachTest, ownPage, page } from "./each-page.js";

aPageForEachTest();

const said = <T extends PageMessage["type"]>(type: T) =>
  page.said.filter((one): one is Extract<PageMessage, { type: T }> => one.type === type);
const options = () => page.page.getByRole("option");

async function names(written: string, ...files: string[]): Promise<void> {
  await page.composer.pressSequentially(written);
  const query = written.split("@").at(-1) ?? "";
  await expect.poll(() => said("findFiles").at(-1)?.query).toBe(query);
  await page.tell({ type: "files", query, files, more: false });
  await options().first().waitFor();
}

test("a file is chosen with the keyboard and goes along", async () => {
  await names("look at @rea", "src/reader.py", "src/read_all.py");
  expect(await page.composer.getAttribute("aria-activedescendant")).toBe("files-offered-0");
  await page.page.keyboard.press("ArrowDown");
  await page.page.keyboard.press("Enter");
  await expect.poll(() => page.composer.inputValue()).toBe("look at @src/read_all.py ");
  expect(said("attach").map((one) => one.path)).toEqual(["src/read_all.py"]);
  await page.page.keyboard.press("Enter");
  expect(said("send")).toEqual([]);
  await page.tell({ type: "attachable", path: "src/read_all.py", found: { path: "src/read_all.py", size: 2048 } });
  await page.page.getByText("2 KB").waitFor();
  await page.page.keyboard.press("Enter");
  await expect.poll(() => said("send").map((one) => one.attachments)).toEqual([[{ path: "src/read_all.py" }]]);
  await expect.poll(() => page.page.getByRole("listitem").count()).toBe(0);
});

test("Escape closes the list, and the text stays", async () => {
  await names("@a", "a.txt");
  await page.page.keyboard.press("Escape");
  await expect.poll(() => options().count()).toBe(0);
  expect(await page.composer.inputValue()).toBe("@a");
});

test.each([250, 400])("what may hold secrets goes along only where it is said, at %i pixels", async (width) => {
  await ownPage("dark", width);
  await names("@.e", ".env", "src/.editorconfig");
  const folder = path.resolve(import.meta.dirname, "../../../tmp-shots");
  if (process.env.ASSENT_SHOTS) {
    await mkdir(folder, { recursive: true });
    await page.page.screenshot({ path: path.join(folder, `files-${width}.png`) });
  }
  await page.page.keyboard.press("Enter");
  const warning = "It looks as if it held keys or passwords, and all of it would go to the model.";
  await page.tell({ type: "attachable", path: ".env", found: { path: ".env", size: 16, warning, warningDigest: "w" } });
  await page.page.getByText("Not sent.").waitFor();
  if (process.env.ASSENT_SHOTS) await page.page.screenshot({ path: path.join(folder, `chips-${width}.png`) });
  await page.composer.press("Enter");
  await expect.poll(() => said("send").length).toBe(1);
  expect(said("send")[0]?.attachments).toBeUndefined();
  await page.page.getByRole("button", { name: "Send .env all the same" }).click();
  await page.composer.fill("again");
  await page.composer.press("Enter");
  await expect.poll(() => said("send")[1]?.attachments).toEqual([{ path: ".env", agreedDigest: "w" }]);
});

const chips = () => page.page.getByRole("list", { name: "Goes along with the message" }).getByRole("listitem");

test("a picture says that it is one, and goes along by its name", async () => {
  await names("see @sh", "shot.png");
  await page.page.keyboard.press("Enter");
  await page.tell({
    type: "attachable",
    path: "shot.png",
    found: { path: "shot.png", size: 34_816, picture: "PNG" },
  });
  await chips().getByText("PNG picture, 34 KB").waitFor();
  await page.composer.press("Enter");
  await expect.poll(() => said("send").map((one) => one.attachments)).toEqual([[{ path: "shot.png" }]]);
});

test("the editor's own dialog is opened by keyboard, and what was chosen there is named", async () => {
  const button = page.page.getByRole("button", { name: "Attach…" });
  expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(24);
  await button.press("Enter");
  await expect.poll(() => said("pickFiles").length).toBe(1);
  await page.tell({ type: "named", paths: ["/work/a.txt", "/elsewhere/b.txt", "/work/a.txt"] });
  await expect.poll(() => said("attach").map((one) => one.path)).toEqual(["/work/a.txt", "/elsewhere/b.txt"]);
  await page.tell({ type: "attachable", path: "/work/a.txt", found: { path: "a.txt", size: 3 } });
  const outside = "/elsewhere/b.txt lies outside of the workspace";
  await page.tell({ type: "attachable", path: "/elsewhere/b.txt", error: outside });
  await expect.poll(() => chips().count()).toBe(2);
  await page.page.getByText(`Not sent: ${outside}.`).waitFor();
  // The message comes next: nothing has to be clicked before it can be written.
  await page.page.keyboard.type("what is in it?");
  expect(await page.composer.inputValue()).toBe("what is in it?");
});

test("a browser offers the files of the workspace instead", async () => {
  await page.tell({ type: "hello", host: "browser" });
  await page.composer.fill("look at");
  await page.page.getByRole("button", { name: "Attach…" }).click();
  await expect.poll(() => said("findFiles").at(-1)?.query).toBe("");
  expect(said("pickFiles")).toEqual([]);
  expect(await page.composer.inputValue()).toBe("look at @");
  await page.tell({ type: "files", query: "", files: ["a.txt"], more: false });
  await options().first().click();
  await expect.poll(() => said("attach").map((one) => one.path)).toEqual(["a.txt"]);
});

test("more than go along with one message are left out, and that is said", async () => {
  await page.tell({ type: "named", paths: Array.from({ length: 23 }, (_, at) => `file-${at}`) });
  await expect.poll(() => said("attach").length).toBe(20);
  await page.page.getByText("At most 20 files go along with one message: 3 of them were left out.").first().waitFor();
});

/** A person's hand, as far as the page sees it: the events with what they carry. Says whether the page took it. */
async function hands(kind: "drop" | "dragover" | "paste", carried: Record<string, string>, file?: string) {
  return page.composer.evaluate(
    (field, [how, texts, name]) => {
      const data = new DataTransfer();
      for (const [type, text] of Object.entries(texts)) data.setData(type, text);
      if (name) data.items.add(new File([new Uint8Array([137, 80, 78, 71])], name, { type: "image/png" }));
      const about = { bubbles: true, composed: true, cancelable: true };
      const event =
        how === "paste"
          ? new ClipboardEvent(how, { ...about, clipboardData: data })
          : new DragEvent(how, { ...about, dataTransfer: data });
      field.dispatchEvent(event);
      return event.defaultPrevented;
    },
    [kind, carried, file] as const,
  );
}

test("files of the editor are dropped where the user writes", async () => {
  const uris = "file:///work/a%20b.txt\r\nfile:///work/c.txt";
  expect(await hands("dragover", { "text/uri-list": uris })).toBe(true);
  expect(await hands("drop", { "text/uri-list": uris, "text/plain": "/work/a b.txt" })).toBe(true);
  await expect.poll(() => said("attach").map((one) => one.path)).toEqual(["/work/a b.txt", "/work/c.txt"]);
  await hands("drop", { "application/vnd.code.uri-list": "untitled:one\nfile:///work/d.txt" });
  await expect.poll(() => said("attach").length).toBe(3);
  await page.page.getByText("Only files of the workspace go along with a message.").first().waitFor();
});

test("texts are pasted and dropped as ever", async () => {
  expect(await hands("paste", { "text/plain": "words" })).toBe(false);
  expect(await hands("paste", { "text/plain": "a table" }, "table.png")).toBe(false);
  expect(await hands("drop", { "text/plain": "words" })).toBe(false);
  expect(await hands("drop", { "text/uri-list": "https://example.org/", "text/html": "<a>" })).toBe(false);
  expect(said("attach")).toEqual([]);
});

test.each(["paste", "drop"] as const)("a picture does not go along by %s, and that is said", async (kind) => {
  expect(await hands(kind, {}, "image.png")).toBe(true);
  await page.page.getByText("Pictures and other data that are pasted or dropped do not go along").first().waitFor();
  expect(said("attach")).toEqual([]);
});
