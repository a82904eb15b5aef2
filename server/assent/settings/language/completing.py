"""What fits at a place of a settings file: names of tools and agents, patterns that show what can be said, words."""

import json
from collections.abc import Iterable, Iterator
from enum import Enum

from assent.lazy_dataclasses import dataclass
from assent.policy.rules.rule import Effect, Rule
from assent.policy.rules.words import meaning
from assent.settings.agents import BYPASS_SETTING
from assent.settings.language.hovering import EFFECTS
from assent.settings.language.known import Known, KnownTool, example_patterns, touches_something
from assent.settings.language.where import Path, Role, Where
from assent.settings.spelling import PREFIX

_HOOKS = "hooks"


class Fits(Enum):
    """What kind of thing is offered."""

    TOOL = "tool"
    AGENT = "agent"
    PATTERN = "pattern"
    WORD = "word"
    SETTING = "setting"


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that fits, to be put in the place of the word or text that stands there."""

    label: str
    kind: Fits
    text: str
    """As it is written, with quotes and what belongs behind it."""
    detail: str = ""
    about: str = ""


def offers(where: Where, after: str, known: Known, *, in_workspace_file: bool = False) -> list[Offer]:
    """All that fits here, in a sensible order. `after` is what follows in the text."""
    setting = where.setting(in_workspace_file=in_workspace_file)
    if where.role is Role.NOTHING:
        return []
    if setting is None or (not setting[1] and where.role is Role.NAME):
        return list(_settings(where, after, known, in_workspace_file=in_workspace_file))
    key, rest = setting
    found = _values(key, rest, known) if where.role is Role.VALUE else _names(key, rest, after, known)
    return [one for one in found if one.label not in where.beside]


def _values(key: str, rest: Path, known: Known) -> Iterable[Offer]:
    effect = EFFECTS.get(key)
    if effect is not None:
        return _in_rule(effect, rest, known)
    match key, rest:
        case "toolAllowlist", (int(),):
            return _tools(known)
        case "agent", ():
            return _agents(known)
        case "hooks", (str(), int(), "matcher"):
            return _tools(known)
        case "bypassPermissions", (str(),):
            return () if known.editor_describes else map(_word, ("false", "true"))
        case _, ():
            return () if known.editor_describes else _words(key)
    return ()


def _in_rule(effect: Effect, rest: Path, known: Known) -> Iterable[Offer]:
    match rest:
        case (str() as tool, int()) | (str() as tool, int(), "pattern"):
            return _patterns(effect, tool, known)
        case (str(), int(), "agents", int()):
            return _agents(known)
    return ()


def _names(key: str, rest: Path, after: str, known: Known) -> Iterable[Offer]:
    named = after.lstrip().startswith(":")
    if key in EFFECTS and len(rest) == 1:
        return _tools(known, "" if named else ": []")
    if key == BYPASS_SETTING and len(rest) == 1:
        return _agents(known, "" if named else ": false")
    return ()


def _tools(known: Known, behind: str = "") -> Iterator[Offer]:
    for tool in known.tools.values():
        yield Offer(tool.name, Fits.TOOL, json.dumps(tool.name) + behind, tool.category.value, tool.about)


def _agents(known: Known, behind: str = "") -> Iterator[Offer]:
    for agent in known.agents.values():
        detail = "bypass is on" if agent.bypassing else "asks"
        yield Offer(agent.name, Fits.AGENT, json.dumps(agent.name, ensure_ascii=False) + behind, detail, agent.why)


def _patterns(effect: Effect, tool: str, known: Known) -> Iterator[Offer]:
    there: KnownTool | None = known.tools.get(tool)
    examples = example_patterns(tool, known.servers) if there is None or touches_something(there) else ("*",)
    for pattern in examples:
        about = meaning(Rule(effect, tool, pattern)) or ""
        yield Offer(pattern, Fits.PATTERN, json.dumps(pattern), about)


def _words(key: str) -> Iterator[Offer]:
    from assent.settings.declared import declared

    setting = declared().get(key)
    if setting is None:
        return
    if isinstance(setting.default, bool):
        yield from map(_word, ("true", "false"))
    for word, about in setting.about.words.items():
        yield Offer(word, Fits.WORD, json.dumps(word), about=about)


def _word(word: str) -> Offer:
    return Offer(word, Fits.WORD, word)


def _settings(where: Where, after: str, known: Known, *, in_workspace_file: bool) -> Iterator[Offer]:
    """The settings themselves, where a name of one belongs and the editor does not know them."""
    path = where.steps(in_workspace_file=in_workspace_file)
    nested = path[:1] == (PREFIX,) and len(path) == 2
    if known.editor_describes or where.role is not Role.NAME or not (len(path) == 1 or nested):
        return
    if in_workspace_file and path == where.path:
        return
    from assent.settings.declared import declared

    behind = "" if after.lstrip().startswith(":") else ": "
    for name, setting in declared().items():
        full = name if nested else f"{PREFIX}.{name}"
        if full not in where.beside:
            yield Offer(
                full, Fits.SETTING, json.dumps(full) + behind, about=f"{setting.about.does} {setting.about.warning}"
            )
