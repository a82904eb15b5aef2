"""An agent that ends, cannot begin, or prints what nobody understands: what its chat says, and what goes on beside."""

import os
import shlex
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assent.acp import scripted
from tests.support.guests import House, ask, notices, said, says
from tests.support.processes import is_running
from tests.support.scale import wait_until
from tests.support.server import Server

Json = Any


def _error(chat: Any) -> dict[str, Json]:
    found = chat.events("Error")
    assert found, chat.events()
    return dict(found[-1]["data"])


def test_a_killed_agent_takes_its_cards_with_it_and_nobody_elses(house: House) -> None:
    both = {"together": [[ask("c1", command="make 1")], [ask("c2", command="make 2")]]}
    guest = house.guest([{"stderr": "the very last words\n"}, both])
    other = house.guest([ask(command="make")])
    chat, beside = guest.chat(), other.chat()
    run, waiting = chat.send(), beside.send()
    cards = [chat.card(), chat.card()]
    untouched = beside.card()
    guest.plays([says("I am new.")])
    os.kill(guest.pids()[0], signal.SIGKILL)

    for card in cards:
        assert chat.resolved(card)["resolvedBy"] == "agent_exit"
    assert run.answer()
    told = _error(chat)
    assert told["code"] == "agent_exit" and guest.name in told["message"]
    assert "SIGKILL" in told["message"] or "signal 9" in told["message"] or "killed" in told["message"]
    assert "the very last words" in told["message"]
    assert len(chat.results()) == 2 and not any(one["success"] for one in chat.results())
    assert all(chat.refused(card, decision="accept") for card in cards)

    assert beside.waits(untouched) and is_running(other.pids()[0])
    beside.select(untouched, "approve")
    assert waiting.result()["done_reason"] == "stop" and other.answers() == ["allow"]

    assert chat.run()["done_reason"] == "stop"
    assert said(chat) == "I am new." and len(guest.pids()) == 2


def test_two_chats_of_one_agent_end_with_it(house: House) -> None:
    guest = house.guest([ask(command="make")])
    chats = [guest.chat(), guest.chat()]
    runs = [chat.send() for chat in chats]
    cards = [chat.card() for chat in chats]
    os.kill(guest.pids()[0], signal.SIGKILL)
    for chat, card, run in zip(chats, cards, runs, strict=True):
        assert chat.resolved(card)["resolvedBy"] == "agent_exit"
        assert run.answer() and _error(chat)["code"] == "agent_exit"
    assert len(guest.pids()) == 1
    for chat in chats:
        chat.client.request("session/close", {"sessionId": chat.id})


@pytest.mark.parametrize("code", [0, 3])
def test_the_exit_code_is_told(house: House, code: int) -> None:
    chat = house.guest([says("a"), {"exit": code}]).chat()
    assert chat.send().answer()
    assert str(code) in _error(chat)["message"]


def test_an_agent_that_dies_between_turns_is_started_again(house: House) -> None:
    guest = house.guest([says("a")])
    chat = guest.chat()
    chat.run()
    guest.plays([says("b")])
    os.kill(guest.pids()[0], signal.SIGKILL)
    wait_until(lambda: not is_running(guest.pids()[0]), what="its end")
    # It may be told before its end is known: then it says so, and the message after that goes on.
    for _ in range(2):
        if chat.send().answer().get("result", {}).get("done_reason") == "stop":
            break
    assert said(chat) == "ab" and len(guest.pids()) == 2


def test_calls_that_were_under_way_when_it_died_have_one_result(house: House) -> None:
    guest = house.guest([ask(command="make", on={"allow": [{"kill": True}]})])
    chat = guest.chat()
    run = chat.send()
    chat.select(chat.card(), "approve")
    assert run.answer()
    assert len(chat.results()) == 1 and _error(chat)["code"] == "agent_exit"


# Beginning


def _house_of(folder: Path, *definitions: dict[str, Json]) -> House:
    return House(folder, defined=lambda number: definitions[min(number, len(definitions) - 1)])


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("broken")
    (folder / "text").write_text("no program")
    command, *args = scripted.command(str(folder / "slow.json"))
    slow = f"import time,os,sys; time.sleep(1); os.execv({command!r}, {[command, *args]!r})"
    (folder / "slow.json").write_text('{"prompts": [[{"say": "At last."}]]}')
    definitions: list[dict[str, Json]] = [
        {"command": "no-such-agent-anywhere", "args": ["acp"]},
        {"command": str(folder / "text")},
        {"command": sys.executable, "args": ["-c", "import sys; sys.stderr.write('I need a key\\n'); sys.exit(7)"]},
        {"command": sys.executable, "args": ["-c", "print('Welcome!'); print('{}')"]},
        {"command": sys.executable, "args": ["-c", slow]},
        {"command": command, "args": args, "cwd": "no/such/folder"},
        {"command": command, "args": args, "cwd": "~nobody-of-this-name/x"},
        {"command": command, "args": args, "cwd": "x\0y"},
    ]
    with _house_of(folder, *definitions) as made:
        yield made


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, ("no-such-agent-anywhere", "install")),
        (1, ("could not be started",)),
        (2, ("7", "I need a key")),
        (3, ("ended",)),
        (5, ("no/such/folder",)),
        (6, ("cannot work in", "~nobody-of-this-name/x")),
        (7, ("could not be started", "folder")),
    ],
    ids=["not installed", "no program", "exits", "no agent", "no folder", "nobody's folder", "no folder's name"],
)
def test_an_agent_that_cannot_begin_says_why_and_what_to_do(broken: House, number: int, words: tuple[str, ...]) -> None:
    chat = broken.server.chat(agent=f"Guest {number}")
    assert chat.send().answer(within=30)
    told = _error(chat)["message"]
    assert all(word in told for word in words), told
    assert chat.events("Error")[-1]["data"]["code"].startswith("agent_")


_USAGE = "Usage: tool [options]\\n  --agent-acp  Speak to editors\\n"
_SILENT = "import time; time.sleep(600)"
_LEAVES_A_MARK = "#!/bin/sh\ntouch {mark}\nsleep 600\n"


def _defined(server: Server, **definitions: Json) -> None:
    settings = server.settings()
    settings["user"]["agents"] |= definitions
    server.client.notify("workspace/didChangeConfiguration", {"settings": {"assent": settings}})
    wanted = set(definitions)
    wait_until(lambda: wanted <= {one["name"] for one in server.client.request("session/list", {})["agents"]})


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_one_that_prints_how_it_is_used_says_which_option_is_missing(
    alone: Server, tmp_path: Path, stream: str
) -> None:
    (tmp_path / "tool.py").write_text(f"import sys\nsys.{stream}.write('{_USAGE}')\nsys.exit(2)\n")
    _defined(alone, Tool={"command": sys.executable, "args": [str(tmp_path / "tool.py")]})
    chat = alone.chat(agent="Tool")
    assert chat.send().answer(within=30)
    told = _error(chat)["message"]
    assert "Usage: tool [options]" in told
    assert "perhaps with --agent-acp: add that to the args" in told


def test_one_that_prints_text_and_goes_on_is_told_at_once_and_can_be_stopped(alone: Server) -> None:
    code = f"print('Hello! Ask me anything.', flush=True); {_SILENT}"
    _defined(alone, Tool={"command": sys.executable, "args": ["-c", code]})
    chat = alone.chat(agent="Tool")
    run = chat.send()
    wait_until(lambda: any("Hello! Ask me anything." in one for one in notices(chat)), what="what it printed")
    assert any("may need an option to speak the Agent Client Protocol" in one for one in notices(chat))
    assert chat.stop()
    assert run.result(within=30)["done_reason"] == "cancelled"


def test_a_known_program_without_its_option_is_not_started_and_works_once_it_is_mended(
    alone: Server, tmp_path: Path
) -> None:
    program, mark = tmp_path / "gemini", tmp_path / "mark"
    program.write_text(_LEAVES_A_MARK.format(mark=mark))
    program.chmod(0o755)
    _defined(alone, Gem={"command": str(program)})
    chat = alone.chat(agent="Gem")
    assert chat.send().answer(within=30)
    told = _error(chat)["message"]
    assert "gemini speaks the Agent Client Protocol only with --acp" in told
    assert f'"command": "{program}", "args": ["--acp"]' in told
    assert not mark.exists()

    (tmp_path / "script.json").write_text('{"prompts": [[{"say": "At last."}]]}')
    command = scripted.command(str(tmp_path / "script.json"))
    program.write_text(f"#!/bin/sh\nexec {shlex.join(command)}\n")
    _defined(alone, Gem={"command": str(program), "args": ["--acp"]})
    wait_until(lambda: chat.run(within=30)["done_reason"] == "stop", what="its answer")
    assert said(chat) == "At last."


def test_one_that_begins_slowly_is_waited_for(broken: House) -> None:
    chat = broken.server.chat(agent="Guest 4")
    assert chat.run(within=20)["done_reason"] == "stop" and said(chat) == "At last."


@pytest.mark.parametrize("late", [False, True], ids=["in its introduction", "in the error"])
def test_a_missing_login_says_how_to_log_in(house: House, late: bool) -> None:
    logins = [{"id": "oauth", "name": "Log in with a browser", "description": "Opens one"}]
    error = {"code": -32000, "message": "Authentication required", "data": {"authMethods": logins}}
    script = {} if late else {"logins": logins}
    guest = house.guest(answers={"session/new": {"error": error if late else {**error, "data": None}}}, **script)
    chat = guest.chat()
    chat.send().answer()
    told = _error(chat)
    assert told["code"] == "agent_login"
    for words in ("log in", "Log in with a browser", "Opens one", guest.name):
        assert words in told["message"]


@pytest.mark.parametrize("protocol", [0, 2, "1", None], ids=repr)
def test_another_version_of_the_protocol_is_refused(house: House, protocol: Json) -> None:
    chat = house.guest(protocol=protocol).chat()
    chat.send().answer()
    assert "version" in _error(chat)["message"]


@pytest.mark.parametrize("answer", [{}, None, [], {"sessionId": 3}, {"sessionId": ""}], ids=repr)
def test_a_session_without_an_id_is_an_error(house: House, answer: Json) -> None:
    chat = house.guest(answers={"session/new": answer}).chat()
    chat.send().answer()
    assert "which" in _error(chat)["message"]


def test_a_prompt_that_fails_says_what_the_agent_says(house: House) -> None:
    guest = house.guest([{"error": {"code": -32603, "message": "The model is gone"}}], [says("It is back.")])
    chat = guest.chat()
    chat.send().answer()
    assert "The model is gone" in _error(chat)["message"]
    assert chat.run()["done_reason"] == "stop" and len(guest.pids()) == 1


# R136: what nobody understands

_GARBAGE = [
    "Hello, I am a banner",
    "{",
    "[]",
    "[1, 2]",
    "null",
    "3",
    '"text"',
    "{}",
    '{"jsonrpc": "2.0"}',
    '{"jsonrpc": "2.0", "method": 3}',
    '{"jsonrpc": "2.0", "method": "session/update"}',
    '{"method": "session/update", "params": {"sessionId": "session-1", "update": {"sessionUpdate": 5}}}',
    '{"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "session-1", "update": null}}',
    '{"jsonrpc": "2.0", "id": 1, "result": {"stopReason": "end_turn"}}',
    '{"jsonrpc": "2.0", "id": 99999, "error": {}}',
    '{"a": 1, "a": 2}',
    "\x00\x01\x02",
    '{"x": NaN}',
    "[" * 5000,
]


def test_garbage_between_its_words_changes_nothing_but_is_told(house: House) -> None:
    lines = [step for line in _GARBAGE for step in ({"raw": line}, says("."))]
    guest = house.guest([*lines, ask(command="make"), says("end")])
    chat = guest.chat()
    run = chat.send()
    chat.select(chat.card(), "approve")
    assert run.result()["done_reason"] == "stop"
    assert said(chat) == "." * len(_GARBAGE) + "end" and guest.answers() == ["allow"]
    assert any("no message" in one and "banner" in one for one in notices(chat))
    assert len(notices(chat)) <= len(_GARBAGE)


def test_a_line_of_fifty_megabytes_harms_nobody(house: House) -> None:
    guest, other = house.guest([{"long": 50_000_000}, says("after it")]), house.guest([says("quick")])
    chat, beside = guest.chat(), other.chat()
    run = chat.send()
    assert beside.run(within=30)["done_reason"] == "stop"
    assert run.result(within=60)["done_reason"] == "stop"
    assert said(chat) == "after it" and notices(chat)


def test_what_it_prints_beside_the_protocol_does_not_hold_it_up(house: House) -> None:
    guest = house.guest([{"stderr": "x" * 1000 + "\n", "times": 5000}, says("through")])
    chat = guest.chat()
    assert chat.run(within=60)["done_reason"] == "stop" and said(chat) == "through"


def test_unknown_requests_are_refused_and_unknown_notifications_ignored(house: House) -> None:
    unknown = {"call": "craft/drainMidTurnQueue", "on": {"error": [says("$RESULT")]}}
    told = {"raw": '{"jsonrpc": "2.0", "method": "craft/told", "params": {}}'}
    guest = house.guest([told, unknown])
    chat = guest.chat()
    chat.run()
    assert "-32601" in said(chat)


def test_a_chat_that_begins_while_the_last_one_closes_is_served(house: House) -> None:
    guest = house.guest([says("here")])
    chat = guest.chat()
    for _ in range(5):
        chat.run()
        following = guest.chat()
        closing = chat.client.start("session/close", {"sessionId": chat.id})
        run = following.send()
        assert run.result(within=20)["done_reason"] == "stop"
        closing.result(within=20)
        chat = following
