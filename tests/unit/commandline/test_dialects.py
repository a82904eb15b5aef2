"""Other shells than bash: plain words are read, everything else is refused."""

import pytest

from assent.commandline.read import read_command
from assent.commandline.surroundings import Surroundings
from assent.model.calls import Access
from assent.model.commands import Command


def read(text: str, shell: str) -> Command:
    """The command as this shell would run it."""
    return read_command(text, Surroundings("/ws", "/home/u", shell=shell))


def words(text: str, shell: str) -> list[list[str]]:
    command = read(text, shell)
    assert command.unreadable is None, command.unreadable
    return [[word.text for word in part.words] for part in command.all()]


EVERYWHERE = ["fish", "zsh", "powershell", "pwsh", "cmd"]


@pytest.mark.parametrize("shell", EVERYWHERE)
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("git status", [["git", "status"]]),
        ("  git   status  ", [["git", "status"]]),
        ('git commit -m "a b; c | d"', [["git", "commit", "-m", "a b; c | d"]]),
        ("npm test && npm run build", [["npm", "test"], ["npm", "run", "build"]]),
        ("npm test || git log | git x", [["npm", "test"], ["git", "log"], ["git", "x"]]),
        ("", []),
    ],
)
def test_plain_words_mean_the_same_everywhere(text: str, expected: list[list[str]], shell: str) -> None:
    assert words(text, shell) == expected


@pytest.mark.parametrize("shell", EVERYWHERE)
@pytest.mark.parametrize(
    "text",
    [
        "git $x",
        "git `x`",
        "git (x)",
        "git {a}",
        'git "a',
        "git 'a",
        'git a"b"',
        'git "a"b',
        "if x",
        "git a^b",
        "git a!b",
        "git a;;b",
        "git &&",
        "git |",
        "| git",
        "=git x",
        "git ~/x",
        "git [x]",
        "git #x",
        "git a\rb",
        "git \u201cx\u201d",
        "git < x",
        '"git" status',
        "gi\u0442 status",
    ],
)
def test_everything_else_is_refused(text: str, shell: str) -> None:
    assert read(text, shell).unreadable


@pytest.mark.parametrize(
    ("text", "shell"),
    [
        ("git status & git log", "fish"),
        ("git status & git log", "zsh"),
        ("git status & git log", "powershell"),
        ("& git status", "powershell"),
        (". ./x.ps1", "powershell"),
        ("iex git", "powershell"),
        ("git a,b", "powershell"),
        ("git @x", "powershell"),
        ("git --% x", "powershell"),
        ("git 'a\u2019b'", "powershell"),
        ("5 git", "powershell"),
        ("eval git", "fish"),
        ("and git", "fish"),
        ("a=b git", "fish"),
        ("noglob git", "zsh"),
        ("git *.x", "zsh"),
        ("git 'a'", "cmd"),
        ("git status\ngit log", "cmd"),
        ("call git", "cmd"),
        ("git %x%", "cmd"),
        ("git > x", "cmd"),
        ("del/f x", "cmd"),
        ("git status", "nu"),
        ("git status", "/bin/weird"),
    ],
)
def test_what_only_one_shell_reads_differently_is_refused_there(text: str, shell: str) -> None:
    assert read(text, shell).unreadable


def test_sh_is_read_without_what_only_bash_has() -> None:
    assert words("git status && ls", "sh") == [["git", "status"], ["ls"]]
    assert read("ls <<< x", "dash").unreadable


def test_redirections_that_all_read_alike() -> None:
    (part,) = read("git log > out 2>&1", "fish").parts
    assert [(touch.name, touch.access) for touch in part.touches if touch.access is Access.WRITE] == [
        ("/ws/out", Access.WRITE)
    ]


@pytest.mark.parametrize("shell", ["powershell", "cmd"])
def test_names_of_unix_mean_nothing_under_windows_own_shells(shell: str) -> None:
    (part,) = read("sort x", shell).parts
    assert part.category.value == "execute"
    (git,) = read("GIT log --output x", shell).parts
    assert git.caseless
    assert git.dangers
    assert git.steps == ("git", "log")


def test_files_that_a_cmdlet_may_read_are_named() -> None:
    (part,) = read("Get-Content ..\\secret.txt", "powershell").parts
    assert [touch.name for touch in part.touches] == ["/ws/../secret.txt"]


def test_the_folder_is_followed() -> None:
    _, part = read("Set-Location sub; git log", "powershell").parts
    assert part.directory == "/ws/sub"
