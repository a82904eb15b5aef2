import { expect, test } from "vitest";
import type { GrantInfo } from "../../src/protocol/generated.js";
import { consent, entry } from "../support/consents.js";
import { event, request, text, toolResult } from "../support/examples.js";
import { grant } from "../support/page-state.js";
import { bashCall, printed, running, shell } from "../support/shells.js";
import { ALL } from "../support/sizes.js";
import { aPageForEachTest, page, server } from "./each-page.js";
import { foreignMarkup } from "./markup.js";

aPageForEachTest();

const ATTACKS = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<svg onload=alert(1)>",
  '"><iframe src="javascript:alert(1)"></iframe>',
  "<a href=javascript:alert(1)>x</a>",
  "[x](javascript:alert(1))",
  "[x](command:workbench.action.quit)",
  "[x](data:text/html,<script>alert(1)</script>)",
  "[x](vscode://settings)",
  "![x](https://example.invalid/track.png)",
  "<https://example.invalid> <javascript:alert(1)>",
  "&lt;img src=x onerror=alert(1)&gt;",
  "```html\n<img src=x onerror=alert(1)>\n```",
  "| a |\n|---|\n| <img src=x onerror=alert(1)> |",
  "$" + "{alert(1)} {{alert(1)}}",
  "<style>*{display:none}</style>",
  "<form action=https://example.invalid><button>Approve</button></form>",
  "<template><slot onclick=alert(1)></slot></template>",
  "\u202E<img src=x onerror=alert(1)>\u202C",
  "x' onmouseover='alert(1)",
];

/** In the short run several stand in one text: that one of them becomes markup is found all the same. */
const TEXTS = ALL ? ATTACKS : [0, 1, 2, 3].map((first) => ATTACKS.filter((_, at) => at % 4 === first).join("\n\n"));

function hostileGrant(attack: string, grantId: string): GrantInfo {
  const words = { text: attack, agentName: attack, givenAt: attack, givenOn: attack, lastUsedAt: attack };
  return grant({ grantId, ...words, setting: attack, file: attack, line: 1 });
}

test.each(TEXTS)("stays text wherever it stands: %s", async (attack) => {
  const requested: string[] = [];
  page.page.on("request", (one) => requested.push(one.url()));
  const before = await foreignMarkup(page);
  const events = [
    event(1, "Prompt", { text: attack }),
    event(2, "Chunk", { text: null, thinking: attack }),
    text(3, attack),
    event(4, "ToolCall", {
      toolCallId: "c-1",
      tool: attack,
      args: { [attack]: attack },
      category: "read",
      headline: attack,
      depth: 0,
    }),
    event(5, "ToolUpdate", { toolCallId: "c-1", phase: "running", note: attack }),
    toolResult(6, { tool: attack, output: attack, path: attack, content: attack }),
    event(7, "Notification", { text: attack, level: "warning" }),
    event(8, "Grants", { grants: [attack], bypassAgent: true, bypassSession: false }),
    event(9, "Error", { message: attack }),
    event(9, "Plan", { entries: [{ content: attack, status: attack }] }),
    event(9, "Commands", { commands: [{ name: attack, description: attack, hint: attack }] }),
    event(9, "AgentState", {
      danger: attack,
      settings: [
        {
          settingId: attack,
          name: attack,
          isMode: true,
          current: "other",
          choices: [{ choiceId: attack, name: attack, description: attack, danger: attack }],
        },
      ],
    }),
    bashCall(10, "c-10", attack),
    running(11, attack, "c-10"),
    printed(11, attack, "c-10"),
    bashCall(12, "c-11", attack),
    event(13, "Shell", { shellId: "sh-9", status: "killed", toolCallId: "c-11", command: attack, reason: attack }),
  ];
  for (const one of events) await page.tell({ type: "event", event: one });
  await page.tell({
    type: "approval",
    request: request({
      toolCall: { toolCallId: "c-2", title: attack },
      agentName: attack,
      tool: attack,
      headline: attack,
      directory: attack,
      path: [attack],
      agentSays: attack,
      reason: { code: "x", text: attack, rule: { pattern: attack, scope: attack } },
      risk: { level: "high", notes: [attack] },
      preview: { kind: "json", text: attack },
      inexact: [attack],
      options: [
        { optionId: attack, name: attack, kind: "allow_once", scopeText: attack },
        { optionId: "reject_once", name: "Deny", kind: "reject_once" },
        { optionId: "always", name: attack, kind: "allow_always", scopeText: attack, alsoResolves: 2 },
      ],
    }),
  });
  await page.page.getByRole("button", { name: "Deny", exact: true }).waitFor();
  await page.page.locator("assent-plan").getByText("Plan of the agent").waitFor();
  await page.page.locator("assent-guest select").selectOption(attack);
  await page.page.getByRole("button", { name: "Set it all the same" }).waitFor();
  await page.composer.fill("/");
  await page.page.locator('assent-guest [role="option"]').waitFor();
  await page.tell({ type: "grants", grants: [hostileGrant(attack, "g-1"), hostileGrant(attack, "g-2")] });
  await page.tell({ type: "showGrants" });
  await page.tell({ type: "grantRevoked", grantId: "g-2", undoable: true });
  await page.tell({ type: "grantFailed", grantId: "g-1", text: attack });
  await page.tell({
    type: "approval",
    request: request({
      approvalId: "hostile-command",
      toolCall: { toolCallId: "c-3", title: attack },
      preview: {
        kind: "command",
        text: attack,
        parts: [{ written: attack, does: attack, notes: [attack] }],
        unreadable: attack,
        sandbox: attack,
      },
    }),
  });
  await page.page.getByLabel("Command", { exact: true }).waitFor();
  const command = { shellId: attack, command: `${attack}\n${attack}`, tail: attack, sandbox: attack };
  await page.tell({ type: "shells", shells: [shell(command)] });
  await page.page.getByRole("button", { name: "1 in background" }).click();
  await page.page.getByRole("button", { name: /^Kill: / }).waitFor();
  await page.tell({ type: "shellAnswered", id: "sh-1", error: attack });
  const hostile = { words: attack, key: attack, before: { [attack]: attack }, after: attack, file: attack };
  const asked = consent({ workspace: attack, reason: attack, entries: [entry({ ...hostile, entryId: attack })] });
  await page.tell({ type: "consent", request: asked });
  // The list of commands hangs over what stands above the composer.
  await page.page.getByLabel("Message", { exact: true }).press("Escape");
  await page.page.getByRole("checkbox").check();
  await page.tell({ type: "consentFailed", consentId: "q-1", text: attack });
  await page.tell({ type: "sendFailed", messageId: "m", text: attack });
  await page.tell({ type: "connection", state: "failed", text: attack, actions: ["retry"] });
  await page.page.getByRole("button", { name: "Retry" }).waitFor();
  await page.drawn();

  const after = await foreignMarkup(page);
  expect(before.foreign).toEqual([]);
  expect(after.foreign).toEqual([]);
  expect(after.handlers).toEqual([]);
  expect(after.links.filter((href) => !href.startsWith("https://example.invalid"))).toEqual([]);
  // Beside its own later part.
  expect(requested).toEqual([`${server.address}later.js`]);
});

test("a link is shown with where it leads, and leads nowhere by itself", async () => {
  await page.tell({ type: "event", event: text(1, "See [the bank](https://example.invalid/login).") });
  const link = page.page.getByRole("link");
  expect(await link.textContent()).toBe("the bank (https://example.invalid/login)");
  await link.click();
  await expect.poll(() => page.said).toContainEqual({ type: "openLink", url: "https://example.invalid/login" });
  expect(page.page.url()).toBe(server.address);
});

test("a card says that it holds something hidden, and shows it", async () => {
  await page.ask(request({ headline: "Write safe\u202Etxt.exe" }));
  await page.card().getByText("‹U+202E›").first().waitFor();
  await page.card().getByText("Holds characters that cannot be seen").waitFor();
  await page.tell({ type: "approval", request: request() });
  await page.card().getByText("Holds characters").waitFor({ state: "detached" });
});
