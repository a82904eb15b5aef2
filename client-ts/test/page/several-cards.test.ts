import { expect, test } from "vitest";
import type { ApprovalRequest } from "../../src/protocol/generated.js";
import { resolution, session } from "../support/examples.js";
import { numbered } from "../support/page-state.js";
import { aPageForEachTest, page } from "./each-page.js";

aPageForEachTest();

const bar = () => page.page.getByRole("group", { name: "All that wait" });
const approveAll = (count: number) => bar().getByRole("button", { name: `Approve all shown (${count})` });
const usable = (name: string) => bar().locator('button[aria-disabled="false"]', { hasText: name });
const batches = () => page.said.filter((message) => message.type === "batch");
const next = () => page.page.getByRole("button", { name: "Next waiting call" });
const items = (...numbers: number[]) =>
  numbers.map((number) => ({ approvalId: `a-${number}`, argsDigest: `digest-${number}` }));

async function ask(...requests: ApprovalRequest[]): Promise<void> {
  for (const request of requests) await page.tell({ type: "approval", request });
  await page.page.locator(`[data-approval-id="${requests.at(-1)?.approvalId}"]`).waitFor();
}

test("one card has no bar", async () => {
  await ask(numbered(1));
  await page.armed();
  expect(await bar().count()).toBe(0);
});

test("a yes to all names those that were in sight, in the state in which they were", async () => {
  await page.page.setViewportSize({ width: 420, height: 1700 });
  await ask(numbered(1), numbered(2), numbered(3));
  await approveAll(3).waitFor();
  await usable("Approve all shown").click();
  await expect.poll(batches).toEqual([{ type: "batch", items: items(1, 2, 3), decision: "allow_once" }]);
  expect(page.answers()).toEqual([]);
});

test("a card below the edge is not meant until it was looked at", async () => {
  await page.page.setViewportSize({ width: 420, height: 700 });
  await ask(numbered(1), numbered(2), numbered(3));
  await approveAll(1).waitFor();
  await bar().getByText("2 not looked at yet").waitFor();
  await next().click();
  await next().click();
  await approveAll(2).waitFor();
  await usable("Approve all shown").click();
  await expect.poll(batches).toMatchObject([{ items: items(1, 2) }]);
});

test("a card that changes must be looked at again", async () => {
  await page.page.setViewportSize({ width: 420, height: 800 });
  await ask(numbered(1), numbered(2));
  await next().click();
  await next().click();
  await approveAll(2).waitFor();
  await page.tell({ type: "approval", request: numbered(1, { argsDigest: "other", refreshed: true }) });
  await approveAll(1).waitFor();
  await page.page.getByRole("button", { name: "Previous waiting call" }).click();
  await approveAll(2).waitFor();
  await page.tell({ type: "approval", request: numbered(2, { argsDigest: "another", refreshed: true }) });
  await approveAll(1).waitFor();
  await usable("Approve all shown").click();
  await expect.poll(batches).toMatchObject([{ items: [{ approvalId: "a-1", argsDigest: "other" }] }]);
});

test("a press that was meant for fewer does not count for more", async () => {
  await page.page.setViewportSize({ width: 420, height: 1700 });
  await ask(numbered(1), numbered(2));
  await approveAll(2).waitFor();
  await usable("Approve all shown").waitFor();
  await page.stopClock();
  await ask(numbered(3));
  await approveAll(3).waitFor();
  await approveAll(3).click({ force: true, noWaitAfter: true });
  await approveAll(3).focus();
  await page.page.keyboard.press("Enter");
  await page.drawn();
  expect(batches()).toEqual([]);
  await page.passes(400);
  await usable("Approve all shown").click();
  await expect.poll(batches).toMatchObject([{ items: items(1, 2, 3) }]);
});

test("what has to be answered by itself is not counted, and says so after a yes to the others", async () => {
  await page.page.setViewportSize({ width: 420, height: 1700 });
  const kept = (code: string) => ({ reason: { code, text: "Because." } });
  await ask(numbered(1, kept("protected")), numbered(2, kept("ask_rule")));
  await bar().getByText("2 to be answered by themselves").waitFor();
  expect(await bar().locator("button[data-all]").count()).toBe(1);
  await ask(numbered(3));
  await approveAll(1).waitFor();
  await usable("Approve all shown").click();
  await expect.poll(batches).toMatchObject([{ items: items(3) }]);
  await page.tell({ type: "batchAnswered", results: [{ approvalId: "a-3", status: "accepted" }] });
  await page.card("1.txt").getByText("Protected: answer this one by itself.").waitFor();
  await page.card("2.txt").getByText("A rule always asks for it: answer this one by itself.").waitFor();
});

test("a no to all needs no looking", async () => {
  await ask(numbered(1), numbered(2), numbered(3));
  await usable("Deny all (3)").click();
  await expect.poll(batches).toEqual([{ type: "batch", items: items(1, 2, 3), decision: "reject_once" }]);
});

test("what was left or failed stays, each with its word", async () => {
  await page.page.setViewportSize({ width: 420, height: 1700 });
  await ask(numbered(1), numbered(2), numbered(3));
  await approveAll(3).waitFor();
  await usable("Approve all shown").click();
  await expect.poll(batches).toHaveLength(1);
  await page.tell({
    type: "batchAnswered",
    results: [
      { approvalId: "a-1", status: "accepted" },
      { approvalId: "a-2", status: "left" },
      { approvalId: "a-3", status: "failed", error: { code: -31006, message: "The disk is full." } },
    ],
  });
  await page.card("2.txt").getByText("wants a look of its own").waitFor();
  await page.card("3.txt").getByText("The disk is full.").waitFor();
  expect(await page.card().count()).toBe(2);
  await page.card("3.txt").locator('[data-kind="allow_once"][aria-disabled="false"]').click();
  await expect.poll(() => page.answers()).toMatchObject([{ approvalId: "a-3" }]);
});

test("one knows where one is, by pointer and by key", async () => {
  await ask(numbered(1), numbered(2), numbered(3));
  await page.page.getByText("Awaiting your approval · 3 waiting").waitFor();
  await next().click();
  await page.page.getByText("1 of 3 waiting").waitFor();
  await page.page.keyboard.press("Alt+ArrowDown");
  await page.page.getByText("2 of 3 waiting").waitFor();
  await page.page.keyboard.press("Alt+ArrowUp");
  await page.page.keyboard.press("Alt+ArrowUp");
  await page.page.getByText("3 of 3 waiting").waitFor();
  await page.composer.focus();
  await page.page.keyboard.press("Alt+ArrowDown");
  await page.page.getByText("1 of 3 waiting").waitFor();
  await page.page.evaluate(() => {
    let active = document.activeElement;
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
    (active as HTMLElement).blur();
  });
  await page.page.keyboard.press("Alt+ArrowDown");
  await page.page.getByText("2 of 3 waiting").waitFor();
});

test("a thousand: a hundred stand in the chat, the others are counted, and none is answered because of it", async () => {
  const pending = Array.from({ length: 1000 }, (_, index) => numbered(index));
  await page.tell({ type: "chat", how: "continue", session: session(), events: [], pending });
  await page.page.getByText("1000 waiting, 100 shown").waitFor();
  await usable("Deny all (100)").click();
  await expect.poll(batches).toHaveLength(1);
  const [batch] = batches();
  expect(batch?.type === "batch" && batch.items.map((item) => item.approvalId)).toEqual(
    Array.from({ length: 100 }, (_, index) => `a-${index}`),
  );
  const endings = Array.from({ length: 100 }, (_, index) => {
    const ended = { approvalId: `a-${index}`, toolCallId: `c-${index}`, status: "rejected" } as const;
    return { type: "resolved", resolved: resolution({ ...ended, decision: "reject_once" }) } as const;
  });
  await page.tell(...endings);
  await page.page.getByText("900 waiting, 100 shown").waitFor();
  await page.page.keyboard.press("Alt+ArrowUp");
  await page.page.locator('[data-approval-id="a-199"]:focus').waitFor();
  await page.page.getByText("100 of 900 waiting, 100 shown").waitFor();
  expect(page.answers()).toEqual([]);
});

const chosen = () => page.page.getByRole("group", { name: "Which of them an answer to all means" });

test("single ones are left out, of a yes and of a no", async () => {
  await page.page.setViewportSize({ width: 420, height: 1900 });
  await ask(numbered(1), numbered(2), numbered(3));
  await approveAll(3).waitFor();
  await bar().getByRole("button", { name: "Choose…" }).click();
  await chosen()
    .getByRole("checkbox", { name: /^Write 2\.txt/ })
    .uncheck();
  await bar().getByText("1 left out").waitFor();
  await usable("Deny all (2)").waitFor();
  await usable("Approve all shown (2)").click();
  await expect.poll(batches).toEqual([{ type: "batch", items: items(1, 3), decision: "allow_once" }]);
  expect(await page.card().count()).toBe(3);
});

test("equal ones stand together, and are taken out together", async () => {
  const same = { headline: "Run ls", tool: "bash", args: { command: "ls" } };
  await ask(numbered(1, same), numbered(2), numbered(3, same));
  await bar().getByRole("button", { name: "Choose…" }).click();
  expect(await chosen().getByRole("checkbox").count()).toBe(2);
  await chosen().getByText("2 times the same").waitFor();
  await chosen()
    .getByRole("checkbox", { name: /^Run ls/ })
    .uncheck();
  await usable("Deny all (1)").click();
  await expect.poll(batches).toEqual([{ type: "batch", items: items(2), decision: "reject_once" }]);
});

test("of many, words pick those that are meant; nothing is answered by picking", async () => {
  const pending = Array.from({ length: 1000 }, (_, index) => numbered(index, { headline: `Write ${index}.txt` }));
  await page.tell({ type: "chat", how: "continue", session: session(), events: [], pending });
  await page.page.getByText("1000 waiting, 100 shown").waitFor();
  await bar().getByRole("button", { name: "Choose…" }).click();
  await chosen().getByRole("searchbox").fill("write 9");
  await chosen().getByRole("button", { name: "Only these 11" }).click();
  await bar().getByText("89 left out").waitFor();
  expect(batches()).toEqual([]);
  await usable("Deny all (11)").click();
  const meant = [9, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99];
  await expect.poll(batches).toEqual([{ type: "batch", items: items(...meant), decision: "reject_once" }]);
});

test("what is being changed is not meant by a yes to all", async () => {
  await page.page.setViewportSize({ width: 420, height: 1700 });
  await ask(numbered(1, { editable: true }), numbered(2));
  await approveAll(2).waitFor();
  await page.button("Edit before approving…").click();
  await approveAll(1).waitFor();
  await usable("Approve all shown").click();
  await expect.poll(batches).toMatchObject([{ items: items(2) }]);
});
