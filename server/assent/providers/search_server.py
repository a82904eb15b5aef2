"""A server that searches: asked once, with its key where the user's own settings name it."""

import asyncio
from contextlib import aclosing

from assent import __version__
from assent.jsontext import NotJson, read_json
from assent.lazy_dataclasses import dataclass
from assent.model.errors import ProviderFault, ToolFault
from assent.model.json import Json
from assent.model.search import Hit
from assent.providers.connection import Answer, Connection, NoAnswer, Sending, TimeLimits
from assent.providers.endpoint import Endpoint
from assent.providers.no_answer_words import told
from assent.providers.searching import Searching, Wanted

MOST_BYTES = 2 * 1024 * 1024
LIMITS = TimeLimits(connect=5.0, read=20.0, write=10.0)
SECONDS = 30.0
_SETTING = "assent.webSearch"
_STATUS = {
    401: "It wants a key, or another one: the user stores it with “Assent: Set API Key”, or names apiKeyEnv.",
    403: "It does not allow this: it wants another key, or, as SearXNG does, its owner's leave to answer with JSON.",
    404: f"It does not search at this address: the user corrects {_SETTING}.",
    422: "It wants a key, or does not take this query.",
    429: "It was asked too often; try again later.",
}


@dataclass(frozen=True, slots=True)
class SearchServer:
    """One such server, as the settings name it."""

    endpoint: Endpoint
    searching: Searching

    async def search(self, query: str, count: int) -> tuple[Hit, ...]:
        """The pages that it names, no more than wanted. Raises ToolFault."""
        wanted = self.searching.ask(query, count, await self._key())
        try:
            async with asyncio.timeout(SECONDS):
                answer = await self._asked(wanted)
        except TimeoutError:
            raise ToolFault("silent", f"{self._at} took longer than {SECONDS:g} seconds.") from None
        found = self.searching.hits(answer)
        if found is None:
            raise ToolFault("malformed_answer", f"{self._at} answered with something else than a list of pages.")
        return found[:count]

    async def _key(self) -> str:
        try:
            key = (await self.endpoint.key() or "").strip()
        except ProviderFault as fault:
            words = "it is named by this workspace's settings, and keys go only where the user's own settings say"
            raise ToolFault(fault.code, f"No key was given to {self._at}: {words}. Nothing was sent.") from None
        if key and not (self.endpoint.is_local or self.endpoint.is_encrypted):
            text = f"There is a key for {self._at}, and anybody on the way could read it. Nothing was sent."
            raise ToolFault("key_in_clear", text)
        if not key.isascii() or not key.isprintable():
            raise ToolFault("bad_key", f"The key for {self._at} holds characters that no key has. Nothing was sent.")
        return key

    async def _asked(self, wanted: Wanted) -> Json:
        headers = {
            "user-agent": f"assent/{__version__}",
            "accept": "application/json",
            **wanted.headers,
        }
        connection = Connection(
            through_proxy=not self.endpoint.is_local, encrypted=self.endpoint.is_encrypted, limits=LIMITS
        )
        try:
            async with connection.ask(Sending(self.endpoint.url(wanted.path), headers, wanted.body)) as answer:
                return await self._read(answer)
        except NoAnswer as failed:
            raise ToolFault(*told(failed.trouble, self._at)) from failed
        finally:
            await connection.aclose()

    async def _read(self, answer: Answer) -> Json:
        if 300 <= answer.status < 400:
            text = (
                f"{self._at} points elsewhere, and that is not followed. If it is right, the user corrects {_SETTING}."
            )
            raise ToolFault("redirected", text)
        if answer.status != 200:
            raise ToolFault(
                "rejected", f"{self._at} refused it ({answer.status}). {_STATUS.get(answer.status, '')}".rstrip()
            )
        read = bytearray()
        async with aclosing(answer.chunks()) as chunks:
            async for chunk in chunks:
                read += chunk
                if len(read) > MOST_BYTES:
                    raise ToolFault("too_large", f"{self._at} answered with more than {MOST_BYTES:,} bytes.")
        try:
            found: Json = await asyncio.to_thread(read_json, bytes(read))
        except NotJson:
            raise ToolFault("malformed_answer", f"{self._at} did not answer with JSON.") from None
        return found

    @property
    def _at(self) -> str:
        return f"{self.endpoint.origin} ({_SETTING})"
