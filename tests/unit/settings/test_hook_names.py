"""A hook for a tool that there is not is told of: it would be missed when it is too late."""

import pytest

from assent.model.hooks import Hook, HookEvent
from assent.settings.hook_names import unheard_of

TOOLS = ("bash", "write_file", "run_subtask")


@pytest.mark.parametrize(
    "matcher",
    ["", "*", "bash", "bash|write_file", " bash ", "*_file", "mcp.*", "mcp:x:y", "acp:other", "delete_file|move_file"],
)
def test_names_of_tools_and_globs_are_no_matter(matcher: str) -> None:
    assert list(unheard_of([Hook(HookEvent.PRE_TOOL_USE, "x", matcher)], TOOLS)) == []


@pytest.mark.parametrize(("matcher", "meant"), [("Bash|Write", "bash"), ("writefile", "write_file"), ("qqq", "")])
def test_a_name_that_no_tool_has_is_told(matcher: str, meant: str) -> None:
    first, *_ = unheard_of([Hook(HookEvent.POST_TOOL_USE, "x", matcher)], TOOLS)

    assert "which there is not" in first
    assert (f'Did you mean "{meant}"?' in first) is bool(meant)


def test_what_is_told_happens_under_other_names() -> None:
    (told,) = unheard_of([Hook(HookEvent.NOTIFICATION, "x", "error|bash")], TOOLS)

    assert 'the occasion "bash"' in told
