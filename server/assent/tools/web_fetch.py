"""web_fetch: the text of one page, from exactly the address that was shown."""

import asyncio

from pydantic import Field

from assent.agent.ports import AS_SHOWN, Manner, Prepared, ToolAnswer
from assent.model.addresses import Addresses
from assent.model.approval import Risk, RiskLevel
from assent.model.conversation import ToolSpec
from assent.model.errors import ToolFault
from assent.model.json import JsonObject
from assent.model.modes import Category
from assent.model.preview import UrlPreview
from assent.policy.rules.reserved import Reach
from assent.tools.schema import Arguments, schema_fault, schema_of
from assent.web.reading import Part, readable, status, told
from assent.web.target import LONGEST, Elsewhere, Target, notes_on, read_target
from assent.web.visit import Page, Visitor

USUAL_CHARACTERS = 20_000
MOST_CHARACTERS = 100_000
_OF_A_FAILURE = 2_000
_LONGEST_HEADLINE = 160


class WebFetchArguments(Arguments):
    """What web_fetch takes."""

    url: str = Field(min_length=1, max_length=LONGEST, description="The whole address, with http:// or https://.")
    max_chars: int = Field(
        USUAL_CHARACTERS, ge=1, le=MOST_CHARACTERS, description="The most characters of its text to give."
    )
    offset: int = Field(0, ge=0, description="The character to start from, to read on in a long page.")


class WebFetch:
    """Asks for a page without saying who asks: no cookies, no keys. Where its server sends one, it does not go."""

    spec = ToolSpec(
        "web_fetch",
        "Fetches a page by its address and gives its text: HTML as something like Markdown, JSON and plain text as "
        "they are. Where a server sends one to another page, that is told and needs a call of its own.",
        schema_of(WebFetchArguments),
    )
    category = Category.EXTERNAL

    def __init__(self, visitor: Visitor) -> None:
        self._visitor = visitor

    def fault(self, args: JsonObject) -> str | None:
        found = schema_fault(WebFetchArguments, args)
        if found is not None:
            return found
        try:
            read_target(str(args["url"]))
        except ToolFault as fault:
            return f"The arguments do not fit. url: {fault}"
        return None

    async def prepare(self, args: JsonObject) -> Prepared:
        wanted = WebFetchArguments.model_validate(args)
        target = read_target(wanted.url)
        part = Part(wanted.max_chars, wanted.offset)
        return Prepared(
            headline=headline("Fetch", target),
            directory="",
            preview=preview_of(target),
            paths=(),
            state=target.url,
            grant_key=self.spec.name,
            perform=lambda: self._fetch(target, part, AS_SHOWN),
            perform_in=lambda manner: self._fetch(target, part, manner),
            risk=risk_of(target),
            impossible=never(target),
            addresses=Addresses((target.address,)),
        )

    async def _fetch(self, target: Target, part: Part, manner: Manner) -> ToolAnswer:
        found = await self._visitor.fetch(target, near=may_be_near(manner))
        if isinstance(found, Elsewhere):
            return ToolAnswer(
                f"{target.url} is not read: its server sends whoever asks to another place, and nothing was asked "
                f"there. To read that, call web_fetch with this address: {found.url}",
                code="redirected",
            )
        return await asyncio.to_thread(_answer, found, part)


def _answer(page: Page, part: Part) -> ToolAnswer:
    found = readable(page)
    if page.status >= 400:
        text = told(page, found, Part(min(part.most, _OF_A_FAILURE))).text
        raise ToolFault("http_error", f"{page.target.host} answered {status(page.status)}.\n{text}")
    answer = told(page, found, part)
    return ToolAnswer(answer.text, truncated=answer.more)


def headline(act: str, target: Target) -> str:
    """What is done where, in one line."""
    text = f"{act} {target.url}"
    return text if len(text) <= _LONGEST_HEADLINE else f"{text[:_LONGEST_HEADLINE]}…"


def preview_of(target: Target, note: str | None = None) -> UrlPreview:
    """The address with its host set apart."""
    behind = target.authority.removeprefix(target.host)
    return UrlPreview(f"{target.scheme}://", target.host, f"{behind}{target.path}", note)


def risk_of(target: Target, *further: str) -> Risk | None:
    """What a reader of the address could overlook."""
    notes = (*notes_on(target), *further)
    if not notes:
        return None
    grave = target.reach is not Reach.PUBLIC or "xn--" in target.host
    return Risk(RiskLevel.HIGH if grave else RiskLevel.MEDIUM, notes)


def never(target: Target) -> ToolFault | None:
    """Why nobody needs to be asked about it."""
    if target.reach is not Reach.NEVER:
        return None
    text = f"{target.host} is no address of a page: machines tell secrets there, or it hides another address."
    return ToolFault("address_refused", f"{text} Nothing was sent, and nothing can allow it.")


def may_be_near(manner: Manner) -> bool:
    """Whether somebody agreed to just this host: by a click on its card, or by a rule that names it."""
    return not manner.unseen or manner.named
