"""What a model is to do, written into the message that it is asked with: `<plan>[[["run", {...}]], ...]</plan>`.

A plan is a list of rounds, a round a list of calls that the model makes at once. A call is named by what it does; the
model picks the tool of the agent for it.
"""

import json
import re
from dataclasses import dataclass
from typing import Any, Literal

Deed = Literal["run", "read", "write", "edit", "patch"]
Call = tuple[Deed, dict[str, str]]
Round = list[Call]

_PLAN = re.compile(r"<plan>(.*?)</plan>", re.DOTALL)


def run(command: str) -> Call:
    """The model runs a command."""
    return "run", {"command": command}


def read(path: str) -> Call:
    """The model reads a file."""
    return "read", {"path": path}


def write(path: str, content: str) -> Call:
    """The model writes a file."""
    return "write", {"path": path, "content": content}


def edit(path: str, old: str, new: str) -> Call:
    """The model replaces a piece of a file."""
    return "edit", {"path": path, "old": old, "new": new}


def patch(path: str, old: str | None, new: str, kept: str = "") -> Call:
    """The model makes a file or replaces its beginning, in the one form in which some agents take both."""
    added = "".join(f"+{line}\n" for line in new.splitlines())
    if old is None:
        changed = f"*** Add File: {path}\n{added}"
    else:
        removed = "".join(f"-{line}\n" for line in old.splitlines())
        after = "".join(f" {line}\n" for line in kept.splitlines())
        changed = f"*** Update File: {path}\n@@\n{removed}{added}{after}"
    return "patch", {"patch": f"*** Begin Patch\n{changed}*** End Patch\n"}


def message(*rounds: Round) -> str:
    """A message of the user that has the model do this, round by round."""
    return f"Please do as planned. <plan>{json.dumps(rounds)}</plan>"


@dataclass(frozen=True, slots=True)
class Asked:
    """What a model is asked: the last message with a plan in it, and what was answered to its calls since."""

    plan: list[Round] | None
    results: tuple[str, ...]
    """Of all calls since that message, in their order."""


def asked(turns: list[tuple[str, list[str]]]) -> Asked:
    """Out of a whole conversation: of each turn what the user says, and the results that it brings."""
    plan: list[Round] | None = None
    results: list[str] = []
    for text, brought in turns:
        found = _PLAN.findall(text)
        if found:
            plan, results = _rounds(found[-1]), []
        results += brought
    return Asked(plan, tuple(results))


def _rounds(text: str) -> list[Round]:
    rounds: list[list[Any]] = json.loads(text)
    return [[(deed, arguments) for deed, arguments in one] for one in rounds]


def next_round(asked: Asked) -> Round | None:
    """The calls that come next, or None when all are answered."""
    done = len(asked.results)
    for one in asked.plan or ():
        if done < len(one):
            return one[done:]
        done -= len(one)
    return None
