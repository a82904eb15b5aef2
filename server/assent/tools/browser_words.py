"""What the tool for browsers takes, and how it says what it would do."""

import json
from contextlib import suppress
from typing import Any, Literal

from pydantic import Field

from assent.model.approval import Risk, RiskLevel
from assent.model.errors import ToolFault
from assent.tools.schema import Arguments
from assent.tools.web_fetch import risk_of
from assent.web.target import LONGEST, Target, read_target

LONGEST_TEXT = 10_000
Element = dict[str, Any]


class BrowserArguments(Arguments):
    """What browser takes."""

    action: Literal["navigate", "read", "click", "fill", "screenshot"] = Field(description="What to do.")
    url: str | None = Field(None, max_length=LONGEST, description="For navigate: the whole address of the page.")
    ref: str | None = Field(None, max_length=12, description="For click and fill: what read calls it, such as e3.")
    selector: str | None = Field(None, max_length=1_000, description="Or a CSS selector that fits exactly one part.")
    text: str | None = Field(None, max_length=LONGEST_TEXT, description="For fill: what to put into the field.")
    offset: int = Field(0, ge=0, description="For read: the character to start from.")


def misfit(wanted: BrowserArguments) -> str | None:
    """What these arguments lack, or have too much."""
    given = {name for name in ("url", "ref", "selector", "text") if getattr(wanted, name) is not None}
    needed = {"navigate": {"url"}, "fill": {"text"}}.get(wanted.action, set())
    where = {"ref", "selector"} if wanted.action in ("click", "fill") else set()
    if given - needed - where:
        return f"{wanted.action} takes no {', '.join(sorted(given - needed - where))}"
    if needed - given:
        return f"{wanted.action} needs {', '.join(sorted(needed - given))}"
    if where and len(given & where) != 1:
        return f"{wanted.action} needs either ref or selector"
    if wanted.ref is not None and number_of(wanted.ref) is None:
        return "ref: it is called e and a number, such as e3"
    if wanted.url is not None:
        try:
            read_target(wanted.url)
        except ToolFault as fault:
            return f"url: {fault}"
    return None


def number_of(ref: str) -> int | None:
    """The number in such a name."""
    digits = ref[1:]
    return int(digits) if ref.startswith("e") and digits.isascii() and digits.isdigit() else None


def part_line(one: Element) -> str:
    """One part of a page that can be used."""
    leads = f" → {one['leads']}" if one["leads"] else ""
    return f"[e{one['at']}] {kind_of(one)} “{one['words']}”{leads}"


def kind_of(one: Element) -> str:
    """What it is, in a word or two."""
    if one["tag"] == "a":
        return "link"
    if one["tag"] in ("button", "summary") or one["type"] in ("submit", "button", "image", "reset"):
        return "button"
    if one["tag"] == "input":
        return f"{one['type']} field"
    return {"select": "list", "textarea": "text field"}.get(str(one["tag"]), "part")


def note_of(wanted: BrowserArguments, one: Element) -> str:
    """What would be done on the page, for the card."""
    what = f"{kind_of(one)} “{one['words']}”"
    if wanted.action == "fill":
        return f"Into the {what} it types: {wanted.text}"
    leads = f" It leads to {one['leads']}." if one["leads"] else ""
    sends = f" It sends its form to {one['sends']}." if one["sends"] else ""
    return f"It clicks on the {what}.{leads}{sends}"


def risk_on(page: Target, one: Element | None) -> Risk | None:
    """What to look out for."""
    found: list[str] = []
    places = (str(one["leads"]), str(one["sends"])) if one is not None else ()
    if any(place and not place.startswith((f"{page.origin}/", "javascript:")) for place in places):
        found.append("It leads to another place than the page that is open; the browser does not go there by itself.")
    if one is not None and one["sends"]:
        found.append("It sends what stands in the form.")
    if one is not None and one["type"] == "password":
        found.append("It is a field for a password.")
    risk = risk_of(page, *found)
    return Risk(RiskLevel.MEDIUM, risk.notes) if risk is not None and risk.level is RiskLevel.LOW else risk


def leads_to(one: Element | None) -> tuple[Target, ...]:
    """Where a click on it goes, as far as it says: rules about addresses are asked for these as well."""
    found: list[Target] = []
    for place in (str(one["leads"]), str(one["sends"])) if one is not None else ():
        # What was cut off has this sign at its end, which no whole address has.
        with suppress(ToolFault):
            if not place.endswith("…"):
                found.append(read_target(place))
    return tuple(found)


def written(value: object) -> str:
    """A value as a script has it."""
    return json.dumps(value)
