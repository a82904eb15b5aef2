"""What goes wrong at a model's server, whatever its kind: one clear message, and no more tries than help."""

import json
import time
from dataclasses import dataclass
from email.utils import formatdate

import pytest

from assent.model.conversation import ToolOutcome, ToolResults, UserText
from assent.model.errors import ProviderFault
from assent.providers.connection import TimeLimits
from tests.contract.talking import KEY, check_message, hear, of_all, provider_of, request, streaming_or_not, talking
from tests.support.model_servers.formats import ALL, Format
from tests.support.model_servers.plays import (
    Play,
    Then,
    Turn,
    answer,
    bomb,
    broken_in_the_middle,
    flood,
    hang,
    raw,
    refuse,
    reset,
)
from tests.support.model_servers.server import model_server
from tests.support.model_servers.wire import Said, SaidCall, Wire
from tests.support.scale import eventually, limit

OK = Said("Gut.")
CALLS = (SaidCall("read_file", {"path": "a"}, "id-1"), SaidCall("write_file", {"path": "b"}, "id-1"))
TOO_LONG = "This model's maximum context length is 4096 tokens. Reduce the length of the messages."


@dataclass(frozen=True)
class Case:
    """What a server does, and what comes of it."""

    turn: Turn
    code: str
    advice: str
    tries: int = 1
    passing: bool = False


def passing(turn: Turn, code: str, tries: int = 3) -> Case:
    """May go well in a moment."""
    return Case(turn, code, "Try again", tries, passing=True)


def page(status: int) -> Turn:
    return raw(b"<html><title>Sign in</title></html>", content_type="text/html", status=status)


IN_ITS_OWN_WORDS = {
    "the key is wrong": Case(refuse(401, f"Incorrect API key provided: {KEY}"), "key_rejected", "Set API Key"),
    "the key may not": Case(refuse(403, f"Not with {KEY}"), "key_rejected", "may be used for"),
    "no such model": Case(refuse(404, "model not found"), "model_not_found", "assent.agents"),
    "too long": Case(refuse(400, TOO_LONG), "context_too_long", "Begin a new chat"),
    "not taken": Case(refuse(400, "temperature: no"), "rejected", "assent.agents"),
    "too often": passing(refuse(429, "slow down"), "rate_limited"),
    "trouble": passing(refuse(500, "oops"), "server_trouble"),
    "overloaded": passing(refuse(529, "oops"), "server_trouble"),
    "nothing": passing(Said(), "empty_answer", tries=1),
}
BY_HTTP_ALONE = {
    "too big": Case(refuse(413, "request too large"), "context_too_long", "Begin a new chat"),
    "no way through": passing(refuse(502, "oops"), "server_trouble"),
    "closed": passing(refuse(503, "oops"), "server_trouble"),
    "will not get better": Case(refuse(500, "o", headers={"X-Should-Retry": "false"}), "server_trouble", "Try again"),
    "gone before it answers": passing(reset, "broken_off"),
    "a page of a proxy": Case(page(200), "not_a_model_server", "login page"),
    "a page of trouble": passing(page(502), "server_trouble"),
    "a page for who may not": Case(page(403), "not_a_model_server", "login page"),
    "a header without end": Case(raw(b"", headers={"X-Long": "x" * 2_000_000}), "malformed_answer", "Look what runs"),
    "an odd packing": Case(raw(b"x", headers={"Content-Encoding": "br"}), "malformed_answer", "Look what runs"),
    "not as packed": Case(raw(b"no gzip", headers={"Content-Encoding": "gzip"}), "malformed_answer", "Look what runs"),
}
SOME = [form for form in ALL if form.name in ("anthropic", "ollama", "openai-compatible")]
of_some = pytest.mark.parametrize("form", SOME, ids=lambda form: form.name)
"""For what stands in HTTP alone, one of each way in which streams are divided, and of the commonest."""


@of_all
@pytest.mark.parametrize("case", IN_ITS_OWN_WORDS.values(), ids=IN_ITS_OWN_WORDS.keys())
async def test_a_fault_has_one_message_and_as_many_tries_as_help(form: Format, case: Case) -> None:
    await check_case(form, case)


@of_some
@pytest.mark.parametrize("case", BY_HTTP_ALONE.values(), ids=BY_HTTP_ALONE.keys())
async def test_what_http_alone_says_is_understood(form: Format, case: Case) -> None:
    await check_case(form, case)


async def check_case(form: Format, case: Case) -> None:
    async with talking(form, *[case.turn] * 5, key=KEY) as talk:
        heard = await talk.ask()
        told = check_message(heard)
        assert heard.broken is not None
        assert (heard.broken.code, heard.broken.again) == (case.code, case.passing)
        assert case.advice in told
        assert (heard.calls, heard.text) == ([], "")
        assert talk.asked == case.tries == len(heard.tries) + 1
        assert talk.clock.slept == [1.0, 3.0][: case.tries - 1]


@of_all
async def test_without_a_key_the_message_says_how_to_store_one(form: Format) -> None:
    async with talking(form, OK, key=KEY, shown=" ") as talk:
        heard = await talk.ask()
        assert "there is none" in check_message(heard)
        assert heard.broken is not None
        assert heard.broken.code == "key_missing"


def wait_until_a_date(seconds: float) -> Turn:
    def play(wire: Wire, streaming: bool) -> Play:
        headers = {"Retry-After": formatdate(time.time() + seconds, usegmt=True)}
        return refuse(429, "slow down", headers=headers)(wire, streaming)  # type: ignore[operator]

    return play


@of_all
async def test_a_server_says_when_it_wants_to_be_asked_again(form: Format) -> None:
    seconds = refuse(429, "slow down", headers={"Retry-After": "7"})
    async with talking(form, seconds, wait_until_a_date(50), OK) as talk:
        heard = await talk.ask()
        assert (heard.text, heard.broken, talk.asked) == ("Gut.", None, 3)
        first, second = talk.clock.slept
        assert first == 7
        assert 3 < second <= 50
        assert [one.seconds for one in heard.tries] == talk.clock.slept
        assert "too often" in heard.tries[0].why


@of_all
async def test_who_wants_to_wait_for_long_is_not_asked_again_by_itself(form: Format) -> None:
    async with talking(form, refuse(503, "later", headers={"Retry-After": "7200"}), OK) as talk:
        heard = await talk.ask()
        assert "2 hours" in check_message(heard)
        assert (talk.asked, talk.clock.slept) == (1, [])


@of_some
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_nothing_follows_a_redirect(form: Format, status: int) -> None:
    with model_server(form.wire(), OK) as elsewhere:
        headers = {"Location": f"{elsewhere.base_url}/v1?key={KEY}"}
        async with talking(form, raw(b"", status=status, headers=headers), OK, key=KEY) as talk:
            heard = await talk.ask()
            assert elsewhere.base_url in check_message(heard)
            assert (talk.asked, elsewhere.log.got) == (1, [])


@of_all
async def test_a_server_that_breaks_off_before_its_answer_is_asked_again(form: Format) -> None:
    async with talking(form, reset, refuse(500, "oops"), OK) as talk:
        heard = await talk.ask()
        assert (heard.text, heard.broken, talk.asked) == ("Gut.", None, 3)


@of_all
@pytest.mark.parametrize("place", [0.0, 0.4, 0.7, 0.95])
async def test_a_fault_in_the_midst_of_an_answer_leaves_what_was_finished(form: Format, place: float) -> None:
    said = Said("Los.", CALLS, thinking="Hm")
    events = int(len(form.wire().stream(said)) * place)
    async with talking(form, broken_in_the_middle(said, f"Not today, {KEY}", events=events), OK, key=KEY) as talk:
        heard = await talk.ask()
        assert "Not today" in check_message(heard)
        assert talk.asked == 1, "nothing is asked again once an answer has begun"
        assert heard.stop is None
        made = [(call.tool, call.args) for call in CALLS]
        assert heard.calls == made[: len(heard.calls)]
        assert len(heard.unfinished) + len(heard.calls) <= len(CALLS)


@of_all
@streaming_or_not
@pytest.mark.parametrize("then", [Then.DROP, Then.RESET])
async def test_an_answer_that_breaks_off_is_no_whole_one(form: Format, streaming: bool, then: Then) -> None:
    said = Said("Los.", CALLS[:1])
    body = b"".join(form.wire().stream(said)) if streaming else form.wire().whole(said)
    async with talking(form, answer(said, cut_at=len(body) // 2, then=then), OK) as talk:
        heard = await talk.ask(streaming=streaming)
        check_message(heard)
        assert heard.broken is not None
        assert heard.broken.again
        assert (heard.stop, heard.calls, talk.asked) == (None, [], 1)


@of_some
@streaming_or_not
async def test_an_event_without_end_is_not_read_to_its_end(form: Format, streaming: bool) -> None:
    async with talking(form, flood(50)) as talk:
        heard = await talk.ask(streaming=streaming)
        assert " MB" in check_message(heard)
        log = talk.server.log
        await eventually(lambda: log.left, within=20, what="the connection is ended")
        assert log.sent < 45 << 20
        assert (talk.asked, heard.calls) == (1, [])


@pytest.mark.parametrize("form", ALL[:2], ids=lambda form: form.name)
@pytest.mark.parametrize("times", [1, 2])
async def test_little_that_stands_for_much_is_not_unpacked_at_once(form: Format, times: int) -> None:
    async with talking(form, bomb(50, times)) as talk:
        heard = await talk.ask()
        check_message(heard)
        assert heard.broken is not None
        assert heard.broken.code == ("event_too_big" if times == 1 else "malformed_answer")


@of_all
async def test_garbage_is_no_answer(form: Format) -> None:
    garbage = bytes(range(256)) * 40
    turns: list[Turn] = [raw(garbage), raw(b"data: \xff{}\n\n\n{]\n\n"), raw(b'data: [1]\n\n[1]\ndata: "x"\n\n')]
    async with talking(form, *turns) as talk:
        for _ in turns:
            heard = await talk.ask()
            check_message(heard)
            assert (heard.stop, heard.calls, heard.text) == (None, [], "")


@of_all
async def test_an_answer_that_comes_whole_though_it_was_to_be_streamed(form: Format) -> None:
    said = Said("Los.", CALLS, thinking="Hm")
    whole = raw(form.wire().whole(said), content_type="application/json")
    async with talking(form, whole, raw(form.wire().fault(200, "Not today"), content_type="application/json")) as talk:
        heard = await talk.ask()
        assert (heard.text, len(heard.calls), heard.broken) == ("Los.", 2, None)
        assert "Not today" in check_message(await talk.ask())


@of_all
@pytest.mark.parametrize("ids", [("same", "same"), ("", ""), ("", "other")], ids=["twice", "missing", "one missing"])
@streaming_or_not
async def test_calls_are_told_apart_whatever_their_ids_are(form: Format, ids: tuple[str, str], streaming: bool) -> None:
    calls = tuple(SaidCall("read_file", {"path": name}, given) for name, given in zip("ab", ids, strict=True))
    async with talking(form, Said(calls=calls)) as talk:
        heard = await talk.ask(streaming=streaming)
        assert heard.calls == [("read_file", {"path": "a"}), ("read_file", {"path": "b"})]


@of_all
async def test_nothing_counts_after_the_end(form: Format) -> None:
    """The same answer twice in one stream, and another one behind it."""
    said = Said("Los.", CALLS[:1])
    body = b"".join([*form.wire().stream(said) * 2, *form.wire().stream(Said("Mehr.", CALLS))])
    async with talking(form, raw(body), said) as talk:
        twice, once = await talk.ask(), await talk.ask()
        assert (twice.text, twice.calls, twice.stop) == (once.text, once.calls, once.stop)
        assert len(twice.calls) == 1


@of_all
async def test_a_model_may_have_nothing_to_add_to_results(form: Format) -> None:
    async with talking(form, Said(calls=CALLS[:1]), Said()) as talk:
        first = (await talk.ask()).turn()
        outcome = ToolOutcome(first.calls[0].call_id, first.calls[0].tool, "done")
        heard = await talk.ask(UserText("Los"), first, ToolResults((outcome,)))
        assert (heard.broken, heard.text) == (None, "")


@of_some
@pytest.mark.parametrize("begins", [False, True])
async def test_silence_has_an_end(form: Format, begins: bool) -> None:
    events = form.wire().stream(Said("Los.", CALLS[:1]))
    silent = Play(events[:1], content_type=form.wire().content_type(streaming=True), then=Then.HANG)
    turn: Turn = (lambda *_: silent) if begins else hang
    async with talking(form, turn, OK, limits=TimeLimits(read=limit(0.3))) as talk:
        heard = await talk.ask()
        assert "said nothing for too long" in check_message(heard)
        assert (heard.calls, talk.asked) == ([], 1)


@of_all
async def test_nobody_is_there(form: Format) -> None:
    with model_server(form.wire()) as gone:
        address = gone.base_url
    heard = await failed(form, address)
    assert heard.code == "unreachable"
    assert "Nothing answers" in str(heard)


async def test_an_address_that_no_machine_has() -> None:
    heard = await failed(ALL[0], "http://no-such-machine.invalid")
    assert heard.code == "unreachable"
    assert heard.passing
    assert "no-such-machine.invalid" in str(heard)


async def test_a_server_that_does_not_prove_who_it_is_gets_nothing() -> None:
    with model_server(ALL[0].wire(), OK) as plain:
        heard = await failed(ALL[0], plain.base_url.replace("http:", "https:"))
        assert (heard.code, plain.log.got) == ("not_trusted", [])
        assert KEY not in str(heard)


async def test_a_key_is_never_sent_in_clear_to_another_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    with model_server(ALL[0].wire(), OK) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.base_url)
        heard = await failed(ALL[0], "http://models.invalid", KEY)
        assert (heard.code, proxy.log.got) == ("key_in_clear", [])


@pytest.mark.parametrize("name", ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"])
async def test_what_runs_on_this_machine_is_asked_without_a_proxy(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with model_server(ALL[0].wire(), OK) as proxy:
        monkeypatch.setenv(name, proxy.base_url)
        async with talking(ALL[0], OK) as talk:
            assert (await talk.ask()).text == "Gut."
        assert proxy.log.got == []
        there = await failed(ALL[0], "http://models.invalid")
        assert there.code == "model_not_found", "the proxy does not know that address"
        assert [got.path for got in proxy.log.got] == ["http://models.invalid/v1/messages"]


async def failed(form: Format, address: str, key: str | None = None) -> ProviderFault:
    """The fault of the one request to this address."""
    async with provider_of(form, address, key) as (provider, clock):
        heard = await hear(provider, request())
        assert heard.fault is not None
        assert clock.slept == []
        check_message(heard)
        return heard.fault


def test_the_answer_with_a_fault_is_json() -> None:
    """The servers of these tests report faults as the real ones do, with bodies that are not ours."""
    assert all(json.loads(form.wire().fault(500, "x")) for form in ALL)
