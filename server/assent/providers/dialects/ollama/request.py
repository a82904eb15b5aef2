"""The body of POST /api/chat.

Ollama gives a model a small context by default. What does not fit it would leave out from the beginning, without a
word, and with it what the user forbade: `truncate` and `shift` forbid that, so that it is an error that can be told,
or the end of the answer for its length. `contextWindow` of the agent becomes `num_ctx`. Servers that do not know these
fields ignore them. `keep_alive` is the server's own.
"""

from collections.abc import Iterator, Sequence

from assent.agent.picture_marks import OF_RESULTS, pictures_of
from assent.model.conversation import (
    AssistantTurn,
    ModelRequest,
    Spoken,
    ToolOutcome,
    ToolResults,
    ToolSpec,
    ToolUse,
    UserText,
)
from assent.model.json import Json, JsonObject
from assent.model.message_parts import Attachment
from assent.providers.dialect import ModelOptions
from assent.providers.fields import arguments_object


def body(request: ModelRequest, options: ModelOptions) -> JsonObject:
    """The request for one turn."""
    whole: dict[str, Json] = {
        "model": options.model,
        "messages": [*_system(request.system), *_messages(request.messages)],
        "stream": request.streaming,
        "truncate": False,
        "shift": False,
    }
    if request.tools:
        whole["tools"] = [_tool(spec) for spec in request.tools]
    if options.thinking is not None:
        # A model that cannot think refuses a request that asks it to: it is only asked where the user said so.
        whole["think"] = options.thinking
    if settings := _settings(options):
        whole["options"] = settings
    return whole


def _settings(options: ModelOptions) -> dict[str, Json]:
    values: dict[str, Json] = {
        "num_ctx": options.context_window,
        "temperature": options.temperature,
        "num_predict": options.max_tokens,
    }
    return {name: value for name, value in values.items() if value is not None}


def _tool(spec: ToolSpec) -> JsonObject:
    function: JsonObject = {"name": spec.name, "description": spec.description, "parameters": spec.schema}
    return {"type": "function", "function": function}


def _system(text: str) -> list[JsonObject]:
    return [{"role": "system", "content": text}] if text else []


def _messages(messages: Sequence[Spoken]) -> Iterator[JsonObject]:
    asked = max((place for place, message in enumerate(messages) if isinstance(message, UserText)), default=-1)
    for place, message in enumerate(messages):
        match message:
            case UserText(text):
                yield _user(text, message.pictures)
            case AssistantTurn():
                # Models go on from what they thought since the user spoke; what is older only takes up room.
                yield from _turn(message, with_thinking=place > asked)
            case ToolResults(results):
                yield from map(_result, results)
                # Templates leave pictures of a result out without a word.
                if pictures := pictures_of(message):
                    yield _user(OF_RESULTS, pictures)


def _user(text: str, pictures: Sequence[Attachment]) -> JsonObject:
    images: JsonObject = {"images": [one.content for one in pictures]} if pictures else {}
    return {"role": "user", "content": text, **images}


def _turn(turn: AssistantTurn, *, with_thinking: bool) -> Iterator[JsonObject]:
    if not (turn.text or turn.calls):
        return
    message: dict[str, Json] = {"role": "assistant", "content": turn.text}
    if turn.thinking and with_thinking:
        message["thinking"] = turn.thinking
    if turn.calls:
        message["tool_calls"] = [_call(use) for use in turn.calls]
    yield message


def _call(use: ToolUse) -> JsonObject:
    return {"function": {"name": use.tool, "arguments": arguments_object(use.args)}}


def _result(outcome: ToolOutcome) -> JsonObject:
    return {"role": "tool", "tool_name": outcome.tool, "content": outcome.content}
