// Which commands of the page are offered where, and what stands there in full.
import { describe, expect, test } from "vitest";
import type { Actions } from "../src/webview/actions.js";
import { commandsOffered } from "../src/webview/commands-offered.js";
import { ownCommands, writtenCommand } from "../src/webview/own-commands.js";

const names = (host: "editor" | "browser") => ownCommands(host).map(({ name }) => name);

describe("a command", () => {
  test.each([
    ["/new", "new"],
    [" /STOP \n", "stop"],
    ["/mode read-only", "mode read-only"],
    ["/mode", undefined],
    ["/new chat please", undefined],
    ["/new\nand more", undefined],
    ["/etc/hosts", undefined],
    ["new", undefined],
  ])("in %j is %j", (text, name) => expect(writtenCommand(text, "editor")?.name).toBe(name));

  test("that only an editor can do is offered in an editor only", () => {
    const rest = names("editor").filter((name) => !names("browser").includes(name));
    expect(rest).toEqual(["model", "review", "settings", "log"]);
    expect(writtenCommand("/review", "browser")).toBeUndefined();
  });

  test("does one thing of the page, and never sends", () => {
    for (const { name, run } of ownCommands("editor")) {
      const done: string[] = [];
      const actions = new Proxy({} as Actions, { get: (_, action) => () => done.push(String(action)) });
      run(actions);
      expect(
        done.filter((action) => action !== "say"),
        name,
      ).toHaveLength(1);
      expect(done).not.toContain("send");
    }
  });

  test("is found by any part of its name", () => {
    const offered = commandsOffered("/mode", ownCommands("browser")).map(({ name }) => name);
    expect(offered).toEqual(["mode plan", "mode ask", "mode read-only", "mode all"]);
  });
});
