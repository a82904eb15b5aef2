"""A conversation as the Messages API takes it.

It is strict: users and the model alternate, the user begins and ends; no text is empty; the results of a turn come
together, first in the message after it; thoughts come back as they were, and never end a turn.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from assent.model.conversation import AssistantTurn, ModelRequest, Spoken, ToolOutcome, ToolResults, ToolSpec, UserText
from assent.model.json import Json, JsonObject
from assent.model.message_parts import Attachment
from assent.providers.dialect import ModelOptions
from assent.providers.fields import arguments_object

Block = dict[str, Json]

DIALECT = "anthropic"
MOST_TOKENS = 8192
"""Of an answer, where the settings do not say: this server wants to be told."""
LEAST_THINKING = 1024
_CACHED: Block = {"cache_control": {"type": "ephemeral"}}
_CACHED_MESSAGES = 2
"""With the tools and the system prompt these are the four marks that are allowed."""
_FIRST_THAT_ADAPTS = (4, 6)
_NUMBER = re.compile(r"(?<!\d)\d{1,2}(?!\d)")


def body(request: ModelRequest, options: ModelOptions) -> JsonObject:
    """The request for one turn."""
    said: dict[str, Json] = {
        "model": options.model,
        "max_tokens": options.max_tokens or MOST_TOKENS,
        "messages": _messages(request.messages),
        "stream": request.streaming,
    }
    if request.system.strip():
        said["system"] = [_text(request.system) | _CACHED]
    if request.tools:
        said["tools"] = _tools(request.tools)
    if options.temperature is not None and not options.thinking:
        said["temperature"] = options.temperature
    if options.thinking is not None:
        said |= _thinking(options, options.max_tokens or MOST_TOKENS)
    return said


def _thinking(options: ModelOptions, most_tokens: int) -> Block:
    if not options.thinking:
        return {"thinking": {"type": "disabled"}}
    if _adapts(options.model):
        return {"thinking": {"type": "adaptive", "display": "summarized"}}
    budget = max(most_tokens // 2, LEAST_THINKING)
    return {
        "max_tokens": max(most_tokens, 2 * LEAST_THINKING),
        "thinking": {"type": "enabled", "budget_tokens": budget},
    }


def _adapts(model: str) -> bool:
    """Whether the model chooses how much to think; older ones want a number, newer ones refuse it."""
    numbers = [int(found) for found in _NUMBER.findall(model)[:2]]
    return not numbers or tuple([*numbers, 0][:2]) >= _FIRST_THAT_ADAPTS


def _tools(tools: Sequence[ToolSpec]) -> list[Block]:
    described = [_tool(tool) for tool in tools]
    described[-1] |= _CACHED
    return described


def _tool(tool: ToolSpec) -> Block:
    return {"name": tool.name, "description": tool.description, "input_schema": {"type": "object"} | dict(tool.schema)}


def _messages(history: Sequence[Spoken]) -> list[Json]:
    turns = _alternating(history)
    if not turns or turns[0][0] != "user":
        turns.insert(0, ("user", [_text("(What was said before is left out.)")]))
    if turns[-1][0] != "user":
        turns.append(("user", [_text("(Your answer broke off here. Go on.)")]))
    asked = [blocks for role, blocks in turns if role == "user"]
    for blocks in asked[-_CACHED_MESSAGES:]:
        blocks[-1] |= _CACHED
    return [{"role": role, "content": blocks} for role, blocks in turns]


def _alternating(history: Sequence[Spoken]) -> list[tuple[str, list[Block]]]:
    """Role and blocks; what has nothing to say is left out, and what follows another of its role joins it."""
    turns: list[tuple[str, list[Block]]] = []
    for message in history:
        role = "assistant" if isinstance(message, AssistantTurn) else "user"
        blocks = [*_blocks(message)]
        if not blocks:
            continue
        if turns and turns[-1][0] == role:
            turns[-1][1].extend(blocks)
        else:
            turns.append((role, blocks))
    return turns


def _blocks(message: Spoken) -> Iterable[Block]:
    match message:
        case UserText(text):
            return [_text(text if text.strip() else "(No text.)"), *map(_image, message.pictures)]
        case ToolResults(results):
            return map(_result, results)
        case AssistantTurn():
            return _turn(message)


def _turn(turn: AssistantTurn) -> Iterator[Block]:
    """Thoughts stand where they stood among the calls. Those that nothing follows are of no use, and not taken."""
    if not turn.text.strip() and not turn.calls:
        return
    yield from _thoughts(turn, 0)
    if turn.text.strip():
        yield _text(turn.text)
    for place, use in enumerate(turn.calls):
        if place:
            yield from _thoughts(turn, place)
        yield {"type": "tool_use", "id": use.call_id, "name": use.tool, "input": arguments_object(use.args)}


def _thoughts(turn: AssistantTurn, before: int) -> Iterator[Block]:
    for memo in turn.memos:
        if memo.dialect == DIALECT and memo.before == before and isinstance(memo.value, Mapping):
            yield dict(memo.value)


def _result(outcome: ToolOutcome) -> Block:
    block: Block = {"type": "tool_result", "tool_use_id": outcome.call_id}
    if outcome.pictures:
        block["content"] = [_text(outcome.content or "(No text.)"), *map(_image, outcome.pictures)]
    elif outcome.content:
        block["content"] = outcome.content
    if outcome.is_error:
        block["is_error"] = True
    return block


def _image(picture: Attachment) -> Block:
    return {"type": "image", "source": {"type": "base64", "media_type": picture.mime, "data": picture.content}}


def _text(text: str) -> Block:
    return {"type": "text", "text": text}
