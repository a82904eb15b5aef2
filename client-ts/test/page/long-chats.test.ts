// Chats of very many rows, in a real browser: what is drawn of them, and that nothing moves or goes away by itself.
import { expect, test } from "vitest";
import type { AgentEvent } from "../../src/protocol/generated.js";
import { event, resolution, session, text, toolCall, toolResult } from "../support/examples.js";
import { numbered } from "../support/page-state.js";
import { aPageForEachTest, page } from "./each-page.js";

aPageForEachTest();

const MOST_ROWS = 250;
const thread = () => page.page.getByRole("region", { name: "Conversation" });
const rows = () => page.page.locator("[data-call-id]");
const row = (at: number) => page.page.locator(`[data-call-id="c-${at}"]`);

function calls(count: number): AgentEvent[] {
  return Array.from({ length: count }, (_, at) => [
    toolCall(at * 2 + 1, `c-${at}`),
    toolResult(at * 2 + 2, { toolCallId: `c-${at}` }),
  ]).flat();
}

async function showLong(count: number, pending = [] as ReturnType<typeof numbered>[]): Promise<void> {
  await page.tell({ type: "chat", how: "replace", session: session(), events: calls(count), pending });
  // What waits is what is in sight; without that, the end is.
  await (pending.length > 0 ? page.card() : row(count - 1)).waitFor();
}

const scrollTo = (top: number) => thread().evaluate((node, to) => (node.scrollTop = to), top);

test("of ten thousand rows a few are drawn, and the end is in sight", async () => {
  await showLong(10_000);
  expect(await rows().count()).toBeLessThan(MOST_ROWS);
  await expect
    .poll(() => thread().evaluate((node) => node.scrollHeight - node.scrollTop - node.clientHeight))
    .toBeLessThan(40);
  // What is not drawn takes its place all the same.
  expect(await thread().evaluate((node) => node.scrollHeight)).toBeGreaterThan(300_000);
});

test("whoever scrolls finds every row, in its order, and no more are drawn than before", async () => {
  await showLong(2000);
  await scrollTo(0);
  await row(0).waitFor();
  const shown = await rows().evaluateAll((all) => all.map((one) => Number(one.getAttribute("data-call-id")?.slice(2))));
  expect(shown).toEqual([...shown].sort((one, other) => one - other));
  await scrollTo(40_000);
  await expect
    .poll(() =>
      thread().evaluate((node) => {
        const { top, height } = node.getBoundingClientRect();
        const hit = (root: DocumentOrShadowRoot): Element | null => {
          const found = root.elementFromPoint(100, top + height / 2);
          return found?.shadowRoot && found.shadowRoot !== root ? (hit(found.shadowRoot) ?? found) : found;
        };
        return hit(document)?.closest("[data-call-id]") !== null;
      }),
    )
    .toBe(true);
  expect(await rows().count()).toBeLessThan(MOST_ROWS);
});

test("what somebody reads stays where it is while more is drawn above it and added below", async () => {
  await showLong(2000);
  await scrollTo(60_000);
  await expect
    .poll(() =>
      rows().evaluateAll((all) =>
        all.some((one) => one.getBoundingClientRect().top > 100 && one.getBoundingClientRect().top < 700),
      ),
    )
    .toBe(true);
  await page.drawn();
  const id = await rows().evaluateAll(
    (all) => all.find((one) => one.getBoundingClientRect().top > 100)?.getAttribute("data-call-id") ?? "",
  );
  const top = () =>
    page.page.locator(`[data-call-id="${id}"]`).evaluate((one) => Math.round(one.getBoundingClientRect().top));
  const before = await top();
  for (let n = 0; n < 20; n += 1) await page.tell({ type: "event", event: text(5000 + n, "more words\n\n") });
  await page.drawn();
  expect(Math.abs((await top()) - before)).toBeLessThanOrEqual(1);
});

test("a card that waits far away stays the same element, and one key leads to it", async () => {
  await showLong(2000, [numbered(1, { toolCall: { toolCallId: "c-3" } })]);
  await page.card().waitFor({ state: "attached" });
  const card = await page.page.locator("assent-card").elementHandle();
  await scrollTo(50_000);
  await page.drawn();
  await scrollTo(10_000_000);
  await page.drawn();
  expect(await card?.evaluate((node) => node.isConnected)).toBe(true);
  await page.page.keyboard.press("Alt+ArrowDown");
  await expect.poll(() => card?.evaluate((node) => node.getBoundingClientRect().top < window.innerHeight)).toBe(true);
  await page.button("Deny").waitFor();
});

test("what waits in a chat that comes up is in sight, wherever the one before was read", async () => {
  await showLong(60);
  await scrollTo(200);
  await page.drawn();
  await scrollTo(0);
  await page.drawn();
  const waits = numbered(1, { sessionId: "s-2", toolCall: { toolCallId: "d-59" } });
  // It is told before the chat is there, because the page has just come in sight.
  await page.tell({ type: "approval", request: waits });
  const events = Array.from({ length: 60 }, (_, at) => toolCall(at + 1, `d-${at}`));
  const inChat2 = events.map((one) => ({ ...one, sessionId: "s-2" }));
  await page.tell({
    type: "chat",
    how: "replace",
    session: session({ sessionId: "s-2" }),
    events: inChat2,
    pending: [waits],
  });
  await page.card().waitFor();
  const isInSight = () =>
    page.card().evaluate((card) => card.getBoundingClientRect().top >= 0 && card.getBoundingClientRect().top < 700);
  await expect.poll(isInSight).toBe(true);
});

test("what the user has unfolded stays so, however far it is away", async () => {
  await showLong(2000);
  await row(1999).getByText("Details").click();
  await row(1999).getByText("Wrote notes.txt.").waitFor();
  await scrollTo(0);
  await row(0).waitFor();
  for (let top = 0; top < 60_000; top += 4000) {
    await scrollTo(top);
    await page.drawn();
  }
  await scrollTo(10_000_000);
  await row(1999).getByText("Wrote notes.txt.").waitFor();
});

const thousand = () => Array.from({ length: 1000 }, (_, at) => numbered(at + 1));
const cards = () => page.page.locator("assent-card");
const theCard = (at: number) => page.page.locator(`[data-approval-id="a-${at}"]`);

test("of a thousand cards that wait those near the first are drawn, and a key leads to each of a hundred", async () => {
  await page.tell({ type: "chat", how: "replace", session: session(), events: [], pending: thousand() });
  await page.page.getByText("1000 waiting, 100 shown").waitFor();
  await theCard(1).waitFor();
  expect(await cards().count()).toBeLessThan(40);
  expect(await theCard(60).count()).toBe(0);
  await page.page.keyboard.press("Alt+ArrowUp");
  await page.page.locator('[data-approval-id="a-100"]:focus').waitFor();
  await page.page.getByText("100 of 1000 waiting, 100 shown").waitFor();
  await page.tell({ type: "resolved", resolved: resolution({ approvalId: "a-100", toolCallId: "c-100" }) });
  await page.page.getByText("999 waiting, 100 shown").waitFor();
  await theCard(101).waitFor();
});

test("a card that is drawn because somebody scrolls has just appeared, and stays from then on", async () => {
  await page.tell({ type: "chat", how: "replace", session: session(), events: [], pending: thousand() });
  await theCard(1).waitFor();
  await page.armed();
  expect(await theCard(60).count()).toBe(0);
  await page.stopClock();
  const deny = theCard(60).locator('button[data-kind="reject_once"]');
  for (let top = 0; (await theCard(60).count()) === 0; top += 500) {
    await scrollTo(top);
    await page.drawn();
  }
  await deny.dispatchEvent("click");
  expect(page.answers()).toEqual([]);
  const card = await theCard(60).elementHandle();
  await scrollTo(0);
  await page.drawn();
  await scrollTo(10_000_000);
  await page.drawn();
  expect(await card?.evaluate((node) => node.isConnected)).toBe(true);
  await theCard(60).scrollIntoViewIfNeeded();
  await page.drawn();
  await page.passes(1000);
  await deny.and(page.page.locator('[aria-disabled="false"]')).click();
  await expect.poll(() => page.answers()).toMatchObject([{ approvalId: "a-60" }]);
});

test("where the keyboard is stays drawn, and what is marked does", async () => {
  await showLong(2000);
  await scrollTo(40_000);
  await expect.poll(() => inSight()).not.toBe("");
  const focused = row(Number((await inSight()).slice(2)));
  await focused.focus();
  await scrollTo(0);
  await row(0).waitFor();
  expect(await focused.evaluate((node) => node.matches(":focus"))).toBe(true);

  await row(0).locator(".headline").click({ clickCount: 3 });
  await expect.poll(() => page.page.evaluate(() => String(getSelection()?.type))).toBe("Range");
  await row(0).evaluate((node) => (node as HTMLElement).blur());
  await scrollTo(10_000_000);
  await row(1999).waitFor();
  await scrollTo(60_000);
  await expect.poll(() => inSight()).not.toBe("");
  expect(await row(0).count()).toBe(1);
  expect(await row(40).count()).toBe(0);
  await page.page.evaluate(() => getSelection()?.removeAllRanges());
  await scrollTo(64_000);
  await row(0).waitFor({ state: "detached" });
  expect(await rows().count()).toBeLessThan(MOST_ROWS);
});

/** The call of the first row that is in sight. */
function inSight(): Promise<string> {
  return rows().evaluateAll(
    (all) => all.find((one) => one.getBoundingClientRect().top > 100)?.getAttribute("data-call-id") ?? "",
  );
}

test("a piece more of an answer changes its own block and no other", async () => {
  await showLong(300);
  await page.tell({ type: "event", event: text(1000, "first\n\nsecond") });
  await page.page.getByText("second").waitFor();
  const first = await page.page.getByText("first", { exact: true }).elementHandle();
  await page.page.evaluate(() => {
    const touched = new Set<Node>();
    const roots: Node[] = [];
    const collect = (root: ParentNode & Node) => {
      roots.push(root);
      for (const one of root.querySelectorAll("*")) if (one.shadowRoot) collect(one.shadowRoot);
    };
    const all = document.querySelector("assent-app")?.shadowRoot;
    const inner = all?.querySelector("assent-thread")?.shadowRoot;
    if (inner) collect(inner);
    for (const root of roots) {
      new MutationObserver((found) => {
        for (const one of found) touched.add(one.target);
      }).observe(root, { childList: true, subtree: true, characterData: true, attributes: true });
    }
    Object.assign(window, { __touched: touched });
  });
  await page.tell({ type: "event", event: text(1001, " and third") });
  await page.page.getByText("second and third").waitFor();
  const touched = await page.page.evaluate(() => (window as unknown as { __touched: Set<Node> }).__touched.size);
  expect(touched).toBeLessThanOrEqual(2);
  expect(await first?.evaluate((node) => node.isConnected)).toBe(true);
});

test("an answer that grows is drawn as the whole of it is, and at its end also where a later part changes an earlier one", async () => {
  const parts = [
    "[x]: https://example.org\n\n# Title\n\nSome *words*\nand more.\n\n- one\n- two\n\n  inside\n\n3. three\n4. four\n\n",
    "```js\nlet a = 1;\n\nlet b;\n```\n\n> quoted\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n[link][x] and `code` and [late]\n\nend\n===\n",
  ];
  const late = "\n[late]: https://late.example.org\n";
  const drawn = () => page.page.locator("assent-markdown .text").evaluateAll((all) => all.map((one) => one.innerHTML));
  const grown = parts.join("");
  const pieces = Array.from({ length: Math.ceil(grown.length / 3) }, (_, at) => grown.slice(at * 3, at * 3 + 3));
  for (const [at, piece] of pieces.entries()) {
    await page.tell({ type: "event", event: text(at + 1, piece) });
    if (at % 10 === 0) await page.drawn();
  }
  await page.page.getByRole("heading", { name: "end" }).waitFor();
  const growing = await drawn();
  await page.tell({ type: "chat", how: "replace", session: session(), events: [text(1, grown)], pending: [] });
  await page.drawn();
  expect(await drawn()).toEqual(growing);
  expect(growing[0]).toContain('href="https://example.org"');

  await page.tell(
    { type: "event", event: text(2, late) },
    { type: "event", event: event(3, "Done", { done_reason: "stop" }) },
  );
  await page.page.getByRole("link", { name: "late" }).waitFor();
});

test("words are found in rows that are not drawn, and one key leads from one to the next", async () => {
  await showLong(2000);
  expect(await row(700).count()).toBe(0);
  await page.tell({
    type: "event",
    event: event(9000, "Notification", { text: "a needle at the end", level: "info" }),
  });
  await page.page.keyboard.press("Control+f");
  const field = page.page.getByRole("textbox", { name: "Find in the chat" });
  await field.fill("needle");
  await page.page.getByText("1", { exact: true }).waitFor();
  await field.fill("milk");
  await page.page.getByText("Nothing found").waitFor();
  await page.tell({
    type: "event",
    event: toolResult(9001, { toolCallId: "c-700", output: "the milk is here" }),
  });
  await page.page.getByText("1", { exact: true }).waitFor();
  await field.press("Enter");
  await page.page.getByText("1 of 1").waitFor();
  await row(700).waitFor();
  await expect
    .poll(() =>
      row(700).evaluate((one) => {
        const { top, bottom } = one.getBoundingClientRect();
        return top > 0 && bottom < window.innerHeight;
      }),
    )
    .toBe(true);
  await field.press("Escape");
  await field.waitFor({ state: "detached" });
});

/** Copies what is marked, by the key. What the page gives for that; nothing where it leaves it to the browser. */
async function copied(): Promise<string | undefined> {
  await hear();
  await page.page.keyboard.press("Control+c");
  return heard();
}

function hear(): Promise<void> {
  return page.page.evaluate(() => {
    const take = (event: ClipboardEvent) => {
      const text = event.defaultPrevented ? event.clipboardData?.getData("text/plain") : undefined;
      Object.assign(window, { __copied: { text } });
    };
    Object.assign(window, { __copied: undefined });
    window.addEventListener("copy", take, { once: true });
  });
}

async function heard(): Promise<string | undefined> {
  type Copied = { text: string | undefined } | undefined;
  const there = await page.page.waitForFunction(() => (window as unknown as { __copied: Copied }).__copied);
  return (await there.jsonValue())?.text;
}

test.each([20, 2000])(
  "all of a chat of %i calls is marked and copied, also what is not drawn or folded",
  async (count) => {
    await showLong(count);
    await page.tell({ type: "event", event: text(9000, "That was **all**.") });
    await page.page.getByText("That was").waitFor();
    for (const focus of [() => thread().focus(), () => row(count - 1).click()]) {
      await page.page.evaluate(() => getSelection()?.removeAllRanges());
      await focus();
      await page.page.keyboard.press("Control+a");
      const whole = (await copied()) ?? "";
      expect(whole.match(/Wrote notes\.txt\./g)).toHaveLength(count);
      expect(whole.endsWith("That was **all**.")).toBe(true);
    }
    // It is all of it wherever the user has gone meanwhile, until they press something else.
    await scrollTo(0);
    await page.drawn();
    expect(((await copied()) ?? "").match(/Wrote notes\.txt\./g)).toHaveLength(count);
    await row(0).locator(".headline").click({ clickCount: 3 });
    expect(await copied()).toBeUndefined();
  },
);

test("an editor that copies by a command of its own gets all of a marked chat, and another part of the page its own", async () => {
  await showLong(2000);
  await thread().focus();
  const byCommand = () => page.page.evaluate(() => document.execCommand("copy"));
  await page.page.keyboard.press("Control+a");
  await page.page.getByText("All of the chat is marked").waitFor({ state: "attached" });
  await page.page.evaluate(() => document.execCommand("selectAll"));
  await hear();
  expect(await byCommand()).toBe(true);
  expect((await heard())?.match(/Wrote notes\.txt\./g)).toHaveLength(2000);
  await page.page.keyboard.press("Escape");
  expect(await copied()).toBeUndefined();
  await page.page.keyboard.press("Control+a");
  await page.composer.fill("mine");
  await page.page.keyboard.press("Control+a");
  expect(await copied()).toBeUndefined();
  await thread().focus();
  expect(await copied()).toBeUndefined();
});
