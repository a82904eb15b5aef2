// The order of a card's buttons: what concerns this call first, then this chat, then what lasts, and refusing for good last.
import type { ApprovalOption, OptionKind } from "../protocol/generated.js";
import { refuses } from "./state.js";

/** A card's options by where they are drawn. */
export interface OptionGroups {
  approve: ApprovalOption | undefined;
  /** Further ways to say yes to this call alone: an agent of others asks which one. */
  ways: readonly ApprovalOption[];
  deny: ApprovalOption | undefined;
  /** In sight below them: they are about this call or end with this chat, the narrowest first. */
  chat: readonly ApprovalOption[];
  /** Folded away: they reach further, the widest last. */
  lasting: readonly ApprovalOption[];
  /** At the end of what is folded away: they refuse from now on. */
  never: readonly ApprovalOption[];
  /** The one of what lasts that the card speaks of: in sight, and not among the others. */
  marked: ApprovalOption | undefined;
}

const LASTING: readonly OptionKind[] = ["add_directory", "allow_always", "bypass_session", "bypass_agent"];

/** Sorts the options; none is lost, and those of one kind keep their order. */
export function optionGroups(options: readonly ApprovalOption[], markedId?: string | null): OptionGroups {
  const approve = options.find(({ kind }) => kind === "allow_once");
  const deny = options.find(({ kind }) => kind === "reject_once") ?? options.find(({ kind }) => refuses(kind));
  const ways = options.filter((option) => option.kind === "allow_once" && option !== approve);
  const first = [approve, deny, ...ways];
  const marked = options.find((option) => option.optionId === markedId && !first.includes(option));
  const others = options.filter((option) => option !== marked && !first.includes(option));
  const lasts = ({ kind }: ApprovalOption) => LASTING.includes(kind);
  return {
    approve,
    ways,
    deny,
    chat: others.filter((option) => !lasts(option) && !refuses(option.kind)).sort(narrowestFirst),
    lasting: others.filter(lasts).sort((one, other) => LASTING.indexOf(one.kind) - LASTING.indexOf(other.kind)),
    never: others.filter(({ kind }) => refuses(kind)),
    marked,
  };
}

/** What is about one call stands before what is about more; those of one kind keep their order. */
function narrowestFirst(one: ApprovalOption, other: ApprovalOption): number {
  return Number(one.kind !== "background") - Number(other.kind !== "background");
}

/** What else a click settles, so that nobody is surprised by calls that run along. */
export function alsoText({ kind, alsoResolves }: ApprovalOption): string {
  if (!alsoResolves || alsoResolves < 1) return "";
  const calls = alsoResolves === 1 ? "1 waiting call" : `${alsoResolves} waiting calls`;
  return refuses(kind) ? `Also denies ${calls}.` : `Also runs ${calls}.`;
}
