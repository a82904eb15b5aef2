"""The history over the wire: what a run left in it, looked up, taken along, counted and checked by a client."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.history_entries import behind_its_back
from tests.support.rpc import RpcError
from tests.support.server import INVALID_PARAMS, Server, write


def query(server: Server, **filters: Any) -> list[Any]:
    """The entries that fit, newest first."""
    return list(server.client.request("history/query", filters)["entries"])


def one_run(server: Server) -> tuple[Any, Any]:
    """A call that is allowed and one that is refused; returns their cards."""
    server.script([write("yes.txt", "token: ghp_" + "A1b2C3d4" * 5), write("no.txt")])
    chat = server.chat()
    run = chat.send()
    cards = {card["args"]["path"]: card for card in (chat.card(), chat.card())}
    chat.answer(cards["yes.txt"], decision="accept")
    chat.answer(cards["no.txt"], decision="deny", feedback="not this one")
    run.result()
    return cards["yes.txt"], cards["no.txt"]


def test_before_anything_there_is_nothing_and_nothing_wrong(alone: Server) -> None:
    assert alone.client.request("history/query", {}) == {"entries": [], "more": False}
    assert alone.client.request("history/export", {}) == {"text": "", "last": 0, "done": True}
    assert alone.client.request("history/metrics", {})["timeouts"] == 0
    assert alone.client.request("history/verify", {}) == {"intact": True, "entries": 0}


def test_a_run_is_in_the_history_from_asking_to_its_end(alone: Server) -> None:
    yes, no = one_run(alone)
    told = query(alone, callId=yes["toolCall"]["toolCallId"])
    assert [entry["stage"] for entry in told] == ["finished", "started", "decided", "requested"]
    finished, started, decided, requested = told
    assert (decided["ending"], decided["by"], decided["option"]) == ("allowed", "user", "allow_once")
    assert decided["approvalId"] == yes["approvalId"] and decided["digest"] == yes["argsDigest"]
    assert finished["ending"] == "done" and finished["tookMs"] >= 0
    assert {entry["tool"] for entry in told} == {"write_file"}
    assert {entry["sessionId"] for entry in told} == {yes["sessionId"]}
    assert "ghp_" not in json.dumps(told) and requested["redactions"] >= 1
    refused = query(alone, callId=no["toolCall"]["toolCallId"], stage="decided")
    assert [(entry["ending"], entry["feedback"]) for entry in refused] == [("rejected", "not this one")]
    assert query(alone, ending="rejected", by="user", tool="write_file", agent="Scripted") == refused
    assert query(alone, text="no.txt", stage="decided") == refused
    assert started["n"] < finished["n"]


def test_pages_end_where_the_history_does(alone: Server) -> None:
    one_run(alone)
    first = alone.client.request("history/query", {"limit": 2})
    assert len(first["entries"]) == 2 and first["more"] is True
    seen, before, more = [], None, True
    while more:
        page = alone.client.request("history/query", {"limit": 3, **({"before": before} if before else {})})
        seen += [entry["n"] for entry in page["entries"]]
        before, more = page["entries"][-1]["n"], page["more"]
    assert seen == list(range(seen[0], 0, -1)) and len(seen) >= 6


def test_figures_and_export_are_those_of_the_run(alone: Server) -> None:
    one_run(alone)
    exported = alone.client.request("history/export", {})
    entries = [json.loads(line)["entry"] for line in exported["text"].splitlines()]
    assert exported["done"] and exported["last"] == len(entries)
    figures = alone.client.request("history/metrics", {})
    answers = {one["name"]: one["count"] for one in figures["answers"]}
    assert answers == {"allow_once": 1, "reject_once": 1}
    assert figures["waited"]["count"] == 2 and figures["tools"][0]["tool"] == "write_file"
    assert {one["name"]: one["count"] for one in figures["endings"]} == {"allowed": 1, "done": 1, "rejected": 1}


def test_checking_tells_what_was_changed(alone: Server) -> None:
    one_run(alone)
    fine = alone.client.request("history/verify", {})
    assert fine["intact"] is True and fine["entries"] >= 6
    behind_its_back(Path(alone.state), "UPDATE entries SET body = replace(body, 'rejected', 'allowed')")
    broken = alone.client.request("history/verify", {})
    assert broken["intact"] is False and broken["firstBroken"] and "was changed" in broken["problem"]
    # Looking at it goes on.
    assert query(alone, tool="write_file")


@pytest.mark.parametrize("body", ["'{}'", "'[1]'", "'nonsense'", """'{"stage":"dream","waited_ms":"long","n":7}'"""])
def test_an_entry_that_was_broken_is_shown_as_broken(alone: Server, body: str) -> None:
    one_run(alone)
    behind_its_back(Path(alone.state), f"UPDATE entries SET body = {body} WHERE n = 2")
    entries = query(alone)
    assert [entry["n"] for entry in entries if entry["n"] == 2] == [2]
    assert len({entry["n"] for entry in entries}) == len(entries)


def test_wrong_times_are_refused_by_name(alone: Server) -> None:
    one_run(alone)
    for method, field in (("history/query", "since"), ("history/query", "until"), ("history/metrics", "until")):
        with pytest.raises(RpcError) as refused:
            alone.client.request(method, {field: "yesterday"})
        assert refused.value.code == INVALID_PARAMS and refused.value.data == {"path": f"params.{field}"}
