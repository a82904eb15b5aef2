// Texts that are written from right to left: paths, commands and names keep the order in which they are read.
import { expect, test } from "vitest";
import type { CommandPreview, DiffPreview } from "../../src/protocol/generated.js";
import { event, request, session, text } from "../support/examples.js";
import { aPageForEachTest, page } from "./each-page.js";

aPageForEachTest();

/** Where the middles of these words stand on the screen, the latest that is drawn of each; in all shadow roots. */
function middles(words: readonly string[], within: string): Promise<{ x: number; y: number }[]> {
  return page.page.evaluate(
    ([all, place]) => {
      const found = new Map<string, { x: number; y: number }>();
      const look = (root: Node, isInside: boolean) => {
        const inside = isInside || (root instanceof Element && root.matches(place as string));
        if (root instanceof Text && inside) {
          for (const word of all as string[]) {
            const at = root.data.indexOf(word);
            if (at < 0) continue;
            const range = document.createRange();
            range.setStart(root, at);
            range.setEnd(root, at + word.length);
            const { x, y, width } = range.getBoundingClientRect();
            found.set(word, { x: x + width / 2, y });
          }
        }
        if (root instanceof Element && root.shadowRoot) look(root.shadowRoot, inside);
        for (const child of root.childNodes) look(child, inside);
      };
      look(document, false);
      return (all as string[]).map((word) => found.get(word) ?? { x: Number.NaN, y: Number.NaN });
    },
    [words, within] as const,
  );
}

/** Whether they stand in one line, the first one on the left. */
async function inOrder(within: string, ...words: string[]): Promise<void> {
  const places = await middles(words, within);
  expect(places.map(({ x }) => x)).toEqual(places.map(({ x }) => x).sort((one, other) => one - other));
  expect(new Set(places.map(({ y }) => Math.round(y / 8))).size).toBe(1);
}

async function askCommand(shown: Partial<CommandPreview>): Promise<void> {
  await page.page.setViewportSize({ width: 900, height: 900 });
  const preview: CommandPreview = { kind: "command", text: "ls", parts: [], ...shown };
  await page.ask(request({ tool: "bash", category: "execute", headline: "Run a command", preview }));
}

test("what a command copies stands before where it copies it to", async () => {
  await askCommand({
    text: "cp מקור יעד",
    parts: [{ written: "cp ישן חדש", does: "copies files" }],
  });
  await inOrder(".command", "מקור", "יעד");
  await inOrder(".written", "ישן", "חדש");
});

test("a command that begins with such letters begins on the left", async () => {
  await askCommand({ text: "סקריפט --out תיקייה" });
  await inOrder(".command", "סקריפט", "--out", "תיקייה");
});

test("the folder stands before what is in it: in the headline, in the diff, and where it would run", async () => {
  await page.page.setViewportSize({ width: 900, height: 900 });
  const preview: DiffPreview = {
    kind: "diff",
    path: "מסמכים/הערות.txt",
    realPath: "/srv/אחר/קובץ.txt",
    isNew: true,
    lines: [{ kind: "added", text: 'copy("אלף", "בית")', newNumber: 1 }],
    added: 1,
    removed: 0,
  };
  await page.ask(request({ headline: "Write ספר/פרק.txt (+1 −0)", directory: "/בית/משתמש/ספרים", preview }));
  await inOrder("h2", "ספר", "פרק", ".txt");
  await inOrder(".summary", "מסמכים", "הערות");
  await inOrder(".place", "בית", "משתמש", "ספרים");
  await inOrder(".line .code", "אלף", "בית");
});

test("a sentence begins on its own side, and its words stand in its own order", async () => {
  const prompt = "הריצו את הבדיקות בבקשה";
  await page.tell({ type: "event", event: event(1, "Prompt", { text: prompt }) });
  await page.tell({ type: "event", event: text(2, "أكتب الآن إلى الملف\n\n- أولاً\n\nIn English again.") });
  await page.page.getByText("In English again.").waitFor();
  const [first, last] = await middles(["הריצו", "בבקשה"], ".user");
  expect(first?.x).toBeGreaterThan(last?.x ?? Number.NaN);
  const own = await page.page.locator(".user").boundingBox();
  expect(first?.x).toBeGreaterThan((own?.x ?? 0) + (own?.width ?? 0) * 0.8);
  const [start, end] = await middles(["أكتب", "الملف"], "assent-markdown");
  expect(start?.x).toBeGreaterThan(end?.x ?? Number.NaN);
  expect(start?.x).toBeGreaterThan(300);
  const [item] = await middles(["أولاً"], "li");
  const listed = await page.page.locator("assent-markdown li").boundingBox();
  expect(item?.x).toBeGreaterThan(300);
  // Its mark has room on the right.
  expect((listed?.x ?? 0) + (listed?.width ?? 0)).toBeLessThan((own?.x ?? 0) + (own?.width ?? 0) - 10);
  const [english] = await middles(["In English"], "assent-markdown");
  expect(english?.x).toBeLessThan(100);
});

test("a field follows what is written into it", async () => {
  await page.composer.fill("שלום");
  expect(await page.composer.evaluate((field) => getComputedStyle(field).direction)).toBe("rtl");
  await page.composer.fill("hello");
  expect(await page.composer.evaluate((field) => getComputedStyle(field).direction)).toBe("ltr");
});

test("the title of a chat is a sentence like any other", async () => {
  const sessions = [session({ sessionId: "s-0", title: "גדר ישנה" }), session()];
  await page.tell({ type: "chats", sessions, agents: [] });
  await page.page.getByText("Chat 2, not begun").waitFor();
  const [first, last] = await middles(["גדר", "ישנה"], ".title");
  expect(first?.x).toBeGreaterThan(last?.x ?? Number.NaN);
});

test("where nothing is to move, nothing does", async () => {
  await page.page.emulateMedia({ reducedMotion: "reduce" });
  await page.tell({ type: "event", event: event(1, "Prompt", { text: "go" }) });
  await page.page.getByText("Working").waitFor();
  expect(await page.page.evaluate(() => document.getAnimations().length)).toBe(0);
});
