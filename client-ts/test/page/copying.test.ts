// Copying what stands in a chat: the exact text, by the pointer and by the keyboard, and said only once it is so.
import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import type { PageMessage } from "../../src/common/page-messages.js";
import type { AgentEvent, ApprovalRequest } from "../../src/protocol/generated.js";
import { event, request, session, toolCall, toolResult } from "../support/examples.js";
import { aPageForEachTest, page } from "./each-page.js";

aPageForEachTest();

const TEXT = "Run **this**:\n\n```sh\nls -l\t| wc\n```\n\nand *look*.";

const happens = (...events: AgentEvent[]) =>
  page.tell(...events.map((one) => ({ type: "event", event: one }) as const));
const copy = (what: string) => page.page.getByRole("button", { name: `Copy ${what}`, exact: true });
const given = () => page.said.filter((one): one is Extract<PageMessage, { type: "copy" }> => one.type === "copy");
const words = async (at: Locator) => (await at.textContent())?.trim();
const spoken = () => page.page.locator("main > [role=status]").last();

async function presses(what: string): Promise<Extract<PageMessage, { type: "copy" }>> {
  const before = given().length;
  await copy(what).focus();
  await page.page.keyboard.press("Enter");
  await expect.poll(() => given().length).toBe(before + 1);
  return given()[before] as Extract<PageMessage, { type: "copy" }>;
}

test("a message, as it was written, and its code without the rest", async () => {
  await happens(
    event(1, "Prompt", { text: "  <b>count</b>\u202e  " }),
    event(2, "Chunk", { text: TEXT, thinking: null }),
    event(3, "Done", { done_reason: "stop" }),
  );
  expect((await presses("this message as Markdown")).text).toBe(TEXT);
  expect((await presses("this code")).text).toBe("ls -l\t| wc");
  expect((await presses("your message")).text).toBe("  <b>count</b>\u202e  ");
});

test("it says that it is copied when it is, not before", async () => {
  await happens(event(1, "Prompt", { text: "hello" }));
  const { id } = await presses("your message");
  await page.drawn();
  await expect(words(copy("your message"))).resolves.toBe("Copy");
  await page.tell({ type: "copied", id, ok: true });
  await expect.poll(() => words(copy("your message"))).toBe("✓ Copied");
  await expect.poll(() => words(spoken())).toBe("Copied.");
});

test("what could not be copied says so", async () => {
  await happens(event(1, "Prompt", { text: "hello" }));
  const { id } = await presses("your message");
  await page.tell({ type: "copied", id, ok: false });
  await page.page.getByText("It could not be copied").first().waitFor();
  await expect(words(copy("your message"))).resolves.toBe("Copy");
});

test("the command of a card, and what a call printed", async () => {
  await happens(toolCall(1), toolResult(2));
  await page.page.getByText("Details").click();
  const { text } = await presses("output");
  expect(text).toBe("Wrote notes.txt.");
  const command = "printf 'a\\tb'  \\\n  | cat";
  const preview: ApprovalRequest["preview"] = { kind: "command", text: command, parts: [] };
  await page.ask(request({ approvalId: "a-2", preview }));
  expect((await presses("the command")).text).toBe(command);
});

test("from a field of a card what was marked there, also where all of the chat was marked from beside it", async () => {
  await happens(event(1, "Prompt", { text: "hello" }));
  await page.ask(request({ approvalId: "a-3" }));
  await page.page.getByRole("button", { name: "Deny with a message…" }).click();
  const field = page.page.getByRole("textbox", { name: "What the agent should do instead" });
  await field.fill("not this one");
  await page.page.keyboard.press("Shift+Tab");
  await page.page.keyboard.press("Control+a");
  await page.page.locator("assent-thread[marked]").waitFor();
  await page.page.keyboard.press("Tab");
  await expect(field.evaluate((at) => at.matches(":focus"))).resolves.toBe(true);
  const isTaken = page.page.evaluate(
    () =>
      new Promise<boolean>((resolve) => {
        window.addEventListener("copy", (one) => resolve(one.defaultPrevented), { once: true });
      }),
  );
  await page.page.keyboard.press("Control+a");
  await page.page.keyboard.press("Control+c");
  await expect(isTaken).resolves.toBe(false);
  await expect.poll(() => page.page.locator("assent-thread[marked]").count()).toBe(0);
});

test("another chat that comes up by itself is not marked because the one before was", async () => {
  await happens(event(1, "Prompt", { text: "hello" }));
  await page.page.getByRole("region", { name: "Conversation" }).focus();
  await page.page.keyboard.press("Control+a");
  await page.page.locator("assent-thread[marked]").waitFor();
  const other = session({ sessionId: "s-2" });
  const events = [{ ...event(1, "Prompt", { text: "the other one" }), sessionId: "s-2" }];
  await page.tell({ type: "chat", how: "replace", session: other, events, pending: [] });
  await page.page.getByText("the other one").waitFor();
  await expect.poll(() => page.page.locator("assent-thread[marked]").count()).toBe(0);
});
