"""Editors and manuals: what they show is harmless, what they run is not."""

import pytest

from tests.support.programs import program_part


@pytest.mark.parametrize("line", ["man ls", "man 3 printf", "man -k print", "vim --version", "man git-log"])
def test_showing_is_harmless(line: str) -> None:
    assert not program_part(line).dangers


@pytest.mark.parametrize(
    ("line", "at"),
    [
        ("man -P 'sh -c id' ls", 1),
        ("man --pager=id ls", 1),
        ("man -Hid ls", 1),
        ("man ./evil", 1),
        ("man -l evil", 1),
        ("vim -c '!id' a", 1),
        ("vim +!id a", 1),
        ("vim a +q", 2),
        ("nvim --headless a", 1),
        ("vi -u evil a", 1),
        ("vim -e -s a", 2),
        ("emacs --batch --eval x", 1),
        ("emacs -l evil", 1),
        ("nano -f rc a", 1),
        ("vim --unknown a", 1),
    ],
)
def test_running_is_a_danger(line: str, at: int) -> None:
    assert at in {danger.at for danger in program_part(line).dangers}


def test_an_editor_is_never_proposed_by_its_bare_name() -> None:
    assert program_part("vim a").category.value == "execute"
