"""Modes, models and options of a session, in every way in which agents offer them."""

from typing import Any

import pytest

from assent.acp.reading import opened_of
from assent.acp.settings_reading import settings_of
from assent.acp.words import Choice, Setting

MODES = {
    "currentModeId": "default",
    "availableModes": [{"id": "default", "name": "Default", "description": "Asks"}, {"id": "yolo", "name": "YOLO"}],
}
MODELS = {"currentModelId": "big", "availableModels": [{"modelId": "big", "name": "Big"}, {"modelId": "small"}]}
AS_MODES = Setting(
    "mode", "Mode", "mode", "default", (Choice("default", "Default", "Asks"), Choice("yolo", "YOLO")), by_option=False
)
AS_MODELS = Setting("model", "Model", "model", "big", (Choice("big", "Big"), Choice("small", "small")), by_option=False)


def select(setting_id: str, category: str | None, *values: str) -> dict[str, Any]:
    """A config option."""
    return {
        "id": setting_id,
        "name": setting_id.title(),
        "category": category,
        "type": "select",
        "currentValue": values[0],
        "options": [{"value": value, "name": value.title()} for value in values],
    }


def settings(**result: Any) -> tuple[Setting, ...]:
    opened = opened_of({"sessionId": "s", **result})
    assert opened is not None
    return opened.settings


def test_modes_and_models_without_options() -> None:
    assert settings(modes=MODES, models=MODELS) == (AS_MODES, AS_MODELS)


def test_only_an_option() -> None:
    (mode,) = settings(configOptions=[select("mode", "mode", "build", "plan")])

    assert mode.by_option
    assert mode.current == "build"


def test_the_same_in_two_ways_counts_once_and_the_option_wins() -> None:
    found = settings(
        modes=MODES,
        models=MODELS,
        configOptions=[select("mode", "mode", "default", "yolo"), select("model", None, "big", "small")],
    )

    assert [(one.setting_id, one.by_option) for one in found] == [("mode", True), ("model", True)]


def test_modes_that_mean_something_else_stay_beside_the_option() -> None:
    agents = {"currentModeId": "coder", "availableModes": [{"id": "coder", "name": "Coder"}]}

    found = settings(modes=agents, configOptions=[select("asking", "mode", "default", "yolo")])

    assert [(one.setting_id, one.by_option) for one in found] == [("mode", False), ("asking", True)]


def test_options_in_groups_and_on_or_off() -> None:
    grouped = {
        "id": "model",
        "name": "Model",
        "type": "select",
        "currentValue": "b",
        "options": [{"group": "g", "name": "G", "options": [{"value": "a", "name": "A"}, {"value": "b", "name": "B"}]}],
    }
    switch = {"id": "allow_all", "name": "Allow all", "type": "boolean", "currentValue": False}

    model, allow = settings_of([grouped, switch])

    assert model.choices == (Choice("a", "A"), Choice("b", "B"))
    assert (allow.current, [choice.choice_id for choice in allow.choices]) == ("false", ["true", "false"])


def test_what_is_twice_counts_once() -> None:
    assert [one.current for one in settings_of([select("m", None, "a"), select("m", None, "b")])] == ["a"]


@pytest.mark.parametrize(
    "broken", [None, {}, "x", [None, 1, {"id": 3}, {"id": "m"}, {"name": "n", "currentValue": "v"}]]
)
def test_what_cannot_be_read_is_left_out(broken: Any) -> None:
    assert settings_of(broken) == ()


def test_a_session_that_was_named_before_needs_no_name() -> None:
    loaded = opened_of({"modes": MODES}, "s")

    assert loaded is not None
    assert (loaded.session_id, loaded.settings) == ("s", (AS_MODES,))
    assert opened_of({"modes": MODES}) is None
    assert opened_of(None) is None
