"""Streams of models that are cut, wrong in a byte, late or told twice: what runs was sent whole, and runs once."""

import json
import random
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.faults.effects import mark_by_command, mark_by_file, marks_in
from tests.faults.kills import settle
from tests.faults.place import Life, Place
from tests.faults.report import Report, timed
from tests.support.model_servers.formats import FORMATS, Format
from tests.support.model_servers.plays import Play, Then
from tests.support.model_servers.sent import sends_objects, sent_calls, spelled
from tests.support.model_servers.server import ModelServer, model_server
from tests.support.model_servers.wire import Said, SaidCall, Wire
from tests.support.scale import limit
from tests.support.server import Chat, Step

IN_ONE_PLACE = 150
LANES = 2
OTHERS_AT_NIGHT = 2_000
MOST_REQUESTS = 3
"""Of one case: the answer that fails, and what is asked for after results."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What becomes of one stream."""

    form: Format
    kind: str
    at: int
    """A place in the stream, or in the list of its events."""


class _Player:
    """A model that says the stream of the case, and has nothing to add when results come back."""

    def __init__(self, server: ModelServer) -> None:
        self._server = server
        self.pieces: list[bytes] = []
        self.late: threading.Event | None = None
        self.then = Then.END

    def __call__(self, wire: Wire, streaming: bool) -> Play:
        if self._server.log.seen[-1].messages[-1].role == "results":
            return Play(wire.stream(Said("That is all.")), content_type=wire.content_type(streaming=True))
        pieces: list[bytes | threading.Event] = [*self.pieces]
        if self.late is not None:
            pieces.insert(1, self.late)
        return Play(pieces, content_type=wire.content_type(streaming=True), then=self.then)


def model_streams(folder: Path, size: int | None, seed: int) -> Report:
    """So many faults, spread over all formats and kinds; with None each stream is cut at each place as well."""
    faults = _faults(size, seed)
    report = Report("F13 streams of models", len(faults), figures={"effects": 0, "broken": 0})

    def part(start: int) -> list[str]:
        return _in_one_place(folder / f"streams-{start}", faults[start : start + IN_ONE_PLACE], start, report)

    def work(report: Report) -> None:
        with ThreadPoolExecutor(LANES) as pool:
            for found in pool.map(part, range(0, len(faults), IN_ONE_PLACE)):
                report.violations += [f"{one} (seed {seed})" for one in found]

    return timed(work, report)


def _faults(size: int | None, seed: int) -> list[Fault]:
    numbers = random.Random(seed)
    every = [fault for form in FORMATS for fault in _of_format(form)]
    if size is None:
        return [one for one in every if one.kind == "cut"] + _faults(OTHERS_AT_NIGHT, seed)
    by_kind = [[one for one in every if one.form is form and one.kind == kind] for form in FORMATS for kind in _KINDS]
    return [numbers.choice(of_one) for _ in range(-(-size // len(by_kind))) for of_one in by_kind][:size]


def _of_format(form: Format) -> Iterator[Fault]:
    events = form.wire().stream(_said(0))
    length = sum(map(len, events))
    for kind in ("cut", "ended", "wrong"):
        yield from (Fault(form, kind, at) for at in range(1, length))
    yield from (Fault(form, "late", at) for at in range(1, length, 40))
    yield from (Fault(form, "twice", at) for at in range(len(events) + 1))


CHANGED = ("wrong", "twice")
"""What the model said is not what comes back to it: a server may refuse its own signatures then."""
_KINDS = ("cut", "ended", "wrong", "late", "twice")


def _said(number: int) -> Said:
    calls = (_call(mark_by_command(f"asked-{number:06d}")), _call(mark_by_file(f"free-{number:06d}")))
    return Said("Two things.", calls, thinking="Hm.", between="And this.", piece_length=30)


def _call(step: Step) -> SaidCall:
    return SaidCall(step["call"], step["args"])


def _in_one_place(folder: Path, faults: list[Fault], first: int, report: Report) -> list[str]:
    place, found = Place(folder), list[str]()
    with ExitStack() as servers:
        players: dict[str, tuple[ModelServer, _Player]] = {}
        for form in FORMATS:
            server = servers.enter_context(model_server(form.wire(), base_path=form.base_path))
            players[form.name] = server, _Player(server)
            place.agents[form.name] = {"provider": form.provider, "model": form.model, "baseUrl": server.base_url}
        life = place.life()
        for number, fault in enumerate(faults, first):
            server, player = players[fault.form.name]
            server.add(*[player] * MOST_REQUESTS)
            refused = len(server.log.rejected)
            faulty = [*_try(life, player, fault, number, report)]
            if fault.kind not in CHANGED:
                faulty += [f"the next request was refused: {why}" for why in server.log.rejected[refused:]]
            found += [f"{fault.kind} at {fault.at}, {fault.form.name}: {one}" for one in faulty]
        life.end()
    last = place.life()
    settle(last)
    last.end()
    return found + place.violations()


def _try(life: Life, player: _Player, fault: Fault, number: int, report: Report) -> Iterator[str]:
    said = _said(number)
    events = fault.form.wire().stream(said)
    body = _prepare(player, fault, events, random.Random(number))
    before = marks_in(life.workspace)
    chat = life.chat(agent=fault.form.name)
    ended = _run(chat, said)
    if not ended:
        yield "the turn did not end"
        return
    yield from _not_sent(chat, fault.form.provider, body)
    made = marks_in(life.workspace) - before
    report.figures["effects"] += made.total()
    yield from (f"the effect {mark} happened {count} times" for mark, count in made.items() if count > 1)
    faults, ends = chat.events("Error"), chat.events("Done")
    report.figures["broken"] += len(faults)
    if len(faults) + len(ends) != 1:
        yield f"the run has {len(faults) + len(ends)} ends"
    yield from (f"says too little: {one['data']}" for one in faults if len(one["data"]["message"]) < 40)
    if fault.kind == "late" and made.total() != len(said.calls):
        yield f"nothing was wrong but the time, and {made.total()} calls ran"


def _prepare(player: _Player, fault: Fault, events: list[bytes], numbers: random.Random) -> bytes:
    """What the server sends; all of it in the end."""
    body, at = b"".join(events), fault.at
    player.pieces, player.late, player.then = [body], None, Then.END
    match fault.kind:
        case "cut":
            player.pieces, player.then = [body[:at]], Then.DROP
        case "ended":
            player.pieces = [body[:at]]
        case "wrong":
            player.pieces = [body[:at] + bytes([body[at] ^ (1 << numbers.randrange(8))]) + body[at + 1 :]]
        case "late":
            player.pieces, player.late = [body[:at], body[at:]], threading.Event()
            threading.Timer(numbers.uniform(0, 0.02), player.late.set).start()
        case "twice" if at == len(events):
            player.pieces = [body, body]
        case "twice":
            player.pieces = [b"".join([*events[: at + 1], *events[at:]])]
    return b"".join(player.pieces)


def _run(chat: Chat, said: Said) -> bool:
    """Yes to each call that was said, once, no to anything else; whether the run came to its end."""
    run, answered, wanted = chat.send(), set[str](), list(said.calls)
    end = time.monotonic() + limit(30)
    while not run.done:
        if time.monotonic() > end:
            return False
        for card in chat.cards():
            if card["approvalId"] not in answered:
                answered.add(card["approvalId"])
                asked = SaidCall(card["tool"], card["args"])
                decision = {"decision": "accept" if asked in wanted else "deny", "argsDigest": card["argsDigest"]}
                if asked in wanted:
                    wanted.remove(asked)
                chat.client.start("tool/approvalResponse", {"approvalId": card["approvalId"], **decision})
        time.sleep(0.003)
    return True


def _not_sent(chat: Chat, provider: str, body: bytes) -> Iterator[str]:
    """Calls that were told, and do not stand whole in what was sent."""
    sent = {(tool, args if sends_objects(provider) else _spelled(args)) for tool, args in sent_calls(provider, body)}
    for event in chat.events("ToolCall"):
        told: dict[str, Any] = event["data"]
        if isinstance(told["args"], dict) and (told["tool"], spelled(told["args"])) not in sent:
            yield f"{told['tool']} with {told['args']} was not sent like that"


def _spelled(text: str) -> str:
    try:
        return spelled(json.loads(text or "{}"))
    except ValueError:
        return text
