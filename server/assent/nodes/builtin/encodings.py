"""Nodes about other ways to write the same: digests, base64, addresses, dates."""

import base64
import binascii
import hashlib
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from assent.model.json import Json
from assent.nodes.builtin.function import TEXT, Function, Inputs, taking, wrong

_DIGESTS = ("sha256", "sha512", "sha1", "md5", "blake2b")


def _hash(inputs: Inputs) -> str:
    data = _bytes(inputs["text"])
    return hashlib.new(inputs.get("algorithm", "sha256"), data, usedforsecurity=False).hexdigest()


def _encode(inputs: Inputs) -> str:
    data = _bytes(inputs["text"])
    return (base64.urlsafe_b64encode if inputs.get("url_safe") else base64.b64encode)(data).decode("ascii")


def _decode(inputs: Inputs) -> str:
    text = "".join(inputs["text"].split()).translate(str.maketrans("-_", "+/"))
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError) as fault:
        raise wrong(f"text is no base64: {fault}.") from None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise wrong(f"What it stands for is no text: {len(data)} bytes that are no UTF-8.") from None


def _bytes(text: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        raise wrong("text holds half of a surrogate pair, which UTF-8 cannot hold.") from None


def _parse_address(inputs: Inputs) -> dict[str, Any]:
    try:
        parts = urlsplit(inputs["url"])
        port = parts.port
    except ValueError as fault:
        raise wrong(f"url is no address: {fault}.") from None
    return {
        "scheme": parts.scheme,
        "host": parts.hostname or "",
        "port": port,
        "path": unquote(parts.path),
        "query": [list(pair) for pair in parse_qsl(parts.query, keep_blank_values=True)][:1_000],
        "fragment": unquote(parts.fragment),
    }


def _date(inputs: Inputs) -> dict[str, Any]:
    when = _when(inputs["date"])
    try:
        when += timedelta(days=inputs.get("add_days", 0), seconds=inputs.get("add_seconds", 0))
        # Counted, not asked of the system, which knows fewer years.
        since = (when.astimezone(UTC) - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds()
    except OverflowError:
        raise wrong("No calendar here goes that far.") from None
    week = when.isocalendar()
    return {"iso": when.isoformat(), "unix": since, "weekday": week.weekday, "week": week.week}


def _when(said: Any) -> datetime:
    try:
        if not isinstance(said, str):
            return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=said)
        when = datetime.fromisoformat(said)
    except (ValueError, OverflowError) as fault:
        raise wrong(f"date is none in ISO 8601: {fault}.") from None
    return when if when.tzinfo is not None else when.replace(tzinfo=UTC)


_DAYS: Json = {"type": "integer", "minimum": -4_000_000, "maximum": 4_000_000}
FUNCTIONS = (
    Function(
        "hash",
        "Hash a text",
        "The digest (checksum) of a text in UTF-8, in hexadecimal digits; sha256 unless another one is named.",
        taking({"text": TEXT, "algorithm": {"type": "string", "enum": list(_DIGESTS)}}, "text"),
        _hash,
    ),
    Function(
        "base64.encode",
        "Encode as base64",
        "A text, in UTF-8, as base64.",
        taking({"text": TEXT, "url_safe": {"type": "boolean"}}, "text"),
        _encode,
    ),
    Function(
        "base64.decode",
        "Decode base64",
        "The text for which a base64 stands, in either alphabet.",
        taking({"text": TEXT}, "text"),
        _decode,
    ),
    Function(
        "url.parse",
        "Take an address apart",
        "Scheme, host, port, path, query and fragment of a URL. Nothing is fetched.",
        taking({"url": {"type": "string", "maxLength": 100_000}}, "url"),
        _parse_address,
    ),
    Function(
        "url.encode",
        "Encode for an address",
        "A text with all that means something in a URL written as %XX.",
        taking({"text": TEXT}, "text"),
        lambda inputs: quote(_bytes(inputs["text"]), safe=""),
    ),
    Function(
        "date",
        "Work with a date",
        "A date in ISO 8601, or as seconds since 1970, in both ways, with days and seconds added: ISO, seconds,"
        " weekday from 1 for Monday, week of the year. Without a zone it counts as UTC.",
        taking(
            {
                "date": {"anyOf": [{"type": "string", "maxLength": 64}, {"type": "number"}]},
                "add_days": _DAYS,
                "add_seconds": {"type": "number", "minimum": -400_000_000_000, "maximum": 400_000_000_000},
            },
            "date",
        ),
        _date,
    ),
)
