"""No secret reaches the disk, nothing is endlessly long, and no text is too odd to be written down."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from assent.model.records import Entry
from assent.model.verdict import RuleOrigin
from assent.store.entry_text import body_of
from assent.store.verify import verify
from tests.support.history_entries import a_subject, decided, kept

TOKEN = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"


def fields(entry: Entry) -> dict[str, Any]:
    return dict(json.loads(body_of(entry)))


EVERYWHERE = {
    "headline": decided(subject=a_subject(headline=f"curl with {TOKEN}")),
    "tool": decided(subject=a_subject(tool=f"tool_{TOKEN}")),
    "call": decided(subject=a_subject(f"call {TOKEN}")),
    "agent": decided(subject=a_subject(agent=f"agent {TOKEN}")),
    "folder": decided(subject=a_subject(folder=f"/home/{TOKEN}")),
    "text": decided(text=f"It reads {TOKEN}"),
    "feedback": decided(feedback=f"use {TOKEN} instead"),
    "grant": decided(grant=f"bash(echo {TOKEN})"),
    "rule": decided(rule=RuleOrigin(f"bash(echo {TOKEN})", "user", f"/home/{TOKEN}/settings.json", 1)),
    "arguments": decided(subject=a_subject(args={"deep": [{"header": f"Authorization: Bearer {TOKEN}"}]})),
    "names": decided(subject=a_subject(args={TOKEN: 1})),
    "password": decided(subject=a_subject(args={"password": "correct horse battery staple"})),
    "raw": decided(subject=replace(a_subject(), call=replace(a_subject().call, args=None, raw=f'{{"x": "{TOKEN}'))),
}


@pytest.mark.parametrize("place", EVERYWHERE)
def test_a_secret_never_reaches_the_disk(tmp_path: Path, place: str) -> None:
    kept(tmp_path, [EVERYWHERE[place]])
    for path in tmp_path.iterdir():
        data = path.read_bytes()
        assert TOKEN.encode() not in data and b"horse battery" not in data, path.name
    assert fields(EVERYWHERE[place])["redactions"] >= 1


def test_what_is_no_secret_stays_as_it_is() -> None:
    said = fields(decided(took_ms=0))
    assert "redactions" not in said
    assert (said["digest"], said["approval_id"]) == ("d" * 64, "approval of call-1")
    assert json.loads(said["args"]) == {"command": "ls"}


def test_ids_and_digests_are_not_taken_for_secrets() -> None:
    subject = replace(
        a_subject(session="6f0c1a52-7d0a-4be6-9c1e-1b7a4f0d2e3c"), digest=hashlib.sha256(b"x").hexdigest()
    )
    said = fields(decided(subject=subject))
    assert said["session_id"] == "6f0c1a52-7d0a-4be6-9c1e-1b7a4f0d2e3c" and len(said["digest"]) == 64
    assert "redactions" not in said


def test_long_arguments_are_cut_and_say_what_they_were() -> None:
    args = {"content": "x" * 100_000}
    whole = json.dumps(args, separators=(",", ":"))
    kept_text = fields(decided(subject=a_subject(args=args)))["args"]
    assert len(kept_text) < 17 * 1024 and kept_text.startswith('{"content":"xxx')
    assert f"{len(whole)} characters" in kept_text and hashlib.sha256(whole.encode()).hexdigest() in kept_text


def test_a_secret_across_the_place_of_the_cut_is_masked() -> None:
    for before in range(16 * 1024 - 60, 16 * 1024, 7):
        for subject in (
            a_subject(args={"content": "x " * (before // 2) + TOKEN + " y" * 50_000}),
            replace(
                a_subject(), call=replace(a_subject().call, args=None, raw="x " * (before // 2) + TOKEN + " y" * 99)
            ),
        ):
            assert TOKEN[:12] not in body_of(decided(subject=subject))


def test_arguments_up_to_the_limit_are_whole() -> None:
    args = {"content": "x" * (16 * 1024 - 14)}
    text = fields(decided(subject=a_subject(args=args)))["args"]
    assert len(text) == 16 * 1024 and json.loads(text) == args


def test_no_entry_grows_without_end() -> None:
    long = "word " * 200_000
    subject = replace(a_subject(headline=long, folder=long), directory=long)
    subject = replace(subject, caller=replace(subject.caller, path=(long,) * 200))
    entry = decided(subject=subject, text=long, feedback=long, grant=long, rule=RuleOrigin(long, long, long))
    assert len(body_of(entry)) < 800_000


ODD = ["\ud800", "\udfff and \ud800", "\x00", "\u2028\u2029", "\u202e", "\U0001f600", "ends with \\", '"', "\r\n"]


@pytest.mark.parametrize("odd", ODD)
def test_odd_characters_are_kept_as_they_are(tmp_path: Path, odd: str) -> None:
    entry = decided(odd, subject=a_subject(odd, tool=odd, args={odd: [odd]}, session=odd, headline=odd), text=odd)
    kept(tmp_path, [entry, decided("after")])
    assert verify(tmp_path).intact
    said = fields(entry)
    assert (said["tool"], said["headline"], said["text"]) == (odd, odd, odd)
    assert json.loads(said["args"]) == {odd: [odd]}


@pytest.mark.parametrize("number", [float("nan"), float("inf"), 10**400, -0.0, 1e-300, 2**63])
def test_odd_numbers_can_be_written_down(tmp_path: Path, number: float) -> None:
    kept(tmp_path, [decided(subject=a_subject(args={"n": number})), decided(waited_ms=10**30, took_ms=-1)])
    assert verify(tmp_path).intact


def test_deep_arguments_can_be_written_down(tmp_path: Path) -> None:
    args: Any = {"end": 1}
    for _ in range(190):
        args = {"in": args}
    kept(tmp_path, [decided(subject=a_subject(args=args))])
    assert verify(tmp_path).intact
