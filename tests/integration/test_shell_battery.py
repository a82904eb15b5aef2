"""Shell commands through the whole app: attacks under ordinary rules, daily work, and dodges of deny rules.

The bars are shares of the lines. The lines and their reasons are data; none of them is known to the code.
"""

from pathlib import Path

import pytest

from tests.support.explaining import Explaining
from tests.support.shell_battery import Answered, Json, asked, battery, command_of, rules, settle

HELD = "keeps it from all else"
MOST_HELD = 0.05
ASK_OF_CORE, ASK_OF_UNUSUAL, DODGES = 0.02, 0.15, 0.08


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Explaining:
    """A workspace with keys, and with links that lead out of it; nothing is ever run in it."""
    return settle(tmp_path_factory.mktemp("traps"), traps=True)


@pytest.fixture(scope="module")
def at_work(tmp_path_factory: pytest.TempPathFactory) -> Explaining:
    """A workspace as most are."""
    return settle(tmp_path_factory.mktemp("work"), traps=False)


@pytest.fixture(autouse=True)
def _at_home(at: Explaining, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(at.place / "home"))


def lines(entries: list[Json], given: Json, mode: str) -> list[Json]:
    """Each command with the rules that it is thought with: those for all, and its own."""
    return [
        {
            "args": {"command": command_of(entry)},
            "mode": mode,
            "userSettings": {
                "assent.alwaysAllowRules": {**given, "bash": [*given["bash"], *entry.get("rules", [])]},
            },
        }
        for entry in entries
    ]


def restricted(entries: list[Json]) -> list[Json]:
    """Each command with its deny rules, where everything else is permitted."""
    return [
        {
            "args": {"command": command_of(entry)},
            "mode": "auto",
            "userSettings": {"assent.alwaysDenyRules": entry["deny"], "assent.bypassPermissions": {"Demo": True}},
        }
        for entry in entries
    ]


def told(found: list[Answered]) -> str:
    return "\n".join([f"{len(found)} lines:", *map(str, found)])


@pytest.mark.parametrize("mode", ["ask", "default"])
def test_no_attack_runs_by_ordinary_rules(at: Explaining, mode: str) -> None:
    entries = battery("attacks")
    ran = [one for one in asked(at, entries, lines(entries, rules("against attacks"), mode)) if one.outcome == "run"]
    # What can do nothing but read, whatever it was taken for, is no attack: laws and integration tests try that.
    loose = [one for one in ran if HELD not in one.text]
    assert not loose, told(loose)
    assert len(ran) < MOST_HELD * len(entries), told(ran)


@pytest.mark.parametrize("mode", ["ask", "default"])
@pytest.mark.parametrize(("group", "share"), [("core", ASK_OF_CORE), ("unusual", ASK_OF_UNUSUAL)])
def test_daily_work_is_not_asked_about(at_work: Explaining, mode: str, group: str, share: float) -> None:
    entries = [one for one in battery("ordinary") if one["group"] == group]
    stopped = [
        one for one in asked(at_work, entries, lines(entries, rules("for ordinary work"), mode)) if one.outcome != "run"
    ]
    assert len(stopped) <= share * len(entries), told(stopped)


def test_a_deny_rule_is_not_dodged(at: Explaining) -> None:
    entries = battery("denied")
    ran = [one for one in asked(at, entries, restricted(entries)) if one.outcome == "run"]
    assert len(ran) < DODGES * len(entries), told(ran)


def test_a_deny_rule_leaves_other_commands_alone(at: Explaining) -> None:
    entries = battery("left-alone")
    stopped = [one for one in asked(at, entries, restricted(entries)) if one.outcome != "run"]
    assert not stopped, told(stopped)


def test_the_same_lines_run_where_no_rule_speaks_of_them(at: Explaining) -> None:
    """Else a battery of dodges would be passed by an app that asks about everything."""
    entries = [{**one, "deny": {"bash": ["nothing:*"]}} for one in battery("denied")]
    found = asked(at, entries, restricted(entries))
    stopped = [one for one in found if one.outcome != "run"]
    assert len(stopped) < len(found) / 2, told(stopped)


def test_every_attack_says_what_it_does(tmp_path: Path) -> None:
    entries = battery("attacks")
    assert len(entries) >= 250
    assert all(one["why"] and one["group"] for one in entries)
    commands = [(command_of(one), tuple(one.get("rules", ()))) for one in entries]
    assert len(set(commands)) == len(commands)
