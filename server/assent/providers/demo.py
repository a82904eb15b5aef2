"""The demo agent: a small rule-based model behind the same port as the real ones. It needs no key and no network."""

import json
import re
from collections.abc import AsyncGenerator, Iterator, Mapping

from assent.media.drawing import RULES, asked
from assent.model.conversation import (
    AssistantTurn,
    BlockEnd,
    CallArguments,
    CallStart,
    Delta,
    Message,
    ModelRequest,
    StopReason,
    TextDelta,
    ToolOutcome,
    ToolResults,
    TurnEnd,
    UserText,
)
from assent.model.json import JsonObject
from assent.model.message_parts import own_words
from assent.providers.demo_drawing import drawn
from assent.providers.demo_words import answer_to
from assent.providers.requests import understand
from assent.providers.wish import Plan, Wish
from assent.runtime.clock import Clock

_AGAIN = re.compile(r"Please try this call again, it did not run: (?P<tool>[a-z_]+) (?P<headline>.*)", re.DOTALL)
PACE_SECONDS = 0.015
EXCERPT = 1_500
_TOLD_PLAINLY = frozenset(
    {"write_file", "edit_file", "generate_image", "text_to_speech", "todo_write", "ui_open_file", "ui_show_diff"}
)
"""Tools whose results are sentences. What others give is quoted."""
_NAMING = ("path", "command", "url")


class DemoProvider:
    """Answers with streamed text and tool calls, one group of the request per turn."""

    def __init__(self, clock: Clock, pace: float = PACE_SECONDS) -> None:
        self._clock = clock
        self._pace = pace

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Delta, None]:
        """Plays the turn that the conversation has come to."""
        for delta in _turn(request):
            yield delta
            if isinstance(delta, TextDelta) and self._pace > 0:
                await self._clock.sleep(self._pace)


def _turn(request: ModelRequest) -> Iterator[Delta]:
    prompt, since = _last_prompt(request.messages)
    if request.system == RULES and (picture := asked(prompt)) is not None:
        yield TextDelta(drawn(picture))
        yield TurnEnd()
        return
    plan = _once_more(prompt, request.messages) or understand(prompt)
    if plan is None:
        yield from _say(answer_to(prompt))
        yield TurnEnd()
        return
    made = sum(isinstance(message, AssistantTurn) for message in since)
    missing = _missing(plan, {tool.name for tool in request.tools})
    if missing is not None:
        yield from _say(f"I cannot {missing.words}: I have no tool for that here. Nothing was done.")
        yield TurnEnd()
        return
    results = since[-1].results if since and isinstance(since[-1], ToolResults) else ()
    if results:
        yield from _say(_report(results))
    if any(result.is_error for result in results):
        yield from _say(" I stop here." if made < len(plan) else "")
    elif made < len(plan):
        yield from _begin(plan, made)
        return
    yield TurnEnd()


def _once_more(prompt: str, messages: tuple[Message, ...]) -> Plan | None:
    """What the page sends when the user asks for a call again: the latest call of that tool that fits its headline."""
    asked = _AGAIN.match(prompt)
    turns = (message for message in reversed(messages) if isinstance(message, AssistantTurn))
    uses = (use for turn in turns for use in reversed(turn.calls)) if asked else ()
    for use in uses:
        args = use.args
        if asked and use.tool == asked["tool"] and isinstance(args, Mapping) and _is_named_in(asked["headline"], args):
            return ((Wish(use.tool, args, f"try {use.tool} again"),),)
    return None


def _is_named_in(headline: str, args: JsonObject) -> bool:
    """Whether the headline speaks of a call with these arguments: it names its path, command, address or node."""
    named = [args[key] for key in _NAMING if key in args]
    if isinstance(node := args.get("node_type"), str):
        # Of a tool of a server, the headline has the last part.
        named.append(node.rpartition(".")[2])
    return all(isinstance(value, str) and value.split("\n", 1)[0][:100] in headline for value in named)


def _missing(plan: Plan, offered: set[str]) -> Wish | None:
    """The first part of the plan that cannot be done. It is looked for before anything is done."""
    return next((wish for group in plan for wish in group if wish.tool not in offered), None)


def _begin(plan: Plan, index: int) -> Iterator[Delta]:
    group = plan[index]
    lead = "Next, I will" if index else "I will"
    yield from _say(f"{lead} {_listed([wish.words for wish in group])}.")
    for number, wish in enumerate(group):
        yield from _call(number + 1, wish)
    yield TurnEnd(StopReason.TOOL_USE)


def _call(index: int, wish: Wish) -> Iterator[Delta]:
    yield CallStart(index, wish.tool)
    text = json.dumps(wish.args)
    for start in range(0, len(text), 24):
        yield CallArguments(index, text[start : start + 24])
    yield BlockEnd(index)


def _say(text: str) -> Iterator[Delta]:
    for word in text.split(" "):
        if word:
            yield TextDelta(word + " ")


def _last_prompt(messages: tuple[Message, ...]) -> tuple[str, tuple[Message, ...]]:
    for place in range(len(messages) - 1, -1, -1):
        message = messages[place]
        if isinstance(message, UserText):
            return own_words(message.text), messages[place + 1 :]
    return "", messages


def _report(results: tuple[ToolOutcome, ...]) -> str:
    return "\n\n".join(_sentence(result) for result in results)


def _sentence(result: ToolOutcome) -> str:
    if result.is_error:
        return _trouble(result)
    if result.tool in _TOLD_PLAINLY:
        return result.content
    body = result.content if len(result.content) <= EXCERPT else result.content[:EXCERPT] + "\n…"
    whose = "The sub-agent says" if result.tool == "run_subtask" else result.path or result.tool
    return f"{whose}:\n\n{_fenced(body)}\n\n"


def _fenced(body: str) -> str:
    fence = "```"
    while fence in body:
        fence += "`"
    return f"{fence}\n{body}\n{fence}"


def _trouble(result: ToolOutcome) -> str:
    if result.ran:
        return f"{result.tool} did not work: {result.content}"
    refusal = json.loads(result.content)
    if not refusal["message"].startswith("The user "):
        return f"{result.tool} did not run. {refusal['message']}"
    said = f" You said: “{refusal['feedback']}”." if refusal.get("feedback") else ""
    return f"You did not allow {result.tool}, so it did not run.{said}"


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]
