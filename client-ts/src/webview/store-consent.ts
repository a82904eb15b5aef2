// The question about settings of the workspace, as the page knows it. Nothing is picked that the user did not pick.
import type { HostMessage } from "../common/page-messages.js";
import type { ConsentOutcome, ConsentRequest } from "../protocol/generated.js";
import type { ConsentPanel, PageState } from "./state.js";
import { announce, pushNotice } from "./store-helpers.js";

type Message<T extends HostMessage["type"]> = Extract<HostMessage, { type: T }>;

/** A question, new or again. Only the very same one keeps what is picked. */
export function consentAsked(state: PageState, request: ConsentRequest): PageState {
  const shown = state.consent?.request;
  if (shown && JSON.stringify(shown) === JSON.stringify(request)) return state;
  const next: PageState = { ...state, consent: { request, phase: "open", picked: [] } };
  const count = request.entries.length;
  return announce(
    next,
    `Settings of this workspace would allow something. ${count} ${count === 1 ? "entry waits" : "entries wait"} for your decision.`,
  );
}

export function consentClosed(state: PageState, consentId: string): PageState {
  return state.consent?.request.consentId === consentId ? { ...state, consent: undefined } : state;
}

/** The answer counted; what could not be kept stays in sight. */
export function consentAnswered(state: PageState, { consentId, outcome }: Message<"consentAnswered">): PageState {
  const next = consentClosed(state, consentId);
  const text = outcomeWords(outcome);
  if (!outcome.error) return pushNotice(next, "info", text);
  const fault = `${text} But: ${outcome.error}`;
  return announce({ ...next, consentFault: fault }, fault);
}

function outcomeWords({ honoured, ignored }: ConsentOutcome): string {
  const counts = honoured === 1 ? "1 entry counts" : `${honoured} entries count`;
  const rest = ignored === 0 ? "" : `, ${ignored} ${ignored === 1 ? "is" : "are"} ignored until changed`;
  return `Settings of this workspace: ${counts} now${rest}.`;
}

/** The answer did not count: the question stays, with the reason. */
export function consentFailed(state: PageState, { consentId, text }: Message<"consentFailed">): PageState {
  if (state.consent?.request.consentId !== consentId) return state;
  return announce(changed(state, { phase: "open", error: text }), text);
}

export function pickEntry(state: PageState, entryId: string, picked: boolean): PageState {
  if (state.consent?.phase !== "open") return state;
  const others = state.consent.picked.filter((one) => one !== entryId);
  return changed(state, { picked: picked ? [...others, entryId] : others });
}

export function consentSent(state: PageState): PageState {
  return changed(state, { phase: "sending", error: undefined });
}

function changed(state: PageState, changes: Partial<ConsentPanel>): PageState {
  return state.consent ? { ...state, consent: { ...state.consent, ...changes } } : state;
}
