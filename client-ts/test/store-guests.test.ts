// What an agent of others says of itself, as the page keeps it.
import { describe, expect, test } from "vitest";
import type { ApprovalOption, SlashCommand } from "../src/protocol/generated.js";
import { commandsOffered, isWritten } from "../src/webview/commands-offered.js";
import { answeredTogether, openCards, type PageState } from "../src/webview/state.js";
import { event, request, session, text } from "./support/examples.js";
import { type Message, pageAfter } from "./support/page-state.js";

const happens = (one: ReturnType<typeof event>) => ({ type: "event", event: one }) as const;
const plan = (n: number, ...steps: [string, string][]) =>
  happens(event(n, "Plan", { entries: steps.map(([content, status]) => ({ content, status })) }));
const plans = (state: PageState) => state.items.filter((item) => item.kind === "plan");
const asked = (n: number) => happens(event(n, "Prompt", { text: "go" }));
const setting = { settingId: "mode", name: "Mode", isMode: true, current: "default", choices: [] };
const told = [
  happens(event(1, "Commands", { commands: [{ name: "review", description: "" }] })),
  happens(event(2, "AgentState", { settings: [setting], danger: "It asks for nothing." })),
];

describe("a plan", () => {
  test("changes in its place, whatever was said since", () => {
    const state = pageAfter(
      asked(1),
      plan(2, ["Look", "pending"]),
      happens(text(3, "Hm.")),
      plan(4, ["Look", "completed"]),
    );
    expect(state.items.map((item) => item.kind)).toEqual(["user", "plan", "text"]);
    expect(plans(state)[0]?.entries).toEqual([{ content: "Look", status: "completed" }]);
  });

  test("of another message is another one", () => {
    const state = pageAfter(asked(1), plan(2, ["One", "completed"]), asked(3), plan(4, ["Two", "pending"]));
    expect(plans(state).map(({ entries }) => entries[0]?.content)).toEqual(["One", "Two"]);
  });

  test("ends what was being said before it", () => {
    const state = pageAfter(asked(1), happens(text(2, "A")), plan(3, ["One", "pending"]), happens(text(4, "B")));
    expect(state.items.map((item) => item.kind)).toEqual(["user", "text", "plan", "text"]);
  });
});

describe("what an agent offers", () => {
  test("is unknown where no agent of others speaks", () => expect(pageAfter(asked(1)).guest).toBeUndefined());

  test("is kept as it was told last", () => {
    const { guest } = pageAfter(...told);
    expect(guest?.commands.map(({ name }) => name)).toEqual(["review"]);
    expect([guest?.settings[0]?.current, guest?.danger]).toEqual(["default", "It asks for nothing."]);
  });

  test("is dangerous only as long as the agent's state says so", () => {
    const safe = happens(event(3, "AgentState", { settings: [setting] }));
    expect(pageAfter(...told, safe).guest?.danger ?? undefined).toBeUndefined();
  });

  test("keeps its danger when only the commands are told anew", () => {
    const again = happens(event(3, "Commands", { commands: [] }));
    expect(pageAfter(...told, again).guest?.danger).toBe("It asks for nothing.");
  });

  test.each(["replace", "restarted"] as const)("is gone with the chat: %s", (how) => {
    const other = {
      type: "chat",
      how,
      session: session({ sessionId: "s-2" }),
      events: [],
      pending: [],
    } satisfies Message;
    expect(pageAfter(...told, other).guest).toBeUndefined();
  });

  test("goes on with the chat", () => {
    const same = { type: "chat", how: "continue", session: session(), events: [], pending: [] } satisfies Message;
    expect(pageAfter(...told, same).guest?.commands).toHaveLength(1);
  });
});

describe("the end of an agent", () => {
  const ends = (code: string) =>
    pageAfter(asked(1), happens(event(2, "Error", { message: "Gone.", code, canRetry: true })));

  test("can be followed by its restart", () => {
    expect(ends("agent_exit").items.at(-1)).toMatchObject({ kind: "end", canRetry: true, restarts: true });
  });

  test("is no other fault", () => {
    expect(ends("agent_failed").items.at(-1)).toMatchObject({ kind: "end", canRetry: true, restarts: false });
  });
});

describe("several ways to say yes", () => {
  const ways: ApprovalOption[] = ["Red", "Blue"].map((name) => ({ optionId: `own:${name}`, name, kind: "allow_once" }));
  const deny: ApprovalOption = { optionId: "deny", name: "Deny", kind: "reject_once" };
  const seen = (...options: ApprovalOption[]) => {
    const one = request({ options });
    const at = { approvalId: one.approvalId, argsDigest: one.argsDigest, revision: 0 };
    return openCards(pageAfter({ type: "approval", request: one }, { type: "localSeen", ...at }));
  };

  test("are not answered together with others", () => {
    expect(answeredTogether(seen(...ways, deny), "allow_once")).toEqual([]);
    expect(answeredTogether(seen(...ways.slice(1), deny), "allow_once")).toHaveLength(1);
    expect(answeredTogether(seen(...ways, deny), "reject_once")).toHaveLength(1);
  });
});

describe("commands that fit", () => {
  const commands: SlashCommand[] = ["compact", "Review", "pre review", "$skill"].map((name) => ({
    name,
    description: "",
  }));
  const offered = (draft: string) => commandsOffered(draft, commands).map(({ name }) => name);

  test.each<[string, string[]]>([
    ["/", ["compact", "Review", "pre review", "$skill"]],
    ["/re", ["Review", "pre review"]],
    ["/REV", ["Review", "pre review"]],
    ["/pre r", ["pre review"]],
    ["/$", ["$skill"]],
    ["/review it", []],
    ["/nothing", []],
    ["re", []],
    [" /re", []],
    ["", []],
    ["/\nre", []],
  ])("%j: %j", (draft, names) => expect(offered(draft)).toEqual(names));

  test("are written when nothing is missing", () => {
    expect([isWritten("/Review", commands[1]), isWritten("/Rev", commands[1]), isWritten("/", undefined)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
