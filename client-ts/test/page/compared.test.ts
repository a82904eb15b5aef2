// Files in the editor's view of differences: opened from a card and from a row, and what counts as seen then.
import { describe, expect, test } from "vitest";
import { event, request, session, toolCall, toolResult } from "../support/examples.js";
import { aPageForEachTest, page } from "./each-page.js";

aPageForEachTest();

const cutOff = { comparable: true, truncated: { argsBytes: 70_000 } };
const opened = { type: "compared", approvalId: "a-1", argsDigest: "digest-1", tellAll: true, hides: false } as const;
const openDiff = () => page.button("Open diff");
const usable = async () => (await page.button("Approve").getAttribute("aria-disabled")) === "false";

async function asked(more: object): Promise<void> {
  await page.tell({ type: "hello", host: "editor" });
  await page.ask(request(more));
  await page.armed();
}

describe("on a card", () => {
  test("the button asks for just the state that the card shows", async () => {
    await asked({ comparable: true });
    await openDiff().click();
    await expect.poll(() => page.said.at(-1)).toEqual({ type: "openDiff", approvalId: "a-1", argsDigest: "digest-1" });
    await page.button("Opening the diff…").waitFor();
    await page.tell(opened);
    await openDiff().waitFor();
  });

  test("all of a change that is cut off can be approved once it was opened", async () => {
    await asked(cutOff);
    expect(await usable()).toBe(false);
    await openDiff().click();
    await page.drawn();
    expect(await usable()).toBe(false);
    await page.tell(opened);
    await page.card().getByText("All of it stands in the diff that was opened.").waitFor();
    await page.armed();
    await page.button("Approve").click();
    await expect.poll(() => page.answers()).toMatchObject([{ optionId: "allow_once", argsDigest: "digest-1" }]);
  });

  test("a diff that is not all of it opens nothing else", async () => {
    await asked(cutOff);
    await page.tell({ ...opened, tellAll: false });
    await page.card().getByText("there is more to it: open the full text").waitFor();
    await page.armed();
    expect(await usable()).toBe(false);
  });

  test("a diff of another state of the call, and one that could not be opened, count for nothing", async () => {
    await asked(cutOff);
    await page.tell({ ...opened, argsDigest: "digest-0" });
    await page.tell({ type: "compareFailed", approvalId: "a-1", text: "The diff could not be opened: no room" });
    await page.card().getByText("The diff could not be opened: no room").waitFor();
    await page.armed();
    expect(await usable()).toBe(false);
  });

  test("a call that changes afterwards has to be opened anew", async () => {
    await asked(cutOff);
    await page.tell(opened);
    await page.tell({ type: "approval", request: request({ ...cutOff, argsDigest: "digest-2", refreshed: true }) });
    await page.card().getByText("Changed, please review again.").waitFor();
    await page.armed();
    expect(await usable()).toBe(false);
  });

  test("what hides in it is said on the card", async () => {
    await asked({ comparable: true });
    expect(await page.card().locator(".hidden-note").count()).toBe(0);
    await page.tell({ ...opened, hides: true });
    await page.card().locator(".hidden-note").waitFor();
  });

  test("masked secrets are revealed first", async () => {
    await asked({ comparable: true, redactions: 1 });
    expect(await openDiff().isDisabled()).toBe(true);
  });

  test.each([
    ["a call that changes no file", { host: "editor", comparable: null }],
    ["a plain browser, which has no such view", { host: "browser", comparable: true }],
  ] as const)("%s has no button", async (_name, { host, comparable }) => {
    await page.tell({ type: "hello", host });
    await page.ask(request({ comparable }));
    await page.armed();
    expect(await openDiff().count()).toBe(0);
  });
});

describe("on a row", () => {
  test("what was written is opened by its call", async () => {
    await page.tell({ type: "hello", host: "editor" });
    await page.tell({ type: "chat", how: "replace", session: session(), events: [], pending: [] });
    await page.tell({ type: "event", event: event(1, "Prompt", { text: "go" }) });
    await page.tell({ type: "event", event: toolCall(2) });
    await page.tell({ type: "event", event: toolResult(3, { path: "src/a.ts", content: "written" }) });
    await page.page.getByRole("button", { name: "Open diff" }).click();
    await expect
      .poll(() => page.said.at(-1))
      .toEqual({ type: "openWritten", sessionId: session().sessionId, toolCallId: "c-1" });
  });
});
