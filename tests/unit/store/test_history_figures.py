"""Figures are those of the log: counted again from what was exported, without any database."""

import json
import math
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from assent.model.approval import OptionKind, ResolvedBy
from assent.model.records import Ending, Stage
from assent.store.export import Piece, export
from assent.store.metrics import Figures, Spread, figures
from assent.store.query import InvalidTime
from assent.store.reading import reading
from tests.support.history_entries import behind_its_back, decided, kept, random_entries

Json = dict[str, Any]


def exported(folder: Path, *, length: int | None = None) -> list[Json]:
    """Every line of the export, piece by piece."""
    lines: list[Json] = []
    after, done = None, False
    while not done:
        piece = one_piece(folder, after, length)
        lines += [json.loads(line) for line in piece.text.splitlines()]
        after, done = piece.last, piece.done
    return lines


def one_piece(folder: Path, after: int | None, length: int | None) -> Piece:
    with reading(folder) as connection:
        return export(connection, after, length)


def counted(folder: Path, since: str | None = None, until: str | None = None) -> Figures:
    with reading(folder) as connection:
        return figures(connection, since, until)


def spread(values: Iterable[int | None]) -> Spread | None:
    ordered = sorted(value for value in values if value is not None)
    if not ordered:
        return None
    return Spread(len(ordered), _rank(ordered, 0.5), _rank(ordered, 0.95), ordered[-1])


def _rank(ordered: list[int], share: float) -> int:
    return ordered[math.ceil(round(share * len(ordered), 6)) - 1]


def plainly(entries: list[Json]) -> Figures:
    """The figures, counted with nothing but lists."""
    last: dict[tuple[str, ...], Json] = {}
    for entry in entries:
        if entry["stage"] in {"decided", "finished"}:
            last[entry["stage"], entry["session_id"], entry["run_id"], entry["call_id"]] = entry
    decisions = [entry for entry in last.values() if entry["stage"] == "decided"]
    finished = [entry for entry in last.values() if entry["stage"] == "finished"]
    tools = sorted({entry["tool"] for entry in finished})
    spreads = [(tool, spread(one.get("took_ms") for one in finished if one["tool"] == tool)) for tool in tools]
    return Figures(
        decisions=_counts(entry.get("reason") for entry in decisions),
        endings=_counts(entry.get("ending") for entry in last.values()),
        answers=_counts(entry.get("option") for entry in decisions if entry.get("by") == "user"),
        timeouts=sum(entry.get("ending") == "timeout" for entry in decisions),
        settled_by_policy=sum(entry.get("by") == "policy" and "approval_id" in entry for entry in decisions),
        waited=spread(entry.get("waited_ms") for entry in decisions),
        tools=tuple((tool, found) for tool, found in spreads if found is not None),
    )


def _counts(words: Iterable[str | None]) -> tuple[tuple[str, int], ...]:
    counter = Counter(word for word in words if word is not None)
    return tuple(sorted(counter.items(), key=lambda pair: (-pair[1], pair[0])))


@pytest.mark.parametrize("seed", range(3))
def test_figures_are_those_of_the_log(tmp_path: Path, seed: int) -> None:
    kept(tmp_path, random_entries(400, seed), at_once=100)
    entries = [line["entry"] for line in exported(tmp_path)]
    found, expected = counted(tmp_path), plainly(entries)
    assert dict(found.tools) == dict(expected.tools) and len(expected.tools) == 4
    assert found.waited == expected.waited and found.waited is not None
    for name in ("decisions", "endings", "answers", "timeouts", "settled_by_policy"):
        assert getattr(found, name) == getattr(expected, name), name
    assert found.timeouts and found.settled_by_policy

    since, until = "2030-01-01T02:00:00.000Z", "2030-01-01T05:00:00.000Z"
    within = plainly([entry for entry in entries if since <= entry["at"] < until])
    found = counted(tmp_path, since, until)
    assert (found.endings, found.waited) == (within.endings, within.waited)


def test_of_several_decisions_about_one_call_the_last_counts(tmp_path: Path) -> None:
    answers = [(Ending.ALLOWED, OptionKind.ALLOW_ONCE), (Ending.REJECTED, OptionKind.REJECT_ONCE)]
    kept(tmp_path, [decided("one", ending=ending, option=option) for ending, option in answers])
    kept(tmp_path, [decided("two", ending=Ending.TIMEOUT, by=ResolvedBy.TIMEOUT, option=None)])
    found = counted(tmp_path)
    assert found.endings == (("rejected", 1), ("timeout", 1))
    assert found.answers == (("reject_once", 1),) and found.timeouts == 1
    assert found.decisions == (("needs_approval", 2),)


def test_what_is_about_the_history_itself_is_no_call(tmp_path: Path) -> None:
    kept(tmp_path, [decided("one"), decided("two")])
    behind_its_back(tmp_path, "DELETE FROM entries WHERE n = 2", "DELETE FROM facts WHERE n = 2")
    kept(tmp_path, [decided("three", stage=Stage.FINISHED, ending=Ending.DONE, took_ms=5)])
    assert counted(tmp_path).endings == (("allowed", 1), ("done", 1))


def test_an_empty_time_has_no_figures(tmp_path: Path) -> None:
    kept(tmp_path, [decided()])
    assert counted(tmp_path, since="2099-01-01") == Figures((), (), (), 0, 0, None, ())
    with pytest.raises(InvalidTime):
        counted(tmp_path, until="someday")


# The export


@pytest.mark.parametrize("length", [1, 1000, 20_000, None, 10**9])
def test_the_pieces_make_up_the_whole(tmp_path: Path, length: int | None) -> None:
    kept(tmp_path, random_entries(60, 5))
    lines = exported(tmp_path, length=length)
    assert [line["n"] for line in lines] == list(range(1, 61))
    assert exported(tmp_path) == lines
    piece = one_piece(tmp_path, 60, length)
    assert (piece.text, piece.last, piece.done) == ("", 60, True)


def test_pieces_are_about_as_long_as_they_were_asked_for(tmp_path: Path) -> None:
    kept(tmp_path, random_entries(60, 5))
    piece = one_piece(tmp_path, None, 5000)
    assert 2000 < len(piece.text) <= 5000 and piece.text.endswith("\n") and not piece.done


def test_who_has_the_export_can_check_the_chain(tmp_path: Path) -> None:
    import hashlib

    kept(tmp_path, random_entries(40, 9))
    text = one_piece(tmp_path, None, None).text
    assert text.isascii()
    before = "0" * 64
    for line in text.splitlines():
        n, digest = json.loads(line)["n"], json.loads(line)["hash"]
        body = line[line.index('"entry":') + len('"entry":') : -1]
        before = hashlib.sha256(f"{before}\n{n}\n{body}".encode("ascii")).hexdigest()
        assert digest == before


def test_an_entry_that_was_broken_is_exported_as_a_text(tmp_path: Path) -> None:
    kept(tmp_path, [decided("one"), decided("two")])
    behind_its_back(tmp_path, "UPDATE entries SET body = '{\"n\": 1}' || char(10) || '{' WHERE n = 1")
    lines = exported(tmp_path)
    assert [line["n"] for line in lines] == [1, 2] and isinstance(lines[0]["entry"], str)
