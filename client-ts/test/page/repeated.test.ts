// A card of a call that was answered in the same way often: it says so, and the answer that lasts is in sight.
import { expect, test } from "vitest";
import type { RepeatedInfo } from "../../src/protocol/generated.js";
import { manyOptions } from "../support/consents.js";
import { request } from "../support/examples.js";
import { aPageForEachTest, page } from "./each-page.js";

aPageForEachTest();

const ALWAYS = "Always allow write_file in docs/**";
const NEVER = "Never allow write_file in docs/**";

const ask = (repeated: RepeatedInfo) => page.ask(request({ options: manyOptions(), repeated }));

test("after many a yes the narrowest rule is offered beside, and is no other answer than before", async () => {
  const text = `You have allowed this 3 times in this chat. “${ALWAYS}” would stop asking.`;
  await ask({ answer: "allowed", times: 3, text, optionId: "always_rule" });
  await page.card().getByText(text).waitFor();
  await page.armed();
  expect(await page.button("Stop").count()).toBe(0);
  // What reaches further stays folded away.
  expect(await page.button("Always allow write_file").filter({ visible: true }).count()).toBe(0);
  await page.button(ALWAYS).click();
  await expect.poll(() => page.answers()).toMatchObject([{ optionId: "always_rule", argsDigest: "digest-1" }]);
});

test("after many a no it offers Stop and the rule that refuses, and answers nothing by itself", async () => {
  const text = "Demo keeps asking: you have denied this very call 3 times in this chat.";
  await ask({ answer: "denied", times: 3, text, optionId: "never" });
  await page.card().getByText(text).waitFor();
  await page.armed();
  await page.card().getByRole("button", { name: "Stop" }).click();
  await expect.poll(() => page.said.filter(({ type }) => type === "stop")).toHaveLength(1);
  expect(page.answers()).toEqual([]);
  await page.button(NEVER).click();
  await expect.poll(() => page.answers()).toMatchObject([{ optionId: "never" }]);
});

test("an option that the card does not have is not offered", async () => {
  await ask({ answer: "allowed", times: 3, text: "Often.", optionId: "something else" });
  await page.card().getByText("Often.").waitFor();
  expect(await page.button(ALWAYS).filter({ visible: true }).count()).toBe(0);
});
