"""A program that would wait for keys is not run; one that may print and end is."""

from pathlib import Path

import pytest

from assent.tools.command_facts import look_at
from assent.tools.terminal_programs import terminal_fault


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("vim a.txt", "vim"),
        ("/usr/bin/vi +12 a.txt", "vi"),
        ("nvim -R a.txt b.txt", "nvim"),
        ("cd src && nano -l a.txt", "nano"),
        ("sudo vim /etc/hosts", "vim"),
        ("htop", "htop"),
    ],
)
def test_what_waits_for_keys_is_told_with_what_to_do_instead(tmp_path: Path, text: str, name: str) -> None:
    (tmp_path / "src").mkdir()
    fault = terminal_fault(look_at(text, str(tmp_path), (str(tmp_path),)))

    assert fault is not None
    assert fault.code == "needs_terminal"
    assert str(fault).startswith(f"{name} draws on a terminal")
    assert "edit_file" in str(fault)


@pytest.mark.parametrize(
    "text",
    [
        "vim -es -c '%s/a/b/' -c wq a.txt",
        "vim -c wq a.txt",
        "vim '+%s/a/b/' +wq a.txt",
        "vim --version",
        "nvim --headless +qa",
        "echo :wq | vim a.txt",
        "vim a.txt < keys",
        "nano --version",
        "htop --help",
        "echo vim",
        "vim $FILE",
        "less a.txt",
        "ls",
        "vim 'unclosed",
    ],
)
def test_what_may_end_by_itself_is_left_to_itself(tmp_path: Path, text: str) -> None:
    assert terminal_fault(look_at(text, str(tmp_path), (str(tmp_path),))) is None
