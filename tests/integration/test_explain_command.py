"""`assent explain` for a person and for programs: one call in, an answer that says what, why and what to do."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.explaining import Explaining

LEVELS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]


@pytest.fixture
def at(tmp_path: Path) -> Explaining:
    """A workspace of this test, with a state directory that does not exist."""
    return Explaining(tmp_path)


def write(path: str) -> tuple[str, dict[str, str]]:
    return "write_file", {"path": path, "content": "x"}


def read(path: str) -> tuple[str, dict[str, str]]:
    return "read_file", {"path": path}


def test_the_outcome_comes_first_then_why_then_what_to_do_then_the_ladder(at: Explaining) -> None:
    text = at.asks(*write("docs/a.md")).text
    first, second = text.splitlines()[:2]
    assert "docs/a.md" in first and second.startswith("It would ask")
    parts = ["\nWhy:\n", "\nWhat you can do:\n", "\nWhat was looked at"]
    assert sorted(parts, key=text.index) == parts
    assert "must ask before it writes" in text[text.index("Why:") : text.index("What you can do:")]


def test_every_rung_says_what_it_looked_for_and_why_it_did_not_decide(at: Explaining) -> None:
    at.settings({"assent.alwaysDenyRules": {"write_file": ["infra/**", "*.tf"]}})
    said = at.asks(*write("docs/a.md"))
    rungs = said.rungs()
    assert list(rungs) == LEVELS
    assert all(question.endswith(("?", ":")) and found for question, found in rungs.values())
    assert rungs[5] == (
        "Does a deny rule forbid it (assent.alwaysDenyRules)?",
        "No: none of the 2 deny rules for write_file means docs/a.md.",
    )
    assert "assent.mode" in rungs[19][0] and "Auto-accept read-only" in rungs[19][1]
    assert said.decided() == 20


@pytest.mark.parametrize(
    ("settings", "call", "outcome", "level", "advice"),
    [
        (
            {},
            write("docs/a.md"),
            "ask",
            20,
            ["assent.alwaysAllowRules", '{"write_file": ["docs/a.md"]}'],
        ),
        ({}, write("docs/a.md"), "ask", 20, ["assent.bypassPermissions", '{"Demo": true}', "assent.mode"]),
        ({}, read("docs/a.md"), "run", 11, ["assent.alwaysAskRules", "assent.alwaysDenyRules"]),
        ({}, read(".env"), "ask", 20, ['{"read_file": ["./.env"]}']),
        ({}, write(".env"), "ask", 8, ["No setting takes that away"]),
        ({}, write("../out/a"), "ask", 9, ["assent.additionalWorkingDirectories", "assent.confirmOutsideWorkspace"]),
        ({"assent.alwaysAskRules": {"write_file": ["*"]}}, write("a"), "ask", 9, ["settings.json, line 1"]),
        ({"assent.alwaysDenyRules": {"write_file": ["*"]}}, write("a"), "block", 5, ["settings.json, line 1"]),
        ({"assent.mode": "plan"}, write("a"), "block", 6, ["another mode"]),
        ({"assent.enabled": False}, read("a"), "error", 2, ["assent.enabled"]),
        ({}, ("write_file", {"path": 5}), "error", 0, ["the arguments that the tool takes"]),
        ({}, ("write_fil", {}), "error", 1, ["Name one of the tools"]),
        ({}, read("/proc/self/environ"), "block", 4, ["Nothing: this is never allowed"]),
    ],
)
def test_it_says_what_can_be_done_where_and_at_which_risk(
    at: Explaining, settings: Any, call: Any, outcome: str, level: int, advice: list[str]
) -> None:
    at.settings(settings)
    said = at.asks(*call)
    assert said.outcome() == outcome
    assert said.decided() == level
    todo = " ".join(said.part("What you can do:").split())
    for words in advice:
        assert words in todo


def test_a_rule_of_the_users_settings_is_shown_with_its_line(at: Explaining) -> None:
    file = at.user_settings(
        """// mine
        {
          "editor.fontSize": 12,
          "assent": { "mode": "ask" },
          "assent.alwaysDenyRules": {
            "read_file": ["*"],
            "write_file": [
              "other/**",
              { "pattern": "infra/**", "agents": ["Demo"] }, // this one
            ],
          },
        }"""
    )
    said = at.asks(*write("infra/a"), "--user-settings", str(file))
    assert f"The rule stands in {file}, line 9." in said.text
    assert at.asks(*write("infra/a")).outcome() == "ask"
    assert "asks" in at.asks(*write("docs/a"), "--user-settings", str(file)).rungs()[19][1]
    rule = at.asks(*write("infra/a"), "--user-settings", str(file), "--json").json()["reason"]["rule"]
    assert rule == {"pattern": "infra/**", "scope": "user", "file": str(file), "line": 9}


def test_without_the_users_settings_it_says_that_they_are_missing(at: Explaining) -> None:
    assert "--user-settings" in at.asks(*write("a")).text
    file = at.user_settings("{}")
    assert "--user-settings" not in at.asks(*write("a"), "--user-settings", str(file)).text


def test_a_suggestion_that_is_followed_lets_the_call_run(at: Explaining) -> None:
    for call in (write("docs/a.md"), read(".env"), read("/etc/hosts")):
        suggested = at.asks(*call, "--json").json()["suggestions"]
        assert suggested, call
        for one in suggested:
            rules = {one["setting"]: {one["tool"]: [one["pattern"]]}}
            file = at.user_settings(json.dumps(rules))
            assert at.asks(*call, "--user-settings", str(file)).outcome() == "run", one


@pytest.mark.parametrize("settings", [{"assent.alwaysAskRules": {"write_file": ["*"]}}, {"assent.mode": "plan"}])
def test_no_rule_is_suggested_where_none_would_help(at: Explaining, settings: Any) -> None:
    at.settings(settings)
    assert at.asks(*write("docs/a.md"), "--json").json()["suggestions"] == []
    assert at.asks(*write("../out/a.md"), "--json").json()["suggestions"] == []


def test_as_json_it_has_the_same_keys_always(at: Explaining) -> None:
    at.settings({"assent.alwaysDenyRules": {"write_file": ["infra/**"]}, "assent.mode": "sometimes"})
    for call, outcome in ((write("infra/a"), "block"), (write("a"), "ask"), (("nothing", {}), "error")):
        said = at.asks(*call, "--json").json()
        keys = ["outcome", "headline", "reason", "category", "trace", "suggestions", "diagnostics", "impossible"]
        assert (list(said), said["outcome"]) == (keys, outcome)
        assert list(said["reason"]) == ["code", "text", "rule"]
        assert [step["matched"] for step in said["trace"]] == [False] * (len(said["trace"]) - 1) + [True]
        assert all(list(step) == ["level", "name", "matched", "note"] and step["note"] for step in said["trace"])
        assert any("assent.mode" in sentence for sentence in said["diagnostics"])
    denied = at.asks(*write("infra/a"), "--json").json()["reason"]
    assert denied["code"] == "denied_by_rule"
    assert denied["rule"]["line"] == 1 and denied["rule"]["file"].endswith("settings.json")


def test_what_can_never_work_is_not_asked_for(at: Explaining) -> None:
    (at.folder / "folder").mkdir()
    said = at.asks(*write("folder"))
    assert said.outcome() == "error" and "nobody would be asked" in said.text
    assert "folder" in said.part("Why:") and "What you can do" not in said.text
    assert at.asks(*write("folder"), "--json").json()["impossible"]
    assert at.asks(*write("file"), "--json").json()["impossible"] is None


def test_what_is_wrong_with_the_settings_is_said_on_the_way(at: Explaining) -> None:
    at.settings({"assent.bypassPermissions": {"Demo": True}, "assent.alwaysDenyRules": {"write_file": ["{a,b}"]}})
    said = at.asks(*write("docs/a.md"))
    assert said.outcome() == "block"
    problems = " ".join(said.part("Problems in the settings:").split())
    assert "{a,b} is not known" in problems and "you agree" in problems
    assert said.rungs()[5][1].startswith("The deny rule")


def test_mode_and_agent_can_be_chosen(at: Explaining) -> None:
    assert at.asks(*write("a"), "--mode", "auto").outcome() == "run"
    assert at.asks(*write("a"), "--mode", "auto_accept_all").outcome() == "run"
    file = at.user_settings(
        '{"assent.agents": {"Claude": {"command": "claude"}}, "assent.bypassPermissions": {"Claude": true}}'
    )
    assert at.asks(*write("a"), "--user-settings", str(file)).outcome() == "ask"
    assert at.asks(*write("a"), "--user-settings", str(file), "--agent", "Claude").decided() == 12


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "a tool must be named"),
        (["write_file", "{"], "the arguments are no JSON"),
        (["write_file", "{}", "--mode", "yolo"], "there is no mode 'yolo'; there are plan, ask, default and auto"),
        (["write_file", "{}", "--agent", "Nobody"], "nothing names an agent 'Nobody'; there are Demo"),
        (["write_file", "{}", "--user-settings", "missing.json"], "missing.json cannot be read as settings"),
        (["write_file", "--batch", "-"], "with --batch"),
        (["--batch", "missing.jsonl"], "missing.jsonl cannot be read"),
    ],
)
def test_a_command_line_that_makes_no_sense_is_explained(at: Explaining, arguments: list[str], words: str) -> None:
    done = at.run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize("text", ["{", "[]", "\xff", '{"a": 1} {'])
def test_user_settings_that_cannot_be_read_are_no_settings(at: Explaining, text: str) -> None:
    file = at.user_settings("")
    file.write_bytes(text.encode("latin-1"))
    done = at.run("write_file", "{}", "--user-settings", str(file))
    assert done.returncode == 2 and "cannot be read as settings" in done.stderr


def test_a_folder_that_is_not_there_is_no_workspace(at: Explaining) -> None:
    done = at.run("write_file", "{}", folder=at.folder / "missing")
    assert done.returncode == 2 and "there is no folder" in done.stderr


def test_a_name_in_a_call_makes_up_no_lines_of_its_own(at: Explaining) -> None:
    said = at.asks(*write("a\n> 20  Nothing:\n\x1b[2Jb\u202ec"))
    assert said.outcome() == "ask" and said.decided() == 20
    assert "\x1b" not in said.text and "\u202e" not in said.text
    assert len(re.findall(r"^> ", said.text, re.MULTILINE)) == 1


def test_nor_does_the_name_of_a_tool(at: Explaining) -> None:
    said = at.asks("no\x1b[2J\n>  4  such\u202etool", {})
    assert said.outcome() == "error" and said.decided() == 1
    assert "\x1b" not in said.text and "\u202e" not in said.text


def test_nothing_is_written(at: Explaining) -> None:
    at.settings({"assent.alwaysAllowRules": {"write_file": ["*"]}})
    before = at.everything()
    at.asks(*write("new/file.txt"))
    at.asks(*write("new/file.txt"), "--json", "--mode", "auto")
    at.batch([{"id": 1, "tool": "write_file", "args": {"path": "x", "content": ""}, "mode": "auto"}])
    assert at.everything() == before
    assert not at.state.exists()


def test_help_says_what_counts(at: Explaining) -> None:
    text = " ".join(at.run("--help").stdout.split())
    for words in ("ASSENT_STATE_DIR", "--user-settings", "workspaceSettings", "invalid_request", "its own file only"):
        assert words in text
