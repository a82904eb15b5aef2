import { describe, expect, test } from "vitest";
import type { ApprovalRequest } from "../src/protocol/generated.js";
import { type EditForm, editForm, readEdit } from "../src/webview/edit.js";
import { type Card, NO_DETAILS } from "../src/webview/state.js";
import { request } from "./support/examples.js";

function cardOf(changes: Partial<ApprovalRequest>, details = NO_DETAILS): Card {
  const shown = request({ editable: true, ...changes });
  return { request: shown, phase: "open", revision: 0, details, seen: false, editing: true, leftOut: false };
}

function formOf(changes: Partial<ApprovalRequest>, details = NO_DETAILS): EditForm {
  const form = editForm(cardOf(changes, details));
  if (form === undefined) throw new Error("this card cannot be edited");
  return form;
}

const bash = (command: string) => formOf({ tool: "bash", args: { command, timeout: 5 } });
const other = (args: unknown) => formOf({ tool: "fetch", args });

describe("what is offered to be changed", () => {
  test.each([
    ["a command as its text", { tool: "bash", args: { command: "npm test" } }, "Command", "npm test"],
    ["a file as its content", { tool: "write_file", args: { path: "a", content: "milk\n" } }, "Content", "milk\n"],
    ["anything else as JSON", { tool: "fetch", args: { url: "x" } }, "Arguments as JSON", '{\n  "url": "x"\n}'],
    ["a command that is no text as JSON", { tool: "bash", args: { command: 7 } }, "Arguments as JSON", undefined],
    [
      "a text that mixes line ends as JSON, which names them",
      { tool: "bash", args: { command: "a\r\nb\nc\rd" } },
      "Arguments as JSON",
      '{\n  "command": "a\\r\\nb\\nc\\rd"\n}',
    ],
  ])("%s", (_name, changes, label, text) => {
    const form = formOf(changes);
    expect(form.label).toBe(label);
    if (text !== undefined) expect(form.text).toBe(text);
  });

  test.each<[string, Partial<ApprovalRequest>]>([
    ["that the server does not let be changed", { editable: false }],
    ["of which nothing was said", { editable: null }],
    ["with secrets that are masked here", { redactions: 1 }],
    ["with numbers that are not what they were", { inexact: ["/n"] }],
    ["with a number that this side cannot hold", { tool: "fetch", args: { n: 2 ** 60 } }],
    ["that cannot be allowed once", { options: [{ optionId: "r", name: "Deny", kind: "reject_once" }] }],
    ["that was not opened in full", { truncated: { argsBytes: 9 } }],
    ["whose arguments are no object", { args: ["a"] }],
  ])("never a call %s", (_name, changes) => expect(editForm(cardOf(changes))).toBeUndefined());

  test("a long call in full, as it was opened, not as its preview", () => {
    const whole = JSON.stringify({ command: "echo whole" });
    const details = { pieces: [whole.slice(0, 5), whole.slice(5)], received: whole.length, total: whole.length };
    const shown = { tool: "bash", args: { command: "echo wh…" }, truncated: { argsBytes: whole.length } };
    expect(formOf(shown, { ...details, requested: true }).text).toBe("echo whole");
  });
});

describe("what comes of it", () => {
  test.each<[string, EditForm, string, unknown]>([
    ["nothing was changed", bash("ls"), "ls", { kind: "same" }],
    ["a command was changed", bash("ls"), "ls -l", { kind: "changed", args: { command: "ls -l", timeout: 5 } }],
    ["it was emptied", bash("ls"), "", { kind: "changed", args: { command: "", timeout: 5 } }],
    ["lines with returns were left alone", bash("a\r\nb"), "a\nb", { kind: "same" }],
    [
      "a line with returns was changed: the others keep theirs",
      bash("a\r\nb"),
      "a\nc",
      { kind: "changed", args: { command: "a\r\nc", timeout: 5 } },
    ],
    ["JSON was changed", other({ n: 1 }), '{"n": 2}', { kind: "changed", args: { n: 2 } }],
    ["JSON was only laid out anew", other({ n: 1, m: [] }), '{"n":1,"m":[]}', { kind: "same" }],
    ["the order counts", other({ n: 1, m: 2 }), '{"m":2,"n":1}', { kind: "changed", args: { m: 2, n: 1 } }],
  ])("when %s", (_name, form, text, edited) => expect(readEdit(form, text)).toEqual(edited));

  test.each([
    ["no JSON", "{", "not JSON"],
    ["JSON cut off", '{"n": 1', "not JSON"],
    ["nothing", "", "not JSON"],
    ["a list", "[1]", "an object"],
    ["null", "null", "an object"],
    ["a number beyond what is exact", '{"n": 12345678901234567890}', "too long"],
    ["a number without an end", '{"n": 1e999}', "too long"],
  ])("%s is not sent", (_name, text, said) => {
    expect(readEdit(other({ n: 1 }), text)).toMatchObject({ kind: "fault", text: expect.stringContaining(said) });
  });

  test("a name like __proto__ stays an argument", () => {
    const edited = readEdit(other({ n: 1 }), '{"__proto__": {"n": 2}}');
    expect(edited.kind === "changed" && Object.keys(edited.args)).toEqual(["__proto__"]);
  });
});
