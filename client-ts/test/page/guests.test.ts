// Agents of others: their plan, their commands, what can be chosen of them, and questions with several ways to say yes.
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../../src/protocol/generated.js";
import { event, request, toolCall, toolResult } from "../support/examples.js";
import { COMMANDS as commands, DANGER, PLAN, plan, agentState as state, WAY, ways } from "../support/guests.js";
import { aPageForEachTest, ownPage, page } from "./each-page.js";
import type { Theme } from "./themes.js";

aPageForEachTest();

const happens = (...events: AgentEvent[]) =>
  page.tell(...events.map((one) => ({ type: "event", event: one }) as const));
const said = (type: string) => page.said.filter((one) => one.type === type);
const button = (name: string) => page.page.getByRole("button", { name, exact: true });
const list = () => page.page.getByRole("listbox");
const chosen = () => page.page.getByRole("option", { selected: true });
const mode = () => page.page.getByRole("combobox", { name: /Mode$/ });

describe("the later part of the page", () => {
  const asked = () =>
    page.page.evaluate(
      () => performance.getEntriesByType("resource").filter(({ name }) => name.endsWith("/later.js")).length,
    );

  test("is not asked for where nobody needs it", async () => {
    await happens(toolCall(1), toolResult(2));
    await page.page.locator("assent-tool-row").waitFor();
    expect(await asked()).toBe(0);
  });

  test("is asked for once", async () => {
    await happens(commands, state(), PLAN, PLAN);
    await page.page.getByText("Plan of the agent · 1 of 3 done").waitFor();
    expect(await asked()).toBe(1);
  });
});

describe("a plan", () => {
  test("says of each step how far it is, also to who only hears it", async () => {
    await happens(PLAN);
    const steps = page.page.locator("assent-plan li");
    await expect
      .poll(async () => (await steps.allTextContents()).map((words) => words.replace(/\s+/g, " ").trim()))
      .toEqual(["✓Done: Read what is there", "◐In progress: Write the test that fails", "○To do: Mend it"]);
  });

  test("is drawn anew in its place, and not at all once it is empty", async () => {
    await happens(PLAN, event(4, "Chunk", { text: "Good.", thinking: null }), plan(["Only this", "completed"]));
    await page.page.getByText("Plan of the agent · 1 of 1 done").waitFor();
    expect(await page.page.locator("assent-plan").count()).toBe(1);
    await happens(plan());
    await expect.poll(() => page.page.locator("assent-plan details").count()).toBe(0);
  });
});

describe("slash commands", () => {
  test("are offered by name and taken with the keyboard", async () => {
    await happens(commands);
    await page.composer.fill("/");
    await list().waitFor();
    expect(await chosen().textContent()).toContain("/compact");
    await page.composer.press("ArrowDown");
    await expect.poll(() => chosen().textContent()).toContain("/review");
    const active = await page.composer.getAttribute("aria-activedescendant");
    expect(active).toBe(await chosen().getAttribute("id"));
    await page.composer.press("Enter");
    await expect.poll(() => page.composer.inputValue()).toBe("/review ");
    await expect.poll(() => list().count()).toBe(0);
    expect(said("send")).toEqual([]);

    await page.composer.pressSequentially("the tests");
    await page.composer.press("Enter");
    await expect.poll(() => said("send")).toMatchObject([{ text: "/review the tests" }]);
  });

  test("go round, and Tab takes one too", async () => {
    await happens(commands);
    await page.composer.pressSequentially("/re");
    await expect.poll(() => page.page.getByRole("option").count()).toBe(2);
    await page.composer.press("ArrowUp");
    await page.composer.press("Tab");
    await expect.poll(() => page.composer.inputValue()).toBe("/release notes ");
  });

  test("are taken with the mouse, and the focus stays where the user writes", async () => {
    await happens(commands);
    await page.composer.fill("/c");
    await page.page.getByRole("option", { name: "/compact" }).click();
    await expect.poll(() => page.composer.inputValue()).toBe("/compact ");
    await expect.poll(() => page.composer.evaluate((field) => field.matches(":focus"))).toBe(true);
  });

  test("leave with Escape, until something else is written", async () => {
    await happens(commands);
    await page.composer.fill("/re");
    await list().waitFor();
    await page.composer.press("Escape");
    await expect.poll(() => list().count()).toBe(0);
    expect(await page.composer.getAttribute("aria-activedescendant")).toBeNull();
    await page.composer.pressSequentially("v");
    expect(await list().count()).toBe(0);
    await page.composer.fill("");
    await page.composer.fill("/");
    await list().waitFor();
  });

  test("written in full are sent as they stand", async () => {
    await happens(commands);
    await page.composer.fill("/compact");
    await list().waitFor();
    await page.composer.press("Enter");
    await expect.poll(() => said("send")).toMatchObject([{ text: "/compact" }]);
  });

  test("do not come up in a text that only holds a slash", async () => {
    await happens(commands, PLAN);
    await page.page.getByText("Plan of the agent").waitFor();
    await page.composer.fill("either/or");
    await page.drawn();
    expect(await list().count()).toBe(0);
  });
});

describe("what can be chosen", () => {
  test("is shown by name, and told with its ids", async () => {
    await happens(state());
    await mode().waitFor();
    const names = mode().getByRole("option");
    for (const name of ["Default", "Plan", "⚠ YOLO"])
      await names.and(page.page.getByRole("option", { name, exact: true })).waitFor({ state: "attached" });
    expect(
      await page.page.getByRole("combobox").evaluateAll((all) => all.map((one) => (one as HTMLSelectElement).value)),
    ).toEqual(["default", "big"]);
    await mode().selectOption("plan");
    await expect
      .poll(() => said("setAgentOption"))
      .toEqual([{ type: "setAgentOption", settingId: "mode", value: "plan", confirmed: false, sessionId: "s-1" }]);
    // Until the agent says so, it is what it was.
    expect(await mode().inputValue()).toBe("default");
    await happens(state("plan"));
    await expect.poll(() => mode().inputValue()).toBe("plan");
  });

  test("with a danger says it in words before it is told", async () => {
    await happens(state());
    await mode().selectOption("yolo");
    await page.page.getByText(DANGER).waitFor();
    await expect.poll(() => button("Leave it as it is").evaluate((one) => one.matches(":focus"))).toBe(true);
    expect(said("setAgentOption")).toEqual([]);
    await button("Leave it as it is").click();
    await expect.poll(() => page.page.getByText(DANGER).count()).toBe(0);
    expect(await mode().inputValue()).toBe("default");

    await mode().selectOption("yolo");
    await button("Set it all the same").click();
    await expect.poll(() => said("setAgentOption")).toMatchObject([{ value: "yolo", confirmed: true }]);
  });

  test("stays in sight as a danger while it is one", async () => {
    await happens(state("yolo", DANGER));
    await page.page.getByText(DANGER).waitFor();
    await happens(state("default"));
    await expect.poll(() => page.page.getByText(DANGER).count()).toBe(0);
  });
});

describe("a question with several ways to say yes", () => {
  test("has a button for each, by the agent's names, and none is proposed", async () => {
    await page.ask(request({ options: ways("Red", "Blue") }));
    await page.armed();
    const names = await page.card().locator(".main button").allInnerTexts();
    expect(names.map((name) => name.trim())).toEqual(["Red", "Blue", "Deny"]);
    expect(await page.card().locator("button.primary").count()).toBe(0);
    expect(await page.card().getByText(WAY).count()).toBe(1);
    const [red, blue] = await Promise.all(
      ["Red", "Blue"].map((name) => page.button(name).getAttribute("aria-describedby")),
    );
    expect(red).toBe(blue);
    await page.button("Blue").click();
    await expect.poll(() => page.answers()).toMatchObject([{ optionId: "own:Blue" }]);
  });
});

test("a call that was not asked for says so in its row", async () => {
  const note = "T did this without asking: Assent was told, and could not stop it.";
  await happens(
    toolCall(1),
    event(2, "ToolUpdate", { toolCallId: "c-1", phase: "post_tool_use", note }),
    toolResult(3),
  );
  await page.page.getByText(note).waitFor();
});

test("an agent that has ended is started again with the press of a button", async () => {
  await happens(
    event(1, "Prompt", { text: "go" }),
    event(2, "Error", { message: "T cannot go on: it has ended.", code: "agent_exit", canRetry: true }),
  );
  await button("Restart").click();
  await expect.poll(() => said("retryRun")).toEqual([{ type: "retryRun", sessionId: "s-1" }]);
});

test.runIf(process.env.ASSENT_SCREENSHOTS).each<[Theme, number]>([
  ["light", 420],
  ["dark", 420],
  ["high-contrast", 420],
  ["light", 250],
  ["dark", 250],
])("looks: %s, %d pixels", async (theme, width) => {
  const folder = process.env.ASSENT_SCREENSHOTS ?? "";
  await mkdir(folder, { recursive: true });
  const shot = (name: string) =>
    page.page.screenshot({ path: path.join(folder, `guests-${name}-${theme}-${width}.png`) });
  await ownPage(theme, width);
  await happens(event(1, "Prompt", { text: "Mend the test, please." }), commands, state("yolo", DANGER), PLAN);
  await page.page.getByText("Plan of the agent").waitFor();
  await page.ask(request({ agentName: "T", options: ways("Red, as it was before the change", "Blue") }));
  await page.armed();
  await shot("card");
  await page.composer.fill("/");
  await list().waitFor();
  await shot("commands");
  await page.composer.fill("");
  await happens(state("default"));
  await expect.poll(() => mode().inputValue()).toBe("default");
  await mode().selectOption("yolo");
  await button("Set it all the same").waitFor();
  await shot("danger");
});
