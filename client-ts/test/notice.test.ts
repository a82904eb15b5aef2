import { describe, expect, test } from "vitest";
import { isStillSaid, LONGEST_EFFECT, noticeOf } from "../src/common/notice.js";
import type { ApprovalRequest } from "../src/protocol/generated.js";
import { request } from "./support/examples.js";

const part = { written: "npm test", does: "runs the tests" };
const command = (text: string, more: object = {}) => ({ kind: "command" as const, text, parts: [part], ...more });

function asked(changes: Partial<ApprovalRequest> = {}): ApprovalRequest {
  return request({ tool: "bash", headline: "Run npm test", preview: command("npm test"), ...changes });
}

const canAllow = (changes: Partial<ApprovalRequest>) => noticeOf(asked(changes)).canAllow;
const yes = { optionId: "allow_once", name: "Approve", kind: "allow_once" as const };
const no = { optionId: "reject_once", name: "Deny", kind: "reject_once" as const };

describe("a call that a line shows whole", () => {
  test("can be allowed where it is told of, with the place where it runs", () => {
    expect(noticeOf(asked())).toEqual({
      text: "Demo asks: npm test (in /home/ada/project)",
      approvalId: "a-1",
      argsDigest: "digest-1",
      canAllow: true,
    });
  });

  test("may be an address", () => {
    const url = { kind: "url" as const, before: "https://", host: "example.org", after: "/docs" };
    expect(noticeOf(asked({ preview: url })).text).toContain("https://example.org/docs");
    expect(canAllow({ preview: url })).toBe(true);
    expect(canAllow({ preview: { ...url, note: "types something there" } })).toBe(false);
  });

  test("tells what is to be noted of its parts", () => {
    const preview = command("mkdir notes", { parts: [{ ...part, notes: ["Writes notes."] }] });
    expect(noticeOf(asked({ preview })).text).toContain("asks: mkdir notes — Writes notes. (in /home");
    expect(canAllow({ preview: command("a", { parts: [{ ...part, notes: ["b".repeat(LONGEST_EFFECT)] }] }) })).toBe(
      false,
    );
  });

  test("tells in which sandbox it runs", () => {
    const preview = command("npm test", { sandbox: "Runs outside of the sandbox." });
    expect(noticeOf(asked({ preview })).text).toContain("npm test — Runs outside of the sandbox.");
  });
});

describe("a call is allowed only on its card", () => {
  test.each<[string, Partial<ApprovalRequest>]>([
    ["that writes a file", { preview: request().preview ?? null }],
    ["of a tool that nobody knows", { preview: { kind: "json", text: "{}" } }],
    ["without a preview", { preview: null }],
    ["that is protected", { reason: { code: "protected", text: "Protected." } }],
    ["that a rule always asks for", { reason: { code: "ask_rule", text: "A rule." } }],
    ["outside of the workspace", { reason: { code: "outside_workspace", text: "Outside." } }],
    ["that is risky", { risk: { level: "medium", notes: [] } }],
    ["with something to be noted", { risk: { level: "low", notes: ["It is new."] } }],
    ["that is cut off", { truncated: { argsBytes: 70_000 } }],
    ["whose secrets are masked", { redactions: 1 }],
    ["with numbers that JSON cannot carry", { inexact: ["/a"] }],
    ["that waited when the server ended", { interrupted: true }],
    ["that has changed", { refreshed: true }],
    ["of a sub-agent", { depth: 1, path: ["look it up"] }],
    ["with several ways to say yes", { options: [yes, { ...yes, optionId: "other" }, no] }],
    ["without a way to say yes", { options: [no] }],
    ["whose yes cannot be chosen", { options: [{ ...yes, disabledReason: "Not now." }, no] }],
    ["whose yes means others as well", { options: [{ ...yes, alsoResolves: 2 }, no] }],
    ["without a way to say no", { options: [yes] }],
    ["that is not understood", { preview: command("npm test", { unreadable: "It is not closed." }) }],
    ["of which nothing is known", { preview: command("npm test", { parts: [] }) }],
    ["with more parts than are told", { preview: command("npm test", { moreParts: 2 }) }],
    ["that may run for long", { preview: command("npm test", { note: "It may run for an hour." }) }],
    ["that is long", { preview: command(`echo ${"a".repeat(LONGEST_EFFECT)}`) }],
    ["of an agent whose name leaves no room for it", { agentName: "a".repeat(1000) }],
    ["in a folder that is cut off", { directory: `/${"a".repeat(1000)}` }],
  ])("%s", (_name, changes) => {
    expect(canAllow(changes)).toBe(false);
  });

  test.each([
    "a\nb",
    "a\tb",
    "a  b",
    " a",
    "a ",
    "echo \u202e",
    "a\u200bb",
    "[a](command:x)",
    "$(whoami)",
    "<b>",
    "p\u0430ypal.com",
  ])("where a notification would draw it otherwise than it is: %j", (text) => {
    expect(canAllow({ preview: command(text) })).toBe(false);
    expect(canAllow({ agentName: text })).toBe(false);
    expect(canAllow({ directory: text })).toBe(false);
  });
});

test("what is told of a call otherwise holds no link and nothing unseen, and is short", () => {
  const headline = `Write [x](command:evil) $(bell) \u202e ${"a".repeat(500)}`;
  const { text, canAllow: allows } = noticeOf(request({ headline, agentName: "b".repeat(500) }));
  expect(allows).toBe(false);
  expect(text).toContain("‹U+202E›");
  expect(text).not.toMatch(/\]\(|\$\(/);
  expect(text.length).toBeLessThan(400);
  expect(text).toContain("Nothing is allowed until you answer.");
});

describe("a notification that was shown", () => {
  test.each<[string, ApprovalRequest | undefined, boolean]>([
    ["counts for what it said", asked(), true],
    ["says nothing of what is gone", undefined, false],
    ["says nothing of another state of the call", asked({ argsDigest: "digest-2" }), false],
    ["says nothing of a card that changed", asked({ refreshed: true }), false],
    ["says nothing of another place", asked({ directory: "/" }), false],
    ["says nothing of what is risky by now", asked({ risk: { level: "high", notes: ["!"] } }), false],
  ])("%s", (_name, now, expected) => {
    expect(isStillSaid(noticeOf(asked()), now)).toBe(expected);
  });
});
