"""What the two formats of OpenAI have in common as dialects."""

from collections.abc import Iterator, Mapping

from assent.model.json import Json
from assent.providers.dialect import Framing, HttpRequest, ModelInfo
from assent.providers.dialects.openai_faults import fault_text
from assent.providers.dialects.openai_hosts import host_of, memo_mark
from assent.providers.dialects.openai_models import models

BASE_URL = "https://api.openai.com/v1"
"""OpenAI's own. Every other server's is written with its /v1 as well."""


class OpenAiServer:
    """Servers differ in what they accept, so the dialect knows the address that it speaks to."""

    name = ""
    framing = Framing.SSE

    def __init__(self, base_url: str = BASE_URL) -> None:
        self.host = host_of(base_url)
        self.mark = memo_mark(self.name, self.host)
        """Stands in memos."""

    def key_headers(self, key: str) -> Mapping[str, str]:
        """As OpenAI does it; all that follow it do the same."""
        return {"Authorization": f"Bearer {key}"}

    def models_request(self) -> HttpRequest:
        """Asks which models there are."""
        return HttpRequest("/models")

    def models(self, answer: Json) -> Iterator[ModelInfo]:
        """The models in its answer."""
        return models(answer)

    def fault_text(self, answer: Json) -> str | None:
        """The server's own words."""
        return fault_text(answer)
