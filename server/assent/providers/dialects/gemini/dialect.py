"""Gemini as a dialect."""

from collections.abc import Iterator, Mapping
from urllib.parse import quote

from assent.model.conversation import Delta, ModelRequest, TurnEnd
from assent.model.json import Json
from assent.providers.dialect import Framing, HttpRequest, ModelInfo, ModelOptions
from assent.providers.dialects.gemini.faults import reported
from assent.providers.dialects.gemini.memos import DIALECT
from assent.providers.dialects.gemini.reader import SERVER, Reader
from assent.providers.dialects.gemini.request import body
from assent.providers.fields import count_in, items, member, senseless, text_in


class Gemini:
    """Google's models, over their own interface."""

    name = DIALECT
    framing = Framing.SSE

    def key_headers(self, key: str) -> Mapping[str, str]:
        """In a header: a key in the address would stand in logs."""
        return {"x-goog-api-key": key}

    def request(self, request: ModelRequest, options: ModelOptions) -> HttpRequest:
        """The request for one turn."""
        model = options.model if "/" in options.model else f"models/{options.model}"
        verb = "streamGenerateContent?alt=sse" if request.streaming else "generateContent"
        return HttpRequest(f"/v1beta/{quote(model)}:{verb}", body(request, options))

    def reader(self) -> Reader:
        """For one streamed answer."""
        return Reader()

    def whole(self, answer: Json) -> Iterator[Delta]:
        """A whole answer is an event with all of it."""
        ended = False
        for delta in Reader().read(answer):
            ended = isinstance(delta, TurnEnd)
            yield delta
        if not ended:
            raise senseless(SERVER, "it does not say why it ended")

    def models_request(self) -> HttpRequest:
        """Asks for all models at once."""
        return HttpRequest("/v1beta/models?pageSize=1000")

    def models(self, answer: Json) -> Iterator[ModelInfo]:
        """The models that can answer; others embed, or draw."""
        for entry in items(member(answer, "models")):
            name = text_in(member(entry, "name")).removeprefix("models/")
            if name and "generateContent" in items(member(entry, "supportedGenerationMethods")):
                yield ModelInfo(name, count_in(member(entry, "inputTokenLimit")))

    def fault_text(self, answer: Json) -> str | None:
        """What went wrong, and where it is known, what to do about it."""
        fault = reported(answer)
        return str(fault) if fault else None
