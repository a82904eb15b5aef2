import { expect, test } from "vitest";
import { resolution, session, toolCall } from "../support/examples.js";
import { numbered } from "../support/page-state.js";
import { aPageForEachTest, page } from "./each-page.js";

aPageForEachTest();

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
  await page.tell({ type: "returned", messageId: "m-1", text: "and then this", files: [] });
  await expect.poll(() => page.composer.inputValue()).toBe("half a thought\n\nand then this");
  await page.composer.press("Enter");
  await expect
    .poll(() => page.said.find((one) => one.type === "send"))
    .toMatchObject({ text: "half a thought\n\nand then this", sessionId: "s-1" });
});

const tabs = () => page.page.getByRole("navigation", { name: "Chats" });
const tab = (name: string) => tabs().getByRole("button", { name });
const two = [session({ sessionId: "s-0", title: "mend the fence" }), session({ title: "paint the door" })];

test("two chats stand beside each other: the shown one is marked, and a click shows the other", async () => {
  await page.tell({ type: "chats", sessions: two, agents: [] });
  await tab("paint the door").first().waitFor();
  expect(await tabs().locator("[aria-current=true]").textContent()).toMatch(/^\s*paint the door\s*$/);
  await tab("paint the door").first().click();
  expect(page.said.filter((one) => one.type === "showChat")).toEqual([]);
  await tab("mend the fence").first().click();
  await expect.poll(() => page.said.at(-1)).toEqual({ type: "showChat", sessionId: "s-0" });
});

test("the one that waits is marked, for eyes and ears", async () => {
  const waits = session({ sessionId: "s-0", title: "mend the fence", waiting: 2 });
  await page.tell({
    type: "chats",
    sessions: [waits, session({ title: "paint the door", running: true })],
    agents: [],
  });
  const marked = tabs().getByRole("button", { name: /^mend the fence *, 2 calls wait for you$/ });
  await marked.waitFor();
  expect(await marked.textContent()).toContain("● 2");
  await tabs()
    .getByRole("button", { name: /^paint the door *, works$/ })
    .waitFor();
});

test("arrow keys lead from chat to chat, also round the ends", async () => {
  await page.tell({ type: "chats", sessions: two, agents: [] });
  await tab("mend the fence").first().focus();
  for (const key of ["ArrowRight", "ArrowRight", "ArrowLeft"]) await page.page.keyboard.press(key);
  await page.page.keyboard.press("Enter");
  await expect.poll(() => page.said.filter((one) => one.type === "showChat")).toEqual([]);
  await page.page.keyboard.press("Home");
  await page.page.keyboard.press("Enter");
  await expect.poll(() => page.said.at(-1)).toEqual({ type: "showChat", sessionId: "s-0" });
});

test("what would be lost with a chat is said before it is closed, and nothing is sent until then", async () => {
  const busy = session({ sessionId: "s-0", title: "mend the fence", running: true, waiting: 2 });
  await page.tell({ type: "chats", sessions: [busy, session()], agents: [] });
  await page.page.getByRole("button", { name: "Close the chat: mend the fence" }).click();
  const question = page.page.getByRole("group", { name: "Close the chat?" });
  expect(await question.textContent()).toContain(
    "Its run is stopped, 2 waiting calls are denied and the conversation is forgotten.",
  );
  // The safe answer has the focus: a key that is still pressed closes nothing.
  await page.page.keyboard.press("Enter");
  await question.waitFor({ state: "detached" });
  expect(page.said.filter((one) => one.type === "closeChat")).toEqual([]);
  await tab("mend the fence").first().focus();
  await page.page.keyboard.press("Delete");
  await question.getByRole("button", { name: "Close the chat" }).click();
  await expect.poll(() => page.said.at(-1)).toEqual({ type: "closeChat", sessionId: "s-0" });
});

test("a chat in which nothing was said goes without a question; the only one like that stays", async () => {
  await page.tell({ type: "chats", sessions: [two[0] as never, session()], agents: [] });
  await page.page.getByRole("button", { name: "Close the chat: Chat 2, not begun" }).click();
  await expect.poll(() => page.said.at(-1)).toEqual({ type: "closeChat", sessionId: "s-1" });
  await page.tell({ type: "hello", host: "browser" }, { type: "chats", sessions: [session()], agents: [] });
  await page.page.getByRole("button", { name: "Close the chat: Chat 1, not begun" }).waitFor({ state: "detached" });
});

test("chats in which nothing was said can be told apart, also from the button for a new one", async () => {
  const sessions = [session({ sessionId: "s-0" }), session(), session({ sessionId: "s-2", title: "mend the fence" })];
  await page.tell({ type: "chats", sessions, agents: [] });
  await tab("mend the fence").first().waitFor();
  const names = await tabs()
    .getByRole("button")
    .evaluateAll((all) => all.map((one) => one.getAttribute("aria-label") ?? one.textContent?.trim()));
  expect(names).toEqual([...new Set(names)]);
  expect(names).toContain("Chat 1, not begun");
  expect(names).toContain("Chat 2, not begun");
});

test("a new chat is with the agent of the settings, or with one from the list", async () => {
  const agents = [
    { agentId: "demo", name: "Demo", description: "Shows how it works." },
    { agentId: "other", name: "Other", description: "" },
  ];
  await page.tell({ type: "chats", sessions: [session()], agents });
  await page.page.getByRole("button", { name: "New chat", exact: true }).click();
  await expect.poll(() => page.said.at(-1)).toEqual({ type: "newChat" });
  await page.page.getByRole("button", { name: "New chat with another agent" }).press("Enter");
  await page.page.getByRole("menuitem", { name: "Demo" }).waitFor();
  await page.page.keyboard.press("ArrowDown");
  await page.page.keyboard.press("Enter");
  await expect.poll(() => page.said.at(-1)).toEqual({ type: "newChat", agent: "other" });
  expect(await page.page.getByRole("menu").count()).toBe(0);
});

test("a title is drawn as it is written: nothing in it acts, what cannot be seen is shown", async () => {
  const title = "<img src=x onerror=alert(1)>\u202Eend";
  await page.tell({ type: "chats", sessions: [session({ sessionId: "s-0", title }), session()], agents: [] });
  await tabs().getByText("<img src=x onerror=alert(1)>").waitFor();
  expect(await tabs().locator("img").count()).toBe(0);
  expect(await tabs().locator(".escaped").count()).toBeGreaterThan(0);
});

test("the chat that is shown is in sight among many", async () => {
  const many = Array.from({ length: 60 }, (_, at) => session({ sessionId: `m-${at}`, title: `chat number ${at}` }));
  await page.tell({ type: "chats", sessions: [...many, session({ title: "the last one" })], agents: [] });
  await expect
    .poll(() =>
      tabs()
        .locator("[aria-current=true]")
        .evaluate((one) => {
          const [at, around] = [one.getBoundingClientRect(), one.closest("ul")?.getBoundingClientRect()];
          return around !== undefined && at.left >= around.left - 1 && at.right <= around.right + 1;
        }),
    )
    .toBe(true);
});

test("the shown one stays in sight with its cross, also when it waits and its words come", async () => {
  await page.page.setViewportSize({ width: 300, height: 700 });
  const others = ["mend the fence", "sweep the yard"].map((title, at) => session({ sessionId: `s-9${at}`, title }));
  await page.tell({ type: "chats", sessions: [...others, session()], agents: [] });
  const isWhole = () =>
    tabs()
      .locator("li:has([aria-current=true])")
      .evaluate((one) => {
        const [own, bar] = [one.getBoundingClientRect(), one.parentElement?.getBoundingClientRect()];
        return bar !== undefined && own.left >= bar.left && own.right <= bar.right;
      });
  await expect.poll(isWhole).toBe(true);
  const waits = session({ title: "paint the door of the barn in the colour of the sky", running: true });
  await page.tell({ type: "chats", sessions: [...others, waits], agents: [] });
  await page.tell({ type: "approval", request: numbered(1) });
  await tab("1 call waits for you").waitFor();
  await expect.poll(isWhole).toBe(true);
});

test("the shown one is marked with what waits in it, from the first card on", async () => {
  await page.tell({ type: "chats", sessions: two.map((one) => ({ ...one, running: true })), agents: [] });
  await tab("paint the door").first().waitFor();
  await page.tell({ type: "approval", request: numbered(1) });
  await tabs()
    .getByRole("button", { name: /^paint the door *, 1 call waits for you$/ })
    .waitFor();
  await page.tell({ type: "resolved", resolved: resolution({ approvalId: "a-1", toolCallId: "c-1" }) });
  await tabs()
    .getByRole("button", { name: /^paint the door *, works$/ })
    .waitFor();
});

test("without a folder it says where the chat works, and how to open one", async () => {
  const ownFolder = "/home/u/.local/state/assent-chats/s-1";
  await page.tell({ type: "chat", how: "replace", session: session({ ownFolder }), events: [], pending: [] });
  const line = page.page.locator("[data-place]");
  await line.waitFor();
  expect(await line.textContent()).toContain("No folder is open. This chat works in a folder of its own");
  expect(await line.textContent()).toContain(ownFolder);
  await line.getByRole("button", { name: "Open Folder…" }).click();
  await expect.poll(() => page.said.at(-1)).toEqual({ type: "hostAction", action: "openFolder" });
  await page.tell({ type: "session", session: session() });
  await line.waitFor({ state: "detached" });
});

test("a folder that agents cannot reach is named, however it is called", async () => {
  const unreachable = ["re\u202epo (vscode-vfs)", "other (memfs)"];
  await page.tell({ type: "chat", how: "replace", session: session({ unreachable }), events: [], pending: [] });
  const line = page.page.locator("[data-place]");
  await line.waitFor();
  const said = "Agents cannot work in re‹U+202E›po (vscode-vfs), other (memfs): it is not on this machine’s disk.";
  expect((await line.textContent())?.trim()).toContain(said);
  expect(await line.getByRole("button").count()).toBe(0);
});

test("closing a chat with a folder of its own says that its files go with it", async () => {
  const chat = session({ title: "paint the door", ownFolder: "/x" });
  await page.tell({ type: "chats", sessions: [chat, session({ sessionId: "s-0" })], agents: [] });
  await page.tell({ type: "session", session: chat });
  await tabs().getByRole("button", { name: "Close the chat: paint the door" }).click();
  await page.page.getByText("The files in its own folder are deleted and the conversation is forgotten.").waitFor();
});
