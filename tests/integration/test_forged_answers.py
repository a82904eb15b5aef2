"""Answers that nobody gave: forged, mangled and replayed ones run nothing and leave what waits waiting."""

import random
from collections import Counter
from collections.abc import Callable

from tests.support.forgeries import counted, forge, scene
from tests.support.room import Room
from tests.support.server import NOT_FOUND, RESOLVED, Server

FORGERIES = 1_000


def test_a_thousand_forgeries_run_nothing(alone: Server) -> None:
    staged = scene(Room(alone, "room"))
    random_ = random.Random(7)
    made = [forge(staged, random_) for _ in range(FORGERIES)]
    sent = [(name, method, params, alone.client.start(method, params)) for name, method, params in made]
    codes: Counter[int] = Counter()
    for name, method, params, pending in sent:
        message = pending.answer(60)
        assert not counted(method, message), (name, params, message)
        if "error" in message:
            codes[message["error"]["code"]] += 1
    assert staged.still_stands()
    # Every reason for which an answer does not count was met.
    assert {-32602, -31001, -31002, -31003, -31004, -31005} <= codes.keys(), codes
    alone.client.logged("00 answers did not count")
    log = alone.client.stderr
    assert f"{FORGERIES} answers did not count within a minute" in log or "500 answers did not count" in log
    assert len([line for line in log.splitlines() if "did not count" in line]) < 100
    staged.end()


def test_each_refused_answer_is_logged_without_its_words(alone: Server) -> None:
    room = Room(alone, "room")
    chat, card, run = room.card([room.write("a")])
    chat.refused(card, decision="accept", argsDigest="wrong", feedback="a secret of mine")
    alone.client.logged(f"an answer to approval {card['approvalId']} did not count: DigestMismatch")
    chat.refused({"approvalId": "made up"}, decision="accept")
    alone.client.logged("did not count: ApprovalNotFound")
    chat.refused(card, decision="made up")
    alone.client.logged("an answer to no approval did not count: INVALID_PARAMS")
    assert "made up" not in alone.client.stderr and "a secret of mine" not in alone.client.stderr
    chat.select(card, "deny")
    run.result()


def test_who_was_not_shown_a_call_does_not_answer_it(start: Callable[..., Server]) -> None:
    """A client that is asked by message box never saw an approval's id, until it asks what waits."""
    server = start()
    server.meet(capabilities=(), editor={"window": {"showMessage": {"messageActionItem": {}}}})
    room = Room(server, "room")
    chat = room.chat([room.write("a")])
    run = chat.send()
    box = server.client.wait_for_request("window/showMessageRequest")
    approval_id = chat.wait_for_event("ToolPermission")["request_id"]
    card = {"approvalId": approval_id}
    assert chat.refused(card, decision="accept").code == NOT_FOUND
    digest = "0" * 64
    items = [{"approvalId": approval_id, "argsDigest": digest}]
    (told,) = server.client.request("tool/approvalBatch", {"items": items, "decision": "reject_once"})["results"]
    assert (told["status"], told["error"]["code"]) == ("failed", NOT_FOUND)
    assert not room.file("a").exists()
    (shown,) = server.waiting()
    assert shown["approvalId"] == approval_id
    chat.answer(shown, decision="deny", argsDigest=shown["argsDigest"])
    run.result()
    assert chat.refused(shown, decision="accept").code == RESOLVED
    box.answer(None)
