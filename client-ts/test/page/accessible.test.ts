import { expect, test } from "vitest";
import { consent, manyOptions } from "../support/consents.js";
import { event, request, text, toolCall, toolResult } from "../support/examples.js";
import { grant, numbered } from "../support/page-state.js";
import { SHELLS } from "../support/states.js";
import { violations } from "./axe.js";
import { cutOff } from "./cut-off.js";
import { aPageForEachTest, ownPage, page } from "./each-page.js";

aPageForEachTest();

async function busyPage(width: number): Promise<void> {
  await ownPage("dark", width);
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
}

/** A row of each kind of command, and the list of them. */
async function pageWithCommands(width: number): Promise<void> {
  await ownPage("dark", width);
  for (const message of SHELLS) await page.tell(message);
  await page.page.getByRole("button", { name: "1 in background" }).click();
  const panel = page.page.getByRole("region", { name: "Commands in the background" });
  await panel.locator("summary").first().click();
  await page.page.getByRole("button", { name: "Move to background" }).waitFor();
}

test.each<[string, number, (width: number) => Promise<void>]>(
  [200, 250, 420].flatMap((width) => [
    ["a busy page", width, busyPage],
    ["a page with commands", width, pageWithCommands],
  ]),
)("%s: nothing is cut off at %i pixels", async (_name, width, open) => {
  await open(width);
  expect(await cutOff(page)).toEqual([]);
  expect(await violations(page)).toEqual([]);
});

test("what happens is told to a screen reader, politely", async () => {
  const live = page.page.locator('[aria-live="polite"]');
  await page.ask(request());
  await expect.poll(() => live.textContent()).toContain("Approval needed: Write notes.txt");
});
