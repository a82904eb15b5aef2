"""Whether a value is what its setting takes, as it is declared."""

from functools import cache
from typing import TYPE_CHECKING, Any, get_args, get_origin

from assent.model.json import Json

if TYPE_CHECKING:
    from pydantic import TypeAdapter

    from assent.settings.declaring import About


def check(key: str, value: Json) -> str | None:
    """What this setting should be, as the end of a sentence; None where the value is that. Null is no value."""
    return None if _is_of_type(_adapter(key), value) else _about(key).expected


def check_item(key: str, value: Json) -> str | None:
    """The same for one entry: a pattern of the rules, an agent, a directory, the switch beside an agent's name."""
    return None if _is_of_type(_item_adapter(key), value) else _about(key).item


def _is_of_type(adapter: "TypeAdapter[Any]", value: Json) -> bool:
    from pydantic import ValidationError

    try:
        adapter.validate_python(value, strict=True)
    except ValidationError:
        return False
    return True


@cache
def _adapter(key: str) -> "TypeAdapter[Any]":
    from pydantic import TypeAdapter

    from assent.settings.declared import declared

    return TypeAdapter(declared()[key].type)


@cache
def _item_adapter(key: str) -> "TypeAdapter[Any]":
    from pydantic import TypeAdapter

    from assent.settings.declared import declared

    hint = get_args(declared()[key].type)[0]
    while get_origin(hint) in (list, dict):
        hint = get_args(hint)[-1]
    return TypeAdapter(hint)


def _about(key: str) -> "About":
    from assent.settings.declared import declared

    return declared()[key].about
