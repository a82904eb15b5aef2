"""Which lasting answers would truly help: each is tried on the call that is asked for before a card offers it.

An answer that would not let the same call run the next time is no answer, so the decision itself is asked: would this
call run if that were granted?
"""

from dataclasses import replace

from assent.masking import mask_text
from assent.model.approval import Option
from assent.model.calls import Access, CallFacts, PathUse
from assent.model.commands import Part
from assent.model.grants import DirectoryGrant, KeyGrant, RootGrant, RuleGrant, ToolGrant
from assent.model.verdict import Decision, Situation
from assent.policy.commands import grant_keys, uncovered_parts
from assent.policy.decide import decide
from assent.policy.options import Scope, options_for
from assent.policy.reach import is_within, starts_outside, widest
from assent.policy.rules.naming import holds_secrets
from assent.policy.rules.spelling import is_absolute, is_drive, is_windows
from assent.policy.rules.suggest import Suggestion, suggest, suggest_command, suggest_deny
from assent.policy.rules_in_force import Rules
from assent.policy.trial import Trial


def offer(
    facts: CallFacts,
    rules: Rules,
    decision: Decision,
    *,
    agent_id: str,
) -> tuple[Option, ...]:
    """The buttons for a call that is asked for, by what these rules say of it."""
    needing, trial = uncovered_parts(facts, rules), Trial(facts, rules, decision)
    situation = decision.situation
    allowed = _helpful(facts, rules, needing, trial)
    keys = grant_keys(facts, needing)
    place = _place(facts, rules, situation)
    scope = Scope(
        agent_name=rules.agent_name,
        agent_id=agent_id,
        grant_label=keys[0],
        more_labels=keys[1:],
        grantable=trial.runs(KeyGrant(keys[0], keys[1:])),
        session_options=rules.session_grants_offered,
        bypass_available=rules.bypass_available,
        bypass_kept=rules.bypass_kept,
        rules_kept=rules.rules_kept,
        always=_naming_what_is_raised(facts, allowed) if situation is Situation.RAISED else allowed,
        always_tool=facts.tool if trial.runs(ToolGrant(facts.tool)) else "",
        session_tool=facts.tool if facts.command and trial.runs(KeyGrant(facts.tool)) else "",
        directory=_directory(facts, trial, place) if place else None,
        root=place if place and _is_outside_no_more(facts, rules, RootGrant(place)) else "",
        can_go_on=facts.can_go_on,
        never=_storable(suggest_deny(facts, rules.roots, rules.home), rules),
    )
    return options_for(situation, scope)


class Offers:
    """The buttons of one waiting call, which is looked at again: tried anew only where something is not as it was."""

    __slots__ = ("_agent_id", "_last")

    def __init__(self, agent_id: str) -> None:
        self._agent_id = agent_id
        self._last: tuple[tuple[CallFacts, Rules, Decision], tuple[Option, ...]] | None = None

    def of(self, facts: CallFacts, rules: Rules, decision: Decision) -> tuple[Option, ...]:
        """What `offer` says of these."""
        basis = (facts, rules, decision)
        if self._last is None or self._last[0] != basis:
            self._last = (basis, offer(facts, rules, decision, agent_id=self._agent_id))
        return self._last[1]


def helpful_rules(facts: CallFacts, rules: Rules) -> tuple[Suggestion, ...]:
    """Allow rules that would let this call run, the narrowest first. None helps against an ask rule, say."""
    return _helpful(facts, rules, uncovered_parts(facts, rules), Trial(facts, rules))


def _helpful(facts: CallFacts, rules: Rules, needing: tuple[Part, ...], trial: Trial) -> tuple[Suggestion, ...]:
    suggested = (one for one in _suggested(facts, rules, needing) if _may_be_stored(one, rules))
    return tuple(one for one in suggested if trial.runs(RuleGrant(one.tool, one.pattern)))


def _may_be_stored(suggestion: Suggestion, rules: Rules) -> bool:
    """A rule stands in a settings file for everybody to read: one that would hold a secret is no help."""
    return mask_text(suggestion.pattern, rules.secrets)[1] == 0


def _storable(suggestion: Suggestion | None, rules: Rules) -> Suggestion | None:
    return suggestion if suggestion is not None and _may_be_stored(suggestion, rules) else None


def _suggested(facts: CallFacts, rules: Rules, needing: tuple[Part, ...]) -> tuple[Suggestion, ...]:
    if facts.command is None:
        return suggest(facts, rules.roots, rules.home)
    return suggest_command(facts.command, needing)


def facts_with(facts: CallFacts, added: RootGrant) -> CallFacts:
    """The same call, where this directory is a part of the workspace: its paths lie inside."""
    paths = _taken_in(facts.paths, added)
    if facts.command is None:
        return replace(facts, paths=paths)
    parts = tuple(_part_taken_in(part, added) for part in facts.command.parts)
    return replace(facts, paths=paths, command=replace(facts.command, parts=parts))


def _taken_in(paths: tuple[PathUse, ...], added: RootGrant) -> tuple[PathUse, ...]:
    return tuple(replace(use, inside=use.inside or is_within(use.real, added.directory)) for use in paths)


def _part_taken_in(part: Part, added: RootGrant) -> Part:
    inner = tuple(_part_taken_in(one, added) for one in part.inner)
    return replace(part, paths=_taken_in(part.paths, added), inner=inner)


def _naming_what_is_raised(facts: CallFacts, allowed: tuple[Suggestion, ...]) -> tuple[Suggestion, ...]:
    """For a secret the rule that names the file, for what lies outside the one that names the directory."""
    if any(map(holds_secrets, facts.paths)):
        return allowed[:1]
    return tuple(one for one in allowed if one.pattern.endswith(("/**", "/")))[:1] or allowed[:1]


def _place(facts: CallFacts, rules: Rules, situation: Situation) -> str | None:
    """The directory for which it is asked; none where that is the home directory or more."""
    if situation not in (Situation.RAISED, Situation.OUTSIDE):
        return None
    place = _common_folder(_far(facts))
    return None if place is None or (rules.home and is_within(rules.home, place)) else place


def _far(facts: CallFacts) -> tuple[PathUse, ...]:
    return tuple(use for use in facts.paths if not use.inside and (use.access is not Access.RUN or starts_outside(use)))


def _directory(facts: CallFacts, trial: Trial, place: str) -> DirectoryGrant | None:
    """That directory for this chat, with no more access than the call needs."""
    grant = DirectoryGrant(place, widest(_far(facts)))
    return grant if trial.runs(grant) else None


def _is_outside_no_more(facts: CallFacts, rules: Rules, added: RootGrant) -> bool:
    now = decide(facts_with(facts, added), replace(rules, roots=(*rules.roots, added.directory)))
    return now.situation is not Situation.OUTSIDE


def _common_folder(uses: tuple[PathUse, ...]) -> str | None:
    """The folder that all these paths lie in; none where that is the whole file system, or a whole drive."""
    folders = [_folder_names(use) for use in uses if is_absolute(use.real)]
    if not folders or len(folders) != len(uses):
        return None
    first, last = min(folders), max(folders)
    depth = next((at for at, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), len(first))
    shared = first[:depth]
    if not any(shared) or is_drive(shared[-1]):
        return None
    return ("\\" if "\\" in uses[0].real and is_windows(uses[0].real) else "/").join(shared)


def _folder_names(use: PathUse) -> list[str]:
    plain = use.real.replace("\\", "/") if is_windows(use.real) else use.real
    names = plain.rstrip("/").split("/")
    return names if use.is_directory else names[:-1]
