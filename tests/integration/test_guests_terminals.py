"""Commands that an agent leaves to Assent: each goes down the ladder, and none outlives what it was for."""

from typing import Any

import psutil
import pytest

from tests.support.guests import House, ask, click_all, done, said, says
from tests.support.scale import wait_until

Json = Any


def _terminal(command: str, *args: str, **more: Json) -> Json:
    wait = more.pop("kill", None)
    step = {"terminal": {"command": command, "args": list(args), **more}}
    step["on"] = {"ok": [says("<$RESULT>")], "error": [says("error $RESULT")]}
    return step if wait is None else {**step, "kill": wait}


def _runs(words: str) -> bool:
    """Whether any process was started with these words."""
    return any(words in " ".join(one.info["cmdline"] or ()) for one in psutil.process_iter(["cmdline"]))


def test_a_command_runs_when_it_may_and_its_output_is_given(house: House) -> None:
    chat = house.guest([_terminal("sh", "-c", 'echo "$@"; touch "$1"', "x", "a b", "c")]).chat()
    cards = click_all(chat, chat.send())
    assert [card["tool"] for card in cards] == ["bash"]
    assert cards[0]["args"]["command"] == """sh -c 'echo "$@"; touch "$1"' x 'a b' c"""
    assert said(chat) == "<a b c\n>" and (house.workspace / "a b").exists()


def test_what_it_prints_stands_in_the_row_of_the_call_that_it_belongs_to(house: House) -> None:
    """The agent only names the terminal there, and released it before it said that the call is over."""
    running = {**_terminal("echo out && touch out"), "of": "c1"}
    over = {"update": {"toolCallId": "c1", "status": "completed"}}
    chat = house.guest([ask(command="echo out && touch out", on={"allow": [running, over]})]).chat()
    assert len(click_all(chat, chat.send())) == 1
    started, row = chat.results()
    assert (started["code"], row["output"]) == ("background", "out\n")


def test_another_terminal_than_its_own_shows_nothing(house: House) -> None:
    strange = {"update": {"toolCallId": "c1", "content": [{"type": "terminal", "terminalId": "nobody's"}]}}
    over = {"update": {"toolCallId": "c1", "status": "completed"}}
    chat = house.guest([ask(command="echo out", on={"allow": [strange, over]})]).chat()
    click_all(chat, chat.send())
    assert [one["output"] for one in chat.results()] == ["Done."]


def test_a_command_line_in_one_text_runs_as_one(house: House) -> None:
    chat = house.guest([_terminal("echo one && echo two")]).chat()
    click_all(chat, chat.send())
    assert said(chat) == "<one\ntwo\n>"


def test_a_command_that_may_not_run_does_not(house: House) -> None:
    path = house.workspace / "not-made"
    chat = house.guest([_terminal("touch", str(path))]).chat()
    run = chat.send()
    chat.select(chat.card(), "deny")
    run.result()
    assert not path.exists() and "error" in said(chat)


@pytest.mark.parametrize(
    ("asked", "wanted", "cards"),
    [
        ({"command": "touch made"}, ("touch", "made"), 1),
        ({"command": "touch made"}, ("touch made",), 1),
        ({"command": "touch made"}, ("touch", "made", "more"), 2),
        ({"command": "touch made && true"}, ("touch", "made"), 2),
    ],
    ids=["words", "line", "more words", "a part"],
)
def test_a_command_that_was_allowed_runs_without_another_card(
    house: House, asked: Json, wanted: tuple[str, ...], cards: int
) -> None:
    guest = house.guest([ask(kind="execute", rawInput=asked, on={"allow": [_terminal(*wanted), done()]})])
    chat = guest.chat()
    assert len(click_all(chat, chat.send())) == cards
    assert (house.workspace / "made").exists()
    (house.workspace / "made").unlink()


@pytest.mark.parametrize(
    "more", [{"env": [{"name": "A", "value": "b"}]}, {"cwd": "deeper"}], ids=["variables", "folder"]
)
def test_a_command_with_other_surroundings_is_another_one(house: House, more: Json) -> None:
    (house.workspace / "deeper").mkdir(exist_ok=True)
    more = {**more, **({"cwd": str(house.workspace / "deeper")} if "cwd" in more else {})}
    guest = house.guest([ask(command="touch x", on={"allow": [_terminal("touch", "x", **more), done()]})])
    chat = guest.chat()
    assert len(click_all(chat, chat.send())) == 2


def test_variables_and_folder_count(house: House) -> None:
    (house.workspace / "deeper").mkdir(exist_ok=True)
    step = _terminal(
        "sh", "-c", "echo $A $PWD", env=[{"name": "A", "value": "x y"}], cwd=str(house.workspace / "deeper")
    )
    chat = house.guest([step]).chat()
    cards = click_all(chat, chat.send())
    assert said(chat) == f"<x y {(house.workspace / 'deeper').resolve()}\n>" and "A=x y" in cards[0]["args"]["command"]


def test_long_output_is_cut_at_its_beginning(house: House) -> None:
    chat = house.guest([_terminal("sh", "-c", "seq 1 1000; echo end", outputByteLimit=10)]).chat()
    click_all(chat, chat.send())
    assert said(chat) == "<\n1000\nend\n>"


def test_a_command_that_the_agent_ends_has_ended(house: House) -> None:
    chat = house.guest([_terminal("sh", "-c", "echo a; sleep 300", kill=0.5)]).chat()
    click_all(chat, chat.send())
    assert said(chat).startswith("<")


@pytest.mark.parametrize("how", ["stop", "death", "close"])
def test_its_commands_end_with_it(house: House, how: str) -> None:
    mark = house.workspace / f"ticks-{how}"
    script = f"while true; do echo x >> {mark}; sleep 0.05; done"
    ending = {"death": [{"wait": 1}, {"kill": True}]}.get(how, [{"until_cancelled": []}])
    create = {"call": "terminal/create", "params": {"command": "sh", "args": ["-c", script]}, "on": {"ok": ending}}
    chat = house.guest([create]).chat()
    run = chat.send()
    chat.select(chat.card(), "approve")
    wait_until(mark.exists, what="its first sign of life")
    assert _runs(str(mark))
    if how == "stop":
        chat.stop()
    if how == "close":
        chat.client.request("session/close", {"sessionId": chat.id}, within=30)
    else:
        run.answer(within=20)

    wait_until(lambda: not _runs(str(mark)), within=15, what="the end of its command")


@pytest.mark.parametrize("method", ["output", "wait_for_exit", "kill", "release"])
@pytest.mark.parametrize("terminal", ["nothing", 3, None])
def test_a_terminal_that_is_not_there(house: House, method: str, terminal: Json) -> None:
    step = {"call": f"terminal/{method}", "params": {"terminalId": terminal}, "on": {"error": [says("$RESULT")]}}
    chat = house.guest([step]).chat()
    chat.run()
    assert "-32002" in said(chat)


@pytest.mark.parametrize(
    "params",
    [{}, {"command": ""}, {"command": "a", "args": "b"}, {"command": "a", "args": [1]}, {"command": "a", "env": [{}]}],
    ids=repr,
)
def test_a_terminal_that_cannot_be_understood(house: House, params: Json) -> None:
    chat = house.guest([{"call": "terminal/create", "params": params, "on": {"error": [says("$RESULT")]}}]).chat()
    chat.run()
    assert "-32602" in said(chat) and chat.cards() == []
