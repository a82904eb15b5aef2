// Keys of the editor answer the card in view: what they answer, and all that they do not.
import { beforeEach, describe, expect, test } from "vitest";
import type { CardInView, CardKey, PageMessage } from "../../src/common/page-messages.js";
import { session } from "../support/examples.js";
import { numbered } from "../support/page-state.js";
import { ALL } from "../support/sizes.js";
import { aPageForEachTest, page } from "./each-page.js";

aPageForEachTest();

const PRESSES = ALL ? 1000 : 250;

/** The card that the page told of last. */
function inView(): CardInView {
  const isTold = (message: PageMessage) => message.type === "cardInView";
  const { approvalId, argsDigest } = (page.said.filter(isTold).at(-1) ?? {}) as CardInView;
  return { approvalId, argsDigest };
}

/** What the host does when a command comes: it names the card that it knows of. */
const press = (key: CardKey, card: CardInView = inView()) => page.tell({ type: "press", key, ...card });
const ask = (number: number, changes = {}) =>
  page.tell({ type: "approval", request: { ...numbered(number), ...changes } });
const isInView = (number: number) => expect.poll(inView).toMatchObject({ approvalId: numbered(number).approvalId });
const noneIsInView = () => expect.poll(inView).toEqual({ approvalId: undefined, argsDigest: undefined });
const now = () => page.page.evaluate(() => performance.now());
/** So long that the next press is not taken for one of a key that is held down. */
const pause = async () => page.page.waitForFunction((before) => performance.now() > before + 700, await now());
const settled = () => page.page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 150)));

beforeEach(async () => {
  await page.tell({ type: "hello", host: "editor", keys: true });
});

describe("the card in view", () => {
  test.each([
    ["approve", "allow_once"],
    ["deny", "reject_once"],
  ] as const)("is answered by the key for %s, once", async (key, optionId) => {
    await ask(1);
    await isInView(1);
    await press(key);
    await press(key);
    await expect.poll(() => page.answers()).toMatchObject([{ approvalId: numbered(1).approvalId, optionId }]);
  });

  test("is told of when it has stood still for half a second, and no sooner", async () => {
    await page.stopClock();
    await ask(1);
    await page.card().waitFor();
    await page.passes(499);
    await settled();
    await noneIsInView();
    await press("approve", { approvalId: numbered(1).approvalId, argsDigest: numbered(1).argsDigest });
    expect(page.answers()).toEqual([]);
    await page.passes(1);
    await isInView(1);
  });

  test("that changed is not what was meant", async () => {
    await ask(1);
    await isInView(1);
    const before = inView();
    await ask(1, { argsDigest: "another", refreshed: true });
    await press("approve", before);
    await expect.poll(inView).toMatchObject({ argsDigest: "another" });
    await pause();
    await press("approve", before);
    expect(page.answers()).toEqual([]);
  });

  test("is none of several, until one has the keyboard; a key leads there", async () => {
    await page.page.setViewportSize({ width: 420, height: 2000 });
    await ask(1);
    await ask(2);
    await page.armed();
    await settled();
    await noneIsInView();
    await press("approve", { approvalId: numbered(1).approvalId, argsDigest: numbered(1).argsDigest });
    expect(page.answers()).toEqual([]);
    await page.tell({ type: "goToCard" });
    await isInView(1);
    await pause();
    await press("deny");
    await expect.poll(() => page.answers()).toMatchObject([{ approvalId: numbered(1).approvalId }]);
  });

  test("that is out of sight is answered by no key", async () => {
    await ask(1);
    await isInView(1);
    const before = inView();
    await page.page.setViewportSize({ width: 420, height: 240 });
    await noneIsInView();
    await press("approve", before);
    expect(page.answers()).toEqual([]);
  });

  test("that something stands before is answered by no key", async () => {
    await ask(1);
    await isInView(1);
    const before = inView();
    await page.page.evaluate(() => {
      const cover = document.createElement("div");
      cover.style.cssText = "position: fixed; inset: 0; z-index: 9";
      document.body.append(cover);
    });
    await press("approve", before);
    expect(page.answers()).toEqual([]);
  });

  test.each([
    ["is cut", { truncated: { argsBytes: 70_000 } }],
    ["hides secrets", { redactions: 1 }],
  ])("that %s can be denied by a key and not approved", async (_what, changes) => {
    await ask(1, changes);
    await isInView(1);
    await press("approve");
    expect(page.answers()).toEqual([]);
    await pause();
    await press("deny");
    await expect.poll(() => page.answers()).toMatchObject([{ optionId: "reject_once" }]);
  });

  test("waits while there is no server", async () => {
    await ask(1);
    await isInView(1);
    const before = inView();
    await page.tell({ type: "connection", state: "lost", text: "Lost.", actions: [] });
    await press("approve", before);
    await noneIsInView();
    expect(page.answers()).toEqual([]);
  });
});

test.each(["the message", "the words for the agent"])("while %s is written, keys answer nothing", async (what) => {
  await ask(1);
  await isInView(1);
  const before = inView();
  if (what === "the message") await page.composer.focus();
  else await page.button("Deny with a message…").click();
  await noneIsInView();
  await page.page.keyboard.press("Control+Enter");
  await press("approve", before);
  await pause();
  await press("deny", before);
  expect(page.answers()).toEqual([]);
});

test("a key that is held down answers one card, and not the next", async () => {
  await page.stopClock();
  const wait = async (milliseconds: number) => {
    await page.passes(milliseconds);
    await settled();
  };
  await ask(1);
  await page.card().waitFor();
  await wait(0);
  await wait(500);
  await isInView(1);
  await press("approve");
  await expect.poll(() => page.answers()).toHaveLength(1);
  await page.tell(resolvedNow(numbered(1).approvalId));
  await ask(2);
  await page.card("2.txt").waitFor();
  for (let count = 0; count < 20; count += 1) {
    await page.passes(100);
    await press("approve");
  }
  await isInView(2);
  expect(page.answers()).toHaveLength(1);
  // The page itself sees that it comes again, also where the system waits for long before.
  await wait(1000);
  await page.page.evaluate(() => dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", repeat: true })));
  await press("approve");
  expect(page.answers()).toHaveLength(1);
  await wait(700);
  await press("approve");
  await expect.poll(() => page.answers()).toHaveLength(2);
});

test("a key that means something else elsewhere counts only while the page has the keyboard", async () => {
  await ask(1);
  await isInView(1);
  const card = inView();
  await page.page.evaluate(() => Object.assign(document, { hasFocus: () => false }));
  await page.tell({ type: "press", key: "approve", onPage: true, ...card });
  await expect.poll(() => page.said.at(-1)).toEqual({ type: "cardInView", hasKeyboard: false, ...card });
  expect(page.answers()).toEqual([]);
  await pause();
  await press("approve", card);
  await expect.poll(() => page.answers()).toHaveLength(1);
});

test("where the user wants no keys, none is told of and none is named", async () => {
  await ask(1);
  await isInView(1);
  await expect.poll(() => page.button("Approve").getAttribute("title")).toMatch(/Enter$/);
  await page.tell({ type: "hello", host: "editor", keys: false });
  await noneIsInView();
  await page.tell({ type: "chat", how: "replace", session: session(), events: [], pending: [numbered(2)] });
  await page.armed();
  expect(await page.button("Approve").getAttribute("title")).toBe(null);
  await press("approve", { approvalId: numbered(2).approvalId, argsDigest: numbered(2).argsDigest });
  expect(page.answers()).toEqual([]);
});

test("the way to a card draws it where it stands, and gives it the keyboard", async () => {
  await ask(1);
  await page.composer.focus();
  await page.tell({ type: "goToCard" });
  await expect.poll(() => page.card().evaluate((card) => card.matches(":focus"))).toBe(true);
});

test(`of ${PRESSES} presses at any moment, none answers what was not meant`, async () => {
  let state = 20_261_124;
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  await page.stopClock();
  let number = 0;
  let digest = 0;
  /** What is asked now, since when nothing has changed, and whether the user writes or has looked away. */
  let open: CardInView | undefined;
  let still = 0;
  let writes = false;
  let away = false;
  let meant = 0;
  const changed = () => {
    still = 0;
  };
  for (let count = 0; count < PRESSES; count += 1) {
    switch (random(9)) {
      case 0:
        if (open) await page.tell(resolvedNow(open.approvalId));
        number += 1;
        open = { approvalId: numbered(number).approvalId, argsDigest: numbered(number).argsDigest };
        await ask(number);
        changed();
        break;
      case 1:
        if (open === undefined) break;
        digest += 1;
        open = { ...open, argsDigest: `changed-${digest}` };
        await ask(number, { argsDigest: open.argsDigest, refreshed: true });
        changed();
        break;
      case 2:
        writes = random(3) === 0;
        if (writes) await page.composer.focus();
        else await page.page.evaluate(() => (document.querySelector("assent-app") as HTMLElement).focus());
        if (!writes) await page.composer.evaluate((field: HTMLElement) => field.blur());
        break;
      case 3:
        if ((random(3) === 0) === away) break;
        away = !away;
        await page.page.setViewportSize({ width: 420, height: away ? 200 : 900 });
        changed();
        break;
      default: {
        const passes = random(2000);
        await page.passes(passes);
        still += passes;
      }
    }
    const before = page.answers().length;
    const stale = random(4) === 0 ? { approvalId: "gone", argsDigest: "gone" } : inView();
    await press(random(2) === 0 ? "approve" : "deny", stale);
    const after = page.answers().slice(before);
    if (after.length === 0) continue;
    meant += 1;
    expect({ after, count }).toMatchObject({ after: [open], count });
    expect({ isStill: still >= 500, writes, away }).toEqual({ isStill: true, writes: false, away: false });
    // It is on its way: the server says what became of it.
    await page.tell(resolvedNow(open?.approvalId));
    open = undefined;
    changed();
  }
  expect(meant).toBeGreaterThan(PRESSES / 100);
}, 240_000);

function resolvedNow(approvalId = "") {
  const resolved = {
    approvalId,
    sessionId: numbered(1).sessionId,
    toolCallId: "",
    status: "cancelled" as const,
    resolvedBy: "stop" as const,
    reasonText: "",
  };
  return { type: "resolved" as const, resolved };
}
