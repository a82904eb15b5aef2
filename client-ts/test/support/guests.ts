// What an agent of others tells of itself, and a question of it with several ways to say yes.
import type { ApprovalOption } from "../../src/protocol/generated.js";
import { event } from "./examples.js";

export const DANGER =
  "In the mode “YOLO” the agent carries out everything without asking: Assent sees only what it asks for.";
export const COMMANDS = event(1, "Commands", {
  commands: [
    { name: "compact", description: "Makes the conversation shorter." },
    { name: "review", description: "Looks at what changed.", hint: "what to look at" },
    { name: "release notes", description: "Writes them." },
  ],
});
export const agentState = (current = "default", danger?: string) =>
  event(2, "AgentState", {
    ...(danger === undefined ? {} : { danger }),
    settings: [
      {
        settingId: "mode",
        name: "Mode",
        isMode: true,
        current,
        choices: [
          { choiceId: "default", name: "Default", description: "Asks before it acts." },
          { choiceId: "plan", name: "Plan", description: "" },
          { choiceId: "yolo", name: "YOLO", description: "", danger: DANGER },
        ],
      },
      {
        settingId: "model",
        name: "Model",
        isMode: false,
        current: "big",
        choices: [
          { choiceId: "big", name: "Big", description: "" },
          { choiceId: "small", name: "Small", description: "" },
        ],
      },
    ],
  });
export const plan = (...steps: [string, string][]) =>
  event(3, "Plan", { entries: steps.map(([content, status]) => ({ content, status })) });
export const PLAN = plan(
  ["Read what is there", "completed"],
  ["Write the test that fails", "in_progress"],
  ["Mend it", "pending"],
);
export const WAY = "This call only, as T offers it. What this answer means beside that, only it knows.";
export const ways = (...names: string[]): ApprovalOption[] => [
  ...names.map((name) => ({ optionId: `own:${name}`, name, kind: "allow_once", scopeText: WAY }) as const),
  { optionId: "deny", name: "Deny", kind: "reject_once", scopeText: "T is told “No”." },
];
