"""web_search against real servers of each kind, with what the settings say about them."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from assent.agent.ports import ToolAnswer
from assent.app.browsers import Browsers
from assent.app.keys import Keys
from assent.app.web import Web
from assent.model.errors import ToolFault
from assent.runtime.known_secrets import KnownSecrets
from assent.runtime.processes import Processes
from assent.settings.effective import Effective, effective
from assent.settings.layers import layers_from
from assent.web.visit import Visitor
from tests.support.search_servers import KEY, Refused, answer_of
from tests.support.web_server import Answer, Pages, moved, page, serving

PATHS = {"searxng": "", "brave": "/res/v1", "tavily": "", "custom": "/find"}


class Settings:
    """The user's settings, which may change."""

    def __init__(self, said: Any) -> None:
        self.said = said

    def __call__(self) -> Effective:
        return effective(layers_from({"user": {"webSearch": self.said}}, None), workspace_trusted=True)


def no_browsers(visitor: Visitor) -> Browsers:
    return Browsers(Processes(), visitor, tuple, None, lambda chat: None)  # type: ignore[arg-type]


def tool(settings: Settings) -> Any:
    web = Web(Keys({"SEARCH_KEY": KEY}, KnownSecrets()), settings, no_browsers)
    return next(one for one in web.tools() if one.spec.name == "web_search")


async def searched(settings: Settings, query: str = "gates", **more: Any) -> ToolAnswer:
    using = tool(settings)
    args = {"query": query, **more}
    assert using.fault(args) is None
    return await (await using.prepare(args)).perform()


@asynccontextmanager
async def server_of(kind: str, key: str = "") -> AsyncIterator[Pages]:
    """A server of this kind."""

    def answer(pages: Pages) -> bytes:
        try:
            return page(json.dumps(answer_of(kind, pages.heads[-1], pages.bodies[-1], key)), "application/json")
        except Refused as refused:
            return page("{}", "application/json", status=refused.status)

    async with serving({}) as pages:
        pages.answers["*"] = lambda writer: writer.write(answer(pages))
        yield pages


def said(kind: str, pages: Pages, **more: str) -> dict[str, str]:
    return {"provider": kind, "baseUrl": pages.url + PATHS[kind], **more}


@pytest.mark.parametrize("kind", ["searxng", "brave", "tavily", "custom"])
@pytest.mark.parametrize("key", ["", KEY])
async def test_each_kind_of_server_is_asked_in_its_own_way(kind: str, key: str) -> None:
    async with server_of(kind, key) as pages:
        settings = Settings(said(kind, pages, **({"apiKeyEnv": "SEARCH_KEY"} if key else {})))
        answer = await searched(settings, "gates & locks", count=3)
        assert answer.text.split("\n")[1:] == [
            "1. Gates & locks",
            "   https://one.example/a?b=c",
            "   A gate that asks first.",
            "2. Second",
            "   http://two.example/",
            "3. Third line",
            "   https://three.example/x",
            "   More words.",
        ]
        assert len(pages.heads) == 1 and (KEY in pages.heads[0]) == bool(key)
        assert pages.url in answer.text and "no" in answer.text.split("\n")[0]


@pytest.mark.parametrize("kind", ["searxng", "brave", "tavily", "custom"])
async def test_no_more_than_wanted_is_named(kind: str) -> None:
    async with server_of(kind) as pages:
        assert (await searched(Settings(said(kind, pages)), count=1)).text.count("\n   http") == 1


async def test_nothing_was_found() -> None:
    async with server_of("brave") as pages:
        assert "found nothing" in (await searched(Settings(said("brave", pages)), "nothing")).text


@pytest.mark.parametrize("settings", [None, {}, {"provider": "searxng"}, {"provider": "who"}, {"baseUrl": "f:x"}, 5])
async def test_where_nobody_searches_it_says_which_setting_is_missing(settings: Any) -> None:
    using = tool(Settings(settings))
    prepared = await using.prepare({"query": "x"})
    assert prepared.impossible is not None and prepared.impossible.code == "not_configured"
    with pytest.raises(ToolFault, match=r"assent\.webSearch"):
        await prepared.perform()


async def refused(answers: dict[str, Answer]) -> ToolFault:
    async with serving(answers) as pages:
        with pytest.raises(ToolFault) as fault:
            await searched(Settings(said("searxng", pages)))
        assert len(pages.heads) == 1
    return fault.value


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (page("<h1>Hello</h1>"), "malformed_answer"),
        (page("[]", "application/json"), "malformed_answer"),
        (page('{"results": {}}', "application/json"), "malformed_answer"),
        (page('{"results": [', "application/json"), "malformed_answer"),
        (page('{"results": ["' + "a" * 3_000_000 + '"]}', "application/json"), "too_large"),
        (page("{}", status="403 Forbidden"), "rejected"),
        (page("{}", status="429 Too Many Requests"), "rejected"),
        (moved("http://elsewhere.example/"), "redirected"),
        (b"", "broken_off"),
        (b"nonsense\r\n\r\n", "malformed_answer"),
    ],
)
async def test_an_answer_that_is_none(answer: bytes, code: str) -> None:
    assert (await refused({"*": answer})).code == code


async def test_what_looks_like_an_address_and_is_none_is_left_out() -> None:
    odd: list[Any] = [
        {"url": url} for url in ("javascript:alert(1)", "file:///etc", "", None, 5, "https://a b", "http://\u202e")
    ]
    body = json.dumps({"results": [*odd, "x", None, {"title": 5, "url": "https://ok.example", "content": ["x"]}]})
    async with serving({"*": page(body, "application/json")}) as pages:
        lines = (await searched(Settings(said("searxng", pages)))).text.split("\n")
        assert lines[1:] == ["1. [no title]", "   https://ok.example"]


async def test_another_server_than_was_shown_is_not_asked() -> None:
    async with server_of("searxng") as pages:
        settings = Settings(said("searxng", pages))
        prepared = await tool(settings).prepare({"query": "x"})
        settings.said = {**settings.said, "apiKeyEnv": "SEARCH_KEY"}
        other = Settings(settings.said)
        assert prepared.state != (await tool(other).prepare({"query": "x"})).state
        with pytest.raises(ToolFault) as fault:
            await prepared.perform()
        assert fault.value.code == "changed_since" and pages.heads == []


async def test_a_key_is_not_sent_where_all_can_read_it() -> None:
    settings = Settings({"provider": "custom", "baseUrl": "http://search.example/find", "apiKeyEnv": "SEARCH_KEY"})
    with pytest.raises(ToolFault) as fault:
        await searched(settings)
    assert fault.value.code == "key_in_clear"


@pytest.mark.parametrize(
    "args", [{}, {"query": ""}, {"query": "  "}, {"query": "x", "count": 0}, {"query": "x" * 9999}]
)
def test_arguments_that_do_not_fit(args: Any) -> None:
    assert tool(Settings(None)).fault(args) is not None
