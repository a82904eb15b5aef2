// Commands that run, as a server tells of them.
import type { ShellInfo } from "../../src/protocol/generated.js";
import { event } from "./examples.js";

export const COMMAND = "npm run watch";

/** A listed command; one in the background that goes on where nothing else is said. */
export function shell(changes: Partial<ShellInfo> = {}): ShellInfo {
  return {
    shellId: "sh-1",
    sessionId: "s-1",
    toolCallId: "c-1",
    command: COMMAND,
    directory: "/home/ada/project",
    background: true,
    status: "running",
    ageMs: 65_000,
    tail: "built in 2 s\n",
    printed: 13,
    dropped: 0,
    ...changes,
  };
}

export const bashCall = (n: number, toolCallId = "c-1", command = COMMAND) =>
  event(n, "ToolCall", {
    toolCallId,
    tool: "bash",
    args: { command },
    category: "execute",
    headline: command,
    depth: 0,
  });

export const running = (n: number, shellId = "sh-1", toolCallId = "c-1") =>
  event(n, "ToolUpdate", { toolCallId, phase: "running", shellId });

/** What the call's command printed: it has the number of the event before. */
export const printed = (n: number, outputDelta: string, toolCallId = "c-1") => ({
  ...event(n, "ToolUpdate", { toolCallId, phase: "running" as const, outputDelta }),
  passing: true,
});

/** What it printed in the background. */
export const printedAlone = (n: number, line: string, shellId = "sh-1") => ({
  ...event(n, "Shell", { shellId, stream: "stdout" as const, line }),
  passing: true,
});

export const moved = (n: number) =>
  event(n, "ToolResult", {
    toolCallId: "c-1",
    tool: "bash",
    success: true,
    output: "Command moved to background (shell ID: sh-1)",
    durationMs: 4200,
    is_error: false,
    code: "background",
  });

export const goesOn = (n: number) =>
  event(n, "Shell", { shellId: "sh-1", status: "running", toolCallId: "c-1", command: COMMAND });
