import { describe, expect, test } from "vitest";
import type { BatchResult } from "../src/protocol/generated.js";
import { ErrorCode } from "../src/protocol/generated.js";
import { answeredTogether, drawnCards, openCards } from "../src/webview/state.js";
import { reduce } from "../src/webview/store.js";
import { resolution } from "./support/examples.js";
import { cardOf, type Message, numbered, pageAfter } from "./support/page-state.js";

const ask = (number: number, changes = {}): Message => ({ type: "approval", request: numbered(number, changes) });
const saw = (number: number, argsDigest = `digest-${number}`, revision = 0): Message => ({
  type: "localSeen",
  approvalId: `a-${number}`,
  argsDigest,
  revision,
});
const together = (state: ReturnType<typeof pageAfter>, decision: "allow_once" | "reject_once") =>
  answeredTogether(drawnCards(state), decision).map((card) => card.request.approvalId);
const all = (...numbers: number[]): Message => ({
  type: "localBatch",
  approvalIds: numbers.map((number) => `a-${number}`),
  decision: "allow_once",
});
const results = (...given: BatchResult[]): Message => ({ type: "batchAnswered", results: given });

describe("a yes to all means", () => {
  test.each<[string, Message[], string[]]>([
    ["nothing that was not seen", [ask(1), ask(2)], []],
    ["what was seen whole", [ask(1), ask(2), ask(3), saw(1), saw(3)], ["a-1", "a-3"]],
    ["nothing that was seen in another state", [ask(1), saw(1, "digest-0")], []],
    ["nothing that changed since it was seen", [ask(1), saw(1), ask(1, { argsDigest: "digest-1b" })], []],
    ["what changed and was seen again", [ask(1), saw(1), ask(1, { argsDigest: "b" }), saw(1, "b", 1)], ["a-1"]],
    ["nothing of which only the words changed", [ask(1), ask(1, { headline: "Other" }), saw(1)], []],
    ["nothing that is being changed", [ask(1), saw(1), { type: "localEdit", approvalId: "a-1", editing: true }], []],
    ["nothing that is long and was not opened", [ask(1, { truncated: { argsBytes: 9 } }), saw(1)], []],
    [
      "nothing that cannot be allowed",
      [ask(1, { options: [{ optionId: "r", name: "Deny", kind: "reject_once" }] }), saw(1)],
      [],
    ],
    ["nothing that is protected", [ask(1, { reason: { code: "protected", text: "" } }), saw(1)], []],
    ["nothing that lies outside", [ask(1, { reason: { code: "outside_workspace", text: "" } }), saw(1)], []],
    ["nothing that a rule asks for", [ask(1, { reason: { code: "ask_rule", text: "" } }), saw(1)], []],
    ["nothing that is answered already", [ask(1), saw(1), all(1)], []],
    ["nothing that ended", [ask(1), saw(1), { type: "resolved", resolved: resolution() }], []],
  ])("%s", (_name, messages, ids) => expect(together(pageAfter(...messages), "allow_once")).toEqual(ids));

  test("none of those that wait behind the first hundred", () => {
    const numbers = Array.from({ length: 130 }, (_, index) => index + 1);
    const state = pageAfter(...numbers.map((number) => ask(number)), ...numbers.map((number) => saw(number)));
    expect(openCards(state)).toHaveLength(130);
    expect(together(state, "allow_once")).toHaveLength(100);
    expect(together(state, "reject_once")).toHaveLength(100);
  });
});

test("a no to all means whatever is drawn", () => {
  const edits: Message = { type: "localEdit", approvalId: "a-2", editing: true };
  expect(together(pageAfter(ask(1), ask(2), edits), "reject_once")).toEqual(["a-1", "a-2"]);
});

describe("an answer to several", () => {
  const sent = pageAfter(ask(1), ask(2), ask(3), all(1, 2, 3));

  test("leaves nothing to press until the server says what came of it", () => {
    expect(openCards(sent).map((card) => card.phase)).toEqual(["sending", "sending", "sending"]);
  });

  test("ends each by its own result", () => {
    const state = reduce(
      sent,
      results(
        { approvalId: "a-1", status: "accepted" },
        { approvalId: "a-2", status: "left" },
        { approvalId: "a-3", status: "failed", error: { code: ErrorCode.DIGEST_MISMATCH, message: "Changed." } },
      ),
    );
    expect(cardOf(state, "a-1")).toBeUndefined();
    expect(cardOf(state, "a-2")).toMatchObject({ phase: "open", note: expect.stringContaining("a look of its own") });
    expect(cardOf(state, "a-3")).toMatchObject({ phase: "open", error: expect.stringContaining("Changed.") });
    expect(state.announcement).toBe("1 call is left: it wants a look of its own.");
  });

  test.each([
    ["not written down", ErrorCode.NOT_RECORDED, true],
    ["unknown to the server", ErrorCode.APPROVAL_NOT_FOUND, false],
  ])("that was %s leaves the card alive: %s", (_name, code, alive) => {
    const state = reduce(sent, results({ approvalId: "a-1", status: "failed", error: { code, message: "M." } }));
    expect(cardOf(state, "a-1")?.phase).toBe(alive ? "open" : undefined);
  });

  test("that came to nothing leaves all of them waiting, with the reason", () => {
    const failed: Message = { type: "batchFailed", approvalIds: ["a-1", "a-2"], code: -32603, text: "No word." };
    const state = reduce(sent, failed);
    expect(openCards(state).map((card) => [card.phase, card.error])).toEqual([
      ["open", "No word."],
      ["open", "No word."],
      ["sending", undefined],
    ]);
  });

  test("does not open what ended meanwhile", () => {
    const ended = reduce(sent, { type: "resolved", resolved: resolution({ status: "cancelled", decision: null }) });
    const state = reduce(ended, results({ approvalId: "a-1", status: "left" }));
    expect(cardOf(state, "a-1")).toBeUndefined();
  });

  test("that names a card which is not here changes nothing", () => {
    expect(reduce(sent, results({ approvalId: "a-9", status: "accepted" })).items).toEqual(sent.items);
  });
});

test("what was changed on a card goes with it, and an error takes nothing of it away", () => {
  const edits: Message = { type: "localEdit", approvalId: "a-1", editing: true };
  const clicked: Message = { type: "localAnswer", approvalId: "a-1", optionId: "allow_once" };
  const failed: Message = { type: "answerFailed", approvalId: "a-1", code: -32602, text: "No such path." };
  const state = pageAfter(ask(1), edits, clicked, failed, ask(1, { argsDigest: "b", refreshed: true }));
  expect(cardOf(state, "a-1")).toMatchObject({ phase: "open", editing: true });
});
