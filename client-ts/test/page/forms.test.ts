import { describe, expect, test } from "vitest";
import { session } from "../support/examples.js";
import { EVERY_KIND, field, form } from "../support/forms.js";
import { violations } from "./axe.js";
import { aPageForEachTest, page } from "./each-page.js";

aPageForEachTest();

const panel = (name = /asks you/) => page.page.getByRole("group", { name });
const button = (name: string) => panel().getByRole("button", { name, exact: true });
const box = (name: string) => panel().getByLabel(name);
const answers = () => page.said.filter((message) => message.type === "formAnswer");

async function ask(changes: Parameters<typeof form>[0] = {}): Promise<void> {
  await page.tell({ type: "form", request: form(changes) });
  await panel().first().waitFor();
}

async function armed(name = "Send"): Promise<void> {
  await panel().locator('button[aria-disabled="false"]', { hasText: name }).waitFor();
}

const sent = (action: string, content?: Record<string, unknown>) => ({
  type: "formAnswer",
  formId: "f-1",
  action,
  ...(content && { content }),
});

describe("a form", () => {
  test("says first who asks, and quotes what that says", async () => {
    await ask();
    const first = panel().locator(":scope > *");
    expect(await first.nth(0).textContent()).toBe("MCP server “tracker” asks you");
    expect(await first.nth(1).textContent()).toBe("node /opt/tracker/server.js");
    expect(await panel().locator("blockquote").textContent()).toBe("Who shall own the issue?");
    await page.tell({ type: "formEnded", formId: "f-1" });
    await ask({ formId: "f-2", askerKind: "agent", askerName: "Claude", behind: null });
    expect(await panel().getByRole("heading").textContent()).toBe("Agent “Claude” asks you");
  });

  test("sends what was filled in, each kind as what it is", async () => {
    await ask({ fields: EVERY_KIND });
    await box("Your name").fill("Ada");
    await box("Email").fill("ada@example.org");
    await box("Link").fill("https://example.org/1");
    await box("Reminder").fill("2026-01-31T12:00:00Z");
    await box("Share").fill("0.5");
    await box("Count").fill("7");
    await box("Urgent").check();
    await box("Kind").selectOption("wish");
    await box("Label b").check();
    await armed();
    await button("Send").click();
    await expect.poll(answers).toEqual([
      sent("accept", {
        name: "Ada",
        mail: "ada@example.org",
        link: "https://example.org/1",
        day: "2026-02-28",
        time: "2026-01-31T12:00:00Z",
        share: 0.5,
        count: 7,
        urgent: true,
        kind: "wish",
        labels: ["b"],
      }),
    ]);
  });

  test("begins with the defaults, and gives nothing that was left alone", async () => {
    await ask({ fields: EVERY_KIND.filter(({ required }) => !required) });
    await armed();
    await button("Send").click();
    await expect.poll(answers).toEqual([sent("accept", { day: "2026-02-28", count: 3, urgent: false })]);
  });

  test.each([
    ["Decline", "decline"],
    ["Cancel", "cancel"],
  ])("is answered with %s, and nothing goes along", async (name, action) => {
    await ask();
    await box("Your name").fill("Ada");
    await armed(name);
    await button(name).click();
    await expect.poll(answers).toEqual([sent(action)]);
  });

  test("is filled in and sent by the keyboard alone", async () => {
    await ask({ fields: [field({ required: true }), field({ name: "urgent", kind: "boolean", title: "Urgent" })] });
    await armed();
    await box("Your name").focus();
    await page.page.keyboard.type("Ada");
    // Enter in a field sends nothing: somebody may only want to end the line.
    await page.page.keyboard.press("Enter");
    await page.page.keyboard.press("Tab");
    await page.page.keyboard.press("Space");
    await page.page.keyboard.press("Tab");
    expect(answers()).toEqual([]);
    await page.page.keyboard.press("Enter");
    await expect.poll(answers).toEqual([sent("accept", { name: "Ada", urgent: true })]);
  });

  test("stays with the reason at its field where it was not sent", async () => {
    await ask();
    await armed();
    await button("Send").click();
    await panel().getByText("Sending…").waitFor();
    await page.tell({
      type: "formFailed",
      formId: "f-1",
      text: "Fill this in.",
      path: "params.content.name",
    });
    await panel().getByText("Fill this in.").waitFor();
    expect(await box("Your name").getAttribute("aria-invalid")).toBe("true");
    await box("Your name").fill("Ada");
    await page.tell({ type: "formFailed", formId: "f-1", text: "Not connected. Nothing was sent.", path: "" });
    await panel().getByText("Not connected.").waitFor();
    // What was written is still there.
    expect(await box("Your name").inputValue()).toBe("Ada");
  });

  test("is gone when it was answered or withdrawn", async () => {
    await ask();
    await page.tell({ type: "formEnded", formId: "f-1" });
    await panel().waitFor({ state: "detached" });
  });

  test("of another chat is shown in that chat only", async () => {
    await page.tell({ type: "form", request: form({ sessionId: "s-2" }) });
    await page.drawn();
    expect(await panel().count()).toBe(0);
    const other = session({ sessionId: "s-2" });
    await page.tell({ type: "chat", how: "replace", session: other, events: [], pending: [] });
    await panel().waitFor();
  });

  test("takes no focus, and no click before it has stood still for a moment", async () => {
    await page.composer.focus();
    await page.stopClock();
    await ask();
    const focused = () => page.page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.localName);
    expect(await focused()).not.toBe("assent-forms");
    await page.passes(399);
    await button("Send").click({ force: true, noWaitAfter: true });
    await page.drawn();
    expect(answers()).toEqual([]);
  });

  test("makes hostile text visible, and draws nothing of it as markup", async () => {
    await ask({
      askerName: "trusted\u202E",
      message: "<img src=x onerror=alert(1)> pay\u200Bpal\n\nApproved by the user",
      fields: [
        field({ title: "a\u202Eb", description: "<b>c</b>" }),
        field({ name: "k", kind: "choice", title: "K", choices: [{ value: "v", label: "x\u202Ey" }] }),
      ],
    });
    const text = (await panel().textContent()) ?? "";
    expect(text).toContain("trusted‹U+202E›");
    expect(text).toContain("<img src=x onerror=alert(1)> pay‹U+200B›pal");
    expect(text).toContain("<b>c</b>");
    expect(text).toContain("Holds characters that cannot be seen");
    expect(await panel().locator("option").nth(1).textContent()).toBe("x‹U+202E›y");
    expect(await panel().locator("img, b").count()).toBe(0);
  });

  test("warns where it asks for a secret, at the field and above", async () => {
    await ask({ warning: "It asks for a key.", fields: [field({ warning: "Leave it empty." })] });
    await panel().getByText("It asks for a key.").waitFor();
    const described = (await box("Your name").getAttribute("aria-describedby"))?.split(" ") ?? [];
    const words = await Promise.all(described.map((id) => panel().locator(`[id="${id}"]`).textContent()));
    expect(words).toContain("Leave it empty.");
  });

  test.each(["light-2026", "dark-2026"] as const)("has no fault that axe knows, in %s", async (theme) => {
    await page.wear(theme);
    await ask({ fields: EVERY_KIND, warning: "It asks for a key." });
    await page.tell({
      type: "formFailed",
      formId: "f-1",
      text: "Fill this in.",
      path: "params.content.name",
    });
    await armed();
    expect(await violations(page)).toEqual([]);
  });
});
