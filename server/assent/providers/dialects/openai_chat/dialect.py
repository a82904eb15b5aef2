"""Servers that speak the Chat Completions format, as a dialect."""

from collections.abc import Iterator

from assent.model.conversation import Delta, ModelRequest
from assent.model.json import Json
from assent.providers.dialect import HttpRequest, ModelOptions
from assent.providers.dialects.openai_chat.reader import Reader
from assent.providers.dialects.openai_chat.request import body
from assent.providers.dialects.openai_faults import nonsense
from assent.providers.dialects.openai_server import OpenAiServer
from assent.providers.fields import items, member


class OpenAiChat(OpenAiServer):
    """OpenAI, and whoever answers as OpenAI does: vLLM, LM Studio, llama.cpp, OpenRouter, Mistral, Groq, DeepSeek.

    Token counts are asked for with `stream_options`. A server that refuses this field works without streaming.
    """

    name = "openai-compatible"

    def request(self, request: ModelRequest, options: ModelOptions) -> HttpRequest:
        """The request for one turn."""
        return HttpRequest("/chat/completions", body(request, options, self.host, self.mark))

    def reader(self) -> Reader:
        """For one streamed answer."""
        return Reader(self.mark)

    def whole(self, answer: Json) -> Iterator[Delta]:
        """A whole answer is read as one chunk that holds all of it."""
        reader = Reader(self.mark)
        yield from reader.read(_with_numbered_calls(answer), "message")
        if not items(member(answer, "choices")):
            raise nonsense("it holds no answer")
        if not reader.has_reason:
            yield from reader.close_whole_calls()
        yield from reader.finish()


def _with_numbered_calls(answer: Json) -> Json:
    """In a whole answer each entry is a call of its own, whatever their ids are: their places tell them apart."""
    if not isinstance(answer, dict):
        return answer
    return {**answer, "choices": [_numbered(choice) for choice in items(member(answer, "choices"))]}


def _numbered(choice: Json) -> Json:
    message = member(choice, "message")
    if not isinstance(choice, dict) or not isinstance(message, dict):
        return choice
    calls = [
        {**call, "index": place}
        for place, call in enumerate(items(message.get("tool_calls")))
        if isinstance(call, dict)
    ]
    return {**choice, "message": {**message, "tool_calls": calls}}
