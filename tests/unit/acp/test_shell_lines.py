"""What is inside the shell that an agent puts around a command."""

import pytest

from assent.acp.shell_lines import wrapped_line

HERE = "/work space/a"
CALM = (("NO_COLOR", "1"), ("TERM", "dumb"), ("GIT_TERMINAL_PROMPT", "0"), ("SHELL", "/bin/bash"))


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (("-c", "make"), "make"),
        (("-c", "cd '/work space/a' && make || rm x; echo"), "make || rm x; echo"),
        (("-c", "cd /elsewhere && make"), "cd /elsewhere && make"),
        (("-c", "cd '/work space/a'; make"), "cd '/work space/a'; make"),
        (("-c", ""), None),
        (("-lc", "make"), "make"),
        (("-ic", "make"), None),
        (("-lic", "make"), None),
        (("--rcfile", "make"), None),
        (("-c", "make", "more"), None),
        ((), None),
    ],
)
def test_only_the_line_and_a_way_to_where_it_is_already(args: tuple[str, ...], line: str | None) -> None:
    assert wrapped_line("/bin/bash", args, CALM, HERE) == line


@pytest.mark.parametrize(
    "variable", [("BASH_ENV", "x"), ("TERM", "xterm"), ("SHELL", "/tmp/mine"), ("PATH", "/tmp"), ("HOME", "/tmp")]
)
def test_any_other_variable_could_matter(variable: tuple[str, str]) -> None:
    assert wrapped_line("/bin/bash", ("-c", "make"), (*CALM[:1], variable), HERE) is None
    assert wrapped_line("/bin/bash", ("-lc", "make"), (*CALM[:1], variable), HERE) is None


@pytest.mark.parametrize("shell", ["./bash", "/tmp/bash", "zsh", "python3", "bash -x"])
def test_any_other_program_is_no_shell(shell: str) -> None:
    assert wrapped_line(shell, ("-c", "make"), (), HERE) is None


def test_a_folder_with_quotes_in_its_name_is_not_read() -> None:
    assert wrapped_line("bash", ("-c", "cd '/a'b' && make"), (), "/a'b") == "cd '/a'b' && make"
