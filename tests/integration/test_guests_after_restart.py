"""A server that ends while a call of an agent of others waits, or runs: nothing of it is asked for anew, or run."""

from pathlib import Path
from typing import Any

import pytest

from tests.support import kept
from tests.support.crashed import kill
from tests.support.guests import House, ask, diff, says
from tests.support.scale import wait_until
from tests.support.server import Chat

Json = Any


def _again(house: House, folder: Path) -> House:
    kill(house.server)
    house.server.client.close()
    return House(folder)


def _loaded(house: House, session_id: str) -> Json:
    return house.server.client.request("session/load", {"sessionId": session_id}, within=30)


@pytest.mark.parametrize(
    "call",
    [
        {"command": "touch made"},
        {"edits": [diff("made", "x")]},
        {"kind": "delete", "locations": [{"path": "kept"}]},
        {"kind": "other", "title": "Something"},
    ],
    ids=["command", "edit", "delete", "other"],
)
@pytest.mark.parametrize("how", ["waits", "runs"])
def test_what_it_had_asked_comes_back_without_buttons(tmp_path: Path, call: Json, how: str) -> None:
    house = House(tmp_path)
    (house.workspace / "kept").write_text("x")
    guest = house.guest([ask(**call, on={"allow": [{"until_cancelled": []}]})])
    chat = guest.chat()
    chat.send()
    card = chat.card()
    if how == "runs":
        chat.select(card, "approve")
        wait_until(lambda: guest.answers() == ["allow"], what="the yes")
    kept.wait_for_calls(house.server.state, 1, {"waits": "waiting", "runs": "running"}[how])
    house = _again(house, tmp_path)

    with house:
        guest = house.guest([says("Here again.")])
        _loaded(house, chat.id)
        wait_until(lambda: house.server.waiting() == [], what="nothing that waits")
        again = Chat(house.server, chat.id)
        assert again.refused(card, decision="accept").code == -31001
        told = [one["data"] for one in _told(house, chat.id) if one["event"] == "ToolResult"]
        assert len(told) == 1 and told[0]["is_error"], told
        expected = "did not run; ask again" if how == "waits" else "not run again"
        assert expected in told[0]["output"]
        assert not (house.workspace / "made").exists() and (house.workspace / "kept").exists()
        assert again.run()["done_reason"] == "stop"
        assert house.server.waiting() == [] and again.cards() == []
        assert not (house.workspace / "made").exists()


def _told(house: House, session_id: str) -> list[Json]:
    return list(_loaded(house, session_id)["events"])
