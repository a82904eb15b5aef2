import { describe, expect, test } from "vitest";
import { attentionWords } from "../src/extension/attention-words.js";
import type { ApprovalOption, OptionKind } from "../src/protocol/generated.js";
import { alsoText, optionGroups } from "../src/webview/option-groups.js";
import { storedWords } from "../src/webview/words.js";
import { manyOptions } from "./support/consents.js";

const option = (kind: OptionKind, optionId: string = kind): ApprovalOption => ({ optionId, name: optionId, kind });
const ids = (options: readonly ApprovalOption[]) => options.map(({ optionId }) => optionId);

describe("a card's options", () => {
  test("go from this call to what lasts, and refusing for good comes last", () => {
    const { approve, deny, chat, lasting, never } = optionGroups(manyOptions());
    expect([approve?.optionId, deny?.optionId]).toEqual(["approve", "deny"]);
    expect(ids(chat)).toEqual(["allow_session"]);
    expect(ids(lasting)).toEqual(["add", "always_rule", "always_tool", "bypass_session", "bypass_agent"]);
    expect(ids(never)).toEqual(["never"]);
  });

  test("are all drawn once, whatever the server offers", () => {
    const offered = [
      ...manyOptions(),
      option("allow_once", "second"),
      option("background"),
      option("reject_once", "no"),
    ];
    const { approve, ways, deny, chat, lasting, never } = optionGroups(offered);
    const drawn = [approve, ...ways, deny, ...chat, ...lasting, ...never].map((one) => one?.optionId);
    expect(drawn.toSorted()).toEqual(ids(offered).toSorted());
    expect(ids(ways)).toEqual(["second"]);
    expect(ids(chat)).toEqual(["background", "allow_session"]);
    expect(ids(never)).toEqual(["never", "no"]);
  });

  test("have the one that the card speaks of in sight, and each of them once", () => {
    const offered = manyOptions();
    const { approve, ways, deny, chat, lasting, never, marked } = optionGroups(offered, "always_rule");
    expect(marked?.optionId).toBe("always_rule");
    expect(ids(lasting)).not.toContain("always_rule");
    const drawn = [approve, ...ways, deny, ...chat, ...lasting, ...never, marked].map((one) => one?.optionId);
    expect(drawn.toSorted()).toEqual(ids(offered).toSorted());
  });

  test.each(["approve", "deny", "nobody", null])("stay where they are for a card that speaks of %s", (id) => {
    expect(optionGroups(manyOptions(), id)).toEqual(optionGroups(manyOptions()));
  });

  test("always have a way to refuse in sight", () => {
    const { deny, never } = optionGroups([option("allow_once"), option("reject_always")]);
    expect(deny?.kind).toBe("reject_always");
    expect(never).toEqual([]);
  });

  test("stay in the order that the server gave them", () => {
    const offered = manyOptions();
    optionGroups(offered);
    expect(offered).toEqual(manyOptions());
  });
});

test.each<[OptionKind, number | null | undefined, string]>([
  ["allow_always", 2, "Also runs 2 waiting calls."],
  ["bypass_agent", 1, "Also runs 1 waiting call."],
  ["reject_always", 3, "Also denies 3 waiting calls."],
  ["allow_always", 0, ""],
  ["allow_always", -1, ""],
  ["allow_always", null, ""],
  ["allow_always", undefined, ""],
])("%s that settles %s more says: %s", (kind, alsoResolves, words) => {
  expect(alsoText({ ...option(kind), ...(alsoResolves === undefined ? {} : { alsoResolves }) })).toBe(words);
});

test.each([
  [{ written: true, target: "workspace" }, "Stored “X” in the workspace settings."],
  [{ written: true, target: "user", error: null }, "Stored “X” in your user settings."],
  [{ written: true, target: "/w/s.json" }, "Stored “X” in /w/s.json."],
  [{ written: true, target: "workspace", error: "E." }, "Stored “X” in the workspace settings, but: E."],
  [{ written: false, target: "workspace", error: "E." }, "Not stored in the workspace settings: E."],
  [{ written: false, target: "", error: "E." }, "Not stored: E."],
  [{ written: false, target: "user" }, "Not stored in your user settings: no reason was given."],
])("what became of storing %j is told", (stored, words) => expect(storedWords(stored, "X")).toBe(words));

test.each([
  [0, false, 0, ""],
  [1, false, 0, "1 approval waiting"],
  [2, false, 0, "2 approvals waiting"],
  [0, true, 0, "settings to review"],
  [0, false, 1, "1 form to fill in"],
  [2, true, 3, "2 approvals waiting, 3 forms to fill in, settings to review"],
])("%i calls, a question about settings (%s) and %i forms are: %s", (calls, settings, forms, words) => {
  expect(attentionWords(calls, settings, forms)).toBe(words);
});
