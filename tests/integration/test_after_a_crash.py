"""A server is killed while calls wait and run; the next one on the same state shows the chats and asks anew."""

import json
from subprocess import Popen as Process

from tests.support import kept
from tests.support.crashed import (
    COUNT,
    Start,
    again,
    cards_of,
    chats_of,
    counted,
    kill,
    of,
    results,
    same,
    story,
    transcript,
    waiting_chat,
)
from tests.support.rpc import RpcError
from tests.support.scale import wait_until
from tests.support.server import NO_CHAT, NOT_FOUND, RESOLVED, SECOND, Json, Server, call, say, write


def test_waiting_calls_come_back_as_new_cards_and_each_works(start: Start) -> None:
    first = again(start)
    first.script([say("Two things. "), write("a.txt", "from a"), COUNT])
    first.script([write("b.txt", "from b")], agent=SECOND)
    one, other = first.chat(), first.chat(agent=SECOND)
    one.send("do both")
    other.send("do one")
    before = {card["toolCall"]["toolCallId"]: card for card in cards_of(first, 3)}
    kept.wait_for_calls(first.state, 3)
    kill(first)

    server = again(start)
    assert [chat["sessionId"] for chat in chats_of(server)] == [one.id, other.id]
    after = {card["toolCall"]["toolCallId"]: card for card in cards_of(server, 3)}
    one, other = same(server, one), same(server, other)

    assert after.keys() == before.keys()
    assert not {card["approvalId"] for card in after.values()} & {card["approvalId"] for card in before.values()}
    for key, card in after.items():
        assert card["interrupted"] is True
        assert (card["args"], card["sessionId"]) == (before[key]["args"], before[key]["sessionId"])
        fault = one.refused(before[key], decision="accept")
        assert fault.code == NOT_FOUND
        assert "did not run" in str(fault)
    assert not (server.workspace / "a.txt").exists()

    by_tool = {card["tool"] + card["sessionId"]: card for card in after.values()}
    one.select(by_tool["write_file" + one.id], "approve")
    one.answer(by_tool["bash" + one.id], decision="accept")
    other.answer(by_tool["write_file" + other.id], decision="deny", feedback="not now")

    wait_until(lambda: len(results(one)) == 2 and len(results(other)) == 1, what="three results")
    assert (server.workspace / "a.txt").read_text() == "from a"
    assert counted(server) == 1
    assert not (server.workspace / "b.txt").exists()
    assert [one["success"] for one in results(one)] == [True, True]
    assert json.loads(results(other)[0]["output"])["feedback"] == "not now"
    assert server.waiting() == []
    assert [one.refused(card, decision="accept").code for card in after.values()] == [RESOLVED] * 3
    assert [one.refused(card, decision="accept").code for card in before.values()] == [NOT_FOUND] * 3
    assert counted(server) == 1


def test_a_call_whose_card_was_told_comes_back_however_soon_the_server_was_killed(start: Start) -> None:
    server, told = again(start), set[str]()
    for number in range(5):
        client = server.client

        def die(message: Json, process: Process = client.process) -> None:
            if message.get("method") == "tool/approvalRequest":
                process.kill()
                told.add(message["params"]["toolCall"]["toolCallId"])

        server.script([write(f"{number}-{one}.txt") for one in range(3)])
        chat = server.chat()
        client.on_message = die
        chat.send()
        client.wait_exit()
        assert len(told) > number
        server = again(start)
        wait_until(
            lambda server=server: told <= {card["toolCall"]["toolCallId"] for card in server.waiting()},
            what="every card that was told",
        )


def test_a_stop_that_was_told_counts_however_soon_the_server_was_killed(start: Start) -> None:
    server = again(start)
    for number in range(3):
        client, ended = server.client, set[str]()

        def die(message: Json, process: Process = client.process, ended: set[str] = ended) -> None:
            if message.get("method") == "tool/approvalResolved":
                process.kill()
                ended.add(message["params"]["toolCallId"])

        server.script([write(f"{number}-{one}.txt") for one in range(20)])
        server.script([write(f"{number}.txt")], agent=SECOND)
        stopped, other = server.chat(), server.chat(agent=SECOND)
        stopped.send()
        stopped.wait_for_event("ToolPermission", count=20)
        other.send()
        other.wait_for_event("ToolPermission")
        client.on_message = die
        client.start("chat/stop", {"sessionId": stopped.id})
        client.wait_exit()
        assert ended
        server = again(start)
        # Chats come back in the order of their beginning: what waited in the first one would wait by then.
        wait_until(
            lambda server=server, other=other: other.id in _chats_that_wait(server), what="the other chat's card"
        )
        assert stopped.id not in _chats_that_wait(server)


def _chats_that_wait(server: Server) -> set[str]:
    return {card["sessionId"] for card in server.waiting()}


def test_what_ran_when_the_server_was_killed_is_unknown_and_never_run_again(start: Start) -> None:
    first = again(start)
    first.script([call("bash", command="echo ran >> counted; sleep 300")])
    chat = first.chat()
    chat.send()
    chat.answer(chat.card(), decision="accept")
    wait_until(lambda: counted(first) == 1, what="the command")
    kept.wait_for_calls(first.state, 1, "running")
    kill(first)

    server = again(start)
    chat = same(server, chat)
    (result,) = results(chat)

    assert (result["code"], result["is_error"]) == ("outcome_unknown", True)
    assert "not run again" in result["output"]
    assert of(transcript(chat), "Error")[0]["message"].startswith("The server ended during this run")
    assert server.waiting() == []
    assert counted(server) == 1
    server.client.close()

    third = again(start)
    assert results(same(third, chat)) == [result]
    assert counted(third) == 1
    (ended,) = third.client.request("history/query", {"ending": "unknown"})["entries"]
    assert (ended["stage"], ended["by"]) == ("finished", "restart")


def test_a_clean_end_of_the_server_lets_waiting_calls_come_back_as_well(start: Start) -> None:
    first, chat, card = waiting_chat(start)
    first.client.close()

    server = again(start)
    (new,) = cards_of(server, 1)
    chat = same(server, chat)

    assert new["approvalId"] != card["approvalId"]
    assert new["interrupted"] is True
    assert results(chat) == []
    chat.answer(new, decision="accept")
    wait_until(lambda: results(chat), what="the result")
    assert results(chat)[0]["success"] is True
    assert counted(server) == 1


def test_a_call_that_came_back_comes_back_again_and_is_gone_with_its_answer(start: Start) -> None:
    first, chat, _ = waiting_chat(start)
    kill(first)
    second = again(start)
    (card,) = cards_of(second, 1)
    wait_until(
        lambda: kept.rows(second.state, "SELECT approval_id FROM calls") == [(card["approvalId"],)],
        what="the new id on the disk",
    )
    kill(second)

    third = again(start)
    (new,) = cards_of(third, 1)
    chat = same(third, chat)
    assert new["approvalId"] != card["approvalId"]
    assert chat.refused(card, decision="accept").code == NOT_FOUND
    chat.answer(new, decision="accept")
    wait_until(lambda: results(chat), what="the result")
    assert len(of(transcript(chat), "Error")) == 1
    third.client.close()

    fourth = again(start)
    assert len(results(same(fourth, chat))) == 1
    assert fourth.waiting() == []
    assert counted(fourth) == 1


def test_mode_and_transcript_are_as_they_were(start: Start) -> None:
    first = again(start)
    first.script(
        [{"text": "Many words that come in pieces. ", "pieceLength": 3}, write("a.txt", "x")],
        [{"thinking": "Hm. "}, say("Done.")],
    )
    chat = first.chat(mode="ask")
    run = chat.send("Write it")
    chat.answer(chat.card(), decision="accept")
    run.result()
    chat.set_mode("plan")
    before = transcript(chat)
    wait_until(lambda: kept.rows(first.state, "SELECT mode FROM chats") == [("plan",)], what="the mode on the disk")
    kill(first)

    server = again(start)
    chat = same(server, chat)
    assert story(transcript(chat)) == story(before)
    assert (chat.info()["mode"], chat.info()["title"], chat.info()["running"]) == ("plan", "Write it", False)
    server.script([], [], [say("I remember.")])
    assert chat.run("go on")["done_reason"] == "stop"
    assert story(transcript(chat))[-2:] == [["text", "I remember."], ["Done", {"done_reason": "stop"}]]


def test_what_would_run_by_rules_now_is_only_asked_and_what_is_forbidden_now_is_not_even_that(start: Start) -> None:
    first = again(start)
    first.script([COUNT, write("a.txt", "x")])
    chat = first.chat()
    chat.send()
    cards_of(first, 2)
    kept.wait_for_calls(first.state, 2)
    kill(first)

    rules = {"alwaysAllowRules": {"bash": ["*"]}, "alwaysDenyRules": {"write_file": ["./a.txt"]}}
    server = again(start, user=rules)
    chat = same(server, chat)
    wait_until(lambda: results(chat), what="the refusal")
    (card,) = cards_of(server, 1)

    assert (card["tool"], card["interrupted"]) == ("bash", True)
    assert counted(server) == 0
    assert [one["code"] for one in results(chat)] == ["denied_by_rule"]
    chat.stop()
    wait_until(lambda: len(results(chat)) == 2, what="the end of the other")
    assert results(chat)[1]["code"] == "cancelled"
    assert server.waiting() == []
    server.client.close()

    third = again(start, user=rules)
    assert len(results(same(third, chat))) == 2
    assert third.waiting() == []
    assert counted(third) == 0


def test_a_second_window_leaves_the_chats_of_the_first_alone(start: Start) -> None:
    first, chat, card = waiting_chat(start)

    second = again(start)
    assert chats_of(second) == []
    assert second.waiting() == []
    try:
        second.client.request("session/load", {"sessionId": chat.id})
    except RpcError as fault:
        assert fault.code == NO_CHAT
        assert "another window" in str(fault)
    else:
        raise AssertionError("a chat of another window was shown")

    chat.answer(card, decision="accept")
    chat.wait_for_event("Done")
    assert counted(first) == 1
    assert chats_of(second) == []


def test_a_window_that_starts_before_its_old_server_has_ended_still_gets_its_chats(start: Start) -> None:
    first, chat, _ = waiting_chat(start)
    second = again(start)
    assert chats_of(second) == []
    kill(first)

    (card,) = cards_of(second, 1)
    assert card["sessionId"] == chat.id
    assert [one["sessionId"] for one in chats_of(second)] == [chat.id]


def test_of_two_windows_that_start_at_once_each_chat_goes_to_one(start: Start) -> None:
    first = again(start)
    first.script([COUNT])
    chats = [first.chat() for _ in range(6)]
    for chat in chats:
        chat.send()
    cards_of(first, 6)
    kept.wait_for_calls(first.state, 6)
    kill(first)

    windows = [start(), start()]
    for window in windows:
        window.meet()
    wait_until(lambda: sum(len(window.waiting()) for window in windows) == 6, within=60, what="six cards")
    shown = [chat["sessionId"] for window in windows for chat in chats_of(window)]
    assert sorted(shown) == sorted(chat.id for chat in chats)


def test_a_call_with_a_secret_is_not_kept_and_comes_back_without_a_card(start: Start) -> None:
    secret = "ghp_" + "a8Xk2LmQ9zRt4VwY7bNc1DfG5hJs3PuE6oTi"
    first, chat, _ = waiting_chat(start, [say(f"The token is {secret} "), write("a.txt", secret)])
    first.client.process.send_signal(19)
    assert secret.encode() not in kept.everything(first.state)
    first.client.process.send_signal(18)
    kill(first)

    server = again(start)
    chat = same(server, chat)
    (result,) = results(chat)
    assert result["code"] == "secret_not_kept"
    assert "did not run" in result["output"]
    assert server.waiting() == []
    assert secret not in json.dumps(transcript(chat))
    (expired,) = server.client.request("history/query", {"ending": "expired"})["entries"]
    assert expired["by"] == "restart"


def test_a_closed_chat_is_forgotten_for_good_and_its_decisions_are_not(start: Start) -> None:
    first, chat, _ = waiting_chat(start)
    first.client.request("session/close", {"sessionId": chat.id})
    first.client.close()

    server = again(start)
    assert chats_of(server) == []
    assert server.waiting() == []
    for table in ("chats", "transcript", "messages", "turns", "outcomes", "calls"):
        assert kept.rows(server.state, f"SELECT count(*) FROM {table}") == [(0,)], table
    entries = server.client.request("history/query", {"sessionId": chat.id})["entries"]
    assert [entry["stage"] for entry in entries] == ["decided", "requested"]


def test_an_empty_chat_is_not_kept(start: Start) -> None:
    first = again(start)
    first.chat(mode="plan").set_mode("ask")
    first.client.close()

    assert chats_of(again(start)) == []


def test_damaged_rows_leave_the_rest_of_the_chat_and_the_other_chats(start: Start) -> None:
    first = again(start)
    first.script([say("Hello there.")])
    broken, whole = first.chat(), first.chat()
    for chat in (broken, whole):
        chat.run("say hello")
    first.client.close()
    where = "WHERE session_id = ?"
    kept.change(first.state, f"UPDATE transcript SET event = '{{\"kind\":' {where} AND n = 2", broken.id)
    kept.change(first.state, f"UPDATE messages SET message = CAST(x'fffe' AS TEXT) {where} AND place = 1", broken.id)
    kept.change(first.state, f"UPDATE chats SET mode = 'yolo' {where}", broken.id)

    server = again(start)
    assert [chat["sessionId"] for chat in chats_of(server)] == [broken.id, whole.id]
    damaged, sound = same(server, broken), same(server, whole)
    assert [event["event"] for event in transcript(sound)] == ["Prompt", "Chunk", "Done"]
    assert [event["event"] for event in transcript(damaged)] == ["Prompt", "Done", "Notification"]
    assert "3 entries" in transcript(damaged)[-1]["data"]["text"]
    assert damaged.info()["mode"] == "ask"
    server.script([say("Still here.")])
    assert damaged.run("hello?")["done_reason"] == "stop"


def test_a_chat_whose_agent_is_gone_is_shown_and_says_why_it_does_not_answer(start: Start) -> None:
    first, chat, _ = waiting_chat(start)
    kill(first)

    server = start()
    server.client.initialize(root=server.workspace, capabilities=["cards"], settings={"user": {}})
    chat = same(server, chat)
    assert "not defined any more" in of(transcript(chat), "Notification")[-1]["text"]
    (card,) = cards_of(server, 1)
    chat.answer(card, decision="accept")
    wait_until(lambda: results(chat), what="the result")
    assert counted(server) == 1
    sent = chat.run("and now?")
    assert sent["done_reason"] == "error"
    assert "not defined any more" in sent["message"]


def test_a_database_that_is_none_any_more_is_set_aside_and_the_user_is_told(start: Start) -> None:
    first, _, _ = waiting_chat(start)
    kill(first)
    for file in first.state.glob("assent.sqlite3-*"):
        file.unlink()
    (first.state / "assent.sqlite3").write_bytes(b"not a database at all " * 500)

    server = again(start)
    assert chats_of(server) == []
    server.script([COUNT])
    chat = server.chat()
    wait_until(lambda: of(transcript(chat), "Notification"), what="the words about it")
    assert "set aside" in " ".join(notice["text"] for notice in of(transcript(chat), "Notification"))
    run = chat.send()
    chat.answer(chat.card(), decision="accept")
    assert run.result()["done_reason"] == "stop"
    assert counted(server) == 1
