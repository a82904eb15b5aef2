// How long something allowed for a chat is to hold, in the user's words.
import type { ApprovalOption, ApprovalRequest, GrantLimits } from "../protocol/generated.js";

interface LimitChoice {
  name: string;
  words: string;
  limits: GrantLimits | undefined;
  /** When it ends, as a sentence; without an end of its own the option's text says it. */
  ends?: string;
}

const OR_EARLIER = "or when the chat is closed.";

/** The first one is what holds where nothing is chosen. */
export const LIMIT_CHOICES: readonly LimitChoice[] = [
  { name: "chat", words: "until the chat is closed", limits: undefined },
  { name: "15min", words: "for 15 minutes", limits: { minutes: 15 }, ends: `Ends after 15 minutes, ${OR_EARLIER}` },
  { name: "1h", words: "for 1 hour", limits: { minutes: 60 }, ends: `Ends after 1 hour, ${OR_EARLIER}` },
  {
    name: "5uses",
    words: "for the next 5 calls",
    limits: { uses: 5 },
    ends: `Ends after the next 5 calls, ${OR_EARLIER}`,
  },
  {
    name: "task",
    words: "until this task is done",
    limits: { untilRunEnds: true },
    ends: `Ends when this task is done, ${OR_EARLIER}`,
  },
];

/** Whether this answer may be given with an end. */
export function canBeLimited(option: ApprovalOption, { limits }: ApprovalRequest): boolean {
  return Boolean(limits) && (option.kind === "allow_session" || option.kind === "bypass_session");
}

/** The limits that a choice stands for. */
export function limitsOf(name: string | undefined): GrantLimits | undefined {
  return LIMIT_CHOICES.find((choice) => choice.name === name)?.limits;
}

/** When something ends with the limit that was chosen; empty where none is. */
export function endingWords(name: string | undefined): string {
  return LIMIT_CHOICES.find((choice) => choice.name === name)?.ends ?? "";
}

/** How a scope says that it lasts as long as its chat: with a limit, that is no longer the whole truth. */
const AS_LONG_AS_THE_CHAT = ", until it or the window is closed.";

/** What an option reaches, without the end that it has where no limit is chosen. Nothing but its last mention goes. */
export function scopeWithoutEnd(scopeText: string): string {
  const at = scopeText.lastIndexOf(AS_LONG_AS_THE_CHAT);
  return at < 0 ? scopeText : `${scopeText.slice(0, at)}.${scopeText.slice(at + AS_LONG_AS_THE_CHAT.length)}`;
}
