"""Arguments as pydantic models: the schema for the model, and the check of what it sends."""

from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from assent.model.json import JsonObject
from assent.tools.names import name_fault


class Arguments(BaseModel):
    """The base of every tool's arguments: nothing is coerced, nothing unknown is accepted."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


def schema_of(arguments: type[Arguments]) -> JsonObject:
    """The JSON schema that a model is told."""
    schema: dict[str, Any] = arguments.model_json_schema()
    schema.pop("title", None)
    for member in schema.get("properties", {}).values():
        member.pop("title", None)
    return schema


def schema_fault(arguments: type[Arguments], args: JsonObject) -> str | None:
    """What is wrong with these arguments, by place, or None."""
    try:
        arguments.model_validate(args)
    except ValidationError as fault:
        lines = [
            f"{_place(error['loc'])}: {error['msg']}" for error in fault.errors(include_input=False, include_url=False)
        ]
        return "The arguments do not fit. " + "; ".join(lines)
    return None


def path_fault(path: str, roots: tuple[str, ...]) -> str | None:
    """What is wrong with the text of a path, or None."""
    fault = name_fault(path, roots)
    return None if fault is None else f"The arguments do not fit. path: {fault}"


def _place(location: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in location) or "arguments"
