import { describe, expect, test } from "vitest";
import { event, request, resolution, toolCall, toolResult } from "../support/examples.js";
import { grant } from "../support/page-state.js";
import { aPageForEachTest, ownPage, page } from "./each-page.js";

aPageForEachTest();

const said = (type: string) => page.said.filter((message) => message.type === type);

describe("a card", () => {
  test("that waited when the server ended says what approving does", async () => {
    await page.ask(request({ interrupted: true }));
    await page
      .card()
      .getByText("This waited when the server ended. It did not run. Approving runs it now, once.")
      .waitFor();
  });

  test("shows when it ends only while the clock runs, and is not moved by it", async () => {
    const timeout = { seconds: 300, running: true, remainingMs: 240_000 };
    await page.ask(request());
    const place = async () => JSON.stringify(await page.button("Approve").boundingBox());
    const before = await place();
    await page.tell({ type: "approval", request: request({ timeout }) });
    await page.card().getByText("Without an answer, this is denied in about 4 minutes.").waitFor();
    expect(await place()).toBe(before);
    await page.tell({ type: "approval", request: request({ timeout: { ...timeout, running: false } }) });
    await page.card().getByText("Without an answer").waitFor({ state: "detached" });
  });

  test.each([{ redelivery: true }, { interrupted: true }])(
    "says when it ends also when it comes again: %j",
    async (again) => {
      await page.ask(request({ ...again, timeout: { seconds: 300, running: true, remainingMs: 240_000 } }));
      await page.card().getByText("Without an answer, this is denied in about 4 minutes.").waitFor();
    },
  );

  test("counts on by itself, in words that nobody is told of", async () => {
    await ownPage();
    await page.page.clock.install();
    await page.ask(request({ timeout: { seconds: 300, running: true, remainingMs: 240_000 } }));
    const announced = await page.page.locator('[aria-live="polite"]').textContent();
    await page.page.clock.runFor(65_000);
    await page.card().getByText("denied in about 3 minutes.").waitFor();
    expect(await page.page.locator('[aria-live="polite"]').textContent()).toBe(announced);
  });
});

describe("a call that did not run", () => {
  async function timedOut(): Promise<void> {
    await page.tell({ type: "event", event: toolCall(1) });
    await page.ask(request());
    const ended = resolution({ status: "timeout", resolvedBy: "timeout", decision: null, reasonText: "300 s" });
    await page.tell({ type: "resolved", resolved: ended });
  }

  test("because nobody answered can be asked for again, once, by an ordinary message", async () => {
    await timedOut();
    await page.page.getByText("Nobody answered in time; nothing was run.", { exact: true }).waitFor();
    const again = page.page.getByRole("button", { name: "Ask again" });
    await again.click();
    await expect
      .poll(() => said("send"))
      .toMatchObject([{ text: "Please try this call again, it did not run: write_file — Write notes.txt (+1 −0)" }]);
    expect(await page.page.getByRole("button", { name: "Asked again" }).isDisabled()).toBe(true);
    expect(page.answers()).toEqual([]);
  });

  test("cannot be asked for without a server", async () => {
    await timedOut();
    await page.tell({ type: "connection", state: "lost", text: "Connection lost.", actions: [] });
    await page.page.getByText("Connection lost.").waitFor();
    expect(await page.page.getByRole("button", { name: "Ask again" }).isDisabled()).toBe(true);
  });

  test.each([
    ["interrupted", "The server restarted; this call did not run.", 1],
    ["approval_timeout", "Nobody answered in time; nothing was run.", 1],
    ["secret_not_kept", "It held what looks like a secret, which is never kept. Ask for it anew.", 0],
    ["outcome_unknown", "Whether it did its work is not known.", 0],
  ])("or may not have, is told in words: %s", async (code, words, buttons) => {
    await page.tell({ type: "event", event: toolCall(1) });
    await page.tell({ type: "event", event: toolResult(2, { success: false, is_error: true, code, output: "" }) });
    await page.page.getByText(words).first().waitFor();
    expect(await page.page.getByRole("button", { name: "Ask again" }).count()).toBe(buttons);
  });
});

test("the last note of a call counts, however long it is", async () => {
  const note = (n: number, words: string) =>
    page.tell({
      type: "event",
      event: event(n, "ToolUpdate", { toolCallId: "c-1", phase: "post_tool_use", note: words }),
    });
  const long = `You changed this call before approving it. What runs: ${"x".repeat(400)}`;
  await page.tell({ type: "event", event: toolCall(1) });
  await note(2, "In mode default, Demo must ask before it writes.");
  await note(3, long);
  await page.tell({ type: "event", event: toolResult(4) });
  const shown = page.page.locator('[data-status="done"] .notes', { hasText: long });
  await shown.waitFor();
  expect(await page.page.getByText("must ask before it writes").count()).toBe(0);
  expect(await shown.evaluate((list) => list.scrollWidth <= list.clientWidth)).toBe(true);
});

describe("activity", () => {
  test("is what a person does, told at most every ten seconds", async () => {
    await page.stopClock();
    await page.page.keyboard.press("Shift");
    await expect.poll(() => said("activity")).toHaveLength(1);
    await page.page.mouse.click(200, 500);
    await page.page.keyboard.press("Shift");
    await page.passes(9_999);
    await page.page.mouse.wheel(0, 10);
    await page.drawn();
    expect(said("activity")).toHaveLength(1);
    await page.passes(1);
    await page.page.mouse.wheel(0, 10);
    await expect.poll(() => said("activity")).toHaveLength(2);
  });

  test("after a new question is told at once, and then seldom again", async () => {
    await page.stopClock();
    await page.page.keyboard.press("Shift");
    await expect.poll(() => said("activity")).toHaveLength(1);
    await page.ask(request());
    await page.page.keyboard.press("Shift");
    await expect.poll(() => said("activity")).toHaveLength(2);
    await page.tell({ type: "approval", request: request({ redelivery: true }) });
    await page.drawn();
    await page.page.keyboard.press("Shift");
    await page.drawn();
    expect(said("activity")).toHaveLength(2);
  });

  test("is not what a program does, nor the passing of time, nor what the server tells", async () => {
    await page.page.evaluate(() => {
      for (const name of ["pointerdown", "keydown", "wheel", "focus"]) window.dispatchEvent(new Event(name));
      document.querySelector("assent-app")?.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true }));
    });
    await page.ask(request());
    await page.armed();
    // The page moves the focus by itself when a card closes: nobody has done anything then.
    await page.button("Approve").focus();
    await page.tell({ type: "resolved", resolved: resolution() });
    await page.card().waitFor({ state: "detached" });
    expect(said("activity")).toEqual([]);
  });
});

describe("what is allowed", () => {
  const stored = grant({
    grantId: "g-2",
    kind: "rule",
    scope: "workspace",
    sessionId: null,
    text: "write_file in docs/** runs without asking",
    setting: "assent.alwaysAllowRules",
    file: "/home/ada/project/.vscode/settings.json",
    line: 7,
    used: 0,
    lastUsedAt: null,
  });
  const chip = () => page.page.getByRole("group", { name: "Runs without asking in this chat" });
  const panel = () => page.page.getByRole("region", { name: "What is allowed" });
  const remove = () => chip().getByRole("button", { name: "Remove: write_file runs without asking" });
  const undo = () => page.page.getByRole("button", { name: "Undo" });

  test("in this chat stands above it, and is taken back there", async () => {
    await page.tell({ type: "grants", grants: [grant({ ends: { usesLeft: 3 } }), stored] });
    await chip().getByText("· 3 more").waitFor();
    expect(await chip().getByText("docs/**").count()).toBe(0);
    await remove().click();
    await expect.poll(() => said("grantRevoke")).toEqual([{ type: "grantRevoke", grantId: "g-1" }]);
    await expect.poll(() => remove().isDisabled()).toBe(true);
    await page.tell({ type: "grantRevoked", grantId: "g-1", undoable: true });
    await page.page.getByText("Removed: write_file runs without asking").first().waitFor();
    await page.page.locator('assent-removed button[aria-disabled="false"]').click();
    await expect.poll(() => said("grantUndo")).toEqual([{ type: "grantUndo", grantId: "g-1" }]);
    await page.tell({ type: "grantRestored", grantId: "g-1" });
    await undo().waitFor({ state: "detached" });
  });

  test("again by the way back counts only when that has stood still", async () => {
    await page.tell({ type: "grants", grants: [grant()] });
    await remove().waitFor();
    await page.stopClock();
    await page.tell({ type: "grantRevoked", grantId: "g-1", undoable: true });
    await undo().click({ force: true, noWaitAfter: true });
    await undo().focus();
    await page.page.keyboard.press("Enter");
    await page.drawn();
    expect(said("grantUndo")).toEqual([]);
    await page.passes(400);
    await page.page.locator('assent-removed button[aria-disabled="false"]').click();
    await expect.poll(() => said("grantUndo")).toHaveLength(1);
  });

  test("is listed whole, with where it comes from and when it ends", async () => {
    const ending = grant({ ends: { remainingMs: 600_000 } });
    await page.tell({ type: "grants", grants: [ending, grant({ grantId: "g-3", sessionId: "s-9" }), stored] });
    await chip().getByRole("button", { name: "What is allowed" }).click();
    await expect.poll(() => said("permissionsLook").length).toBeGreaterThan(0);
    await panel().getByText("ends in about 10 minutes").waitFor();
    await panel().getByText("Given Mar 1, 2026").first().waitFor();
    await panel().getByText("on the card “Write notes.txt (+1 −0)”").first().waitFor();
    await panel().getByText("Used 2 times, last Mar 1, 2026").first().waitFor();
    await panel().getByText("In another chat").waitFor();
    await panel().getByText("Not used yet").waitFor();
    await panel().getByRole("button", { name: "/home/ada/project/.vscode/settings.json:7" }).click();
    await expect
      .poll(() => said("openFile"))
      .toEqual([{ type: "openFile", path: "/home/ada/project/.vscode/settings.json", line: 7 }]);
    await panel()
      .getByRole("button", { name: /^Remove: write_file in docs/ })
      .click();
    await expect.poll(() => said("grantRevoke")).toEqual([{ type: "grantRevoke", grantId: "g-2" }]);
    await page.tell({ type: "grantFailed", grantId: "g-2", text: "Nothing was changed: read-only." });
    await page.page.getByText("Nothing was changed: read-only.").first().waitFor();
    await page.page.keyboard.press("Escape");
    await panel().waitFor({ state: "detached" });
  });

  test("opens by a command, takes the focus, and says where there is nothing", async () => {
    await page.tell({ type: "grants", grants: [] });
    await page.tell({ type: "showGrants" });
    await panel().getByText("Nothing: every call that is not plain reading asks first.").waitFor();
    await page.page.keyboard.press("Escape");
    await panel().waitFor({ state: "detached" });
    expect(await chip().count()).toBe(0);
  });

  test("and what is forbidden stand apart", async () => {
    const ban = grant({ grantId: "g-4", kind: "deny_rule", text: "write_file in infra/** never runs" });
    await page.tell({ type: "grants", grants: [ban] });
    await page.tell({ type: "showGrants" });
    await panel().getByRole("heading", { name: "What is never allowed" }).waitFor();
    await panel().getByText("Nothing: every call that is not plain reading asks first.").waitFor();
    expect(await chip().count()).toBe(0);
    await panel()
      .getByRole("button", { name: `Remove this ban: ${ban.text}` })
      .click();
    await panel().getByRole("group", { name: "Remove it" }).getByRole("button", { name: "Remove it" }).click();
    await expect.poll(() => said("grantRevoke")).toEqual([{ type: "grantRevoke", grantId: "g-4" }]);
  });

  test("but has no effect says so", async () => {
    await page.tell({ type: "grants", grants: [{ ...stored, effective: false }] });
    await page.tell({ type: "showGrants" });
    await panel().getByText("Has no effect").waitFor();
  });
});
