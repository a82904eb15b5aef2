"""What stands in the fields of an answer, taken with care: a model's server can send anything; and of a request."""

from collections.abc import Iterable, Mapping

from assent.jsontext import NotJson, read_json, write_json
from assent.model.conversation import BlockEnd, CallArguments, CallStart
from assent.model.errors import ProviderFault
from assent.model.json import LARGEST_EXACT, Json, JsonObject
from assent.model.message_parts import Attachment


def data_url(picture: Attachment) -> str:
    """A picture as an address that holds it."""
    return f"data:{picture.mime};base64,{picture.content}"


def senseless(server: str, what: str) -> ProviderFault:
    """The fault of an answer that is not in the format of its server."""
    text = f"it makes no sense as one of {server}: {what}. Nothing of it that was in doubt ran."
    return ProviderFault("malformed_answer", f"{text} Try again; look whether baseUrl of this agent is right.")


def json_in(data: str, server: str) -> Json:
    """The JSON that this text is."""
    try:
        value: Json = read_json(data)
    except NotJson as fault:
        raise senseless(server, f"it is not JSON, {fault}") from fault
    return value


def object_in(data: str, server: str) -> JsonObject:
    """The JSON object that this text is."""
    return as_object(json_in(data, server), server)


def as_object(value: Json, server: str) -> JsonObject:
    """The value, where it is an object."""
    if not isinstance(value, Mapping):
        raise senseless(server, "it is no JSON object")
    return value


def member(value: Json, key: str) -> Json:
    """What an object has under this key; None where it has nothing, and where it is no object."""
    if value is None:
        return None
    # A piece of text is asked for a dozen fields, and what JSON makes of an object is found out soonest so.
    return value.get(key) if isinstance(value, (dict, Mapping)) else None


def items(value: Json) -> list[Json]:
    """The items of a list; none where it is no list."""
    return list(value) if isinstance(value, list | tuple) else []


def text_in(value: Json) -> str:
    """A text; empty where it is none."""
    return value if isinstance(value, str) else ""


def count_in(value: Json) -> int | None:
    """A count; None where it is none, or larger than anything that can be counted."""
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if 0 <= value <= LARGEST_EXACT else None


def sum_of(counts: Iterable[int | None]) -> int | None:
    """The sum of the counts that there are; None where there is none, or where it is no count itself."""
    there = [count for count in counts if count is not None]
    return count_in(sum(there)) if there else None


def arguments_text(args: Json) -> str:
    """The arguments of a call that came whole, as the text that they are for everybody else.

    Some models send the text itself. Whether it is right is for whoever parses it to say.
    """
    if args is None:
        return ""
    return args if isinstance(args, str) else write_json(args).decode("ascii")


def arguments_object(args: Json) -> JsonObject:
    """The arguments of an earlier call, for servers that take nothing but an object: they may have been unparsable."""
    return args if isinstance(args, Mapping) else {"unparsed": args}


def whole_call(index: int, tool: str, args: Json, call_id: Json = None) -> tuple[CallStart, CallArguments, BlockEnd]:
    """The deltas of a call that came in one piece."""
    start = CallStart(index, tool, text_in(call_id) or None)
    return start, CallArguments(index, arguments_text(args)), BlockEnd(index)
