// Commands that run: their rows with what they print, their list, and the card that starts one in the background.
import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { Locator } from "playwright-core";
import { describe, expect, test } from "vitest";
import type { AgentEvent, ShellInfo } from "../../src/protocol/generated.js";
import { event, request } from "../support/examples.js";
import { bashCall, COMMAND, goesOn, moved, printed, running, shell } from "../support/shells.js";
import { aPageForEachTest, ownPage, page } from "./each-page.js";
import type { Theme } from "./themes.js";

aPageForEachTest();

const scale = Number(process.env.ASSENT_TEST_SCALE ?? "1");
const HOSTILE = "\u001B[2J\u001B[31mred\u202Etxt.exe\r\u0000end\n";

const button = (name: string) => page.page.getByRole("button", { name, exact: true });
const row = () => page.page.locator("[data-call-id]");
const box = (within = "assent-tool-row") => page.page.locator(`${within} assent-tail pre`);
const said = (type: string) => page.said.filter((one) => one.type === type);
const happens = (...events: AgentEvent[]) =>
  page.tell(...events.map((one) => ({ type: "event", event: one }) as const));
const lists = (...shells: ShellInfo[]) => page.tell({ type: "shells", shells });
const begins = () => happens(bashCall(1), running(2), printed(2, "starting\nready\n"));
const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}\n`).join("");

/** What is read there, also in elements inside of it. */
const words = async (found: Locator) => (await found.ariaSnapshot()).replace(/\s+/g, " ");

/** How far above its end the box stands. */
const above = () => box().evaluate((pre) => pre.scrollHeight - pre.scrollTop - pre.clientHeight);

describe("a running row", () => {
  test("shows what is printed, how long it runs, and two ways", async () => {
    await begins();
    await expect.poll(() => box().textContent()).toBe("starting\nready");
    expect(await row().getAttribute("data-status")).toBe("running");
    await page.page.getByText(/^Running · \d+ s$/).waitFor();
    expect(await button("Move to background").getAttribute("title")).toContain("without a limit of time");
    expect(await button("Kill").getAttribute("title")).toContain("everything that it started");
  });

  test("of another tool has none of it", async () => {
    await happens(bashCall(1), event(2, "ToolUpdate", { toolCallId: "c-1", phase: "running" }));
    await page.page.getByText("Running", { exact: true }).waitFor();
    expect(await button("Kill").count()).toBe(0);
    expect(await button("Move to background").count()).toBe(0);
  });

  test("counts its seconds", async () => {
    await page.stopClock();
    await begins();
    await page.page.getByText("Running · 0 s").waitFor();
    await page.passes(61_000);
    await page.page.getByText("Running · 1 min 1 s").waitFor();
  });

  test("stays at the end, unless the user reads above it", async () => {
    await begins();
    await happens(printed(2, lines(1, 60)));
    await expect.poll(() => box().textContent()).toContain("line 60");
    await expect.poll(above).toBeLessThan(2);
    await box().hover();
    await page.page.mouse.wheel(0, -300);
    await expect.poll(above).toBeGreaterThan(100);
    const stood = await box().evaluate((pre) => pre.scrollTop);
    await happens(printed(2, lines(61, 70)));
    await expect.poll(() => box().textContent()).toContain("line 70");
    expect(await box().evaluate((pre) => pre.scrollTop)).toBe(stood);
    await page.page.mouse.wheel(0, 5_000);
    await expect.poll(above).toBeLessThan(2);
    await happens(printed(2, lines(71, 80)));
    await expect.poll(() => box().textContent()).toContain("line 80");
    await expect.poll(above).toBeLessThan(2);
  });

  test("takes no more room than twelve lines", async () => {
    await happens(bashCall(1), running(2), printed(2, lines(1, 12)));
    await expect.poll(() => box().textContent()).toContain("line 12");
    const twelve = (await box().boundingBox())?.height;
    expect(await box().evaluate((pre) => pre.scrollHeight - pre.clientHeight)).toBe(0);
    await happens(printed(2, lines(13, 200)));
    await expect.poll(() => box().textContent()).toContain("line 200");
    expect((await box().boundingBox())?.height).toBeCloseTo(twelve ?? 0, 0);
  });

  test("reads out nothing of what is printed", async () => {
    await begins();
    await box().waitFor();
    const live = page.page.locator('[aria-live="polite"]');
    const before = await live.textContent();
    await happens(printed(2, lines(1, 5)));
    await expect.poll(() => box().textContent()).toContain("line 5");
    expect(await live.textContent()).toBe(before);
    expect(await box().getAttribute("role")).toBe("group");
  });

  test("shows hostile output as visible text", async () => {
    await happens(bashCall(1), running(2), printed(2, HOSTILE));
    await expect.poll(() => box().textContent()).toBe("‹U+001B›[2J‹U+001B›[31mred‹U+202E›txt.exe‹U+000D›‹U+0000›end");
  });

  test("goes on smoothly where a command prints without end", async () => {
    await begins();
    const result = await page.page.evaluate(
      async (update) => {
        const pauses: number[] = [];
        let last = performance.now();
        const frame = (now: number) => {
          pauses.push(now - last);
          last = now;
          requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
        const until = performance.now() + 3_000;
        let told = 0;
        while (performance.now() < until) {
          window.postMessage({ type: "event", event: update }, "*");
          told += 1;
          await new Promise((resolve) => setTimeout(resolve, 1_000 / 30));
        }
        return { told, typical: pauses.sort((one, other) => one - other)[Math.floor(pauses.length / 2)] ?? 0 };
      },
      printed(2, "y\n".repeat(2_048)),
    );
    expect(result.told).toBeGreaterThan(20);
    // Half of the frames come as fast as a screen wants them, also on a slow machine.
    expect(result.typical).toBeLessThan(100 * scale);
    expect((await box().textContent())?.length).toBeLessThanOrEqual(8_000);
    await button("Kill").click();
    await expect.poll(() => said("shellKill")).toEqual([{ type: "shellKill", shellId: "sh-1" }]);
  });

  test("is killed once, with one press, and by the keyboard", async () => {
    await begins();
    await button("Kill").focus();
    await page.page.keyboard.press("Enter");
    await expect.poll(() => button("Kill").isDisabled()).toBe(true);
    expect(said("shellKill")).toEqual([{ type: "shellKill", shellId: "sh-1" }]);
    expect(await row().evaluate((found) => found.matches(":focus"))).toBe(true);
    await page.tell({ type: "shellAnswered", id: "sh-1", error: "It was not ended: no." });
    await page.page.getByText("It was not ended: no.").first().waitFor();
    await expect.poll(() => button("Kill").isDisabled()).toBe(false);
  });

  test("can be asked nothing while there is no server", async () => {
    await begins();
    await page.tell({ type: "connection", state: "lost", text: "Connecting…", actions: [] });
    await expect.poll(() => button("Kill").isDisabled()).toBe(true);
    expect(await button("Move to background").isDisabled()).toBe(true);
  });
});

describe("a row whose command is moved", () => {
  test("says so, goes on with Kill, and tells how it ended", async () => {
    await begins();
    await button("Move to background").click();
    await expect.poll(() => said("shellBackground")).toEqual([{ type: "shellBackground", toolCallId: "c-1" }]);
    await happens(goesOn(3), moved(4));
    await page.tell({ type: "shellAnswered", id: "c-1" });
    await page.page.getByText(/^In background · \d+ s$/).waitFor();
    expect(await row().getAttribute("data-status")).toBe("background");
    await page.page.getByText("Goes on by itself").waitFor();
    expect(await button("Move to background").count()).toBe(0);
    expect(await box().count()).toBe(0);
    await button("Kill").click();
    await expect.poll(() => said("shellKill")).toEqual([{ type: "shellKill", shellId: "sh-1" }]);
    await happens(event(5, "Shell", { shellId: "sh-1", status: "killed", exitCode: null, reason: "You ended it." }));
    await page.page.getByText("In background · killed", { exact: true }).waitFor();
    await page.page.getByText("You ended it.").waitFor();
    expect(await button("Kill").count()).toBe(0);
    expect(await page.page.getByText("Goes on by itself").count()).toBe(0);
  });

  test("keeps what was printed among its details", async () => {
    await begins();
    await happens(goesOn(3), moved(4));
    await happens(event(5, "Shell", { shellId: "sh-1", status: "exited", exitCode: 3 }));
    await page.page.getByText("In background · exit code 3", { exact: true }).waitFor();
    await page.page.getByText("Details", { exact: true }).click();
    await page.page.getByRole("group", { name: "Output" }).getByText("ready").waitFor();
  });
});

const chip = () => page.page.locator("assent-header .shells");
const panel = () => page.page.getByRole("region", { name: "Commands in the background" });
const entries = () => panel().getByRole("listitem");
const LONG = `npm run build -- --mode production --out dist/production && ${"echo done ".repeat(12)}\necho second line`;
const ended = () =>
  shell({ shellId: "0b5f1c9e-77", command: "make", status: "exited", exitCode: 2, ageMs: 4_200, tail: "Error 2\n" });

describe("the list", () => {
  test("is not there where nothing is in the background", async () => {
    await lists(shell({ background: false }));
    await page.drawn();
    expect(await chip().count()).toBe(0);
  });

  test("shows each command with its facts, and asks for it again while it is open", async () => {
    await ownPage();
    await page.page.clock.install();
    await lists(shell({ shellId: "8d2e6a41-3f", sandbox: "bubblewrap" }), ended());
    await expect.poll(() => chip().textContent()).toContain("1 in background");
    await chip().click();
    await expect.poll(() => entries().count()).toBe(2);
    expect(await chip().getAttribute("aria-expanded")).toBe("true");
    expect(await words(entries().first())).toMatch(/Running · 1 min \d+ s · 8d2e6a41 · in the sandbox bubblewrap/);
    expect(await entries().first().locator("[title='8d2e6a41-3f']").count()).toBe(1);
    expect(await words(entries().first())).toContain("built in 2 s");
    expect(await words(entries().nth(1))).toMatch(/Exit code 2 · ran 4\.2 s · 0b5f1c9e/);
    expect(await entries().nth(1).getByRole("button", { name: /^Kill/ }).count()).toBe(0);
    await page.page.clock.runFor(5_000);
    await expect.poll(() => said("shellsList").length).toBeGreaterThanOrEqual(5);
    await button("Close").click();
    await panel().waitFor({ state: "detached" });
    expect(await chip().evaluate((found) => (found.getRootNode() as ShadowRoot).activeElement === found)).toBe(true);
    const asked = said("shellsList").length;
    await page.page.clock.runFor(10_000);
    await page.drawn();
    expect(said("shellsList")).toHaveLength(asked);
  });

  test("asks nothing while there is no server", async () => {
    await ownPage();
    await page.page.clock.install();
    await lists(shell());
    await chip().click();
    await page.tell({ type: "connection", state: "lost", text: "Connecting…", actions: [] });
    await expect.poll(() => button(`Kill: ${COMMAND}`).isDisabled()).toBe(true);
    const asked = said("shellsList").length;
    await page.page.clock.runFor(10_000);
    await page.drawn();
    expect(said("shellsList")).toHaveLength(asked);
  });

  test("ends a command with one press, and the focus stays in it", async () => {
    await lists(shell());
    await chip().click();
    await button(`Kill: ${COMMAND}`).click();
    await page.page.getByText("Ending…").waitFor();
    expect(said("shellKill")).toEqual([{ type: "shellKill", shellId: "sh-1" }]);
    expect(await panel().evaluate((found) => found.matches(":focus"))).toBe(true);
    await lists(shell({ status: "killed" }));
    await page.tell({ type: "shellAnswered", id: "sh-1" });
    await expect.poll(() => words(entries())).toContain("Killed · ran");
    await expect.poll(() => chip().textContent()).toContain("Background commands");
  });

  test("is opened and closed by the keyboard, and says when it is empty", async () => {
    await lists(shell());
    await chip().focus();
    await page.page.keyboard.press("Enter");
    await panel().waitFor();
    await expect.poll(() => panel().evaluate((found) => found.matches(":focus"))).toBe(true);
    await lists();
    await panel().getByText("Nothing runs in the background").waitFor();
    await page.page.keyboard.press("Escape");
    await panel().waitFor({ state: "detached" });
    expect(await chip().count()).toBe(0);
  });

  test("shows a long command in a line, and whole on demand", async () => {
    await lists(shell({ command: LONG }));
    await chip().click();
    const line = entries().locator("summary");
    expect((await line.boundingBox())?.height).toBeLessThan(30);
    await line.click();
    expect(await panel().getByRole("group", { name: "Command" }).textContent()).toBe(LONG);
    // It stays open when the list comes again.
    await lists(shell({ command: LONG, ageMs: 66_000, tail: "again\n" }));
    await panel().getByText("again").waitFor();
    expect(await panel().getByRole("group", { name: "Command" }).isVisible()).toBe(true);
  });

  test("tells of commands of another chat that they are", async () => {
    await lists(shell({ sessionId: "s-2" }));
    await chip().click();
    await expect.poll(() => words(entries())).toContain("in another chat");
  });

  test("opens all output in an editor, and offers it nowhere else", async () => {
    await lists(shell());
    await chip().click();
    await button("Open all output").click();
    await expect.poll(() => said("openShellOutput")).toEqual([{ type: "openShellOutput", shellId: "sh-1" }]);
    await page.tell({ type: "hello", host: "browser" });
    await button("Open all output").waitFor({ state: "detached" });
  });

  test("shows hostile words as visible text", async () => {
    await lists(shell({ command: `ls ${HOSTILE}`, tail: HOSTILE, shellId: "\u202Eid", sandbox: "\u001B" }));
    await chip().click();
    for (const hidden of ["\u001B", "\u202E", "\u0000"]) expect(await entries().innerHTML()).not.toContain(hidden);
    await expect.poll(() => words(entries())).toContain("‹U+202E›id");
    expect(await box("assent-shells").textContent()).toContain("red‹U+202E›txt.exe");
  });
});

const options = [
  { optionId: "allow_once", name: "Approve", kind: "allow_once", scopeText: "This call only." },
  { optionId: "allow_session", name: "Allow npm for this chat", kind: "allow_session", scopeText: "In this chat." },
  {
    optionId: "background",
    name: "Run in background",
    kind: "background",
    scopeText: "This call only. It goes on by itself.",
  },
  { optionId: "reject_once", name: "Deny", kind: "reject_once" },
] as const;
const asks = (more: object = {}) =>
  page.ask(
    request({
      tool: "bash",
      args: { command: COMMAND },
      category: "execute",
      headline: COMMAND,
      options: [...options],
      preview: { kind: "command", text: COMMAND, parts: [], sandbox: "Sandbox: bubblewrap, without a network." },
      ...more,
    }),
  );

describe("a card of a command", () => {
  test("can be answered with “Run in background”, next to Approve, once it is armed", async () => {
    await page.stopClock();
    await asks();
    const names = await page.card().getByRole("button").allTextContents();
    const at = (name: string) => names.findIndex((one) => one.trim() === name);
    expect(at("Approve")).toBeLessThan(at("Run in background"));
    expect(at("Run in background")).toBeLessThan(at("Allow npm for this chat"));
    await page.button("Run in background").click({ force: true });
    await page.drawn();
    expect(page.answers()).toEqual([]);
    await page.passes(400);
    await page.armed();
    await page.button("Run in background").click();
    await expect
      .poll(() => page.answers())
      .toEqual([{ type: "answer", approvalId: "a-1", argsDigest: "digest-1", optionId: "background" }]);
  });

  test("takes it like any yes only when everything is shown", async () => {
    await asks({ redactions: 1 });
    await page.armed();
    await page.button("Run in background").click({ force: true });
    expect(await page.button("Run in background").getAttribute("aria-disabled")).toBe("true");
    expect(page.answers()).toEqual([]);
  });

  test("says in which sandbox it would run, before the command", async () => {
    await asks();
    const words = page.card().getByText("Sandbox: bubblewrap, without a network.");
    const command = page.card().getByRole("group", { name: "Command" });
    expect((await words.boundingBox())?.y).toBeLessThan((await command.boundingBox())?.y ?? 0);
  });

  test("warns of what its words about a sandbox hide", async () => {
    await asks({ preview: { kind: "command", text: COMMAND, parts: [], sandbox: "Sand\u202Ebox" } });
    await page.page.getByText("Holds characters that cannot be seen").waitFor();
    await page.card().getByText("Sand‹U+202E›box").waitFor();
  });
});

const SCREENS = path.resolve(import.meta.dirname, "../../../test-results/screens");
const LOOKS: [Theme, number][] = [
  ["light", 420],
  ["dark", 420],
  ["high-contrast", 420],
  ["light", 250],
];

test.each(LOOKS)("a card's sandbox and its background are in sight: %s, %i px", async (theme, width) => {
  await ownPage(theme, width);
  await mkdir(SCREENS, { recursive: true });
  await asks();
  await inSight("Run in background");
  await page.page.getByText("Sandbox: bubblewrap").waitFor();
  await page.armed();
  await page.page.screenshot({ path: path.join(SCREENS, `sandbox-card-${theme}-${width}.png`) });
});

test.each(LOOKS)("rows and list are in sight: %s, %i px", async (theme, width) => {
  await ownPage(theme, width);
  await mkdir(SCREENS, { recursive: true });
  await happens(event(1, "Prompt", { text: "Start the watcher and the tests, please." }));
  await happens(bashCall(2, "c-0", "npm run watch"), running(3, "sh-0", "c-0"));
  await happens({ ...moved(4), data: { ...moved(4).data, toolCallId: "c-0" } } as AgentEvent);
  await happens(event(5, "Shell", { shellId: "sh-0", status: "running", toolCallId: "c-0" }));
  await happens(bashCall(6, "c-2", "make"), running(7, "sh-2", "c-2"));
  await happens({ ...moved(8), data: { ...moved(8).data, toolCallId: "c-2" } } as AgentEvent);
  await happens(event(9, "Shell", { shellId: "sh-2", status: "exited", exitCode: 2, toolCallId: "c-2" }));
  await happens(bashCall(10, "c-1", "pytest -q tests/unit"), running(11), printed(11, lines(1, 30)));
  await lists(
    shell(),
    shell({ shellId: "sh-0" }),
    shell({ shellId: "0b5f1c9e-78", command: LONG, tail: lines(1, 20) }),
    ended(),
  );
  await box().waitFor();
  await page.drawn();
  for (const name of ["Move to background", "Kill"]) await inSight(name);
  await page.page.screenshot({ path: path.join(SCREENS, `running-${theme}-${width}.png`) });
  await chip().click();
  await panel().waitFor();
  await inSight("Close");
  await inSight(`Kill: ${COMMAND}`);
  await page.page.screenshot({ path: path.join(SCREENS, `shells-${theme}-${width}.png`) });
});

async function inSight(name: string): Promise<void> {
  const found = button(name).last();
  await found.waitFor();
  const place = await found.boundingBox();
  const size = page.page.viewportSize();
  if (place === null || size === null) throw new Error(`there is no ${name}`);
  expect(place.x).toBeGreaterThanOrEqual(0);
  expect(place.x + place.width).toBeLessThanOrEqual(size.width);
  expect(place.y + place.height).toBeLessThanOrEqual(size.height);
}
