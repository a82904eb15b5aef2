"""What an agent of others says of itself beside its calls, and what the user chooses of what it offers."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.guests import Guest, House, says
from tests.support.rpc import RpcError
from tests.support.scale import wait_until
from tests.support.server import INVALID_PARAMS, Chat

Json = Any

NOT_CONFIRMED = -31008
MODES = {
    "currentModeId": "yolo",
    "availableModes": [
        {"id": "default", "name": "Default", "description": "Asks before it acts."},
        {"id": "code", "name": "Code"},
        {"id": "plan", "name": "Plan"},
        {"id": "yolo", "name": "YOLO"},
    ],
}
MODELS = {
    "currentModelId": "big",
    "availableModels": [{"modelId": "big", "name": "Big"}, {"modelId": "small", "name": "Small"}],
}
ALLOW_ALL = {"id": "allow_all", "name": "Allow all", "type": "boolean", "currentValue": False}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with House(tmp_path_factory.mktemp("options")) as made:
        yield made


def begun(house: House, *prompts: list[Json], **script: Json) -> tuple[Guest, Chat]:
    """An agent, and a chat in which it has answered once."""
    guest = house.guest(*(prompts or ([says("Here.")],)), **script)
    chat = guest.chat()
    assert chat.send().result()["done_reason"] == "stop"
    return guest, chat


def choose(chat: Chat, setting: str, value: str, **more: Json) -> Json:
    params = {"sessionId": chat.id, "settingId": setting, "value": value, **more}
    return chat.client.request("session/setAgentOption", params)


def states(chat: Chat) -> list[Json]:
    return [one["data"] for one in chat.events("AgentState")]


def current(chat: Chat, setting: str) -> Json:
    return next(one["current"] for one in states(chat)[-1]["settings"] if one["settingId"] == setting)


def warnings(chat: Chat) -> list[str]:
    return [one["data"]["text"] for one in chat.events("Notification") if one["data"]["level"] == "warning"]


def test_the_plan_is_told_whole_and_once_for_each_change(house: House) -> None:
    first = [{"content": "Look", "status": "in_progress", "priority": "high"}, {"content": "Mend", "status": "pending"}]
    then = [{**first[0], "status": "completed"}, {**first[1], "status": "in_progress"}]
    _, chat = begun(house, [{"plan": first}, {"plan": first}, {"plan": then}])
    assert [one["data"]["entries"] for one in chat.events("Plan")] == [
        [{"content": "Look", "status": "in_progress"}, {"content": "Mend", "status": "pending"}],
        [{"content": "Look", "status": "completed"}, {"content": "Mend", "status": "in_progress"}],
    ]


def test_commands_are_told_as_soon_as_a_session_begins_each_once(house: House) -> None:
    told = [
        {"name": "review", "description": "Looks at changes", "input": {"hint": "what to look at"}},
        {"name": "review", "description": "once more"},
        {"name": "/help", "description": "Says what there is"},
        {"name": "two\nlines", "description": "cannot be written"},
    ]
    _, chat = begun(house, begin=[{"commands": told}])
    assert [one["data"]["commands"] for one in chat.events("Commands")] == [
        [
            {"name": "review", "description": "Looks at changes", "hint": "what to look at"},
            {"name": "help", "description": "Says what there is"},
        ]
    ]


def test_what_is_told_between_turns_reaches_the_chat_at_once(house: House) -> None:
    guest, chat = begun(house, [says("a"), {"stop": "end_turn"}, {"wait": 0.05}, {"commands": [{"name": "late"}]}])
    within = chat.client.wait_for("agent/event", lambda one: one["sessionId"] == chat.id and one["event"] == "Commands")
    assert within["data"]["commands"][0]["name"] == "late"
    assert guest.pids()


def test_it_is_told_what_can_be_chosen_and_put_where_it_asks(house: House) -> None:
    guest, chat = begun(house, modes=MODES, models=MODELS)
    assert guest.wait_told("session/set_mode")["modeId"] == "default"
    last = states(chat)[-1]
    mode, model = last["settings"]
    assert (mode["settingId"], mode["isMode"], mode["current"]) == ("mode", True, "default")
    assert (model["settingId"], model["isMode"], model["current"]) == ("model", False, "big")
    assert "danger" not in last
    dangers = {one["choiceId"]: one.get("danger") for one in mode["choices"]}
    assert "without asking" in dangers.pop("yolo") and set(dangers.values()) == {None}


def test_the_user_chooses_a_mode_and_a_model(house: House) -> None:
    guest, chat = begun(house, modes=MODES, models=MODELS)
    choose(chat, "mode", "code")
    choose(chat, "model", "small")
    assert guest.wait_told("session/set_mode", 2)["modeId"] == "code"
    assert guest.wait_told("session/set_model")["modelId"] == "small"
    assert (current(chat, "mode"), current(chat, "model")) == ("code", "small")
    # It stays so with the next message.
    chat.send().result()
    assert len(guest.told("session/set_mode")) == 2 and current(chat, "mode") == "code"


def test_a_dangerous_choice_counts_only_when_it_is_confirmed(house: House) -> None:
    guest, chat = begun(house, modes=MODES)
    for unconfirmed in ({}, {"confirmed": False}):
        with pytest.raises(RpcError) as refused:
            choose(chat, "mode", "yolo", **unconfirmed)
        assert refused.value.code == NOT_CONFIRMED
        assert "without asking" in refused.value.data["danger"]
    assert len(guest.told("session/set_mode")) == 1 and current(chat, "mode") == "default"
    assert warnings(chat) == []

    choose(chat, "mode", "yolo", confirmed=True)
    assert guest.wait_told("session/set_mode", 2)["modeId"] == "yolo"
    assert "without asking" in states(chat)[-1]["danger"]
    assert len(warnings(chat)) == 1


def test_a_switch_that_allows_all_is_dangerous_and_travels_as_what_it_is(house: House) -> None:
    guest, chat = begun(house, configOptions=[ALLOW_ALL])
    with pytest.raises(RpcError) as refused:
        choose(chat, "allow_all", "true")
    assert refused.value.code == NOT_CONFIRMED
    choose(chat, "allow_all", "true", confirmed=True)
    told = guest.wait_told("session/set_config_option")
    assert (told["configId"], told["type"], told["value"]) == ("allow_all", "boolean", True)


@pytest.mark.parametrize(("setting", "value"), [("nothing", "code"), ("mode", "nothing"), ("mode", "")])
def test_what_it_does_not_offer_is_not_passed_on(house: House, setting: str, value: str) -> None:
    guest, chat = begun(house, modes=MODES)
    with pytest.raises(RpcError) as refused:
        choose(chat, setting, value, confirmed=True)
    assert refused.value.code == INVALID_PARAMS
    assert len(guest.told("session/set_mode")) == 1


def test_before_it_has_begun_there_is_nothing_to_choose(house: House) -> None:
    chat = house.guest([says("Here.")], modes=MODES).chat()
    with pytest.raises(RpcError, match="send it a message first"):
        choose(chat, "mode", "code")


def test_an_agent_that_refuses_says_so_and_nothing_is_changed(house: House) -> None:
    no = {"session/set_model": {"error": {"code": -32603, "message": "not today"}}}
    _, chat = begun(house, models=MODELS, answers=no)
    with pytest.raises(RpcError, match="not today"):
        choose(chat, "model", "small")
    assert current(chat, "model") == "big"


def test_a_new_process_gets_what_was_chosen_but_never_the_danger(house: House) -> None:
    dies = [says("Bye."), {"exit": 3}]
    guest, chat = begun(house, [says("Here.")], dies, [says("Here again.")], modes=MODES, models=MODELS)
    choose(chat, "model", "small")
    choose(chat, "mode", "yolo", confirmed=True)
    chat.send().result()
    assert chat.events("Error")[-1]["data"]["code"] == "agent_exit"
    assert chat.events("Error")[-1]["data"]["canRetry"] is True
    # It does not run, so nothing of it is dangerous, and nothing can be chosen.
    assert states(chat)[-1] == {"settings": []}

    guest.plays([says("Here again.")], modes=MODES, models=MODELS)
    restarted = chat.client.start("chat/retry", {"sessionId": chat.id})
    assert restarted.result(30)["done_reason"] == "stop"
    wait_until(lambda: len(guest.pids()) == 2, within=10, what="a second process")
    asked = [one["params"] for one in guest.told() if one.get("method", "").startswith("session/set_")]
    assert [one.get("modeId") or one.get("modelId") for one in asked] == [
        "default",
        "small",
        "yolo",
        "small",
        "default",
    ]
    assert "danger" not in states(chat)[-1]


def test_well_known_agents_are_suggested_with_what_to_know(house: House) -> None:
    agents = {one["key"]: one for one in house.server.client.request("agents/suggested", {})["agents"]}
    claude = agents["claude"]
    assert claude["install"] == "npm install --global @agentclientprotocol/claude-agent-acp"
    assert (claude["command"], claude["args"], claude["asks"]) == ("claude-agent-acp", [], True)
    assert claude["env"][0]["name"] == "ANTHROPIC_API_KEY"
    assert agents["gemini"]["args"] == ["--acp"]
    assert agents["pi"]["asks"] is False and "never asks" in agents["pi"]["advice"]


def test_a_view_that_is_rebuilt_is_told_all_of_it_again(house: House) -> None:
    plan = {"plan": [{"content": "Look", "status": "pending"}]}
    _, chat = begun(house, [plan], begin=[{"commands": [{"name": "review"}]}], modes=MODES)
    events = chat.client.request("session/load", {"sessionId": chat.id})["events"]
    told = {one["event"]: one["data"] for one in events}
    assert told["Plan"]["entries"][0]["content"] == "Look"
    assert told["Commands"]["commands"][0]["name"] == "review"
    assert told["AgentState"]["settings"][0]["current"] == "default"
