"""For which tools a hook is: names, globs, alternatives; what makes no sense counts for all."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.hooks.matching import fault_of, matches
from assent.model.calls import ToolCall
from assent.model.hooks import own_names
from assent.model.ids import CallId


@pytest.mark.parametrize(
    ("matcher", "meant", "not_meant"),
    [
        ("bash", ["bash"], ["bash_output", "kill_bash", "Bash", ""]),
        ("bash|write_file", ["bash", "write_file"], ["read_file", "bash|write_file"]),
        (" bash | write_file ", ["bash", "write_file"], ["read_file"]),
        ("*", ["bash", "mcp:files:read", ""], []),
        ("", ["bash", "anything"], []),
        ("  ", ["bash"], []),
        ("*_file", ["read_file", "write_file", "_file"], ["read_files", "file"]),
        ("bash*", ["bash", "bash_output"], ["kill_bash"]),
        ("*ba*sh*", ["bash", "kill_bash", "ba_sh_"], ["sh", "bas_h"]),
        ("a*a", ["aa", "aba"], ["a", "ab"]),
        ("mcp:files:*", ["mcp:files:read"], ["mcp:other:read", "mcp:files"]),
        ("mcp.*", ["mcp.files", "mcp_files", "mcp:files:read"], ["acp:edit", "xmcp.a"]),
        ("acp:*", ["acp:edit"], ["bash"]),
        ("browser:https://example.org", ["browser:https://example.org"], ["browser:https://example.com"]),
    ],
)
def test_names_globs_and_alternatives(matcher: str, meant: list[str], not_meant: list[str]) -> None:
    assert fault_of(matcher) is None
    assert [name for name in meant if not matches(matcher, name)] == []
    assert [name for name in not_meant if matches(matcher, name)] == []


@pytest.mark.parametrize(
    "matcher", ["^bash$", "(bash", "bash|", "|bash", "a||b", "ba[s]h", "bash\n", "a" * 2_000, 7, None]
)
def test_what_is_no_matcher_has_a_fault_and_means_every_tool(matcher: object) -> None:
    assert fault_of(matcher)
    if isinstance(matcher, str):
        assert matches(matcher, "write_file")


@given(st.lists(st.text("ab*._", max_size=8), min_size=1, max_size=4), st.text("ab._", max_size=12))
def test_an_alternative_more_never_means_fewer_tools(parts: list[str], name: str) -> None:
    named = [part for part in parts if part]
    for count in range(1, len(named)):
        if matches("|".join(named[:count]), name):
            assert matches("|".join(named), name)


def test_a_long_matcher_costs_no_more_than_its_length() -> None:
    """With backtracking, this would not come to an end."""
    for _ in range(100):
        assert not matches("a*" * 400 + "b", "a" * 5_000)


@pytest.mark.parametrize(
    ("tool", "args", "names"),
    [
        ("bash", {"command": "x", "node_type": "y"}, ("bash",)),
        ("run_workflow", {"workflow_id": "file:w"}, ("run_workflow", "run_workflow:file:w", "file:w")),
        ("run_node", {"node_type": "mcp.files.read"}, ("run_node", "run_node:mcp.files.read", "mcp.files.read")),
        ("run_node", {"node_type": "bash"}, ("run_node", "run_node:bash")),
        ("run_node", {"node_type": 5}, ("run_node",)),
        ("run_node", None, ("run_node",)),
    ],
)
def test_what_stands_for_something_else_is_meant_by_that_too(tool: str, args: Any, names: tuple[str, ...]) -> None:
    assert own_names(ToolCall(CallId("c"), tool, args)) == names
