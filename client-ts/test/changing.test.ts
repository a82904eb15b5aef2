// An earlier message that is said anew: what the model knows no more is marked, and nothing of the chat goes away.
import { describe, expect, test } from "vitest";
import type { HostMessage } from "../src/common/page-messages.js";
import { initialState, type PageState, type UserItem } from "../src/webview/state.js";
import { type LocalMessage, reduce } from "../src/webview/store.js";
import { ownWords } from "../src/webview/store-changing.js";
import { event, session, toolCall, toolResult } from "./support/examples.js";

const chat: HostMessage = { type: "chat", how: "replace", session: session(), events: [], pending: [] };
const told = (state: PageState, ...messages: (HostMessage | LocalMessage)[]) => messages.reduce(reduce, state);
const prompt = (n: number, runId: string, text: string, more: { replaces?: string; files?: string[] } = {}) => ({
  ...event(n, "Prompt", { text, ...more }),
  runId,
});
const SAID = [
  prompt(1, "r-1", "one"),
  event(2, "Chunk", { text: "First.", thinking: null }),
  prompt(3, "r-2", "two"),
  toolCall(4),
  toolResult(5),
];
const tell = (events: readonly ReturnType<typeof event>[]) =>
  events.map((one) => ({ type: "event", event: one }) as const);
const users = (state: PageState) => state.items.filter((item): item is UserItem => item.kind === "user");
const goneRows = ({ items, gone }: PageState) => items.filter(({ id }) => gone.has(id)).map(({ kind }) => kind);

describe("a message said instead of an earlier one", () => {
  const changed = prompt(6, "r-3", "two, changed", { replaces: "r-2" });

  test("marks all since then, also where the chat comes back at once", () => {
    const live = told(initialState, chat, ...tell(SAID), ...tell([changed]));
    const back = told(initialState, { ...chat, events: [...SAID, changed] } as HostMessage);
    for (const state of [live, back]) {
      expect(goneRows(state)).toEqual(["user", "tool"]);
      expect(users(state).map(({ text, changed }) => [text, changed])).toEqual([
        ["one", undefined],
        ["two", { wrote: true }],
        ["two, changed", undefined],
      ]);
    }
    expect(live.announcement).toContain("What it did on disk stays");
  });

  test("of a run that is not there marks nothing", () => {
    const state = told(initialState, chat, ...tell(SAID), ...tell([prompt(6, "r-3", "x", { replaces: "r-9" })]));
    expect(state.gone.size).toBe(0);
  });

  test("is forgotten with the chat that it belongs to", () => {
    const state = told(initialState, chat, ...tell(SAID), {
      type: "localChange",
      changing: { runId: "r-2", draft: "", attached: [] },
      files: [],
    });
    expect(state.changing).toBeDefined();
    expect(told(state, { ...chat, session: session({ sessionId: "s-2" }) } as HostMessage).changing).toBeUndefined();
  });

  test("can be none of a server that is gone", () => {
    const state = told(initialState, chat, ...tell(SAID), { ...chat, how: "restarted" } as HostMessage);
    expect(users(state).map(({ runId }) => runId)).toEqual([undefined, undefined]);
  });
});

describe("the files of a message", () => {
  const before = told(initialState, chat, { type: "localAttach", path: "mine.txt" });
  const changing = { runId: "r-1", draft: "before", attached: before.attached };
  const begun = told(before, { type: "localChange", changing, files: ["a.py", "b.py"] });
  const paths = (state: PageState) => state.attached.map(({ path }) => path);

  test("are named anew, and looked at anew", () => {
    expect(begun.attached).toEqual(["a.py", "b.py"].map((path) => ({ path, agreed: false })));
  });

  test("give way to what was named before; what could not go stays", () => {
    expect(paths(told(begun, { type: "localKeepMessage", sent: false }))).toEqual(["mine.txt"]);
    const attachments = [{ path: "a.py" }];
    const sent = {
      type: "localSend",
      messageId: "m",
      text: "x",
      replaces: true,
      insteadOf: "r-1",
      attachments,
    } as const;
    expect(paths(told(begun, sent, { type: "localKeepMessage", sent: true }))).toEqual(["mine.txt", "b.py"]);
  });
});

test.each([
  ["look\n[a.py][b.py]", ["a.py", "b.py"], "look"],
  ["look\n[a.py][image b.png]", ["a.py", "b.png"], "look"],
  ["look\n[image b.png]", ["a.py", "b.png"], "look\n[image b.png]"],
  ["look[a.py]", ["a.py"], "look[a.py]"],
  ["look\n[a.py]", undefined, "look\n[a.py]"],
  ["look\n", [], "look\n"],
  ["look", ["a.py"], "look"],
])("%j with %j are the words %j", (text, files, words) => expect(ownWords({ text, files })).toBe(words));
