// An earlier message is taken up, changed and sent: with the keyboard, with its files, and without losing the draft.
import { expect, test } from "vitest";
import type { PageMessage } from "../../src/common/page-messages.js";
import { event, session, toolCall, toolResult } from "../support/examples.js";
import { aPageForEachTest, page } from "./each-page.js";

aPageForEachTest();

const said = <T extends PageMessage["type"]>(type: T) =>
  page.said.filter((one): one is Extract<PageMessage, { type: T }> => one.type === type);
const line = () => page.page.getByText("You are changing an earlier message");
const edit = () => page.page.getByRole("button", { name: "Change your message" });
const prompt = (n: number, runId: string, text: string, more = {}) =>
  ({ type: "event", event: { ...event(n, "Prompt", { text, ...more }), runId } }) as const;

async function taken(): Promise<void> {
  await page.tell(
    prompt(1, "r-1", "look at it\n[src/a.py]", { files: ["src/a.py"] }),
    { type: "event", event: toolCall(2) },
    { type: "event", event: toolResult(3) },
  );
  await page.composer.fill("half a thought");
  await edit().focus();
  const box = await edit().boundingBox();
  expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(24);
  await page.page.keyboard.press("Enter");
  await line().waitFor();
}

test("it goes instead of the earlier one, and the draft comes back", async () => {
  await taken();
  expect(await page.composer.inputValue()).toBe("look at it");
  await expect.poll(() => said("attach").map(({ path }) => path)).toEqual(["src/a.py"]);
  await page.tell({ type: "attachable", path: "src/a.py", found: { path: "src/a.py", size: 7 } });
  await page.composer.fill("look at it again");
  await page.page.getByText("7 bytes").waitFor();
  if (process.env.ASSENT_SHOTS) await page.page.screenshot({ path: "/tmp/resend-changing.png" });
  await page.composer.press("Enter");
  await expect
    .poll(() => said("send"))
    .toMatchObject([{ text: "look at it again", replacesMessage: "r-1", attachments: [{ path: "src/a.py" }] }]);
  await expect.poll(() => page.composer.inputValue()).toBe("half a thought");
  await expect.poll(() => line().count()).toBe(0);
  await page.tell(prompt(4, "r-2", "look at it again", { replaces: "r-1" }));
  await page.page.getByText("Replaced by a changed message; what it did on disk stays.").waitFor();
  await expect.poll(() => page.page.locator(".gone").count()).toBe(2);
  await expect.poll(() => edit().count()).toBe(1);
  if (process.env.ASSENT_SHOTS) await page.page.screenshot({ path: "/tmp/resend-changed.png" });
  await page.page.getByRole("button", { name: /^Review or roll back/ }).click();
  await expect.poll(() => said("hostAction")).toMatchObject([{ action: "reviewRun" }]);
});

test("one that comes back still goes instead of the earlier one, with its files looked at anew", async () => {
  await taken();
  await page.tell({ type: "attachable", path: "src/a.py", found: { path: "src/a.py", size: 7 } });
  await page.page.getByText("7 bytes").waitFor();
  await page.composer.fill("look at it again");
  await page.composer.press("Enter");
  await expect.poll(() => said("send").length).toBe(1);
  const { messageId } = said("send")[0] ?? { messageId: "" };
  await page.tell({ type: "returned", messageId, text: "look at it again", files: ["src/a.py"] });
  await line().waitFor();
  await expect.poll(() => page.composer.inputValue()).toBe("look at it again");
  await expect.poll(() => said("attach").length).toBe(2);
  await page.tell({ type: "attachable", path: "src/a.py", found: { path: "src/a.py", size: 8 } });
  await page.page.getByText("8 bytes").waitFor();
  await page.composer.press("Enter");
  await expect
    .poll(() => said("send")[1])
    .toMatchObject({ text: "look at it again", replacesMessage: "r-1", attachments: [{ path: "src/a.py" }] });
  await expect.poll(() => page.composer.inputValue()).toBe("half a thought");
});

test("Cancel leaves everything as it was", async () => {
  await taken();
  await page.page.getByRole("button", { name: "Cancel", exact: true }).click();
  await expect.poll(() => page.composer.inputValue()).toBe("half a thought");
  await expect.poll(() => line().count()).toBe(0);
  await page.composer.press("Enter");
  await expect.poll(() => said("send").map(({ replacesMessage }) => replacesMessage)).toEqual([undefined]);
});

test("an agent of others gets a new message, and that is said", async () => {
  await page.tell({ type: "session", session: { ...session(), isGuest: true } });
  await taken();
  await page.page.getByText("It goes as a new message").waitFor();
  await page.tell({ type: "attachable", path: "src/a.py", error: "it is gone" });
  await page.page.getByText("Not sent: it is gone").waitFor();
  await page.composer.press("Enter");
  await expect.poll(() => said("send").length).toBe(1);
  expect(said("send")[0]?.replacesMessage).toBeUndefined();
});
