"""Forms that agents of others put to the user by the Agent Client Protocol: shown in their chat, answered once."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.guests import Guest, House, notices
from tests.support.rpc import Pending
from tests.support.scale import wait_until
from tests.support.server import Chat, Json, Step

SESSION = "session-1"
SCHEMA = {
    "type": "object",
    "properties": {"strategy": {"type": "string", "enum": ["careful", "bold"]}},
    "required": ["strategy"],
}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with House(tmp_path, many=1, capabilities=("cards", "forms")) as house:
        yield house


def asks(request_id: Json = "form", **params: Json) -> Step:
    params = {"sessionId": SESSION, "mode": "form", "message": "How?", "requestedSchema": SCHEMA, **params}
    message = {"jsonrpc": "2.0", "id": request_id, "method": "elicitation/create", "params": params}
    return {"raw": json.dumps(message)}


def begun(house: House, *steps: Step) -> tuple[Guest, Chat, Pending]:
    guest = house.guest([*steps, {"wait": 600}])
    chat = guest.chat()
    return guest, chat, chat.send()


def form_of(house: House) -> Json:
    return house.server.client.wait_for("form/request", within=30)


def answer(house: House, form: Json, action: str, **content: Json) -> None:
    given = {"content": content} if content else {}
    house.server.client.request("form/answer", {"formId": form["formId"], "action": action, **given})


def stopped(chat: Chat, run: Pending) -> None:
    chat.stop()
    run.result(30)


def test_a_form_names_the_agent_and_its_answer_goes_back_to_it(house: House) -> None:
    guest, chat, run = begun(house, asks())
    form = form_of(house)
    assert (form["askerKind"], form["askerName"], form["sessionId"]) == ("agent", guest.name, chat.id)
    assert form["message"] == "How?" and [one["value"] for one in form["fields"][0]["choices"]] == ["careful", "bold"]
    told = guest.told("initialize")[0]["params"]["clientCapabilities"]
    assert told["elicitation"] == {"form": {}}
    answer(house, form, "accept", strategy="bold")
    assert guest.wait_answer("form")["result"] == {"action": "accept", "content": {"strategy": "bold"}}
    assert f"The agent “{guest.name}” asked you for something. You sent it your answer." in notices(chat)
    stopped(chat, run)


@pytest.mark.parametrize("action", ["decline", "cancel"])
def test_a_no_is_one_for_the_agent(house: House, action: str) -> None:
    guest, chat, run = begun(house, asks())
    answer(house, form_of(house), action)
    assert guest.wait_answer("form")["result"] == {"action": action}
    stopped(chat, run)


def test_a_stop_withdraws_it_and_the_agent_hears_that(house: House) -> None:
    guest, chat, run = begun(house, asks())
    form = form_of(house)
    stopped(chat, run)
    assert guest.wait_answer("form")["result"] == {"action": "cancel"}
    end = house.server.client.wait_for("form/ended", lambda end: end["formId"] == form["formId"])
    assert "action" not in end and house.server.client.request("form/pending", {})["forms"] == []


def test_an_agent_takes_its_form_back(house: House) -> None:
    params = {"sessionId": SESSION, "mode": "form", "message": "Go on?", "requestedSchema": SCHEMA}
    after = {"call": "elicitation/create", "params": params, "on": {"ok": [], "else": []}}
    guest, chat, run = begun(house, asks(), after, {"withdraw": "form"})
    form = form_of(house)
    answer(house, form_of(house), "decline")
    assert guest.wait_answer("form")["result"] == {"action": "cancel"}
    end = house.server.client.wait_for("form/ended", lambda end: end["formId"] == form["formId"])
    assert "action" not in end
    stopped(chat, run)


def test_one_that_is_taken_back_in_one_breath_is_answered_all_the_same(house: House) -> None:
    guest, chat, run = begun(house, asks(), {"withdraw": "form"})
    assert guest.wait_answer("form")["result"] == {"action": "cancel"}
    assert house.server.client.request("form/pending", {})["forms"] == []
    stopped(chat, run)


def test_an_agent_that_ends_withdraws_its_form(house: House) -> None:
    _, _, run = begun(house, asks(), {"wait": 0.01}, {"exit": 3})
    form = form_of(house)
    end = house.server.client.wait_for("form/ended", lambda end: end["formId"] == form["formId"], within=30)
    assert "action" not in end
    run.answer(30)


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"mode": "url", "url": "https://example.org", "elicitationId": "1"}, -32602),
        ({"requestedSchema": {"type": "object", "properties": {"a": {"type": "object"}}}}, -32602),
        ({"requestedSchema": None}, -32602),
        ({"message": 5}, -32602),
        ({"sessionId": "another"}, -32601),
    ],
)
def test_what_is_no_form_is_refused(house: House, params: Json, code: int) -> None:
    guest, chat, run = begun(house, asks(**params))
    assert guest.wait_answer("form")["error"]["code"] == code
    assert house.server.client.request("form/pending", {})["forms"] == []
    stopped(chat, run)


def test_an_agent_asks_only_so_much_at_once(house: House) -> None:
    guest, chat, run = begun(house, *(asks(number) for number in range(100, 105)))
    for _ in range(3):
        form_of(house)
    wait_until(lambda: guest.answer_to(104) is not None, what="the last to be refused")
    assert all("error" in guest.answer_to(number) for number in (103, 104))
    stopped(chat, run)
    assert all(guest.wait_answer(number)["result"] == {"action": "cancel"} for number in (100, 101, 102))


def test_whoever_cannot_draw_forms_is_asked_nothing(tmp_path: Path) -> None:
    with House(tmp_path, many=1) as house:
        guest, chat, run = begun(house, asks())
        assert guest.wait_answer("form")["error"]["code"] == -32601
        assert "elicitation" not in guest.told("initialize")[0]["params"]["clientCapabilities"]
        stopped(chat, run)
