"""The ledger of consents: bound to one folder, one entry, one meaning; in doubt it holds nothing."""

import json
import os
import shutil
import stat
import sys
import threading
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from assent.settings import consent as consent_module
from assent.settings.agents import bypass_consent, launch_digest
from assent.settings.consent import Answer, Consent, ConsentLedger, folder_identity
from assent.settings.faults import SettingsFault
from assent.settings.replacing import replace_file

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="needs links and permission bits")
DEMO = bypass_consent("Demo", launch_digest({"provider": "demo"}))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "work").mkdir()
    return tmp_path / "work"


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state" / "assent"


def test_a_consent_lasts_over_restarts(folder: Path, state: Path) -> None:
    assert not ConsentLedger(state).holds(folder, DEMO)
    ConsentLedger(state).grant(folder, DEMO)
    assert ConsentLedger(state).holds(folder, DEMO)
    assert ConsentLedger(state).lookup(folder)(DEMO)
    assert not ConsentLedger(state).lookup(None)(DEMO)


def test_a_consent_is_for_one_entry_of_one_setting_with_one_meaning(folder: Path, state: Path) -> None:
    ledger = ConsentLedger(state)
    ledger.grant(folder, DEMO)
    others = [
        bypass_consent("Demo", launch_digest({"provider": "demo", "x": 1})),
        bypass_consent("demo", launch_digest({"provider": "demo"})),
        replace(DEMO, setting="toolAllowlist"),
        replace(DEMO, entry="Other"),
    ]
    assert [ledger.holds(folder, other) for other in others] == [False] * 4


def test_a_new_meaning_takes_the_place_of_the_old_one(folder: Path, state: Path) -> None:
    ledger = ConsentLedger(state)
    ledger.grant(folder, DEMO)
    newer = replace(DEMO, digest="f" * 64)
    ledger.grant(folder, newer)
    assert ledger.holds(folder, newer)
    assert not ledger.holds(folder, DEMO)


def test_a_revoked_consent_is_gone_and_its_neighbours_stay(folder: Path, state: Path) -> None:
    ledger, other = ConsentLedger(state), Consent("bypassPermissions", "Other", "d")
    ledger.grant(folder, DEMO)
    ledger.grant(folder, other)
    ledger.revoke(folder, DEMO.setting, DEMO.entry)
    assert not ConsentLedger(state).holds(folder, DEMO)
    assert ConsentLedger(state).holds(folder, other)


def test_forgetting_what_was_never_agreed_to_writes_nothing(folder: Path, state: Path) -> None:
    ConsentLedger(state).revoke(folder, "bypassPermissions", "Demo")
    assert not state.exists()


def test_another_window_sees_a_change_at_once(folder: Path, state: Path) -> None:
    one, other = ConsentLedger(state), ConsentLedger(state)
    before = other.state
    assert not other.holds(folder, DEMO)
    one.grant(folder, DEMO)
    assert other.holds(folder, DEMO)
    assert other.state != before
    one.revoke(folder, DEMO.setting, DEMO.entry)
    assert not other.holds(folder, DEMO)


def test_a_copied_moved_or_replaced_folder_inherits_nothing(folder: Path, state: Path) -> None:
    ledger = ConsentLedger(state)
    ledger.grant(folder, DEMO)
    copy = folder.with_name("copy")
    shutil.copytree(folder, copy)
    assert not ledger.holds(copy, DEMO)
    folder.rename(folder.with_name("moved"))
    assert not ledger.holds(folder.with_name("moved"), DEMO)
    assert not ledger.holds(folder, DEMO)
    copy.rename(folder)
    assert not ledger.holds(folder, DEMO)


def test_consents_for_a_folder_that_is_no_more_are_dropped_with_the_next_one(folder: Path, state: Path) -> None:
    ledger = ConsentLedger(state)
    ledger.grant(folder, DEMO)
    folder.rename(folder.with_name("moved"))
    folder.mkdir()
    ledger.grant(folder, Consent("bypassPermissions", "Other", "d"))
    folder.rename(folder.with_name("newer"))
    folder.with_name("moved").rename(folder)
    assert not ledger.holds(folder, DEMO)


@posix_only
def test_a_folder_reached_through_a_link_is_the_same_folder(folder: Path, state: Path) -> None:
    link = folder.with_name("link")
    link.symlink_to(folder)
    assert folder_identity(link) == folder_identity(folder)
    ConsentLedger(state).grant(link, DEMO)
    assert ConsentLedger(state).holds(folder, DEMO)


@posix_only
def test_ledger_and_state_directory_are_the_owners_alone(folder: Path, state: Path) -> None:
    ConsentLedger(state).grant(folder, DEMO)
    assert stat.S_IMODE((state / "consent.json").stat().st_mode) == 0o600
    assert stat.S_IMODE(state.stat().st_mode) == 0o700


@posix_only
def test_a_ledger_that_others_may_write_holds_nothing(folder: Path, state: Path) -> None:
    ledger = ConsentLedger(state)
    ledger.grant(folder, DEMO)
    ledger.file.chmod(0o666)
    assert not ledger.holds(folder, DEMO)
    assert "others than its owner may write it" in (ledger.fault or "")


@posix_only
def test_a_ledger_that_is_a_link_holds_nothing_until_the_next_answer_takes_its_place(folder: Path, state: Path) -> None:
    ledger = ConsentLedger(state)
    ledger.grant(folder, DEMO)
    elsewhere = folder / "consent.json"
    ledger.file.rename(elsewhere)
    ledger.file.symlink_to(elsewhere)
    assert not ledger.holds(folder, DEMO)
    assert ledger.fault is not None and "link" in ledger.fault
    before = elsewhere.read_bytes()
    ledger.grant(folder, DEMO)
    assert ledger.holds(folder, DEMO)
    assert not ledger.file.is_symlink() and elsewhere.read_bytes() == before


@posix_only
def test_a_link_to_the_folder_from_another_place_or_a_linked_copy_of_its_settings_inherits_nothing(
    folder: Path, state: Path
) -> None:
    ledger = ConsentLedger(state)
    ledger.grant(folder, DEMO)
    other = folder.with_name("other")
    other.mkdir()
    (other / ".vscode").symlink_to(folder / ".vscode")
    assert not ledger.holds(other, DEMO)


def test_a_refusal_is_remembered_until_the_entry_means_something_else(folder: Path, state: Path) -> None:
    ledger = ConsentLedger(state)
    assert ledger.lookup(folder)(DEMO) is None
    ledger.record([Answer(folder, DEMO, honoured=False)])
    assert ConsentLedger(state).lookup(folder)(DEMO) is False
    assert not ledger.holds(folder, DEMO)
    assert ledger.lookup(folder)(replace(DEMO, digest="f" * 64)) is None
    ledger.grant(folder, DEMO)
    assert ConsentLedger(state).lookup(folder)(DEMO) is True


def test_answers_on_many_entries_of_several_folders_are_one_write(
    folder: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = folder.with_name("other")
    other.mkdir()
    ledger = ConsentLedger(state)
    ledger.grant(folder, Consent("mode", "auto", "d"))
    written: list[bytes] = []
    monkeypatch.setattr(
        consent_module, "replace_file", lambda *args, **_: (written.append(args[2]), replace_file(*args))[0]
    )
    ledger.record(
        [
            Answer(folder, DEMO, honoured=True),
            Answer(folder, Consent("mode", "auto", "e"), honoured=False),
            Answer(other, DEMO, honoured=False),
        ]
    )
    assert len(written) == 1
    assert ledger.lookup(folder)(DEMO) is True
    assert ledger.lookup(folder)(Consent("mode", "auto", "d")) is None
    assert ledger.lookup(folder)(Consent("mode", "auto", "e")) is False
    assert ledger.lookup(other)(DEMO) is False


def test_no_answer_is_no_write(state: Path) -> None:
    ConsentLedger(state).record([])
    assert not state.exists()


def test_if_one_answer_cannot_be_kept_none_is(folder: Path, state: Path) -> None:
    ledger = ConsentLedger(state)
    with pytest.raises(SettingsFault):
        ledger.record([Answer(folder, DEMO, honoured=True), Answer(folder / "gone", DEMO, honoured=True)])
    assert ledger.lookup(folder)(DEMO) is None


def test_of_two_answers_on_the_same_entry_the_last_counts(folder: Path, state: Path) -> None:
    ledger = ConsentLedger(state)
    ledger.record([Answer(folder, DEMO, honoured=True), Answer(folder, DEMO, honoured=False)])
    assert ledger.lookup(folder)(DEMO) is False


def test_where_the_ledger_contradicts_itself_the_refusal_counts(folder: Path, state: Path) -> None:
    ledger = ConsentLedger(state)
    ledger.grant(folder, DEMO)
    said = json.loads(ledger.file.read_text())
    (record,) = said["records"]
    for records in ([{**record, "honoured": False}, record], [record, {**record, "honoured": False}]):
        ledger.file.write_text(json.dumps({**said, "records": records}))
        assert ledger.fault is None
        assert ledger.lookup(folder)(DEMO) is False


def test_a_ledger_of_the_first_version_counts_and_is_upgraded_with_the_next_answer(folder: Path, state: Path) -> None:
    """As the first version wrote it: it knew only what was agreed to."""
    identity, other = folder_identity(folder), Consent("bypassPermissions", "Other", "d")
    record = {**asdict(identity), "setting": DEMO.setting, "entry": DEMO.entry, "digest": DEMO.digest}
    state.mkdir(parents=True)
    ledger = ConsentLedger(state)
    ledger.file.write_text(json.dumps({"version": 1, "records": [record]}, indent=1) + "\n")
    before = ledger.file.read_bytes()
    assert ledger.fault is None
    assert ledger.holds(folder, DEMO)
    assert ledger.file.read_bytes() == before
    ledger.record([Answer(folder, other, honoured=False)])
    said = json.loads(ledger.file.read_text())
    assert said["version"] == 2
    assert {**record, "honoured": True} in said["records"]
    assert ConsentLedger(state).lookup(folder)(DEMO) is True
    assert ConsentLedger(state).lookup(folder)(other) is False
    assert list(state.glob("consent.unreadable-*")) == []


@pytest.mark.parametrize(("number", "name"), [(5001, "x"), (1000, "\u202e" * 900)])
def test_a_ledger_never_grows_beyond_what_can_be_read_back(folder: Path, state: Path, number: int, name: str) -> None:
    ledger = ConsentLedger(state)
    ledger.grant(folder, DEMO)
    before = ledger.file.read_bytes()
    answers = [Answer(folder, Consent("toolAllowlist", f"{name}{index}", "d"), True) for index in range(number)]
    with pytest.raises(SettingsFault, match="answers already; take those of old folders out of it"):
        ledger.record(answers)
    assert ledger.file.read_bytes() == before
    ledger.record(answers[: number // 2])
    assert ConsentLedger(state).fault is None
    assert ConsentLedger(state).holds(folder, answers[0].consent)


RECORD = {"path": "/x", "device": 1, "inode": 2, "setting": "s", "entry": "e", "digest": "d"}


@pytest.mark.parametrize(
    "content",
    [
        b'{"version": 1, "records": [',
        b"",
        b"[]",
        b"\xff\x00",
        b'{"version": 3, "records": []}',
        b'{"version": true, "records": []}',
        b'{"version": 2, "version": 2, "records": []}',
        b'{"version": 2, "records": [], "records": []}',
        json.dumps({"version": 2, "records": [RECORD]}).encode(),
        json.dumps({"version": 2, "records": [{**RECORD, "honoured": 1}]}).encode(),
        b'{"version": 1, "records": {}}',
        b'{"version": 1, "records": [null]}',
        json.dumps({"version": 1, "records": [{**RECORD, "inode": True}]}).encode(),
        json.dumps({"version": 1, "records": [{**RECORD, "digest": 1}]}).encode(),
        b"[" * 10_000,
    ],
)
def test_a_broken_ledger_holds_nothing_says_so_and_is_kept_aside(folder: Path, state: Path, content: bytes) -> None:
    ledger = ConsentLedger(state)
    ledger.grant(folder, DEMO)
    ledger.file.write_bytes(content)
    assert not ledger.holds(folder, DEMO)
    assert "asks again" in (ledger.fault or "")
    assert ledger.file.read_bytes() == content
    ledger.grant(folder, Consent("bypassPermissions", "Other", "d"))
    assert ledger.fault is None
    assert not ledger.holds(folder, DEMO)
    (copy,) = state.glob("consent.unreadable-*.json")
    assert copy.read_bytes() == content


def test_a_ledger_cut_at_any_byte_never_holds_more(folder: Path, state: Path) -> None:
    ledger = ConsentLedger(state)
    ledger.grant(folder, DEMO)
    whole = ledger.file.read_bytes()
    for length in range(len(whole) - 2):
        ledger.file.write_bytes(whole[:length])
        assert not ledger.holds(folder, DEMO)
        assert ledger.fault


def test_a_state_directory_inside_the_workspace_keeps_no_consent(folder: Path) -> None:
    ledger = ConsentLedger(folder / ".state")
    with pytest.raises(SettingsFault, match="lies inside this workspace"):
        ledger.grant(folder, DEMO)
    outside = ConsentLedger(folder.with_name("outside"))
    outside.grant(folder, DEMO)
    shutil.copytree(outside.state_dir, ledger.state_dir)
    assert not ledger.holds(folder, DEMO)


def test_a_ledger_that_cannot_be_written_is_a_fault_with_words(folder: Path, state: Path) -> None:
    state.parent.mkdir()
    state.write_text("a file where the state directory should be")
    with pytest.raises(SettingsFault, match=r"consent\.json was not changed: the lock file"):
        ConsentLedger(state).grant(folder, DEMO)


def test_a_folder_that_is_gone_holds_nothing(folder: Path, state: Path) -> None:
    ledger = ConsentLedger(state)
    ledger.grant(folder, DEMO)
    folder.rmdir()
    assert not ledger.holds(folder, DEMO)
    with pytest.raises(SettingsFault):
        ledger.grant(folder, DEMO)


def test_grants_from_many_threads_are_all_kept(folder: Path, state: Path) -> None:
    consents = [Consent("bypassPermissions", f"agent {number}", "d") for number in range(24)]

    def grant(some: list[Consent]) -> None:
        for consent in some:
            ConsentLedger(state).grant(folder, consent)

    threads = [threading.Thread(target=grant, args=(consents[start::4],)) for start in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(ConsentLedger(state).holds(folder, consent) for consent in consents)


@pytest.mark.parametrize("name", ["__proto__", "a.b", "", "🦊", "\ud800", "x" * 300])
def test_any_name_of_an_agent_is_kept(folder: Path, state: Path, name: str) -> None:
    consent = bypass_consent(name, "d")
    ConsentLedger(state).grant(folder, consent)
    assert ConsentLedger(state).holds(folder, consent)


@pytest.mark.skipif(sys.platform != "linux", reason="a file system where a name may be any bytes")
def test_a_folder_whose_name_is_no_text_is_kept(tmp_path: Path, state: Path) -> None:
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xfe"))
    folder.mkdir()
    ConsentLedger(state).grant(folder, DEMO)
    assert ConsentLedger(state).holds(folder, DEMO)


def test_a_folder_that_was_made_anew_under_the_same_number_inherits_nothing(folder: Path, state: Path) -> None:
    """A file system may give the number of a deleted folder to the next one at once."""
    ledger = ConsentLedger(state)
    old = folder_identity(folder)
    if not old.born:
        pytest.skip("this file system does not keep when a folder was made")
    ledger.grant(folder, DEMO)
    assert ledger.holds(folder, DEMO)
    for _ in range(50):
        folder.rmdir()
        folder.mkdir()
        if folder_identity(folder).inode == old.inode:
            break

    assert folder_identity(folder) != old
    assert not ledger.holds(folder, DEMO)


def test_a_record_that_does_not_know_when_its_folder_was_made_still_counts(folder: Path, state: Path) -> None:
    ledger = ConsentLedger(state)
    ledger.grant(folder, DEMO)
    said = json.loads(ledger.file.read_text())
    for record in said["records"]:
        record["born"] = 0
    ledger.file.write_text(json.dumps(said))
    assert ledger.holds(folder, DEMO)

    ledger.record([Answer(folder, DEMO, honoured=False)])
    assert not ledger.holds(folder, DEMO)
    assert len(json.loads(ledger.file.read_text())["records"]) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="rights are other ones there")
def test_a_ledger_in_a_folder_that_others_may_write_holds_nothing(folder: Path, state: Path) -> None:
    ledger = ConsentLedger(state)
    ledger.grant(folder, DEMO)
    state.chmod(0o777)

    fresh = ConsentLedger(state)
    assert not fresh.holds(folder, DEMO)
    assert "others than its owner" in (fresh.fault or "")
    state.chmod(0o700)
