"""The tools that make pictures and speech, and who does it behind an address: loaded when a call needs it."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from assent.agent.toolbelt import OfEachChat
from assent.app.keys import KeyPlace, Keys
from assent.jsontext import canonical_json
from assent.model.ids import SessionId
from assent.model.services import Maker as Who
from assent.model.services import Makes, ServiceChoice
from assent.providers.endpoint import Endpoint
from assent.runtime.processes import Processes
from assent.tools.generate_image import GenerateImage
from assent.tools.made_file import FileTool
from assent.tools.makers import Maker
from assent.tools.places import Roots
from assent.tools.text_to_speech import TextToSpeech
from assent.tools.writing import Writer

if TYPE_CHECKING:
    from assent.providers.media_server import MediaServer
    from assent.settings.effective import Effective


class MediaMakers:
    """Makes the tools, and finds who does their work, by what the settings say at that moment."""

    def __init__(self, keys: Keys, processes: Processes, now: "Callable[[], Effective]") -> None:
        self._keys = keys
        self._processes = processes
        self._now = now

    def tools(
        self, inside: Callable[[SessionId], Roots], writer: Callable[[SessionId], Writer]
    ) -> tuple[OfEachChat, ...]:
        """Those of each chat, which write in its name."""
        return (
            OfEachChat(lambda chat: self.image(inside(chat), writer(chat))),
            OfEachChat(lambda chat: self.speech(inside(chat), writer(chat))),
        )

    def image(self, roots: Roots, writer: Writer) -> GenerateImage:
        """The tool of one chat that makes pictures."""
        return GenerateImage(FileTool("generate_image", roots, writer), lambda: self._now().images, self._painter)

    def speech(self, roots: Roots, writer: Writer) -> TextToSpeech:
        """The tool of one chat that has texts spoken."""
        tool = FileTool("text_to_speech", roots, writer)
        return TextToSpeech(tool, lambda: self._now().speech, self._speaker, self._processes)

    def key_places(self) -> Iterator[KeyPlace]:
        """Where the keys are looked for that the user's own settings speak of."""
        now = self._now()
        for makes, choice in ((Makes.IMAGES, now.images), (Makes.SPEECH, now.speech)):
            if choice.maker.is_server and choice.of_user and choice.fault is None:
                yield _key_place(makes, choice)

    def _painter(self, choice: ServiceChoice) -> Maker:
        from assent.providers.painting import Automatic1111Painter, OpenAiPainter

        kind = Automatic1111Painter if choice.maker is Who.AUTOMATIC1111 else OpenAiPainter
        return kind(self._server(Makes.IMAGES, choice), choice.model, _bound(choice))

    def _speaker(self, choice: ServiceChoice) -> Maker:
        from assent.providers.speaking import OpenAiSpeaker

        return OpenAiSpeaker(self._server(Makes.SPEECH, choice), choice.model, choice.voice, _bound(choice))

    def _server(self, makes: Makes, choice: ServiceChoice) -> "MediaServer":
        from assent.providers.media_server import MediaServer

        place = _key_place(makes, choice)
        return MediaServer(Endpoint(choice.base_url, place.agent, key=partial(self._keys.key, place)), place.agent)


def _key_place(makes: Makes, choice: ServiceChoice) -> KeyPlace:
    name = f"assent.{makes}"
    return KeyPlace(name, Endpoint(choice.base_url, name).origin, choice.key_variable, choice.of_user)


def _bound(choice: ServiceChoice) -> str:
    parts = [choice.maker.value, choice.base_url, choice.model, choice.voice, choice.key_variable, choice.of_user]
    return canonical_json(parts).decode("ascii")
