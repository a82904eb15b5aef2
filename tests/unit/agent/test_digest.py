"""The digest binds all that an approval is given to: a change of any part of it is a change of the digest."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.agent.digest import call_digest
from assent.agent.ports import Prepared, ToolAnswer
from assent.model.calls import Access, Caller, PathUse, ToolCall
from assent.model.ids import CallId, RunId, SessionId
from assent.model.preview import JsonPreview


async def nothing() -> ToolAnswer:
    return ToolAnswer("")


CALL = ToolCall(CallId("c"), "write_file", {"path": "a", "n": 1})
CALLER = Caller("agent", "Agent", SessionId("s"), RunId("r"))
USE = PathUse("/w/a", "a", Access.WRITE, inside=True)
PREPARED = Prepared("Write a", "/w", JsonPreview("{}"), (USE,), "state", "write_file", nothing)
BEFORE = call_digest(CALL, CALLER, PREPARED)

CHANGES: dict[str, Callable[[], str]] = {
    "tool": lambda: call_digest(replace(CALL, tool="write_files"), CALLER, PREPARED),
    "argument": lambda: call_digest(replace(CALL, args={"path": "b", "n": 1}), CALLER, PREPARED),
    "type of an argument": lambda: call_digest(replace(CALL, args={"path": "a", "n": "1"}), CALLER, PREPARED),
    "one argument more": lambda: call_digest(replace(CALL, args={"path": "a", "n": 1, "x": None}), CALLER, PREPARED),
    "no arguments": lambda: call_digest(replace(CALL, args=None), CALLER, PREPARED),
    "call": lambda: call_digest(replace(CALL, call_id=CallId("d")), CALLER, PREPARED),
    "agent": lambda: call_digest(CALL, replace(CALLER, agent_id="other"), PREPARED),
    "chat": lambda: call_digest(CALL, replace(CALLER, session_id=SessionId("t")), PREPARED),
    "directory": lambda: call_digest(CALL, CALLER, replace(PREPARED, directory="/v")),
    "state": lambda: call_digest(CALL, CALLER, replace(PREPARED, state="other")),
    "real path": lambda: call_digest(CALL, CALLER, replace(PREPARED, paths=(replace(USE, real="/w/b"),))),
    "access": lambda: call_digest(CALL, CALLER, replace(PREPARED, paths=(replace(USE, access=Access.DELETE),))),
    "one path more": lambda: call_digest(CALL, CALLER, replace(PREPARED, paths=(USE, USE))),
    "no path": lambda: call_digest(CALL, CALLER, replace(PREPARED, paths=())),
}


@pytest.mark.parametrize("change", CHANGES)
def test_any_change_is_seen(change: str) -> None:
    assert CHANGES[change]() != BEFORE


def test_all_changes_differ_from_each_other() -> None:
    assert len({change() for change in CHANGES.values()} | {BEFORE}) == len(CHANGES) + 1


def test_the_same_call_has_the_same_digest_whatever_the_order_of_its_arguments() -> None:
    turned = replace(CALL, args={"n": 1, "path": "a"})

    assert call_digest(turned, CALLER, PREPARED) == BEFORE


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(VALUES, VALUES)
def test_arguments_that_differ_as_text_differ_in_the_digest(one: object, other: object) -> None:
    first, second = ({"value": value} for value in (one, other))
    digests = {
        call_digest(replace(CALL, args=args), CALLER, PREPARED)  # type: ignore[arg-type]
        for args in (first, second)
    }

    assert (len(digests) == 1) == (canonical(one) == canonical(other))


def canonical(value: object) -> object:
    """Telling apart what Python takes for equal: 1, 1.0 and True; 0.0 and -0.0."""
    if isinstance(value, dict):
        return {key: canonical(item) for key, item in value.items()}
    if isinstance(value, list):
        return [canonical(item) for item in value]
    return (type(value), repr(value))
