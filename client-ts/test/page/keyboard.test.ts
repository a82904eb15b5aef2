// Whatever opens over or beside the chat: Escape closes it, and the keyboard is back where it was opened.
import { expect, test } from "vitest";
import type { HostMessage } from "../../src/common/page-messages.js";
import { session } from "../support/examples.js";
import { grant, numbered } from "../support/page-state.js";
import { COMMAND, shell } from "../support/shells.js";
import { aPageForEachTest, page } from "./each-page.js";

aPageForEachTest();

/** What is opened by a button, and how it is known to be there. */
interface Opened {
  what: string;
  tells: HostMessage[];
  button: string;
  role: "menu" | "region" | "group";
  name: string;
}

const AGENTS: HostMessage = {
  type: "chats",
  sessions: [session()],
  agents: [
    { agentId: "demo", name: "Demo", description: "" },
    { agentId: "other", name: "Other", description: "" },
  ],
};
const OPENED: Opened[] = [
  { what: "the modes", tells: [], button: "Mode: Auto-accept read-only", role: "menu", name: "Mode" },
  { what: "the agents", tells: [AGENTS], button: "New chat with another agent", role: "menu", name: "New chat with" },
  {
    what: "what is allowed",
    tells: [{ type: "grants", grants: [grant()] }],
    button: "What is allowed",
    role: "region",
    name: "What is allowed",
  },
  {
    what: "the commands in the background",
    tells: [{ type: "shells", shells: [shell({ command: COMMAND })] }],
    button: "1 in background",
    role: "region",
    name: "Commands in the background",
  },
  {
    what: "the list of those that wait",
    tells: [1, 2].map((number) => ({ type: "approval", request: numbered(number) })),
    button: "Choose…",
    role: "group",
    name: "Which of them an answer to all means",
  },
];

test.each(OPENED)("$what", async ({ tells, button, role, name }) => {
  await page.tell(...tells);
  const opener = page.page.getByRole("button", { name: button, exact: true });
  await opener.focus();
  await page.page.keyboard.press("Enter");
  const opened = page.page.getByRole(role, { name, exact: true });
  await opened.waitFor();
  // Into it, where it does not take the keyboard by itself.
  if (role === "group") await page.page.keyboard.press("Tab");
  await page.page.keyboard.press("Escape");
  await opened.waitFor({ state: "detached" });
  await expect.poll(() => opener.evaluate((one) => one.matches(":focus"))).toBe(true);
});

test("the search", async () => {
  await page.page.keyboard.press("Control+f");
  const field = page.page.getByRole("textbox", { name: "Find in the chat" });
  await field.waitFor();
  await expect.poll(() => field.evaluate((one) => one.matches(":focus"))).toBe(true);
  await page.page.keyboard.press("Escape");
  await field.waitFor({ state: "detached" });
  const chat = page.page.getByRole("region", { name: "Conversation" });
  await expect.poll(() => chat.evaluate((one) => one.matches(":focus"))).toBe(true);
});

test("whatever has the keyboard shows it", async () => {
  await page.tell(AGENTS, { type: "approval", request: numbered(1) });
  await page.armed();
  const hidden: string[] = [];
  for (let count = 0; count < 40; count += 1) {
    await page.page.keyboard.press("Tab");
    const seen = await page.page.evaluate(() => {
      let at = document.activeElement;
      while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
      if (at === null || at === document.body) return undefined;
      const { outlineStyle, outlineWidth } = getComputedStyle(at);
      return {
        name: `${at.localName} ${at.className}`,
        shown: outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 1,
      };
    });
    if (seen === undefined) break;
    if (!seen.shown) hidden.push(seen.name);
  }
  expect(hidden).toEqual([]);
});
