"""Servers that speak: the endpoint for speech that OpenAI's and most others have."""

from assent.media.kinds import SOUNDS, Kind
from assent.media.orders import Made, Order
from assent.model.errors import ToolFault
from assent.providers.media_server import MediaServer

USUAL_VOICE = "alloy"


class OpenAiSpeaker:
    """`POST /audio/speech`: the sound is all of the answer."""

    kinds: tuple[Kind, ...] = SOUNDS
    impossible: ToolFault | None = None

    def __init__(self, server: MediaServer, model: str, voice: str, bound: str) -> None:
        self._server = server
        self._model = model
        self._voice = voice or USUAL_VOICE
        self.bound = bound
        self.told = f"The text is sent to {server.endpoint.origin}, where the model “{model}” speaks it."

    async def make(self, order: Order) -> Made:
        """Raises ToolFault."""
        body = {
            "model": self._model,
            "input": order.text,
            "voice": order.voice or self._voice,
            "response_format": order.kind.name.lower(),
        }
        return Made(await self._server.data("/audio/speech", body))
