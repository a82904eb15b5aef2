import { expect, test } from "vitest";
import { event, session, toolCall, toolResult } from "../support/examples.js";
import { aPageForEachTest, page } from "./each-page.js";

aPageForEachTest();

test("a row of a chat that comes back says who decided, and when", async () => {
  const decidedAt = "2026-03-01T18:00:00Z";
  const update = { toolCallId: "c-1", phase: "running" as const, note: "You chose “Approve”.", decidedAt };
  const events = [
    event(1, "Prompt", { text: "go" }),
    toolCall(2),
    event(3, "ToolUpdate", update),
    event(4, "ToolUpdate", { toolCallId: "c-1", phase: "post_tool_use" }),
    toolResult(5),
  ];
  await page.tell({ type: "chat", how: "replace", session: session(), events, pending: [] });
  const said = await page.page.locator("assent-tool-row .notes li").first().textContent();
  const moment = await page.page.evaluate(
    (at) => new Date(at).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" }),
    decidedAt,
  );
  expect(said).toContain(`You chose “Approve”. · ${moment}`);
});
