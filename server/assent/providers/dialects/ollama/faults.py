"""What Ollama says when it cannot answer, and what the user can do about it."""

import re

from assent.model.errors import ProviderFault
from assent.model.json import Json
from assent.providers.fields import member, text_in

_KNOWN = (
    (
        re.compile(r"model ['\"]?([^\s'\"]+)['\"]? (?:is )?not found", re.IGNORECASE),
        "model_not_found",
        "Get it with “ollama pull {model}”, or choose another one in assent.agents.",
    ),
    (
        re.compile(r"([^\s'\"]+)['\"]? does not support tools", re.IGNORECASE),
        "no_tools",
        "Choose a model that can call tools in assent.agents; “ollama show {model}” tells what this one can do.",
    ),
    (
        re.compile(r"([^\s'\"]+)['\"]? does not support thinking", re.IGNORECASE),
        "no_thinking",
        "Take “thinking” out of the agent in assent.agents, or choose another model there than {model}.",
    ),
    (
        re.compile(r"()(?:(?:exceed|longer|larger|greater).{0,40}context|context.{0,40}exceed)", re.IGNORECASE),
        "context_too_long",
        "Ollama gives a model as much room as contextWindow of its agent says, and little where nothing is said.",
    ),
)
_REGISTRY = re.compile(r"^registry\.ollama\.ai/(?:library/)?")


def words_of(answer: Json) -> str:
    """Ollama's own words for a fault; empty where the answer reports none."""
    error = member(answer, "error")
    if not error:
        return ""
    return text_in(error) or text_in(member(error, "message")) or "it reports a fault and does not name it"


def reported(answer: Json) -> ProviderFault | None:
    """The fault that an answer or a line of one reports, or None where it reports none."""
    words = words_of(answer)
    if not words:
        return None
    for pattern, code, advice in _KNOWN:
        if found := pattern.search(words):
            model = _REGISTRY.sub("", found.group(1))
            return ProviderFault(code, f"{words.rstrip('.')}. {advice.format(model=model)}")
    return ProviderFault("server_fault", words)
