"""Sub-agents that are stopped or whose server ends: nothing of them is left, and nothing of them ever runs again."""

import json
from collections.abc import Callable

import psutil
import pytest

from tests.support import kept
from tests.support.crashed import COUNT, again, counted, kill, of, results, same, transcript
from tests.support.processes import descendants
from tests.support.room import Room
from tests.support.scale import wait_until
from tests.support.server import Chat, Json, Server, call, read, say
from tests.support.sub_agents import Talks, chat_of, check_whole, hand_on, result_of

Start = Callable[..., Server]
LONG: Json = {"wait": 3600}
OUTER = [[hand_on("Outer")], [say("The root must not go on.")]]


def inside(*turns: list[Json]) -> Talks:
    """The turns of a sub-agent of a sub-agent."""
    return {"Outer": [[hand_on("Inner")], [say("Nor the one above.")]], "Inner": [*turns, [say("Nor this one.")]]}


def stopped(chat: Chat, run: Json) -> None:
    """The user ends the run, and all of it is over."""
    assert chat.stop() is True
    assert run.result()["done_reason"] == "cancelled"
    ends = chat.events("Done") + chat.events("Error")
    assert [end["data"] for end in ends] == [{"done_reason": "cancelled"}]
    assert chat.events()[-1]["event"] == "Done"
    assert chat.info()["running"] is False and chat.info()["waiting"] == 0
    check_whole(chat)
    for title in ("Outer", "Inner"):
        result = result_of(chat, title)
        assert (result["is_error"], result["code"]) == (True, "cancelled")
        assert "stopped before the sub-agent had ended" in result["output"]
    told = len(chat.events())
    assert chat.run("still there?")["done_reason"] == "stop"
    rest = chat.events()[told:]
    assert {event["event"] for event in rest} <= {"Prompt", "Chunk", "Done", "ToolCall", "ToolUpdate", "ToolResult"}
    runs = {event["runId"] for event in rest}
    assert len(runs) == 1, "something of the run that was stopped went on"


@pytest.fixture
def ready(room: Room) -> Callable[..., Chat]:
    """A chat whose agent hands something on that is handed on once more."""

    def make(*turns: list[Json], mode: str = "default") -> Chat:
        return chat_of(room.server, [*OUTER[:1], [say("I am still there.")]], inside(*turns), mode=mode)

    return make


def test_stop_while_the_innermost_model_speaks(ready: Callable[..., Chat]) -> None:
    chat = ready([say("I begin. "), LONG])
    run = chat.send()
    chat.wait_for_event("Chunk")
    stopped(chat, run)


def test_stop_while_cards_of_two_depths_wait(room: Room) -> None:
    talks = inside([room.write("inner.txt")])
    talks["Outer"] = [[hand_on("Inner"), room.write("outer.txt")], [say("no")]]
    chat = chat_of(room.server, [[*OUTER[0], room.write("root.txt")], [say("I am still there.")]], talks)
    run = chat.send()
    cards = [chat.card(room.path(f"{name}.txt")) for name in ("root", "outer", "inner")]
    stopped(chat, run)

    ends = [chat.resolved(card) for card in cards]
    assert [(end["status"], end["resolvedBy"]) for end in ends] == [("cancelled", "stop")] * 3
    assert [len(chat.endings(card)) for card in cards] == [1] * 3
    assert list(room.folder.iterdir()) == []
    for card in cards:
        assert chat.refused(card, decision="accept").data["status"] == "cancelled"
    assert list(room.folder.iterdir()) == []


def test_stop_while_a_tool_of_the_innermost_runs(alone: Server) -> None:
    before = len(descendants(alone.client.process.pid))
    talks = inside([call("bash", command="echo ran >> counted; sleep 3600")])
    chat = chat_of(alone, [*OUTER[:1], [say("I am still there.")]], talks, mode="auto")
    run = chat.send()
    wait_until(lambda: counted(alone) == 1, what="the command")
    stopped(chat, run)

    wait_until(lambda: len(living(alone)) <= before, what="the end of all processes")
    (innermost,) = [one for one in chat.results() if one["tool"] == "bash"]
    assert (innermost["code"], innermost["is_error"]) == ("cancelled", True)
    assert "failed: Run" in result_of(chat, "Outer")["content"]


def is_warden(process: psutil.Process) -> bool:
    """Whether it is the program that starts commands; what keeps one of them has the same name, and is its child."""
    return "warden" in " ".join(process.cmdline()) and "warden" not in " ".join(process.parent().cmdline())


def living(server: Server) -> list[psutil.Process]:
    """What the server has started and is no zombie; without the one that starts commands, and stays for the next."""
    found = []
    for process in descendants(server.client.process.pid):
        try:
            if process.status() != psutil.STATUS_ZOMBIE and not is_warden(process):
                found.append(process)
        except psutil.NoSuchProcess:
            continue
    return found


def test_closing_the_chat_ends_all_of_it(room: Room) -> None:
    chat = chat_of(room.server, OUTER, inside([room.write("inner.txt")]))
    run = chat.send()
    card = chat.card()
    chat.client.request("session/close", {"sessionId": chat.id})
    assert run.result()["done_reason"] == "cancelled"
    assert chat.resolved(card)["status"] == "cancelled"
    assert room.server.waiting() == [] or all(one["sessionId"] != chat.id for one in room.server.waiting())


def test_one_that_ends_while_another_waits_leaves_it_waiting(room: Room) -> None:
    talks: Talks = {"Quick": [[say("quick")]], "Slow": [[room.write("slow.txt")], [say("slow")]]}
    chat = chat_of(room.server, [[hand_on("Quick"), hand_on("Slow")], [say("Done.")]], talks)
    run = chat.send()
    card = chat.card()
    wait_until(lambda: len(chat.results()) == 1, what="the quick one's end")
    assert chat.waits(card) and not run.done
    chat.answer(card, decision="accept")
    assert run.result()["done_reason"] == "stop"
    assert result_of(chat, "Slow")["output"] == "slow"


def test_after_a_crash_nothing_of_sub_agents_runs_and_their_calls_say_what_became_of_them(start: Start) -> None:
    first = again(start)
    (first.workspace / "note.txt").write_text("noted")
    talks: Talks = {
        "Waits": [[say("I wait. "), COUNT], [say("no")]],
        "Runs": [[call("bash", command="echo began >> began; sleep 3600")], [say("no")]],
        "Has run": [[read("note.txt")], [COUNT], [say("no")]],
    }
    root = [[hand_on("Waits"), hand_on("Runs"), hand_on("Has run")], [say("The next message.")]]
    chat = chat_of(first, root, talks)
    chat.send()
    cards = {card["path"][0]: card for card in (chat.card(), chat.card(), chat.card())}
    chat.answer(cards["Runs"], decision="accept")
    wait_until(lambda: (first.workspace / "began").exists(), what="the command")
    kept.wait_for_calls(first.state, 2)
    # The three that were handed on, and the command. What had ended in a sub-agent is not kept twice.
    kept.wait_for_calls(first.state, 4, "running")
    assert kept.rows(first.state, "SELECT count(*) FROM calls WHERE state = 'finished'") == [(0,)]
    kill(first)

    server = again(start)
    wait_until(lambda: server.client.request("session/list", {})["sessions"], what="the chat")
    chat = same(server, chat)
    assert server.waiting() == []
    for card in cards.values():
        chat.refused(card, decision="accept")

    ended = {one["toolCallId"]: one for one in results(chat)}
    calls = of(transcript(chat), "ToolCall")
    assert ended.keys() == {one["toolCallId"] for one in calls}
    titles = {one["toolCallId"]: one["args"]["title"] for one in calls if one["tool"] == "run_subtask"}
    codes = {
        (titles[one["parentToolCallId"]], one["tool"]): ended[one["toolCallId"]].get("code")
        for one in calls
        if one.get("parentToolCallId")
    }
    assert codes == {
        ("Waits", "bash"): "interrupted",
        ("Runs", "bash"): "outcome_unknown",
        ("Has run", "read_file"): None,
        ("Has run", "bash"): "interrupted",
    }
    waited = next(one for one in calls if one.get("parentToolCallId") and titles[one["parentToolCallId"]] == "Waits")
    assert json.loads(ended[waited["toolCallId"]]["output"])["message"] == (
        "The server ended before this call ran. It did not run; ask again."
    )
    assert {ended[call_id]["code"] for call_id in titles} == {"outcome_unknown"}
    assert of(transcript(chat), "Error")[-1]["code"] == "server_ended"

    server.script([say("unused")], [say("The next message.")])
    assert chat.run("and now?")["done_reason"] == "stop"
    assert counted(server) == 0
    assert server.waiting() == []


def test_what_waits_to_be_handed_on_is_not_asked_for_again_after_a_crash(start: Start) -> None:
    asks = {"alwaysAskRules": {"run_subtask": ["*"]}}
    first = start()
    first.meet(user=asks)
    chat = chat_of(first, [[hand_on("Ask")]], {"Ask": [[COUNT]]}, mode="auto")
    chat.send()
    chat.card()
    kept.wait_for_calls(first.state, 1)
    kill(first)

    server = start()
    server.meet(user=asks)
    wait_until(lambda: server.client.request("session/list", {})["sessions"], what="the chat")
    chat = same(server, chat)
    wait_until(lambda: len(results(chat)) == 1, what="its result")
    assert json.loads(results(chat)[0]["output"])["error"] == "no_run"
    assert server.waiting() == []
    assert counted(server) == 0
