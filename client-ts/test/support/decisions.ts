// Entries of the history.
import type { HistoryEntry } from "../../src/protocol/generated.js";

export function decision(changes: Partial<HistoryEntry> = {}): HistoryEntry {
  return {
    n: 7,
    at: "2026-03-01T18:00:00Z",
    stage: "decided",
    hash: "h7",
    sessionId: "s-1",
    runId: "r-1",
    callId: "c-1",
    agentId: "demo",
    agentName: "Demo",
    tool: "write_file",
    args: '{"path": "notes.txt"}',
    category: "write",
    mode: "default",
    headline: "Write notes.txt (+1 −0)",
    directory: "/home/ada/project",
    folder: "/home/ada/project",
    digest: "d7",
    ending: "allowed",
    by: "user",
    how: "by you once",
    text: "You chose “Approve”.",
    ...changes,
  };
}
