"""Before each message an agent is in a mode that is known: where it was put, or where its user wants it."""

from typing import Any

import pytest

from tests.support.guests import Guest, House, ask, done, notices, says
from tests.support.rpc import Pending, RpcError
from tests.support.scale import wait_until
from tests.support.server import Chat

Json = Any


def _modes(current: str, *ids: str) -> Json:
    return {"currentModeId": current, "availableModes": [{"id": one, "name": one} for one in ids]}


def _option(current: str, *ids: str, category: str | None = "mode") -> Json:
    values = [{"value": one, "name": one} for one in ids]
    more = {} if category is None else {"category": category}
    return {"id": "mode", "name": "Mode", "type": "select", "currentValue": current, "options": values, **more}


def _now(chat: Chat) -> tuple[Json, Json]:
    """The mode in which the page shows it, and the danger."""
    state = chat.events("AgentState")[-1]["data"]
    return state["settings"][0].get("current"), state.get("danger")


def _orders_and_prompts(guest: Guest) -> list[str]:
    """The modes into which it was put, and “-” for each message, in their order."""
    found = []
    for one in guest.told():
        if one.get("method") == "session/prompt":
            found.append("-")
        elif one.get("method", "").startswith("session/set_"):
            found.append(one["params"].get("modeId") or one["params"]["value"])
    return found


_LATER: list[Json] = [says("a"), {"stop": "end_turn"}, {"wait": 0.05}]
"""A turn, and what follows is told when it is over."""


@pytest.mark.parametrize("when", ["in the turn", "after it"])
@pytest.mark.parametrize("category", ["mode", None])
def test_modes_that_are_told_late_are_put_right_before_the_next_message(
    house: House, when: str, category: str | None
) -> None:
    told = {"options": [_option("yolo", "yolo", "default", category=category)]}
    steps = [told, says("a")] if when == "in the turn" else [*_LATER, told]
    guest = house.guest(steps, [says("b")], configOptions=[])
    chat = guest.chat()
    chat.run()
    wait_until(lambda: chat.events("AgentState") and chat.events("AgentState")[-1]["data"]["settings"], what="modes")
    assert _now(chat)[0] == "yolo" and "without asking" in _now(chat)[1]
    chat.run()
    chat.run()
    # It says with its answer that it has no options at all: it is not put there again and again.
    assert _orders_and_prompts(guest)[:4] == ["-", "default", "-", "-"]


def test_one_that_leaves_its_mode_between_messages_is_put_back(house: House) -> None:
    guest = house.guest([*_LATER, {"mode": "yolo"}], [says("b")], modes=_modes("default", "yolo", "default"))
    chat = guest.chat()
    chat.run()
    wait_until(lambda: _now(chat)[0] == "yolo", what="its word")
    for _ in range(2):
        chat.run()
    assert _orders_and_prompts(guest) == ["-", "default", "-", "-"]
    assert _now(chat) == ("default", None)
    assert len([one for one in notices(chat) if "without asking" in one]) == 1


def test_one_that_leaves_its_mode_after_a_look_is_put_back(house: House) -> None:
    modes = _modes("default", "yolo", "default")
    guest = house.guest([says("b")], modes=modes, begin=[{"wait": 0.3}, {"mode": "yolo"}])
    chat = guest.chat()
    chat.client.notify("view/attached", {"viewId": "v", "sessionId": chat.id})
    wait_until(lambda: any("without asking" in one for one in notices(chat)), what="its word")
    chat.run()
    assert _orders_and_prompts(guest) == ["default", "-"]


def test_a_danger_that_the_user_chose_stays_until_the_agent_leaves_it(house: House) -> None:
    modes = _modes("default", "yolo", "default", "plan")
    guest = house.guest([says("a")], [says("b")], [*_LATER, {"mode": "plan"}], [says("d")], modes=modes)
    chat = guest.chat()
    chat.run()
    _choose(chat, "yolo").result()
    chat.run()
    chat.run()
    wait_until(lambda: _now(chat)[0] == "plan", what="its word")
    chat.run()
    assert _orders_and_prompts(guest) == ["-", "yolo", "-", "-", "default", "-"]


def test_a_switch_that_was_allowed_counts_until_the_turn_is_over(house: House) -> None:
    switches = [{"mode": "yolo"}, done("c1")]
    last = ask("c2", command="make")
    guest = house.guest(
        [ask("c1", kind="switch_mode", title="Leave the plan", on={"allow": switches}), last, says("a")],
        [says("b")],
        modes=_modes("default", "yolo", "default"),
    )
    chat = guest.chat()
    run = chat.send()
    chat.select(chat.card(), "approve")
    card = chat.card()
    assert _now(chat)[0] == "yolo" and _orders_and_prompts(guest) == ["-"]
    chat.select(card, "approve")
    run.result()
    assert any("without asking" in one for one in notices(chat))
    chat.run()
    assert _orders_and_prompts(guest) == ["-", "default", "-"]


def test_one_that_left_its_mode_is_put_back_before_it_is_told_why_it_was_refused(house: House) -> None:
    leaves = [says("Hm."), {"mode": "yolo"}]
    modes = _modes("default", "yolo", "default")
    guest = house.guest([ask(command="npm test", on={"reject": leaves})], [says("With pnpm, then.")], modes=modes)
    chat = guest.chat()
    run = chat.send()
    chat.answer(chat.card(), decision="reject", feedback="Use pnpm.")
    run.result()
    assert _orders_and_prompts(guest) == ["-", "default", "-"]


def test_one_that_never_says_that_it_is_there_is_told_once_a_message(house: House) -> None:
    option = _option("yolo", "yolo", "default")
    stays = {"session/set_config_option": {"configOptions": [option]}}
    guest = house.guest([says("a")], configOptions=[option], answers=stays)
    chat = guest.chat()
    for _ in range(3):
        chat.run()
    assert _orders_and_prompts(guest) == ["default", "-"] * 3
    assert len([one for one in notices(chat) if "without asking" in one]) == 1


def test_what_it_refuses_to_choose_is_said_once(house: House) -> None:
    failing = {"session/set_mode": {"error": {"code": -32603, "message": "not now"}}}
    guest = house.guest([says("a")], modes=_modes("yolo", "yolo", "default"), answers=failing)
    chat = guest.chat()
    for _ in range(2):
        chat.run()
    assert _orders_and_prompts(guest) == ["default", "-"] * 2
    assert len([one for one in notices(chat) if "not now" in one]) == 1


# What it has not answered


def _choose(chat: Chat, value: str, setting: str = "mode") -> Pending:
    params = {"sessionId": chat.id, "settingId": setting, "value": value, "confirmed": True}
    return chat.client.start("session/setAgentOption", params)


def _cut_off(guest: Guest, chat: Chat, value: str, setting: str = "mode") -> None:
    """The user wants it, and does not wait for the answer."""
    before = len(_orders_and_prompts(guest))
    wanted = _choose(chat, value, setting)
    wait_until(lambda: len(_orders_and_prompts(guest)) > before, what="the order")
    wanted.cancel()
    with pytest.raises(RpcError):
        wanted.result()


HANGS, TAKES = {"hang": True}, dict[str, Json]()


def test_what_was_ordered_and_not_answered_is_not_known(house: House) -> None:
    guest = house.guest(
        [says("a")],
        modes=_modes("default", "yolo", "default"),
        answers={"session/set_mode": {"in_turn": [HANGS, TAKES]}},
    )
    chat = guest.chat()
    chat.run()
    assert _now(chat) == ("default", None)
    _cut_off(guest, chat, "yolo")
    wait_until(lambda: any("has not said whether it took “yolo”" in one for one in notices(chat)), what="a word")
    assert _now(chat)[0] is None and "has not said whether it took “yolo”" in _now(chat)[1]
    for _ in range(2):
        chat.run()
    assert _orders_and_prompts(guest) == ["-", "yolo", "default", "-", "-"]
    assert _now(chat) == ("default", None)


def test_while_an_answer_is_waited_for_the_mode_is_not_known(house: House) -> None:
    guest = house.guest([says("a")], modes=_modes("default", "yolo", "default"), answers={"session/set_mode": HANGS})
    chat = guest.chat()
    chat.run()
    wanted = _choose(chat, "yolo")
    wait_until(lambda: _now(chat)[0] is None, what="that it is not known")
    assert "“yolo”" in _now(chat)[1] and notices(chat) == [] and not wanted.done
    wanted.cancel()


def test_a_switch_that_was_not_answered_is_set_as_it_was(house: House) -> None:
    switch = {"id": "allow_all", "name": "Allow all", "type": "boolean", "currentValue": False}
    guest = house.guest(
        [says("a")],
        configOptions=[switch],
        answers={"session/set_config_option": {"in_turn": [HANGS, {"configOptions": [switch]}]}},
    )
    chat = guest.chat()
    chat.run()
    _cut_off(guest, chat, "true", "allow_all")
    chat.run()
    told = [one["params"]["value"] for one in guest.told("session/set_config_option")]
    assert told == [True, False] and _now(chat) == ("false", None)


def test_no_message_goes_to_an_agent_that_does_not_say_in_which_mode_it_is(house: House) -> None:
    guest = house.guest([says("a")], modes=_modes("yolo", "yolo", "default"), answers={"session/set_mode": HANGS})
    chat = guest.chat()
    run = chat.send()
    guest.wait_told("session/set_mode")
    chat.stop()
    assert run.result(within=20)["done_reason"] == "cancelled"
    again = chat.send()
    guest.wait_told("session/set_mode", 2)
    chat.stop()
    assert again.result(within=20)["done_reason"] == "cancelled"
    assert _orders_and_prompts(guest) == ["default", "default"]


def test_an_answer_that_is_none_leaves_it_unknown(house: House) -> None:
    broken = {"session/set_mode": {"error": None}}
    guest = house.guest([says("a")], modes=_modes("yolo", "yolo", "default"), answers=broken)
    chat = guest.chat()
    told = chat.send().answer()
    assert "has not said whether it took “default”" in told["result"]["message"]
    assert guest.told("session/prompt") == []


@pytest.mark.parametrize("name", ["cline", "another"])
def test_a_switch_that_ends_its_asking_is_put_off_where_it_is_known_until_the_user_puts_it_on(
    house: House, name: str
) -> None:
    on = {"id": "auto_approve", "name": "Auto-approve tools", "type": "boolean", "currentValue": True}
    off = {**on, "currentValue": False}
    answers = {"session/set_config_option": {"in_turn": [{"configOptions": [one]} for one in (off, on)]}}
    if name == "another":
        answers["session/set_config_option"]["in_turn"] = [{"configOptions": [on]}]
    chat = (guest := house.guest([says("a")], name=name, configOptions=[on], answers=answers)).chat()
    chat.run()
    assert _now(chat)[0] == ("false" if name == "cline" else "true") and (_now(chat)[1] is None) == (name == "cline")
    _choose(chat, "true", "auto_approve").result()
    chat.run()
    assert _now(chat)[0] == "true" and "without asking" in _now(chat)[1]
    assert _orders_and_prompts(guest) == [*([False] if name == "cline" else []), "-", True, "-"]
