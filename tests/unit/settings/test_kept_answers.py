"""The user's answers about settings, for people: with when they were given, and beside what stands there now."""

from pathlib import Path

from assent.settings.consent import Answer, Consent, ConsentLedger
from assent.settings.consent_file import ledger_text, records_from
from assent.settings.jsonc import parse
from assent.settings.kept_answers import kept_answers
from assent.settings.layers import Layer, Scope
from assent.settings.loosening import ALLOWLIST, At, tool_entry

AGREED = tool_entry(At(Layer(Scope.WORKSPACE, {ALLOWLIST: ["bash"]}), ALLOWLIST, (0,)), "bash")


def ledger(folder: Path, moments: list[str]) -> ConsentLedger:
    return ConsentLedger(folder / "state", lambda: moments.pop(0))


def test_an_answer_is_kept_with_its_moment_which_decides_nothing(tmp_path: Path) -> None:
    here = tmp_path / "workspace"
    here.mkdir()
    kept = ledger(tmp_path, ["2030-01-01T00:00:00Z", "2030-01-02T00:00:00Z"])
    kept.record([Answer(here, AGREED.consent, honoured=True)])
    (one,) = kept.answered(here)
    assert (one.at, one.honoured) == ("2030-01-01T00:00:00Z", True)
    assert kept.holds(here, AGREED.consent)
    kept.record([Answer(here, AGREED.consent, honoured=False)])
    (other,) = kept.answered(here)
    assert (other.at, other.honoured) == ("2030-01-02T00:00:00Z", False)
    assert kept.answered(tmp_path) == ()


def test_answers_of_an_older_file_have_no_moment_and_count(tmp_path: Path) -> None:
    here = tmp_path / "workspace"
    here.mkdir()
    kept = ledger(tmp_path, ["2030-01-01T00:00:00Z"])
    kept.record([Answer(here, AGREED.consent, honoured=True)])
    (known,) = records_from(parse(kept.file.read_text()).value)
    text = kept.file.read_text().replace(f', "at": "{known.at}"', "").replace(f',\n   "at": "{known.at}"', "")
    assert '"at"' not in text
    kept.file.write_text(text)
    (older,) = kept.answered(here)
    assert (older.at, older) == ("", known)
    assert ledger_text([older]).decode().count('"at"') == 0


def test_it_is_told_in_the_words_of_the_entry_that_stands_there_the_newest_first(tmp_path: Path) -> None:
    here = tmp_path / "workspace"
    here.mkdir()
    kept = ledger(tmp_path, ["2030-01-01T00:00:00Z", "2030-01-02T00:00:00Z"])
    gone = Consent(ALLOWLIST, "write_file", "another digest")
    kept.record([Answer(here, AGREED.consent, honoured=True)])
    kept.record([Answer(here, gone, honoured=False)])
    newest, oldest = kept_answers(here, kept.answered(here), [AGREED])
    assert newest.words.startswith("An entry of assent.toolAllowlist that does not stand there any more: “write_file”")
    assert newest.origin is None
    assert (oldest.words, oldest.origin) == (AGREED.words, AGREED.origin)


def test_another_answer_on_the_same_has_another_id(tmp_path: Path) -> None:
    here = tmp_path / "workspace"
    here.mkdir()
    kept = ledger(tmp_path, ["1", "2", "2"])
    ids = set()
    for honoured in (True, False, True):
        kept.record([Answer(here, AGREED.consent, honoured=honoured)])
        ids |= {one.answer_id for one in kept_answers(here, kept.answered(here), [AGREED])}
    assert len(ids) == 3
