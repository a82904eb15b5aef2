import { beforeEach, expect, test } from "vitest";
import { event, session } from "../support/examples.js";
import { aPageForEachTest, page } from "./each-page.js";

aPageForEachTest();

const AGENT = session({ agentName: "Local" });

beforeEach(async () => {
  await page.tell({ type: "hello", host: "editor" });
  await page.tell({ type: "chat", how: "replace", session: AGENT, events: [], pending: [] });
});

const button = (name: string) => page.page.getByRole("button", { name, exact: true });

async function fails(code: string, n = 1): Promise<void> {
  await page.tell({ type: "event", event: event(n, "Error", { message: "It failed.", code }) });
  await page.page.getByText("It failed.").last().waitFor();
}

test("a missing key leads to the command that stores one, for the agent of this chat", async () => {
  await fails("key_missing");
  await button("Set API Key").click();
  await expect.poll(() => page.said.at(-1)).toEqual({ type: "setKey", agent: "Local" });
});

test("a server that does not answer leads to the choice of another", async () => {
  await fails("unreachable");
  await button("Choose a Model…").click();
  await expect.poll(() => page.said.at(-1)).toEqual({ type: "chooseModel" });
});

test("what failed earlier leads nowhere any more", async () => {
  await fails("key_missing");
  await page.tell({ type: "event", event: event(2, "Prompt", { text: "again" }) });
  await page.page.getByText("again").waitFor();
  expect(await button("Set API Key").count()).toBe(0);
});

test("a plain browser keeps no keys, so it offers none of this", async () => {
  await page.tell({ type: "hello", host: "browser" });
  await fails("key_missing");
  expect(await button("Set API Key").count()).toBe(0);
});

test("an empty chat leads to the choice of a model", async () => {
  await button("Choose a model").click();
  await expect.poll(() => page.said.at(-1)).toEqual({ type: "chooseModel" });
});

test("what a run cost stands below it, and nothing where nobody told", async () => {
  const cost = page.page.getByText(/tokens in/);
  await page.tell({ type: "event", event: event(1, "Done", { done_reason: "stop" }) });
  await page.drawn();
  expect(await cost.count()).toBe(0);
  const turn = { runInput: 1200, runOutput: 30, input: 1200, output: 30, contextWindow: 16_384 };
  await page.tell({ type: "event", event: event(2, "Usage", turn) });
  await expect.poll(() => cost.textContent()).toBe("1.2k tokens in · 30 out · 8 % of the context");
  expect(await cost.getAttribute("title")).toContain("1,200 tokens sent");
});

test("it takes one line of a narrow page at most", async () => {
  await page.page.setViewportSize({ width: 250, height: 700 });
  const turn = { runInput: 234_567, runOutput: 99_949, input: 200_000, output: 30, contextWindow: 262_144 };
  await page.tell({ type: "event", event: event(1, "Prompt", { text: "go" }) });
  await page.tell({ type: "event", event: event(2, "Usage", turn) });
  const cost = page.page.getByText(/tokens in/);
  await cost.waitFor();
  const box = await cost.boundingBox();
  expect(box?.height).toBeLessThan(25);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(250);
});
