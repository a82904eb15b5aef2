"""Arguments of a call that an agent gives in more than one piece, or as text instead of as an object."""

from assent.acp.argument_words import (
    COMMANDS,
    ENVIRONMENTS,
    FOLDERS,
    FOLDERS_OF_COMMANDS,
    REST_OF_COMMAND,
    SEVERAL_COMMANDS,
    plain,
)
from assent.acp.words import Content, Text
from assent.jsontext import NotJson, read_json
from assent.model.json import Json, JsonObject

_WHAT_RUNS = (*COMMANDS, *SEVERAL_COMMANDS, *REST_OF_COMMAND)
_FOLDERS = (*FOLDERS_OF_COMMANDS, *FOLDERS)


def object_in(text: str) -> JsonObject | None:
    """The JSON object that this text is; None where it is none, or not whole yet."""
    if text.lstrip()[:1] != "{":
        return None
    try:
        value = read_json(text)
    except NotJson:
        return None
    return value if isinstance(value, dict) else None


def arguments_in(content: tuple[Content, ...] | None) -> JsonObject | None:
    """The arguments, where the whole content is the text of an object."""
    if content is None or len(content) != 1 or not isinstance(content[0], Text):
        return None
    return object_in(content[0].text)


def with_surroundings(now: Json, before: Json) -> Json:
    """Arguments as they are told now, with the folder and the variables of their command.

    Some tell those at first, and ask with the command alone: it runs there all the same.
    """
    if not isinstance(now, dict) or not isinstance(before, dict) or not now or now == before:
        return now
    if not (what := _under(_WHAT_RUNS, now)) or list(what.values()) != list(_under(_WHAT_RUNS, before).values()):
        return now
    kept: JsonObject = {}
    for names in (_FOLDERS, ENVIRONMENTS):
        if not _under(names, now):
            kept = {**kept, **_under(names, before)}
    return {**now, **kept} if kept else now


def _under(names: tuple[str, ...], arguments: JsonObject) -> JsonObject:
    return {name: value for name, value in arguments.items() if value and plain(name) in names}
