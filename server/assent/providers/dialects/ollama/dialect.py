"""Ollama as a dialect."""

from collections.abc import Iterator, Mapping

from assent.model.conversation import Delta, ModelRequest, TurnEnd
from assent.model.json import Json
from assent.providers.dialect import Framing, HttpRequest, ModelInfo, ModelOptions
from assent.providers.dialects.ollama.faults import reported, words_of
from assent.providers.dialects.ollama.reader import SERVER, Reader
from assent.providers.dialects.ollama.request import body
from assent.providers.fields import as_object, count_in, items, member, senseless, text_in


class Ollama:
    """Models that run on the user's own machine, mostly."""

    name = "ollama"
    framing = Framing.LINES

    def key_headers(self, key: str) -> Mapping[str, str]:
        """Ollama itself wants no key; what stands before it in a company does, and so does its cloud."""
        return {"Authorization": f"Bearer {key}"}

    def request(self, request: ModelRequest, options: ModelOptions) -> HttpRequest:
        """The request for one turn."""
        return HttpRequest("/api/chat", body(request, options))

    def reader(self) -> Reader:
        """For one streamed answer."""
        return Reader()

    def whole(self, answer: Json) -> Iterator[Delta]:
        """A whole answer is the same object once, with all of it."""
        ended = False
        for delta in Reader().read(as_object(answer, SERVER)):
            ended = isinstance(delta, TurnEnd)
            yield delta
        if not ended:
            raise senseless(SERVER, "it does not say that it is done")

    def models_request(self) -> HttpRequest:
        """Asks which models were fetched."""
        return HttpRequest("/api/tags")

    def models(self, answer: Json) -> Iterator[ModelInfo]:
        """The models that were fetched; newer servers say what each can do."""
        for entry in items(member(answer, "models")):
            if name := text_in(member(entry, "name")) or text_in(member(entry, "model")):
                yield ModelInfo(name, _window(entry), _can(entry, "tools"))

    def sight_request(self, options: ModelOptions) -> HttpRequest:
        """Asks what the model can do: pictures for one without eyes are dropped by the server, without a word."""
        return HttpRequest("/api/show", {"model": options.model})

    def sees(self, answer: Json) -> bool | None:
        """Older servers do not say."""
        return _can(answer, "vision")

    def fault_text(self, answer: Json) -> str | None:
        """What went wrong, and where it is known, what to do about it."""
        fault = reported(answer)
        if fault and fault.code == "model_not_found":
            # Whoever asked for the model says how to get it.
            return words_of(answer)
        return str(fault) if fault else None


def _window(entry: Json) -> int | None:
    return count_in(member(entry, "context_length")) or count_in(member(member(entry, "details"), "context_length"))


def _can(entry: Json, ability: str) -> bool | None:
    capabilities = member(entry, "capabilities")
    return ability in capabilities if isinstance(capabilities, list) else None
