// What the page knows of commands that run, in the foreground and by themselves.
import { describe, expect, test } from "vitest";
import type { ShellData } from "../src/protocol/generated.js";
import { canStop, type PageState, type ToolItem } from "../src/webview/state.js";
import { endWords, LIVE_OUTPUT_LIMIT, runsOn, shellsInBackground, withOutput } from "../src/webview/store-shells.js";
import { meaningOf, passedWords } from "../src/webview/words.js";
import { event, session, toolResult } from "./support/examples.js";
import { type Message, pageAfter } from "./support/page-state.js";
import { bashCall, goesOn, moved, printed, printedAlone, running, shell } from "./support/shells.js";

const told = (one: ReturnType<typeof event>): Message => ({ type: "event", event: one });
const listed = (...shells: ReturnType<typeof shell>[]): Message => ({ type: "shells", shells });
const ends = (changes: Partial<ShellData>) =>
  told(event(5, "Shell", { shellId: "sh-1", status: "exited", ...changes }));
const begun = [told(bashCall(1)), told(running(2))];
const inBackground = [...begun, told(moved(3)), told(goesOn(4))];

function row(state: PageState, callId = "c-1"): ToolItem {
  const found = state.items.findLast((item) => item.kind === "tool" && item.callId === callId);
  if (found?.kind !== "tool") throw new Error(`no row of ${callId}`);
  return found;
}

describe("the end of what is printed", () => {
  test.each([
    ["is all of it while it is short", "ab", "cd\n", "abcd\n"],
    ["does not change where nothing came", "ab", null, "ab"],
    ["begins with a whole line", "x".repeat(LIVE_OUTPUT_LIMIT), "y\nz", "z"],
    [
      "is cut in a line that is too long",
      "x".repeat(LIVE_OUTPUT_LIMIT),
      "yz",
      `${"x".repeat(LIVE_OUTPUT_LIMIT - 2)}yz`,
    ],
    [
      "is not empty where it ends with a line",
      "",
      `${"x".repeat(LIVE_OUTPUT_LIMIT)}\n`,
      `${"x".repeat(LIVE_OUTPUT_LIMIT - 1)}\n`,
    ],
  ])("%s", (_name, before, more, expected) => expect(withOutput(before, more)).toBe(expected));

  test("never begins with half a character", () => {
    const cut = withOutput("", `😀${"x".repeat(LIVE_OUTPUT_LIMIT - 1)}`);
    expect(cut).toBe("x".repeat(LIVE_OUTPUT_LIMIT - 1));
  });

  test("stays small, however much comes", () => {
    const pieces = Array.from({ length: 500 }, () => told(printed(2, "y\n".repeat(2_000))));
    const { liveOutput } = row(pageAfter(...begun, ...pieces));
    expect(liveOutput.length).toBeLessThanOrEqual(LIVE_OUTPUT_LIMIT);
    expect(liveOutput.startsWith("y\n")).toBe(true);
  });
});

describe("a running call", () => {
  test("has a command once the server says so", () => {
    expect(row(pageAfter(told(bashCall(1)))).shellId).toBeUndefined();
    expect(row(pageAfter(...begun))).toMatchObject({ status: "running", shellId: "sh-1", ran: { ageMs: 0 } });
  });

  test("keeps its command and its time when more is told", () => {
    const before = pageAfter(...begun);
    const after = pageAfter(...begun, told(printed(2, "a\n")));
    expect(row(after)).toMatchObject({ shellId: "sh-1", liveOutput: "a\n", ran: row(before).ran });
  });

  test("of a page that is new has from the list what it did not hear", () => {
    const state = pageAfter(...begun, listed(shell({ background: false, tail: "earlier\n", ageMs: 9_000 })));
    expect(row(state)).toMatchObject({ liveOutput: "earlier\n", ran: { ageMs: 9_000 }, status: "running" });
    expect(row(state).shell).toBeUndefined();
  });

  test("that heard something keeps it", () => {
    const state = pageAfter(...begun, told(printed(2, "heard\n")), listed(shell({ background: false, tail: "x" })));
    expect(row(state).liveOutput).toBe("heard\n");
  });

  test("that was ended says why, in a line", () => {
    const output = "It was ended: You ended it. All of it is ended.\nprinted 1\n";
    const killed = toolResult(3, { success: false, is_error: true, code: "killed", output });
    const state = pageAfter(...begun, told(killed));
    expect(row(state).status).toBe("cancelled");
    expect(meaningOf(row(state))).toBe("It was ended: You ended it. All of it is ended.");
    const late = toolResult(3, { success: false, is_error: true, code: "time_limit", output });
    expect(row(pageAfter(...begun, told(late))).status).toBe("failed");
    expect(meaningOf(row(pageAfter(...begun, told(late))))).toContain("It was ended");
  });

  test("that has its result keeps its status, whatever is told late", () => {
    const state = pageAfter(...begun, told(toolResult(3)), told(printed(3, "late\n")));
    expect(row(state).status).toBe("done");
  });

  test("that has its result keeps its status, whatever the list says", () => {
    const state = pageAfter(...begun, told(toolResult(3)), listed(shell({ background: false })));
    expect(row(state)).toMatchObject({ status: "done", liveOutput: "" });
  });
});

describe("a call whose command was moved", () => {
  test("is in the background and goes on", () => {
    const state = pageAfter(...inBackground);
    expect(row(state)).toMatchObject({ status: "background", shell: { status: "running" } });
    expect(runsOn(row(state))).toBe(true);
    expect(meaningOf(row(state))).toContain("until the chat is closed");
    expect(state.announcement).toBe("In the background, running: npm run watch");
    expect(canStop({ ...state, running: false })).toBe(false);
  });

  test("is, also where the result comes alone", () => {
    expect(runsOn(row(pageAfter(...begun, told(moved(3)))))).toBe(true);
  });

  test("is an error where the result says so", () => {
    const failed = { ...moved(3), data: { ...moved(3).data, success: false, is_error: true } } as ReturnType<
      typeof event
    >;
    expect(row(pageAfter(...begun, told(failed))).status).toBe("failed");
  });

  test("takes what it prints there, as little of it as before", () => {
    const state = pageAfter(...inBackground, told(printedAlone(4, "still\n")));
    expect(row(state).liveOutput).toBe("still\n");
    const many = Array.from({ length: 300 }, () => told(printedAlone(4, "y\n".repeat(1_000))));
    expect(row(pageAfter(...inBackground, ...many)).liveOutput.length).toBeLessThanOrEqual(LIVE_OUTPUT_LIMIT);
  });

  test.each<[Partial<ShellData>, string]>([
    [{ exitCode: 0 }, "exit code 0"],
    [{ exitCode: 3 }, "exit code 3"],
    [{ signal: "SIGSEGV" }, "ended by SIGSEGV"],
    [{ status: "killed", exitCode: 0, reason: "You ended it." }, "killed"],
    [{ status: "failed" }, "could not be ended"],
    [{}, "ended"],
  ])("that ends with %j: %s", (how, words) => {
    const state = pageAfter(...inBackground, ends(how));
    expect(runsOn(row(state))).toBe(false);
    expect(row(state).shell).toMatchObject(how);
    expect(meaningOf(row(state))).toBe(how.reason ?? undefined);
    expect(endWords(row(state).shell ?? { status: "running" })).toBe(words);
    expect(state.announcement).toBe(`In the background, ${words}: npm run watch`);
  });

  test("is found by its call, where nothing told its command before", () => {
    const state = pageAfter(told(bashCall(1)), told(goesOn(2)));
    expect(row(state)).toMatchObject({ shellId: "sh-1", shell: { status: "running" }, ran: { ageMs: 0 } });
  });

  test("that the list knows no more has ended, nobody knows how", () => {
    const state = pageAfter(...inBackground, listed());
    expect(row(state).shell).toEqual({ status: "exited" });
    expect(row(pageAfter(...inBackground, ends({ exitCode: 4 }), listed())).shell).toMatchObject({ exitCode: 4 });
  });

  test("that the list knows as running runs, though an earlier list did not have it", () => {
    const state = pageAfter(...inBackground, listed(), listed(shell()));
    expect(runsOn(row(state))).toBe(true);
  });

  test("that ended while the page was away has its end from the list", () => {
    const state = pageAfter(...inBackground, listed(shell({ status: "exited", exitCode: 2 })));
    expect(row(state).shell).toMatchObject({ status: "exited", exitCode: 2 });
  });

  test("ends with its server", () => {
    const state = pageAfter(...inBackground, listed(shell()), { type: "serverGone" });
    expect(row(state)).toMatchObject({ status: "background", shell: { status: "killed" } });
    expect(state.shells).toBeUndefined();
  });
});

test("a word about a command that belongs to no row changes nothing", () => {
  const before = pageAfter(...begun);
  const after = pageAfter(...begun, told(event(3, "Shell", { shellId: "sh-9", status: "exited", exitCode: 0 })));
  expect(after.items).toEqual(before.items);
  expect(after.announcement).toBe(before.announcement);
});

test("a list that says what is known leaves the rows as they are", () => {
  const ended = [...inBackground, ends({ exitCode: 0 })];
  const one = pageAfter(...ended, listed(shell({ status: "exited", exitCode: 0 })));
  const again = pageAfter(
    ...ended,
    listed(shell({ status: "exited", exitCode: 0 })),
    listed(shell({ status: "exited" })),
  );
  expect(row(again)).toEqual(row(one));
});

describe("the list", () => {
  test("has running ones first, then what ended last, and none of the foreground", () => {
    const state = pageAfter(
      listed(
        shell({ shellId: "a", status: "exited" }),
        shell({ shellId: "b" }),
        shell({ shellId: "c", status: "killed" }),
        shell({ shellId: "d" }),
        shell({ shellId: "e", background: false }),
      ),
    );
    const { running: alive, ended } = shellsInBackground(state);
    expect(alive.map(({ shellId }) => shellId)).toEqual(["b", "d"]);
    expect(ended.map(({ shellId }) => shellId)).toEqual(["c", "a"]);
  });

  test("opens in the place of what is allowed, and the other way round", () => {
    const permits = pageAfter({ type: "localShells", open: true }, { type: "showGrants" });
    expect(permits).toMatchObject({ permitsOpen: true, shellsOpen: false });
    const shells = pageAfter({ type: "localPermits", open: true }, { type: "localShells", open: true });
    expect(shells).toMatchObject({ permitsOpen: false, shellsOpen: true });
    const closed = pageAfter({ type: "localPermits", open: true }, { type: "localShells", open: false });
    expect(closed).toMatchObject({ permitsOpen: true, shellsOpen: false });
  });
});

describe("what was asked of a command", () => {
  const asked: Message = { type: "localShellAsked", id: "sh-1" };

  test("waits for the answer to it", () => {
    expect(pageAfter(...begun, asked).shellsAsked).toEqual(["sh-1"]);
    expect(pageAfter(...begun, asked, { type: "shellAnswered", id: "sh-2" }).shellsAsked).toEqual(["sh-1"]);
    expect(pageAfter(...begun, asked, { type: "shellAnswered", id: "sh-1" }).shellsAsked).toEqual([]);
  });

  test("and failed is told", () => {
    const state = pageAfter(...begun, asked, { type: "shellAnswered", id: "sh-1", error: "It was not ended: no." });
    expect(state.shellsAsked).toEqual([]);
    expect(state.items.at(-1)).toMatchObject({ kind: "notice", level: "warning", text: "It was not ended: no." });
  });

  test("is void without its server", () => {
    expect(pageAfter(...begun, asked, { type: "serverGone" }).shellsAsked).toEqual([]);
  });
});

test("another chat shows nothing of it", () => {
  const state = pageAfter(...inBackground, {
    type: "chat",
    how: "replace",
    session: session({ sessionId: "s-2" }),
    events: [],
    pending: [],
  });
  expect(state.items).toEqual([]);
});

test.each([
  [0, "0 s"],
  [59_999, "59 s"],
  [60_000, "1 min 0 s"],
  [3_599_999, "59 min 59 s"],
  [3_600_000, "1 h 0 min"],
  [90_061_000, "25 h 1 min"],
])("%i milliseconds are %s", (milliseconds, words) => expect(passedWords(milliseconds)).toBe(words));
