"""Words about what makes pictures and speech for tools: who does, where, and what it is called there."""

from dataclasses import dataclass, field
from enum import StrEnum


class Makes(StrEnum):
    """What is made, by the setting that says who makes it."""

    IMAGES = "images"
    SPEECH = "speech"


class Maker(StrEnum):
    """Who makes it."""

    CHAT = "svg"
    """The model of the chat, which writes a drawing."""
    SYSTEM = "system"
    """A program of this machine."""
    OPENAI = "openai-compatible"
    AUTOMATIC1111 = "automatic1111"

    @property
    def is_server(self) -> bool:
        """Whether it is reached by an address."""
        return self in (Maker.OPENAI, Maker.AUTOMATIC1111)


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
}
"""Who can make what; the first of them, where nothing is said."""


def usual_service(makes: Makes) -> ServiceChoice:
    """What counts where nothing is said: nothing is sent to anybody new."""
    return ServiceChoice(MAKERS[makes][0])
