"""The models that a server of OpenAI's kind has. It tells their names; what else it tells differs."""

from collections.abc import Iterator

from assent.model.json import Json
from assent.providers.dialect import ModelInfo
from assent.providers.fields import count_in, items, member, text_in

_WINDOWS = ("context_length", "max_model_len", "context_window", "max_context_length")


def models(answer: Json) -> Iterator[ModelInfo]:
    """One for each entry that has a name. Some servers answer with the bare list."""
    for one in items(member(answer, "data")) or items(answer):
        if name := text_in(member(one, "id")):
            yield ModelInfo(name, _window(one), _tools(one))


def _window(one: Json) -> int | None:
    places = [member(one, name) for name in _WINDOWS] + [member(member(one, "meta"), "n_ctx")]
    return next((window for place in places if (window := count_in(place))), None)


def _tools(one: Json) -> bool | None:
    parameters = member(one, "supported_parameters")
    if isinstance(parameters, list):
        return "tools" in parameters
    able = member(member(one, "capabilities"), "function_calling")
    return able if isinstance(able, bool) else None
