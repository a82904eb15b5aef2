// What a server tells of everything that decides.
import type { PermissionsOverview } from "../../src/protocol/generated.js";
import { grant } from "./page-state.js";

const FILE = "/home/ada/project/.vscode/settings.json";

/** Rules of each effect, as the list of what is allowed holds them. */
export const RULES = [
  grant({
    grantId: "r-1",
    kind: "rule",
    scope: "workspace",
    sessionId: null,
    givenAt: null,
    givenOn: null,
    text: "Every call of the tool “bash” that matches “rm -rf build” runs without asking.",
    setting: "assent.alwaysAllowRules",
    file: FILE,
    line: 3,
    digest: "d-1",
  }),
  grant({
    grantId: "r-2",
    kind: "ask_rule",
    scope: "user",
    sessionId: null,
    givenAt: null,
    givenOn: null,
    text: "Always ask about “web_fetch”: every call of the tool.",
    setting: "assent.alwaysAskRules",
    digest: "d-2",
  }),
  grant({
    grantId: "r-3",
    kind: "deny_rule",
    scope: "workspace",
    sessionId: null,
    givenAt: null,
    givenOn: null,
    text: "Never “bash”: “rm:*”.",
    setting: "assent.alwaysDenyRules",
    file: FILE,
    line: 9,
    digest: "d-3",
  }),
];

export function overview(changes: Partial<PermissionsOverview> = {}): PermissionsOverview {
  return {
    mode: { mode: "default", digest: "m-1", storedIn: "workspace" },
    orders: [
      { effect: "deny", text: "It comes before everything else: no mode, bypass or allow rule lifts it." },
      { effect: "ask", text: "Deny rules come first. No mode, bypass or allow rule lifts it." },
      { effect: "allow", text: "Deny and ask rules, protected files and places outside the workspace come first." },
    ],
    rules: [
      {
        grantId: "r-1",
        effect: "allow",
        tool: "bash",
        pattern: "rm -rf build",
        does: "Only `rm -rf build`, in exactly these words.",
        remark: "This permits nothing: the deny rule “rm:*” for bash forbids all of it, and comes first.",
        beside: { scope: "workspace", file: FILE, line: 9 },
      },
      {
        grantId: "r-2",
        effect: "ask",
        tool: "web_fetch",
        pattern: "*",
        does: "Every web_fetch call is asked for, whatever it is about.",
        agents: ["Local"],
      },
      {
        grantId: "r-3",
        effect: "deny",
        tool: "bash",
        pattern: "rm:*",
        does: "Every command in which `rm` is run is refused.",
      },
    ],
    bypasses: [
      {
        agent: "Demo",
        on: false,
        why: "It is not switched on.",
        digest: "b-1",
        warning: "Every call of Demo runs without asking, in this workspace. Protected files are still asked about.",
      },
      {
        agent: "Local",
        on: true,
        why: "Switched on in the workspace settings.",
        digest: "b-2",
        warning: "Every call of Local runs without asking.",
        place: { scope: "workspace", file: FILE, line: 12 },
      },
    ],
    answers: [
      {
        answerId: "k-1",
        setting: "assent.toolAllowlist",
        words: "Every call of the tool “write_file” would run without asking.",
        honoured: true,
        folder: "/home/ada/project",
        at: "2026-03-01T18:00:00.000Z",
        place: { scope: "workspace", file: FILE, line: 4 },
      },
    ],
    locks: [],
    ...changes,
  };
}
