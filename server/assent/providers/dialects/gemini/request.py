"""The body of :generateContent and :streamGenerateContent.

Contents alternate between user and model, and no part may be empty: what stands side by side is put together, what is
empty is left out. All results of a turn are in one content, right after the content with its calls.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from assent.agent.picture_marks import pictures_of
from assent.model.conversation import AssistantTurn, ModelRequest, Spoken, ToolOutcome, ToolResults, ToolSpec, UserText
from assent.model.ids import CallId
from assent.model.json import Json, JsonObject
from assent.model.message_parts import Attachment
from assent.providers.dialect import ModelOptions
from assent.providers.dialects.gemini import memos
from assent.providers.dialects.gemini.memos import Part
from assent.providers.dialects.gemini.schema import parameters
from assent.providers.fields import arguments_object

# Gemini 3 and later refuse a call of the turn at hand whose thought was not signed, unless it says so with these words:
# it was made by another model, or its signature was lost.
_WANTS_SIGNATURES = re.compile(r"(?:.*/)?gemini-(?:[3-9]|\d\d)")
_NOT_SIGNED = "skip_thought_signature_validator"
_GO_ON = "Your answer was cut off here. Go on."


def body(request: ModelRequest, options: ModelOptions) -> JsonObject:
    """The request for one turn."""
    marks = _WANTS_SIGNATURES.match(options.model) is not None
    whole: dict[str, Json] = {"contents": _contents(request.messages, marks_unsigned=marks)}
    if request.system:
        whole["systemInstruction"] = {"parts": [{"text": request.system}]}
    if request.tools:
        whole["tools"] = [{"functionDeclarations": [_declaration(spec) for spec in request.tools]}]
    if settings := _settings(options):
        whole["generationConfig"] = settings
    return whole


def _settings(options: ModelOptions) -> dict[str, Json]:
    values: dict[str, Json] = {"temperature": options.temperature, "maxOutputTokens": options.max_tokens}
    settings: dict[str, Json] = {name: value for name, value in values.items() if value is not None}
    if options.thinking:
        # Whether a model thinks is for Gemini to say, and differs from model to model; this asks to be told.
        settings["thinkingConfig"] = {"includeThoughts": True}
    return settings


def _declaration(spec: ToolSpec) -> JsonObject:
    declared: dict[str, Json] = {"name": spec.name, "description": spec.description}
    if schema := parameters(spec.schema):
        declared["parametersJsonSchema"] = schema
    return declared


def _contents(messages: Sequence[Spoken], *, marks_unsigned: bool) -> list[JsonObject]:
    asked = max((place for place, message in enumerate(messages) if isinstance(message, UserText)), default=-1)
    ids: dict[CallId, Json] = {}
    contents: list[tuple[str, list[Part]]] = []
    for place, message in enumerate(messages):
        role = "model" if isinstance(message, AssistantTurn) else "user"
        parts = list(_parts(message, ids, marks_unsigned=marks_unsigned and place > asked))
        if parts and contents and contents[-1][0] == role:
            contents[-1][1].extend(parts)
        elif parts:
            contents.append((role, parts))
    if contents and contents[-1][0] == "model":
        # It is asked once more after its answer was cut off: the last word has to be the user's.
        contents.append(("user", [{"text": _GO_ON}]))
    return [{"role": role, "parts": parts} for role, parts in contents]


def _parts(message: Spoken, ids: dict[CallId, Json], *, marks_unsigned: bool) -> Iterator[Part]:
    match message:
        case UserText(text):
            if text:
                yield {"text": text}
            yield from map(_image, message.pictures)
        case AssistantTurn():
            yield from memos.spoken(message)
            yield from _calls(message, ids, marks_unsigned=marks_unsigned)
        case ToolResults(results):
            yield from (_result(outcome, ids) for outcome in results)
            # Beside the results, in the same message: only the newest models take them inside.
            yield from map(_image, pictures_of(message))


def _image(picture: Attachment) -> Part:
    return {"inlineData": {"mimeType": picture.mime, "data": picture.content}}


def _calls(turn: AssistantTurn, ids: dict[CallId, Json], *, marks_unsigned: bool) -> Iterator[Part]:
    for number, (use, kept) in enumerate(zip(turn.calls, memos.calls(turn), strict=True)):
        call: dict[str, Json] = {"name": use.tool, "args": arguments_object(use.args)}
        part: Part = {"functionCall": call}
        if "id" in kept:
            ids[use.call_id] = call["id"] = kept["id"]
        if signature := kept.get("thoughtSignature"):
            part["thoughtSignature"] = signature
        elif marks_unsigned and number == 0:
            part["thoughtSignature"] = _NOT_SIGNED
        yield part


def _result(outcome: ToolOutcome, ids: Mapping[CallId, Json]) -> Part:
    said = {"error" if outcome.is_error else "output": outcome.content}
    response: dict[str, Json] = {"name": outcome.tool, "response": said}
    if outcome.call_id in ids:
        response["id"] = ids[outcome.call_id]
    return {"functionResponse": response}
