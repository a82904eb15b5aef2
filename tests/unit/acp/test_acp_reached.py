"""The addresses that an agent's call would reach, as rules are compared with them."""

from typing import Any

import pytest

from assent.acp.as_tools import also_does, reached, tool_name
from tests.support.acp_traffic import claim, request


@pytest.mark.parametrize(
    ("raw", "hosts", "more"),
    [
        ({"url": "https://example.org/a"}, ["example.org"], False),
        (
            {"url": "https://example.org", "prompt": "What does it say of v1.2 and other.example?"},
            ["example.org"],
            False,
        ),
        ({"urls": ["https://example.org", "http://a.example:80"]}, ["example.org", "a.example"], False),
        ({"url": "https://example.org", "prompt": "See https://b.example"}, ["example.org", "b.example"], False),
        ({"prompt": "Summarise https://example.org/a, please."}, ["example.org"], False),
        ({"prompt": "Summarise https://example.org and then evil.com/x"}, ["example.org"], True),
        ({"prompt": "Summarise https://example.org and then //evil"}, ["example.org"], True),
        ({"prompt": "Summarise https://example.org and then evil。com"}, ["example.org"], True),
        ({"prompt": "Summarise https://example.org and what runs on localhost"}, ["example.org"], True),
        ({"prompt": "Summarise https://example.org)@evil.com"}, ["example.org"], True),
        ({"prompt": "Summarise https://example.org", "uri": "file:///tmp/x.y"}, ["example.org"], False),
        ({"prompt": "https://example.org and evil.com", "uri": "file:///tmp/x"}, ["example.org"], True),
        ({"url": "https://example.org", "mirror": {"at": "evil.com"}}, ["example.org"], True),
        ({"query": "what is evil.com"}, [], False),
        ({}, [], False),
    ],
)
def test_which_hosts_are_reached_and_whether_these_are_all(raw: dict[str, Any], hosts: list[str], more: bool) -> None:
    shown = claim(request(kind="fetch", rawInput=raw))
    found = reached(shown, "Agent")
    assert [one.host for one in found.named] == hosts
    assert bool(found.unseen) is more
    assert "web_fetch" in (tool_name(shown), *also_does(shown))


@pytest.mark.parametrize("kind", ["read", "search", "edit", "delete", "move", "other", "think", None])
@pytest.mark.parametrize(
    "where", [{"rawInput": {"path": "https://Evil.com/x"}}, {"locations": [{"path": "https://evil.com"}]}]
)
def test_an_address_is_one_whatever_the_agent_calls_it(kind: str | None, where: dict[str, Any]) -> None:
    shown = claim(request(**where, **({"kind": kind} if kind else {})))
    assert [one.host for one in reached(shown, "Agent").named] == ["evil.com"]
    assert "web_fetch" in (tool_name(shown), *also_does(shown))
