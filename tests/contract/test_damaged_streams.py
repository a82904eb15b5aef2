"""However a stream is cut off or damaged: what runs is a call that stands in it whole, with just these arguments."""

import random
from collections.abc import Iterator

import pytest

from tests.contract.damage import SAID, calls_not_sent, damaged, read
from tests.contract.talking import check_message, of_all, talking
from tests.support.model_servers.formats import Format
from tests.support.model_servers.plays import Then, answer, cut_anywhere
from tests.support.model_servers.sent import sent_calls

SEED = 4_000
CUTS = 200
CUTS_OVER_HTTP = 6
MUTATIONS = 250


@of_all
def test_the_plain_reader_finds_every_call(form: Format) -> None:
    body = b"".join(form.wire().stream(SAID))
    found = read(form, body, broken=False)
    assert [tool for tool, _ in found.calls] == [call.tool for call in SAID.calls]
    assert calls_not_sent(form, body, found) == []
    other = body.replace(b"build", b"other")
    assert [tool for tool, _ in calls_not_sent(form, other, found)] == ["bash"]
    assert sent_calls(form.provider, b"") == set()
    assert found.whole


def cuts(body: bytes, count: int) -> Iterator[int]:
    yield from random.Random(SEED).sample(range(len(body)), count)


@of_all
@pytest.mark.parametrize("broken", [True, False], ids=["broken off", "ended"])
def test_cut_at_any_byte_only_finished_calls_stand(form: Format, broken: bool) -> None:
    body = b"".join(form.wire().stream(SAID))
    everything = read(form, body, broken=False)
    for cut in cuts(body, CUTS):
        found = read(form, body[:cut], broken=broken)
        assert found.calls == everything.calls[: len(found.calls)], cut
        assert calls_not_sent(form, body[:cut], found) == [], cut
        assert everything.text.startswith(found.text), cut
        assert not found.whole or found.calls == everything.calls, cut
        assert found.fault == "", "a cut is no fault of its own"


@of_all
async def test_cut_on_its_way_it_is_told_as_cut_and_not_asked_for_again(form: Format) -> None:
    body = b"".join(form.wire().stream(SAID))
    everything = read(form, body, broken=False)
    places = [cut or 1 for cut in cuts(body, CUTS_OVER_HTTP)]
    async with talking(form, *(answer(SAID, cut_at=cut, then=Then.DROP) for cut in places)) as talk:
        for asked, cut in enumerate(places, 1):
            heard = await talk.ask()
            assert talk.asked == asked
            if heard.stop is None:
                check_message(heard)
                assert heard.broken is not None
                assert heard.broken.again
                assert heard.broken.code == "stream_cut"
                named = [tool for tool in heard.unfinished if tool in heard.broken.message]
                assert named == heard.unfinished
            assert [tool for tool, _ in heard.calls] == [tool for tool, _ in everything.calls][: len(heard.calls)], cut


@of_all
def test_a_damaged_stream_never_makes_a_call_that_was_not_sent(form: Format) -> None:
    events = form.wire().stream(SAID)
    numbers = random.Random(SEED)
    made = 0
    for n in range(MUTATIONS):
        body = damaged(numbers, events)
        found = read(form, body, broken=bool(n % 2), pieces=lambda data, n=n: list(cut_anywhere(n)(data)))  # type: ignore[misc]
        made += len(found.calls)
        assert calls_not_sent(form, body, found) == [], (n, body)
    assert made > MUTATIONS // 4, "hardly any call was left, so this proves little"
