import { expect, test } from "vitest";
import { session, toolCall } from "../support/examples.js";
import { numbered } from "../support/page-state.js";
import { page } from "./each-page.js";

const stop = () => page.page.getByRole("button", { name: "Stop", exact: true });

test("a chat that came back can be stopped although no run is under way", async () => {
  expect(await stop().count()).toBe(0);
  const pending = [numbered(1, { interrupted: true })];
  await page.tell({ type: "chat", how: "replace", session: session(), events: [toolCall(1)], pending });
  await page.card().waitFor();
  await stop().click();
  await expect.poll(() => page.said.filter((one) => one.type === "stop")).toHaveLength(1);
});

test("what waits in another chat is told, and one click shows it", async () => {
  const sessions = [session({ sessionId: "old", waiting: 3, title: "write three files" }), session()];
  await page.tell({ type: "chats", sessions, agents: [] });
  await page.page.getByText("3 calls wait for your approval in another chat: write three files").waitFor();
  await page.page.getByRole("button", { name: "Show that chat" }).click();
  await expect.poll(() => page.said.at(-1)).toEqual({ type: "showChat", sessionId: "old" });
});

test("a message that comes back stands behind what is being written, and can be sent again", async () => {
  await page.composer.fill("half a thought");
  await page.tell({ type: "returned", messageId: "m-1", text: "and then this" });
  await expect.poll(() => page.composer.inputValue()).toBe("half a thought\n\nand then this");
  await page.composer.press("Enter");
  await expect
    .poll(() => page.said.find((one) => one.type === "send"))
    .toMatchObject({ text: "half a thought\n\nand then this", sessionId: "s-1" });
});
