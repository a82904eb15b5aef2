"""What is asked: a call, and with which folder, settings, agent and mode it is thought. Whatever comes is checked."""

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from assent.jsontext import NotJson, read_json
from assent.lazy_dataclasses import dataclass
from assent.model.errors import InvalidRequest
from assent.model.json import Json, JsonObject
from assent.model.modes import Mode, parse_mode
from assent.settings.faults import JsonFault
from assent.settings.jsonc import Document, parse
from assent.settings.repeated import said_in

MODES = "there are plan, ask, default and auto"


@dataclass(frozen=True, slots=True)
class Question:
    """One call to think of. What is None is as a new chat has it."""

    tool: str
    args: Json
    folder: Path
    user: JsonObject | None = None
    """The user's settings by their names without the prefix, as an editor would send them."""
    workspace: JsonObject | None = None
    """The workspace's settings, in place of those that its own file permits."""
    mode: Mode | None = None
    agent: str | None = None


def block_of(document: Document) -> JsonObject:
    """The settings of this product in the text of a settings file, by their names without the prefix."""
    said = said_in(document)
    # Where one of two spellings makes no sense, nobody knows what it was meant to restrict: it is in doubt as a whole.
    return said.values | {name: node.value for name, node in said.unclear.items()}


def mode_named(text: object) -> Mode | None:
    """The mode, or None where none is named; InvalidRequest where it is none."""
    mode = parse_mode(text)
    if mode is None and text is not None:
        raise InvalidRequest(f"there is no mode {_shown(text)}; {MODES}", "mode")
    return mode


def question_of(fields: Mapping[str, Json], folder: Path) -> Question:
    """The question of a line; `folder` where it names no workspace. InvalidRequest says what is wrong with a field."""
    tool = _text(fields, "tool")
    if not tool:
        raise InvalidRequest("a tool must be named, as text", "tool")
    return Question(
        tool=tool,
        args=fields.get("args"),
        folder=_folder(fields) or folder,
        user=_settings(fields, "userSettings"),
        workspace=_settings(fields, "workspaceSettings"),
        mode=mode_named(fields.get("mode")),
        agent=_text(fields, "agent"),
    )


def fields_of(line: bytes) -> Mapping[str, Json]:
    """The fields of a line of JSON."""
    try:
        fields = read_json(line)
    except NotJson as fault:
        raise InvalidRequest(f"the line is no JSON: {fault}") from None
    if not isinstance(fields, Mapping):
        raise InvalidRequest("the line is JSON, but no object with the fields of a call")
    return fields


def id_of(fields: Mapping[str, Json]) -> Json:
    """What the line calls itself: a text or a number."""
    name = fields.get("id")
    if isinstance(name, bool) or not isinstance(name, (str, int, float)):
        raise InvalidRequest("an id must be given, as text or number", "id")
    return name


def _text(fields: Mapping[str, Json], name: str) -> str | None:
    value = fields.get(name)
    if value is None or isinstance(value, str):
        return value
    raise InvalidRequest(f"{name} must be text", name)


def _folder(fields: Mapping[str, Json]) -> Path | None:
    text = _text(fields, "workspace")
    if text is None:
        return None
    if "\0" in text or not Path(text).is_absolute():
        raise InvalidRequest("workspace must be the whole path of a folder", "workspace")
    return Path(text)


def _settings(fields: Mapping[str, Json], name: str) -> JsonObject | None:
    value = fields.get(name)
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise InvalidRequest(f'{name} must be an object of settings, such as {{"assent.mode": "ask"}}', name)
    try:
        return _block(json.dumps(value))
    except JsonFault as fault:
        raise InvalidRequest(f"{name} cannot be used: {fault.reason}", name) from None


@lru_cache(maxsize=32)
def _block(text: str) -> JsonObject:
    """Read as the text of a file is: both spellings of a setting, and the stricter where both are there."""
    return block_of(parse(text))


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:80]}…"
