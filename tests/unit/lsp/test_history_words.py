"""Who or what decided, in a few words, also of entries that are old, odd or changed by somebody."""

from typing import Any

import pytest

from assent.lsp.history_words import how_decided
from assent.model.verdict import Reason


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_has_words_of_its_own(reason: Reason) -> None:
    assert how_decided({"by": "policy", "reason": reason.value}) != "by your settings"


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, None),
        ({"by": "policy"}, "by your settings"),
        ({"by": "policy", "reason": "of a later version"}, "by your settings"),
        (
            {"by": "policy", "reason": "bypass_agent", "agent_name": "{tool}", "tool": "bash"},
            "by the bypass for {tool}",
        ),
        ({"by": "policy", "reason": "always_allow", "tool": ["list"]}, "because ['list'] is always allowed"),
        ({"by": "user", "reason": "needs_approval"}, "by you"),
        ({"by": "user", "stage": "decided", "option": "allow_once"}, "by you once"),
        ({"by": "user", "stage": "decided", "option": "no such"}, "by you"),
        ({"by": "user", "stage": "granted", "option": "allow_always"}, "by you"),
        ({"by": {"no": "text"}, "reason": 7}, None),
        ({"by": "restart"}, "because the server restarted"),
    ],
)
def test_words(fields: dict[str, Any], words: str | None) -> None:
    assert how_decided(fields) == words
