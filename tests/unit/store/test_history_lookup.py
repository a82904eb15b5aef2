"""What is looked up is what a plain reading of the whole history finds, for every filter and page by page."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from assent.store.query import Filters, InvalidTime, Kept, Page, look_up
from assent.store.reading import HistoryUnreadable, NoHistory, reading
from tests.support.history_entries import a_subject, behind_its_back, decided, kept, random_entries, rows

SEED = 7
MANY = 400


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A history with something of everything."""
    folder = tmp_path_factory.mktemp("history")
    kept(folder, random_entries(MANY, SEED), at_once=100)
    return folder


@pytest.fixture(scope="module")
def everything(folder: Path) -> list[dict[str, Any]]:
    """All entries, newest first, as they stand in the file."""
    return [{"n": n, **json.loads(str(body))} for n, _, body in reversed(rows(folder))]


def asked(folder: Path, /, **filters: Any) -> Page:
    with reading(folder) as connection:
        return look_up(connection, Filters(**filters))


def numbers(page: Page) -> list[int]:
    return [kept.n for kept in page.entries]


def plainly(everything: list[dict[str, Any]], filters: dict[str, Any]) -> list[int]:
    """The same, without any database."""
    found = []
    for entry in everything:
        fits = all(
            entry.get(name) == wanted
            for name, wanted in filters.items()
            if name in {"session_id", "call_id", "tool", "stage", "ending", "by", "folder"}
        )
        if "agent" in filters:
            fits = fits and filters["agent"] in (entry["agent_id"], entry["agent_name"])
        if "since" in filters:
            fits = fits and entry["at"] >= filters["since"]
        if "until" in filters:
            fits = fits and entry["at"] < filters["until"]
        if "text" in filters:
            said = " ".join(str(entry.get(name, "")) for name in ("headline", "text", "reason"))
            said += " ".join(map(str, json.loads(entry["args"]).values()))
            fits = fits and all(word in said.lower() for word in filters["text"].lower().split())
        if fits:
            found.append(entry["n"])
    return found


FILTERS: dict[str, list[str]] = {
    "session_id": ["chat-0", "chat-4", "nobody's"],
    "call_id": ["call-0", "call-77", "none"],
    "agent": ["Demo", "other agent", "demo", "Nobody"],
    "tool": ["bash", "tool with “quotes”", "none"],
    "stage": ["decided", "finished", "revoked"],
    "ending": ["allowed", "unknown"],
    "by": ["user", "restart"],
    "folder": ["/home/me/other code", "/"],
    "text": ["tests", "straße", "SRC/datei-3-Ü", "writes asks", "π", "no such words", "rule src", "read_auto"],
    "since": ["2030-01-01T03:00:00.000Z", "2031-01-01"],
    "until": ["2030-01-01T03:00:00.000Z", "2029-01-01"],
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in FILTERS.items() for value in values])
def test_every_filter_finds_what_fits(folder: Path, everything: list[dict[str, Any]], name: str, value: str) -> None:
    page = asked(folder, **{name: value}, limit=500)
    assert numbers(page) == plainly(everything, {name: value}) and not page.more


def test_filters_together_find_what_fits_all(folder: Path, everything: list[dict[str, Any]]) -> None:
    dice = random.Random(SEED)
    hits = 0
    for _ in range(150):
        names = dice.sample(sorted(FILTERS), dice.randrange(2, 5))
        filters = {name: dice.choice(FILTERS[name]) for name in names}
        found = numbers(asked(folder, **filters, limit=500))
        assert found == plainly(everything, filters), filters
        hits += bool(found)
    assert hits > 20


def test_pages_follow_each_other_without_a_gap(folder: Path, everything: list[dict[str, Any]]) -> None:
    for filters in ({}, {"tool": "bash"}, {"text": "src"}, {"session_id": "chat-1", "text": "rule"}):
        seen: list[int] = []
        before, more = None, True
        while more:
            page = asked(folder, **filters, before=before, limit=7)
            seen += numbers(page)
            before, more = page.entries[-1].n, page.more
        assert seen == plainly(everything, filters)


def test_an_entry_comes_back_as_it_was_written(tmp_path: Path) -> None:
    entry = decided("a call", took_ms=0, edited=True, feedback="“no”\n\ud800")
    kept(tmp_path, [entry])
    (found,) = asked(tmp_path, call_id="a call").entries
    assert isinstance(found, Kept) and found.n == 1 and len(found.hash) == 64
    fields = found.fields
    assert (fields["took_ms"], fields["edited"], fields["feedback"]) == (0, True, "“no”\n\ud800")
    assert (fields["session_id"], fields["tool"], fields["ending"]) == ("chat-1", "bash", "allowed")
    assert json.loads(fields["args"]) == {"command": "ls"} and fields["path"] == ["Demo"]


@pytest.mark.parametrize("name", ["tool", "folder", "call_id", "session_id", "agent", "text"])
@pytest.mark.parametrize("odd", ["\ud800", "it's; DROP TABLE entries --", "%", "_", "\x00", "\U0001f600 'x'"])
def test_odd_texts_find_themselves_and_nothing_else(tmp_path: Path, name: str, odd: str) -> None:
    field = {"call_id": "call", "session_id": "session", "text": "headline"}.get(name, name)
    ordinary = a_subject("other", tool="other", session="other", headline="other", agent="Other", folder="other")
    call = a_subject(odd) if field == "call" else a_subject("one", **{field: odd})
    kept(tmp_path, [decided(subject=ordinary, reason=None), decided(subject=call, reason=None)])
    assert numbers(asked(tmp_path, **{name: odd})) == [2]


def test_limits_are_kept_within_reason(folder: Path) -> None:
    assert len(asked(folder).entries) == 50
    for limit, many in ((1, 1), (-5, 1), (10**9, MANY)):
        assert len(asked(folder, limit=limit).entries) == many
    assert numbers(asked(folder, before=3)) == [2, 1]
    assert numbers(asked(folder, before=-1)) == []


def test_a_time_that_is_none_is_refused(folder: Path) -> None:
    for name in ("since", "until"):
        with pytest.raises(InvalidTime, match="yesterday") as refused:
            asked(folder, **{name: "yesterday"})
        assert refused.value.name == name


def test_times_of_other_zones_are_understood(tmp_path: Path) -> None:
    kept(tmp_path, [decided(at="2030-01-31T12:00:00.000Z")])
    assert numbers(asked(tmp_path, since="2030-01-31T13:00:00+01:00")) == [1]
    assert numbers(asked(tmp_path, since="2030-01-31T13:00:01+01:00")) == []
    assert numbers(asked(tmp_path, since="2030-01-31")) == [1]


def test_without_a_history_it_is_said_plainly(tmp_path: Path) -> None:
    with pytest.raises(NoHistory, match=r"no history yet: .* does not exist"):
        asked(tmp_path)
    (tmp_path / "assent.sqlite3").touch()
    with pytest.raises(NoHistory, match="is empty"):
        asked(tmp_path)


def test_a_later_or_foreign_file_is_said_plainly(tmp_path: Path) -> None:
    kept(tmp_path, [decided()])
    behind_its_back(tmp_path, "PRAGMA user_version = 99")
    with pytest.raises(HistoryUnreadable, match="newer version of Assent"):
        asked(tmp_path)
    behind_its_back(tmp_path, "PRAGMA application_id = 5")
    with pytest.raises(HistoryUnreadable, match="damaged"):
        asked(tmp_path)


def test_no_search_is_too_long_to_be_made(folder: Path) -> None:
    assert numbers(asked(folder, text="a" * 200_000)) == []
    assert numbers(asked(folder, text=" ".join(f"word{number}" for number in range(5000)))) == []
    assert len(asked(folder, text="tests " * 5000).entries) > 0
    assert numbers(asked(folder, before=10**30, limit=1)) == [MANY] and numbers(asked(folder, before=-(10**30))) == []


def test_a_search_that_takes_long_tells_what_it_has(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assent.store.query._AT_ONCE", 10)
    monkeypatch.setattr("assent.store.query.SOON_SECONDS", -1.0)
    page = asked(folder, text="src", limit=500)
    assert 0 < len(page.entries) < MANY and page.more
    seen = numbers(page)
    while page.more:
        page = asked(folder, text="src", limit=500, before=page.entries[-1].n)
        seen += numbers(page)
    assert seen == list(range(MANY, 0, -1))


def test_facts_that_were_changed_show_nothing_else_than_the_entry_says(tmp_path: Path) -> None:
    kept(tmp_path, [decided("a"), decided("b")])
    behind_its_back(tmp_path, "UPDATE facts SET call = (SELECT call FROM facts WHERE n = 1) WHERE n = 2")
    assert numbers(asked(tmp_path, call_id="a")) == [1]
