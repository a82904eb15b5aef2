"""A turn's request as this format has it."""

import hashlib
from collections.abc import Iterator, Sequence

from assent.agent.picture_marks import OF_RESULTS, pictures_of
from assent.jsontext import write_json
from assent.model.conversation import AssistantTurn, ModelRequest, ToolResults, ToolSpec, ToolUse, UserText
from assent.model.ids import CallId
from assent.model.json import Json, JsonObject
from assent.model.message_parts import Attachment
from assent.providers.dialect import ModelOptions
from assent.providers.dialects.openai_chat.thoughts import extra_contents, handed_back
from assent.providers.dialects.openai_hosts import is_one_of, is_openai
from assent.providers.fields import arguments_object, data_url

_LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def body(request: ModelRequest, options: ModelOptions, host: str, mark: str) -> JsonObject:
    """What is sent."""
    fields: dict[str, Json] = {"model": options.model, "messages": list(_messages(request, mark))}
    if request.tools:
        fields["tools"] = [_tool(tool) for tool in request.tools]
    if options.temperature is not None:
        fields["temperature"] = options.temperature
    if options.max_tokens is not None:
        # OpenAI's reasoning models refuse the old name; most other servers know nothing but the old name.
        fields["max_completion_tokens" if is_openai(host) else "max_tokens"] = options.max_tokens
    if options.thinking is not None:
        fields |= _thinking(options.thinking, host)
    fields["stream"] = request.streaming
    if request.streaming and not is_one_of(host, ".mistral.ai"):
        # Without it most servers do not count tokens in a stream. Mistral counts always, and may refuse this field.
        fields["stream_options"] = {"include_usage": True}
    return fields


def wire_id(call_id: CallId) -> str:
    """The name of a call in requests, always the same for the same call.

    Mistral and servers that use its templates take nothing but nine letters and digits; nobody minds a short name.
    """
    number = int.from_bytes(hashlib.sha256(call_id.encode(errors="surrogatepass")).digest())
    letters = []
    for _ in range(9):
        number, place = divmod(number, len(_LETTERS))
        letters.append(_LETTERS[place])
    return "".join(letters)


def _messages(request: ModelRequest, mark: str) -> Iterator[JsonObject]:
    if request.system:
        yield {"role": "system", "content": request.system}
    for message in request.messages:
        match message:
            case UserText(text):
                yield {"role": "user", "content": _content(text, message.pictures)}
            case AssistantTurn():
                # A turn that was cut before it said anything is no message: servers refuse an empty one.
                if message.text or message.calls:
                    yield _assistant(message, mark)
            case ToolResults(results):
                for one in results:
                    yield {"role": "tool", "tool_call_id": wire_id(one.call_id), "content": one.content}
                # A result is nothing but text there.
                if pictures := pictures_of(message):
                    yield {"role": "user", "content": _content(OF_RESULTS, pictures)}


def _content(text: str, pictures: Sequence[Attachment]) -> Json:
    """A plain text where there is nothing beside it: some servers take no parts."""
    if not pictures:
        return text
    return [{"type": "text", "text": text}, *map(_image, pictures)]


def _image(picture: Attachment) -> JsonObject:
    return {"type": "image_url", "image_url": {"url": data_url(picture)}}


def _assistant(turn: AssistantTurn, mark: str) -> JsonObject:
    message: dict[str, Json] = {"role": "assistant", "content": turn.text or None}
    if turn.calls:
        extras = extra_contents(turn, mark)
        message["tool_calls"] = [_call(use, extras.get(place)) for place, use in enumerate(turn.calls)]
        message |= handed_back(turn, mark, [wire_id(use.call_id) for use in turn.calls])
    return message


def _call(use: ToolUse, extra: Json) -> JsonObject:
    # Servers read the arguments of earlier calls to fill their templates, and fail where they are no JSON object.
    arguments = write_json(arguments_object(use.args)).decode("ascii")
    function: JsonObject = {"name": use.tool, "arguments": arguments}
    call: dict[str, Json] = {"id": wire_id(use.call_id), "type": "function", "function": function}
    return call if extra is None else {**call, "extra_content": extra}


def _tool(tool: ToolSpec) -> JsonObject:
    function: JsonObject = {"name": tool.name, "description": tool.description, "parameters": tool.schema}
    return {"type": "function", "function": function}


def _thinking(wanted: bool, host: str) -> JsonObject:
    """There is no common word for it. Where none is known, the server's own settings stand."""
    if is_one_of(host, "openrouter.ai"):
        return {"reasoning": {"enabled": wanted}}
    if is_one_of(host, "api.deepseek.com"):
        return {"thinking": {"type": "enabled" if wanted else "disabled"}}
    return {}
