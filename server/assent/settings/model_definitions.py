"""What the definition of a model has to say: which provider it is of, where it is, how it is to answer."""

import re
from collections.abc import Mapping

from assent.lazy_dataclasses import dataclass
from assent.model.json import Json, JsonObject
from assent.settings.faults import SettingsFault

REMOTE = ("ollama", "anthropic", "openai-compatible", "openai-responses", "gemini")
"""Providers that are reached over the network, or on this machine by its address."""
LOCAL = ("demo", "scripted")
"""Providers that are part of the server."""
PROVIDERS = LOCAL + REMOTE

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LEAST_WINDOW = 1_000
_WITHOUT_DEFAULT = "openai-compatible"


@dataclass(frozen=True, slots=True)
class ModelDefinition:
    """A model behind an address."""

    provider: str
    model: str
    base_url: str | None = None
    key_variable: str | None = None
    """The environment variable that holds its key."""
    temperature: float | None = None
    max_tokens: int | None = None
    context_window: int | None = None
    thinking: bool | None = None
    pictures: bool | None = None
    """Whether it sees pictures; None where its server is to show that."""
    headers: tuple[tuple[str, str], ...] = ()


def check_provider(definition: JsonObject) -> None:
    """Raises a SettingsFault where there is nothing that could answer for this agent."""
    provider = definition.get("provider")
    if provider is not None and provider not in PROVIDERS:
        raise SettingsFault(f"there is no provider {_shown(provider)}; there are {', '.join(PROVIDERS)}")
    if provider == "scripted" and not _text(definition, "script"):
        raise SettingsFault("the provider scripted needs a script, the file with the turns to play")


def check_model(definition: JsonObject) -> None:
    """Raises a SettingsFault where the model of this agent cannot be reached as it is defined."""
    if definition.get("provider") in REMOTE:
        model_definition(definition)


def model_definition(definition: JsonObject) -> ModelDefinition:
    """The model of a remote provider. Raises a SettingsFault that says what is wrong with it."""
    provider, model = str(definition["provider"]), _text(definition, "model")
    if model is None:
        raise SettingsFault(f'the provider {provider} needs a model, by its name: "model": "…"')
    base_url = _text(definition, "baseUrl")
    if base_url is None and provider == _WITHOUT_DEFAULT:
        raise SettingsFault(f'the provider {provider} needs the address of its server: "baseUrl": "http://…/v1"')
    variable = _text(definition, "apiKeyEnv")
    if variable is not None and not _VARIABLE.fullmatch(variable):
        raise SettingsFault("apiKeyEnv is the name of an environment variable, and never the key itself")
    if any("key" in name.lower() and name != "apiKeyEnv" for name in definition):
        raise SettingsFault(
            "a key does not belong into settings: store it with “Assent: Set API Key”, or name apiKeyEnv"
        )
    return ModelDefinition(
        provider,
        model,
        base_url,
        variable,
        _number(definition, "temperature", 0, 2),
        _whole(definition, "maxTokens", 1),
        _whole(definition, "contextWindow", _LEAST_WINDOW),
        _switch(definition, "thinking"),
        _switch(definition, "pictures"),
        _headers(definition),
    )


def _text(definition: JsonObject, name: str) -> str | None:
    value = definition.get(name)
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        raise SettingsFault(f"{name} is a text")
    return value


def _number(definition: JsonObject, name: str, least: float, most: float) -> float | None:
    value = definition.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
        raise SettingsFault(f"{name} is a number from {least:g} to {most:g}")
    return float(value)


def _whole(definition: JsonObject, name: str, least: int) -> int | None:
    value = definition.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise SettingsFault(f"{name} is a whole number, {least} or more")
    return value


def _switch(definition: JsonObject, name: str) -> bool | None:
    value = definition.get(name)
    if value is not None and not isinstance(value, bool):
        raise SettingsFault(f"{name} is true or false")
    return value


def _headers(definition: JsonObject) -> tuple[tuple[str, str], ...]:
    value = definition.get("headers", {})
    if not isinstance(value, Mapping) or not all(isinstance(text, str) for text in value.values()):
        raise SettingsFault("headers is an object of texts")
    return tuple((str(name), str(text)) for name, text in value.items())


def _shown(value: Json) -> str:
    return f'"{value[:40]}"' if isinstance(value, str) else "of this kind"
