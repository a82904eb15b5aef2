"""A run that failed goes on where it ended: without a new message, and without running anything again."""

from collections.abc import Callable

import pytest

from assent.model.conversation import StopReason
from tests.support import kept
from tests.support.chat_events import check_events
from tests.support.crashed import again, cards_of, chats_of, kill, of, same, transcript
from tests.support.model_servers.formats import FORMATS, Format
from tests.support.model_servers.ollama import OllamaWire
from tests.support.model_servers.plays import Then, answer
from tests.support.model_servers.server import model_server
from tests.support.model_servers.wire import Said, SaidCall
from tests.support.room import Room
from tests.support.rpc import Pending
from tests.support.scale import wait_until
from tests.support.server import CANCELLED, INVALID_PARAMS, NO_CHAT, Chat, Json, Server, Step, call, say, write

Start = Callable[..., Server]
CUT: Step = {"cut": True}


def retry(chat: Chat) -> Pending:
    """Goes on; the answer comes when the run ends."""
    return chat.client.start("chat/retry", {"sessionId": chat.id})


def texts(chat: Chat) -> str:
    """All that the model said."""
    return "".join(event["data"]["text"] or "" for event in chat.events("Chunk"))


def failures(chat: Chat) -> list[Json]:
    """The data of every fault on which a run ended."""
    return [event["data"] for event in chat.events("Error")]


def count(name: str) -> Step:
    """The model wants one more line in a file: that it ran twice would be seen."""
    return call("bash", command=f"echo ran >> {name}")


# What goes on


def test_a_text_that_was_cut_goes_on_without_a_new_message(room: Room) -> None:
    chat = room.chat([say("Once "), CUT], [say("upon a time.")])
    assert chat.run()["done_reason"] == "error"
    assert [one["canRetry"] for one in failures(chat)] == [True]

    ended = retry(chat).result()
    assert ended["done_reason"] == "stop"
    assert texts(chat) == "Once upon a time."
    assert [event["event"] for event in chat.events() if event["event"] in ("Prompt", "Retry")] == ["Prompt", "Retry"]
    assert chat.events("Retry")[0]["runId"] == ended["runId"] == chat.events("Done")[0]["runId"]
    check_events(chat)


def test_a_call_that_ran_in_the_turn_that_was_cut_does_not_run_again(room: Room) -> None:
    counted = room.path("counted")
    chat, card, run = room.card([say("I count. "), count(counted), CUT], [say("Counted.")])
    chat.select(card, "approve")
    assert run.result()["done_reason"] == "error"
    assert room.file("counted").read_text() == "ran\n"

    assert retry(chat).result()["done_reason"] == "stop"
    assert room.file("counted").read_text() == "ran\n"
    assert (len(chat.cards()), len(chat.events("ToolCall")), len(chat.results())) == (1, 1, 1)
    assert texts(chat) == "I count. Counted."
    check_events(chat)


def test_a_call_that_was_denied_in_it_is_not_asked_for_again(room: Room) -> None:
    chat, card, run = room.card([room.write("a"), CUT], [say("I see.")])
    chat.select(card, "deny")
    assert run.result()["done_reason"] == "error"
    assert retry(chat).result()["done_reason"] == "stop"
    assert (len(chat.cards()), len(chat.results())) == (1, 1)
    assert not room.file("a").exists()


def test_what_the_model_calls_after_it_is_asked_for_as_ever(room: Room) -> None:
    chat = room.chat([say("Well, "), CUT], [room.write("a")], [say("done.")])
    chat.run()
    run = retry(chat)
    card = chat.card()
    assert not room.file("a").exists()
    chat.select(card, "approve")
    assert run.result()["done_reason"] == "stop"
    assert room.file("a").exists()
    check_events(chat)


def test_a_run_that_fails_again_can_be_retried_again(room: Room) -> None:
    chat = room.chat([say("One, "), CUT], [say("two, "), CUT], [say("three.")])
    chat.run()
    assert retry(chat).result()["done_reason"] == "error"
    assert retry(chat).result()["done_reason"] == "stop"
    assert texts(chat) == "One, two, three."
    check_events(chat)


def test_a_message_waits_behind_it(room: Room) -> None:
    chat = room.chat([say("Well, "), CUT], [room.write("a")], [say("done.")], [say("Next.")])
    chat.run()
    run = retry(chat)
    card = chat.card()
    behind = chat.send("next")
    chat.select(card, "approve")
    assert [run.result()["done_reason"], behind.result()["done_reason"]] == ["stop", "stop"]
    check_events(chat)


@pytest.mark.parametrize("kind", FORMATS, ids=lambda kind: kind.name)
def test_the_result_of_its_finished_call_is_sent_once(start: Start, kind: Format) -> None:
    counts = SaidCall("bash", {"command": "echo ran >> counted"})
    never_whole = SaidCall("write_file", {"path": "CUTOFF", "content": "x"})
    first = answer(Said("I count.", (counts, never_whole), piece_length=1000), cut_at=b"CUTOFF", then=Then.DROP)
    with model_server(kind.wire(), first, Said("Counted."), base_path=kind.base_path) as models:
        server, chat = _behind(start, models.base_url, kind)
        run = chat.send("count")
        chat.select(chat.card(), "approve")
        assert run.result()["done_reason"] == "error"
        assert retry(chat).result()["done_reason"] == "stop"

    assert (server.workspace / "counted").read_text() == "ran\n"
    assert models.log.rejected == []
    last = models.log.seen[-1].messages
    assert [message.role for message in last] == ["user", "assistant", "results"]
    assert (len(last[1].calls), len(last[2].results), last[2].ids_match) == (1, 1, True)
    assert texts(chat) == "I count.Counted."


@pytest.mark.parametrize("kind", FORMATS, ids=lambda kind: kind.name)
def test_every_kind_of_server_takes_what_was_cut_more_than_once(start: Start, kind: Format) -> None:
    said = [Said(text, stop=StopReason.LENGTH) for text in ("One, ", "two, ")]
    with model_server(kind.wire(), *said, Said("three."), base_path=kind.base_path) as models:
        _, chat = _behind(start, models.base_url, kind)
        assert chat.run()["done_reason"] == "error"
        assert retry(chat).result()["done_reason"] == "error"
        assert retry(chat).result()["done_reason"] == "stop"
    assert models.log.rejected == []
    assert texts(chat) == "One, two, three."


def test_a_model_that_could_not_answer_is_asked_the_same_once_more(room: Room) -> None:
    chat = room.chat([{"fail": "too busy for now", "passing": True}])
    chat.run()
    assert failures(chat)[0]["canRetry"] is True
    room.server.script([say("Here I am.")])
    assert retry(chat).result()["done_reason"] == "stop"
    assert texts(chat) == "Here I am."
    check_events(chat)


def test_a_fault_that_the_user_has_mended_does_not_cost_the_message(start: Start) -> None:
    with model_server(OllamaWire(), Said("hello"), key="key-of-the-test-1234") as models:
        server = start()
        defined = {"provider": "ollama", "model": "m", "baseUrl": models.base_url}
        server.meet(capabilities=("cards", "secrets/get"), user={"agents": {"Model": defined}})
        chat = server.chat(agent="Model")
        run = chat.send("say hello")
        server.client.wait_for_request("secrets/get").answer({"value": None})
        assert run.result()["done_reason"] == "error"
        assert [(one["code"], one["canRetry"]) for one in failures(chat)] == [("key_missing", True)]

        run = retry(chat)
        server.client.wait_for_request("secrets/get").answer({"value": "key-of-the-test-1234"})
        assert run.result()["done_reason"] == "stop"
    (request,) = models.log.seen
    assert [(message.role, message.text) for message in request.messages] == [("user", "say hello")]
    assert texts(chat) == "hello"


def _behind(start: Start, base_url: str, kind: Format) -> tuple[Server, Chat]:
    server = start()
    defined = {"provider": kind.name, "model": kind.model, "baseUrl": base_url}
    server.meet(user={"agents": {"Model": defined}})
    return server, server.chat(agent="Model")


def test_it_can_be_retried_after_a_restart(start: Start) -> None:
    server = again(start)
    server.script([say("Once "), CUT], [say("upon a time.")])
    chat = server.chat()
    chat.run()
    server.client.close()

    server = start()
    server.script([say("Once "), CUT], [say("upon a time.")])
    server.meet()
    chats_of(server)
    chat = same(server, chat)
    assert retry(chat).result()["done_reason"] == "stop"
    assert texts(chat) == "upon a time."


def test_a_run_that_an_orderly_end_of_the_server_cut_off_goes_on_and_not_by_itself(start: Start) -> None:
    server = again(start)
    turns: list[list[Step]] = [[say("Once "), {"wait": 3600}], [say("upon a time.")]]
    server.script(*turns)
    chat = server.chat()
    chat.send()
    chat.wait_for_event("Chunk")
    server.client.shutdown()

    server = start()
    server.script(*turns)
    server.meet()
    chats_of(server)
    chat = same(server, chat)
    (told,) = of(transcript(chat), "Error")
    assert (told["code"], told["canRetry"]) == ("server_ended", True)
    assert of(transcript(chat), "Done") == []
    assert chat.info()["running"] is False
    assert retry(chat).result()["done_reason"] == "stop"
    assert texts(chat) == "upon a time."


def test_a_run_that_a_crash_ended_goes_on_once_its_calls_are_answered(start: Start) -> None:
    server = again(start)
    turns = [[say("Two files. "), write("a.txt"), write("b.txt")], [say("Now I know.")]]
    server.script(*turns)
    chat = server.chat()
    chat.send()
    cards_of(server, 2)
    kept.wait_for_calls(server.state, 2)
    kill(server)

    server = start()
    server.script(*turns)
    server.meet()
    chats_of(server)
    cards, chat = cards_of(server, 2), same(server, chat)
    (told,) = of(transcript(chat), "Error")
    assert (told["code"], told["canRetry"]) == ("server_ended", True)
    for card in cards:
        fault = retry(chat).error()
        assert (fault.code, "answer them first" in fault.message) == (INVALID_PARAMS, True)
        chat.answer(card, decision="accept" if card["args"]["path"] == "a.txt" else "deny")
    chat.wait_for_event("ToolResult", count=2)
    wait_until(lambda: chat.client.request("session/list", {})["sessions"][0]["waiting"] == 0, what="all answered")

    assert retry(chat).result()["done_reason"] == "stop"
    assert texts(chat) == "Now I know."
    assert ((server.workspace / "a.txt").exists(), (server.workspace / "b.txt").exists()) == (True, False)
    assert (len(chat.results()), server.waiting()) == (2, [])


# What does not


def refused(chat: Chat) -> str:
    """Why there is nothing to retry; nothing happens."""
    before = chat.events()
    fault = retry(chat).error()
    assert fault.code == INVALID_PARAMS
    assert chat.events() == before
    return fault.message


def test_a_chat_that_did_not_fail_has_nothing_to_retry(room: Room) -> None:
    chat = room.chat([say("Hello.")], [room.write("a")])
    assert "did not fail" in refused(chat)
    chat.run()
    assert "did not fail" in refused(chat)
    run = chat.send("again")
    chat.card()
    chat.stop()
    run.result()
    assert "did not fail" in refused(chat)


def test_a_failure_is_over_once_a_newer_run_ended_well(room: Room) -> None:
    chat = room.chat([say("Once "), CUT], [say("Well.")])
    chat.run()
    chat.run("never mind")
    assert "did not fail" in refused(chat)


def test_a_fault_that_stays_the_same_is_not_tried_again(room: Room) -> None:
    chat = room.chat([{"fail": "there is no such model"}], [say("never said")])
    chat.run()
    assert "canRetry" not in failures(chat)[0]
    assert "did not fail in a way" in refused(chat)


def test_there_is_none_while_a_run_is_active(room: Room) -> None:
    chat = room.chat([say("Once "), CUT], [room.write("a")], [say("Done.")])
    chat.run()
    run = chat.send("write")
    card = chat.card()
    fault = retry(chat).error()
    assert (fault.code, "active" in fault.message) == (INVALID_PARAMS, True)
    assert chat.waits(card)
    chat.select(card, "approve")
    assert run.result()["done_reason"] == "stop"
    assert chat.events("Retry") == []
    check_events(chat)


def test_asked_for_twice_it_is_one_run(room: Room) -> None:
    chat = room.chat([say("Well, "), CUT], [room.write("a")], [say("done.")])
    chat.run()
    ways = [retry(chat) for _ in range(3)]
    chat.select(chat.card(), "approve")
    answers = [way.answer() for way in ways]
    assert ["result" in one for one in answers] == [True, False, False]
    assert len(chat.events("Retry")) == 1
    check_events(chat)


def test_it_is_stopped_like_any_run(room: Room) -> None:
    chat = room.chat([say("Well, "), CUT], [room.write("a")])
    chat.run()
    run = retry(chat)
    card = chat.card()
    assert chat.stop() is True
    assert run.result()["done_reason"] == "cancelled"
    assert chat.resolved(card)["status"] == "cancelled"
    assert "did not fail" in refused(chat)
    check_events(chat)


def test_cancelling_the_request_stops_it(room: Room) -> None:
    chat = room.chat([say("Well, "), CUT], [room.write("a")])
    chat.run()
    run = retry(chat)
    card = chat.card()
    run.cancel()
    assert run.error().code == CANCELLED
    assert chat.resolved(card)["status"] == "cancelled"
    assert chat.info()["running"] is False
    check_events(chat)


@pytest.mark.parametrize(("session", "code"), [("nowhere", NO_CHAT), (None, INVALID_PARAMS), (5, INVALID_PARAMS)])
def test_a_request_that_makes_no_sense_is_refused(room: Room, session: Json, code: int) -> None:
    assert room.server.client.start("chat/retry", {"sessionId": session}).error().code == code
