"""A restriction of one tool holds for another that could do its work; a permission is for its own tool alone."""

import pytest

from assent.model.calls import Access
from assent.policy.rules.rule import Effect, Rule
from tests.support.rule_calls import book, call

READ, WRITE = Access.READ, Access.WRITE


@pytest.mark.parametrize("effect", list(Effect))
@pytest.mark.parametrize(
    ("restricted", "tool", "access", "holds"),
    [
        ("write_file", "edit_file", WRITE, True),
        ("edit_file", "write_file", WRITE, True),
        ("read_file", "edit_file", WRITE, True),
        ("read_file", "write_file", WRITE, False),
        ("list_files", "edit_file", WRITE, False),
        ("read_file", "grep", READ, True),
        ("list_files", "grep", READ, True),
        ("list_files", "glob", READ, True),
        ("read_file", "glob", READ, False),
        ("read_file", "list_files", READ, False),
        ("grep", "read_file", READ, False),
        ("glob", "list_files", READ, False),
        ("bash", "edit_file", WRITE, False),
        ("write_file", "generate_image", WRITE, True),
        ("edit_file", "generate_image", WRITE, True),
        ("write_file", "text_to_speech", WRITE, True),
        ("edit_file", "text_to_speech", WRITE, True),
        ("read_file", "text_to_speech", WRITE, False),
        ("generate_image", "write_file", WRITE, False),
        ("read_file", "ui_get_selection", READ, True),
        ("read_file", "ui_get_diagnostics", READ, True),
        ("read_file", "ui_show_diff", READ, True),
        ("read_file", "ui_open_file", READ, True),
        ("ui_get_selection", "read_file", READ, False),
        ("read_file", "list_collections", READ, True),
    ],
)
def test_who_is_restricted_by_whose_rules(
    effect: Effect, restricted: str, tool: str, access: Access, holds: bool
) -> None:
    for pattern in ("infra/**", "*"):
        rules = book(Rule(effect, restricted, pattern))
        found = rules.first(effect, call("infra/a", tool=tool, access=access), "Demo")
        assert (found is not None) is (holds and effect.restricts)
        if pattern != "*":
            assert rules.first(effect, call("src/a", tool=tool, access=access), "Demo") is None
