"""Pictures that go along with a message, to every kind of model server; and the way on where one takes none."""

from base64 import b64encode
from dataclasses import replace

import pytest

from assent.model.conversation import ToolOutcome, ToolResults, UserText
from assent.model.message_parts import Attachment, Kind
from tests.contract.talking import TOOLS, check_message, of_all, streaming_or_not, talking
from tests.support.media_files import JPEG_BYTES, png
from tests.support.model_servers.formats import FORMATS, Format
from tests.support.model_servers.ollama import OllamaWire
from tests.support.model_servers.plays import refuse
from tests.support.model_servers.wire import Said, SaidCall


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
