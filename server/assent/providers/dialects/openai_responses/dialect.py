"""Servers that speak the Responses format, as a dialect."""

from collections.abc import Iterator

from assent.model.conversation import Delta, ModelRequest
from assent.model.json import Json
from assent.providers.dialect import HttpRequest, ModelOptions
from assent.providers.dialects.openai_faults import nonsense, reported
from assent.providers.dialects.openai_responses.reader import Reader
from assent.providers.dialects.openai_responses.request import body
from assent.providers.dialects.openai_server import OpenAiServer
from assent.providers.fields import items, member, text_in


class OpenAiResponses(OpenAiServer):
    """OpenAI's newer format, in which its models keep their reasoning from call to call."""

    name = "openai-responses"

    def request(self, request: ModelRequest, options: ModelOptions) -> HttpRequest:
        """The request for one turn."""
        return HttpRequest("/responses", body(request, options, self.mark))

    def reader(self) -> Reader:
        """For one streamed answer."""
        return Reader(self.mark)

    def whole(self, answer: Json) -> Iterator[Delta]:
        """A whole answer is what the last event of a streamed one holds."""
        status = text_in(member(answer, "status"))
        if member(answer, "error") or not status:
            raise reported(answer) if member(answer, "error") else nonsense("it does not say whether it is whole")
        reader = Reader(self.mark)
        for place, item in enumerate(items(member(answer, "output"))):
            yield from reader.item(str(place), item)
        yield from reader.finish(answer, status)
