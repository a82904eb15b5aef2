import { describe, expect, test } from "vitest";
import { manyOptions } from "../support/consents.js";
import { request } from "../support/examples.js";
import { aPageForEachTest, page } from "./each-page.js";

aPageForEachTest();

const EDIT = "Edit before approving…";
const command = (text: string, changes = {}) =>
  request({ tool: "bash", args: { command: text }, preview: { kind: "json", text }, editable: true, ...changes });
const field = () => page.page.locator("assent-edit-field textarea");
const enabled = (name: string) => page.card().locator('button[aria-disabled="false"]', { hasText: name }).first();

async function edit(text: string): Promise<void> {
  await page.armed();
  await page.button(EDIT).click();
  await field().fill(text);
}

test("what was changed is what is sent", async () => {
  await page.ask(command("npm test"));
  await edit("npm test -- --quiet");
  await enabled("Approve as edited").click();
  await expect
    .poll(() => page.answers())
    .toEqual([
      {
        type: "answer",
        approvalId: "a-1",
        argsDigest: "digest-1",
        optionId: "allow_once",
        editedArgs: { command: "npm test -- --quiet" },
      },
    ]);
});

test.each(["npm test", "npm test\necho done"])("what was not changed is not sent: %j", async (text) => {
  await page.ask(command(text));
  await edit(`${text}!`);
  await field().fill(text);
  await enabled("Approve").click();
  await expect.poll(() => page.answers()).toHaveLength(1);
  expect(page.answers()[0]).not.toHaveProperty("editedArgs");
});

test("nothing can be changed where the server does not offer it", async () => {
  await page.ask(command("ls", { editable: false }));
  expect(await page.button(EDIT).count()).toBe(0);
});

test("while it is changed, nothing is offered that lasts", async () => {
  await page.ask(command("ls", { options: manyOptions() }));
  await edit("ls -l");
  const names = await page.card().getByRole("button").allInnerTexts();
  expect(names.map((name) => name.trim())).toEqual(["Approve as edited", "Deny", "Discard what you changed"]);
  await page.button("Discard what you changed").click();
  await page.button(EDIT).waitFor();
  await enabled("Approve").click();
  await expect.poll(() => page.answers()).toHaveLength(1);
  expect(page.answers()[0]).not.toHaveProperty("editedArgs");
});

test("what explains the call as it was says so while another one is written", async () => {
  await page.ask(
    command("ls", { preview: { kind: "command", text: "ls", parts: [{ written: "ls", does: "lists" }] } }),
  );
  expect(await page.card().getByText("This explains what was asked for.").count()).toBe(0);
  await edit("rm -r .");
  const old = page.card().locator(".asked-for");
  await old.getByText("This explains what was asked for. Your change is looked at when you approve").waitFor();
  await old.getByText("lists").waitFor();
  await page.button("Discard what you changed").click();
  await old.waitFor({ state: "detached" });
});

test("a denial takes nothing along", async () => {
  await page.ask(command("ls"));
  await edit("ls -l");
  await enabled("Deny").click();
  await expect.poll(() => page.answers()).toMatchObject([{ optionId: "reject_once" }]);
  expect(page.answers()[0]).not.toHaveProperty("editedArgs");
});

test("JSON that is none is not sent, and the card says so", async () => {
  await page.ask(request({ tool: "fetch", args: { url: "x" }, editable: true }));
  await edit('{"url": ');
  await enabled("Approve as edited").click();
  await page.card().getByText("This is not JSON").waitFor();
  expect(page.answers()).toEqual([]);
  await field().fill('{"url": "y"}');
  expect(await page.card().getByText("This is not JSON").count()).toBe(0);
  await enabled("Approve as edited").click();
  await expect.poll(() => page.answers()).toMatchObject([{ editedArgs: { url: "y" } }]);
});

describe("the text stays", () => {
  test("when the server finds a fault in it", async () => {
    await page.ask(command("ls"));
    await edit("ls -l");
    await enabled("Approve as edited").click();
    await expect.poll(() => page.answers()).toHaveLength(1);
    await page.tell({ type: "answerFailed", approvalId: "a-1", code: -32602, text: "What you wrote cannot run: no." });
    await page.card().getByText("What you wrote cannot run: no.").waitFor();
    expect(await field().inputValue()).toBe("ls -l");
    await enabled("Approve as edited").waitFor();
  });

  test("when the call is another one now, and has to be looked at again", async () => {
    await page.ask(command("ls"));
    await edit("ls -l");
    await page.stopClock();
    await page.tell({ type: "approval", request: command("ls /", { argsDigest: "digest-2", refreshed: true }) });
    await page.card().getByText("Changed, please review again.").waitFor();
    expect(await field().inputValue()).toBe("ls -l");
    await page.button("Approve as edited").click({ force: true, noWaitAfter: true });
    await page.drawn();
    expect(page.answers()).toEqual([]);
    await page.passes(400);
    await enabled("Approve as edited").click();
    await expect.poll(() => page.answers()).toMatchObject([{ argsDigest: "digest-2" }]);
  });
});

test("a press that was meant for the call as it was does not count for the changed one", async () => {
  await page.ask(command("ls"));
  await edit("ls");
  await enabled("Approve").waitFor();
  await page.stopClock();
  await field().press("End");
  await field().press("x");
  await page.button("Approve as edited").click({ force: true, noWaitAfter: true });
  await page.drawn();
  expect(page.answers()).toEqual([]);
});

test("Enter is a line of the text, and no answer", async () => {
  await page.ask(command("ls"));
  await edit("ls");
  await field().press("Enter");
  await page.drawn();
  expect(page.answers()).toEqual([]);
  expect(await field().inputValue()).toContain("\n");
});

test("what cannot be seen in a text field is shown below it", async () => {
  await page.ask(command("rm \u202Etxt.exe"));
  await page.armed();
  await page.button(EDIT).click();
  const shown = page.page.getByRole("group", { name: "With hidden characters shown" });
  await shown.getByText("‹U+202E›").waitFor();
  await field().fill("rm a.txt");
  await shown.waitFor({ state: "detached" });
});

describe("how long something is allowed", () => {
  const limited = () => page.ask(request({ options: manyOptions(), limits: true }));
  const choice = (name: string) => page.page.getByRole("combobox", { name: `How long: ${name}` });
  const CHAT = "Allow write_file for this chat";

  test("is what the button says, unless something else is chosen", async () => {
    await limited();
    await page.armed();
    expect(await choice(CHAT).inputValue()).toBe("chat");
    await page.button(CHAT).click();
    await expect.poll(() => page.answers()).toHaveLength(1);
    expect(page.answers()[0]).not.toHaveProperty("limits");
  });

  test.each([
    ["for 15 minutes", { minutes: 15 }],
    ["for the next 5 calls", { uses: 5 }],
    ["until this task is done", { untilRunEnds: true }],
  ])("may be %s", async (label, limits) => {
    await limited();
    await choice(CHAT).selectOption({ label });
    await enabled(CHAT).click();
    await expect.poll(() => page.answers()).toMatchObject([{ optionId: "allow_session", limits }]);
  });

  test("is what the words say, also to those who cannot see them", async () => {
    const scopeText = "Every write_file call in this chat, until it or the window is closed. Not stored.";
    const options = manyOptions().map((option) =>
      option.optionId === "allow_session" ? { ...option, scopeText } : option,
    );
    await page.ask(request({ options, limits: true }));
    await page.card().getByText(scopeText).waitFor();
    await choice(CHAT).selectOption({ label: "for the next 5 calls" });
    const ends = "Ends after the next 5 calls, or when the chat is closed.";
    await page.card().getByText(ends).waitFor();
    expect(await page.card().getByText("window is closed").filter({ visible: true }).count()).toBe(0);
    await page.button(`${CHAT}. ${ends}`).waitFor();
    await choice(CHAT).selectOption({ label: "until the chat is closed" });
    await page.card().getByText(scopeText).waitFor();
    await page.button(CHAT).waitFor();
  });

  test("holds for the answer beside it alone", async () => {
    await limited();
    await choice(CHAT).selectOption({ label: "for 1 hour" });
    await page.button("Don’t ask again…").click();
    await choice("Bypass permissions for this chat").waitFor();
    await enabled("Bypass permissions for this chat").click();
    await expect.poll(() => page.answers()).toMatchObject([{ optionId: "bypass_session" }]);
    expect(page.answers()[0]).not.toHaveProperty("limits");
  });

  test("is what is shown, also after the card was drawn anew", async () => {
    await page.ask(command("ls", { options: manyOptions(), limits: true }));
    await choice(CHAT).selectOption({ label: "for 1 hour" });
    await page.armed();
    await page.button(EDIT).click();
    await page.button("Leave it as it is").click();
    expect(await choice(CHAT).inputValue()).toBe("1h");
    await enabled(CHAT).click();
    await expect.poll(() => page.answers()).toMatchObject([{ limits: { minutes: 60 } }]);
  });

  test("cannot be chosen where the server has no ends, or for what is stored", async () => {
    await page.ask(request({ options: manyOptions() }));
    expect(await page.page.getByRole("combobox", { name: /^How long/ }).count()).toBe(0);
    await page.tell({ type: "approval", request: request({ options: manyOptions(), limits: true }) });
    await page.button("Don’t ask again…").click();
    await expect.poll(() => page.page.getByRole("combobox", { name: /^How long/ }).count()).toBe(2);
  });
});
