// What a user selects on the page is the mode and the agent of a new chat. What the agent may use is not for the page to say: the server decides that, call by call.
import { expect, test } from "vitest";
import { manyOptions } from "../support/consents.js";
import { request, session } from "../support/examples.js";
import { aPageForEachTest, page } from "./each-page.js";

aPageForEachTest();

const MODE = "Mode: Auto-accept read-only";

test("there is one selector of the mode, and none of tools, collections or servers", async () => {
  await page.ask(request({ options: manyOptions() }));
  await page.armed();
  const selectors = page.page.locator(
    'select, [role="combobox"], [role="listbox"], [aria-haspopup], input[type="checkbox"]',
  );
  const names = await selectors.evaluateAll((all) => all.map((one) => one.getAttribute("aria-label") ?? one.outerHTML));
  expect(names).toEqual([MODE]);
  const buttons = await page.page
    .getByRole("button")
    .evaluateAll((all) =>
      all.map((one) => (one.closest(".card") ? "" : `${one.getAttribute("aria-label")} ${one.textContent}`)),
    );
  expect(buttons.filter((name) => name.includes("Send"))).toHaveLength(1);
  expect(buttons.filter((name) => /tool|collection|server|permission mode/iu.test(name))).toEqual([]);
});

test("a message says what was written and to whom, and nothing of what may be used", async () => {
  await page.composer.fill("tidy up");
  await page.composer.press("Enter");
  const sent = () => page.said.filter(({ type }) => type === "send");
  await expect.poll(sent).toHaveLength(1);
  expect(Object.keys(sent()[0] ?? {}).toSorted()).toEqual(["messageId", "sessionId", "text", "type"]);
});

test("choosing a mode answers no card, and the card goes on saying in which mode it was asked", async () => {
  await page.ask(request());
  await page.armed();
  await page.page.getByRole("button", { name: MODE }).click();
  await page.page.getByRole("menuitemradio", { name: "Plan" }).click();
  await expect.poll(() => page.said.filter(({ type }) => type === "setMode")).toHaveLength(1);
  await page.tell({
    type: "chat",
    how: "continue",
    session: session({ mode: "plan" }),
    events: [],
    pending: [request()],
  });
  await page.page.getByRole("button", { name: "Mode: Plan" }).waitFor();
  expect(page.answers()).toEqual([]);
  expect(await page.card().getByText("mode: Auto-accept read-only").count()).toBe(1);
  await page.armed();
  await page.button("Approve").click();
  await expect.poll(() => page.answers()).toMatchObject([{ optionId: "allow_once" }]);
});
