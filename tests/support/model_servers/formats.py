"""Every kind of model server: its wire as tests play it, and the dialect that has to understand it."""

from collections.abc import Callable
from dataclasses import dataclass

from assent.providers.dialect import Dialect
from assent.providers.dialects.anthropic.dialect import Anthropic
from assent.providers.dialects.gemini.dialect import Gemini
from assent.providers.dialects.ollama.dialect import Ollama
from assent.providers.dialects.openai_chat.dialect import OpenAiChat
from assent.providers.dialects.openai_responses.dialect import OpenAiResponses
from tests.support.model_servers.anthropic import AnthropicWire
from tests.support.model_servers.gemini import GeminiWire
from tests.support.model_servers.ollama import OllamaWire
from tests.support.model_servers.openai_chat import OpenAiChatWire
from tests.support.model_servers.openai_responses import OpenAiResponsesWire
from tests.support.model_servers.wire import Wire


@dataclass(frozen=True, slots=True)
class Format:
    """Both sides of one format."""

    name: str
    """As `provider` in the settings of an agent."""
    wire: Callable[[], Wire]
    dialect: Callable[[], Dialect]
    model: str
    """A name that this kind of server knows."""
    base_path: str = ""
    """What the base address ends with."""
    memos: bool = False
    """Its thoughts are signed, and go back."""


FORMATS = (
    Format("anthropic", AnthropicWire, Anthropic, "claude-sonnet-4-6", memos=True),
    Format("ollama", OllamaWire, Ollama, "qwen3"),
    Format("gemini", GeminiWire, Gemini, "gemini-3-pro", memos=True),
    Format("openai-compatible", OpenAiChatWire, OpenAiChat, "some-model", base_path="/v1"),
    Format("openai-responses", OpenAiResponsesWire, OpenAiResponses, "some-model", base_path="/v1", memos=True),
)
