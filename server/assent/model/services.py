"""Words about who makes pictures and speech, and searches the web, for tools: who does, where, its name there."""

from dataclasses import field
from enum import StrEnum

from assent.lazy_dataclasses import dataclass


class Makes(StrEnum):
    """What is made, by the setting that says who makes it."""

    IMAGES = "images"
    SPEECH = "speech"
    SEARCHES = "webSearch"


class Maker(StrEnum):
    """Who makes it."""

    CHAT = "svg"
    """The model of the chat, which writes a drawing."""
    SYSTEM = "system"
    """A program of this machine."""
    OPENAI = "openai-compatible"
    AUTOMATIC1111 = "automatic1111"
    SEARXNG = "searxng"
    BRAVE = "brave"
    TAVILY = "tavily"
    CUSTOM = "custom"

    @property
    def is_server(self) -> bool:
        """Whether it is reached by an address."""
        return self not in (Maker.CHAT, Maker.SYSTEM)

    @property
    def is_known_place(self) -> bool:
        """Whether all the world reaches it at one and the same address."""
        return self in (Maker.BRAVE, Maker.TAVILY)


@dataclass(frozen=True, slots=True)
class ServiceChoice:
    """Who makes it, as the settings say."""

    maker: Maker
    base_url: str = ""
    model: str = ""
    voice: str = ""
    key_variable: str | None = None
    """The environment variable that holds its key."""
    of_user: bool = field(default=True, compare=False)
    """The user's own settings name it: only then it is given a key."""
    fault: str | None = None
    """What is wrong with what the user's settings say, as a sentence: until it is put right, nothing is made."""


MAKERS = {
    Makes.IMAGES: (Maker.CHAT, Maker.OPENAI, Maker.AUTOMATIC1111),
    Makes.SPEECH: (Maker.SYSTEM, Maker.OPENAI),
    Makes.SEARCHES: (Maker.SEARXNG, Maker.BRAVE, Maker.TAVILY, Maker.CUSTOM),
}
"""Who can make what; the first of them, where nothing is said."""


def usual_service(makes: Makes) -> ServiceChoice:
    """What counts where nothing is said: nothing is sent to anybody new. A server without an address is nobody."""
    return ServiceChoice(MAKERS[makes][0])
