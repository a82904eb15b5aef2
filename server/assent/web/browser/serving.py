"""What a page asks for is fetched here, from addresses that were looked at: the browser itself reaches nothing."""

from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from assent.model.addresses import Address
from assent.model.errors import ToolFault
from assent.policy.rules.rule import Effect
from assent.web.target import Target, is_same_page, read_target
from assent.web.visit import Answered, Asked, Visitor

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_OURS = frozenset({"host", "connection", "accept-encoding", "content-length", "transfer-encoding"})
"""Of a request, these are said by who makes it; of an answer, they are about bytes that are unpacked by now."""
_UNPACKED = _OURS | {"content-encoding", "keep-alive", "alt-svc"}
_MOST_SENT = 8 * 1024 * 1024

Message = dict[str, Any]
Restriction = Callable[[Address, tuple[Address, ...]], Effect | None]
"""Which kind of rule keeps a page from this address, where these are agreed to."""


class Serving:
    """Decides about each request of a page, and makes it."""

    def __init__(self, visitor: Visitor, restriction: Restriction) -> None:
        self._visitor = visitor
        self._restriction = restriction
        self.page: Target | None = None
        """The page that was agreed to: its origin is where the page may go by itself, as far as no rule asks."""
        self._agreed: tuple[Target, ...] = ()
        """What the call that is under way said it reaches: the page, and where a click leads."""
        self.near = False
        """Whether just this origin was agreed to, although it is on this machine or near it."""
        self.notes: list[str] = []
        """What the page wanted and did not get."""
        self.fault: ToolFault | None = None
        """Why the page itself did not come."""

    def begin(self, page: Target, *, near: bool) -> None:
        """From here on this is the page."""
        self.page, self.near, self.fault = page, near, None
        self._agreed = (page,)
        self.notes.clear()

    def agree(self, *reached: Target) -> None:
        """A call begins on the page that said it reaches these."""
        page = self.page
        self._agreed = tuple(there for there in reached if page is not None and same_site(page, there))

    async def answer(self, paused: Message, *, of_page: bool) -> tuple[str, Message]:
        """What the browser is told about a request: the method, and what it says. `of_page`: it is the page itself."""
        try:
            target = read_target(str(paused["request"]["url"]))
            self._check(target, of_page=of_page)
            asked = _asked(paused["request"])
            answered = await self._visitor.exchange(target, asked, near=self._is_near(target))
        except ToolFault as fault:
            if of_page:
                self.fault = fault
            self.note(str(fault))
            return self.refusal(paused)
        return "Fetch.fulfillRequest", _fulfilled(paused["requestId"], answered)

    @staticmethod
    def refusal(paused: Message) -> tuple[str, Message]:
        """What the browser is told of a request that is not made. A page that gets no other one stays."""
        reason = "Aborted" if paused.get("resourceType") == "Document" else "BlockedByClient"
        return "Fetch.failRequest", {"requestId": paused["requestId"], "errorReason": reason}

    def _check(self, target: Target, *, of_page: bool) -> None:
        if self.page is None:
            raise ToolFault("no_page", "No page was agreed to.")
        if of_page and not same_site(self.page, target):
            text = f"The page wanted to go to {target.url}. That is another place: use navigate to go there."
            raise ToolFault("redirected", text)
        held = self._restriction(target.address, agreed_to(self.page, self._agreed, target, of_page=of_page))
        if held is Effect.ASK:
            text = f"A rule asks the user before {target.url} is reached. Nothing was sent there: use navigate with it."
            raise ToolFault("not_agreed", text)
        if held is not None:
            raise ToolFault("denied_by_rule", f"A rule denies {target.url}; nothing was sent there.")

    def _is_near(self, target: Target) -> bool:
        return self.near and self.page is not None and target.origin == self.page.origin

    def note(self, text: str) -> None:
        """Something that the page wanted and did not get."""
        if len(self.notes) < 10 and text not in self.notes:
            self.notes.append(text)


def same_site(page: Target, there: Target) -> bool:
    """Whether this is the same origin, or the same one encrypted."""
    if page.host != there.host:
        return False
    encrypted = (page.scheme, page.port, there.scheme, there.port) == ("http", 80, "https", 443)
    return encrypted or (page.scheme, page.port) == (there.scheme, there.port)


def agreed_to(page: Target, agreed: tuple[Target, ...], there: Target, *, of_page: bool) -> tuple[Address, ...]:
    """What answers ask rules about what the page asks for: those that speak of any of these were asked about.

    Another page is not the one that was asked about. What a page loads belongs to it, where the same rule names both.
    """
    if not same_site(page, there):
        return ()
    exactly = _way(there) in map(_way, agreed)
    # What is unclear about an address that was agreed to says nothing about others.
    like = (replace(one.address, path_doubt=False) for one in agreed if not of_page or is_same_page(one, there))
    return (*((there.address,) if exactly else ()), *like)


def _way(target: Target) -> str:
    return target.path.partition("?")[0]


def _asked(request: Message) -> Asked:
    method = str(request.get("method"))
    if method not in _METHODS:
        raise ToolFault("not_sent", f"A request with the method {method[:20]} was not sent.")
    headers = tuple(
        (str(name), str(value)) for name, value in request.get("headers", {}).items() if name.lower() not in _OURS
    )
    if not request.get("hasPostData"):
        return Asked(method, headers)
    parts = [b64decode(one["bytes"]) for one in request.get("postDataEntries", ()) if "bytes" in one]
    body = b"".join(parts)
    if not body or len(parts) < len(request.get("postDataEntries", ())) or len(body) > _MOST_SENT:
        raise ToolFault("not_sent", "What the page wanted to send is a file, or too large; it was not sent.")
    return Asked(method, headers, body)


def _fulfilled(request_id: str, answered: Answered) -> Message:
    headers = [{"name": name, "value": value} for name, value in answered.headers if name.lower() not in _UNPACKED]
    return {
        "requestId": request_id,
        "responseCode": answered.status,
        "responseHeaders": headers,
        "body": b64encode(answered.body).decode("ascii"),
    }
