// Forms of MCP servers and agents, as a server sends them.
import type { FormField, FormRequest } from "../../src/protocol/generated.js";

export function field(changes: Partial<FormField> = {}): FormField {
  return { name: "name", kind: "text", title: "Your name", required: false, ...changes };
}

export function form(changes: Partial<FormRequest> = {}): FormRequest {
  return {
    formId: "f-1",
    sessionId: "s-1",
    askerKind: "mcp_server",
    askerName: "tracker",
    behind: "node /opt/tracker/server.js",
    message: "Who shall own the issue?",
    fields: [field({ required: true })],
    createdAt: "2026-01-31T12:00:00Z",
    toolCallId: "c-1",
    ...changes,
  };
}

/** One field of each kind. */
export const EVERY_KIND: FormField[] = [
  field({ description: "As it stands on the door.", required: true, least: 2, most: 40 }),
  field({ name: "mail", kind: "email", title: "Email" }),
  field({ name: "link", kind: "uri", title: "Link" }),
  field({ name: "day", kind: "date", title: "Due", default: "2026-02-28" }),
  field({ name: "time", kind: "date_time", title: "Reminder" }),
  field({ name: "share", kind: "number", title: "Share", least: 0, most: 1 }),
  field({ name: "count", kind: "integer", title: "Count", default: 3, most: 9 }),
  field({ name: "urgent", kind: "boolean", title: "Urgent", default: false }),
  field({
    name: "kind",
    kind: "choice",
    title: "Kind",
    choices: [
      { value: "bug", label: "A bug" },
      { value: "wish", label: "A wish" },
    ],
  }),
  field({
    name: "labels",
    kind: "choices",
    title: "Labels",
    choices: [
      { value: "a", label: "Label a" },
      { value: "b", label: "Label b" },
    ],
  }),
];
