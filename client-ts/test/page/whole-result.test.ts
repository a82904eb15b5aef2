import { expect, test } from "vitest";
import { event, session } from "../support/examples.js";
import { aPageForEachTest, page } from "./each-page.js";

aPageForEachTest();

async function ends(host: "editor" | "browser", more: object): Promise<void> {
  const call = {
    toolCallId: "c-1",
    tool: "bash",
    args: { command: "cat long" },
    category: "read" as const,
    headline: "cat long",
  };
  const result = { toolCallId: "c-1", tool: "bash", success: true, output: "a part", durationMs: 5, is_error: false };
  await page.tell({ type: "hello", host });
  await page.tell({ type: "chat", how: "replace", session: session(), events: [], pending: [] });
  await page.tell({ type: "event", event: event(1, "Prompt", { text: "go" }) });
  await page.tell({ type: "event", event: event(2, "ToolCall", { ...call, depth: 0 }) });
  await page.tell({ type: "event", event: event(3, "ToolResult", { ...result, truncated: true, ...more }) });
  await page.page.getByText("Details", { exact: true }).click();
  await page.page.getByText("a part").waitFor();
}

const button = () => page.page.getByRole("button", { name: /^Open all/ });

test("a result of which a part is shown can be opened whole", async () => {
  await ends("editor", { wholeLength: 12_345 });
  await page.page.getByRole("button", { name: "Open all 12,345 characters" }).click();
  await expect
    .poll(() => page.said.at(-1))
    .toEqual({ type: "openResult", sessionId: session().sessionId, toolCallId: "c-1" });
});

test("what nobody keeps cannot be opened", async () => {
  await ends("editor", {});
  expect(await button().count()).toBe(0);
});

test("a plain browser has no place for it", async () => {
  await ends("browser", { wholeLength: 12_345 });
  expect(await button().count()).toBe(0);
});
