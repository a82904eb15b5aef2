"""Shell commands over the wire with the real process: what the card says is what runs, and nothing of it is left."""

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.explaining import Explaining
from tests.support.processes import is_running
from tests.support.room import Room
from tests.support.rpc import Asked
from tests.support.scale import wait_until
from tests.support.server import STALE, Json, Server, Step, call, refusal

Start = Callable[..., Server]


def bash(command: str, **more: Json) -> Step:
    """The model wants to run this."""
    return call("bash", command=command, **more)


@pytest.fixture
def explaining(tmp_path: Path) -> Explaining:
    return Explaining(tmp_path)


def number_in(file: Path) -> int:
    """A process id that a command left."""
    wait_until(lambda: file.exists() and file.read_text().strip(), what=f"a number in {file.name}")
    return int(file.read_text())


# What a card says


def test_a_command_waits_with_a_card_that_says_all_of_it(room: Room) -> None:
    text = "unheard-of --x &&\n\tcat /etc/hosts > out.txt"
    chat, card, run = room.card([bash(text, cwd=room.name)])

    assert (card["tool"], card["category"]) == ("bash", "external")
    assert card["args"] == {"command": text, "cwd": room.name}
    assert card["directory"] == str(room.folder)
    preview = card["preview"]
    assert (preview["kind"], preview["text"]) == ("command", text)
    assert [part["written"] for part in preview["parts"]] == ["unheard-of --x", "cat /etc/hosts > out.txt"]
    assert preview["parts"][1]["notes"][0] == "Reads /etc/hosts, outside the workspace."
    assert not room.file("out.txt").exists() and not run.done
    chat.answer(card, decision="deny")
    run.result()


def test_approved_it_runs_in_its_folder_and_its_output_comes_back(room: Room) -> None:
    chat, card, run = room.card([bash("mkdir made && pwd && echo oops >&2 && exit 5", cwd=room.name)])
    chat.answer(card, decision="accept")
    run.result()

    (result,) = chat.results()
    assert result["success"] and not result["is_error"]
    assert result["output"] == f"Exit code 5.\n{room.folder}\n[standard error]\noops\n"
    assert room.file("made").is_dir()


def test_denied_it_does_not_run(room: Room) -> None:
    chat, card, run = room.card([bash("touch made", cwd=room.name)])
    chat.answer(card, decision="deny", feedback="use another folder")
    run.result()

    assert refusal(chat.results()[0])["feedback"] == "use another folder"
    assert not room.file("made").exists()


def test_looking_is_not_asked_for(room: Room) -> None:
    room.file("a.txt").write_text("hello\n")
    chat = room.chat([bash("ls && cat a.txt | wc -l", cwd=room.name)])
    chat.run()

    assert chat.cards() == []
    assert chat.results()[0]["output"] == "Exit code 0.\na.txt\n1\n"


@pytest.mark.parametrize("text", ["cat /etc/hosts", "cat ../../secret", "echo x > a", "ls; unheard-of", "echo $((1"])
def test_anything_more_is(room: Room, text: str) -> None:
    chat, card, run = room.card([bash(text, cwd=room.name)])
    chat.answer(card, decision="deny")
    run.result()


def test_line_ends_of_another_system_are_shown_and_run_as_plain_ones(room: Room) -> None:
    chat, card, run = room.card([bash("touch a\r\necho b\r\n", cwd=room.name)])
    assert card["preview"]["text"] == "touch a\necho b\n"
    chat.answer(card, decision="accept")
    run.result()

    assert chat.results()[0]["output"] == "Exit code 0.\nb\n"
    assert [file.name for file in room.folder.iterdir()] == ["a"]


def test_what_a_terminal_would_hide_is_a_high_risk(room: Room) -> None:
    chat, card, run = room.card([bash("ls #\rrm -r x")])
    assert card["risk"]["level"] == "high"
    assert card["preview"]["unreadable"]
    assert card["preview"]["parts"] == []
    chat.answer(card, decision="deny")
    run.result()


@pytest.mark.parametrize(
    ("args", "word"),
    [({"command": "ls\0"}, "NUL"), ({"command": "x" * 200_000}, "bytes"), ({"command": "ls", "timeout": 0}, "timeout")],
)
def test_what_can_never_be_a_command_is_not_asked_for(room: Room, args: Json, word: str) -> None:
    chat = room.chat([call("bash", **args)])
    chat.run()

    assert chat.cards() == []
    assert word in refusal(chat.results()[0])["message"]


def test_a_long_command_has_to_be_opened_first(room: Room) -> None:
    text = "true # " + "x" * 100_000
    chat, card, run = room.card([bash(f"touch a; {text}", cwd=room.name)])
    assert card["truncated"]["argsBytes"] > 100_000
    assert len(card["preview"]["text"]) < 100_000
    chat.answer(card, decision="deny")
    run.result()


# What changes before the answer


def test_a_card_comes_again_where_what_would_run_changed(room: Room) -> None:
    subprocess.run(["git", "init", "-q"], cwd=room.folder, check=True)
    room.file("old.txt").touch()
    chat, card, run = room.card([bash("git status; rm *.txt", cwd=room.name)])
    subprocess.run(["git", "config", "core.fsmonitor", "touch evil;"], cwd=room.folder, check=True)
    room.file("new.txt").touch()

    fault = chat.refused(card, decision="accept", argsDigest=card["argsDigest"])
    assert fault.code == STALE
    again = chat.card()
    assert again["approvalId"] == card["approvalId"] and again["argsDigest"] != card["argsDigest"]
    assert "core.fsmonitor" in json.dumps(again["preview"]["parts"])
    chat.answer(again, decision="accept", argsDigest=again["argsDigest"])
    run.result()
    assert not room.file("new.txt").exists()


# Rules and modes


def test_rules_decide_over_its_parts(start: Start) -> None:
    server = start()
    server.meet(
        user={"alwaysDenyRules": {"bash": ["unheard-of:*"]}, "alwaysAllowRules": {"bash": ["touch allowed:*"]}},
    )
    server.script([bash("touch allowed; sh -c 'cd . && unheard-of x'")], [bash("touch allowed && ls")])
    chat = server.chat()
    chat.run()

    first, second = chat.results()
    assert refusal(first)["error"] == "denied_by_rule"
    assert second["output"] == "Exit code 0.\nallowed\n"
    assert chat.cards() == []


def test_a_plan_only_looks(room: Room) -> None:
    chat = room.chat([bash("ls", cwd=room.name), bash("touch a", cwd=room.name)], mode="plan")
    chat.run()

    first, second = sorted(chat.results(), key=lambda result: not result["success"])
    assert first["output"].startswith("Exit code 0.")
    assert refusal(second)["error"] == "blocked_in_plan_mode"
    assert not room.file("a").exists()


# Its end


def test_its_time_is_limited(room: Room) -> None:
    chat, card, run = room.card([bash("echo begun; unheard-of; sleep 300", cwd=room.name, timeout=1)])
    chat.answer(card, decision="accept")
    run.result()

    (result,) = chat.results()
    assert (result["is_error"], result["code"]) == (True, "time_limit")
    assert "begun" in result["output"]


def test_stopping_a_run_ends_its_command(room: Room) -> None:
    text = "trap '' TERM; sleep 300 & echo $! > new; mv new child; sleep 300"
    chat, card, run = room.card([bash(text, cwd=room.name)])
    chat.answer(card, decision="accept")
    child = number_in(room.file("child"))
    assert chat.stop()
    run.result()

    wait_until(lambda: not is_running(child), what="the end of what it started")
    assert chat.results()[0]["code"] == "cancelled"


def test_the_end_of_the_server_ends_it(alone: Server) -> None:
    alone.script([bash("echo $$ > new; mv new pid; trap '' TERM; sleep 300 & wait")])
    chat = alone.chat()
    chat.send()
    chat.answer(chat.card(), decision="accept")
    pid = number_in(alone.workspace / "pid")
    alone.client.close()

    wait_until(lambda: not is_running(pid), what="the end of the command")


def test_it_sees_no_secret_of_the_server(start: Start) -> None:
    planted = {f"PLANTED_{number}_TOKEN": f"secret-{number}" for number in range(20)}
    server = start(env=dict(planted), cold="the environment of a fork is not what /proc shows")
    server.meet()
    server.script([bash("env; cat /proc/$PPID/environ; touch x")])
    chat = server.chat()
    chat.send()
    chat.answer(chat.card(), decision="accept")
    result = chat.wait_for_event("ToolResult")

    environment = result["output"].split("ASSENT_STATE_DIR")[0]
    assert "PATH=" in environment
    assert "PLANTED" not in environment


def test_others_are_served_while_it_prints_without_end(room: Room) -> None:
    chat, card, run = room.card([bash("touch begun; yes", cwd=room.name, timeout=60)])
    chat.answer(card, decision="accept")
    wait_until(room.file("begun").exists, what="the command's start")
    for _ in range(20):
        assert chat.info()["running"]
    chat.stop()
    run.result()


# Explained, and asked without cards


def test_it_can_be_explained_beforehand(explaining: Explaining) -> None:
    def asked(command: str) -> Json:
        return explaining.asks("bash", {"command": command}, "--json").json()

    looking, changing = asked("ls -la"), asked("ls; touch x")
    assert (looking["outcome"], looking["category"]) == ("run", "read")
    assert (changing["outcome"], changing["category"]) == ("ask", "write")
    assert not (explaining.folder / "x").exists()


@pytest.fixture(scope="module")
def shows_messages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A client that can show message boxes, and announces nothing of Assent's own."""
    with Server(tmp_path_factory.mktemp("command_boxes")) as server:
        server.meet(capabilities=(), editor={"window": {"showMessage": {}}})
        yield server


def test_a_message_box_says_all_of_it(shows_messages: Server) -> None:
    shows_messages.script([bash("touch made; cat /etc/hosts # \u202e")])
    run = shows_messages.chat().send()
    box: Asked = shows_messages.client.wait_for_request("window/showMessageRequest")
    message = box.params["message"]

    assert "touch made; cat /etc/hosts # ‹U+202E›" in message
    assert str(shows_messages.workspace) in message
    assert "Reads /etc/hosts, outside the workspace." in message
    box.answer({"title": "Approve"})
    run.result()
    assert (shows_messages.workspace / "made").exists()


def test_the_demo_runs_commands(alone: Server) -> None:
    chat = alone.chat(agent="Demo")
    run = chat.send("run `touch made && ls`")
    chat.answer(chat.card(), decision="accept")
    run.result(20)

    assert chat.results()[0]["output"] == "Exit code 0.\nmade\n"
    assert os.listdir(alone.workspace) == ["made"]  # noqa: PTH208 - the names are all that matters
