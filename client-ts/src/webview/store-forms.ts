// The forms of MCP servers and agents, as the page knows them: of all chats, drawn in their own.
import type { HostMessage } from "../common/page-messages.js";
import { visibleText } from "../common/visible-text.js";
import type { FormRequest } from "../protocol/generated.js";
import type { OpenForm, PageState } from "./state.js";
import { announce } from "./store-helpers.js";

/** The path of a field's value begins so. */
const CONTENT = "params.content.";

type Message<T extends HostMessage["type"]> = Extract<HostMessage, { type: T }>;

/** A form, new or again: again it stays as it is. */
export function formAsked(state: PageState, request: FormRequest): PageState {
  if (state.forms.some((one) => one.request.formId === request.formId)) return state;
  const next: PageState = { ...state, forms: [...state.forms, { request, phase: "open" }] };
  return request.sessionId === state.session?.sessionId
    ? announce(next, `${askerWords(request)} asks you something.`)
    : next;
}

export function formEnded(state: PageState, formId: string): PageState {
  const forms = state.forms.filter((one) => one.request.formId !== formId);
  return forms.length === state.forms.length ? state : { ...state, forms };
}

/** It was not sent: the form stays, with the reason where it belongs. */
export function formFailed(state: PageState, { formId, text, path }: Message<"formFailed">): PageState {
  const field = path.startsWith(CONTENT) ? path.slice(CONTENT.length) : undefined;
  return announce(changed(state, formId, { phase: "open", error: { text, field } }), text);
}

export function formSent(state: PageState, formId: string): PageState {
  return changed(state, formId, { phase: "sending", error: undefined });
}

/** Who asks, as the user's settings name it. */
export function askerWords({ askerKind, askerName }: FormRequest): string {
  return `${askerKind === "mcp_server" ? "The MCP server" : "The agent"} “${visibleText(askerName, "single")}”`;
}

function changed(state: PageState, formId: string, changes: Partial<OpenForm>): PageState {
  const forms = state.forms.map((one) => (one.request.formId === formId ? { ...one, ...changes } : one));
  return { ...state, forms };
}
