"""Secrets on cards: masked for clients that reveal them before anything is allowed; what runs is what it was."""

from collections.abc import Callable

import pytest

from tests.support.rpc import Pending, RpcError
from tests.support.server import NOT_FOUND, NOT_OFFERED, RESOLVED, Chat, Json, Server, call, write

TOKEN = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
WRITES = f"echo {TOKEN} > out.txt"
REVEALING = ("cards", "counts", "reveal")


@pytest.fixture
def server(start: Callable[..., Server]) -> Server:
    return start()


def asked(server: Server, step: Json, capabilities: tuple[str, ...] = REVEALING) -> tuple[Chat, Pending, Json]:
    server.meet(capabilities=capabilities)
    server.script([step])
    chat = server.chat()
    run = chat.send()
    return chat, run, chat.card()


def reveal(server: Server, card: Json) -> Json:
    """The card that the client is shown then."""
    server.client.request("tool/reveal", {"approvalId": card["approvalId"]})
    return server.client.wait_for(
        "tool/approvalRequest", lambda one: one["approvalId"] == card["approvalId"] and "redactions" not in one
    )


def test_a_secret_is_masked_and_said_to_be_until_it_is_asked_for(server: Server) -> None:
    chat, run, card = asked(server, call("bash", command=WRITES))
    assert TOKEN not in str(card) and card["redactions"] == 1
    assert card["preview"]["text"] == card["args"]["command"] == "echo [masked: GitHub token] > out.txt"

    revealed = reveal(server, card)
    assert revealed["preview"]["text"] == WRITES
    assert revealed["argsDigest"] == card["argsDigest"]

    chat.answer(revealed, decision="accept")
    run.result()
    assert (server.workspace / "out.txt").read_text() == f"{TOKEN}\n"


def test_what_runs_is_no_mark(server: Server) -> None:
    chat, run, card = asked(server, write("conf.env", f"A=1\nGITHUB={TOKEN}\n"))
    assert TOKEN not in str(card) and card["preview"]["lines"][0]["text"] == "A=1"

    reveal(server, card)
    chat.answer(card, decision="accept", argsDigest=card["argsDigest"])
    run.result()
    assert (server.workspace / "conf.env").read_text() == f"A=1\nGITHUB={TOKEN}\n"


@pytest.mark.parametrize(
    "yes",
    [
        {"decision": "accept"},
        {"response": {"outcome": {"outcome": "selected", "optionId": "allow_session_tool"}}},
        {"bypassAll": True},
        {"decision": "accept", "bypassAll": True},
        {"decision": "accept", "editedArgs": {"command": "echo other"}},
        {"response": {"outcome": {"outcome": "selected", "optionId": "approve"}}},
    ],
)
def test_no_yes_counts_before_it_was_revealed(server: Server, yes: Json) -> None:
    chat, run, card = asked(server, call("bash", command=WRITES))

    with pytest.raises(RpcError, match="Reveal them") as refused:
        chat.answer(card, **yes)
    assert refused.value.code == NOT_OFFERED and "deny" in refused.value.data["allowed"]
    together = {"items": [{"approvalId": card["approvalId"], "argsDigest": card["argsDigest"]}]}
    (one,) = server.client.request("tool/approvalBatch", {"decision": "allow_once", **together})["results"]
    assert one["status"] == "failed" and "Reveal them" in one["error"]["message"]
    assert chat.waits(card)

    chat.answer(card, decision="deny")
    run.result()
    assert not (server.workspace / "out.txt").exists()


def test_a_private_key_in_a_file_is_masked_line_by_line(server: Server) -> None:
    body = "MIIEowIBAAKCAQEAabcdefghijklmnop"
    text = f"-----BEGIN RSA PRIVATE KEY-----\n{body}\n{body}\n-----END RSA PRIVATE KEY-----\nafter {body}\n"
    _, _, card = asked(server, write("key.pem", text))
    shown = [line["text"] for line in card["preview"]["lines"]]
    assert shown[:3] == ["[masked: private key]"] * 3
    assert shown[4] == f"after {body}"


def test_its_row_says_no_more_than_the_card(server: Server) -> None:
    chat, run, card = asked(server, call("bash", command=WRITES))
    headlines = [event["data"]["headline"] for event in chat.events("ToolCall")]
    notes = [event["data"].get("note") for event in chat.events("ToolUpdate")]
    assert headlines == [card["headline"]] and card["reason"]["text"] in notes
    assert TOKEN not in str(headlines) + str(notes)

    chat.answer(card, decision="deny")
    run.result()
    events = server.client.request("session/load", {"sessionId": chat.id})["events"]
    assert TOKEN not in str([event["data"].get("headline", event["data"].get("note")) for event in events])


def test_a_client_that_cannot_ask_for_it_is_shown_everything(server: Server) -> None:
    _, _, card = asked(server, call("bash", command=WRITES), ("cards",))
    assert card["args"]["command"] == WRITES and "redactions" not in card


def test_a_view_that_comes_anew_is_shown_what_was_revealed(server: Server) -> None:
    chat, _, card = asked(server, call("bash", command=WRITES))
    assert TOKEN not in str(server.waiting())
    reveal(server, card)
    assert server.waiting()[0]["args"]["command"] == WRITES
    assert chat.waits(card)


def test_there_is_nothing_to_reveal_of_what_does_not_wait(server: Server) -> None:
    chat, run, card = asked(server, call("bash", command=WRITES))
    chat.answer(card, decision="deny")
    run.result()
    for approval_id, code in ((card["approvalId"], RESOLVED), ("00000000-0000-4000-8000-000000000000", NOT_FOUND)):
        with pytest.raises(RpcError) as fault:
            server.client.request("tool/reveal", {"approvalId": approval_id})
        assert fault.value.code == code
    assert TOKEN not in str(server.client.notifications("tool/approvalRequest"))
