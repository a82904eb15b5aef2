"""Runs: what a message sets going, in which order it is told, and how it ends."""

import json

import pytest

from tests.support.chat_events import check_events, names_and_phases
from tests.support.room import Room
from tests.support.scale import wait_until
from tests.support.server import (
    CANCELLED,
    INVALID_PARAMS,
    NO_CHAT,
    RESOLVED,
    Json,
    Server,
    call,
    read,
    refusal,
    say,
)

# Order and completeness


def test_the_events_of_a_call_come_in_their_order(room: Room) -> None:
    chat, card, run = room.card([say("I will write."), room.write("a")], [say("Done.")])
    chat.select(card, "approve")
    run.result()
    check_events(chat)
    assert names_and_phases(chat, card["toolCall"]["toolCallId"]) == [
        "ToolCall",
        "pre_tool_use",
        "awaiting_approval",
        "ToolPermission",
        "running",
        "post_tool_use",
        "ToolResult",
    ]
    permission = chat.events("ToolPermission")[0]["data"]
    assert permission["request_id"] == card["approvalId"] and permission["args"] == card["args"]
    (result,) = chat.results()
    assert result["success"] is True and result["is_error"] is False and result["path"] == room.path("a")
    assert chat.events()[-1]["data"] == {"done_reason": "stop"}


def test_a_refused_call_never_starts(room: Room) -> None:
    chat, card, run = room.card([room.write("a")])
    chat.select(card, "deny")
    run.result()
    check_events(chat)
    phases = names_and_phases(chat, card["toolCall"]["toolCallId"])
    # Its last update says who refused it.
    assert phases[-2:] == ["post_tool_use", "ToolResult"] and "running" not in phases


def test_the_question_is_registered_when_its_event_comes(room: Room) -> None:
    """A consumer of the stream alone can answer."""
    chat = room.chat([room.write("a")])
    run = chat.send()
    permission = chat.wait_for_event("ToolPermission")
    outcome = chat.client.request(
        "tool/approvalResponse", {"approvalId": permission["request_id"], "decision": "accept"}
    )
    assert outcome["status"] == "accepted"
    run.result()
    assert room.file("a").exists()


def test_text_and_thinking_arrive_whole_and_in_order(room: Room) -> None:
    pieces = "".join(f"{number} " for number in range(2_000))
    chat = room.chat([{"thinking": "Hm. ", "pieceLength": 1}, say(pieces, pieceLength=3), {"thinking": "Well."}])
    assert chat.run(within=20)["done_reason"] == "stop"
    chunks = [event["data"] for event in chat.events("Chunk")]
    assert "".join(chunk["text"] or "" for chunk in chunks) == pieces
    assert "".join(chunk["thinking"] or "" for chunk in chunks) == "Hm. Well."
    assert all((chunk["text"] is None) != (chunk["thinking"] is None) for chunk in chunks)
    assert chunks[0]["text"] is None and chunks[-1]["text"] is None
    check_events(chat)


def test_text_before_a_call_is_told_before_the_call(room: Room) -> None:
    chat, card, run = room.card([say("first ", pieceLength=1), room.write("a"), say("second", pieceLength=1)])
    told = [event["event"] for event in chat.events()]
    assert told.index("Chunk") < told.index("ToolCall")
    chat.select(card, "deny")
    run.result()
    check_events(chat)


# Calls that cannot be


BAD_CALLS: dict[str, tuple[Json, str]] = {
    "text that is no JSON": ({"call": "write_file", "argsText": '{"path": "a", "content": '}, "invalid_arguments"),
    "endless nesting": ({"call": "write_file", "argsText": "[" * 200_000}, "invalid_arguments"),
    "an endless number": (
        {"call": "write_file", "argsText": '{"path": ' + "9" * 10_000 + "}"},
        "invalid_arguments",
    ),
    "NaN": ({"call": "write_file", "argsText": '{"path": NaN}'}, "invalid_arguments"),
    "a list": ({"call": "write_file", "argsText": "[1]"}, "invalid_arguments"),
    "a text": ({"call": "write_file", "argsText": '"x"'}, "invalid_arguments"),
    "two objects": ({"call": "write_file", "argsText": '{"path":"a"}{"path":"b"}'}, "invalid_arguments"),
    "a field missing": (call("write_file", path="a"), "invalid_arguments"),
    "a field too many": (call("write_file", path="a", content="b", force=True), "invalid_arguments"),
    "a field of the wrong type": (call("write_file", path=["a"], content="b"), "invalid_arguments"),
    "an empty path": (call("write_file", path="", content="b"), "invalid_arguments"),
    "half a surrogate pair": (
        {"call": "write_file", "argsText": '{"path":"a","content":"\\ud800"}'},
        "invalid_arguments",
    ),
    "a NUL in a path": (call("write_file", path="a\0b", content="b"), "permission_denied"),
    "a tool that is not there": (call("delete_file", path="a"), "tool_not_found"),
    "a tool in capitals": (call("Write_File", path="a", content="b"), "tool_not_found"),
    "a tool with a blank": (call("write_file ", path="a", content="b"), "tool_not_found"),
    "a tool without a name": (call("", path="a"), "tool_not_found"),
}


@pytest.mark.parametrize(("step", "code"), BAD_CALLS.values(), ids=BAD_CALLS)
@pytest.mark.parametrize("mode", ["default", "auto"])
def test_a_call_that_makes_no_sense_is_an_error_and_no_card(room: Room, step: Json, code: str, mode: str) -> None:
    chat = room.chat([step], [say("I see.")], mode=mode)
    before = sorted(room.server.workspace.rglob("*"))
    assert chat.run()["done_reason"] == "stop"
    (result,) = chat.results()
    assert result["code"] == code and refusal(result)["error"] == code and refusal(result)["message"]
    assert chat.cards() == [] and sorted(room.server.workspace.rglob("*")) == before
    assert chat.events("Chunk")[-1]["data"]["text"] == "I see."
    check_events(chat)


def test_an_unknown_tool_is_answered_with_the_nearest_names(room: Room) -> None:
    chat = room.chat([call("Write_file", path="a", content="b"), call("readfile", path="a")])
    chat.run()
    messages = [refusal(result)["message"] for result in chat.results()]
    assert any("write_file" in message for message in messages)
    assert any("read_file" in message for message in messages)


def test_a_call_in_the_text_is_only_text(room: Room) -> None:
    text = json.dumps({"tool": "write_file", "args": {"path": room.path("a"), "content": "x"}})
    chat = room.chat([say(text), {"thinking": text}], mode="auto")
    chat.run()
    assert chat.events("ToolCall") == [] and not room.file("a").exists()


def test_arguments_quoted_once_more_are_understood(room: Room) -> None:
    inner = json.dumps({"path": room.path("a"), "content": "x"})
    chat, card, run = room.card([{"call": "write_file", "argsText": json.dumps(inner)}])
    assert card["args"] == {"path": room.path("a"), "content": "x"}
    chat.select(card, "approve")
    run.result()
    assert room.file("a").read_text() == "x"


# Streams that break


def test_a_cut_stream_runs_nothing_of_the_call_that_it_cut(room: Room) -> None:
    whole = json.dumps({"path": room.path("a"), "content": "x"})
    chat = room.chat([say("Now "), {"open": "write_file", "argsText": whole}, {"cut": True}], mode="auto")
    ended = chat.run()
    assert ended["done_reason"] == "error" and "write_file" in ended["message"]
    assert chat.events("ToolCall") == [] and chat.cards() == [] and not room.file("a").exists()
    assert chat.events("Error")[0]["data"]["message"] == ended["message"]
    check_events(chat)
    # The chat lives on.
    room.server.script([], [say("still here")])
    assert chat.run()["done_reason"] == "stop"


@pytest.mark.parametrize("end", [{"cut": True}, {"fail": "out of money"}, {"end": "length"}])
def test_what_was_complete_before_the_break_is_still_asked_for(room: Room, end: Json) -> None:
    chat = room.chat([room.write("a"), {"open": "write_file", "argsText": '{"pa'}, end])
    run = chat.send()
    card = chat.card()
    chat.select(card, "approve")
    ended = run.result()
    assert ended["done_reason"] == "error"
    assert room.file("a").exists() and len(chat.cards()) == 1 and len(chat.results()) == 1
    if "fail" in end:
        assert "out of money" in ended["message"]
    check_events(chat)


def test_a_model_that_cannot_start_is_explained(room: Room) -> None:
    chat = room.chat()
    (room.server.workspace.parent / "Scripted.json").write_text('{"turns": [[{"text": 5}]]}')
    ended = chat.run()
    assert ended["done_reason"] == "error" and "turns.0.0.text" in ended["message"]
    check_events(chat)


# Stop


def test_stop_ends_a_waiting_call_for_good(room: Room) -> None:
    chat, card, run = room.card([room.write("a"), room.write("b")], [say("never said")])
    other = chat.card()
    assert chat.stop() is True
    assert run.result()["done_reason"] == "cancelled"
    for one in (card, other):
        end = chat.resolved(one)
        assert (end["status"], end["resolvedBy"]) == ("cancelled", "stop")
        fault = chat.refused(one, decision="accept")
        assert (fault.code, fault.data["status"], fault.data["resolvedBy"]) == (RESOLVED, "cancelled", "stop")
    assert {refusal(result)["error"] for result in chat.results()} == {"cancelled"}
    assert not room.file("a").exists() and not room.file("b").exists()
    assert chat.stop() is False
    assert chat.events("Chunk") == [] and chat.events("Done")[0]["data"]["done_reason"] == "cancelled"
    check_events(chat)


def test_stop_ends_a_stream(room: Room) -> None:
    chat = room.chat([say("begun "), {"wait": 3600}, room.write("a")], mode="auto")
    run = chat.send()
    chat.wait_for_event("Chunk")
    assert chat.stop() is True
    assert run.result()["done_reason"] == "cancelled"
    assert chat.events("ToolCall") == [] and not room.file("a").exists()
    check_events(chat)


def test_cancelling_the_request_is_stop(room: Room) -> None:
    chat, card, run = room.card([room.write("a")])
    run.cancel()
    assert run.error().code == CANCELLED
    assert chat.resolved(card)["status"] == "cancelled"
    assert chat.refused(card, decision="accept").code == RESOLVED
    assert chat.events("Done")[0]["data"]["done_reason"] == "cancelled"
    assert chat.info()["running"] is False and not room.file("a").exists()
    check_events(chat)


def test_cancelling_again_and_again_is_no_more_than_stop(room: Room) -> None:
    chat, card, run = room.card([room.write("a")])
    behind = chat.send("behind")
    for _ in range(5):
        run.cancel()
    assert run.error().code == CANCELLED
    room.server.script([], [say("next")])
    assert behind.result()["done_reason"] == "stop"
    assert chat.refused(card, decision="accept").code == RESOLVED
    assert not room.file("a").exists()
    check_events(chat)


def test_an_answer_and_a_stop_at_once_have_one_outcome(room: Room) -> None:
    for number in range(20):
        chat, card, run = room.card([room.write(f"{number}")])
        given = {"approvalId": card["approvalId"], "decision": "accept"}
        ways = [("tool/approvalResponse", given), ("chat/stop", {"sessionId": chat.id})]
        racing = {method: chat.client.start(method, params) for method, params in ways[:: 1 if number % 2 else -1]}
        counted = "result" in racing["tool/approvalResponse"].answer()
        racing["chat/stop"].result()
        run.result()
        (result,) = chat.results()
        assert len(chat.endings(card)) == 1
        assert (chat.endings(card)[0]["status"] == "allowed") == counted
        if room.file(str(number)).exists():
            assert counted, "it ran although the answer did not count"
        if result["success"]:
            assert room.file(str(number)).exists()
        check_events(chat)


def test_a_message_after_stop_starts_afresh(room: Room) -> None:
    chat, _, run = room.card([room.write("a")])
    chat.stop()
    run.result()
    room.server.script([], [room.write("b")], [say("Done.")])
    run = chat.send("again")
    chat.select(chat.card(room.path("b")), "approve")
    assert run.result()["done_reason"] == "stop"
    assert room.file("b").exists() and not room.file("a").exists()


# Messages behind each other


def test_a_second_message_waits_for_its_turn(room: Room) -> None:
    chat, card, first = room.card([room.write("a")], [say("First is done.")], [say("Second is done.")])
    second = chat.send("second")
    assert chat.info()["running"] is True
    assert not second.done
    chat.select(card, "approve")
    ended = first.result(), second.result()
    assert [one["done_reason"] for one in ended] == ["stop", "stop"]
    assert ended[0]["runId"] != ended[1]["runId"]
    prompts = [event["data"]["text"] for event in chat.events("Prompt")]
    assert prompts == ["go", "second"]
    check_events(chat)


def test_stop_drops_the_messages_that_wait(room: Room) -> None:
    chat, _, first = room.card([room.write("a")], [room.write("b")])
    second = chat.send("second")
    chat.stop()
    assert [first.result()["done_reason"], second.result()["done_reason"]] == ["cancelled", "cancelled"]
    assert len(chat.events("Prompt")) == 1 and len(chat.cards()) == 1
    check_events(chat)


def test_a_waiting_message_can_be_taken_back(room: Room) -> None:
    chat, card, first = room.card([room.write("a")], [say("Done.")])
    second = chat.send("second")
    second.cancel()
    assert second.error().code == CANCELLED
    assert chat.waits(card)
    chat.select(card, "approve")
    assert first.result()["done_reason"] == "stop"
    assert len(chat.events("Prompt")) == 1


@pytest.mark.parametrize(
    ("fields", "code", "path"),
    [
        ({"text": ""}, INVALID_PARAMS, "params.text"),
        ({"text": " \n"}, INVALID_PARAMS, "params.text"),
        ({"text": None}, INVALID_PARAMS, "params.text"),
        ({"text": "x" * 1_000_001}, INVALID_PARAMS, "params.text"),
        ({"permission_mode": "yolo"}, INVALID_PARAMS, "params.permission_mode"),
        ({"permission_mode": "AUTO"}, INVALID_PARAMS, "params.permission_mode"),
        ({"sessionId": "nowhere"}, NO_CHAT, None),
        ({"sessionId": None}, INVALID_PARAMS, "params.sessionId"),
    ],
)
def test_a_message_that_makes_no_sense_is_refused(room: Room, fields: Json, code: int, path: str | None) -> None:
    chat = room.chat([room.write("a")], mode="auto")
    fault = chat.client.start("chat/send", {"sessionId": chat.id, "text": "go", **fields}).error()
    assert fault.code == code
    assert path is None or fault.data["path"] == path
    assert chat.events() == [] and chat.info()["mode"] == "auto" and not room.file("a").exists()


def test_tools_of_the_client_are_ignored(room: Room) -> None:
    chat, card, run = room.card([room.write("a")], tools=[], collections=[{"x": 1}], context={"file": "b"})
    chat.select(card, "approve")
    assert run.result()["done_reason"] == "stop"
    assert room.file("a").exists()


# Modes


def test_plan_blocks_what_acts_and_asks_nothing(room: Room) -> None:
    room.file("a").write_text("to read")
    chat = room.chat([room.write("b"), read(room.path("a")), read("/etc/hostname")], [say("A plan.")], mode="plan")
    assert chat.run()["done_reason"] == "stop"
    by_args = {event["data"]["toolCallId"]: event["data"]["args"]["path"] for event in chat.events("ToolCall")}
    results = {by_args[result["toolCallId"]]: result for result in chat.results()}
    assert results[room.path("a")]["output"] == "to read"
    for name in (room.path("b"), "/etc/hostname"):
        blocked = refusal(results[name])
        assert blocked["error"] == "blocked_in_plan_mode" and "plan" in blocked["message"]
    assert chat.cards() == [] and not room.file("b").exists()


def test_ask_asks_for_reads(room: Room) -> None:
    room.file("a").write_text("to read")
    chat, card, run = room.card([read(room.path("a"))], mode="ask")
    assert card["category"] == "read" and card["tool"] == "read_file"
    chat.select(card, "deny")
    run.result()
    assert "to read" not in str(chat.events())


def test_default_reads_inside_and_asks_for_what_lies_outside(room: Room) -> None:
    outside = room.server.workspace.parent / "outside.txt"
    outside.write_text("private")
    room.file("a").write_text("to read")
    room.file(".env").write_text("KEY=private")
    chat = room.chat([read(room.path("a"))], [read(str(outside))], [read(room.path(".env"))], mode="default")
    run = chat.send()
    for _ in range(2):
        card = chat.card()
        assert card["category"] == "external"
        # Not for every reading: for this folder at most, and for a secret for nothing but the file.
        lasting = [option["optionId"] for option in card["options"] if option["kind"] == "allow_session"]
        assert all(option.startswith("allow_directory:read:") for option in lasting)
        chat.select(card, "deny")
    run.result()
    assert chat.results()[0]["output"] == "to read" and "private" not in str(chat.results())


def test_auto_runs_what_is_not_protected(room: Room) -> None:
    protected = [".vscode/settings.json", ".git/hooks/pre-commit", ".env", "sub/.VSCODE/tasks.json", "../../outside"]
    chat = room.chat([room.write("a"), *[room.write(name) for name in protected]], mode="auto")
    run = chat.send()
    for name in protected:
        card = chat.card(room.path(name))
        assert card["reason"]["code"] == ("outside_workspace" if "outside" in name else "protected")
        offered = {option["kind"] for option in card["options"]} - {"allow_session", "add_directory"}
        assert offered == {"allow_once", "reject_once", "reject_always"}
        chat.select(card, "deny")
    run.result()
    assert room.file("a").exists() and len(chat.cards()) == len(protected)
    assert not any(room.file(name).exists() for name in protected)


def test_even_auto_never_touches_the_servers_own_files(room: Room) -> None:
    own = room.server.state / "consent"
    chat = room.chat([{"call": "write_file", "args": {"path": str(own), "content": "x"}}], mode="auto")
    chat.run()
    assert refusal(chat.results()[0])["error"] == "permission_denied"
    assert chat.cards() == [] and not own.exists()


@pytest.mark.parametrize(
    ("alias", "mode"), [("ask_every_time", "ask"), ("auto_accept_read_only", "default"), ("auto_accept_all", "auto")]
)
def test_older_names_of_modes_are_understood(room: Room, alias: str, mode: str) -> None:
    chat = room.chat([say("Hello.")])
    chat.run(permission_mode=alias)
    assert chat.info()["mode"] == mode
    assert chat.set_mode(alias)["mode"] == mode


def test_the_mode_of_a_message_holds_for_its_run(room: Room) -> None:
    chat = room.chat([room.write("a")], [say("Done.")])
    assert chat.run(permission_mode="auto")["done_reason"] == "stop"
    assert room.file("a").exists() and chat.cards() == []


def test_plan_ends_what_waits(room: Room) -> None:
    chat, card, run = room.card([room.write("a"), read("/etc/hostname")])
    chat.card()
    chat.set_mode("plan")
    end = chat.resolved(card)
    assert (end["status"], end["resolvedBy"]) == ("rejected", "policy") and end["reasonText"]
    run.result()
    assert {refusal(result)["error"] for result in chat.results()} == {"blocked_in_plan_mode"}
    assert chat.refused(card, decision="accept").code == RESOLVED and not room.file("a").exists()


def test_a_tighter_mode_reaches_the_calls_that_are_still_to_come(room: Room) -> None:
    chat = room.chat([say("a "), {"wait": 0.3}, room.write("a")], mode="auto")
    run = chat.send()
    chat.wait_for_event("Chunk")
    chat.set_mode("default")
    chat.select(chat.card(), "deny")
    run.result()
    assert not room.file("a").exists()


def test_a_looser_mode_waits_for_the_next_message(room: Room) -> None:
    chat, card, run = room.card([room.write("a")], [room.write("b")], [room.write("c")], [say("Done.")])
    chat.set_mode("auto")
    assert chat.waits(card)
    chat.select(card, "approve")
    chat.select(chat.card(room.path("b")), "approve")
    chat.select(chat.card(room.path("c")), "deny")
    run.result()
    room.server.script([], [], [], [], [room.write("d")], [say("Done.")])
    assert chat.run("again")["done_reason"] == "stop"
    assert room.file("d").exists() and len(chat.cards()) == 3


def test_tightened_and_loosened_again_is_still_tight_in_this_run(room: Room) -> None:
    """Loosening counts with the next message, whatever the mode was before."""
    chat = room.chat([say("a "), {"wait": 0.5}, room.write("a")], mode="auto")
    run = chat.send()
    chat.wait_for_event("Chunk")
    chat.set_mode("default")
    chat.set_mode("auto")
    chat.select(chat.card(), "deny")
    run.result()
    assert not room.file("a").exists()


def test_plan_that_is_left_for_ask_holds_to_the_end_of_its_run(room: Room) -> None:
    """It blocks until the user sends something in the other mode, or says that it is to count at once."""
    chat = room.chat([say("a "), {"wait": 0.5}, room.write("a")], [say("Done.")], mode="plan")
    run = chat.send()
    chat.wait_for_event("Chunk")
    chat.set_mode("ask")
    run.result()
    assert refusal(chat.results()[0])["error"] == "blocked_in_plan_mode" and chat.cards() == []
    room.server.script([], [], [room.write("b")], [say("Done.")])
    run = chat.send("again")
    chat.select(chat.card(room.path("b")), "deny")
    run.result()
    assert not room.file("a").exists() and not room.file("b").exists()


def test_ask_in_the_place_of_plan_counts_at_once_where_the_user_says_so(room: Room) -> None:
    chat = room.chat([say("a "), {"wait": 0.5}, room.write("a")], [say("Done.")], mode="plan")
    run = chat.send()
    chat.wait_for_event("Chunk")
    chat.set_mode("ask")
    chat.set_mode("ask", applyNow=True)
    chat.select(chat.card(room.path("a")), "deny")
    run.result()
    assert not room.file("a").exists()


def test_a_looser_mode_can_be_applied_now(room: Room) -> None:
    chat = room.chat([room.write("a"), room.write(".env")])
    run = chat.send()
    card, protected = chat.card(room.path("a")), chat.card(room.path(".env"))
    chat.set_mode("auto", applyNow=True)
    assert chat.resolved(card)["resolvedBy"] == "policy"
    assert chat.waits(protected)
    chat.select(protected, "deny")
    run.result()
    assert room.file("a").exists() and not room.file(".env").exists()


def test_a_message_with_a_looser_mode_does_not_loosen_the_run_before_it(room: Room) -> None:
    chat, card, first = room.card([room.write("a")], [room.write("b")], [say("Done.")])
    second = chat.send("second", permission_mode="auto")
    assert chat.waits(card)
    chat.select(card, "approve")
    chat.select(chat.card(room.path("b")), "deny")
    first.result(), second.result()
    assert not room.file("b").exists()


# Sizes


def test_a_hundred_calls_at_once_are_all_open_at_once_and_one_run_writes_fifty_times(room: Room) -> None:
    names = [f"{number}" for number in range(100)]
    chat = room.chat([room.write(name) for name in names])
    run = chat.send()
    wait_until(lambda: len(chat.cards()) == 100, within=20, what="100 cards")
    assert len(chat.client.request("tool/pendingApprovals", {"sessionId": chat.id})["approvals"]) == 100
    assert chat.info()["waiting"] == 100
    chat.select(chat.cards()[0], "allow_session")
    run.result(60)
    assert sum(room.file(name).exists() for name in names) == 50
    codes = [result.get("code") for result in chat.results()]
    assert sorted(code or "" for code in codes) == [""] * 50 + ["limit_reached"] * 50
    (told,) = [event["data"] for event in chat.events("BudgetExceeded")]
    assert (told["limit"], told["value"]) == ("writes", 50)
    check_events(chat)


def test_a_run_ends_at_its_limit_of_calls(room: Room) -> None:
    chat = room.chat([read(room.path("nothing")) for _ in range(201)])
    chat.run(within=60)
    codes = [result["code"] for result in chat.results()]
    assert codes.count("limit_reached") == 1 and codes.count("not_found") == 200


def test_a_large_file_replaced_by_a_small_one_is_still_answered(room: Room) -> None:
    """The card's diff is the large part here; the other chats must not notice."""
    room.file("big").write_text("\n".join(f"line {number}" for number in range(200_000)))
    chat, other = room.chat([room.write("big", "small")]), room.server.chat()
    run = chat.send()
    assert other.info()["running"] is False
    card = chat.card(within=20)
    chat.select(card, "approve")
    run.result(20)
    assert room.file("big").read_text() == "small"


def test_a_client_that_does_not_read_misses_nothing_and_stops_nothing(alone: Server) -> None:
    """Far more text than a pipe holds, and a Stop that cannot be seen to be answered."""
    room = Room(alone, "room")
    text = "".join(f"{number:07} " for number in range(50_000))
    chat = room.chat([room.write("begun"), say(text, pieceLength=80)], [], mode="auto")
    alone.client.pause_reading()
    run = chat.send()
    other = chat.client.start("session/list", {})
    wait_until(room.file("begun").exists, what="the run's first call")
    alone.client.resume_reading()
    assert run.result(30)["done_reason"] == "stop" and other.result()["sessions"]
    assert "".join(event["data"]["text"] for event in chat.events("Chunk")) == text
    check_events(chat)


def test_stop_works_while_the_client_does_not_read(alone: Server) -> None:
    room = Room(alone, "room")
    chat = room.chat([say("x" * 8_000_000, pieceLength=4_000), room.write("a")], mode="auto")
    alone.client.pause_reading()
    run = chat.send()
    stop = chat.client.start("chat/stop", {"sessionId": chat.id})
    alone.client.resume_reading()
    stop.result()
    assert run.result()["done_reason"] == "cancelled"
    assert not room.file("a").exists()
    check_events(chat)


def test_one_folder_of_several_is_the_place_of_relative_names(room: Room) -> None:
    chat = room.chat([call("list_files")], mode="plan")
    chat.run()
    assert room.name + "/" in chat.results()[0]["output"].splitlines()
