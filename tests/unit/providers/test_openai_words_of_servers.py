"""What servers of OpenAI's kind say of faults and of their models, each in its own words."""

from typing import Any

import pytest

from assent.providers.dialect import ModelInfo
from assent.providers.dialects.openai_chat.dialect import OpenAiChat

VALIDATION = [{"loc": ["body", "tools", 0], "msg": "Field required"}, {"loc": ["body", "x"], "msg": "Not permitted"}]
CHECKED = "body.tools.0: Field required; body.x: Not permitted"
FAULTS = {
    "OpenAI": ({"error": {"message": "No such model", "type": "x", "param": None, "code": None}}, "No such model"),
    "a text": ({"error": "No such model"}, "No such model"),
    "vLLM": ({"object": "error", "message": "No such model", "code": 404}, "No such model"),
    "FastAPI": ({"detail": "Not Found"}, "Not Found"),
    "FastAPI's checks": ({"detail": VALIDATION}, CHECKED),
    "Mistral's checks": ({"object": "error", "message": {"detail": VALIDATION}}, CHECKED),
    "OpenRouter": (
        {"error": {"code": 400, "message": "Provider returned error", "metadata": {"raw": "too many tools"}}},
        "Provider returned error: too many tools",
    ),
    "Google, in a list": ([{"error": {"code": 400, "message": "No such model"}}], "No such model"),
    "beside an odd one": ({"error": {"code": 3}, "message": "No such model"}, "No such model"),
}
WORDLESS: list[Any] = [None, 3, "", " ", [], {}, {"error": None}, {"error": {}}, {"message": 3}, {"detail": [3]}]


@pytest.mark.parametrize("answer, words", FAULTS.values(), ids=FAULTS.keys())
def test_the_servers_own_words_are_found(answer: Any, words: str) -> None:
    assert OpenAiChat().fault_text(answer) == words


@pytest.mark.parametrize("answer", WORDLESS)
def test_where_there_are_no_words_there_are_none(answer: Any) -> None:
    assert OpenAiChat().fault_text(answer) is None


MODELS = {
    "OpenAI": ({"data": [{"id": "m", "object": "model"}]}, ModelInfo("m")),
    "OpenRouter": (
        {"data": [{"id": "m", "context_length": 9000, "supported_parameters": ["tools", "temperature"]}]},
        ModelInfo("m", 9000, tools=True),
    ),
    "OpenRouter, without tools": ({"data": [{"id": "m", "supported_parameters": []}]}, ModelInfo("m", tools=False)),
    "vLLM": ({"data": [{"id": "m", "max_model_len": 9000}]}, ModelInfo("m", 9000)),
    "Mistral": (
        {"data": [{"id": "m", "max_context_length": 9000, "capabilities": {"function_calling": True}}]},
        ModelInfo("m", 9000, tools=True),
    ),
    "Groq": ({"data": [{"id": "m", "context_window": 9000}]}, ModelInfo("m", 9000)),
    "llama.cpp": ({"data": [{"id": "m", "meta": {"n_ctx": 9000}}]}, ModelInfo("m", 9000)),
    "the bare list": ([{"id": "m", "context_length": 9000}], ModelInfo("m", 9000)),
    "odd ones beside it": ({"data": [3, {"id": 5}, {}, {"id": "m", "context_length": "9"}]}, ModelInfo("m")),
}


@pytest.mark.parametrize("answer, model", MODELS.values(), ids=MODELS.keys())
def test_models_and_what_is_told_of_them(answer: Any, model: ModelInfo) -> None:
    assert list(OpenAiChat().models(answer)) == [model]


@pytest.mark.parametrize("answer", [None, 3, "x", {}, {"data": 3}, {"data": {}}])
def test_an_answer_without_models_has_none(answer: Any) -> None:
    assert list(OpenAiChat().models(answer)) == []
