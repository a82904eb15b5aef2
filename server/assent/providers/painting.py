"""Servers that paint: the endpoint for images that OpenAI's and most others have, and Automatic1111's."""

from collections.abc import Mapping
from typing import Any

from assent.media.kinds import PICTURES, Kind
from assent.media.orders import Made, Order
from assent.model.errors import ToolFault
from assent.model.json import Json, JsonObject
from assent.providers.media_server import MediaServer

_USUAL_SIDES = (512, 512)
_OWN_FORMAT = "gpt-image"
"""Models of this family answer with base64 only, take no word on that, and are told which format it is to be."""


class OpenAiPainter:
    """`POST /images/generations`: the picture comes as base64, or stands at an address of the same server."""

    kinds: tuple[Kind, ...] = PICTURES
    impossible: ToolFault | None = None

    def __init__(self, server: MediaServer, model: str, bound: str) -> None:
        self._server = server
        self._model = model
        self.bound = bound
        self.told = _told(server, f"the model “{model}”")

    async def make(self, order: Order) -> Made:
        """Raises ToolFault."""
        answer = await self._server.json("/images/generations", self._body(order))
        match answer:
            case {"data": [{"b64_json": str(text)}, *_]}:
                return Made(await self._server.decoded(text))
            case {"data": [{"url": str(address)}, *_]} if address.startswith("data:"):
                return Made(await self._server.decoded(address))
            case {"data": [{"url": str(address)}, *_]}:
                return Made(await self._server.fetched(address))
        raise self._server.fault("malformed_answer", "The server answered without a picture.")

    def _body(self, order: Order) -> JsonObject:
        body: dict[str, Json] = {"model": self._model, "prompt": order.text, "n": 1}
        if order.size is not None:
            body["size"] = f"{order.size[0]}x{order.size[1]}"
        if self._model.startswith(_OWN_FORMAT):
            body["output_format"] = order.kind.name.lower()
        else:
            body["response_format"] = "b64_json"
        return body


class Automatic1111Painter:
    """`POST /sdapi/v1/txt2img`: the picture comes as base64."""

    kinds: tuple[Kind, ...] = PICTURES
    impossible: ToolFault | None = None

    def __init__(self, server: MediaServer, model: str, bound: str) -> None:
        self._server = server
        self._model = model
        self.bound = bound
        self.told = _told(server, f"the model “{model}”" if model else "Automatic1111")

    async def make(self, order: Order) -> Made:
        """Raises ToolFault."""
        width, height = order.size or _USUAL_SIDES
        body: dict[str, Any] = {
            "prompt": order.text,
            "width": width,
            "height": height,
            "batch_size": 1,
            "n_iter": 1,
            "send_images": True,
            "save_images": False,
        }
        if self._model:
            body |= {
                "override_settings": {"sd_model_checkpoint": self._model},
                "override_settings_restore_afterwards": True,
            }
        answer = await self._server.json("/sdapi/v1/txt2img", body)
        images = answer.get("images") if isinstance(answer, Mapping) else None
        if not isinstance(images, list) or not images:
            raise self._server.fault("malformed_answer", "The server answered without a picture.")
        return Made(await self._server.decoded(images[0]))


def _told(server: MediaServer, who: str) -> str:
    return f"The description and the size are sent to {server.endpoint.origin}, where {who} paints it."
