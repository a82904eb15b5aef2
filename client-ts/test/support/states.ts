// The main states of the page, each told to it as its host would: what is looked at in every theme and at every width.
import type { HostMessage } from "../../src/common/page-messages.js";
import type { ApprovalOption, ApprovalRequest, StepInfo } from "../../src/protocol/generated.js";
import { consent, manyOptions } from "./consents.js";
import { event, request, session, text, toolCall, toolResult } from "./examples.js";
import { EVERY_KIND, field, form } from "./forms.js";
import { agentState, COMMANDS, DANGER, PLAN, ways } from "./guests.js";
import { grant, numbered } from "./page-state.js";
import { overview, RULES } from "./permissions.js";
import { bashCall, moved, printed, running, shell } from "./shells.js";

/** What the host says, and what a person then presses: names of buttons, one after the other, or keys. */
export interface PageState {
  tells: HostMessage[];
  presses?: string[];
  keys?: string[];
  /** A field by its label, and what is written into it. */
  writes?: [string, string];
  /** Words that stand there when all of it is drawn. */
  shows: string;
}

const HOME = "/home/ada/project";
const OPTIONS: ApprovalOption[] = [
  { optionId: "approve", name: "Approve", kind: "allow_once", scopeText: "This call only. The next one asks again." },
  {
    optionId: "rule",
    name: "Always allow npm test:*",
    kind: "allow_always",
    scopeText: "Commands that begin with npm test run without asking. Stored in the workspace settings.",
  },
  {
    optionId: "chat",
    name: "Allow bash for this chat",
    kind: "allow_session",
    scopeText: "Every bash call in this chat, until the window is closed.",
  },
  { optionId: "deny", name: "Deny", kind: "reject_once", scopeText: "This call does not run. The agent is told." },
];

const tell = (...events: ReturnType<typeof event>[]): HostMessage[] =>
  events.map((one) => ({ type: "event", event: one }));
const ask = (...requests: ApprovalRequest[]): HostMessage[] =>
  requests.map((one) => ({ type: "approval", request: one }));

const SPOKEN = tell(
  event(1, "Prompt", { text: "Run the tests, and mend what fails." }),
  event(2, "Chunk", { text: null, thinking: "Which tests are there?" }),
  text(
    3,
    "I will **run** `npm test`:\n\n1. first\n2. second\n\n> quoted\n\n```\nnpm test\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n[the guide](https://example.org)",
  ),
);

const COMMAND = request({
  tool: "bash",
  category: "execute",
  headline: "Run: npm test, and write its output to out.txt",
  args: { command: "npm test > out.txt 2>&1 && rm -r build" },
  options: OPTIONS,
  editable: true,
  agentSays: "Only the tests, nothing is changed.",
  risk: { level: "high", notes: ["rm -r deletes build with all that is in it."] },
  reason: {
    code: "ask_rule",
    text: "A rule of the workspace asks about rm.",
    rule: { pattern: "bash(rm:*)", scope: "workspace", file: `${HOME}/.vscode/settings.json`, line: 12 },
  },
  preview: {
    kind: "command",
    text: "npm test > out.txt 2>&1 && rm -r build",
    parts: [
      { written: "npm test > out.txt 2>&1", does: "runs the tests of this package", notes: ["It writes out.txt."] },
      { written: "rm -r build", does: "deletes files", notes: ["It deletes build with all that is in it."] },
    ],
    sandbox: "Runs in the sandbox: it can write in this folder only, and reaches no network.",
  },
});

const CODE = request({
  headline: "Edit count.py (+2 −2)",
  options: OPTIONS,
  preview: {
    kind: "diff",
    path: "count.py",
    realPath: `${HOME}/count.py`,
    isNew: false,
    lines: [
      { kind: "context", text: "import sys  # what is read", oldNumber: 1, newNumber: 1 },
      { kind: "removed", text: "def count(text): return 12", oldNumber: 2 },
      { kind: "removed", text: "# nothing is counted", oldNumber: 3 },
      { kind: "added", text: 'def count(text: str) -> int: return len(text.split("a")) + 1', newNumber: 2 },
      { kind: "added", text: "# what is counted: True, None", newNumber: 3 },
      { kind: "gap", text: "12 unchanged lines" },
      { kind: "context", text: 'print("words", count(sys.stdin.read()), 3.5)', oldNumber: 16, newNumber: 16 },
    ],
    added: 2,
    removed: 2,
  },
});

const MCP = request({
  tool: "mcp__tracker__create_issue",
  category: "external",
  headline: "tracker: Create an issue",
  directory: "",
  options: manyOptions(),
  limits: true,
  editable: true,
  redactions: 1,
  reason: { code: "needs_approval", text: "What MCP servers do is asked about. tracker runs on this machine." },
  preview: {
    kind: "json",
    text: '{\n  "title": "The build fails",\n  "labels": ["bug"],\n  "token": "•••••• (masked, 40 characters)"\n}',
  },
});

const STEPS: StepInfo[] = [
  {
    number: 1,
    name: "notes",
    headline: "Write NOTES.md (+1 −0)",
    category: "write",
    preview: {
      kind: "diff",
      path: "NOTES.md",
      realPath: `${HOME}/NOTES.md`,
      isNew: true,
      lines: [{ kind: "added", text: "# Notes", newNumber: 1 }],
      added: 1,
      removed: 0,
    },
  },
  {
    number: 2,
    name: "tag",
    headline: "Run a command",
    category: "execute",
    preview: { kind: "command", text: "git tag v1", parts: [{ written: "git tag v1", does: "names a commit" }] },
  },
  {
    number: 3,
    name: "tell",
    headline: "Fetch https://example.org/hook",
    category: "external",
    preview: { kind: "url", before: "https://", host: "example.org", after: "/hook?v=1" },
    notes: ["What goes in comes from the step “tag”."],
  },
];

const WORKFLOW = request({
  tool: "run_workflow",
  category: "execute",
  headline: "Run the workflow release: 3 steps",
  preview: { kind: "steps", title: "Release", steps: STEPS, done: 1 },
});

const CHATS: HostMessage = {
  type: "chats",
  sessions: [
    session({ sessionId: "s-0", title: "mend the fence", waiting: 2, running: true }),
    session({ title: "run the tests, and mend what fails", running: true }),
    session({ sessionId: "s-2" }),
  ],
  agents: [
    { agentId: "demo", name: "Demo", description: "Shows how it works." },
    { agentId: "other", name: "Other", description: "Another one." },
  ],
};

const LONG = `npm run build -- --out ${"a/very/long/path/".repeat(12)}`;
/** A row of each kind of command, and the list of them. */
export const SHELLS: HostMessage[] = [
  ...tell(
    bashCall(1),
    running(2),
    printed(2, `${"wide".repeat(90)}\n`.repeat(30)),
    bashCall(3, "c-2", LONG),
    event(4, "Shell", { shellId: "sh-2", status: "running", toolCallId: "c-2" }),
    toolResult(5, { toolCallId: "c-2", code: "background" }),
    bashCall(6, "c-3", LONG),
    toolResult(7, { toolCallId: "c-3", code: "background" }),
    event(8, "Shell", { shellId: "sh-3", status: "exited", exitCode: 2, toolCallId: "c-3" }),
  ),
  {
    type: "shells",
    shells: [
      shell({ shellId: "sh-2", command: LONG, sandbox: "bubblewrap" }),
      shell({ shellId: "sh-3", command: LONG, status: "exited", exitCode: 2, tail: "", printed: 0 }),
    ],
  },
];

const HANDED_ON = tell(
  event(1, "Prompt", { text: "Tidy up." }),
  event(2, "ToolCall", {
    toolCallId: "c-8",
    tool: "run_subtask",
    args: { title: "Tidy up", instructions: "…" },
    category: "internal",
    headline: "Sub-agent: Tidy up",
    depth: 0,
  }),
  event(3, "Chunk", { text: "I tidy up.", thinking: null, parentToolCallId: "c-8" }),
);

const ENDED = tell(
  event(1, "Prompt", { text: "Go on." }),
  toolCall(2, "c-1"),
  toolResult(3, { content: "milk", path: "notes.txt" }),
  toolCall(4, "c-2"),
  toolResult(5, { toolCallId: "c-2", success: false, is_error: true, output: "There is no such file." }),
  toolCall(6, "c-3"),
  toolResult(7, { toolCallId: "c-3", success: false, is_error: true, code: "approval_timeout", output: "" }),
  event(8, "Notification", { text: "The history is full.", level: "warning" }),
  event(9, "Notification", { text: "The folder cannot be read.", level: "error" }),
  event(10, "Error", { message: "The answer was cut off.", canRetry: true }),
);

const HEBREW = "הריצו את הבדיקות בתיקייה src/web, בבקשה.";
const ARABIC = "سأشغّل **الاختبارات** في `src/web` ثم أكتب إلى `out.txt`.\n\n- أولاً: `npm test`\n- ثانياً: `git status`";
export const RTL_HEADLINE = "Write מסמכים/הערות.txt (+1 −0)";
export const RTL_COMMAND = "cp /srv/מסמכים/a.txt ./תיקייה/b.txt && echo שלום > out.txt";

/** By name. Each begins with a chat in which nothing was said. */
export const STATES: Record<string, PageState> = {
  welcome: { tells: [], shows: "What should the agent do?" },
  "a chat without a folder": {
    tells: [
      {
        type: "chat",
        how: "replace",
        session: session({ ownFolder: "/home/u/.local/state/assent-chats/7c0e", unreachable: ["repo (vscode-vfs)"] }),
        events: [],
        pending: [],
      },
    ],
    shows: "Open Folder…",
  },
  "a chat beside others": { tells: [...SPOKEN, CHATS], shows: "2 calls wait for your approval in another chat" },
  "a command": { tells: [...SPOKEN, ...ask(COMMAND)], shows: "rm -r build" },
  "a command, answers that last": {
    tells: ask(COMMAND),
    presses: ["Don’t ask again…"],
    shows: "Stored in the workspace settings.",
  },
  "a diff": {
    tells: ask(request({ options: OPTIONS, timeout: { seconds: 300, running: true, remainingMs: 240_000 } })),
    shows: "mlik",
  },
  "a change of code": { tells: ask(CODE), shows: "nothing is counted" },
  "a call of an MCP server": { tells: ask(MCP), presses: ["Don’t ask again…"], shows: "The build fails" },
  "a workflow": { tells: ask(WORKFLOW), shows: "names a commit" },
  "several that wait": {
    tells: ask(numbered(1, { options: OPTIONS }), numbered(2, { options: OPTIONS }), {
      ...COMMAND,
      approvalId: "a-3",
      seq: 3,
      argsDigest: "digest-3",
      toolCall: { toolCallId: "c-3" },
    }),
    presses: ["Choose…"],
    shows: "Only these 3",
  },
  "a sub-agent that asks": {
    tells: [
      ...HANDED_ON,
      ...ask(numbered(2, { parentToolCallId: "c-8", depth: 1, path: ["Tidy up"], interrupted: true })),
    ],
    shows: "through Tidy up",
  },
  "a call being changed": {
    tells: ask({ ...COMMAND, args: { command: "ls \u202E" } }),
    presses: ["Edit before approving…"],
    shows: "as it is to run",
  },
  "an answer that failed": {
    tells: [
      ...ask(request({ refreshed: true })),
      { type: "answerFailed", approvalId: "a-1", code: -32603, text: "No word from the server." },
    ],
    shows: "No word from the server.",
  },
  "rows that ended": { tells: ENDED, shows: "The answer was cut off." },
  "a lost connection": {
    tells: [
      ...SPOKEN,
      { type: "connection", state: "failed", text: "The server does not start.", actions: ["retry", "showLog"] },
    ],
    shows: "The server does not start.",
  },
  "the menu of modes": { tells: SPOKEN, presses: ["Mode: Auto-accept read-only"], shows: "Runs without asking" },
  "the menu of agents": { tells: [CHATS], presses: ["New chat with another agent"], shows: "Another one." },
  "a chat about to be closed": { tells: [CHATS], presses: ["Close the chat: mend the fence"], shows: "Keep it" },
  "a search": { tells: SPOKEN, keys: ["Control+f"], writes: ["Find in the chat", "test"], shows: "3" },
  "a search in vain": {
    tells: SPOKEN,
    keys: ["Control+f"],
    writes: ["Find in the chat", "nowhere"],
    shows: "Nothing found",
  },
  "a message that waits": { tells: SPOKEN, writes: ["Message", "and then?"], shows: "Stop and send" },
  "settings of the workspace": {
    tells: [
      { type: "notice", level: "warning", text: "It has no effect until you agree to it. ".repeat(40) },
      { type: "consent", request: consent() },
      { type: "consentFailed", consentId: "q-1", text: "No word from the server." },
    ],
    shows: "Tick what you want to allow",
  },
  "what is allowed": {
    tells: [
      {
        type: "grants",
        grants: [
          grant({ ends: { remainingMs: 600_000 } }),
          grant({
            grantId: "g-2",
            scope: "workspace",
            setting: "assent.alwaysAllowRules",
            file: `${HOME}/.vscode/settings.json`,
            line: 3,
          }),
          ...RULES,
        ],
      },
      { type: "showGrants" },
      { type: "permissions", overview: overview(), sandbox: { text: "Bubblewrap holds on this machine." } },
    ],
    shows: "Bubblewrap holds on this machine.",
  },
  "a removed line": {
    tells: [
      { type: "grants", grants: [grant(), grant({ grantId: "g-2" })] },
      { type: "grantRevoked", grantId: "g-1", undoable: true },
      { type: "grantFailed", grantId: "g-2", text: "The settings file does not parse." },
    ],
    shows: "Removed:",
  },
  "commands that run": {
    tells: [...SHELLS, ...tell(moved(9))],
    presses: ["1 in background"],
    shows: "Commands in the background",
  },
  "a form": {
    tells: [
      { type: "form", request: form({ fields: EVERY_KIND, warning: "It seems to ask for a password." }) },
      {
        type: "form",
        request: form({
          formId: "f-2",
          askerKind: "agent",
          askerName: "Claude",
          behind: null,
          fields: [field({ warning: "This seems to ask for a password." })],
        }),
      },
      { type: "formFailed", formId: "f-1", text: "At least 2 characters.", path: "params.content.name" },
    ],
    shows: "MCP server",
  },
  "an agent of others": {
    tells: [...tell(COMMANDS, agentState("yolo", DANGER), PLAN), ...ask(request({ options: ways("Red", "Blue") }))],
    shows: DANGER,
  },
  "the commands of an agent of others": {
    tells: tell(COMMANDS, agentState("default"), PLAN),
    writes: ["Message", "/"],
    shows: "Makes the conversation shorter.",
  },
  "right to left": {
    tells: [
      ...tell(event(1, "Prompt", { text: HEBREW }), text(2, ARABIC)),
      ...ask(
        request({
          headline: RTL_HEADLINE,
          directory: "/home/ada/פרויקט",
          agentSays: "אני רק מעתיק קובץ אחד (a.txt).",
          options: OPTIONS,
          preview: {
            kind: "command",
            text: RTL_COMMAND,
            parts: [
              {
                written: "cp /srv/מסמכים/a.txt ./תיקייה/b.txt",
                does: "copies files",
                notes: ["It writes ./תיקייה/b.txt."],
              },
              { written: "echo שלום > out.txt", does: "prints words" },
            ],
          },
        }),
      ),
    ],
    shows: "copies files",
  },
};
