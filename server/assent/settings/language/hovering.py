"""What a rule, a setting or a name means, for whoever points at it."""

from collections.abc import Mapping

from assent.lazy_dataclasses import dataclass
from assent.model.json import Json
from assent.policy.rules.rule import Effect, Rule
from assent.policy.rules.words import meaning
from assent.settings.agents import BYPASS_SETTING
from assent.settings.jsonc import Document, below
from assent.settings.language.known import Known
from assent.settings.language.where import Path, Role, Where
from assent.settings.loosening import ALLOWLIST
from assent.settings.rule_reading import KEYS
from assent.settings.spelling import PREFIX

EFFECTS = {key: effect for effect, key in KEYS.items()}
ORDER = {
    Effect.DENY: "It comes before everything else: no mode, bypass or allow rule lifts it.",
    Effect.ASK: "Deny rules come first. No mode, bypass or allow rule lifts it.",
    Effect.ALLOW: (
        "Deny and ask rules, protected files and places outside the workspace come first. In a workspace's settings it"
        " counts once you agreed to it on this machine."
    ),
}
_OF_TOOL = {
    Effect.DENY: "Calls of {} that are refused without asking.",
    Effect.ASK: "Calls of {} that are always asked for.",
    Effect.ALLOW: "Calls of {} that run without asking.",
}
_LONGEST_ABOUT = 300


@dataclass(frozen=True, slots=True)
class Hover:
    """Words, as Markdown, about a stretch of the text."""

    text: str
    start: int
    end: int


def hover(where: Where, document: Document | None, known: Known, *, in_workspace_file: bool = False) -> Hover | None:
    """What is said of this place; None where there is nothing to say. `document` is the text, where it can be read."""
    setting = where.setting(in_workspace_file=in_workspace_file)
    if setting is None or where.role is Role.NOTHING or where.start == where.end:
        return None
    key, rest = setting
    steps = where.steps(in_workspace_file=in_workspace_file)
    text = _said(key, rest, where, _Whole(document, steps), known)
    return Hover(text, where.start, where.end) if text else None


@dataclass(frozen=True, slots=True)
class _Whole:
    """The text around a place, where it can be read."""

    document: Document | None
    steps: Path

    def up_to(self, count: int) -> Json:
        """What stands there, so many steps before the place."""
        node = self.document.root if self.document is not None else None
        for step in self.steps[: len(self.steps) - count]:
            node = below(node, step) if node is not None else None
        return node.value if node is not None else None


def _said(key: str, rest: Path, where: Where, whole: _Whole, known: Known) -> str | None:
    if not rest:
        return _of_setting(key, where, known)
    effect = EFFECTS.get(key)
    if effect is not None:
        return _in_rules(effect, rest, where, whole, known)
    if key == ALLOWLIST:
        return _joined(_tool(where.written, known), _rule(Rule(Effect.ALLOW, where.written, "*")))
    if key == BYPASS_SETTING:
        return _bypass(str(rest[0]), known) if len(rest) == 1 else None
    return None


def _of_setting(key: str, where: Where, known: Known) -> str | None:
    if where.role is Role.VALUE and key == "agent":
        return _bypass(where.written, known)
    if known.editor_describes:
        return None
    from assent.settings.declared import declared

    setting = declared().get(key)
    if setting is None:
        return None
    if where.role is Role.VALUE:
        return setting.about.words.get(where.written)
    return f"`{PREFIX}.{key}`\n\n{setting.about.does}\n\n{setting.about.warning}"


def _in_rules(effect: Effect, rest: Path, where: Where, whole: _Whole, known: Known) -> str | None:
    tool = str(rest[0])
    if len(rest) == 1:
        return _joined(_OF_TOOL[effect].format(f"`{tool}`"), _tool(tool, known)) if where.role is Role.NAME else None
    if rest[2:3] == ("agents",) and len(rest) == 4:
        return _bypass(where.written, known)
    written = whole.up_to(len(rest) - 2)
    if written is None and len(rest) == 2:
        written = where.written
    rule = rule_written(effect, tool, written)
    return _rule(rule) if rule is not None else None


def rule_written(effect: Effect, tool: str, written: Json) -> Rule | None:
    """The rule of an entry; None where it is none."""
    pattern = written.get("pattern") if isinstance(written, Mapping) else written
    if not isinstance(pattern, str) or not pattern:
        return None
    agents = written.get("agents") if isinstance(written, Mapping) else None
    named = tuple(agent for agent in agents if isinstance(agent, str)) if isinstance(agents, list) else None
    return Rule(effect, tool, pattern, agents=named)


def _rule(rule: Rule) -> str:
    if not rule.pattern.isprintable():
        return "This pattern holds signs that cannot be shown."
    words = meaning(rule)
    if words is None:
        return "This pattern cannot be used: what is underlined says why."
    happens = f"**Runs without asking:** {words}" if rule.effect is Effect.ALLOW else f"**{words}**"
    whose = "" if rule.audience is None else f"Only for {', '.join(rule.audience) or 'no agent'}."
    return _joined(happens, whose, ORDER[rule.effect])


def _tool(name: str, known: Known) -> str:
    tool = known.tools.get(name)
    if tool is None:
        return ""
    about = tool.about if len(tool.about) <= _LONGEST_ABOUT else f"{tool.about[:_LONGEST_ABOUT]}…"
    return _joined(
        f"`{name}` counts as **{tool.category}**: the mode decides about that, where no rule speaks of it.", about
    )


def _bypass(name: str, known: Known) -> str | None:
    agent = known.agents.get(name)
    if agent is None:
        return None
    if agent.bypassing:
        return f"**Bypass is on:** calls of “{name}” run without asking, except on protected files. {agent.why}"
    return f"Calls of “{name}” are asked for as the mode and the rules say. {agent.why}"


def _joined(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part)
