"""Who makes pictures and speech: what can be said, whose word counts, and what a slip does."""

from typing import Any

import pytest

from assent.model.services import Maker, ServiceChoice
from assent.settings.effective import Effective, effective
from assent.settings.layers import Kind, layers_from

A1111 = {"provider": "automatic1111", "baseUrl": "http://127.0.0.1:7860"}
OPENAI = {"provider": "openai-compatible", "baseUrl": "https://example.org/v1", "model": "m", "apiKeyEnv": "KEY"}


def come_to(user: Any = None, workspace: Any = None, *, agreed: bool | None = None, trusted: bool = True) -> Effective:
    return effective(
        layers_from({"user": {"images": user}, "workspace": {"images": workspace}}, None),
        consents=lambda _: lambda consent: agreed,
        workspace_trusted=trusted,
    )


def test_where_nothing_is_said_nothing_new_is_told_anything() -> None:
    now = come_to()
    assert (now.images.maker, now.speech.maker) == (Maker.CHAT, Maker.SYSTEM)
    assert come_to({}).images == now.images


@pytest.mark.parametrize(
    ("said", "choice"),
    [
        (A1111, ServiceChoice(Maker.AUTOMATIC1111, "http://127.0.0.1:7860")),
        (OPENAI, ServiceChoice(Maker.OPENAI, "https://example.org/v1", "m", "", "KEY")),
        ({"provider": "svg", "baseUrl": "http://left.over"}, ServiceChoice(Maker.CHAT)),
    ],
)
def test_the_users_word_counts(said: Any, choice: ServiceChoice) -> None:
    assert come_to(said).images == choice


@pytest.mark.parametrize(
    "said",
    [
        {"provider": "midjourney"},
        {"provider": "system"},
        {"provider": "automatic1111"},
        {**A1111, "baseUrl": "file:///etc"},
        {**A1111, "baseUrl": "http://name:word@127.0.0.1"},
        {**A1111, "baseUrl": "http://127.0.0.1:99999"},
        {**A1111, "baseUrl": "http://127.0.0.1/?to="},
        {**A1111, "baseUrl": "http://a\nb"},
        {"provider": "openai-compatible", "baseUrl": "https://example.org/v1"},
        {**OPENAI, "apiKeyEnv": "sk-123"},
        {**OPENAI, "apiKey": "sk-123"},
        {**OPENAI, "voice": "v"},
        {**OPENAI, "model": 5},
    ],
)
def test_a_slip_makes_nothing_instead_of_something_else(said: Any) -> None:
    now = come_to(said)
    assert now.images.fault is not None
    assert any(one.kind is Kind.WRONG_VALUE for one in now.diagnostics)
    of_workspace = come_to(None, said, agreed=True)
    assert of_workspace.images == come_to().images
    assert any(one.kind is Kind.WRONG_VALUE for one in of_workspace.diagnostics)


def test_what_is_no_object_says_nothing() -> None:
    now = come_to("automatic1111")
    assert now.images == come_to().images
    assert any(one.kind is Kind.WRONG_VALUE for one in now.diagnostics)


def test_a_workspace_chooses_only_with_an_agreement_and_gets_no_key() -> None:
    waiting = come_to(None, OPENAI)
    assert waiting.images == come_to().images
    (entry,) = waiting.awaiting
    assert "https://example.org/v1" in entry.words
    assert come_to(A1111, OPENAI, agreed=False).images == come_to(A1111).images
    agreed = come_to(A1111, OPENAI, agreed=True).images
    assert (agreed.maker, agreed.of_user) == (Maker.OPENAI, False)
    assert come_to(None, OPENAI, agreed=True, trusted=False).images == come_to().images


def test_a_workspace_that_says_the_same_is_not_asked_about() -> None:
    now = come_to(OPENAI, dict(OPENAI))
    assert now.awaiting == ()
    assert now.images.of_user
