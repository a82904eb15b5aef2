"""Workflows that stopped go on in their chat, also with the next server: what is done is not made again."""

import json
import re

from tests.support import kept
from tests.support.crashed import Start, again, cards_of, kill, results, same
from tests.support.rpc import Pending
from tests.support.scale import wait_until
from tests.support.server import Chat, Json, Server, call, say

BYPASS = {"bypassPermissions": {"Scripted": True}}


def put(server: Server, *steps: Json, **more: Json) -> None:
    """The workflow w."""
    folder = server.workspace / ".assent" / "workflows"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "w.json").write_text(json.dumps({"steps": steps, **more}))


def step(name: str, command: str | Json) -> Json:
    return {"id": name, "tool": "bash", "inputs": {"command": command}}


def marks(name: str, then: str = "true") -> Json:
    """A step of which the workspace shows how often it was made."""
    return step(name, f"echo {name} >> ran; {then}")


def ran(server: Server) -> list[str]:
    file = server.workspace / "ran"
    return file.read_text().split() if file.exists() else []


def outer(chat: Chat) -> Json:
    return [one for one in results(chat) if one["tool"] == "run_workflow"][-1]


def resume_of(chat: Chat) -> str:
    found = re.search(r'resume\\*": \\*"([^"\\]+)', outer(chat)["output"])
    assert found is not None, outer(chat)
    return found.group(1)


def goes_on(server: Server, chat: Chat, turns: int, **args: Json) -> Pending:
    """After so many turns the model of the chat calls the workflow again."""
    server.script(*[[say("-")]] * turns, [call("run_workflow", workflow_id="file:w", **args)], [say("Done.")])
    return chat.send("Go on.")


def begun(start: Start, *steps: Json, **block: Json) -> tuple[Server, Chat, Pending]:
    """A server whose agent has called the workflow."""
    server = again(start, **block)
    put(server, *steps)
    server.script([call("run_workflow", workflow_id="file:w")], [say("Done.")])
    chat = server.chat()
    return server, chat, chat.send("Run it.")


def stopped(start: Start, *steps: Json, **block: Json) -> tuple[Server, Chat]:
    """A server whose workflow was allowed and came to no end."""
    server, chat, run = begun(start, *steps, **block)
    chat.answer(chat.card(), decision="accept")
    run.result()
    return server, chat


THREE = (marks("one"), marks("two", "test -e ready || sleep 300"), marks("three"))


def killed_in_the_second(start: Start) -> Chat:
    server, chat, _ = begun(start, *THREE)
    chat.answer(chat.card(), decision="accept")
    wait_until(lambda: ran(server) == ["one", "two"], what="the second step")
    kept.wait_for_calls(server.state, 2, "running")
    kill(server)
    return chat


def test_a_killed_server_makes_no_step_twice_and_says_what_is_known(start: Start) -> None:
    chat = killed_in_the_second(start)
    server = again(start, user=BYPASS)
    chat = same(server, chat)
    told = outer(chat)
    assert (told["code"], told["is_error"]) == ("outcome_unknown", True)
    assert "Its finished steps: “one”. “two” was under way: what it did is not known." in told["output"]
    assert [one.get("code") for one in results(chat)] == [None, "outcome_unknown", "outcome_unknown"]
    assert results(chat)[-1] == told
    assert server.waiting() == [] and ran(server) == ["one", "two"]

    (server.workspace / "ready").touch()
    run = goes_on(server, chat, 1, resume=resume_of(chat))
    # Although nothing is asked for otherwise: nobody knows what the second step did.
    card = chat.card()
    assert card["headline"] == "Go on with the workflow file:w (2 steps)" and card["preview"]["done"] == 1
    assert "step “two” was under way" in card["reason"]["text"]
    assert {one["kind"] for one in card["options"]} <= {"allow_once", "reject_once", "reject_always"}
    second, third = card["preview"]["steps"]
    assert "what it did is not known. This makes it again." in second["notes"][0]
    assert not any("again" in note for note in third["notes"])
    assert ran(server) == ["one", "two"]
    chat.answer(card, decision="accept")
    run.result()
    assert outer(chat)["success"] and ran(server) == ["one", "two", "two", "three"]
    left = [f"SELECT * FROM {table}" for table in ("calls", "workflow_runs", "workflow_steps")]
    wait_until(lambda: not any(kept.rows(server.state, query) for query in left), what="nothing kept of it")


def test_a_step_of_which_nobody_knows_what_it_did_is_left_where_nobody_says_yes(start: Start) -> None:
    chat = killed_in_the_second(start)
    server = again(start)
    chat = same(server, chat)
    resume = resume_of(chat)
    run = goes_on(server, chat, 1, resume=resume)
    chat.answer(chat.card(), decision="deny")
    run.result()
    server.client.close()

    third = again(start)
    chat = same(third, chat)
    run = goes_on(third, chat, 3, resume=resume)
    assert "step “two” was under way" in chat.card()["reason"]["text"]
    assert ran(third) == ["one", "two"]
    chat.stop()
    run.result()


def test_after_a_step_that_failed_it_goes_on_with_the_next_server(start: Start) -> None:
    steps = (
        step("one", "echo one >> ran; echo what one gave"),
        step("two", {"$text": ["test -e ready && cat > got << 'END'\n", {"$step": "one"}, "\nEND"]}),
    )
    server, chat, run = begun(start, *steps, user=BYPASS)
    run.result()
    assert "stopped at its step “two”" in outer(chat)["output"]
    server.client.close()

    server = again(start, user=BYPASS)
    chat = same(server, chat)
    (server.workspace / "ready").touch()
    goes_on(server, chat, 2, resume=resume_of(chat)).result()
    assert outer(chat)["success"] and ran(server) == ["one"]
    assert "what one gave" in (server.workspace / "got").read_text()


def test_after_a_step_that_was_denied_it_goes_on_with_the_next_server(start: Start) -> None:
    # What the second step writes is known only after the first one, so that it is asked about by itself.
    steps = (
        step("one", "echo one >> ran; echo two"),
        {"id": "two", "tool": "write_file", "inputs": {"path": "got", "content": {"$step": "one"}}},
    )
    server, chat, run = begun(start, *steps)
    chat.answer(chat.card(), decision="accept")
    chat.answer(chat.card("got"), decision="deny")
    run.result()
    server.client.close()

    server = again(start)
    chat = same(server, chat)
    run = goes_on(server, chat, 2, resume=resume_of(chat))
    card = chat.card()
    assert card["preview"]["done"] == 1 and card["preview"]["steps"][0]["notes"] == []
    chat.answer(card, decision="accept")
    run.result()
    assert outer(chat)["success"] and ran(server) == ["one"] and "two" in (server.workspace / "got").read_text()


def test_after_a_stop_it_goes_on_and_asks_about_the_step_that_was_under_way(start: Start) -> None:
    server, chat, run = begun(start, *THREE, user=BYPASS)
    wait_until(lambda: ran(server) == ["one", "two"], what="the second step")
    chat.stop()
    run.result()
    assert outer(chat)["code"] == "cancelled" and "“two” was under way" in outer(chat)["output"]
    (server.workspace / "ready").touch()
    run = goes_on(server, chat, 1, resume=resume_of(chat))
    card = chat.card()
    assert "step “two” was under way" in card["reason"]["text"]
    chat.answer(card, decision="accept")
    run.result()
    assert outer(chat)["success"] and ran(server) == ["one", "two", "two", "three"]


def test_a_card_that_waited_comes_back_and_its_yes_makes_the_steps(start: Start) -> None:
    server, chat, _ = begun(start, marks("one"), marks("two"))
    chat.card()
    kept.wait_for_calls(server.state, 1)
    kill(server)

    server = again(start)
    chat = same(server, chat)
    (card,) = cards_of(server, 1)
    assert card["interrupted"] is True and [one["number"] for one in card["preview"]["steps"]] == [1, 2]
    assert ran(server) == []
    chat.answer(card, decision="accept")
    wait_until(lambda: any(one["tool"] == "run_workflow" for one in results(chat)), what="its result")
    assert outer(chat)["success"] and ran(server) == ["one", "two"] and server.waiting() == []


def test_one_that_came_back_and_runs_is_ended_by_a_stop(start: Start) -> None:
    server, chat, _ = begun(start, *THREE)
    chat.card()
    kept.wait_for_calls(server.state, 1)
    kill(server)

    server = again(start)
    chat = same(server, chat)
    (card,) = cards_of(server, 1)
    chat.answer(card, decision="accept")
    wait_until(lambda: ran(server) == ["one", "two"], what="the second step")
    assert chat.stop()
    assert outer(chat)["code"] == "cancelled" and ran(server) == ["one", "two"]


def test_what_looks_like_a_secret_is_not_kept_for_the_next_server(start: Start) -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    steps = (
        step("one", f"echo one >> ran; printf %s_%s {secret[:3]} {secret[4:]}"),
        step("two", {"$text": ["test -e ready; # ", {"$step": "one"}]}),
    )
    server, chat, run = begun(start, *steps, user=BYPASS)
    run.result()
    server.client.close()
    assert secret.encode() not in kept.everything(server.state)

    server = again(start, user=BYPASS)
    chat = same(server, chat)
    goes_on(server, chat, 2, resume=resume_of(chat)).result()
    assert "held what looks like a secret" in outer(chat)["output"] and ran(server) == ["one"]


def test_a_changed_file_begins_anew_also_with_the_next_server(start: Start) -> None:
    server, chat = stopped(start, marks("one"), marks("two", "false"))
    resume = resume_of(chat)
    server.client.close()

    server = again(start)
    chat = same(server, chat)
    put(server, marks("one"), marks("two", "echo something else"))
    goes_on(server, chat, 2, resume=resume).result()
    assert "not those of the run that stopped" in outer(chat)["output"] and server.waiting() == []
    assert ran(server) == ["one", "two"]


def test_another_chat_does_not_go_on_with_it(start: Start) -> None:
    server, chat = stopped(start, marks("one"), marks("two", "false"))
    other = server.chat()
    goes_on(server, other, 0, resume=resume_of(chat)).result()
    assert "no such run in this chat" in outer(other)["output"]


def test_to_go_on_twice_at_once_makes_nothing_twice(start: Start) -> None:
    server, chat, run = begun(start, marks("one"), marks("two", "test -e ready"), user=BYPASS)
    run.result()
    (server.workspace / "ready").touch()
    twice = [call("run_workflow", workflow_id="file:w", resume=resume_of(chat))] * 2
    server.script(*[[say("-")]] * 2, twice, [say("Done.")])
    chat.run("Go on.")
    assert ran(server) == ["one", "two", "two"]
    assert sorted(one["success"] for one in results(chat) if one["tool"] == "run_workflow") == [False, False, True]
