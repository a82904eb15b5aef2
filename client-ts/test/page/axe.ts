// What the accessibility checker finds wrong with a page, by WCAG 2.2 at level AA and by its own good practice.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { EditorPage } from "./browser.js";

interface Violation {
  id: string;
  nodes: { html: string; failureSummary?: string }[];
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** A line for each. */
export async function violations({ page }: EditorPage): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  const found = await page.evaluate(async (values) => {
    type Run = (where: Document, options: object) => Promise<{ violations: Violation[] }>;
    const { run } = (window as unknown as { axe: { run: Run } }).axe;
    return (await run(document, { runOnly: { type: "tag", values } })).violations;
  }, LEVELS);
  return found.map((one) => `${one.id}: ${one.nodes.map((node) => `${node.html} ${node.failureSummary}`).join("\n")}`);
}
