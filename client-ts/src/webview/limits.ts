// How long something allowed for a chat is to hold, in the user's words.
import type { ApprovalOption, ApprovalRequest, GrantLimits } from "../protocol/generated.js";

interface LimitChoice {
  name: string;
  words: string;
  limits: GrantLimits | undefined;
}

/** The first one is what holds where nothing is chosen. */
export const LIMIT_CHOICES: readonly LimitChoice[] = [
  { name: "chat", words: "until the chat is closed", limits: undefined },
  { name: "15min", words: "for 15 minutes", limits: { minutes: 15 } },
  { name: "1h", words: "for 1 hour", limits: { minutes: 60 } },
  { name: "5uses", words: "for the next 5 uses", limits: { uses: 5 } },
  { name: "task", words: "until this task is done", limits: { untilRunEnds: true } },
];

/** Whether this answer may be given with an end. */
export function canBeLimited(option: ApprovalOption, { limits }: ApprovalRequest): boolean {
  return Boolean(limits) && (option.kind === "allow_session" || option.kind === "bypass_session");
}

/** The limits that a choice stands for. */
export function limitsOf(name: string | undefined): GrantLimits | undefined {
  return LIMIT_CHOICES.find((choice) => choice.name === name)?.limits;
}
