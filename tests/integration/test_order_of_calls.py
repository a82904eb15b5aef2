"""In which order the calls of a turn are carried out, over the wire: the model's, whatever the order of the clicks."""

from tests.support.room import Room
from tests.support.scale import wait_until
from tests.support.server import Json, call, read, say


def contents(card: Json) -> str:
    """What the call of this card would write."""
    text: str = card["args"]["content"]
    return text


def test_of_two_writes_of_one_file_the_models_second_is_final_although_it_was_allowed_first(room: Room) -> None:
    chat = room.chat([room.write("a", "first"), room.write("a", "second")], [say("Written.")])
    run = chat.send()
    cards = {contents(card): card for card in (chat.card(), chat.card())}
    chat.select(cards["second"], "approve")
    assert chat.resolved(cards["second"])["status"] == "allowed"
    # It is allowed, and waits for the one before it, about which nobody has said anything yet.
    chat.info()
    assert chat.results() == [] and not room.file("a").exists()
    chat.select(cards["first"], "approve")
    assert run.result()["done_reason"] == "stop"
    assert room.file("a").read_text() == "second"
    assert [result["content"] for result in chat.results()] == ["first", "second"]


def test_the_second_write_does_not_wait_for_one_that_is_refused(room: Room) -> None:
    chat = room.chat([room.write("a", "first"), room.write("a", "second")], [say("Written.")])
    run = chat.send()
    cards = {contents(card): card for card in (chat.card(), chat.card())}
    chat.select(cards["second"], "approve")
    chat.select(cards["first"], "deny")
    assert run.result()["done_reason"] == "stop"
    assert room.file("a").read_text() == "second"


def test_what_is_read_after_a_write_of_the_same_turn_is_what_was_written(room: Room) -> None:
    room.file("a").write_text("before")
    chat = room.chat([room.write("a", "after"), read(room.path("a"))], [say("Read.")])
    run = chat.send()
    card = chat.card()
    chat.info()
    assert chat.results() == []
    chat.select(card, "approve")
    assert run.result()["done_reason"] == "stop"
    by_tool = {result["tool"]: result for result in chat.results()}
    assert by_tool["read_file"]["output"] == "after"


def test_what_is_read_before_a_write_of_the_same_turn_is_what_was_there(room: Room) -> None:
    room.file("a").write_text("before")
    chat = room.chat([read(room.path("a")), room.write("a", "after")], [say("Read.")])
    run = chat.send()
    chat.select(chat.card(), "approve")
    run.result()
    by_tool = {result["tool"]: result for result in chat.results()}
    assert by_tool["read_file"]["output"] == "before" and room.file("a").read_text() == "after"


def test_what_touches_something_else_does_not_wait_for_a_card(room: Room) -> None:
    room.file("b").write_text("beside")
    room.file("folder").mkdir()
    turn = [room.write("a"), read(room.path("b")), room.write("c"), call("list_files", path=room.path("folder"))]
    chat = room.chat(turn, [say("Done.")])
    run = chat.send()
    waiting, other = chat.card(room.path("a")), chat.card(room.path("c"))
    chat.wait_for_event("ToolResult", count=2)
    assert sorted(result["tool"] for result in chat.results()) == ["list_files", "read_file"]
    chat.select(other, "approve")
    chat.wait_for_event("ToolResult", count=3)
    wait_until(room.file("c").exists, what="the other write")
    assert chat.waits(waiting) and not room.file("a").exists()
    chat.select(waiting, "approve")
    assert run.result()["done_reason"] == "stop"
    assert room.file("a").exists()
