"""Streams of answers damaged in many ways, and what must hold of each however it is damaged."""

import random
from collections.abc import Callable
from dataclasses import dataclass

from assent.jsontext import NotJson, read_json
from assent.model.conversation import BlockEnd, CallArguments, CallStart, TextDelta, TurnEnd
from assent.model.errors import ProviderFault
from assent.providers.reading import StreamReading
from tests.support.model_servers.formats import Format
from tests.support.model_servers.sent import Call, sends_objects, sent_calls, spelled
from tests.support.model_servers.wire import Said, SaidCall

SAID = Said(
    "Zwei Dinge – 🙂:",
    (
        SaidCall("write_file", {"path": "größe.txt", "content": 'a "b" \\ {c}\n'}, "id-1"),
        SaidCall("bash", {"command": "rm -r ./build && echo 'ja'", "timeout": 12.5}, "id-2"),
        SaidCall("list_files", {}, "id-3"),
    ),
    thinking="Hm, ß …",
    between="Und nun das.",
    piece_length=9,
)


@dataclass
class Read:
    """What a stream came to."""

    calls: list[Call]
    """Those that would go to the gate."""
    text: str = ""
    whole: bool = False
    fault: str = ""


def read(form: Format, body: bytes, *, broken: bool, pieces: Callable[[bytes], list[bytes]] | None = None) -> Read:
    """As the provider reads it; nothing but a fault of the model's may be raised."""
    reading = StreamReading(form.dialect("http://127.0.0.1/v1"))
    done, open_calls = Read([]), dict[int, tuple[str, str]]()
    try:
        for piece in [*(pieces(body) if pieces else [body]), None]:
            for delta in reading.end(broken=broken) if piece is None else reading.feed(piece):
                assert not done.whole, "something comes after the end"
                match delta:
                    case TextDelta(text):
                        done.text += text
                    case CallStart(index, tool):
                        assert index not in open_calls, "one block for two calls"
                        open_calls[index] = tool, ""
                    case CallArguments(index, text):
                        tool, before = open_calls[index]
                        open_calls[index] = tool, before + text
                    case BlockEnd(index):
                        done.calls.append(open_calls.pop(index))
                    case TurnEnd():
                        done.whole = True
            if reading.ended:
                break
    except ProviderFault as fault:
        done.fault = str(fault)
    return done


def calls_not_sent(form: Format, body: bytes, found: Read) -> list[Call]:
    """Calls that the bytes do not hold just so. Arguments that are no JSON never run, whatever they are."""
    sent = sent_calls(form.provider, body)
    bad = []
    for tool, arguments in found.calls:
        try:
            value = read_json(arguments or "{}")
        except NotJson:
            continue
        told = spelled(value) if sends_objects(form.provider) else arguments
        if (tool, told) not in sent:
            bad.append((tool, arguments))
    return bad


def damaged(numbers: random.Random, events: list[bytes]) -> bytes:
    """The stream with one to three faults in it."""
    body = b"".join(events)
    for _ in range(numbers.randint(1, 3)):
        body = numbers.choice(_WAYS)(numbers, body, events)
    return body


def _turned(numbers: random.Random, body: bytes, _: list[bytes]) -> bytes:
    at = numbers.randrange(len(body) or 1)
    return body[:at] + bytes([numbers.randrange(256)]) + body[at + 1 :]


def _bit(numbers: random.Random, body: bytes, _: list[bytes]) -> bytes:
    at = numbers.randrange(len(body) or 1)
    return body[:at] + bytes(byte ^ (1 << numbers.randrange(8)) for byte in body[at : at + 1]) + body[at + 1 :]


def _removed(numbers: random.Random, body: bytes, _: list[bytes]) -> bytes:
    at = numbers.randrange(len(body) or 1)
    return body[:at] + body[at + numbers.choice((1, 2, 7, 40)) :]


def _doubled(numbers: random.Random, body: bytes, _: list[bytes]) -> bytes:
    at = numbers.randrange(len(body) or 1)
    length = numbers.choice((1, 2, 7, 40))
    return body[: at + length] + body[at:]


def _cut(numbers: random.Random, body: bytes, _: list[bytes]) -> bytes:
    return body[: numbers.randrange(len(body) or 1)]


def _without_one(numbers: random.Random, body: bytes, events: list[bytes]) -> bytes:
    return body.replace(numbers.choice(events), b"", 1)


def _one_twice(numbers: random.Random, body: bytes, events: list[bytes]) -> bytes:
    event = numbers.choice(events)
    return body.replace(event, event + event, 1)


def _one_elsewhere(numbers: random.Random, body: bytes, events: list[bytes]) -> bytes:
    event, other = numbers.choice(events), numbers.choice(events)
    return body.replace(event, b"", 1).replace(other, other + event, 1)


_WAYS = (_turned, _bit, _removed, _doubled, _cut, _without_one, _one_twice, _one_elsewhere)
