"""Hooks in settings: whose count, what each is bound to, and what becomes of one that makes no sense."""

import json
from pathlib import Path
from typing import Any

import pytest

from assent.model.hooks import EVERY_TOOL, Hook, HookEvent
from assent.settings.effective import Effective, effective
from assent.settings.files import workspace_settings_file
from assent.settings.layers import NOT_LOADED, Kind, layers_from
from assent.settings.live import LiveSettings

BEFORE = HookEvent.PRE_TOOL_USE
CHECK = {"matcher": "bash|write_file", "command": "check", "timeoutSeconds": 3, "failClosed": False}
AS_HOOK = Hook(BEFORE, "check", "bash|write_file", 3.0, fail_closed=False)


DOUBTFUL = {"matcher": EVERY_TOOL, "may_allow": False, "may_change": False}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    workspace_settings_file(tmp_path / "work").parent.mkdir(parents=True)
    return tmp_path / "work"


@pytest.fixture
def live(folder: Path, tmp_path: Path) -> LiveSettings:
    live = LiveSettings(folders=(folder,), state_dir=tmp_path / "state", home=tmp_path)
    live.client_settings(None)
    return live


def said(folder: Path, *before: Any, **settings: Any) -> None:
    hooks = {"assent.hooks": {"PreToolUse": list(before)}} if before else {}
    others = {f"assent.{name}": value for name, value in settings.items()}
    workspace_settings_file(folder).write_text(json.dumps({**hooks, **others}))


def of_user(*before: Any) -> Effective:
    return effective(layers_from({"user": {"hooks": {"PreToolUse": list(before)}}}, None))


def texts(now: Effective) -> str:
    return "\n".join(one.text for one in now.diagnostics)


def test_before_settings_arrive_there_are_none() -> None:
    assert effective(NOT_LOADED).hooks == ()


def test_the_users_count_as_they_are_written() -> None:
    assert of_user(CHECK, {"command": "other"}).hooks == (AS_HOOK, Hook(BEFORE, "other"))
    assert of_user(CHECK, CHECK).hooks == (AS_HOOK,)
    assert not of_user(CHECK).diagnostics


@pytest.mark.parametrize(
    ("member", "wrong", "counts"),
    [
        ("matcher", "^bash$", DOUBTFUL),
        ("matcher", 5, DOUBTFUL),
        ("matcher", None, DOUBTFUL),
        ("matcher", ["bash"], DOUBTFUL),
        ("matcher", "bash||write_file", DOUBTFUL),
        ("timeoutSeconds", 0, {"timeout_seconds": 10.0}),
        ("timeoutSeconds", 61, {"timeout_seconds": 10.0}),
        ("timeoutSeconds", "3", {"timeout_seconds": 10.0}),
        ("timeoutSeconds", True, {"timeout_seconds": 10.0}),
        ("failClosed", "false", {"fail_closed": True}),
        ("failClosed", None, {"fail_closed": True}),
        ("failClosed", 0, {"fail_closed": True}),
        ("unknown", 1, {"may_allow": False, "may_change": False}),
    ],
)
def test_a_member_that_makes_no_sense_counts_in_the_strictest_way(member: str, wrong: Any, counts: Any) -> None:
    now = of_user({**CHECK, member: wrong})

    (hook,) = now.hooks
    assert {name: getattr(hook, name) for name in counts} == counts
    assert hook.command == "check"
    assert now.diagnostics


@pytest.mark.parametrize(
    "wrong", [5, None, "check", [], {}, {"command": ""}, {"command": " "}, {"command": 5}, {"command": "a\0b"}]
)
def test_one_of_the_users_that_cannot_be_read_fails_for_every_tool(wrong: Any) -> None:
    now = of_user(CHECK, wrong)

    known, broken = now.hooks
    assert known == AS_HOOK
    assert (broken.matcher, broken.fail_closed, bool(broken.fault)) == (EVERY_TOOL, True, True)
    assert any(one.kind is Kind.WRONG_VALUE for one in now.diagnostics)


@pytest.mark.parametrize("wrong", [5, "check", [], [CHECK], {"PreToolUse": 5}, {"PreToolUse": CHECK}])
def test_a_setting_that_cannot_be_read_fails_for_every_tool(wrong: Any) -> None:
    now = effective(layers_from({"user": {"hooks": wrong}}, None))

    (broken,) = now.hooks
    assert (broken.event, broken.matcher, bool(broken.fault)) == (BEFORE, EVERY_TOOL, True)


def test_an_event_that_there_is_not_is_told() -> None:
    now = effective(layers_from({"user": {"hooks": {"PreToolUSe": [CHECK]}}}, None))

    assert now.hooks == ()
    assert "never started" in texts(now)


def test_a_workspaces_counts_with_an_agreement_to_just_it(live: LiveSettings, folder: Path) -> None:
    said(folder, CHECK)
    assert live.now().hooks == ()
    (entry,) = live.awaiting()
    assert "“check”" in entry.words
    assert entry.after == CHECK
    assert any(one.kind is Kind.AWAITING for one in live.now().diagnostics)
    live.record([entry], [])
    assert live.now().hooks == (AS_HOOK,)

    for other in ({**CHECK, "matcher": "*"}, {**CHECK, "timeoutSeconds": 4}):
        said(folder, other)
        assert live.now().hooks == ()
    said(folder, {"command": "other"}, CHECK)
    assert live.now().hooks == (AS_HOOK,)
    assert [entry.after for entry in live.awaiting()] == [{"command": "other"}]

    said(folder, {**CHECK, "command": "check2"})
    assert live.now().hooks == ()
    said(folder, CHECK)
    assert live.now().hooks == ()


def test_an_untrusted_workspaces_does_not_count_and_the_users_does(live: LiveSettings, folder: Path) -> None:
    said(folder, CHECK)
    live.record(live.awaiting(), [])
    live.client_settings({"user": {"hooks": {"PreToolUse": [{"command": "mine"}]}}})
    assert live.now().hooks == (Hook(BEFORE, "mine"), AS_HOOK)
    live.trusted = False
    assert live.now().hooks == (Hook(BEFORE, "mine"),)
    assert live.awaiting() == ()


@pytest.mark.parametrize(
    "command",
    ["./check.sh", "sh -c './check.sh; true'", "python ./check.sh --x", 'bash "check.sh"', "cd . && ./check.sh"],
)
def test_an_agreement_holds_for_the_files_that_the_command_names(
    live: LiveSettings, folder: Path, command: str
) -> None:
    (folder / "check.sh").write_text("one")
    (folder / "beside.sh").write_text("one")
    said(folder, {"command": command})
    (entry,) = live.awaiting()
    assert "“check.sh”" in entry.words
    live.record([entry], [])
    assert [hook.command for hook in live.now().hooks] == [command]
    assert live.now().named_files == (str(folder / "check.sh"),)
    (folder / "beside.sh").write_text("two")
    assert len(live.now().hooks) == 1

    (folder / "check.sh").write_text("two")
    assert live.now().hooks == ()
    assert live.now().named_files == ()
    assert len(live.awaiting()) == 1
    (folder / "check.sh").write_text("one")
    assert len(live.now().hooks) == 1


def test_files_that_a_hook_of_the_users_names_are_known(live: LiveSettings, folder: Path) -> None:
    (folder / "check.sh").write_text("one")
    live.client_settings({"user": {"hooks": {"PreToolUse": [{"command": "./check.sh"}]}}})
    assert live.now().named_files == (str(folder / "check.sh"),)
    (folder / "check.sh").write_text("two")
    assert len(live.now().hooks) == 1


def test_one_of_the_users_is_lent_no_file_of_a_workspace_that_is_not_trusted(live: LiveSettings, folder: Path) -> None:
    mine = [{"command": "/bin/true"}, {"command": "./check.sh"}]
    live.client_settings({"user": {"hooks": {"PreToolUse": mine}}})
    live.trusted = False
    assert [hook.fault for hook in live.now().hooks] == ["", ""]
    (folder / "check.sh").write_text("evil")
    harmless, lent = live.now().hooks
    assert (harmless.fault, bool(lent.fault), lent.fail_closed) == ("", True, True)
    live.trusted = True
    assert [hook.fault for hook in live.now().hooks] == ["", ""]


def test_a_workspace_has_a_few(live: LiveSettings, folder: Path) -> None:
    said(folder, *({"command": f"check{number}"} for number in range(30)))
    live.record(live.awaiting(), [])
    assert len(live.now().hooks) == 16
    assert "Only the first 16" in texts(live.now())


def test_a_workspaces_that_makes_no_sense_is_none(live: LiveSettings, folder: Path) -> None:
    said(folder, 5, {"command": ""})
    assert live.now().hooks == ()
    assert live.awaiting() == ()
    said(folder, hooks=7)
    assert live.now().hooks == ()
    assert "assent.hooks should be" in texts(live.now())


def test_more_than_can_be_told_apart_does_not_count(live: LiveSettings, folder: Path) -> None:
    said(folder, {"command": "check " + " ".join(f"word{number}" for number in range(2_000))})
    assert live.now().hooks == ()
    assert live.awaiting() == ()
    assert "Too much belongs to the hook" in texts(live.now())


def test_while_a_restriction_makes_no_sense_no_hook_allows(live: LiveSettings, folder: Path) -> None:
    live.client_settings({"user": {"hooks": {"PreToolUse": [CHECK]}}})
    assert [hook.may_allow for hook in live.now().hooks] == [True]
    said(folder, alwaysDenyRules=5)
    assert [hook.may_allow for hook in live.now().hooks] == [False]


def test_one_of_the_users_that_appears_is_something_to_be_agreed_to(live: LiveSettings) -> None:
    before, after = {"hooks": {"PreToolUse": [CHECK]}}, {"hooks": {"PreToolUse": [CHECK, {"command": "new"}]}}
    assert [entry.after for entry in live.appeared_in_user(before, after)] == [{"command": "new"}]
    live.client_settings({"user": after})
    (new,) = live.appeared_in_user(before, after)
    live.withheld = frozenset({new.consent})
    assert live.now().hooks == (AS_HOOK,)
