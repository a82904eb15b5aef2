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
from tests.support.model_servers.chat_habits import LlamaCppWire, LmStudioWire, OpenRouterWire, VllmWire
from tests.support.model_servers.gemini import GeminiWire
from tests.support.model_servers.ollama import OllamaWire
from tests.support.model_servers.openai_chat import OpenAiChatWire
from tests.support.model_servers.openai_responses import OpenAiResponsesWire
from tests.support.model_servers.wire import Wire


@dataclass(frozen=True, slots=True)
class Format:
    """Both sides of one format."""

    name: str
    wire: Callable[[], Wire]
    dialect: Callable[[str], Dialect]
    """For a base address."""
    model: str
    """A name that this kind of server knows."""
    base_path: str = ""
    """What the base address ends with."""
    words_for_refusing: bool = True
    """It can say that a model refused. Without, such an answer is one as any other."""
    arguments_as_text: bool = True
    """A model may send arguments that are no JSON. Without, its server has parsed them."""

    @property
    def provider(self) -> str:
        """As in the settings of an agent."""
        return self.wire().provider


def _chat(name: str, wire: Callable[[], Wire]) -> Format:
    return Format(name, wire, OpenAiChat, "some-model", base_path="/v1")


FORMATS = (
    Format("anthropic", AnthropicWire, lambda _: Anthropic(), "claude-sonnet-4-6"),
    Format("ollama", OllamaWire, lambda _: Ollama(), "qwen3", words_for_refusing=False),
    Format("gemini", GeminiWire, lambda _: Gemini(), "gemini-3-pro", arguments_as_text=False),
    _chat("openai-compatible", OpenAiChatWire),
    Format("openai-responses", OpenAiResponsesWire, OpenAiResponses, "some-model", base_path="/v1"),
)
HABITS = (
    _chat("vllm", VllmWire),
    _chat("lm-studio", LmStudioWire),
    _chat("llama-cpp", LlamaCppWire),
    _chat("openrouter", OpenRouterWire),
)
"""Servers that speak Chat Completions, each in its own way."""

ALL = FORMATS + HABITS
