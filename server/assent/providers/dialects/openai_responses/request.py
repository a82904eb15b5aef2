"""A turn's request as this format has it."""

import re
from collections.abc import Iterator

from assent.jsontext import write_json
from assent.model.conversation import AssistantTurn, ModelRequest, ToolOutcome, ToolResults, ToolSpec, ToolUse, UserText
from assent.model.json import Json, JsonObject
from assent.model.message_parts import Attachment
from assent.providers.dialect import ModelOptions
from assent.providers.fields import arguments_object, data_url, member

_REASONS = re.compile(r"(?:.*/)?(?:o\d|gpt-[5-9](?!\.?\d*-chat)|codex)", re.IGNORECASE)
"""Models of OpenAI that reason, also where somebody else's name stands before a slash."""


def body(request: ModelRequest, options: ModelOptions, mark: str) -> JsonObject:
    """What is sent."""
    reasons = _reasons(options)
    fields: dict[str, Json] = {
        "model": options.model,
        "input": list(_input(request, mark if reasons else None)),
        "stream": request.streaming,
        "store": False,
    }
    if request.system:
        fields["instructions"] = request.system
    if request.tools:
        fields["tools"] = [_tool(tool) for tool in request.tools]
    if options.temperature is not None:
        fields["temperature"] = options.temperature
    if options.max_tokens is not None:
        fields["max_output_tokens"] = options.max_tokens
    if reasons:
        # As the server keeps nothing, its reasoning is lost unless it is handed back. A model that does not reason
        # refuses this field and the reasoning of another model as well.
        fields["include"] = ["reasoning.encrypted_content"]
    if options.thinking:
        # Not by itself: some accounts may not see summaries, and then the whole request is refused.
        fields["reasoning"] = {"summary": "auto"}
    return fields


def _reasons(options: ModelOptions) -> bool:
    """As the user says, or else as the name of the model tells."""
    return options.thinking if options.thinking is not None else bool(_REASONS.match(options.model))


def _input(request: ModelRequest, mark: str | None) -> Iterator[JsonObject]:
    for message in request.messages:
        match message:
            case UserText(text):
                parts: list[Json] = [{"type": "input_text", "text": text}, *map(_image, message.pictures)]
                yield {"type": "message", "role": "user", "content": parts}
            case AssistantTurn():
                yield from _turn(message, mark)
            case ToolResults(results):
                for one in results:
                    yield {"type": "function_call_output", "call_id": one.call_id, "output": _output(one)}


def _output(outcome: ToolOutcome) -> Json:
    """A plain text where there is nothing beside it: other servers of this format take no parts."""
    if not outcome.pictures:
        return outcome.content
    return [{"type": "input_text", "text": outcome.content}, *map(_image, outcome.pictures)]


def _image(picture: Attachment) -> JsonObject:
    return {"type": "input_image", "image_url": data_url(picture), "detail": "auto"}


def _turn(turn: AssistantTurn, mark: str | None) -> Iterator[JsonObject]:
    """Reasoning stands before what it led to. Where that is missing, it is left out: alone it is refused."""
    for place, use in enumerate(turn.calls):
        yield from _reasoning(turn, mark, place)
        if place == 0:
            yield from _said(turn)
        yield _call(use)
    if not turn.calls and turn.text:
        yield from _reasoning(turn, mark, 0)
        yield from _said(turn)


def _reasoning(turn: AssistantTurn, mark: str | None, place: int) -> Iterator[JsonObject]:
    for memo in turn.memos:
        item = member(memo.value, "item")
        if memo.dialect == mark and memo.before == place and isinstance(item, dict):
            yield item


def _said(turn: AssistantTurn) -> Iterator[JsonObject]:
    if turn.text:
        # A plain text: parts of an earlier answer would want the id that the server gave it.
        yield {"type": "message", "role": "assistant", "content": turn.text}


def _call(use: ToolUse) -> JsonObject:
    # Some servers read the arguments of earlier calls, and fail where they are no JSON object.
    arguments = write_json(arguments_object(use.args)).decode("ascii")
    return {"type": "function_call", "call_id": use.call_id, "name": use.tool, "arguments": arguments}


def _tool(tool: ToolSpec) -> JsonObject:
    # Strict schemas allow no optional arguments, and our tools have some.
    words: JsonObject = {"name": tool.name, "description": tool.description, "parameters": tool.schema}
    return {"type": "function", **words, "strict": False}
