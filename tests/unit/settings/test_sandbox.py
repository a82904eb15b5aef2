"""The sandbox of commands: who may choose it, what leaves more open, and what counts of all that is said."""

from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.model.sandbox import SANDBOX_NAMES, SandboxChoice, SandboxKind
from assent.settings.declared import declared
from assent.settings.effective import Effective, effective
from assent.settings.facts import Facts
from assent.settings.layers import NOT_LOADED, layers_from
from assent.settings.live import LiveSettings
from assent.settings.sandbox import no_looser_sandbox_than_usual

USUAL = SandboxChoice()
AUTO, BUBBLEWRAP, LANDLOCK, SEATBELT, OFF = SandboxKind
KINDS = tuple(kind.value for kind in SandboxKind)


class Disk(dict[Any, Any]):
    """Where paths lead: to themselves, where they are absolute."""

    def get(self, key: Any, default: Any = None) -> Any:
        return key[1] if key[1].startswith("/") else None


def come_to(
    user: Any = None,
    workspace: Any = None,
    folder: Any = None,
    *,
    agreed: bool | None = None,
    trusted: bool = True,
) -> Effective:
    blocks = {"user": {"sandbox": user}, "workspace": {"sandbox": workspace}, "folder": {"sandbox": folder}}
    return effective(
        layers_from(blocks, None),
        consents=lambda _: lambda consent: agreed,
        workspace_trusted=trusted,
        facts=Facts(("/work",), Disk()),
    )


@pytest.mark.parametrize(
    ("user", "workspace", "expected"),
    [
        (None, None, USUAL),
        ({}, {}, USUAL),
        *(({"enabled": kind}, {}, SandboxChoice(SandboxKind(kind))) for kind in KINDS),
        *(({"enabled": kind}, {"enabled": "off"}, SandboxChoice(SandboxKind(kind))) for kind in KINDS),
        *(({"enabled": "off"}, {"enabled": kind}, SandboxChoice(SandboxKind(kind))) for kind in KINDS),
        ({"enabled": "bubblewrap"}, {"enabled": "landlock"}, SandboxChoice(BUBBLEWRAP)),
        ({"enabled": "bubblewrap"}, {"enabled": "auto"}, SandboxChoice(BUBBLEWRAP)),
        ({"enabled": "auto"}, {"enabled": "seatbelt"}, USUAL),
        ({"enabled": "off"}, {"enabled": None}, SandboxChoice(OFF)),
        ({"autoAllow": True}, {}, SandboxChoice(auto_allow=True)),
        ({"autoAllow": True}, {"autoAllow": False}, USUAL),
        ({}, {"autoAllow": True}, USUAL),
        ({"network": True}, {}, SandboxChoice(network=True)),
        ({"network": True}, {"network": False}, USUAL),
        ({}, {"network": True}, USUAL),
        ({"writable": ["/a", "/b", "/a/deep", "/work/x"]}, {}, SandboxChoice(writable=("/a", "/b"))),
        ({"writable": ["/a"]}, {"writable": []}, SandboxChoice(writable=("/a",))),
        ({"writable": ["/a"]}, {"writable": ["/b"]}, SandboxChoice(writable=("/a",))),
        *(({"enabled": wrong}, {}, USUAL) for wrong in (True, False, "OFF", "docker", "", 0, ["off"], {})),
        *(({"autoAllow": wrong, "network": wrong}, {}, USUAL) for wrong in ("true", 1, [True], {"on": True})),
        *(({"writable": wrong}, {}, USUAL) for wrong in ("/a", 5, {"/a": True}, ["/a", 5], [None], True, ["a"])),
        *((wrong, {"autoAllow": True}, USUAL) for wrong in ([], "off", False, 0)),
        ({"Enabled": "off", "auto_allow": True}, {}, USUAL),
    ],
)
def test_the_users_word_counts_or_a_stricter_one_of_the_workspace(
    user: Any, workspace: Any, expected: SandboxChoice
) -> None:
    assert come_to(user, workspace).sandbox == expected


def test_what_leaves_more_open_waits_for_the_users_word_entry_by_entry() -> None:
    workspace = {"enabled": "off", "autoAllow": True, "network": True, "writable": ["/a", "/work/x", "/b"]}
    waiting = come_to({}, workspace).awaiting
    assert sorted((entry.setting, entry.entry, entry.before, entry.after) for entry in waiting[:3]) == [
        ("sandbox", "autoAllow true", False, True),
        ("sandbox", "enabled off", "auto", "off"),
        ("sandbox", "network true", False, True),
    ]
    assert [(entry.entry, entry.after) for entry in waiting[3:]] == [("writable /a", "/a"), ("writable /b", "/b")]
    assert len({entry.consent for entry in waiting}) == 5
    agreed = come_to({}, workspace, agreed=True)
    assert agreed.sandbox == SandboxChoice(OFF, True, True, ("/a", "/b"))
    assert agreed.awaiting == ()
    refused = come_to({}, workspace, agreed=False)
    assert refused.sandbox == USUAL
    assert refused.awaiting == ()


@pytest.mark.parametrize(("users", "theirs"), [pair for pair in product(KINDS, KINDS) if pair[0] != pair[1]])
def test_another_sandbox_than_the_users_is_agreed_to_unless_the_user_has_none(users: str, theirs: str) -> None:
    now = come_to({"enabled": users}, {"enabled": theirs})
    agreed = come_to({"enabled": users}, {"enabled": theirs}, agreed=True)
    assert agreed.sandbox.enabled == theirs
    if users == "off":
        assert (now.sandbox.enabled, now.awaiting) == (theirs, ())
    else:
        assert now.sandbox.enabled == users
        assert [(entry.entry, entry.before) for entry in now.awaiting] == [(f"enabled {theirs}", users)]


@pytest.mark.parametrize(
    ("user", "workspace"),
    [
        ({"enabled": "off"}, {"enabled": "auto"}),
        ({"enabled": "off"}, {"enabled": "landlock"}),
        ({"network": True}, {"network": False}),
        ({"enabled": "off", "network": True}, {"enabled": "bubblewrap", "network": False}),
    ],
)
def test_a_restriction_does_not_bring_the_users_leave_into_force(user: Any, workspace: Any) -> None:
    user = {**user, "autoAllow": True}
    assert come_to(user).sandbox.auto_allow
    for agreed in (None, True, False):
        assert not come_to(user, workspace, agreed=agreed).sandbox.auto_allow
    # Leave that was given for this workspace was given for its sandbox.
    given_here = come_to({**user, "autoAllow": False}, {**workspace, "autoAllow": True}, agreed=True)
    assert given_here.sandbox.auto_allow
    assert come_to(user, {**workspace, "enabled": user.get("enabled"), "network": None}).sandbox.auto_allow


@pytest.mark.parametrize("other", [{"writable": ["/b"]}, {"network": True}, {"enabled": "landlock"}])
def test_an_agreement_is_for_one_entry(other: Any) -> None:
    given_ones = {entry.consent for entry in come_to({}, {"writable": ["/a"], "enabled": "off"}).awaiting}
    (asked_again,) = come_to({}, other).awaiting
    assert asked_again.consent not in given_ones


def test_an_agreement_to_a_directory_holds_wherever_in_the_list_it_stands_and_not_for_the_workspace() -> None:
    (first,) = come_to({}, {"writable": ["/a"]}).awaiting
    _, second = come_to({}, {"writable": ["/b", "/a"]}).awaiting
    assert first.consent == second.consent
    layers = layers_from({"user": {}, "workspace": {"additionalWorkingDirectories": ["/a"]}}, None)
    (other,) = effective(
        layers, consents=lambda _: lambda _: None, workspace_trusted=True, facts=Facts(("/work",), Disk())
    ).awaiting
    assert first.consent != other.consent


def test_an_untrusted_workspace_is_heard_where_it_restricts() -> None:
    user = {"enabled": "off", "network": True}
    now = come_to(user, {"enabled": "auto", "network": False, "autoAllow": True, "writable": ["/a"]}, trusted=False)
    assert now.sandbox == USUAL
    assert now.awaiting == ()


def test_what_is_wrong_is_said() -> None:
    whole = "an object that says which sandbox commands run in and what it leaves open"
    kinds = '"auto", "bubblewrap", "landlock", "seatbelt" or "off"'
    wrong = {"enabled": "on", "autoAllow": 1, "writable": "/a", "net": True}
    said = [found.text for found in come_to(5, wrong, {"writable": ["nowhere"]}).diagnostics]
    assert sorted(said) == sorted(
        [
            f"The entries of assent.sandbox are {', '.join(SANDBOX_NAMES)}: this does not count.",
            "This is no directory that could be told: it does not count.",
            f"assent.sandbox should be {whole}; it does not count.",
            "assent.sandbox.autoAllow should be true or false; it does not count.",
            f"assent.sandbox.enabled should be {kinds}; it does not count.",
            "assent.sandbox.writable should be a list of directories; until it is, it adds none.",
        ]
    )


def test_before_settings_are_there_and_while_they_are_in_doubt_nothing_is_looser_than_usual() -> None:
    open_wide = {"enabled": "off", "autoAllow": True, "network": True, "writable": ["/a"]}
    for kind, left in (("off", AUTO), ("landlock", LANDLOCK)):
        known = come_to({**open_wide, "enabled": kind}).sandbox
        assert known == SandboxChoice(SandboxKind(kind), True, True, ("/a",))
        assert no_looser_sandbox_than_usual(known) == SandboxChoice(left)
    assert effective(NOT_LOADED).sandbox == USUAL
    blocks = {"user": {"sandbox": open_wide}, "workspace": {"alwaysDenyRules": 5}}
    assert effective(layers_from(blocks, None), facts=Facts((), Disk())).sandbox == USUAL


def test_the_settings_say_what_counts_without_them() -> None:
    assert declared()["sandbox"].default == {"enabled": "auto", "autoAllow": False, "network": False, "writable": []}
    assert SandboxChoice(AUTO, auto_allow=False, network=False, writable=()) == USUAL


def test_directories_count_by_where_they_really_lead(tmp_path: Path) -> None:
    folder, home, target = (tmp_path / name for name in ("work", "home", "target"))
    for place in (folder, home, target):
        place.mkdir()
    (folder / "link").symlink_to(target)
    live = LiveSettings(folders=(folder,), state_dir=tmp_path / "state", builtin_agents={}, home=home)
    user = {"sandbox": {"writable": ["~/.cache", "../beside", "sub", "a\0b", ""]}}
    live.client_settings({"user": user, "workspace": {"sandbox": {"writable": ["link"]}}})
    mine = (str(home / ".cache"), str(tmp_path / "beside"))
    assert live.now().sandbox.writable == mine
    assert live.now().additional_directories == ()
    (entry,) = live.awaiting()
    live.record([entry], [])
    assert live.now().sandbox.writable == (*mine, str(target))
    (folder / "link").unlink()
    (folder / "link").symlink_to("/")
    assert live.now().sandbox.writable == mine
    assert [entry.after for entry in live.awaiting()] == ["/"]


JUNK = st.sampled_from([None, 5, "x", [], {}])
SAID = st.fixed_dictionaries(
    {},
    optional={
        "enabled": st.one_of(st.sampled_from(KINDS), JUNK),
        "autoAllow": st.one_of(st.booleans(), JUNK),
        "network": st.one_of(st.booleans(), JUNK),
        "writable": st.one_of(st.lists(st.sampled_from(["/a", "/b", "/work", "x"]), max_size=3), JUNK),
    },
)


@settings(deadline=None)
@given(SAID, SAID, SAID, st.sampled_from([None, False]), st.booleans())
def test_without_agreement_no_workspace_leaves_more_open(
    user: Any, workspace: Any, folder: Any, agreed: bool | None, trusted: bool
) -> None:
    alone = come_to(user).sandbox
    now = come_to(user, workspace, folder, agreed=agreed, trusted=trusted).sandbox
    assert now.enabled is alone.enabled or alone.enabled is OFF
    assert now.writable == alone.writable
    assert not (now.network and not alone.network)
    assert not (runs_unasked(now) and not runs_unasked(alone))


def runs_unasked(choice: SandboxChoice) -> bool:
    """Whether a command that is held needs no question, as the gate sees it."""
    return choice.auto_allow and choice.enabled is not OFF and not choice.network and not choice.writable


@settings(deadline=None)
@given(SAID, SAID, SAID)
def test_what_a_workspace_restricts_always_counts(user: Any, workspace: Any, folder: Any) -> None:
    now = come_to(user, workspace, folder, agreed=True).sandbox
    for said in (workspace, folder):
        assert not (said.get("network") is False and come_to(user).sandbox.network and now.network)
        assert not (said.get("autoAllow") is False and come_to(user).sandbox.auto_allow and now.auto_allow)
