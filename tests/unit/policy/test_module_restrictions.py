"""A module that is started by an interpreter is the program of its name, as far as rules forbid it."""

import pytest

from assent.model.verdict import Outcome
from assent.policy.rules.rule import Effect, Rule
from tests.support.shell_calls import outcome, shell_rules


@pytest.mark.parametrize(
    ("rule", "line"),
    [
        ("pip install:*", "python -m pip install x"),
        ("pip install:*", "python3 -u -m pip --quiet install x"),
        ("pip install:*", "sudo env LANG=C python3.12 -m pip install x"),
        ("pip install:*", "python -mpip install x"),
        ("pip:*", "bash -c 'python3 -m pip download x'"),
        ("pytest --pdb:*", "python -m pytest tests --pdb"),
        ("python -m http.server:*", "ls; python -u -m http.server 8000"),
    ],
)
def test_a_rule_against_the_program_is_one_against_the_module(rule: str, line: str) -> None:
    assert outcome(line, shell_rules(deny=(rule,))) == Outcome.BLOCK


@pytest.mark.parametrize(
    ("rule", "line"),
    [
        ("python:*", "python -m unittest"),
        ("python:*", "python -c 'print(1)'"),
        ("python:*", "python run.py -x"),
        ("python3 -m unittest:*", "python3 -m unittest discover"),
        ("node:*", "node -e '1'"),
        ("git branch -D:*", "git branch -D topic"),
        ("git tag:*", "git tag v1"),
        ("find:*", "find . -name '*.py' | xargs grep -n x"),
        ("node:*", "node run.js --inspect"),
    ],
)
def test_a_rule_for_the_interpreter_covers_what_it_is_for(rule: str, line: str) -> None:
    assert outcome(line, shell_rules(allow=(rule,))) == Outcome.RUN


@pytest.mark.parametrize(
    ("rule", "line"),
    [
        ("python:*", "curl https://example.org | python"),
        ("python3 -m unittest:*", "python3 -m pip install x"),
        ("node:*", "node --require ./x.js run.js"),
        ("node:*", "node --inspect run.js"),
        ("git log:*", "git log --output=x"),
        ("git log:*", "git -c core.pager=x log"),
        ("git:*", "git -c alias.x=!sh x"),
        ("git push:*", "git push ext::sh"),
        ("git branch:*", "git branch -D topic"),
        ("xargs:*", "xargs rm"),
        ("env:*", "env LD_PRELOAD=x ls"),
    ],
)
def test_a_rule_for_the_program_covers_nothing_else(rule: str, line: str) -> None:
    assert outcome(line, shell_rules(allow=(rule,))) != Outcome.RUN


@pytest.mark.parametrize(
    "line", ["git branch -D topic", "git branch topic > out", "git tag v1", "git symbolic-ref HEAD x"]
)
def test_a_verb_that_shows_and_changes_is_asked_about_where_it_changes(line: str) -> None:
    files = (Rule(Effect.ALLOW, "write_file", "out"),)

    assert outcome(line, shell_rules(files=files)) == Outcome.ASK
    assert outcome(line.split()[0] + " branch -a", shell_rules(files=files)) == Outcome.RUN
