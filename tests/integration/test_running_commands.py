"""Running commands over the wire, with real shells: in the background, moved there, read, ended, and left nowhere."""

import os
import signal
import time
import uuid
from pathlib import Path

import pytest

from tests.support.processes import descendants, is_running
from tests.support.room import Room
from tests.support.rpc import RpcError
from tests.support.scale import limit, wait_until
from tests.support.server import Chat, Json, Server, Step, call, say

NO_SHELL = -31007
AUTO = "auto"


def bash(command: str, **more: Json) -> Step:
    """The model wants to run this."""
    return call("bash", command=command, **more)


def number_in(file: Path) -> int:
    """A process id that a command left."""
    wait_until(lambda: file.exists() and file.read_text().strip(), what=f"a number in {file.name}")
    return int(file.read_text())


def shells(chat: Chat) -> list[Json]:
    """The commands of the chat as a page is told of them."""
    return chat.client.request("shell/list", {"sessionId": chat.id})["shells"]


def output(chat: Chat, shell_id: str, cursor: int | None = None) -> Json:
    """What it printed from there on."""
    params = {"shellId": shell_id} if cursor is None else {"shellId": shell_id, "cursor": cursor}
    return chat.client.request("shell/output", params)


def until_ended(chat: Chat, shell_id: str) -> Json:
    """The command once it has ended."""

    def now() -> Json:
        return next(shell for shell in shells(chat) if shell["shellId"] == shell_id)

    wait_until(lambda: now()["status"] != "running", what="the end of the command")
    return now()


def shell_id_of(result: Json) -> str:
    """The id that the model was told."""
    text = result["output"]
    start = "Command moved to background (shell ID: "
    assert text.startswith(start) and text.endswith(")"), text
    found = text.removeprefix(start).removesuffix(")")
    assert str(uuid.UUID(found)) == found
    return found


class TestBackground:
    def test_by_argument_it_is_asked_for_and_goes_on(self, room: Room) -> None:
        step = bash("echo $$ > pid; while [ ! -e go ]; do sleep 0.05; done; echo done", background=True, cwd=room.name)
        chat, card, run = room.card([step], [say("It runs.")])
        assert "background" in card["headline"]
        assert "background" in card["preview"]["note"]
        assert "background" not in [option["kind"] for option in card["options"]]
        chat.answer(card, decision="accept")
        assert run.result()["done_reason"] == "stop"

        (result,) = chat.results()
        assert result["success"] and result["code"] == "background"
        shell_id = shell_id_of(result)
        (listed,) = shells(chat)
        assert (listed["shellId"], listed["status"], listed["background"]) == (shell_id, "running", True)
        assert is_running(number_in(room.file("pid")))
        room.file("go").touch()
        ended = until_ended(chat, shell_id)
        assert (ended["exitCode"], ended["tail"]) == (0, "done\n")
        piece = output(chat, shell_id)
        assert (piece["text"], piece["exitCode"], piece["dropped"]) == ("done\n", 0, 0)
        assert output(chat, shell_id, piece["nextCursor"])["text"] == ""

    def test_by_a_button_of_its_card(self, room: Room) -> None:
        chat, card, run = room.card([bash("echo $$ > pid; sleep 300", cwd=room.name)], [say("Later.")])
        (option,) = [one for one in card["options"] if one["kind"] == "background"]
        assert chat.select(card, option["optionId"])["decision"] == "background"
        run.result()

        shell_id = shell_id_of(chat.results()[0])
        assert is_running(number_in(room.file("pid")))
        assert chat.client.request("shell/kill", {"shellId": shell_id})["killed"]
        assert until_ended(chat, shell_id)["status"] == "killed"
        assert not is_running(number_in(room.file("pid")))
        assert not chat.client.request("shell/kill", {"shellId": shell_id})["killed"]

    def test_a_running_one_is_moved_without_being_started_again(self, room: Room) -> None:
        step = bash("echo start; echo $$ > pid; while [ ! -e go ]; do sleep 0.05; done; echo $$", cwd=room.name)
        chat, card, run = room.card([step], [say("Moved.")])
        chat.answer(card, decision="accept")
        pid = number_in(room.file("pid"))
        call_id = card["toolCall"]["toolCallId"]
        shell_id = chat.client.request("shell/background", {"toolCallId": call_id})["shellId"]
        assert run.result()["done_reason"] == "stop"

        assert shell_id_of(chat.results()[0]) == shell_id
        assert is_running(pid)
        room.file("go").touch()
        assert until_ended(chat, shell_id)["tail"] == f"start\n{pid}\n"
        again = chat.client.request("shell/background", {"toolCallId": call_id})
        assert again["shellId"] == shell_id

    def test_the_agent_reads_from_a_cursor_on_and_ends_it(self, room: Room) -> None:
        first = [
            bash(
                "echo one; while [ ! -e go ]; do sleep 0.05; done; echo two >&2; sleep 300",
                background=True,
                cwd=room.name,
            )
        ]
        chat = room.chat(first, [say("It runs.")], mode=AUTO)
        chat.run()
        shell_id = shell_id_of(chat.results()[0])
        wait_until(lambda: shells(chat)[0]["tail"] == "one\n", what="its first line")
        read = goes_on(room, chat, first, call("bash_output", shell_id=shell_id))
        assert read["output"] == "It is still running. Cursor: 4.\none\n"
        room.file("go").touch()
        wait_until(lambda: "two" in shells(chat)[0]["tail"], what="its second line")
        read = goes_on(room, chat, first, call("bash_output", shell_id=shell_id, since=4))
        assert read["output"].endswith("\n[standard error]\ntwo\n") and "one" not in read["output"]
        ended = goes_on(room, chat, first, call("kill_bash", shell_id=shell_id))
        assert ended["output"] == "It was ended: The agent ended it."
        assert shells(chat)[0]["status"] == "killed"
        assert "killed" in [event["data"].get("status") for event in told(chat, "Shell")]

    def test_commands_of_another_chat_are_out_of_reach(self, room: Room) -> None:
        chat = room.chat([bash("sleep 300", background=True)], mode=AUTO)
        chat.run()
        shell_id = shell_id_of(chat.results()[0])
        other = room.chat([call("bash_output", shell_id=shell_id), call("kill_bash", shell_id=shell_id)], mode=AUTO)
        other.run()
        assert [result["code"] for result in other.results()] == ["shell_not_found"] * 2
        assert shells(other) == []
        assert shells(chat)[0]["status"] == "running"

    def test_no_more_than_may_and_the_refusal_says_so(self, room: Room) -> None:
        chat = room.chat([bash("sleep 300", background=True) for _ in range(9)], mode=AUTO)
        chat.run()
        codes = sorted(result["code"] for result in chat.results())
        assert codes == ["background"] * 8 + ["limit_reached"]
        assert len(shells(chat)) == 8

    def test_they_end_with_their_chat(self, room: Room) -> None:
        hidden = "setsid sh -c 'echo $$ > hidden; trap \"\" TERM; while :; do sleep 1; done' & echo $$ > pid; wait"
        chat = room.chat([bash(hidden, background=True, cwd=room.name)], mode=AUTO)
        chat.run()
        pids = [number_in(room.file("pid")), number_in(room.file("hidden"))]
        chat.client.request("session/close", {"sessionId": chat.id})
        assert not any(map(is_running, pids))
        assert error_of(chat, "shell/list", sessionId=chat.id).code == -31005


class TestRunningRow:
    def test_it_tells_its_id_and_what_it_prints_without_being_kept(self, room: Room) -> None:
        step = bash("for i in 1 2 3 4 5; do echo line $i; sleep 0.2; done", cwd=room.name)
        chat = room.chat([step], mode=AUTO)
        chat.run()
        updates = told(chat, "ToolUpdate")
        ids = {update["data"]["shellId"] for update in updates if update["data"].get("shellId")}
        assert len(ids) == 1
        printed = [update for update in updates if update["data"].get("outputDelta")]
        assert printed and all(update["passing"] for update in printed)
        text = "".join(update["data"]["outputDelta"] for update in printed)
        assert text == "".join(f"line {number}\n" for number in range(1, 6))
        loaded = chat.client.request("session/load", {"sessionId": chat.id})["events"]
        assert [event["n"] for event in loaded] == list(range(1, len(loaded) + 1))
        assert not any(event["data"].get("outputDelta") for event in loaded if event["event"] == "ToolUpdate")

    def test_killed_by_the_user_it_has_its_result(self, room: Room) -> None:
        chat, card, run = room.card([bash("echo begun; echo $$ > pid; sleep 300", cwd=room.name)], [say("ok")])
        chat.answer(card, decision="accept")
        pid = number_in(room.file("pid"))
        assert chat.client.request("shell/kill", {"toolCallId": card["toolCall"]["toolCallId"]})["killed"]
        assert run.result()["done_reason"] == "stop"
        (result,) = chat.results()
        assert result["code"] == "killed" and "You ended it." in result["output"] and "begun" in result["output"]
        assert not is_running(pid)

    def test_a_stop_ends_it_and_says_what_it_had_printed(self, room: Room) -> None:
        chat, card, run = room.card([bash("echo begun; echo $$ > pid; sleep 300", cwd=room.name)])
        chat.answer(card, decision="accept")
        pid = number_in(room.file("pid"))
        assert chat.stop()
        run.result()
        (result,) = chat.results()
        assert result["code"] == "cancelled" and "begun" in result["output"]
        assert not is_running(pid)

    def test_what_is_in_the_background_survives_a_stop(self, room: Room) -> None:
        chat, card, run = room.card([bash("echo $$ > pid; sleep 300", cwd=room.name)], [bash("touch x")])
        chat.select(card, "background")
        pid = number_in(room.file("pid"))
        second = chat.card()
        assert second["args"]["command"] == "touch x"
        chat.stop()
        run.result()
        assert is_running(pid)


class TestPlace:
    def test_the_next_command_starts_where_the_last_has_gone_to(self, room: Room) -> None:
        room.file("sub").mkdir()
        turns = [[bash(f"cd {room.name}/sub")], [bash("pwd; cd ..")], [bash("pwd")], [say("ok")]]
        chat = room.chat(*turns, mode=AUTO)
        chat.run()
        outputs = [result["output"] for result in chat.results()]
        assert outputs[0].startswith(f"Exit code 0. The next command starts in {room.file('sub')}.")
        assert outputs[1].endswith(f"\n{room.file('sub')}\n")
        assert outputs[2] == f"Exit code 0.\n{room.folder}\n"

    def test_its_card_shows_where(self, room: Room) -> None:
        chat = room.chat([bash(f"cd {room.name}")], [bash("touch x")])
        run = chat.send()
        card = chat.card()
        assert card["directory"] == str(room.folder)
        chat.answer(card, decision="accept")
        run.result()
        assert room.file("x").exists()

    def test_outside_it_does_not_stay(self, room: Room) -> None:
        chat = room.chat([bash("cd /usr; pwd")], [bash("pwd")], mode=AUTO)
        run = chat.send()
        card = chat.card()
        chat.answer(card, decision="accept")
        run.result()
        first, second = (result["output"] for result in chat.results())
        assert "outside the workspace" in first
        assert second == f"Exit code 0.\n{room.server.workspace}\n"

    def test_what_a_program_says_of_it_does_not_count_unless_the_command_goes_somewhere(self, room: Room) -> None:
        room.file("evil").mkdir()
        script = room.file("liar.sh")
        script.write_text(f"echo {room.file('evil')} >&21\n")
        chat = room.chat([bash(f"sh {room.name}/liar.sh 2>/dev/null")], [bash("pwd")], mode=AUTO)
        chat.run()
        assert chat.results()[1]["output"] == f"Exit code 0.\n{room.server.workspace}\n"

    def test_each_chat_has_a_scratch_folder_that_goes_with_it(self, room: Room) -> None:
        steps = [bash("echo hi > $TMPDIR/a; echo $TMPDIR; cat $TMPDIR/a")]
        chat = room.chat(steps, [say("ok")], mode=AUTO)
        chat.run()
        scratch = Path(chat.results()[0]["output"].split("\n")[1])
        assert (scratch / "a").read_text() == "hi\n"
        assert scratch.stat().st_mode & 0o077 == 0
        reading = goes_on(room, chat, steps, call("read_file", path=str(scratch / "a")))
        assert "hi" in reading["output"]
        chat.client.request("session/close", {"sessionId": chat.id})
        assert not scratch.exists()


class TestShells:
    @pytest.mark.parametrize("name", ["sh", "/bin/sh"])
    def test_another_one_can_be_asked_for(self, room: Room, name: str) -> None:
        chat, card, run = room.card([bash("echo $0 > out", shellExecutable=name, cwd=room.name)])
        assert name in card["preview"]["note"]
        chat.answer(card, decision="accept")
        run.result()
        assert room.file("out").read_text().strip().endswith("sh")

    @pytest.mark.parametrize("name", ["python3", "./mine", "perl"])
    def test_what_is_no_shell_is_refused_without_a_question(self, room: Room, name: str) -> None:
        chat = room.chat([bash("echo 1", shellExecutable=name)], mode=AUTO)
        chat.run()
        assert chat.results()[0]["is_error"]
        assert "none of the shells" in chat.results()[0]["output"]
        assert chat.cards() == []

    def test_one_of_the_workspace_is_never_used(self, room: Room) -> None:
        mine = room.file("bash")
        mine.write_text("#!/bin/sh\ntouch ran\n")
        mine.chmod(0o755)
        chat = room.chat([bash("echo 1", shellExecutable=str(mine))], mode=AUTO)
        chat.run()
        assert "lies in the workspace" in chat.results()[0]["output"]
        assert not (room.server.workspace / "ran").exists()


STAYING = {
    "plain": "sleep 300",
    "setsid": "setsid sleep 300",
    "deaf": "trap '' TERM INT HUP; while :; do sleep 1; done",
    "double fork": "(setsid sh -c 'sleep 300 & sleep 300') & sleep 300",
    "another environment": "env -i setsid sleep 300 & sleep 300",
    "nohup": "nohup sleep 300 > /dev/null 2>&1 & wait",
}


class TestNothingIsLeft:
    @pytest.mark.parametrize("background", [False, True])
    def test_after_a_kill_of_the_server(self, tmp_path: Path, background: bool) -> None:
        with Server(tmp_path) as server:
            server.meet()
            pids = server.workspace / "pids"
            pids.mkdir()
            texts = [f"touch {pids}/{at}; {text}" for at, text in enumerate(STAYING.values())]
            server.script([bash(text, background=background) for text in texts])
            chat = server.chat(mode=AUTO)
            chat.send()
            wait_until(lambda: len(list(pids.iterdir())) == len(STAYING), what="all starts")
            started = [one.pid for one in descendants(server.client.pid)]
            assert len(started) > len(STAYING)
            os.kill(server.client.pid, signal.SIGKILL)
            wait_until(lambda: not any(map(is_running, started)), within=2, what="the end of all of them")

    @pytest.mark.parametrize("ending", ["stop", "shutdown", "limit"])
    def test_after_an_end(self, tmp_path: Path, ending: str) -> None:
        with Server(tmp_path) as server:
            server.meet()
            marks = server.workspace / "marks"
            marks.mkdir()
            more = {"timeout": 1} if ending == "limit" else {}
            texts = [f"touch {marks}/{at}; {text}" for at, text in enumerate(STAYING.values())]
            server.script([bash(text, **more) for text in texts])
            chat = server.chat(mode=AUTO)
            run = chat.send()
            wait_until(lambda: len(list(marks.iterdir())) == len(STAYING), what="all starts")
            commands = [one.pid for one in descendants(server.client.pid) if b"sleep" in command_line(one.pid)]
            assert len(commands) >= len(STAYING)
            if ending == "stop":
                chat.stop()
            elif ending == "shutdown":
                server.client.shutdown()
            else:
                run.result(within=30)
            wait_until(lambda: not any(map(is_running, commands)), within=2, what="the end of all of them")


class TestFloods:
    def test_one_that_prints_without_end_leaves_the_page_and_the_server_free(self, room: Room) -> None:
        chat = room.chat([bash("yes", background=True)], [bash("yes | head -c 300000000", timeout=60)], mode=AUTO)
        run = chat.send()
        wait_until(lambda: len(told(chat, "Shell")) > 3, what="some pieces")
        begin = len(chat.client.received)
        since = time.monotonic()
        while not run.done and time.monotonic() - since < limit(60):
            listed = shells(chat)
            assert all(len(one["tail"]) <= 2_000 for one in listed)
        took = time.monotonic() - since
        answers = sum("id" in message for message in chat.client.received[begin:])
        messages = len(chat.client.received) - begin - answers
        assert messages <= 35 * max(took, 1), f"{messages} messages in {took:.1f} s"
        assert run.result()["done_reason"] == "stop"
        assert chat.results()[1]["truncated"]
        background = next(one for one in shells(chat) if one["background"])
        assert background["printed"] - background["dropped"] <= 1024 * 1024
        assert background["dropped"] > 0


def goes_on(room: Room, chat: Chat, before: list[Step], step: Step) -> Json:
    """The next message of the chat, to which the agent answers with this call: its result."""
    done = len(chat.results())
    turns = [before, *([[say("…")]] * (2 * done - 1)), [step], [say("ok")]]
    room.server.script(*turns)
    chat.run()
    return chat.results()[done]


def told(chat: Chat, event: str) -> list[Json]:
    """What the client was told of this kind."""
    events = chat.client.notifications("agent/event")
    return [one for one in events if one["sessionId"] == chat.id and one["event"] == event]


def error_of(chat: Chat, method: str, **params: Json) -> RpcError:
    """The error with which this is answered."""
    return chat.client.start(method, params).error()


def command_line(pid: int) -> bytes:
    """What was started under this number."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""
