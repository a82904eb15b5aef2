import { beforeEach, describe, expect, test } from "vitest";
import { grant } from "../support/page-state.js";
import { overview, RULES } from "../support/permissions.js";
import { violations } from "./axe.js";
import { cutOff } from "./cut-off.js";
import { aPageForEachTest, ownPage, page } from "./each-page.js";
import { themesOf } from "./themes.js";

aPageForEachTest();

const said = (type: string) => page.said.filter((message) => message.type === type);
const panel = () => page.page.getByRole("region", { name: "What is allowed" });
const button = (name: string | RegExp) => panel().getByRole("button", { name });
const bypassOf = (agent: string) => panel().getByRole("switch", { name: `Bypass of ${agent}` });
const confirming = () => panel().getByRole("group", { name: "Bypass permissions for Demo" });

/** A press counts from then on. */
const standsStill = () => panel().locator(".all:not(.unarmed)").waitFor();

/** Presses a button as a person does: once it is in sight and has stood there. */
async function press(name: string | RegExp): Promise<void> {
  await button(name).scrollIntoViewIfNeeded();
  await page.drawn();
  await standsStill();
  await button(name).click();
}

beforeEach(async () => {
  await page.tell({ type: "grants", grants: [grant(), ...RULES] });
  await page.tell({ type: "showGrants" });
  await page.tell({ type: "permissions", overview: overview() });
  await page.tell({ type: "permissions", sandbox: { text: "Bubblewrap holds on this machine." } });
  await panel().getByRole("heading", { name: "Sandbox" }).waitFor();
  await page.drawn();
  await standsStill();
});

describe("the view of what decides", () => {
  test("shows what each rule does, where it stands, and which changes nothing", async () => {
    const rule = panel().locator('[data-grant-id="r-1"]');
    await rule.getByText("in exactly these words.").waitFor();
    await rule.getByText("This permits nothing: the deny rule").waitFor();
    await rule.getByRole("button", { name: "/home/ada/project/.vscode/settings.json:9" }).click();
    await expect.poll(() => said("openFile")).toMatchObject([{ line: 9 }]);
    await panel().locator('[data-grant-id="r-2"]').getByText("Only for Local.").waitFor();
    await panel().getByRole("heading", { name: "What is always asked about" }).waitFor();
    await panel().getByRole("heading", { name: "What is never allowed" }).waitFor();
    await panel().getByText("It comes before everything else").waitFor();
  });

  test("takes no press from the moment that it scrolls", async () => {
    const armedAfterScrolling = panel().evaluate(async (section) => {
      const [lists, all] = [section.querySelector(".lists") as Element, section.querySelector(".all") as Element];
      lists.scrollTop += 20;
      await new Promise(requestAnimationFrame);
      await Promise.resolve();
      return [lists.scrollTop, !all.classList.contains("unarmed")];
    });
    expect(await armedAfterScrolling).toEqual([20, false]);
  });

  test("removes what was shown, by its digest", async () => {
    await press("Remove: bash rm -rf build");
    await expect.poll(() => said("grantRevoke")).toEqual([{ type: "grantRevoke", grantId: "r-1", digest: "d-1" }]);
  });

  test.each([
    ["Remove this rule: web_fetch *", "r-2", "d-2", "What it asks about runs without a question"],
    ["Remove this ban: bash rm:*", "r-3", "d-3", "What it forbids is asked about again"],
  ])("takes no restriction away by one press: %s", async (name, grantId, digest, means) => {
    await press(name);
    const warning = panel().getByRole("group", { name: "Remove it" });
    await warning.getByText(means).waitFor();
    expect(said("grantRevoke")).toEqual([]);
    await press("Remove it");
    await expect.poll(() => said("grantRevoke")).toEqual([{ type: "grantRevoke", grantId, digest }]);
    await warning.waitFor({ state: "detached" });
  });

  test("asks anew before it removes a ban that says something else by now", async () => {
    await press("Remove this ban: bash rm:*");
    const warning = panel().getByRole("group", { name: "Remove it" });
    await warning.waitFor();
    const others = RULES.map((rule) => (rule.grantId === "r-3" ? { ...rule, digest: "d-9" } : rule));
    await page.tell({ type: "grants", grants: [grant(), ...others] });
    await warning.waitFor({ state: "detached" });
    expect(said("grantRevoke")).toEqual([]);
  });

  test("forgets an answer that is shown with its moment and place", async () => {
    await panel().getByText("You agreed:").waitFor();
    await press(/^Forget: Every call of the tool “write_file”/);
    await expect.poll(() => said("answerForget")).toEqual([{ type: "answerForget", answerId: "k-1" }]);
  });

  test("that makes no sense is not drawn", async () => {
    await page.tell({ type: "permissions", overview: { mode: "auto" } });
    await panel().getByRole("heading", { name: "Bypass" }).waitFor({ state: "detached" });
    await panel().getByRole("heading", { name: "Allowed by rules" }).waitFor();
  });
});

describe("in each look", () => {
  test.each(themesOf(2))("of %s, everybody can use it, in a narrow side bar too", async (theme) => {
    await ownPage(theme, 250);
    await page.tell({ type: "grants", grants: [grant(), ...RULES] });
    await page.tell({ type: "showGrants" });
    const locks = [{ text: "Settings are missing or cannot be read." }];
    await page.tell({ type: "permissions", overview: overview({ locks }), sandbox: { text: "It is switched off." } });
    await page.drawn();
    await standsStill();
    await bypassOf("Demo").click();
    await confirming().waitFor();
    await standsStill();
    expect(await violations(page)).toEqual([]);
    expect(await cutOff(page)).toEqual([]);
  });
});

describe("a bypass", () => {
  test("goes off by one press", async () => {
    expect(await bypassOf("Local").getAttribute("aria-checked")).toBe("true");
    await bypassOf("Local").click();
    await expect.poll(() => said("bypassSet")).toEqual([{ type: "bypassSet", agent: "Local", on: false }]);
  });

  test("goes on only after its warning stood there for a moment", async () => {
    await bypassOf("Demo").click();
    await confirming().getByText("Every call of Demo runs without asking").waitFor();
    expect(said("bypassSet")).toEqual([]);
    await confirming().getByRole("button", { name: "Leave it" }).click();
    await confirming().waitFor({ state: "detached" });
    await page.drawn();
    await standsStill();
    await bypassOf("Demo").click();
    await confirming().waitFor();
    await page.stopClock();
    await page.tell({ type: "grants", grants: [grant(), ...RULES.slice(1)] });
    const yes = confirming().getByRole("button", { name: "Bypass permissions for Demo" });
    await yes.click({ force: true, noWaitAfter: true });
    await yes.focus();
    await page.page.keyboard.press("Enter");
    await page.drawn();
    expect(said("bypassSet")).toEqual([]);
    await page.passes(400);
    await panel().locator('.warning button.danger[aria-disabled="false"]').click();
    await expect.poll(() => said("bypassSet")).toEqual([{ type: "bypassSet", agent: "Demo", on: true, digest: "b-1" }]);
  });

  test("whose agent changes meanwhile asks anew", async () => {
    await bypassOf("Demo").click();
    await confirming().waitFor();
    const [demo, local] = overview().bypasses;
    if (demo && local) {
      await page.tell({ type: "permissions", overview: overview({ bypasses: [{ ...demo, digest: "b-9" }, local] }) });
    }
    await confirming().waitFor({ state: "detached" });
  });

  test("that is taken away cannot go on, and says why", async () => {
    const [demo, local] = overview().bypasses;
    const locked = "assent.bypassAvailable takes every bypass away.";
    if (demo && local) {
      await page.tell({ type: "permissions", overview: overview({ bypasses: [{ ...demo, locked }, local] }) });
    }
    await panel().getByText(`It cannot be switched on: ${locked}`).waitFor();
    expect(await bypassOf("Demo").getAttribute("aria-disabled")).toBe("true");
  });

  test("that is on in the shown chat is turned off above it", async () => {
    await page.page.keyboard.press("Escape");
    await page.tell({
      type: "event",
      event: {
        sessionId: "s-1",
        runId: "r-1",
        n: 1,
        event: "Grants",
        data: { grants: [], bypassAgent: true, bypassSession: false },
      },
    });
    await page.page.getByRole("button", { name: "Turn off" }).click();
    await expect.poll(() => said("bypassSet")).toMatchObject([{ on: false, sessionId: "s-1" }]);
  });
});

describe("the mode", () => {
  const modeOf = (chats: string) => panel().getByRole("combobox", { name: chats });

  test("of new chats is set for what was shown", async () => {
    await modeOf("New chats").selectOption("plan");
    await expect.poll(() => said("defaultMode")).toEqual([{ type: "defaultMode", mode: "plan", digest: "m-1" }]);
    expect(await modeOf("New chats").inputValue()).toBe("default");
  });

  test("that accepts all is set only after its warning", async () => {
    await modeOf("New chats").selectOption("auto");
    const warning = panel().getByRole("group", { name: "Accept all in new chats" });
    await warning.getByText("It is stored in the workspace settings.").waitFor();
    expect(said("defaultMode")).toEqual([]);
    await press("Accept all in new chats");
    await expect.poll(() => said("defaultMode")).toEqual([{ type: "defaultMode", mode: "auto", digest: "m-1" }]);
  });

  test("of the shown chat is changed at once where that is no warning's matter", async () => {
    await modeOf("This chat").selectOption("ask");
    await expect.poll(() => said("setMode")).toMatchObject([{ mode: "ask" }]);
  });
});
