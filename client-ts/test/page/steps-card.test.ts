import { expect, test } from "vitest";
import type { StepInfo, StepsPreview } from "../../src/protocol/generated.js";
import { request } from "../support/examples.js";
import { aPageForEachTest, page } from "./each-page.js";

aPageForEachTest();

/** The card of a workflow with these steps. */
async function ask(steps: StepInfo[], more: Partial<StepsPreview> = {}): Promise<void> {
  const preview: StepsPreview = { kind: "steps", title: "Release", steps, ...more };
  await page.ask(request({ tool: "run_workflow", category: "execute", headline: "Run the workflow file:w", preview }));
}

const WRITES: StepInfo = {
  number: 1,
  name: "notes",
  headline: "Write NOTES.md (+1 −0)",
  category: "write",
  preview: {
    kind: "diff",
    path: "NOTES.md",
    realPath: "/home/ada/project/NOTES.md",
    isNew: true,
    lines: [{ kind: "added", text: "# Notes", newNumber: 1 }],
    added: 1,
    removed: 0,
  },
};
const RUNS: StepInfo = {
  number: 2,
  name: "tag",
  headline: "Run a command",
  category: "execute",
  preview: { kind: "command", text: "git tag v1", parts: [{ written: "git tag v1", does: "names a commit" }] },
};
const LATER: StepInfo = {
  number: 3,
  name: "tell",
  headline: "Call web_fetch",
  category: "external",
  preview: { kind: "json", text: '{"url": {"$step": "tag"}}' },
  notes: ["What goes in comes from the step “tag”."],
};

const steps = () => page.page.getByLabel("Steps", { exact: true }).locator("> li");

test("every step stands there in full, with what kind of thing it does", async () => {
  await ask([WRITES, RUNS, LATER]);
  expect(await steps().count()).toBe(3);
  expect(await steps().nth(0).textContent()).toContain("# Notes");
  expect(await steps().nth(1).getByLabel("Command", { exact: true }).textContent()).toBe("git tag v1");
  expect(await steps().nth(2).textContent()).toContain("comes from the step “tag”");
  expect(await page.page.getByText("Its file calls it “Release”.").count()).toBe(1);
});

test("steps that were made before are counted, and the others keep their numbers", async () => {
  await ask([{ ...RUNS, number: 2 }], { done: 1 });
  expect(await page.page.getByText("Done before, and not done again: 1").count()).toBe(1);
  expect(await page.page.getByLabel("Steps", { exact: true }).getAttribute("start")).toBe("2");
});

test("what hides something in a step, wherever it stands there, is said on the card", async () => {
  const hidden = "a\u202Eb";
  const diff = { ...WRITES.preview, lines: [{ kind: "added", text: hidden, newNumber: 1 }] } as StepInfo["preview"];
  const spoiled: StepInfo[] = [
    { ...RUNS, headline: hidden },
    { ...WRITES, preview: diff },
    { ...RUNS, preview: { kind: "command", text: hidden, parts: [] } },
    { ...LATER, preview: { kind: "json", text: hidden } },
    { ...LATER, notes: [hidden] },
  ];
  for (const one of spoiled) {
    await ask([one]);
    expect(await page.page.getByText("characters that cannot be seen").count()).toBeGreaterThan(0);
  }
});

test("markup in any text of a step stays text", async () => {
  const attack = "<img src=x onerror=alert(1)>";
  const notes = [attack];
  await ask([{ ...LATER, headline: attack, notes, preview: { kind: "json", text: attack } }], { title: attack });
  expect(await page.page.locator("assent-card img").count()).toBe(0);
  expect(await steps().nth(0).textContent()).toContain(attack);
});

test("it can be read at 250 pixels", async () => {
  await page.page.setViewportSize({ width: 250, height: 900 });
  await ask([WRITES, RUNS, LATER]);
  const wide = await page.page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide).toBeLessThanOrEqual(250);
});
