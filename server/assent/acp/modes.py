"""Which mode of an agent is which: the one in which it asks, the one in which it only plans, those in which it acts
without asking.

Ids and names are compared word by word and as a whole: “automatic formatting” is not “auto”.
"""

import re

from assent.acp.recognising import known_agent
from assent.acp.settings_reading import MODE
from assent.acp.well_known import KnownAgent
from assent.acp.words import Choice, Introduction, Setting
from assent.lazy_dataclasses import dataclass

_Words = tuple[str, ...]

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_DOES = {
    ("yolo",): "carries out everything without asking",
    ("yolo", "mode"): "carries out everything without asking",
    ("bypass",): "carries out everything without asking",
    ("bypass", "permissions"): "carries out everything without asking",
    ("dangerously", "skip", "permissions"): "carries out everything without asking",
    ("skip", "permissions"): "carries out everything without asking",
    ("allow", "all"): "carries out everything without asking",
    ("allow", "all", "tools"): "carries out everything without asking",
    ("approve", "all"): "carries out everything without asking",
    ("auto", "approve"): "carries out everything without asking",
    ("auto", "approve", "all"): "carries out everything without asking",
    ("always", "approve"): "carries out everything without asking",
    ("always", "proceed"): "carries out everything without asking",
    ("never",): "carries out everything without asking",
    ("never", "ask"): "carries out everything without asking",
    ("dont", "ask"): "never asks you",
    ("don", "t", "ask"): "never asks you",
    ("full", "access"): "carries out everything without asking, and nothing holds it",
    ("danger", "full", "access"): "carries out everything without asking, and nothing holds it",
    ("agent", "full", "access"): "carries out everything without asking, and nothing holds it",
    ("autopilot",): "works on its own, without asking",
    ("auto", "pilot"): "works on its own, without asking",
    ("full", "auto"): "works on its own, without asking",
    ("autonomous",): "works on its own, without asking",
    ("auto",): "decides by itself for what it asks you",
    ("auto", "mode"): "decides by itself for what it asks you",
    ("auto", "review"): "lets a model decide for what it asks you",
    ("llm", "approve"): "lets a model decide for what it asks you",
    ("risk", "based"): "asks only for what it takes to be risky",
    ("on", "failure"): "asks only after something has failed",
    ("accept", "edits"): "changes files without asking",
    ("auto", "accept"): "changes files without asking",
    ("auto", "accept", "edits"): "changes files without asking",
    ("auto", "edit"): "changes files without asking",
}
_ASKS: tuple[_Words, ...] = (
    ("always", "ask"),
    ("ask", "always"),
    ("ask",),
    ("ask", "mode"),
    ("approval", "required"),
    ("ask", "before", "edits"),
    ("manual",),
    ("untrusted",),
    ("on", "request"),
    ("read", "only"),
    ("default",),
)
"""The best first."""
_BY_DEFAULT = ("default",)
_PLANS: tuple[_Words, ...] = (("plan",), ("plan", "mode"), ("planning",), ("plan", "only"))
_MODES: tuple[_Words, ...] = (
    ("mode",),
    ("modes",),
    ("permission", "mode"),
    ("permissions",),
    ("approval", "mode"),
    ("approval", "policy"),
    ("approvals",),
    ("session", "mode"),
)
_OFF = ("false", "off", "no", "disabled", "never", "none")


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is known of a mode of an agent, or of another of its settings."""

    known: bool
    danger: str | None = None
    """A sentence for the user, where the agent then acts without asking."""


_UNKNOWN = Judgement(known=False)


def asking_mode(agent: Introduction | None, setting: Setting, launch_words: tuple[str, ...] = ()) -> str | None:
    """The id of the mode to be set so that the agent asks; None where no mode is known to do that."""
    known = known_agent(agent, launch_words)
    if not is_of_modes(setting) or (known is not None and not known.modes_are_modes):
        return None
    ids = {choice.choice_id: choice for choice in setting.choices}
    if known is not None and (told := next((one for one in known.asking_modes if one in ids), None)):
        return told
    for words in _ASKS:
        if words == _BY_DEFAULT and known is not None and not known.asks_by_default:
            continue
        for choice in setting.choices:
            if words in _words_of(choice) and _danger(choice, known) is None:
                return choice.choice_id
    return None


def asking_choice(agent: Introduction | None, setting: Setting, launch_words: tuple[str, ...] = ()) -> str | None:
    """The choice of another setting than the mode with which the agent asks; None where it is not known to matter."""
    known = known_agent(agent, launch_words)
    wanted = dict(known.asking_settings).get(setting.setting_id) if known is not None else None
    return wanted if any(choice.choice_id == wanted for choice in setting.choices) else None


def plan_mode(setting: Setting) -> str | None:
    """The id of the mode in which the agent only plans."""
    if not is_of_modes(setting):
        return None
    return next((choice.choice_id for choice in setting.choices if _words_of(choice).intersection(_PLANS)), None)


def danger(
    setting: Setting, mode_id: str, agent: Introduction | None = None, launch_words: tuple[str, ...] = ()
) -> str | None:
    """A sentence for the user, where the agent does not ask for everything with this choice."""
    return judge(setting, mode_id, agent, launch_words).danger


def judge(
    setting: Setting, mode_id: str, agent: Introduction | None = None, launch_words: tuple[str, ...] = ()
) -> Judgement:
    """What is known of this choice."""
    known = known_agent(agent, launch_words)
    choice = next((one for one in setting.choices if one.choice_id == mode_id), Choice(mode_id, mode_id))
    if not is_of_modes(setting):
        return _judge_switch(setting, choice)
    if known is not None and not known.modes_are_modes:
        return _UNKNOWN
    does = _danger(choice, known)
    if does is not None:
        return Judgement(True, f"In the mode “{choice.name}” the agent {does}: Assent sees only what it asks for.")
    familiar = _words_of(choice).intersection((*_ASKS, *_PLANS)) or (
        known is not None and mode_id in known.asking_modes
    )
    return Judgement(known=bool(familiar))


def is_of_modes(setting: Setting) -> bool:
    """Whether this setting chooses how the agent works. A model may be called “auto” as well."""
    if setting.category is not None:
        return setting.category == MODE
    return bool({_split(setting.setting_id), _split(setting.name)}.intersection(_MODES))


def _judge_switch(setting: Setting, choice: Choice) -> Judgement:
    """Of a setting that is itself the danger, such as one that allows all."""
    does = next((_DOES[words] for words in (_split(setting.setting_id), _split(setting.name)) if words in _DOES), None)
    if does is None or _split(setting.setting_id) in (("auto",), ("never",)):
        return _UNKNOWN
    if choice.choice_id.casefold() in _OFF:
        return Judgement(known=True)
    return Judgement(True, f"With “{setting.name}” set to “{choice.name}” the agent {does}.")


def _danger(choice: Choice, known: KnownAgent | None) -> str | None:
    if known is not None:
        if (told := dict(known.dangerous_modes).get(choice.choice_id)) is not None:
            return told
        if choice.choice_id in known.asking_modes:
            return None
    return next((_DOES[words] for words in sorted(_words_of(choice)) if words in _DOES), None)


def _words_of(choice: Choice) -> frozenset[_Words]:
    return frozenset({_split(_end_of(choice.choice_id)), _split(choice.name)})


def _end_of(mode_id: str) -> str:
    """Of an address, what is different: some agents have addresses as ids."""
    return mode_id.rpartition("#")[2] if "#" in mode_id else mode_id.rstrip("/").rpartition("/")[2]


def _split(text: str) -> _Words:
    return tuple(word.casefold() for word in _WORD.findall(text))
