"""A server that makes pictures or speech: asked once, never again by itself, and read no further than was agreed.

What it says of itself (types, names, addresses elsewhere) counts for nothing. What goes wrong is a ToolFault.
"""

import asyncio
from base64 import b64decode, b64encode
from binascii import Error as NoBase64
from collections.abc import Mapping
from contextlib import aclosing
from urllib.parse import urljoin, urlsplit

from assent import __version__
from assent.jsontext import NotJson, read_json, write_json
from assent.lazy_dataclasses import dataclass
from assent.masking import mask_text
from assent.model.errors import ProviderFault, ToolFault
from assent.model.json import Json, JsonObject
from assent.providers.connection import Answer, Connection, NoAnswer, Sending, TimeLimits
from assent.providers.endpoint import Endpoint
from assent.providers.no_answer_words import told

MOST_BYTES = 32 * 1024 * 1024
"""Of what is made."""
MOST_JSON = MOST_BYTES * 4 // 3 + 256 * 1024
MOST_FAULT = 64 * 1024
MOST_WORDS = 300
LIMITS = TimeLimits(connect=5.0, read=300.0, write=60.0)
_NOTHING = "Nothing was written."
_STATUS = {
    401: "It wants a key, or another one: the user stores it with “Assent: Set API Key”.",
    403: "It does not allow this with the key that it was shown.",
    404: "It has no such thing at this address, or not this model: the user corrects {setting}.",
    429: "It was asked too often; try again later.",
}


@dataclass(frozen=True, slots=True)
class MediaServer:
    """One such server, as a setting names it."""

    endpoint: Endpoint
    setting: str
    """Which one: messages speak of it."""
    limits: TimeLimits = LIMITS
    most_bytes: int = MOST_BYTES

    async def json(self, path: str, body: JsonObject) -> Json:
        """Its answer as JSON."""
        data = await self.data(path, body, MOST_JSON)
        try:
            # It may be long, and others want to use the loop meanwhile.
            answer: Json = await asyncio.to_thread(read_json, data)
        except NotJson:
            raise self.fault("malformed_answer", f"{self._at} did not answer with JSON.") from None
        return answer

    async def data(self, path: str, body: JsonObject, most: int | None = None) -> bytes:
        """Its answer as it is."""
        headers = {"content-type": "application/json", **await self._headers()}
        return await self._ask(Sending(self.endpoint.url(path), headers, write_json(body)), most or self.most_bytes)

    async def fetched(self, address: str) -> bytes:
        """What it says that it keeps at this address; at any other place than its own, nothing is fetched."""
        url = _joined(self.endpoint.url("/"), address)
        if url is None or _origin(url) is None or _origin(url) != _origin(self.endpoint.base_url):
            words = f"{self._at} answered with an address elsewhere, from where nothing is fetched."
            raise self.fault("elsewhere", words)
        return await self._ask(Sending(url, _agent(), None), self.most_bytes)

    async def decoded(self, text: object) -> bytes:
        """What it sent as a text."""
        if not isinstance(text, str):
            raise self.fault("malformed_answer", f"{self._at} answered with nothing that was made.")
        plain = text.partition(",")[2] if text.startswith("data:") else text
        try:
            data = await asyncio.to_thread(b64decode, plain, validate=True)
        except (NoBase64, ValueError):
            raise self.fault("malformed_answer", f"{self._at} did not send it in base64, as it should.") from None
        if len(data) > self.most_bytes:
            raise self._too_large()
        return data

    def fault(self, code: str, words: str) -> ToolFault:
        """Something went wrong."""
        return ToolFault(code, f"{words} {_NOTHING}")

    async def _headers(self) -> Mapping[str, str]:
        try:
            key = (await self.endpoint.key() or "").strip()
        except ProviderFault as fault:
            words = "it is named by this workspace's settings, and keys go only where the user's own settings say"
            raise self.fault(fault.code, f"No key was given to {self._at}: {words}.") from None
        if not key:
            return _agent()
        if not (self.endpoint.is_local or self.endpoint.is_encrypted):
            raise self.fault("key_in_clear", f"There is a key for {self._at}, and anybody on the way could read it.")
        if not key.isascii() or not key.isprintable():
            raise self.fault("bad_key", f"The key for {self._at} holds characters that no key has.")
        return {**_agent(), **self.endpoint.headers, "authorization": _shown(key)}

    async def _ask(self, sending: Sending, most: int) -> bytes:
        connection = Connection(
            through_proxy=not self.endpoint.is_local, encrypted=self.endpoint.is_encrypted, limits=self.limits
        )
        try:
            async with connection.ask(sending) as answer:
                if answer.status != 200:
                    raise await self._refused(answer, sending)
                return await self._body(answer, most)
        except NoAnswer as failed:
            raise self.fault(*told(failed.trouble, self._at)) from failed
        finally:
            await connection.aclose()

    async def _body(self, answer: Answer, most: int) -> bytes:
        read = bytearray()
        async with aclosing(answer.chunks()) as chunks:
            async for chunk in chunks:
                read += chunk
                if len(read) > most:
                    raise self._too_large()
        return bytes(read)

    def _too_large(self) -> ToolFault:
        return self.fault("too_large", f"{self._at} answered with more than {self.most_bytes:,} bytes. Ask for less.")

    async def _refused(self, answer: Answer, sending: Sending) -> ToolFault:
        if 300 <= answer.status < 400:
            words = f"{self._at} points elsewhere, and that is not followed. If it is right, the user corrects"
            return self.fault("redirected", f"{words} {self.setting}.")
        said = await answer.beginning(MOST_FAULT)
        secret = sending.headers.get("authorization", "").partition(" ")[2]
        advice = _STATUS.get(answer.status, "").format(setting=self.setting)
        words = f"{self._at} refused it ({answer.status}).{_quoted(said, secret)} {advice}".rstrip()
        return self.fault("rejected", words)

    @property
    def _at(self) -> str:
        return f"{self.endpoint.origin} ({self.setting})"


def _shown(key: str) -> str:
    """A key is a name and a password where it has a colon, as Automatic1111 wants it; else it stands for its bearer."""
    return f"Basic {b64encode(key.encode('ascii')).decode('ascii')}" if ":" in key else f"Bearer {key}"


def _agent() -> dict[str, str]:
    return {"user-agent": f"assent/{__version__}", "accept": "*/*"}


def _joined(base: str, address: str) -> str | None:
    """The whole of an address; None for one that two readers could understand in two ways."""
    if not address.isascii() or not address.isprintable() or {" ", "\\"} & set(address):
        return None
    try:
        return urljoin(base, address)
    except ValueError:
        return None


def _origin(url: str) -> tuple[str, str, int | None] | None:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    usual = {"http": 80, "https": 443}.get(parts.scheme)
    named = parts.username is not None or parts.password is not None
    return None if usual is None or named else (parts.scheme, (parts.hostname or "").lower(), port or usual)


def _quoted(body: bytes, secret: str) -> str:
    """The server's own words, where its answer has some: short, on one line, nothing hidden in them, and no secret."""
    text = body.decode("utf-8", "replace")
    try:
        text = _words_in(read_json(body)) or ""
    except NotJson:
        text = "" if text.lstrip().startswith("<") else text
    masked, _ = mask_text(" ".join(text[:4_000].split()), frozenset({secret} if secret else ()))
    plain = "".join(char if char.isprintable() else f"‹U+{ord(char):04X}›" for char in masked[:MOST_WORDS])
    return f" It says: “{plain}”." if plain else ""


def _words_in(answer: Json) -> str | None:
    for name in ("error", "detail", "message", "errors"):
        value = answer.get(name) if isinstance(answer, Mapping) else None
        if isinstance(value, Mapping):
            value = value.get("message")
        if isinstance(value, str) and value:
            return value
    return None
