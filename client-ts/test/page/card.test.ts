import { describe, expect, test } from "vitest";
import type { RuleOrigin } from "../../src/protocol/generated.js";
import { request, resolution, session, text, toolCall } from "../support/examples.js";
import type { EditorPage } from "./browser.js";
import { aPageForEachTest, page } from "./each-page.js";

aPageForEachTest();

/** Clicks at once, without the waiting for an enabled button that a test tool does by itself. */
const clickAtOnce = (name: string) => page.button(name).click({ force: true, noWaitAfter: true });

describe("no answer counts", () => {
  test("before the card has stood still for a moment", async () => {
    await page.stopClock();
    await page.ask(request());
    await page.passes(399);
    await clickAtOnce("Approve");
    await page.drawn();
    expect(page.answers()).toEqual([]);
    await page.passes(1);
    await page.armed();
    await page.button("Approve").click();
    await expect
      .poll(() => page.answers())
      .toEqual([{ type: "answer", approvalId: "a-1", argsDigest: "digest-1", optionId: "allow_once" }]);
  });

  test("from a key that went down before the card had stood still", async () => {
    await page.stopClock();
    await page.ask(request());
    await page.button("Approve").focus();
    await page.page.keyboard.down("Space");
    await page.passes(400);
    await page.armed();
    await page.page.keyboard.up("Space");
    await page.drawn();
    expect(page.answers()).toEqual([]);
    await page.page.keyboard.press("Space");
    await expect.poll(() => page.answers()).toHaveLength(1);
  });

  test("right after it moved", async () => {
    await page.ask(request());
    await page.armed();
    await page.stopClock();
    await page.page.evaluate(() => {
      const thread = document.querySelector("assent-app")?.shadowRoot?.querySelector("assent-thread")?.shadowRoot;
      const block = document.createElement("div");
      block.style.height = "120px";
      thread?.querySelector(".items")?.prepend(block);
    });
    await clickAtOnce("Approve");
    await page.drawn();
    expect(page.answers()).toEqual([]);
    await page.passes(400);
    await page.armed();
    await page.button("Approve").click();
    await expect.poll(() => page.answers()).toHaveLength(1);
  });

  test("right after it changed, and the change is said", async () => {
    await page.ask(request());
    await page.armed();
    await page.stopClock();
    await page.tell({ type: "approval", request: request({ argsDigest: "digest-2", refreshed: true }) });
    await page.card().getByText("Changed, please review again.").waitFor();
    await clickAtOnce("Approve");
    await page.button("Approve").focus();
    await page.page.keyboard.press("Enter");
    await page.drawn();
    expect(page.answers()).toEqual([]);
    await page.passes(400);
    await page.armed();
    await page.button("Approve").click();
    await expect.poll(() => page.answers()).toMatchObject([{ argsDigest: "digest-2" }]);
  });

  test("from a key that is held down", async () => {
    await page.ask(request());
    await page.armed();
    await page.button("Approve").focus();
    const held = await page.button("Approve").evaluate((button) => {
      const press = new KeyboardEvent("keydown", {
        key: "Enter",
        repeat: true,
        bubbles: true,
        composed: true,
        cancelable: true,
      });
      return button.dispatchEvent(press);
    });
    expect(held).toBe(false);
    expect(page.answers()).toEqual([]);
    await page.page.keyboard.press("Enter");
    await expect.poll(() => page.answers()).toHaveLength(1);
  });

  test("from Enter in the composer", async () => {
    await page.ask(request());
    await page.armed();
    await page.composer.focus();
    await page.page.keyboard.press("Enter");
    await page.composer.fill("and then?");
    await page.page.keyboard.press("Enter");
    await expect
      .poll(() => page.said.filter((message) => message.type === "send"))
      .toMatchObject([{ text: "and then?" }]);
    expect(page.answers()).toEqual([]);
  });

  test("while there is no server", async () => {
    await page.ask(request());
    await page.armed();
    await page.tell({ type: "connection", state: "lost", text: "Connection lost, retrying.", actions: [] });
    await page.page.getByText("Connection lost, retrying.").waitFor();
    await clickAtOnce("Approve");
    await page.drawn();
    expect(page.answers()).toEqual([]);
  });

  test("that allows a long call of which not all was opened", async () => {
    await page.ask(request({ truncated: { argsBytes: 70_000 } }));
    await page.armed();
    await clickAtOnce("Approve");
    await page.drawn();
    expect(page.answers()).toEqual([]);
    await page.button("Open the full text").click();
    await expect.poll(() => page.said).toContainEqual({ type: "details", approvalId: "a-1" });
    const piece = {
      type: "details",
      approvalId: "a-1",
      argsDigest: "digest-1",
      text: "{}",
      offset: 0,
      total: 2,
    } as const;
    await page.stopClock();
    await page.tell(piece);
    // The full text pushes the buttons down: as a person would, look at it, and wait until they can be pressed again.
    await page.page.getByRole("group", { name: "Full arguments" }).waitFor();
    await clickAtOnce("Approve");
    await page.drawn();
    expect(page.answers()).toEqual([]);
    await page.passes(400);
    await page.armed();
    await page.button("Approve").click();
    await expect.poll(() => page.answers()).toHaveLength(1);
  });
});

test.each<[string, RuleOrigin, string]>([
  ["a line", { pattern: "infra/**", scope: "user", line: 12 }, "Rule: infra/** — your user settings, line 12"],
  [
    "file and line",
    { pattern: "*", scope: "workspace", file: "/home/ada/project/.vscode/settings.json", line: 3 },
    "Rule: * — the workspace's settings, /home/ada/project/.vscode/settings.json:3",
  ],
  ["a file", { pattern: "a", scope: "folder", file: "s.json" }, "Rule: a — the folder's settings, s.json"],
  ["a scope", { pattern: "~/x", scope: "user", file: null, line: null }, "Rule: ~/x — your user settings"],
  [
    "hostile text",
    { pattern: "<b>x</b>\u202e\n[a](command:b)", scope: "constructor" },
    "Rule: <b>x</b>‹U+202E›‹U+000A›[a](command:b) — the constructor settings",
  ],
])("the rule for which it is asked is named, with %s", async (_name, rule, expected) => {
  await page.ask(request({ reason: { code: "ask_rule", text: "A rule says that this is always asked for.", rule } }));
  const named = page.card().locator(".why + .rule");
  expect((await named.textContent())?.trim()).toBe(expected);
  expect(await named.locator("b, a").count()).toBe(0);
});

test("where its line is known, it leads there, in an editor alone", async () => {
  const rule = { pattern: "infra/**", scope: "workspace", file: "/w/.vscode/settings.json", line: 3 };
  await page.ask(request({ reason: { code: "ask_rule", text: "A rule says so.", rule } }));
  await page.armed();
  await page.button("the workspace's settings, /w/.vscode/settings.json:3").click();
  await expect.poll(() => page.said).toContainEqual({ type: "openFile", path: "/w/.vscode/settings.json", line: 3 });
  expect(page.answers()).toEqual([]);
  await page.tell({ type: "hello", host: "browser" });
  await page.card().locator(".rule button").waitFor({ state: "detached" });
  await page.card().getByText("settings.json:3").waitFor();
});

test("where no rule asks, none is named", async () => {
  await page.ask(request());
  expect(await page.card().locator(".rule").count()).toBe(0);
});

test("a double click sends one answer", async () => {
  await page.ask(request());
  await page.armed();
  await page.button("Approve").dblclick();
  await page.drawn();
  expect(page.answers()).toHaveLength(1);
});

test("two buttons in a row send one answer", async () => {
  await page.ask(request());
  await page.armed();
  await clickAtOnce("Deny");
  await clickAtOnce("Approve");
  await page.drawn();
  expect(page.answers()).toMatchObject([{ optionId: "reject_once" }]);
});

test("a failed answer brings the buttons back with the reason", async () => {
  await page.ask(request());
  await page.armed();
  await page.button("Approve").click();
  await page.tell({ type: "answerFailed", approvalId: "a-1", code: -32603, text: "No word from the server." });
  await page.card().locator(".main + .error", { hasText: "No word from the server." }).waitFor();
  await page.button("Deny").click();
  await expect.poll(() => page.answers()).toMatchObject([{ optionId: "allow_once" }, { optionId: "reject_once" }]);
});

test("the focus is not stolen, and stays at the row when its card closes", async () => {
  await page.composer.focus();
  await page.ask(request());
  await page.armed();
  expect(await focused(page)).toBe("textarea");
  await page.button("Approve").focus();
  await page.tell({ type: "resolved", resolved: resolution() });
  await page.card().waitFor({ state: "detached" });
  expect(await focused(page)).toBe("c-1");
});

test("a card folds into its row, at the place of its call", async () => {
  await page.tell({ type: "event", event: text(1, "Before.") });
  await page.tell({ type: "event", event: toolCall(2) });
  await page.ask(request());
  await page.tell({ type: "event", event: text(3, "After.") });
  await page.tell({
    type: "resolved",
    resolved: resolution({
      status: "rejected",
      decision: "reject_once",
      reasonText: "You chose “Deny”.",
      resolvedAt: new Date(2026, 2, 1, 18, 4).toISOString(),
    }),
  });
  const row = page.page.locator('[data-call-id="c-1"][data-status="denied"]');
  await row.getByText(/^You chose “Deny”\. · 6:04\sPM$/).waitFor();
  expect(await row.getByRole("button").count()).toBe(0);
  const tops = await Promise.all(
    [page.page.getByText("Before."), row, page.page.getByText("After.")].map(
      async (one) => (await one.boundingBox())?.y ?? 0,
    ),
  );
  expect(tops).toEqual(tops.toSorted((one, other) => one - other));
});

test("several cards are counted, and one can step through them", async () => {
  await page.ask(request());
  await page.tell({
    type: "approval",
    request: request({ approvalId: "a-2", seq: 2, toolCall: { toolCallId: "c-2" }, headline: "Write b.txt" }),
  });
  await page.page.getByText("2 waiting").waitFor();
  const next = page.page.getByRole("button", { name: "Next waiting call" });
  await next.click();
  expect(await focused(page)).toBe("a-1");
  await next.click();
  expect(await focused(page)).toBe("a-2");
});

test("of a thousand that wait, no more than the first hundred have cards, and all are counted", async () => {
  const pending = Array.from({ length: 1000 }, (_, index) =>
    request({ approvalId: `a-${index}`, seq: index, toolCall: { toolCallId: `c-${index}` } }),
  );
  await page.tell({ type: "chat", how: "continue", session: session(), events: [], pending });
  await page.page.getByText("1000 waiting, 100 shown").waitFor();
  const drawn = await page.card().count();
  expect(drawn).toBeGreaterThan(2);
  expect(drawn).toBeLessThanOrEqual(100);
  await page.tell({ type: "resolved", resolved: resolution({ approvalId: "a-0", toolCallId: "c-0" }) });
  await page.page.getByText("999 waiting, 100 shown").waitFor();
  expect(await page.page.locator('[data-approval-id="a-0"]').count()).toBe(0);
});

test("what is masked on a card is revealed before it can be approved, and then the card waits again", async () => {
  const args = { command: "deploy [masked: GitHub token]" };
  const command = { kind: "command" as const, text: args.command, parts: [] };
  const asked = request({ tool: "bash", args, headline: "Run a command", preview: command, redactions: 1 });
  await page.ask(asked);
  await page.armed();
  await page.card().getByText("deploy [masked: GitHub token]").waitFor();
  await clickAtOnce("Approve");
  await page.drawn();
  expect(page.answers()).toEqual([]);
  await page.stopClock();
  await page.button("Reveal (1)").click();
  await expect.poll(() => page.said).toContainEqual({ type: "reveal", approvalId: "a-1" });

  const { redactions, ...rest } = asked;
  expect(redactions).toBe(1);
  await page.tell({
    type: "approval",
    request: { ...rest, args: { command: "deploy s3cret" }, preview: { ...command, text: "deploy s3cret" } },
  });
  await page.card().getByText("deploy s3cret").waitFor();
  expect(await page.card().getByText("Changed, please review again.").count()).toBe(0);
  expect(await page.button("Reveal (1)").count()).toBe(0);
  await clickAtOnce("Approve");
  await page.drawn();
  expect(page.answers()).toEqual([]);
  await page.passes(400);
  await page.armed();
  await page.button("Approve").click();
  await expect.poll(() => page.answers()).toMatchObject([{ optionId: "allow_once", argsDigest: "digest-1" }]);
});

test("a key that was meant for the masked card is no answer to the revealed one", async () => {
  const asked = request({ tool: "bash", args: { command: "deploy [masked]" }, headline: "Run", redactions: 1 });
  await page.ask(asked);
  await page.armed();
  await page.stopClock();
  await page.button("Approve").focus();

  const { redactions, ...rest } = asked;
  await page.tell({ type: "approval", request: { ...rest, args: { command: "deploy s3cret" } } });
  await expect.poll(() => page.button(`Reveal (${redactions})`).count()).toBe(0);
  await page.drawn();
  await page.page.keyboard.press("Enter");
  await page.drawn();
  expect(page.answers()).toEqual([]);
  await page.passes(400);
  await page.armed();
  await page.page.keyboard.press("Enter");
  await expect.poll(() => page.answers()).toMatchObject([{ optionId: "allow_once" }]);
});

test("a denial may say what to do instead", async () => {
  await page.ask(request());
  await page.armed();
  await page.button("Deny with a message…").click();
  await page.page.getByLabel("What the agent should do instead").fill("Use notes.md");
  expect(await page.card().getByRole("button", { name: /^Deny/ }).allInnerTexts()).toEqual(["Deny with your message"]);
  await page.button("Deny with your message").click();
  await expect.poll(() => page.answers()).toMatchObject([{ optionId: "reject_once", feedback: "Use notes.md" }]);
});

test("the mode is changed by the keyboard alone", async () => {
  const current = page.page.getByRole("button", { name: "Mode: Auto-accept read-only" });
  await current.focus();
  await page.page.keyboard.press("Enter");
  const items = page.page.getByRole("menuitemradio");
  expect(await items.count()).toBe(4);
  expect(await page.page.getByRole("menuitemradio", { checked: true }).getAttribute("data-mode")).toBe("default");
  await page.page.keyboard.press("Home");
  await page.page.keyboard.press("Enter");
  await expect
    .poll(() => page.said)
    .toContainEqual({ type: "setMode", mode: "plan", applyNow: false, sessionId: "s-1" });
  expect(await items.count()).toBe(0);
});

/** What has the focus, by what tells it apart. */
function focused(where: EditorPage): Promise<string> {
  return where.page.evaluate(() => {
    let active: Element | null = document.activeElement;
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
    const data = (active as HTMLElement | null)?.dataset;
    return data?.approvalId ?? data?.callId ?? active?.localName ?? "";
  });
}
