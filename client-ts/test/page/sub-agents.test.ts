// Sub-agents as a person meets them: folded below their call, and in sight as soon as something waits.
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import type { ApprovalRequest } from "../../src/protocol/generated.js";
import { event, request, resolution, text, toolResult } from "../support/examples.js";
import { aPageForEachTest, ownPage, page } from "./each-page.js";

aPageForEachTest();

const SCREENS = path.resolve(import.meta.dirname, "../../../test-results/screens");
const TITLES = ["Tidy up", "Sort the notes", "Write the list"];
let n = 0;
const tell = <T extends Parameters<typeof event>[1]>(name: T, data: Parameters<typeof event<T>>[2]) => {
  n += 1;
  return page.tell({ type: "event", event: event(n, name, data) });
};

async function opened(width = 420): Promise<void> {
  n = 0;
  if (width !== 420) await ownPage("light", width);
  await tell("Prompt", { text: "tidy up" });
  await page.tell({ type: "event", event: text(n + 1, "I hand it on.") });
  n += 1;
  for (const [depth, title] of TITLES.entries()) {
    const parent = depth === 0 ? {} : { parentToolCallId: `call-${depth - 1}` };
    await tell("ToolCall", {
      toolCallId: `call-${depth}`,
      tool: "run_subtask",
      args: { title, instructions: "…" },
      category: "internal",
      headline: `Sub-agent: ${title}`,
      depth,
      ...parent,
    });
    await tell("Chunk", { text: `This is ${title}.`, thinking: null, parentToolCallId: `call-${depth}` });
  }
}

const card: ApprovalRequest = request({
  toolCall: { toolCallId: "call-3", title: "Write list.txt", kind: "edit", rawInput: {} },
  headline: "Write list.txt (+1 −0)",
  parentToolCallId: "call-2",
  depth: 3,
  path: TITLES,
});

const heading = () => page.page.getByRole("heading", { name: "Write list.txt (+1 −0)" });
const summaries = () => page.page.locator("details.fold > summary");
const said = (title: string) => page.page.getByText(`This is ${title}.`);

test("what it says and does is folded below its call, never in the answer of the chat's own agent", async () => {
  await opened();
  await page.page.getByText("Sub-agent: Tidy up").waitFor();
  expect(await said("Tidy up").isVisible()).toBe(false);
  await summaries().first().click();
  await said("Tidy up").waitFor();
  expect(await said("Sort the notes").isVisible()).toBe(false);
  await page.page.locator("assent-markdown .text", { hasText: /^\s*I hand it on\.\s*$/ }).waitFor();
});

test("a card three deep is in sight by itself, names the chain, and is answered there", async () => {
  await opened(250);
  await page.tell({ type: "approval", request: card });
  await heading().waitFor();
  await page.page.getByText("through Tidy up › Sort the notes › Write the list").waitFor();
  for (const title of TITLES) await said(title).waitFor();
  await expect.poll(() => summaries().allInnerTexts()).toEqual(Array(3).fill("1 call · 1 waits for you"));
  const overflows = await page.page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  expect(overflows).toBe(false);
  const box = await page.page.locator("assent-card").boundingBox();
  expect(box !== null && box.x >= 0 && box.x + box.width <= 250).toBe(true);
  await mkdir(SCREENS, { recursive: true });
  await page.page.screenshot({ path: path.join(SCREENS, "sub-agent-card-250.png") });
  await page.armed();
  await page.page.getByRole("button", { name: "Approve", exact: true }).click();
  await expect.poll(() => page.answers().length).toBe(1);
  await page.tell({ type: "resolved", resolved: resolution({ toolCallId: "call-3" }) });
  await expect.poll(() => summaries().allInnerTexts()).toEqual(Array(3).fill("1 call"));
});

test("folded by hand it stays so while it waits, says that it does, and one press leads there", async () => {
  await opened();
  await page.tell({ type: "approval", request: card });
  await heading().waitFor();
  await summaries().first().click();
  await heading().waitFor({ state: "hidden" });
  await tell("Chunk", { text: " More.", thinking: null, parentToolCallId: "call-2" });
  expect(await heading().isVisible()).toBe(false);
  await summaries().first().getByText("1 waits for you").waitFor();
  await page.page.getByRole("button", { name: "Show", exact: true }).click();
  await heading().waitFor();
  const focused = await page.page.evaluate(() => {
    let inner = document.activeElement;
    while (inner?.shadowRoot?.activeElement) inner = inner.shadowRoot.activeElement;
    return inner?.getAttribute("data-approval-id");
  });
  expect(focused).toBe(card.approvalId);
});

test("its answer and its calls stand in the details of its row", async () => {
  await opened();
  const content = "ok: Read notes.txt (0.1 s)\n    one, two";
  await page.tell({
    type: "event",
    event: toolResult(n + 1, { toolCallId: "call-0", tool: "run_subtask", output: "All is tidy.", content }),
  });
  await page.page.locator('[data-call-id="call-0"] > details:not(.fold) > summary').click();
  await page.page.getByText("All is tidy.").waitFor();
  await page.page.getByText("Its calls").waitFor();
  await page.page.getByText("ok: Read notes.txt (0.1 s)").waitFor();
});
