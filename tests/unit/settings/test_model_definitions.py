"""What a model needs to be defined, and what is said where that is missing or odd."""

from typing import Any

import pytest

from assent.settings.faults import SettingsFault
from assent.settings.model_definitions import ModelDefinition, check_model, check_provider, model_definition

LOCAL = {"provider": "ollama", "model": "qwen3"}
ANY = {"provider": "openai-compatible", "baseUrl": "http://127.0.0.1:8000/v1", "model": "m"}


def test_a_short_definition_is_enough():
    assert model_definition(LOCAL) == ModelDefinition("ollama", "qwen3")


def test_everything_that_can_be_said_is_taken():
    whole = {
        **ANY,
        "apiKeyEnv": "MY_KEY",
        "temperature": 0,
        "maxTokens": 100,
        "contextWindow": 32_000,
        "thinking": True,
        "pictures": False,
        "headers": {"X-Team": "a"},
    }
    assert model_definition(whole) == ModelDefinition(
        "openai-compatible", "m", ANY["baseUrl"], "MY_KEY", 0.0, 100, 32_000, True, False, (("X-Team", "a"),)
    )


@pytest.mark.parametrize(
    ("definition", "said"),
    [
        ({"provider": "olama", "model": "m"}, 'there is no provider "olama"'),
        ({"provider": 5}, "there is no provider of this kind"),
        ({"provider": "ollama"}, "needs a model"),
        ({"provider": "ollama", "model": ""}, "needs a model"),
        ({"provider": "ollama", "model": 5}, "model is a text"),
        ({"provider": "openai-compatible", "model": "m"}, "needs the address"),
        ({"provider": "scripted"}, "needs a script"),
        ({**ANY, "apiKeyEnv": "sk-123"}, "never the key itself"),
        ({**ANY, "apiKey": "sk-123"}, "a key does not belong into settings"),
        ({**ANY, "temperature": 3}, "a number from 0 to 2"),
        ({**ANY, "temperature": True}, "a number from 0 to 2"),
        ({**ANY, "maxTokens": 0}, "a whole number, 1 or more"),
        ({**ANY, "contextWindow": 10}, "a whole number, 1000 or more"),
        ({**ANY, "thinking": "yes"}, "true or false"),
        ({**ANY, "pictures": "no"}, "true or false"),
        ({**ANY, "headers": {"a": 1}}, "an object of texts"),
        ({**ANY, "headers": []}, "an object of texts"),
    ],
)
def test_what_is_missing_or_odd_is_named(definition: dict[str, Any], said: str):
    with pytest.raises(SettingsFault, match=said):
        check_provider(definition)
        check_model(definition)


@pytest.mark.parametrize(
    "definition", [{"command": "npx"}, {"provider": "demo"}, {"provider": "scripted", "script": "turns"}], ids=str
)
def test_what_is_no_model_needs_none_of_it(definition: dict[str, Any]):
    check_provider(definition)
    check_model(definition)
