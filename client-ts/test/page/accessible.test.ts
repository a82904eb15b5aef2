import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { consent, manyOptions } from "../support/consents.js";
import { event, request, session, text, toolCall, toolResult } from "../support/examples.js";
import { agentState, COMMANDS, DANGER, PLAN, ways } from "../support/guests.js";
import { grant, numbered } from "../support/page-state.js";
import { bashCall, printed, running, shell } from "../support/shells.js";
import { EditorPage, launch, PageServer, type Theme } from "./browser.js";

interface Violation {
  id: string;
  help: string;
  nodes: { html: string; failureSummary?: string }[];
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let browser: Browser;
let server: PageServer;

beforeAll(async () => {
  [browser, server] = await Promise.all([launch(), PageServer.open()]);
});
afterAll(async () => {
  await browser?.close();
  server?.close();
});

async function busyPage(theme: Theme, width: number): Promise<EditorPage> {
  const page = await EditorPage.open(browser, server.address, theme, width);
  const events = [
    event(1, "Prompt", { text: "Write the notes, please." }),
    event(2, "Chunk", { text: null, thinking: "What notes?" }),
    text(
      3,
      "I will **read** and `write`:\n\n1. one\n2. two\n\n> quoted\n\n```\ncode\n```\n[a link](https://example.org)",
    ),
    toolCall(4, "c-0"),
    toolResult(5, { toolCallId: "c-0", path: "notes.txt", content: "milk" }),
    event(6, "Notification", { text: "Stored.", level: "warning" }),
    event(7, "Grants", { grants: ["write_file"], bypassAgent: true, bypassSession: false }),
    event(8, "ToolCall", {
      toolCallId: "c-8",
      tool: "run_subtask",
      args: { title: "Tidy up", instructions: "…" },
      category: "internal",
      headline: "Sub-agent: Tidy up",
      depth: 0,
    }),
    event(9, "Chunk", { text: "I tidy up.", thinking: null, parentToolCallId: "c-8" }),
  ];
  for (const one of events) await page.tell({ type: "event", event: one });
  const risk = { level: "high", notes: ["It replaces a file."] } as const;
  const card = { agentSays: "This is harmless.", refreshed: true, risk: { ...risk, notes: [...risk.notes] } };
  const timeout = { seconds: 300, running: true, remainingMs: 240_000 };
  const more = { limits: true, editable: true, interrupted: true, timeout };
  await page.ask(request({ ...card, ...more, options: manyOptions() }));
  const below = { parentToolCallId: "c-8", depth: 1, path: ["Tidy up"] };
  await page.tell({ type: "approval", request: numbered(2, { editable: true, limits: true, ...below }) });
  const stored = { grantId: "g-2", scope: "workspace", setting: "assent.alwaysAllowRules", file: "/a/b.json" } as const;
  await page.tell({ type: "grants", grants: [grant({ ends: { remainingMs: 600_000 } }), grant(stored)] });
  await page.tell({ type: "grantRevoked", grantId: "g-9", undoable: true });
  await page.tell({ type: "answerFailed", approvalId: "a-1", code: -32603, text: "No word from the server." });
  await page.tell({ type: "consent", request: consent() });
  await page.page.getByRole("checkbox").first().check();
  await page.tell({ type: "consentFailed", consentId: "q-1", text: "No word from the server." });
  await page.button("Don’t ask again…").click();
  await page.armed();
  await page.page.locator('assent-consent button[aria-disabled="false"]').first().waitFor();
  return page;
}

async function pageWithCommands(width: number): Promise<EditorPage> {
  const page = await EditorPage.open(browser, server.address, "dark", width);
  await tellCommands(page);
  return page;
}

async function tellChats(page: EditorPage): Promise<void> {
  const agents = [
    { agentId: "demo", name: "Demo", description: "Shows how it works." },
    { agentId: "other", name: "Other", description: "Another one." },
  ];
  const sessions = [
    session({ sessionId: "s-0", title: "mend the fence", waiting: 2, running: true }),
    session({ title: "paint the door", running: true }),
    session({ sessionId: "s-2" }),
  ];
  await page.tell({ type: "chats", sessions, agents });
}

async function violations(page: EditorPage): Promise<string[]> {
  await page.page.evaluate(axe);
  const found = await page.page.evaluate(async () => {
    const run = (window as unknown as { axe: { run(where: Document): Promise<{ violations: Violation[] }> } }).axe;
    return (await run.run(document)).violations;
  });
  return found.map((one) => `${one.id}: ${one.nodes.map((node) => `${node.html} ${node.failureSummary}`).join("\n")}`);
}

describe.each<Theme>(["light", "dark", "high-contrast"])("in %s", (theme) => {
  test("a busy page has no fault that axe knows", async () => {
    const page = await busyPage(theme, 420);
    expect(await violations(page)).toEqual([]);
    expect(page.faults).toEqual([]);
    await page.page.close();
  });

  test("a page with nothing but notices and a question about settings has none", async () => {
    const page = await EditorPage.open(browser, server.address, theme, 250);
    const notice = "It has no effect until you agree to it. ".repeat(40);
    await page.tell({ type: "notice", level: "warning", text: notice });
    await page.tell({ type: "consent", request: consent() });
    await page.page.getByRole("checkbox").first().check();
    expect(await violations(page)).toEqual([]);
    await page.page.close();
  });

  test("a page with several chats, a list of agents, a question about closing one and a search has none", async () => {
    const page = await EditorPage.open(browser, server.address, theme, 250);
    await tellChats(page);
    await page.page.getByRole("button", { name: "New chat with another agent" }).click();
    await page.page.getByRole("menuitem", { name: "Other" }).focus();
    expect(await violations(page)).toEqual([]);
    await page.page.keyboard.press("Escape");
    await page.page.getByRole("button", { name: "Close the chat: mend the fence" }).click();
    await page.page.getByRole("group", { name: "Close the chat?" }).waitFor();
    await page.page.keyboard.press("Control+f");
    await page.page.getByRole("textbox", { name: "Find in the chat" }).fill("nowhere");
    await page.page.getByText("Nothing found").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.page.close();
  });

  test("a page with everything that is allowed, and a call being changed, has none", async () => {
    const page = await EditorPage.open(browser, server.address, theme, 250);
    await page.ask(request({ editable: true, tool: "bash", args: { command: "ls \u202E" } }));
    await page.button("Edit before approving…").click();
    await page.tell({ type: "grants", grants: [grant(), grant({ grantId: "g-2", ends: { usesLeft: 2 } })] });
    await page.tell({ type: "showGrants" });
    await page.page.getByRole("region", { name: "What is allowed" }).waitFor();
    await page.armed();
    expect(await violations(page)).toEqual([]);
    await page.page.close();
  });

  test("a page with a run that failed, and with a message that waits for one, has none", async () => {
    const page = await EditorPage.open(browser, server.address, theme, 250);
    await page.tell({ type: "event", event: event(1, "Prompt", { text: "go" }) });
    await page.tell({
      type: "event",
      event: event(2, "Error", { message: "The answer was cut off.", canRetry: true }),
    });
    await page.page.getByRole("button", { name: "Retry" }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.page.getByRole("button", { name: "Retry" }).click();
    await page.composer.fill("and then?");
    await page.page.getByRole("button", { name: "Stop and send" }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.page.close();
  });

  test("a page with commands that run, here and in the background, has none", async () => {
    const page = await EditorPage.open(browser, server.address, theme, 250);
    await tellCommands(page);
    expect(await violations(page)).toEqual([]);
    await page.page.close();
  });

  test("a page of an agent of others, with its commands and a danger, has none", async () => {
    const page = await EditorPage.open(browser, server.address, theme, 250);
    for (const one of [COMMANDS, agentState("yolo", DANGER), PLAN]) await page.tell({ type: "event", event: one });
    await page.ask(request({ options: ways("Red", "Blue") }));
    await page.armed();
    await page.composer.fill("/");
    await page.page.getByRole("listbox").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.composer.fill("");
    await page.page.getByRole("combobox", { name: /Mode$/ }).selectOption("default");
    await page.tell({ type: "event", event: agentState("default") });
    await page.page.getByText(DANGER).waitFor({ state: "detached" });
    await page.page.getByRole("combobox", { name: /Mode$/ }).selectOption("yolo");
    await page.page.getByRole("button", { name: "Leave it as it is" }).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(page.faults).toEqual([]);
    await page.page.close();
  });

  test("an empty page with the menu open has none either", async () => {
    const page = await EditorPage.open(browser, server.address, theme);
    await page.page.getByRole("button", { name: /^Mode/ }).click();
    expect(await violations(page)).toEqual([]);
    await page.page.close();
  });
});

/** A row of each kind of command, and the list of them. */
async function tellCommands(page: EditorPage): Promise<void> {
  const command = `npm run build -- --out ${"a/very/long/path/".repeat(12)}`;
  const events = [
    bashCall(1),
    running(2),
    printed(2, `${"wide".repeat(90)}\n`.repeat(30)),
    bashCall(3, "c-2", command),
    event(4, "Shell", { shellId: "sh-2", status: "running", toolCallId: "c-2" }),
    toolResult(5, { toolCallId: "c-2", code: "background" }),
    bashCall(6, "c-3", command),
    toolResult(7, { toolCallId: "c-3", code: "background" }),
    event(8, "Shell", { shellId: "sh-3", status: "exited", exitCode: 2, toolCallId: "c-3" }),
  ];
  for (const one of events) await page.tell({ type: "event", event: one });
  const ended = shell({ shellId: "sh-3", command, status: "exited", exitCode: 2, tail: "", printed: 0 });
  await page.tell({ type: "shells", shells: [shell({ shellId: "sh-2", command, sandbox: "bubblewrap" }), ended] });
  await page.page.getByRole("button", { name: "1 in background" }).click();
  const panel = page.page.getByRole("region", { name: "Commands in the background" });
  await panel.locator("summary").first().click();
  await page.page.getByRole("button", { name: "Move to background" }).waitFor();
}

test.each<[string, number, (width: number) => Promise<EditorPage>]>(
  [200, 250, 420].flatMap((width) => [
    ["a busy page", width, (wide: number) => busyPage("dark", wide)],
    ["a page with commands", width, pageWithCommands],
  ]),
)("%s: nothing is cut off at %i pixels", async (_name, width, open) => {
  const page = await open(width);
  const wide = await page.page.evaluate(() => {
    const found: string[] = [];
    const walk = (root: Document | ShadowRoot) => {
      for (const element of root.querySelectorAll("*")) {
        if (element.shadowRoot) walk(element.shadowRoot);
        const { right, width: own } = element.getBoundingClientRect();
        // What ends in “…” is there whole where it is asked for.
        const isShortened =
          element.parentElement && getComputedStyle(element.parentElement).textOverflow === "ellipsis";
        if (own > 1 && right > window.innerWidth + 1 && !isShortened)
          found.push(`${element.localName}.${element.className} to ${right}`);
      }
    };
    walk(document);
    return found;
  });
  expect(wide).toEqual([]);
  await page.page.close();
});

test("what happens is told to a screen reader, politely", async () => {
  const page = await EditorPage.open(browser, server.address);
  const live = page.page.locator('[aria-live="polite"]');
  await page.ask(request());
  await expect.poll(() => live.textContent()).toContain("Approval needed: Write notes.txt");
  await page.page.close();
});
