"""What a sub-agent is told, and whether what it answers is what was asked for. Without I/O."""

import re

from assent.agent.json_schema import misfit
from assent.agent.ports import Errand
from assent.jsontext import NotJson, read_json, readable_json
from assent.lazy_dataclasses import dataclass
from assent.model.json import JsonObject

MOST_TRIES = 4
"""Answers that are looked at before it is given up that one fits: the first, and three more."""

_RULES = (
    "You are a sub-agent: another agent has handed this task on to you. You see nothing of its conversation, and it "
    "sees nothing of yours but your last message. Put there what it needs to know, and what you could not do. "
    "You cannot ask it anything."
)
_ONLY_JSON = "Your last message has to be JSON that fits this schema, and nothing else:"
# Models like to wrap what they are asked for.
_WRAPPED = re.compile(r"\s*```(?:json)?[ \t]*\n(?P<inner>.*)\n[ \t]*```\s*", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer as it goes to the agent above, or why it does not."""

    text: str
    misfit: str | None = None


def rules_for(errand: Errand) -> str:
    """What the sub-agent is told beside what every agent is told."""
    if errand.output_schema is None:
        return _RULES
    return f"{_RULES}\n\n{_ONLY_JSON}\n{readable_json(errand.output_schema)}"


def answered(text: str, schema: JsonObject, most: int) -> Answered:
    """The JSON in a text of the sub-agent, if it fits the schema and has no more than so many bytes."""
    wrapped = _WRAPPED.fullmatch(text)
    try:
        value = read_json(wrapped["inner"] if wrapped else text)
    except NotJson as fault:
        return Answered("", f"it is not JSON ({fault})")
    fault_of_it = misfit(value, schema)
    if fault_of_it is not None:
        return Answered("", fault_of_it)
    spelled = readable_json(value)
    if len(spelled.encode("utf-8", "surrogatepass")) > most:
        return Answered("", f"it is longer than {most:,} bytes")
    return Answered(spelled)


def not_fitting(why: str) -> str:
    """What the sub-agent is told when its answer does not fit."""
    return (
        f"Your answer does not fit what was asked for: {why}. Answer once more, with JSON that fits and nothing else."
    )
