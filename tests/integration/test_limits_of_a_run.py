"""How far a run may go, over the wire: each limit of the settings stops it, says its name, and the chat goes on."""

import os
from collections.abc import Callable
from contextlib import suppress

import pytest

from tests.support import kept
from tests.support.crashed import again, cards_of, chats_of, kill, same
from tests.support.model_servers.formats import FORMATS, Format
from tests.support.model_servers.server import model_server
from tests.support.model_servers.wire import Said, SaidCall
from tests.support.room import Room
from tests.support.scale import wait_until
from tests.support.server import INVALID_PARAMS, Chat, Json, Server, call, read, refusal, say
from tests.support.told_settings import chat_with, tell

Start = Callable[..., Server]
FOREVER = {"wait": 3600}


def limit_to(server: Server, **limits: int) -> None:
    """The user's settings say so from now on."""
    tell(server, limits=limits)


def limited(room: Room, *turns: list[Json], **limits: int) -> Chat:
    """A new chat whose runs may go so far, with a model that plays these turns."""
    limit_to(room.server, **limits)
    return room.chat(*turns)


def told_limits(chat: Chat) -> list[tuple[str, int, int]]:
    """Name, value and what would have been, of each limit that was told."""
    told = [event["data"] for event in chat.events("BudgetExceeded")]
    for one in told:
        assert f"{one['value']} " in one["message"] and f'"{one["limit"]}"' in one["message"]
        assert "assent.limits" in one["message"]
    return [(one["limit"], one["value"], one["observed"]) for one in told]


def codes(chat: Chat) -> list[str | None]:
    """How each call ended, in the order of the results."""
    return [result.get("code") for result in chat.results()]


def goes_on(chat: Chat, *turns: list[Json]) -> None:
    """The user writes again, and is answered."""
    chat.server.script(*turns)
    limit_to(chat.server)
    assert chat.run("and now?")["done_reason"] == "stop"
    assert chat.events("Chunk")[-1]["data"]["text"] == "I am here."


HERE = [say("I am here.")]


@pytest.mark.parametrize("limit", ["iterations", "modelCalls"])
def test_turns_and_requests_are_counted(room: Room, limit: str) -> None:
    room.file("a").write_text("text")
    reads = [read(room.path("a"))]
    chat = limited(room, reads, reads, reads, **{limit: 2})
    assert chat.run()["done_reason"] == "limit"
    assert told_limits(chat) == [(limit, 2, 3)]
    assert [event["data"]["done_reason"] for event in chat.events("Done")] == ["limit"]
    assert [result["success"] for result in chat.results()] == [True, True]
    goes_on(chat, reads, reads, HERE)


def test_a_call_too_many_does_not_run_and_the_model_is_told(room: Room) -> None:
    room.file("a").write_text("text")
    reads = read(room.path("a"))
    chat = limited(room, [reads, reads, reads], [reads], [say("Enough.")], toolCalls=2)
    assert chat.run()["done_reason"] == "stop"
    assert told_limits(chat) == [("toolCalls", 2, 3)]
    assert sorted(codes(chat), key=str) == [None, None, "limit_reached", "limit_reached"]
    assert "2 tool calls" in refusal(chat.results()[-1])["message"]
    goes_on(chat, [], [], [], HERE)


def test_no_call_may_be_made_at_all(room: Room) -> None:
    chat = limited(room, [room.write("a")], [say("So be it.")], toolCalls=0)
    assert chat.run()["done_reason"] == "stop"
    assert told_limits(chat) == [("toolCalls", 0, 1)]
    assert codes(chat) == ["limit_reached"]
    assert chat.cards() == [] and not room.file("a").exists()


def test_of_five_writes_that_were_allowed_together_as_many_are_made_as_may_be(room: Room) -> None:
    names = [f"file-{number}" for number in range(5)]
    chat = limited(room, [room.write(name) for name in names], [say("Done.")], writes=2)
    run = chat.send()
    cards = [chat.card(room.path(name)) for name in names]
    items = [{"approvalId": card["approvalId"], "argsDigest": card["argsDigest"]} for card in cards]
    together = {"sessionId": chat.id, "items": items, "decision": "allow_once"}
    chat.client.request("tool/approvalBatch", together)
    assert run.result()["done_reason"] == "stop"
    assert [name for name in names if room.file(name).exists()] == names[:2]
    assert sorted(codes(chat), key=str) == [None, None, *["limit_reached"] * 3]
    assert [(name, value) for name, value, _ in told_limits(chat)] == [("writes", 2)]
    goes_on(chat, [], [], HERE)


def test_once_all_writes_are_made_no_card_waits_for_another(room: Room) -> None:
    chat = limited(room, [room.write("a"), room.write("b")], [say("Done.")], writes=1)
    run = chat.send()
    first, second = chat.card(room.path("a")), chat.card(room.path("b"))
    chat.select(first, "approve")
    assert chat.resolved(second)["resolvedBy"] == "policy"
    assert run.result()["done_reason"] == "stop"
    assert room.file("a").exists() and not room.file("b").exists()
    assert sorted(codes(chat), key=str) == [None, "limit_reached"]


def test_a_model_that_never_ends_is_ended_and_a_card_that_waits_costs_no_time(room: Room) -> None:
    chat = limited(room, [room.write("a")], [say("Written.")], wallClockSeconds=2)
    waiting = chat.send()
    card = chat.card()

    room.server.script([say("I think, "), FOREVER])
    busy = room.server.chat()
    # It works for all of its time, and so long the other one's card waits.
    assert busy.run(within=30)["done_reason"] == "limit"
    ((name, value, observed),) = told_limits(busy)
    assert (name, value) == ("wallClockSeconds", 2) and observed >= 2

    room.server.script([], [say("Written.")])
    assert chat.waits(card)
    chat.select(card, "approve")
    assert waiting.result()["done_reason"] == "stop"
    assert room.file("a").exists() and told_limits(chat) == []
    goes_on(busy, [], HERE)


@pytest.mark.skipif(os.name == "nt", reason="the tool needs a POSIX shell")
def test_a_tool_that_never_ends_is_ended(room: Room) -> None:
    pipe = Pipe(room, "pipe")
    chat = limited(room, [call("bash", command=f"cat {pipe.path}")], HERE, wallClockSeconds=2)
    run = chat.send()
    wait_until(lambda: pipe.is_read, what="the tool is at work")
    assert run.result(30)["done_reason"] == "limit"
    assert [(name, value) for name, value, _ in told_limits(chat)] == [("wallClockSeconds", 2)]
    assert [result["success"] for result in chat.results()] == [False]
    wait_until(lambda: pipe.is_left, what="what it had started has ended")
    pipe.close()
    goes_on(chat, [], HERE)


@pytest.mark.skipif(os.name == "nt", reason="the tool needs a POSIX shell")
def test_no_more_tools_are_at_work_at_the_same_time_than_may_be(room: Room) -> None:
    first, second, third = pipes = [Pipe(room, f"pipe-{number}") for number in range(3)]
    cats = [call("bash", command=f"cat {pipe.path}") for pipe in pipes]
    chat = limited(room, cats, [say("Done.")], parallelCalls=2)
    run = chat.send()
    wait_until(lambda: first.is_read and second.is_read, what="two tools are at work")
    chat.wait_for_event("ToolCall", count=3)
    # This is answered after all that the three calls could do by themselves.
    chat.info()
    assert not third.is_read
    first.close()
    wait_until(lambda: third.is_read, what="the third one is at work")
    second.close()
    third.close()
    assert run.result()["done_reason"] == "stop"
    assert [result["success"] for result in chat.results()] == [True, True, True]
    assert told_limits(chat) == []


class Pipe:
    """A pipe in the room: who reads it waits, from the moment in which that was seen until it is closed."""

    def __init__(self, room: Room, name: str) -> None:
        self.path = room.path(name)
        self._file = room.file(name)
        self._writer: int | None = None
        os.mkfifo(self._file)

    @property
    def is_read(self) -> bool:
        """Whether somebody reads it."""
        if self._writer is None:
            with suppress(OSError):
                self._writer = os.open(self._file, os.O_WRONLY | os.O_NONBLOCK)
        return self._writer is not None

    @property
    def is_left(self) -> bool:
        """Whether who read it is gone."""
        assert self._writer is not None
        try:
            os.write(self._writer, b"more")
        except BrokenPipeError:
            return True
        return False

    def close(self) -> None:
        """Lets who reads it come to an end."""
        assert self._writer is not None
        os.close(self._writer)


def test_changed_numbers_count_from_the_next_message_on(room: Room) -> None:
    reads = [call("list_files", path=room.name)]
    chat = limited(room, [room.write("a")], reads, reads, [say("Done.")], iterations=2)
    run = chat.send()
    card = chat.card()
    limit_to(room.server, iterations=50)
    chat.select(card, "approve")
    assert run.result()["done_reason"] == "limit"
    assert told_limits(chat) == [("iterations", 2, 3)]
    assert chat.run("go on")["done_reason"] == "stop"


def test_a_workspace_only_lowers_what_the_user_said(start: Start) -> None:
    server = start()
    settings = server.workspace / ".vscode" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{"assent.limits": {"iterations": 1, "toolCalls": 900}}')
    server.meet(user={"limits": {"toolCalls": 1}})
    room = Room(server, "room")
    chat = room.chat([call("list_files", path="."), call("list_files", path=".")], HERE)
    assert chat.run()["done_reason"] == "limit"
    assert told_limits(chat) == [("toolCalls", 1, 2), ("iterations", 1, 2)]


# Behind a model server that takes nothing which its format does not allow


LISTS = SaidCall("list_files", {"path": "."})


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_after_a_limit_the_next_request_is_one_that_the_models_server_takes(room: Room, form: Format) -> None:
    turns = (Said("One.", (LISTS, LISTS)), Said("I am here."))
    with model_server(form.wire(), *turns, base_path=form.base_path) as models:
        chat = chat_with(room.server, form, models, limits={"iterations": 1, "toolCalls": 1})
        assert chat.run()["done_reason"] == "limit"
        assert chat.run("and now?")["done_reason"] == "stop"
        assert models.log.rejected == []
        results = [result for message in models.log.seen[1].messages for result in message.results]
        assert len(results) == 2 and "limit_reached" in results[1]


def test_of_a_long_result_the_model_gets_the_beginning_and_the_end(room: Room) -> None:
    form = FORMATS[0]
    turns = (Said("I read.", (SaidCall("read_file", {"path": room.path("long.txt")}),)), Said("Read."))
    with model_server(form.wire(), *turns, base_path=form.base_path) as models:
        chat = chat_with(room.server, form, models, limits={"resultBytes": 1_000})
        room.file("long.txt").write_text(f"BEGINNING{'ä' * 5_000}END", encoding="utf-8")
        assert chat.run()["done_reason"] == "stop"
        (got,) = [result for message in models.log.seen[1].messages for result in message.results]
    assert got.startswith("BEGINNING") and got.endswith("END") and "bytes left out" in got
    assert len(got.encode()) <= 1_000
    (result,) = chat.results()
    assert result["truncated"] is True and result["output"] == got


def whole_result(chat: Chat, call_id: str) -> list[str]:
    """The whole text of a long result, piece by piece."""
    pieces, offset = [], 0
    while offset is not None:
        params = {"sessionId": chat.id, "toolCallId": call_id, "offset": offset}
        piece = chat.client.request("tool/result", params)
        pieces.append(piece["text"])
        offset = piece.get("nextOffset")
    return pieces


@pytest.mark.skipif(os.name == "nt", reason="the tool needs a POSIX shell")
@pytest.mark.parametrize("length", [3_000, 262_144, 262_145, 400_000])
def test_the_whole_of_a_long_result_is_there_for_the_user(room: Room, length: int) -> None:
    first = "Exit code 0.\n"
    text = ("0123456789🦊" * length)[: length - len(first)]
    room.file("long").write_text(text, encoding="utf-8")
    chat = limited(room, [call("bash", command=f"cat {room.path('long')}")], [say("Read.")], resultBytes=1_000)
    chat.run()
    (result,) = chat.results()
    assert result["wholeLength"] == length and len(result["output"]) < 1_000
    pieces = whole_result(chat, result["toolCallId"])
    assert "".join(pieces) == first + text
    assert len(pieces) == -(-length // 262_144)


def test_what_is_not_kept_is_said_and_belongs_to_its_chat(room: Room) -> None:
    room.file("short").write_text("short")
    room.file("long").write_text("long" * 1_000)
    chat = limited(room, [read(room.path("short")), read(room.path("long"))], [say("Read.")], resultBytes=1_000)
    chat.run()
    short, long = sorted(chat.results(), key=lambda result: len(result["output"]))
    assert "wholeLength" not in short and short["output"] == "short"
    other = room.chat([say("Hello.")])
    for of, call_id in ((chat, short["toolCallId"]), (chat, "nobody"), (other, long["toolCallId"])):
        params = {"sessionId": of.id, "toolCallId": call_id, "offset": 0}
        fault = chat.client.start("tool/result", params).error()
        assert (fault.code, "not kept any more" in fault.message) == (INVALID_PARAMS, True)
    params = {"sessionId": chat.id, "toolCallId": long["toolCallId"], "offset": -1}
    assert chat.client.start("tool/result", params).error().code == INVALID_PARAMS


@pytest.mark.skipif(os.name == "nt", reason="the tool needs a POSIX shell")
def test_what_waited_when_the_server_ended_is_cut_as_well_and_what_was_kept_is_gone(start: Start) -> None:
    first = again(start)
    limit_to(first, resultBytes=1_000)
    (first.workspace / "long").write_text("long" * 1_000)
    first.script([read("long")], [call("bash", command="cat long > copy; cat copy")])
    chat = first.chat()
    chat.send()
    chat.card()
    before = chat.results()[0]
    assert "".join(whole_result(chat, before["toolCallId"])) == "long" * 1_000
    kept.wait_for_calls(first.state, 1)
    kill(first)

    server = again(start)
    limit_to(server, resultBytes=1_000)
    (restored,) = chats_of(server)
    chat = same(server, chat)
    assert restored["sessionId"] == chat.id
    gone = {"sessionId": chat.id, "toolCallId": before["toolCallId"], "offset": 0}
    assert "not kept any more" in server.client.start("tool/result", gone).error().message
    (card,) = cards_of(server, 1)
    chat.answer(card, decision="accept")
    wait_until(chat.results, what="the result")
    (result,) = chat.results()
    assert len(result["output"].encode()) <= 1_000 and "bytes left out" in result["output"]
    assert "".join(whole_result(chat, result["toolCallId"])).endswith("long" * 1_000)
