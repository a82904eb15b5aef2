// Slash commands of the page itself: offered, taken with the keyboard, done, and never sent.
import { expect, test } from "vitest";
import { session } from "../support/examples.js";
import { aPageForEachTest, page } from "./each-page.js";

aPageForEachTest();

const said = (type: string) => page.said.filter((one) => one.type === type);
const list = () => page.page.getByRole("listbox");
const chosen = () => page.page.getByRole("option", { selected: true });

test("a command is chosen by the keyboard and done by the next Enter", async () => {
  await page.composer.pressSequentially("/mo");
  await list().waitFor();
  await expect.poll(() => page.composer.getAttribute("aria-controls")).toBe(await list().getAttribute("id"));
  expect(await chosen().textContent()).toContain("/mode plan");
  await page.composer.press("ArrowDown");
  await expect.poll(() => chosen().textContent()).toContain("/mode ask");
  expect(await page.composer.getAttribute("aria-activedescendant")).toBe(await chosen().getAttribute("id"));
  if (process.env.ASSENT_SHOTS) await page.page.screenshot({ path: "/tmp/resend-commands.png" });
  await page.composer.press("Enter");
  await expect.poll(() => page.composer.inputValue()).toBe("/mode ask");
  expect(said("setMode")).toEqual([]);
  await page.page.getByRole("button", { name: "Run", exact: true }).waitFor();
  await page.composer.press("Enter");
  await expect.poll(() => said("setMode")).toMatchObject([{ mode: "ask", applyNow: false }]);
  expect(await page.composer.inputValue()).toBe("");
  await expect.poll(() => list().count()).toBe(0);
  expect(await page.composer.getAttribute("aria-activedescendant")).toBeNull();
  expect(said("send")).toEqual([]);
});

test("what is opened by a command is there", async () => {
  await page.composer.fill("/find");
  await page.composer.press("Enter");
  await page.page
    .getByRole("searchbox")
    .or(page.page.getByRole("textbox", { name: /find/i }))
    .first()
    .waitFor();
  await page.composer.fill("/history");
  await page.composer.press("Enter");
  await page.page.getByRole("heading", { name: "History" }).waitFor();
  await page.composer.fill("/allowed");
  await page.composer.press("Enter");
  await page.page.getByRole("heading", { name: "Permissions" }).waitFor();
  await page.composer.fill("/new");
  await page.composer.press("Enter");
  await expect.poll(() => said("newChat").length).toBe(1);
  expect(said("send")).toEqual([]);
});

test("what is no command is sent as it is, and that is said before", async () => {
  await page.composer.fill("/etc/hosts");
  await page.page.getByText("No such command: it is sent as it is.").waitFor();
  await page.composer.press("Enter");
  await expect.poll(() => said("send")).toMatchObject([{ text: "/etc/hosts" }]);
});

test("an agent of others is sent everything", async () => {
  await page.tell({ type: "session", session: { ...session(), isGuest: true } });
  await page.composer.fill("/new");
  await page.composer.press("Enter");
  await expect.poll(() => said("send")).toMatchObject([{ text: "/new" }]);
  expect(said("newChat")).toEqual([]);
});
