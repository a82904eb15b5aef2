"""Whose answer it is: a view answers for the chat that it shows."""

from tests.support.room import Room
from tests.support.server import INVALID_PARAMS, NO_CHAT, Chat, Json


def attach(chat: Chat, view: str, *, loudly: bool = True) -> None:
    params = {"viewId": view, "sessionId": chat.id}
    if loudly:
        assert chat.client.request("view/attached", params) == {}
    else:
        chat.client.notify("view/attached", params)


def test_a_view_answers_for_the_chat_that_it_shows(room: Room) -> None:
    chat, card, run = room.card([room.write("a")])
    attach(chat, "left")
    chat.select(card, "approve", viewId="left")
    run.result()
    assert room.file("a").exists()


def test_a_view_does_not_answer_for_another_chat(room: Room) -> None:
    chat, card, run = room.card([room.write("a")])
    other, other_card, other_run = room.card([room.write("b")])
    attach(chat, "left")
    attach(other, "right")
    for fields in ({"viewId": "right"}, {"viewId": "left", "sessionId": other.id}, {"sessionId": other.id}):
        assert chat.refused(card, decision="accept", **fields).code == NO_CHAT
        assert chat.refused(card, bypassAll=True, **fields).code == NO_CHAT
    assert chat.waits(card) and other.waits(other_card) and not room.file("a").exists()
    chat.select(card, "deny", viewId="left")
    other.select(other_card, "deny", viewId="right")
    run.result(), other_run.result()


def test_a_view_that_moved_on_answers_for_its_new_chat_only(room: Room) -> None:
    chat, card, run = room.card([room.write("a")])
    other, other_card, other_run = room.card([room.write("b")])
    attach(chat, "view")
    attach(other, "view", loudly=False)
    assert chat.refused(card, decision="accept", viewId="view").code == NO_CHAT
    other.select(other_card, "deny", viewId="view")
    attach(chat, "view", loudly=False)
    chat.select(card, "deny", viewId="view")
    run.result(), other_run.result()


def test_a_view_that_is_gone_answers_nothing(room: Room) -> None:
    chat, card, run = room.card([room.write("a")])
    attach(chat, "view")
    chat.client.request("view/detached", {"viewId": "view", "sessionId": chat.id})
    assert chat.refused(card, decision="accept", viewId="view").code == NO_CHAT
    attach(chat, "view")
    chat.select(card, "deny", viewId="view")
    run.result()


def test_two_views_of_one_chat_may_both_answer_and_the_first_counts(room: Room) -> None:
    chat, card, run = room.card([room.write("a")])
    attach(chat, "left")
    attach(chat, "right")
    chat.select(card, "deny", viewId="right")
    assert chat.refused(card, decision="accept", viewId="left").data["decision"] == "reject_once"
    run.result()


def test_views_name_a_chat_that_is_there(room: Room) -> None:
    client = room.server.client
    bad: list[tuple[Json, int]] = [
        ({"viewId": "v", "sessionId": "nowhere"}, NO_CHAT),
        ({"viewId": "v"}, INVALID_PARAMS),
        ({"viewId": 5, "sessionId": "nowhere"}, INVALID_PARAMS),
    ]
    for method in ("view/attached", "view/detached", "view/activity"):
        for params, code in bad:
            assert client.start(method, params).error().code == code
            client.notify(method, params)
    assert client.request("session/list", {})


def test_a_view_is_told_nothing_by_attaching_but_can_ask(room: Room) -> None:
    """The same call of another view, without the id of its own, is still bound to the chat when it says one."""
    chat, card, run = room.card([room.write("a")])
    attach(chat, "view")
    assert chat.answer(card, decision="deny", sessionId=chat.id)["decision"] == "reject_once"
    run.result()
