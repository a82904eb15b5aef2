"""Sub-agents over the wire with the real process: same gate, same limits, cards of their own, one result each."""

import json
from collections.abc import Callable

from tests.support.room import Room
from tests.support.scale import wait_until
from tests.support.server import DEMO, Json, Server, call, read, refusal, say
from tests.support.sub_agents import calls_of, chat_of, check_whole, hand_on, handed_on, result_of, said_by


def code_of(result: Json) -> str:
    assert result["is_error"] is True
    return str(result["code"])


def test_two_that_work_at_the_same_time_have_a_card_each_and_are_answered_independently(room: Room) -> None:
    talks = {
        "First": [[say("I write it. "), room.write("a.txt")], [say("It is there.")]],
        "Second": [[room.write("b.txt")], [say("I could not.")]],
    }
    chat = chat_of(room.server, [[say("Handing on. "), hand_on("First"), hand_on("Second")], [say("Done.")]], talks)
    run = chat.send()
    first, second = chat.card(room.path("a.txt")), chat.card(room.path("b.txt"))

    for card, title in ((first, "First"), (second, "Second")):
        assert (card["path"], card["depth"]) == ([title], 1)
        assert card["parentToolCallId"] == handed_on(chat, title)["toolCallId"]
        assert card["agentName"] == "Scripted"
    chat.answer(second, decision="deny", feedback="not this one")
    assert chat.waits(first)
    chat.answer(first, decision="accept")
    assert run.result()["done_reason"] == "stop"

    assert room.file("a.txt").exists() and not room.file("b.txt").exists()
    assert (result_of(chat, "First")["output"], result_of(chat, "Second")["output"]) == (
        "It is there.",
        "I could not.",
    )
    assert said_by(chat, "First") == "I write it. It is there."
    assert said_by(chat, None) == "Handing on. Done."
    assert "not this one" in result_of(chat, "Second")["content"]
    check_whole(chat)


def test_what_another_sub_agent_wrote_is_not_overwritten_by_a_click_that_did_not_know_of_it(room: Room) -> None:
    talks = {
        "First": [[room.write("a.txt", "by the first")], [say("done")]],
        "Second": [[room.write("b.txt")], [room.write("a.txt", "by the second")], [say("done")]],
    }
    chat = chat_of(room.server, [[hand_on("First"), hand_on("Second")], [say("Done.")]], talks)
    run = chat.send()
    # The second one comes to the file when the first one waits for its card there.
    first, beside = chat.card(room.path("a.txt")), chat.card(room.path("b.txt"))
    chat.answer(beside, decision="accept")
    second = chat.card(room.path("a.txt"))
    chat.answer(second, decision="accept")
    chat.answer(first, decision="accept")

    again = chat.card(room.path("a.txt"))
    assert again["approvalId"] != second["approvalId"] and again["path"] == ["Second"]
    shown = [(line["kind"], line["text"]) for line in again["preview"]["lines"]]
    assert shown == [("removed", "by the first"), ("added", "by the second")]
    assert room.file("a.txt").read_text() == "by the first"
    chat.answer(again, decision="accept")
    assert run.result()["done_reason"] == "stop"
    assert room.file("a.txt").read_text() == "by the second"
    check_whole(chat)


def test_a_sub_agent_of_a_sub_agent_of_a_sub_agent_names_the_whole_chain(room: Room) -> None:
    talks = {
        "Outer": [[hand_on("Middle")], [say("outer")]],
        "Middle": [[hand_on("Inner")], [say("middle")]],
        "Inner": [[room.write("deep.txt")], [hand_on("Too deep")], [say("inner")]],
    }
    chat = chat_of(room.server, [[hand_on("Outer")], [say("root")]], talks)
    run = chat.send()
    card = chat.card()

    assert (card["path"], card["depth"]) == (["Outer", "Middle", "Inner"], 3)
    assert card["parentToolCallId"] == handed_on(chat, "Inner")["toolCallId"]
    chat.answer(card, decision="accept")
    assert run.result()["done_reason"] == "stop"

    assert [one["depth"] for one in calls_of(chat)] == [0, 1, 2, 3, 3]
    refused = result_of(chat, "Too deep")
    assert code_of(refused) == "limit_reached"
    assert "3 sub-agents below each other" in refused["output"] and '"depth"' in refused["output"]
    (told,) = chat.events("BudgetExceeded")
    assert (told["data"]["limit"], told["data"]["value"]) == ("depth", 3)
    assert told["data"]["parentToolCallId"] == handed_on(chat, "Inner")["toolCallId"]
    tree = result_of(chat, "Outer")["content"]
    assert [line.strip().split(" (")[0] for line in tree.splitlines() if ": " in line][:4] == [
        "ok: Sub-agent: Middle",
        "ok: Sub-agent: Inner",
        f"ok: Write {room.path('deep.txt')}",
        "failed: Sub-agent: Too deep",
    ]
    check_whole(chat)


def test_in_plan_mode_a_sub_agent_only_reads(room: Room) -> None:
    talks = {"Look": [[room.write("a.txt"), call("list_files")], [say("looked")]]}
    chat = chat_of(room.server, [[hand_on("Look")], [say("planned")]], talks, mode="plan")
    assert chat.send().result()["done_reason"] == "stop"

    written, listed, handed = chat.results()
    assert refusal(written)["error"] == "blocked_in_plan_mode"
    assert listed["success"] and handed["output"] == "looked"
    assert chat.cards() == [] and not room.file("a.txt").exists()


def test_what_is_allowed_for_the_chat_on_a_sub_agent_s_card_counts_everywhere_in_it(room: Room) -> None:
    talks = {
        "First": [[room.write("a.txt")], [room.write("again.txt")], [say("one")]],
        "Second": [[room.write("b.txt")], [say("two")]],
    }
    root = [[hand_on("First"), hand_on("Second")], [room.write("c.txt")], [say("Done.")]]
    chat = chat_of(room.server, root, talks)
    run = chat.send()
    first, second = chat.card(room.path("a.txt")), chat.card(room.path("b.txt"))
    chat.select(first, "allow_session")
    assert run.result()["done_reason"] == "stop"

    assert chat.resolved(second)["resolvedBy"] == "policy"
    assert sorted(file.name for file in room.folder.iterdir()) == ["a.txt", "again.txt", "b.txt", "c.txt"]
    assert len(chat.cards()) == 2


def test_uses_that_are_counted_are_counted_over_all_sub_agents(room: Room) -> None:
    names = [f"Part {number}" for number in range(6)]
    talks = {name: [[room.write(name)], [say("ended")]] for name in names}
    chat = chat_of(room.server, [[hand_on(name) for name in names], [say("Done.")]], talks)
    run = chat.send()
    cards = [chat.card(room.path(name)) for name in names]
    chat.select(cards[0], "allow_session", limits={"uses": 3})
    wait_until(lambda: len(list(room.folder.iterdir())) == 4, what="the click and three uses")
    waiting = [card for card in cards if chat.waits(card)]
    assert len(waiting) == 2
    for card in waiting:
        chat.answer(card, decision="deny")
    assert run.result()["done_reason"] == "stop"
    assert len(list(room.folder.iterdir())) == 4


def test_a_tighter_mode_reaches_the_calls_of_sub_agents_that_wait(room: Room) -> None:
    talks = {"Write": [[room.write("a.txt")], [say("ended")]]}
    chat = chat_of(room.server, [[hand_on("Write")], [say("Done.")]], talks)
    run = chat.send()
    card = chat.card()
    chat.set_mode("plan")
    assert run.result()["done_reason"] == "stop"
    assert chat.resolved(card)["resolvedBy"] == "policy"
    assert refusal(chat.results()[0])["error"] == "blocked_in_plan_mode"


def test_a_sub_agent_has_no_tools_but_those_that_it_was_given(room: Room) -> None:
    room.file("note.txt").write_text("noted")
    talks = {
        "Read": [
            [room.write("a.txt"), call("delete_everything"), hand_on("More"), read(room.path("note.txt"))],
            [say("read")],
        ]
    }
    chat = chat_of(room.server, [[hand_on("Read", tools=["read_file"])], [say("Done.")]], talks, mode="auto")
    assert chat.send().result()["done_reason"] == "stop"

    by_tool = {(one["tool"], one["toolCallId"]): one for one in chat.results()}
    codes = {tool: one["code"] if one["is_error"] else None for (tool, _), one in by_tool.items()}
    assert (codes["write_file"], codes["delete_everything"], codes["read_file"]) == (
        "tool_not_found",
        "tool_not_found",
        None,
    )
    assert code_of(result_of(chat, "More")) == "tool_not_found"
    assert not room.file("a.txt").exists()
    check_whole(chat)


def test_what_cannot_be_handed_on_begins_no_sub_agent_and_says_why(room: Room) -> None:
    wrong: list[tuple[dict[str, Json], str]] = [
        ({"tools": ["read_file", "rm"]}, "you have none named rm; yours are read_file, write_file, edit_file"),
        ({"output_schema": {"$ref": "#/x"}}, "output_schema: schema: “$ref” is not understood"),
        ({"output_schema": {"enum": ["x" * 20_000]}}, "output_schema: it is longer than 20,000 bytes"),
        ({"title": "x" * 81}, "title"),
        ({"title": "   "}, "title: it says nothing"),
        ({"title": "Tidy › Sort"}, "title: it may hold nothing that cannot be seen"),
        ({"title": "Tidy \u202eSort"}, "title: it may hold nothing that cannot be seen"),
        ({"instructions": " \n"}, "instructions: they say nothing"),
        ({"instructions": "x" * 50_001}, "instructions"),
        ({"mode": "auto"}, "mode: Extra inputs are not permitted"),
    ]
    steps = [call("run_subtask", **{"title": "t", "instructions": "i", **args}) for args, _ in wrong]
    chat = chat_of(room.server, [steps, [say("Done.")]], {"i": [[room.write("a.txt")]]}, mode="auto")
    assert chat.send().result()["done_reason"] == "stop"

    for result, (_, words) in zip(chat.results(), wrong, strict=True):
        assert refusal(result)["error"] == "invalid_arguments"
        assert words in refusal(result)["message"]
    assert list(room.folder.iterdir()) == []


def test_the_thirty_third_is_refused_and_names_the_limit(room: Room) -> None:
    talks = {"Small": [[say("small")]]}
    chat = chat_of(room.server, [[hand_on("Small") for _ in range(33)], [say("Done.")]], talks)
    assert chat.send().result(30)["done_reason"] == "stop"

    ended = chat.results()
    assert sum(one["success"] for one in ended) == 32
    (refused,) = [one for one in ended if not one["success"]]
    assert code_of(refused) == "limit_reached"
    assert "limit of 32 sub-agents (observed: 33)" in refused["output"] and '"subtasks"' in refused["output"]


def test_one_that_goes_round_in_circles_is_ended_by_its_own_limit_and_the_other_agent_goes_on(room: Room) -> None:
    looping = [[say(f"Round {number}. "), call("list_files")] for number in range(60)]
    chat = chat_of(room.server, [[hand_on("Circle")], [say("I go on.")]], {"Circle": looping})
    assert chat.send().result(60)["done_reason"] == "stop"

    result = result_of(chat, "Circle")
    assert code_of(result) == "limit_reached"
    assert "The sub-agent “Circle” has reached its limit of 50 turns of the model" in result["output"]
    assert "Its last words were:\nRound 49." in result["output"]
    (told,) = chat.events("BudgetExceeded")
    assert told["data"]["parentToolCallId"] == handed_on(chat, "Circle")["toolCallId"]
    assert said_by(chat, None) == "I go on."


SCHEMA = {"type": "object", "properties": {"count": {"type": "integer"}}, "required": ["count"]}


def test_an_answer_that_has_to_fit_a_schema_is_asked_for_again_until_it_does(room: Room) -> None:
    talks = {
        "Count": [
            [say("Three, I think.")],
            [call("list_files")],
            [say('{"count": "three"}')],
            [say('```json\n{"count": 3}\n```')],
        ]
    }
    chat = chat_of(room.server, [[hand_on("Count", output_schema=SCHEMA)], [say("Done.")]], talks)
    assert chat.send().result()["done_reason"] == "stop"
    assert json.loads(result_of(chat, "Count")["output"]) == {"count": 3}


def test_an_answer_that_never_fits_is_an_error_that_says_what_is_wrong(room: Room) -> None:
    talks = {"Count": [[say(f'{{"count": "{number}"}}')] for number in range(9)]}
    chat = chat_of(room.server, [[hand_on("Count", output_schema=SCHEMA)], [say("Done.")]], talks)
    assert chat.send().result()["done_reason"] == "stop"

    result = result_of(chat, "Count")
    assert code_of(result) == "output_misfit"
    assert "after 4 tries: the value.count is no integer" in result["output"]
    assert said_by(chat, "Count") == "".join(f'{{"count": "{number}"}}' for number in range(4))


def test_the_fault_of_a_sub_agent_is_a_result_and_the_other_agent_goes_on(room: Room) -> None:
    talks = {"Fail": [[say("I begin. "), call("list_files")], [{"fail": "The model is not there."}]]}
    chat = chat_of(room.server, [[hand_on("Fail")], [say("I go on.")]], talks)
    assert chat.send().result()["done_reason"] == "stop"

    result = result_of(chat, "Fail")
    assert code_of(result) == "subtask_failed"
    assert "The sub-agent failed: The model is not there." in result["output"]
    assert result["content"].startswith("ok: List the workspace folder")
    assert said_by(chat, None) == "I go on."
    check_whole(chat)


def test_a_long_answer_is_shortened_for_the_agent_above(room: Room) -> None:
    chat = chat_of(room.server, [[hand_on("Talk")], [say("Done.")]], {"Talk": [[say("a" * 40_000 + "z" * 40_000)]]})
    assert chat.send().result()["done_reason"] == "stop"

    result = result_of(chat, "Talk")
    assert result["truncated"] is True
    assert len(result["output"].encode()) <= 50_000
    assert result["output"].startswith("aaa") and result["output"].endswith("zzz")


def test_what_a_sub_agent_costs_is_told_with_its_call(room: Room) -> None:
    cost = {"usage": {"input": 7, "output": 2}}
    chat = chat_of(room.server, [[hand_on("Cost"), cost], [say("Done.")]], {"Cost": [[cost, say("cheap")]]})
    assert chat.send().result()["done_reason"] == "stop"

    told = [event["data"] for event in chat.events("Usage")]
    whose = {one.get("parentToolCallId"): one for one in told}
    assert whose.keys() == {None, handed_on(chat, "Cost")["toolCallId"]}
    assert max(one["runInput"] for one in told) == 14


def test_a_view_that_is_built_anew_gets_the_same_tree(room: Room) -> None:
    talks = {"Write": [[say("inside "), room.write("a.txt")], [say("ended")]]}
    chat = chat_of(room.server, [[hand_on("Write")], [say("Done.")]], talks, mode="auto")
    chat.send().result()
    loaded = chat.client.request("session/load", {"sessionId": chat.id})["events"]
    assert [(one["event"], one["data"].get("parentToolCallId")) for one in loaded] == [
        (one["event"], one["data"].get("parentToolCallId")) for one in chat.events()
    ]


def test_a_rule_can_ask_before_anything_is_handed_on(start: Callable[..., Server]) -> None:
    server = start()
    server.meet(user={"alwaysAskRules": {"run_subtask": ["*"]}})
    chat = chat_of(server, [[hand_on("Ask")], [say("Done.")]], {"Ask": [[say("asked")]]})
    run = chat.send()
    card = chat.card()
    assert (card["tool"], card["headline"], card["category"]) == ("run_subtask", "Sub-agent: Ask", "internal")
    chat.answer(card, decision="accept")
    assert run.result()["done_reason"] == "stop"
    assert result_of(chat, "Ask")["output"] == "asked"


def test_the_demo_agent_hands_on(room: Room) -> None:
    chat = room.server.chat(agent=DEMO)
    one, two = room.path("1.txt"), room.path("2.txt")
    run = chat.send(f"ask a sub-agent to write 1 to {one}, and ask another sub-agent to write 2 to {two}")
    first, second = chat.card(one), chat.card(two)
    assert (first["path"], second["path"]) == ([f"write 1 to {one}"], [f"write 2 to {two}"])
    chat.answer(first, decision="accept")
    chat.answer(second, decision="deny")
    assert run.result(30)["done_reason"] == "stop"
    assert (room.file("1.txt").read_text(), room.file("2.txt").exists()) == ("1", False)
    assert "You did not allow write_file" in said_by(chat, None)
    check_whole(chat)
