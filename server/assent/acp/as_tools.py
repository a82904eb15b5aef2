"""What an agent claims to do, by the names of the tools that do the same: one rule holds for all agents. No I/O."""

import re
from collections.abc import Iterator

from assent.acp.argument_words import ADDRESSES, IN_WORDS, plain
from assent.acp.arguments import texts_in
from assent.acp.claim import Claim
from assent.acp.words import Kind
from assent.model.addresses import Address, Addresses
from assent.policy.rules.addresses import read_address

_LIKE_A_NAME = re.compile(r"\w[.\u3002\uff0e\uff61]\w|[/\\@:]\S|localhost|\bdot\b", re.IGNORECASE)
_MORE_IN_WORDS = "What it reaches stands in words, and these may name other places than the addresses in them."


def tool_name(claim: Claim) -> str:
    """As the same act is called where Assent carries it out itself."""
    if claim.command is not None:
        return "bash"
    if claim.edits:
        return "write_file"
    if claim.moves:
        return "move_file"
    if claim.deletes:
        return "delete_file"
    if claim.urls:
        return "web_fetch"
    if claim.reads and claim.kind in (Kind.READ, Kind.SEARCH, Kind.THINK):
        return "read_file"
    return f"acp:{claim.kind or Kind.OTHER}"


def also_does(claim: Claim) -> tuple[str, ...]:
    """The tools of all that it would do: it has the name of one, but no rule on another is passed by."""
    kind = claim.kind
    found: list[str] = []
    if claim.edits or claim.writes or claim.deletes or claim.moves or kind is Kind.EDIT:
        found.extend(("write_file", "edit_file"))
    if claim.deletes or claim.moves or kind in (Kind.DELETE, Kind.MOVE):
        found.append("delete_file")
    if claim.moves or kind is Kind.MOVE:
        found.append("move_file")
    if claim.urls or kind is Kind.FETCH:
        found.append("web_fetch")
    if claim.reads or kind in (Kind.READ, Kind.SEARCH):
        found.extend(("read_file", "list_files"))
    if kind is Kind.EXECUTE:
        found.append("bash")
    return tuple(one for one in found if one != tool_name(claim))


def reached(claim: Claim, agent: str) -> Addresses:
    """The addresses that it would reach, and why there may be more."""
    found = tuple(map(read_address, claim.urls))
    if not found:
        return Addresses()
    if not claim.inspectable:
        return Addresses(found, f"{agent} does not show all that this would reach.")
    return Addresses(found, _MORE_IN_WORDS if _may_name_more(claim) else "")


def notes_on(addresses: Addresses) -> Iterator[str]:
    """What a reader could take for another host, in words. The addresses themselves may hold secrets."""
    for one in addresses.named:
        if one.doubt:
            yield f"An address is unclear: {one.doubt}."
        elif not _says_host(one):
            yield f"An address looks like another one: it leads to {one.host}."


def _says_host(address: Address) -> bool:
    """Whether the host stands at the beginning, in just these letters, where people look for it."""
    plain = address.text.strip().lower().removeprefix(f"{address.scheme}://" if address.scheme else "")
    after = plain.removeprefix(address.host)
    return after != plain and (not after or after[0] in ".:/?#")


def _may_name_more(claim: Claim) -> bool:
    """Where no argument is for addresses, they were found in words, which may name others in other ways."""
    if any(text in claim.urls for text in _told(claim, ADDRESSES)):
        return False
    return any(_LIKE_A_NAME.search(_without(text, claim.urls)) for text in _told(claim, IN_WORDS))


def _told(claim: Claim, names: tuple[str, ...]) -> Iterator[str]:
    for name, value in claim.raw.items():
        if plain(name) in names:
            yield from texts_in(value) or ()


def _without(text: str, urls: tuple[str, ...]) -> str:
    for url in sorted(urls, key=len, reverse=True):
        text = text.replace(url, " ")
    return text
