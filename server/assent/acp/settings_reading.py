"""What can be chosen in a session of an agent: its modes, its models and its config options, each once."""

from collections.abc import Iterator

from assent.acp.fields import description_in, items, member, name_in, text_in
from assent.acp.words import Choice, Setting
from assent.model.json import Json

MODE = "mode"
MODEL = "model"
ON, OFF = "true", "false"
"""The choices of an option that is either on or off."""


def settings_of(config_options: Json) -> tuple[Setting, ...]:
    """The config options; where two have one id, the first."""
    found: dict[str, Setting] = {}
    for value in items(config_options):
        setting = _option(value)
        if setting is not None:
            found.setdefault(setting.setting_id, setting)
    return tuple(found.values())


def every_setting(result: Json) -> tuple[Setting, ...]:
    """All of an answer that opens a session. What is offered in two ways counts once, and the config option wins."""
    options = settings_of(member(result, "configOptions"))
    told = (
        _plain(MODE, "Mode", member(result, "modes"), "currentModeId", "availableModes", "id"),
        _plain(MODEL, "Model", member(result, "models"), "currentModelId", "availableModels", "modelId"),
    )
    return (*(one for one in told if one is not None and not _is_among(one, options)), *options)


def _is_among(plain: Setting, options: tuple[Setting, ...]) -> bool:
    """Whether an option chooses the same: it is of this sort, and knows one of the choices.

    An agent may use its modes for something else, and have an option for what others call modes.
    """
    known = {choice.choice_id for choice in plain.choices}
    return any(
        plain.category in (option.category, option.setting_id)
        and (not known or any(choice.choice_id in known for choice in option.choices))
        for option in options
    )


def _plain(category: str, name: str, state: Json, current: str, available: str, key: str) -> Setting | None:
    now, choices = text_in(member(state, current)), _choices(member(state, available), key)
    if now is None and not choices:
        return None
    return Setting(category, name, category, now, choices, by_option=False)


def _option(value: Json) -> Setting | None:
    setting_id, now = text_in(member(value, "id")), member(value, "currentValue")
    if setting_id is None:
        return None
    name = name_in(member(value, "name")) or setting_id
    category = name_in(member(value, "category"))
    if isinstance(now, bool):
        choices: tuple[Choice, ...] = (Choice(ON, "On"), Choice(OFF, "Off"))
        return Setting(setting_id, name, category, ON if now else OFF, choices)
    choices = _choices(tuple(_ungrouped(member(value, "options"))), "value")
    current = text_in(now)
    return None if current is None and not choices else Setting(setting_id, name, category, current, choices)


def _ungrouped(value: Json) -> Iterator[Json]:
    for one in items(value):
        if member(one, "group") is not None and member(one, "value") is None:
            yield from items(member(one, "options"))
        else:
            yield one


def _choices(value: Json, key: str) -> tuple[Choice, ...]:
    found: dict[str, Choice] = {}
    for one in items(value):
        choice_id = text_in(member(one, key))
        if choice_id is not None:
            name = name_in(member(one, "name")) or choice_id
            found.setdefault(choice_id, Choice(choice_id, name, description_in(member(one, "description"))))
    return tuple(found.values())
