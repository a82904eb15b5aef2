"""Pictures that go along with a message, to every kind of model server; and the way on where one takes none."""

from base64 import b64encode
from dataclasses import replace

import pytest

from assent.model.conversation import ToolOutcome, ToolResults, UserText
from assent.model.ids import CallId
from assent.model.message_parts import Attachment, Kind
from tests.contract.talking import TOOLS, check_message, of_all, streaming_or_not, talking
from tests.support.media_files import JPEG_BYTES, png
from tests.support.model_servers.formats import FORMATS, Format
from tests.support.model_servers.ollama import OllamaWire
from tests.support.model_servers.plays import refuse
from tests.support.model_servers.wire import Said, SaidCall, Seen


def shown(mime: str, data: bytes) -> Attachment:
    return Attachment(Kind.IMAGE, "shot.png", "file:///w/shot.png", mime, b64encode(data).decode())


PICTURES = (shown("image/png", png()), shown("image/jpeg", JPEG_BYTES))
SENT = (("image/png", png()), ("image/jpeg", JPEG_BYTES))
LOOK = UserText("look\n[image shot.png]", pictures=PICTURES)


@of_all
@streaming_or_not
async def test_pictures_go_beside_the_words_with_every_turn(form: Format, streaming: bool) -> None:
    async with talking(form, models=[form.model]) as talk:
        talk.server.add(Said(calls=(SaidCall(TOOLS[0], {"path": "a"}),)), Said("Seen."))
        first = await talk.ask(LOOK, streaming=streaming)
        [use] = first.turn().calls
        results = ToolResults((ToolOutcome(use.call_id, use.tool, "done"),))
        second = await talk.ask(LOOK, first.turn(), results, UserText("and now?"), streaming=streaming)
        assert second.text == "Seen."
        assert talk.server.log.rejected == []
        for seen in talk.server.log.seen:
            assert (seen.messages[0].text, seen.messages[0].pictures) == (LOOK.text, SENT)
        assert all(not message.pictures for message in talk.server.log.seen[-1].messages[1:])


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
@pytest.mark.parametrize(("status", "hint"), [(400, True), (404, True), (422, True), (401, False), (403, False)])
async def test_a_model_that_takes_none_says_so_and_the_way_on_is_told(form: Format, status: int, hint: bool) -> None:
    async with talking(form, refuse(status, "this model does not support image input")) as talk:
        told = check_message(await talk.ask(LOOK))
        assert "does not support image input" in told
        assert ("edit the message" in told) is hint


async def test_without_pictures_nothing_is_said_of_them() -> None:
    async with talking(FORMATS[0], refuse(400, "temperature is too hot")) as talk:
        assert "picture" not in check_message(await talk.ask(UserText("hello")))


@pytest.mark.parametrize(
    ("capabilities", "sent"), [(("completion", "vision"), True), ((), True), (("completion", "tools"), False)]
)
async def test_a_server_that_drops_them_without_a_word_is_asked_before(
    capabilities: tuple[str, ...], sent: bool
) -> None:
    form = replace(FORMATS[1], wire=lambda: OllamaWire(*capabilities))
    async with talking(form, Said("Seen."), Said("Again.")) as talk:
        first = await talk.ask(LOOK)
        assert (first.text == "Seen.") is sent and bool(talk.server.log.seen) is sent
        if not sent:
            told = check_message(first)
            assert "sees none, so nothing was sent" in told and "Edit the message" in told
            assert (await talk.ask(UserText("hello"))).text == "Seen."
            return
        await talk.ask(LOOK, first.turn(), UserText("and now?"))
        asked = [one.path for one in talk.server.log.got]
        # Once it is known to see, it is not asked again.
        assert asked.count("/api/show") == (1 if capabilities else 2)
        assert all(one.messages[0].pictures == SENT for one in talk.server.log.seen)


async def test_a_server_that_cannot_be_asked_for_it_is_sent_them_all_the_same() -> None:
    class OldWire(OllamaWire):
        def aside(self, path: str) -> bytes | None:
            return b"<html>" if path == "/api/show" else None

    async with talking(replace(FORMATS[1], wire=OldWire), Said("Seen.")) as talk:
        assert (await talk.ask(LOOK)).text == "Seen."


SHOT = "[image shot.png: PNG, 1 x 1]"
READ = ToolOutcome(CallId(""), TOOLS[0], SHOT, picture_names=("shot.png",), pictures=PICTURES[:1])


def pictures_after_the_first(seen: Seen) -> list[tuple[str, bytes]]:
    return [picture for message in seen.messages[1:] for picture in message.pictures]


@of_all
@streaming_or_not
async def test_pictures_of_results_are_on_the_wire(form: Format, streaming: bool) -> None:
    """Inside of the result, or in a message right behind it, as each kind of server takes them."""
    async with talking(form, models=[form.model]) as talk:
        calls = tuple(SaidCall(TOOLS[0], {"path": name}) for name in "ab")
        talk.server.add(Said(calls=calls), Said("Seen."), Said("Again."))
        first = await talk.ask(UserText("look"), streaming=streaming)
        one, two = first.turn().calls
        shot = replace(READ, call_id=one.call_id)
        results = ToolResults((shot, ToolOutcome(two.call_id, two.tool, "text")))
        second = await talk.ask(UserText("look"), first.turn(), results, streaming=streaming)
        assert second.text == "Seen."
        third = await talk.ask(UserText("look"), first.turn(), results, UserText("and now?"), streaming=streaming)
        assert third.text == "Again." and talk.server.log.rejected == []
        for seen in talk.server.log.seen[1:]:
            assert pictures_after_the_first(seen) == [SENT[0]]
            [told] = [message.results for message in seen.messages if message.results]
            assert told == (shot.content, "text")


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
@pytest.mark.parametrize("status", [400, 422, 500])
async def test_a_model_that_refuses_those_of_results_is_told_in_words_from_then_on(form: Format, status: int) -> None:
    async with talking(form, models=[form.model]) as talk:
        calls = (SaidCall(TOOLS[0], {"path": "a"}),)
        talk.server.add(Said(calls=calls), refuse(status, "no image input"), Said("Fine."), Said("Still."))
        first = await talk.ask(UserText("look"))
        results = ToolResults((replace(READ, call_id=first.turn().calls[0].call_id),))
        for words in ("Fine.", "Still."):
            assert (await talk.ask(UserText("look"), first.turn(), results)).text == words
        assert len(talk.server.log.seen) == 4
        assert pictures_after_the_first(talk.server.log.seen[1]) == [SENT[0]]
        for seen in talk.server.log.seen[2:]:
            assert pictures_after_the_first(seen) == []
            assert any("this model sees none" in text for one in seen.messages for text in one.results)


async def test_what_is_wrong_otherwise_stays_what_it_is() -> None:
    async with talking(FORMATS[0], models=[FORMATS[0].model]) as talk:
        talk.server.add(Said(calls=(SaidCall(TOOLS[0], {"path": "a"}),)))
        first = await talk.ask(UserText("look"))
        results = ToolResults((replace(READ, call_id=first.turn().calls[0].call_id),))
        talk.server.add(refuse(400, "temperature is too hot"), refuse(400, "temperature is too hot"), Said("Seen."))
        assert "temperature is too hot" in check_message(await talk.ask(UserText("look"), first.turn(), results))
        assert (await talk.ask(UserText("look"), first.turn(), results)).text == "Seen."
        assert pictures_after_the_first(talk.server.log.seen[-1]) == [SENT[0]]


async def test_a_server_that_says_that_its_model_is_blind_gets_words() -> None:
    form = replace(FORMATS[1], wire=lambda: OllamaWire("completion", "tools"))
    async with talking(form, models=[form.model]) as talk:
        talk.server.add(Said(calls=(SaidCall(TOOLS[0], {"path": "a"}),)), Said("Fine."))
        first = await talk.ask(UserText("look"))
        results = ToolResults((replace(READ, call_id=first.turn().calls[0].call_id),))
        assert (await talk.ask(UserText("look"), first.turn(), results)).text == "Fine."
        assert pictures_after_the_first(talk.server.log.seen[-1]) == []
