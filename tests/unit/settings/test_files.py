"""Settings files that are broken in every way: they permit nothing, still restrict, and are left as they are."""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assent.settings.effective import Effective
from assent.settings.files import workspace_settings_file
from assent.settings.live import LiveSettings
from assent.settings.loosening import consent_to_bypass
from assent.settings.store import Stored, begin_store, bypass_change
from tests.support.probes import permitted_beyond

BUILTIN = {"Demo": {"provider": "demo"}}
PERMITTING = {
    "mode": "auto",
    "bypassPermissions": {"Demo": True},
    "toolAllowlist": ["write_file"],
    "alwaysAllowRules": {"write_file": ["**"], "read_file": ["**", ".env"]},
    "additionalWorkingDirectories": ["/beside"],
}
RESTRICTING = {"alwaysDenyRules": {"write_file": ["src/**"]}, "sessionGrants": False}
GOOD = json.dumps({f"assent.{key}": value for key, value in (PERMITTING | RESTRICTING).items()})
USER = {"alwaysAllowRules": {"read_file": ["docs/**"]}}


def but(**changes: Any) -> bytes:
    """The good file, with other values."""
    return json.dumps({f"assent.{key}": value for key, value in (PERMITTING | changes).items()}).encode()


UNREADABLE = {
    "nothing but a brace": b"{",
    "cut off": GOOD.encode()[:-1],
    "cut off in a text": GOOD.encode()[:40],
    "two values": GOOD.encode() + b"{}",
    "a list": b"[" + GOOD.encode() + b"]",
    "null": b"null",
    "a text": b'"assent.mode"',
    "a number": b"1",
    "true": b"true",
    "no quotes": b"{assent.mode: 'auto'}",
    "single quotes": GOOD.replace('"', "'").encode(),
    "no commas": GOOD.replace(",", " ").encode(),
    "an open comment": GOOD.encode() + b"/*",
    "no UTF-8": b"\xff\xfe" + GOOD.encode("utf-16-le"),
    "half a character": GOOD.encode()[:-1] + b', "x": "\xc3"}',
    "control characters": b'{"assent.mode": "au\nto"}',
    "NUL bytes": b"\0" * 100,
    "nested without end": b'{"x": ' + b"[" * 5000 + b"]" * 5000 + b"," + GOOD.encode()[1:],
    "nested without end, cut off": b'{"x": ' + b"{" * 100_000,
    "larger than settings are": GOOD.encode()[:-1] + b" " * (5 * 1024 * 1024) + b"}",
    "more values than settings have": b'{"x": [' + b"1," * 100_001 + b"]," + GOOD.encode()[1:],
    "a number that is none": b'{"x": NaN,' + GOOD.encode()[1:],
    "merge conflict": b"<<<<<<< HEAD\n" + GOOD.encode() + b"\n=======\n{}\n>>>>>>> theirs\n",
    "a shell script": b"#!/bin/sh\nexit 0\n",
}
"""What nobody can read as settings."""

ILL_TYPED = {
    "words for true": but(
        bypassPermissions={"Demo": "true"}, toolAllowlist="write_file", mode="AUTO", alwaysAllowRules=["**"]
    ),
    "one for true": but(bypassPermissions={"Demo": 1}, toolAllowlist=[["write_file"]], mode=["auto"]),
    "lists for objects": but(bypassPermissions=["Demo"], alwaysAllowRules={"write_file": "**"}, mode=None),
    "objects for texts": but(bypassPermissions=True, alwaysAllowRules={"write_file": [{"x": "**"}]}, mode={"auto": 1}),
    "restrictions that make no sense": but(alwaysDenyRules=["write_file"]),
    "restrictions of nothing": but(alwaysAskRules="all"),
    "a restriction that nobody can understand": but(alwaysDenyRules={"write_file": [5], "read_file": 5}),
}
"""What can be read, and is not what settings are. Agreed to or not, nothing of it that is wrong counts."""


class Place:
    """A folder whose good settings the user agreed to."""

    def __init__(self, base: Path) -> None:
        self.folder, self.state = base / "work", base / "state"
        self.file = workspace_settings_file(self.folder)
        self.file.parent.mkdir(parents=True)
        self.file.write_text(GOOD)
        self.live = self.server()
        self.live.record(self.live.awaiting(), [])
        assert self.live.now().bypass("Demo").on
        assert self.live.awaiting() == ()

    def server(self, folder: Path | None = None) -> LiveSettings:
        live = LiveSettings(folders=(folder or self.folder,), state_dir=self.state, builtin_agents=BUILTIN)
        live.client_settings({"user": USER})
        return live

    def without(self) -> Effective:
        """What counts where the workspace says nothing."""
        return self.server(self.folder.parent).now()


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def looser(one: Effective, other: Effective) -> list[object]:
    return permitted_beyond(one, other, "Demo")


def test_the_good_file_permits_what_the_corpus_must_not(place: Place) -> None:
    assert len(looser(place.live.now(), place.without())) > 5


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_cannot_be_read_permits_nothing_says_so_once_and_is_left_alone(place: Place, name: str) -> None:
    content = UNREADABLE[name]
    place.file.write_bytes(content)
    for live in (place.live, place.server()):
        now = live.now()
        assert looser(now, place.without()) == []
        assert live.awaiting() == ()
        assert not now.bypass("Demo").on
        (told,) = live.diagnostics()
        assert told.text.startswith("These settings cannot be read: ")
        assert told.origin is not None and told.origin.file == str(place.file)
        change = bypass_change("Demo", consent_to_bypass(now.agents["Demo"]), on=True)
        stored = begin_store(change, live.surroundings(client_writes=False), live.ledger)
        assert isinstance(stored, Stored)
        assert not stored.written
        assert "was not changed: " in (stored.error or "")
    assert place.file.read_bytes() == content


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_a_file_restricted_when_it_could_last_be_read_still_counts(place: Place, name: str) -> None:
    place.file.write_bytes(UNREADABLE[name])
    now = place.live.now()
    assert [(rule.effect.value, rule.pattern) for rule in now.rules.rules if rule.scope == "workspace"] == [
        ("deny", "src/**")
    ]
    assert not now.session_grants
    place.file.write_text(GOOD)
    assert place.live.now().bypass("Demo").on is (place.server().now().bypass("Demo").on)


@pytest.mark.parametrize("name", ILL_TYPED)
def test_values_of_a_wrong_kind_permit_nothing_and_are_told(place: Place, name: str) -> None:
    content = json.loads(ILL_TYPED[name])
    wrong = {key: value for key, value in content.items() if PERMITTING.get(key.removeprefix("assent.")) != value}
    place.file.write_text(json.dumps(wrong))
    live = place.server()
    assert looser(live.now(), place.without()) == []
    assert live.diagnostics() != ()
    live.record(live.awaiting(), [])
    assert looser(live.now(), place.without()) == []


@pytest.mark.parametrize("name", [name for name in ILL_TYPED if "make no sense" in name or "of nothing" in name])
def test_restrictions_that_make_no_sense_take_agreements_along(place: Place, name: str) -> None:
    place.file.write_bytes(ILL_TYPED[name])
    assert looser(place.live.now(), place.without()) == []
    assert place.live.awaiting() == ()


REPEATED = [
    '"assent.bypassPermissions": {"Demo": false}',
    '"assent.toolAllowlist": []',
    '"assent.mode": "ask"',
    '"assent.alwaysAllowRules": {}',
    '"assent": {"bypassPermissions": {"Demo": false}}',
]


@pytest.mark.parametrize("again", REPEATED)
@pytest.mark.parametrize("before", [True, False])
def test_of_a_setting_that_stands_there_twice_nothing_counts_that_one_of_them_does_not_permit(
    place: Place, again: str, before: bool
) -> None:
    inner = GOOD[1:-1]
    place.file.write_text("{" + (f"{again}, {inner}" if before else f"{inner}, {again}") + "}")
    now = place.live.now()
    key = again.split('"')[1].removeprefix("assent.").replace("assent", "bypassPermissions")
    match key:
        case "bypassPermissions":
            assert not now.bypass("Demo").on
        case "toolAllowlist":
            assert now.rules.always_allowed == frozenset()
        case "mode":
            assert now.mode_for_new_chats.value == "ask"
        case "alwaysAllowRules":
            assert [rule.scope for rule in now.rules.rules if rule.effect.value == "allow"] == ["user"]
    assert any("twice" in one.text or "once" in one.text or "again" in one.text for one in place.live.diagnostics())


def folder_instead(file: Path) -> None:
    file.unlink()
    file.mkdir()


def pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


def endless_link(file: Path) -> None:
    file.unlink()
    file.symlink_to(file)


def forbidden(file: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("for root nothing is forbidden")
    file.chmod(0)


def device(file: Path) -> None:
    file.unlink()
    file.symlink_to("/dev/zero")


@pytest.mark.skipif(sys.platform == "win32", reason="needs links and pipes")
@pytest.mark.parametrize("make", [folder_instead, pipe, endless_link, forbidden, device])
def test_what_is_no_file_permits_nothing_and_holds_nobody_up(place: Place, make: Callable[[Path], None]) -> None:
    make(place.file)
    for live in (place.live, place.server()):
        assert looser(live.now(), place.without()) == []
        assert live.awaiting() == ()
        (told,) = live.diagnostics()
        assert told.text.startswith("These settings cannot be read: ")


@pytest.mark.parametrize("content", [b"", b" \n\t", b"\xef\xbb\xbf", b"// nothing\n", b"{}", b"{ /* */ }"])
def test_an_empty_file_says_nothing_and_has_no_fault(place: Place, content: bytes) -> None:
    place.file.write_bytes(content)
    now = place.live.now()
    assert looser(now, place.without()) == looser(place.without(), now) == []
    assert place.live.diagnostics() == ()


@pytest.mark.parametrize(
    "blocks", [5, "x", [], True, {"user": []}, {"user": {}, "workspace": 5}, {"user": {}, "folder": []}]
)
def test_what_a_client_sends_instead_of_settings_permits_nothing(place: Place, blocks: object) -> None:
    live = place.server()
    live.client_settings(blocks)
    assert looser(live.now(), place.without()) == []
    assert live.awaiting() == ()
    assert any("cannot be read" in one.text for one in live.diagnostics())
