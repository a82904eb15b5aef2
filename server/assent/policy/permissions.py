"""The rungs 10 to 20: what lets a call run that nothing forbids, and the question where nothing does."""

from functools import lru_cache

from assent.model.calls import Access, CallFacts, HookAnswer
from assent.model.commands import Part
from assent.model.modes import Category, parse_category
from assent.model.nodes import FLOW_TOOL, NODE_TOOL, shown_key
from assent.model.verdict import Outcome, Reason, Situation
from assent.policy.answer import Answer, Passed, found_rule, named, origin_of
from assent.policy.commands import KEY_START, covered_by_rules, covered_in_chat, shortened, shortfall
from assent.policy.matrix import Cell
from assent.policy.reach import changes, effective_category, granted, is_raised, is_raised_use, reaches_near
from assent.policy.rules.commands.index import Placed
from assent.policy.rules.commands.pattern import without_identities
from assent.policy.rules.naming import holds_secrets
from assent.policy.rules.rule import SHELL_TOOL, Effect
from assent.policy.rules_in_force import Rules

_DOES = {
    Category.INTERNAL: "it does this",
    Category.READ: "it reads",
    Category.WRITE: "it writes",
    Category.EXECUTE: "it runs something",
    Category.EXTERNAL: "it reaches the network or places outside the workspace",
}
_GRAVEST = (Category.EXECUTE, Category.EXTERNAL)
_NO_BYPASS = (
    "A bypass is switched on and does not count: no bypass is available here "
    "(assent.bypassAvailable is off, or the agent is another one by now)."
)


def internal(facts: CallFacts, rules: Rules) -> Answer | None:
    """It touches nothing outside the chat."""
    if effective_category(facts) is not Category.INTERNAL:
        return None
    return _run(Reason.INTERNAL, "By itself it has no effect outside this chat.")


def reading(facts: CallFacts, rules: Rules) -> Answer | Passed | None:
    """The mode lets an agent read inside the workspace. A command that is only believed to read has to be held."""
    if effective_category(facts) is not Category.READ or rules.cell(Category.READ) is not Cell.AUTO:
        return None
    if facts.wall is None and _doubt(facts):
        return Passed(_only_believed(facts))
    held = f" {facts.wall} keeps it from all else." if facts.wall is not None else ""
    text = f"Mode “{rules.mode_label}” lets an agent read inside the workspace.{held}"
    return Answer(Outcome.RUN, Reason.READ_AUTO, text, held=facts.wall is not None)


def _doubt(facts: CallFacts) -> str:
    return facts.command.doubt if facts.command is not None else ""


def _only_believed(facts: CallFacts) -> str:
    return f"It seems only to read, but it {_doubt(facts)}, and nothing here would hold it back."


def bypass_agent(facts: CallFacts, rules: Rules) -> Answer | Passed | None:
    """The agent asks for nothing any more."""
    if not rules.bypass_agent:
        return None
    if not rules.bypass_available:
        return Passed(_NO_BYPASS)
    return _run(Reason.BYPASS_AGENT, f"Permissions are bypassed for {rules.agent_name}.")


def bypass_session(facts: CallFacts, rules: Rules) -> Answer | Passed | None:
    """In this chat nothing is asked for any more."""
    if not rules.bypass_session:
        return None
    if not rules.bypass_available:
        return Passed(_NO_BYPASS)
    return _run(Reason.BYPASS_SESSION, "Permissions are bypassed for this chat.")


def allow_rule(facts: CallFacts, rules: Rules) -> Answer | Passed | None:
    """A rule allows it; of a command, rules allow all parts that the mode would not run by themselves."""
    if facts.tool == SHELL_TOOL:
        return _command_by_rules(facts, rules)
    found = found_rule(Effect.ALLOW, facts, rules)
    if found is None:
        return None
    return Answer(Outcome.RUN, Reason.ALLOW_RULE, f"{found.named} allows this.", rule=found.origin)


def _command_by_rules(facts: CallFacts, rules: Rules) -> Answer | Passed | None:
    covering = covered_by_rules(facts, rules)
    if covering is None:
        return None
    if not covering.complete:
        return _passed(covering.uncovered)
    first = next((used for used in covering.used if isinstance(used, Placed)), None)
    if first is None:
        return None
    text = f"{named(first.rule)} allows this."
    return Answer(Outcome.RUN, Reason.ALLOW_RULE, text, rule=origin_of(first.rule), held=covering.held)


def _passed(part: Part | None) -> Passed | None:
    return Passed(f"No rule covers “{shortened(part.written)}”.") if part is not None and part.written else None


def always_allowed(facts: CallFacts, rules: Rules) -> Answer | None:
    """The tool is allowed whatever it touches; reading outside or a secret, or what is near, needs more than that."""
    # What a node or a workflow does is not known from the tool that runs it.
    if is_raised(facts) or reaches_near(facts) or facts.tool in (NODE_TOOL, FLOW_TOOL):
        return None
    if facts.tool in rules.always_allowed:
        return _run(Reason.ALWAYS_ALLOW, f"Your settings always allow {facts.tool} (assent.toolAllowlist).")
    if facts.tool in rules.chat_tools:
        text = f"You clicked that {facts.tool} is always allowed. That is not stored; it holds in this chat."
        return _run(Reason.ALWAYS_ALLOW, text)
    return None


def session_grant(facts: CallFacts, rules: Rules) -> Answer | None:
    """Its kind is allowed for this chat, or all that it touches lies where the chat may go."""
    if facts.part_of and facts.part_of in rules.session_grants and not is_raised(facts):
        return _run(
            Reason.SESSION_ALLOW, f"You allowed {shown_key(facts.part_of)} for this chat, and this is one of its steps."
        )
    if facts.tool == SHELL_TOOL:
        return _command_in_chat(facts, rules) or _only_granted_paths(facts, rules)
    wide = is_raised(facts) or (facts.grant_key == facts.tool and reaches_near(facts))
    if facts.grant_key and facts.grant_key in rules.session_grants and not wide:
        return _run(Reason.SESSION_ALLOW, f"You allowed {shown_key(facts.grant_key)} for this chat.")
    return _only_granted_paths(facts, rules)


def _command_in_chat(facts: CallFacts, rules: Rules) -> Answer | None:
    if SHELL_TOOL in rules.session_grants and not is_raised(facts):
        return _run(Reason.SESSION_ALLOW, "You allowed every shell command for this chat.")
    covering = covered_in_chat(facts, rules)
    if covering is None or not covering.complete:
        return None
    key = next((used for used in covering.used if isinstance(used, str)), None)
    if key is not None:
        text = f"You allowed {without_identities(key.removeprefix(KEY_START))} for this chat."
        return Answer(Outcome.RUN, Reason.SESSION_ALLOW, text, held=covering.held)
    if covering.excused:
        return _run(Reason.SESSION_ALLOW, "You allowed what it reads for this chat.")
    return None


def _only_granted_paths(facts: CallFacts, rules: Rules) -> Answer | None:
    # What else a command does besides touching these paths, nobody knows.
    only_paths = parse_category(facts.category) in (Category.READ, Category.WRITE) and facts.paths and not _doubt(facts)
    if only_paths and all(granted(use, rules.directory_grants) for use in facts.paths):
        return _run(Reason.SESSION_ALLOW, f"You allowed the directory of {facts.paths[0].real} for this chat.")
    return None


def hook_mark(facts: CallFacts, rules: Rules) -> Answer | None:
    """A hook of the user's allows it."""
    if facts.hooks.answer is not HookAnswer.ALLOW:
        return None
    said = f": {facts.hooks.text}" if facts.hooks.text else "."
    return _run(Reason.HOOK_ALLOW, f"A hook of yours allows this{said}")


def sandbox(facts: CallFacts, rules: Rules) -> Answer | None:
    """It cannot reach anything that would need a question."""
    if not rules.sandbox_auto or facts.sandbox is None:
        return None
    kept = "no network, nothing writable outside the workspace, no secrets"
    return _run(Reason.SANDBOXED, f"It runs in the sandbox ({facts.sandbox}): {kept}.")


def mode(facts: CallFacts, rules: Rules) -> Answer | Passed | None:
    """The mode runs such calls."""
    if rules.cell(effective_category(facts)) is not Cell.AUTO:
        return None
    if _doubt(facts) and any(rules.cell(graver) is not Cell.AUTO for graver in _GRAVEST):
        return Passed(f"The mode runs what only does that, but it {_doubt(facts)}, so nobody can be sure of it.")
    return _run(Reason.MODE_AUTO, f"Mode “{rules.mode_label}” runs this without asking.")


def ask(facts: CallFacts, rules: Rules) -> Answer:
    """Nothing lets it run."""
    what = "it reads secrets" if _only_secrets(facts) else _DOES[effective_category(facts)]
    note = (
        _UNGUARDED * facts.unguarded + _command_note(facts, rules) + _raised_note(facts) + _changed_note(facts, rules)
    )
    agent = rules.agent_name or "an agent"
    return Answer(
        Outcome.ASK,
        Reason.NEEDS_APPROVAL,
        note + _must_ask(rules.mode_label, agent, what),
        Situation.RAISED if is_raised(facts) else Situation.ORDINARY,
    )


_UNGUARDED = "It wants to run without what keeps protected files from it. "


@lru_cache(maxsize=256)
def _must_ask(mode_label: str, agent: str, what: str) -> str:
    """Said of most calls that wait, and kept with each: one text for all."""
    return f"In mode “{mode_label}”, {agent} must ask before {what}."


def _command_note(facts: CallFacts, rules: Rules) -> str:
    """What of a command is not permitted, and what of it nobody can know."""
    if facts.command is None:
        return ""
    if facts.command.unreadable is not None:
        return f"{facts.command.unreadable} "
    if facts.wall is None and _doubt(facts) and effective_category(facts) is Category.READ:
        return f"{_only_believed(facts)} "
    missing = shortfall(facts, rules)
    return f"{missing} " if missing else ""


def _changed_note(facts: CallFacts, rules: Rules) -> str:
    """That the user allowed something else under the name of this node."""
    node = facts.node
    if node is None:
        return ""
    agent = rules.agent_name
    in_chat = any(key.startswith(node.key_start) and key != node.key for key in rules.session_grants)
    by_rule = rules.book.permitted_before(node, agent) or rules.chat_book.permitted_before(node, agent)
    return f"{node.node_id} has changed since you allowed it. " if in_chat or by_rule else ""


def _only_secrets(facts: CallFacts) -> bool:
    """Whether it would be a mere reading, were it not for what it reads."""
    raised = [use for use in facts.paths if is_raised_use(use)]
    mere = parse_category(facts.category) is Category.READ and not changes(facts)
    return bool(raised) and mere and all(use.inside for use in raised)


def _raised_note(facts: CallFacts) -> str:
    for use in facts.paths:
        if use.access is Access.READ and not use.inside:
            return f"{use.real} lies outside the workspace. "
        if use.access is Access.READ and holds_secrets(use):
            return f"{use.shown} looks as if it held secrets. "
    return ""


def _run(reason: Reason, text: str) -> Answer:
    return Answer(Outcome.RUN, reason, text)
