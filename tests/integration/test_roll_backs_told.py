"""A roll back is told: to the model, to an agent of others, in the chat when it fails; and nothing runs beside it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.editor_documents import CAPABILITIES, EDITS, Documents
from tests.support.guests import House, says
from tests.support.model_servers.formats import ALL, Format
from tests.support.model_servers.server import model_server
from tests.support.model_servers.wire import Said, SaidCall
from tests.support.roll_backs import AUTO, begin, checkpoints, notices, ran, review, roll_back
from tests.support.room import Room
from tests.support.rpc import RpcError
from tests.support.scale import wait_until
from tests.support.server import INVALID_PARAMS, Server, call, say
from tests.support.told_settings import chat_with


@pytest.fixture
def editing(tmp_path: Path) -> Iterator[tuple[Room, Documents]]:
    """A room whose files an editor has open."""
    with Server(tmp_path) as server:
        server.meet(capabilities=CAPABILITIES, editor=EDITS)
        yield Room(server, "edited"), Documents(server)


@pytest.mark.parametrize("form", ALL, ids=lambda form: form.name)
def test_the_next_turn_of_the_model_knows(tmp_path: Path, form: Format) -> None:
    writes = [SaidCall("write_file", {"path": name, "content": "after\n"}) for name in ("old.txt", "made.txt")]
    with Server(tmp_path) as server, model_server(form.wire(), base_path=form.base_path) as models:
        server.meet()
        (server.workspace / "old.txt").write_text("before\n")
        models.add(Said("", tuple(writes)), Said("Done."), Said("I see."))
        chat = chat_with(server, form, models)
        chat.set_mode(AUTO)
        chat.run("Write both", within=30)
        assert roll_back(chat, review(chat))["restored"]
        chat.run("And now?", within=30)

        assert models.log.rejected == []
        last = models.log.seen[-1].messages
        (told,) = [one.text for one in last if one.role == "user" and "rolled back" in one.text]
        assert "by Assent, not by the user" in told and '"old.txt"' in told
        assert '"made.txt" (it did not exist before that run, so it is gone)' in told
        # What the user says comes after it, and is what the chat is called by.
        assert "And now?" in last[-1].text and "Write both" in last[0].text
        assert "rolled back" not in chat.info()["title"]


def test_an_agent_of_others_is_told_with_the_next_message(tmp_path: Path) -> None:
    with House(tmp_path, many=1) as house:
        file = house.workspace / "a.txt"
        writes = {"write": str(file), "content": "x", "on": {"ok": [], "error": []}}
        guest = house.guest([writes], [says("I see.")], [says("Yes.")])
        chat = guest.chat(AUTO)
        chat.run("/write it")
        assert file.read_text() == "x"
        assert roll_back(chat, review(chat))["restored"] == ["a.txt"]
        chat.run("/next")
        chat.run("and more")

        prompts = [[block["text"] for block in one["params"]["prompt"]] for one in guest.told("session/prompt")]
        assert prompts[0] == ["/write it"] and prompts[1][0] == "/next" and prompts[2] == ["and more"]
        assert "rolled back" in prompts[1][1] and '"a.txt"' in prompts[1][1]


def test_a_message_waits_for_the_end_of_a_roll_back(editing: tuple[Room, Documents]) -> None:
    room, documents = editing
    room.file("a.txt").write_text("before\n")
    chat = ran(room, [room.write("a.txt", "after\n")], [say("Done.")], [call("bash", command=f"cat {room.name}/a.txt")])
    documents.open(room.file("a.txt"))
    del room.server.client.replies["editor/save"]
    asked = begin(chat, review(chat))
    saving = room.server.client.wait_for_request("editor/save")

    run = chat.send("look")
    wait_until(lambda: any("your message waits" in one for one in notices(chat)), what="the word that it waits")
    with pytest.raises(RpcError) as fault:
        roll_back(chat, review(chat))
    assert fault.value.code == INVALID_PARAMS
    assert len(chat.events("Prompt")) == 1 and not run.done
    room.file("a.txt").write_text("before\n")
    saving.answer({"saved": True})

    assert asked.result()["restored"] == [room.path("a.txt")]
    assert run.result()["done_reason"] == "stop"
    assert "before" in chat.results()[-1]["output"]
    told = [one["event"] for one in chat.events() if one["event"] in ("Prompt", "Notification")]
    assert told == ["Prompt", "Notification", "Notification", "Prompt"]


def test_one_that_fails_is_told_in_the_chat_also_when_nobody_waits_for_it(editing: tuple[Room, Documents]) -> None:
    room, documents = editing
    for name in ("a.txt", "b.txt"):
        room.file(name).write_text("before\n")
    # One after the other, so that they are rolled back in this order.
    chat = ran(room, *([room.write(name, "after\n")] for name in ("a.txt", "b.txt")))
    documents.open(room.file("b.txt"))
    del room.server.client.replies["editor/save"]
    asked = begin(chat, review(chat))
    saving = room.server.client.wait_for_request("editor/save")
    asked.cancel()
    assert asked.answer()["error"]
    assert room.file("a.txt").read_text() == "before\n"
    saving.answer({"saved": False})

    chat.wait_for_event("Notification")
    (told,) = notices(chat)
    assert "The roll back failed" in told and "did not save" in told and "Nothing was rolled back" in told
    assert [room.file(name).read_text() for name in ("a.txt", "b.txt")] == ["after\n", "after\n"]


def test_what_cannot_be_taken_back_is_named_also_for_the_model(tmp_path: Path) -> None:
    form = ALL[0]
    writes = tuple(SaidCall("write_file", {"path": name, "content": "after\n"}) for name in ("a.txt", "b.txt"))
    with Server(tmp_path) as server, model_server(form.wire(), base_path=form.base_path) as models:
        server.meet(capabilities=CAPABILITIES, editor=EDITS)
        documents = Documents(server)
        files = [server.workspace / name for name in ("a.txt", "b.txt")]
        for file in files:
            file.write_text("before\n")
        # One after the other, so that they are rolled back in this order.
        models.add(*(Said("", (one,)) for one in writes), Said("Done."), Said("I see."))
        chat = chat_with(server, form, models)
        chat.set_mode(AUTO)
        chat.run(within=30)
        documents.open(files[1])
        del server.client.replies["editor/save"]
        asked = begin(chat, review(chat))
        saving = server.client.wait_for_request("editor/save")
        # Somebody else writes the file that was rolled back already: it is theirs now.
        files[0].write_text("by hand\n")
        saving.answer({"saved": False})
        done = asked.result()

        assert done["restored"] == ["a.txt"] and "rolled back all the same: a.txt" in done["error"]
        assert "rolled back all the same: a.txt" in notices(chat)[-1]
        chat.run("Well?", within=30)
        (told,) = [one.text for one in models.log.seen[-1].messages if "rolled back" in one.text]
        assert '"a.txt"' in told and '"b.txt"' not in told


def test_without_room_for_what_is_written_down_first_nothing_is_begun(room: Room) -> None:
    room.file("a.txt").write_text("before\n")
    chat = ran(room, [room.write("a.txt", "after\n")])
    found = review(chat)
    kept = next((room.server.state / "checkpoints").glob("*/index.json"), None)
    assert kept is not None and len(checkpoints(chat)) == 1
    in_the_way = [one.parent / "rolling-back.json.new" for one in (room.server.state / "checkpoints").glob("*/*.json")]
    for one in in_the_way:
        one.mkdir()
    done = roll_back(chat, found)
    assert done["restored"] == [] and "was not begun and nothing was rolled back" in done["error"]
    assert room.file("a.txt").read_text() == "after\n" and "not begun" in notices(chat)[-1]
    for one in in_the_way:
        one.rmdir()
    assert roll_back(chat, found)["restored"] == [room.path("a.txt")]
