import { describe, expect, test } from "vitest";
import type { HostMessage } from "../src/common/page-messages.js";
import { attachedFiles, mentionAt, pathOfUri, toChips, whatGoes, withMention } from "../src/webview/attaching.js";
import { initialState } from "../src/webview/state.js";
import { reduce } from "../src/webview/store.js";
import { session } from "./support/examples.js";

describe("a file that is being named", () => {
  test.each([
    ["@", 1, ""],
    ["look at @src/a", 14, "src/a"],
    ["look at @src/a now", 14, "src/a"],
    ["look at @src/a now", 18, undefined],
    ["mail me@example.org", 19, undefined],
    ["no sign", 7, undefined],
  ])("in “%s” at %i", (text, caret, found) => {
    expect(mentionAt(text, caret)).toBe(found);
  });

  test("stands in the text in full, with the caret behind it", () => {
    expect(withMention("look at @rea", 12, "src/reader.py")).toEqual({ text: "look at @src/reader.py ", caret: 23 });
    expect(withMention("look at @rea now", 12, "a.py")).toEqual({ text: "look at @a.py now", caret: 14 });
  });
});

describe("files that go along", () => {
  const named = (...paths: string[]) =>
    paths.reduce((state, path) => reduce(state, { type: "localAttach", path }), initialState);
  const found = (path: string, warning?: string, warningDigest = "read") =>
    ({ type: "attachable", path, found: { path, size: 3, ...(warning && { warning, warningDigest }) } }) as const;

  test("are those that the server has looked at and found harmless, or the user agreed to", () => {
    let state = named("a", ".env", "b.bin", "slow");
    state = reduce(state, found("a"));
    state = reduce(state, found(".env", "It looks secret."));
    state = reduce(state, { type: "attachable", path: "b.bin", error: "it is not text" });
    expect(attachedFiles(state.attached)).toEqual([{ path: "a" }]);
    state = reduce(state, { type: "localAgree", path: ".env", warningDigest: "read" });
    expect(attachedFiles(state.attached)).toEqual([{ path: "a" }, { path: ".env", agreedDigest: "read" }]);
  });

  test("do so by a yes to what was read, and to nothing that is said of them since", () => {
    let state = reduce(named(".env"), found(".env", "It looks secret.", "first"));
    state = reduce(state, found(".env", "A rule asks about it.", "second"));
    state = reduce(state, { type: "localAgree", path: ".env", warningDigest: "first" });
    expect(attachedFiles(state.attached)).toEqual([]);
    state = reduce(state, { type: "localAgree", path: ".env", warningDigest: "second" });
    state = reduce(state, found(".env", "A rule asks about it.", "second"));
    expect(attachedFiles(state.attached)).toEqual([{ path: ".env", agreedDigest: "second" }]);
    state = reduce(state, found(".env", "It looks secret.", "first"));
    expect(attachedFiles(state.attached)).toEqual([]);
  });

  test("are looked at anew for another chat", () => {
    const chat = (sessionId: string, how: "continue" | "replace") =>
      ({ type: "chat", how, session: session({ sessionId }), events: [], pending: [] }) as HostMessage;
    let state = reduce(reduce(initialState, chat("one", "replace")), { type: "localAttach", path: ".env" });
    state = reduce(state, found(".env", "It looks secret."));
    state = reduce(state, { type: "localAgree", path: ".env", warningDigest: "read" });
    state = reduce(state, chat("one", "continue"));
    expect(attachedFiles(state.attached)).toHaveLength(1);
    expect(reduce(state, chat("other", "replace")).attached).toEqual([{ path: ".env", agreed: false }]);
  });

  test("are what this chat says of them, also where the answer of the one before came late", () => {
    let state = reduce(named("a"), { type: "attachable", path: "a", error: "a rule of the other chat denies it" });
    state = reduce(state, found("a"));
    expect(state.attached[0]?.error).toBeUndefined();
    expect(attachedFiles(state.attached)).toEqual([{ path: "a" }]);
  });

  test("go with their message, and what stays behind stays to be seen", () => {
    let state = reduce(reduce(named("a", "b"), found("a")), { type: "attachable", path: "b", error: "it is not text" });
    const attachments = attachedFiles(state.attached);
    state = reduce(state, { type: "localSend", messageId: "m", text: "look", replaces: false, attachments });
    expect(state.attached.map(({ path }) => path)).toEqual(["b"]);
    state = reduce(state, { type: "returned", messageId: "m", text: "look", files: ["a"] });
    expect(state.attached.map(({ path }) => path)).toEqual(["b", "a"]);
    expect(attachedFiles(state.attached)).toEqual([]);
  });

  test("come back with their message also to a page that did not send it", () => {
    const returned: HostMessage = { type: "returned", messageId: "m", text: "look", files: ["a", "b"] };
    expect(reduce(named("b"), returned).attached).toEqual([
      { path: "b", agreed: false },
      { path: "a", agreed: false },
    ]);
  });

  test("say what they are", () => {
    const looked = reduce(named("shot", "a"), {
      type: "attachable",
      path: "shot",
      found: { path: "shot", size: 2048, picture: "PNG" },
    });
    expect(looked.announcement).toContain("shot goes along as a PNG picture.");
    expect(looked.attached.map(whatGoes)).toEqual(["PNG picture, 2 KB", undefined]);
    expect(reduce(looked, found("a")).attached.map(whatGoes)).toEqual(["PNG picture, 2 KB", "3 bytes"]);
  });

  test("are kept by their names alone", () => {
    expect(toChips(["a", "", 3, null])).toEqual([{ path: "a", agreed: false }]);
    expect(toChips("a")).toEqual([]);
  });
});

describe("a file that is dragged", () => {
  test.each([
    ["file:///work/a%20b.txt", "/work/a b.txt"],
    ["file:///c%3A/work/a.txt", "c:/work/a.txt"],
    ["file://server/share/a.txt", "//server/share/a.txt"],
    ["vscode-remote://wsl%2Bubuntu/home/me/a.txt", "/home/me/a.txt"],
    ["https://example.org/a.txt", undefined],
    ["untitled:Untitled-1", undefined],
    ["file:///broken%", undefined],
    ["no address", undefined],
  ])("%s", (uri, path) => {
    expect(pathOfUri(uri)).toBe(path);
  });

  test("is there once, by whatever name it came", () => {
    let state = reduce(initialState, { type: "localAttach", path: "a.txt" });
    state = reduce(state, { type: "attachable", path: "a.txt", found: { path: "a.txt", size: 3 } });
    state = reduce(state, { type: "localAttach", path: "/work/a.txt" });
    state = reduce(state, { type: "attachable", path: "/work/a.txt", found: { path: "a.txt", size: 4 } });
    expect(state.attached).toMatchObject([{ path: "a.txt", size: 4, agreed: false }]);
  });
});
