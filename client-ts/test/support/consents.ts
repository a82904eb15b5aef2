// Questions about settings of a workspace, as a server sends them.
import type { ApprovalOption, ConsentEntry, ConsentRequest } from "../../src/protocol/generated.js";

const WORKSPACE = "/home/ada/project";

export function entry(changes: Partial<ConsentEntry> = {}): ConsentEntry {
  return {
    entryId: "e-1",
    key: "assent.bypassPermissions",
    words: "Demo runs without asking, except for protected files.",
    before: null,
    after: true,
    file: `${WORKSPACE}/.vscode/settings.json`,
    line: 4,
    digest: "entry-digest-1",
    ...changes,
  };
}

export function consent(changes: Partial<ConsentRequest> = {}): ConsentRequest {
  return {
    consentId: "q-1",
    workspace: WORKSPACE,
    entries: [
      entry(),
      entry({
        entryId: "e-2",
        key: "assent.alwaysAllowRules",
        words: "write_file runs without asking for docs/**.",
        after: { write_file: ["docs/**"] },
        line: 7,
      }),
    ],
    reason: "These entries came with the folder or were written by a program, not by a click of yours.",
    digest: "consent-digest-1",
    ...changes,
  };
}

/** A card's options, all kinds of them, in no good order. */
export function manyOptions(): ApprovalOption[] {
  return [
    {
      optionId: "never",
      name: "Never allow write_file in docs/**",
      kind: "reject_always",
      scopeText: "Denied from now on, in every chat. Stored in the workspace settings.",
    },
    {
      optionId: "bypass_agent",
      name: "Bypass permissions for Demo",
      kind: "bypass_agent",
      scopeText:
        "Every call of Demo runs without asking, from now on and in every chat. Stored in the workspace settings.",
      alsoResolves: 3,
    },
    { optionId: "approve", name: "Approve", kind: "allow_once", scopeText: "This call only. The next one asks again." },
    {
      optionId: "always_rule",
      name: "Always allow write_file in docs/**",
      kind: "allow_always",
      scopeText: "Calls of write_file in docs run without asking. Stored in the workspace settings.",
      alsoResolves: 1,
    },
    {
      optionId: "bypass_session",
      name: "Bypass permissions for this chat",
      kind: "bypass_session",
      scopeText: "Every call in this chat runs without asking, until the window is closed.",
    },
    {
      optionId: "always_tool",
      name: "Always allow write_file",
      kind: "allow_always",
      scopeText: "Every call of write_file runs without asking. Stored in the workspace settings.",
      alsoResolves: 2,
    },
    {
      optionId: "allow_session",
      name: "Allow write_file for this chat",
      kind: "allow_session",
      scopeText: "Every write_file call in this chat, until the window is closed.",
      alsoResolves: 2,
    },
    {
      optionId: "add",
      name: "Add /home/ada/notes to the workspace",
      kind: "add_directory",
      scopeText: "It counts as part of the workspace. Stored in the workspace settings.",
    },
    { optionId: "deny", name: "Deny", kind: "reject_once", scopeText: "This call does not run. The agent is told." },
  ];
}
