import { beforeEach, describe, expect, test } from "vitest";
import type { HistoryMessage } from "../../src/common/page-messages.js";
import type { HistoryEntry } from "../../src/protocol/generated.js";
import { decision } from "../support/decisions.js";
import { violations } from "./axe.js";
import { cutOff } from "./cut-off.js";
import { aPageForEachTest, ownPage, page } from "./each-page.js";
import { themesOf } from "./themes.js";

aPageForEachTest();

const panel = () => page.page.getByRole("region", { name: "What is allowed" });
const rows = () => panel().getByRole("list", { name: "What was decided" }).getByRole("listitem");
const looked = () => page.said.filter((message): message is HistoryMessage => message.type === "historyLook");
const many = (from: number, count: number) => Array.from({ length: count }, (_, at) => decision({ n: from - at }));

async function open(): Promise<void> {
  await page.tell({ type: "grants", grants: [] });
  await page.tell({
    type: "chats",
    sessions: [],
    agents: [{ agentId: "Demo", name: "Demo", description: "Shows how it works." }],
  });
  await page.tell({ type: "showGrants" });
  await panel().getByRole("button", { name: "History" }).click();
  await expect.poll(() => looked()).toHaveLength(1);
}

/** The host's answer to the latest look. */
async function answer(entries: HistoryEntry[], more = false): Promise<void> {
  const last = looked().at(-1);
  const continues = last?.filters.before !== undefined;
  await page.tell({ type: "history", id: last?.id ?? "", continues, page: { entries, more } });
}

describe("the history", () => {
  beforeEach(open);

  test("tells of each decision what, by whom, why and when, and all about one", async () => {
    await answer([
      decision(),
      decision({
        n: 6,
        ending: "blocked",
        by: "policy",
        how: "by plan mode",
        headline: "Run rm",
        text: "No.",
      }),
    ]);
    await rows().first().getByText("Allowed by you").waitFor();
    await rows().first().getByText("You chose “Approve”.").waitFor();
    await rows().nth(1).getByText("Blocked by plan mode").waitFor();
    await rows().nth(1).getByRole("button", { name: "All about it: Run rm" }).click();
    await rows().nth(1).getByText("Entry: 6").waitFor();
  });

  test("tells by what a call ran that nobody was asked about", async () => {
    const rule = { pattern: "npm test:*", scope: "user", file: "/home/ada/settings.json", line: 4 };
    const grant = { grant: "write_file", grantedAt: "2026-03-01T17:50:00Z", grantUntil: "2026-03-01T18:05:00Z" };
    await answer([
      decision({ n: 9, by: "policy", how: "by an allow rule", text: "Your rule allows this.", rule }),
      decision({
        n: 8,
        by: "policy",
        how: "by what you allowed for this chat",
        text: "You allowed it for this chat.",
        ...grant,
      }),
      decision({ n: 7, by: "policy", how: "by your settings", text: "Of an older version." }),
    ]);
    await rows().first().getByText("Allowed by an allow rule").waitFor();
    await rows().first().getByText("rule npm test:* (user settings, /home/ada/settings.json:4)").waitFor();
    await rows().nth(1).getByText("Allowed by what you allowed for this chat").waitFor();
    await rows()
      .nth(1)
      .getByText(/granted Mar 1, 2026.* until Mar 1, 2026/)
      .waitFor();
    await rows().nth(2).getByText("Allowed by your settings").waitFor();
  });

  test("is looked through by what is said of it", async () => {
    await answer([decision()]);
    await panel().getByRole("combobox", { name: "Outcome" }).selectOption("rejected");
    await panel().getByRole("combobox", { name: "Agent" }).selectOption("Demo");
    await panel().getByRole("searchbox", { name: "Words" }).fill("rm -rf");
    await panel().getByLabel("From").fill("2026-03-01");
    await panel().getByLabel("To", { exact: true }).fill("2026-03-01");
    await panel().getByRole("button", { name: "Look" }).click();
    await expect
      .poll(() => looked().at(-1)?.filters)
      .toMatchObject({ ending: "rejected", agent: "Demo", text: "rm -rf" });
    const { since = "", until = "" } = looked().at(-1)?.filters ?? {};
    expect(Date.parse(until) - Date.parse(since)).toBe(86_400_000);
    await answer([]);
    await panel().getByText("Nothing that fits was decided.").waitFor();
  });

  test("tells of what was given for longer and taken back too", async () => {
    await answer([decision()]);
    await panel().getByRole("combobox", { name: "Outcome" }).selectOption("rejected");
    await panel().getByRole("combobox", { name: "What" }).selectOption("revoked");
    await expect.poll(() => looked().at(-1)?.filters).toEqual({ stage: "revoked" });
    const none = { ending: null, headline: "", tool: "", agentName: "", directory: "", args: "" };
    await answer([decision({ ...none, stage: "revoked", grant: "write_file runs", text: "write_file runs" })]);
    await rows().first().getByText("write_file runs", { exact: true }).waitFor();
    await rows().first().getByText("Taken back by you").waitFor();
    expect(await panel().getByRole("combobox", { name: "Outcome" }).isDisabled()).toBe(true);
    await rows().first().getByRole("button", { name: "All about it: write_file runs" }).click();
    await rows().first().getByText("No longer from then on: write_file runs").waitFor();
    await answer([]);
    await panel().getByRole("combobox", { name: "What" }).selectOption("");
    await expect.poll(() => looked().at(-1)?.filters).toEqual({ ending: "rejected" });
  });

  test("goes on where it ended, and never keeps more rows than a page can bear", async () => {
    await answer(many(2000, 500), true);
    await panel().getByRole("button", { name: "Older" }).click();
    await expect.poll(() => looked().at(-1)?.filters.before).toBe(1501);
    await answer(many(1500, 50));
    await expect.poll(() => rows().last().getAttribute("data-entry")).toBe("1451");
    expect(await rows().count()).toBe(500);
    await panel().getByRole("button", { name: "Older" }).waitFor({ state: "detached" });
    await panel().getByRole("button", { name: "Back to the newest" }).click();
    await expect.poll(() => looked().at(-1)?.filters).toEqual({});
  });

  test("that comes for an earlier question, or makes no sense, is not shown", async () => {
    await page.tell({ type: "history", id: "0", continues: false, page: { entries: [decision()], more: false } });
    await page.drawn();
    expect(await rows().count()).toBe(0);
    await page.tell({ type: "history", id: looked()[0]?.id ?? "", continues: false, page: { entries: "all" } });
    await panel().getByText("The answer is not understood.").waitFor();
  });

  test("that cannot be read says why", async () => {
    await page.tell({ type: "history", id: looked()[0]?.id ?? "", continues: false, error: "It is damaged." });
    await panel().getByText("The history could not be read: It is damaged.").waitFor();
  });

  test("holds texts of strangers as texts", async () => {
    await answer([decision({ headline: "<img src=x onerror=alert(1)>\u202E", text: "<b>bold</b>" })]);
    await rows().first().getByText("<img src=x onerror=alert(1)>").first().waitFor();
    expect(await rows().first().locator("img, b").count()).toBe(0);
    expect(await rows().first().textContent()).toContain("U+202E");
  });
});

/** The letters of a date, and the sign that opens the calendar. */
const WHOLE_DATE = 120;

test.each([250, 300, 420])("a date can be read whole at %i pixels", async (width) => {
  await ownPage("dark", width);
  await open();
  const dates = panel().locator('input[type="date"]');
  expect(await dates.count()).toBe(2);
  for (const date of await dates.all()) expect((await date.boundingBox())?.width).toBeGreaterThan(WHOLE_DATE);
});

test.each(themesOf(1))("in the look of %s, everybody can use it, in a narrow side bar too", async (theme) => {
  await ownPage(theme, 250);
  await open();
  await answer([decision(), decision({ n: 6 })], true);
  await rows().first().getByRole("button").click();
  await rows().first().getByText("Entry: 7").waitFor();
  expect(await violations(page)).toEqual([]);
  expect(await cutOff(page)).toEqual([]);
});
