"""Names of tools as every model server takes them, and back.

Servers want letters, digits, _ and -, at most 64 of them, a letter or _ first. Our names may hold dots and more. The
provider renames what it sends and what comes back, so that no dialect needs to know.
"""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import replace

from assent.model.conversation import (
    AssistantTurn,
    CallStart,
    Delta,
    ModelRequest,
    Spoken,
    ToolResults,
)

LONGEST = 64
_FITS = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}\Z")
_UNFIT = re.compile(r"[^A-Za-z0-9_-]")


class ToolNames:
    """The names of one request. Those of its tools come first; then those that a model made up earlier in the chat."""

    def __init__(self, request: ModelRequest) -> None:
        self._sent: dict[str, str] = {}
        self._ours: dict[str, str] = {}
        offered = dict.fromkeys(tool.name for tool in request.tools)
        made_up = (name for name in dict.fromkeys(_spoken(request.messages)) if name not in offered)
        for names in (tuple(offered), tuple(made_up)):
            for name in sorted(names, key=_is_unfit):
                self._take(name)

    def sent(self, name: str) -> str:
        """As the server knows it."""
        return self._sent.get(name, name)

    def ours(self, name: str) -> str:
        """The name that the server means; one that it was never told stays as it is."""
        return self._ours.get(name, name)

    def request(self, request: ModelRequest) -> ModelRequest:
        """The same request in names that can be sent."""
        if all(name == sent for name, sent in self._sent.items()):
            return request
        tools = tuple(replace(tool, name=self.sent(tool.name)) for tool in request.tools)
        return replace(request, tools=tools, messages=tuple(self._message(message) for message in request.messages))

    def delta(self, delta: Delta) -> Delta:
        """What the server answered, in our names."""
        return replace(delta, tool=self.ours(delta.tool)) if isinstance(delta, CallStart) else delta

    def _message(self, message: Spoken) -> Spoken:
        if isinstance(message, AssistantTurn):
            return replace(message, calls=tuple(replace(use, tool=self.sent(use.tool)) for use in message.calls))
        if isinstance(message, ToolResults):
            return replace(message, results=tuple(replace(one, tool=self.sent(one.tool)) for one in message.results))
        return message

    def _take(self, name: str) -> None:
        candidate = name
        if _is_unfit(name):
            candidate = _fitting(name)
            if candidate in self._ours:
                mark = "_" + hashlib.sha256(name.encode(errors="surrogatepass")).hexdigest()[:8]
                candidate = candidate[: LONGEST - len(mark)] + mark
        self._sent[name] = candidate
        self._ours.setdefault(candidate, name)


def _spoken(messages: Iterable[Spoken]) -> Iterable[str]:
    for message in messages:
        if isinstance(message, AssistantTurn):
            yield from (use.tool for use in message.calls)
        elif isinstance(message, ToolResults):
            yield from (outcome.tool for outcome in message.results)


def _is_unfit(name: str) -> bool:
    return _FITS.match(name) is None


def _fitting(name: str) -> str:
    text = _UNFIT.sub("_", name)
    if not text or not (text[0].isalpha() or text[0] == "_"):
        text = "_" + text
    return text[:LONGEST]
