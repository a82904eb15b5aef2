"""Anthropic as a dialect."""

from collections.abc import Iterator, Mapping

from assent.model.conversation import Delta, ModelRequest
from assent.model.json import Json
from assent.providers.dialect import Framing, HttpRequest, ModelInfo, ModelOptions
from assent.providers.dialects.anthropic.reader import Reader, whole
from assent.providers.dialects.anthropic.request import DIALECT, body
from assent.providers.fields import count_in, items, member, text_in

BASE_URL = "https://api.anthropic.com"
_VERSION = {"anthropic-version": "2023-06-01"}


class Anthropic:
    """Anthropic's models, and servers that speak as theirs do."""

    name = DIALECT
    framing = Framing.SSE

    def key_headers(self, key: str) -> Mapping[str, str]:
        """A header of its own."""
        return {"x-api-key": key}

    def request(self, request: ModelRequest, options: ModelOptions) -> HttpRequest:
        """The request for one turn."""
        return HttpRequest("/v1/messages", body(request, options), _VERSION)

    def reader(self) -> Reader:
        """For one streamed answer."""
        return Reader()

    def whole(self, answer: Json) -> Iterator[Delta]:
        """All blocks of the answer, in their order."""
        return whole(answer)

    def models_request(self) -> HttpRequest:
        """Asks for all models at once."""
        return HttpRequest("/v1/models?limit=1000", headers=_VERSION)

    def models(self, answer: Json) -> Iterator[ModelInfo]:
        """All of them can call tools."""
        for entry in items(member(answer, "data")):
            if name := text_in(member(entry, "id")):
                yield ModelInfo(name, count_in(member(entry, "max_input_tokens")), tools=True)

    def fault_text(self, answer: Json) -> str | None:
        """The server's own words."""
        return text_in(member(member(answer, "error"), "message")) or None
