"""Messages that were changed on their way: each is answered or ends the connection, and none of them runs anything."""

import json
import random
from pathlib import Path
from typing import Any

from tests.faults.client import FaultClient
from tests.faults.marks import Marks
from tests.faults.place import Life, Place
from tests.faults.report import Report, timed
from tests.faults.turns import Played, begin, play
from tests.support.rpc import NotInTime, ServerGone, frame

Json = Any
AT_ONCE = 200
HEADERS = (
    b"Content-Length: -1\r\n\r\n",
    b"Content-Length: 1e9\r\n\r\n",
    b"Content-Length: 99999999999\r\n\r\n",
    b"Content-Length: 5, 6\r\n\r\n",
    b"Content-Length: 10\r\nContent-Length: 20\r\n\r\n",
    b"Content-Length 10\r\n\r\n",
    b"Content-Length:\r\n\r\n",
    b"\r\n\r\n",
    b"GET / HTTP/1.1\r\n\r\n",
)


def mutated_frames(folder: Path, size: int, seed: int) -> Report:
    """So many changed messages, while a call waits that none of them may run."""
    report = Report("F9 malformed frames", size, figures={"answered": 0, "connections ended": 0})

    def work(report: Report) -> None:
        numbers = random.Random(seed)
        place, marks = Place(folder / "frames"), Marks(numbers)
        # However long it takes here: nothing but an answer may end the call that waits.
        place.settings["approvalTimeoutWhen"] = "never"
        life, waiting = _with_waiting(place, marks)
        answered = place.effects
        for start in range(0, size, AT_ONCE):
            for _ in range(min(AT_ONCE, size - start)):
                life.client.send_bytes(frame(_changed(numbers, _messages(waiting))))
            try:
                life.client.request("session/list", {}, within=30)
            except (ServerGone, NotInTime) as fault:
                report.violations.append(f"changed bodies ended the server: {fault} (seed {seed})")
                break
            if not waiting.chat.waits(waiting.chat.cards()[0]):
                report.violations.append(f"the waiting call has ended by message {start} or so (seed {seed})")
                life.kill()
                life, waiting = _with_waiting(place, marks)
                answered = place.effects
        report.figures["answered"] = sum("error" in one or "result" in one for one in life.client.received)
        if place.effects != answered:
            report.violations.append(f"{place.effects - answered} calls ran (seed {seed})")
        life.kill()
        _broken_headers(place, marks, report)
        report.violations += place.violations(recovered=False)

    return timed(work, report)


def _with_waiting(place: Place, marks: Marks) -> tuple[Life, Played]:
    life = place.life()
    play(life, [marks.asked()])
    begun = begin(life, [marks.asked()])
    begun.chat.card()
    return life, begun


def _messages(waiting: Played) -> list[Json]:
    """Messages near to one that would count: of each at least two parts are wrong, so that one change mends none."""
    card, chat = waiting.chat.cards()[0], waiting.chat.id
    wrong = {"approvalId": card["approvalId"][::-1], "sessionId": chat, "argsDigest": "0" * 64}
    answers = [
        {**wrong, "decision": "accept"},
        {**wrong, "decision": "allow_for_chat"},
        {**wrong, "bypassAll": True},
        {**wrong, "response": {"outcome": {"outcome": "selected", "optionId": "approve"}}},
    ]
    requests = [("tool/approvalResponse", answer) for answer in answers]
    requests += [("tool/pendingApprovals", {"sessionId": chat}), ("session/load", {"sessionId": chat})]
    return [
        {"jsonrpc": "2.0", "id": f"f{n}", "method": method, "params": params}
        for n, (method, params) in enumerate(requests)
    ]


def _changed(numbers: random.Random, messages: list[Json]) -> bytes:
    body = bytearray(json.dumps(numbers.choice(messages)).encode())
    for _ in range(numbers.randint(1, 4)):
        at, until = sorted(numbers.randrange(len(body) + 1) for _ in range(2))
        match numbers.randrange(5):
            case 0:
                body[at:until] = b""
            case 1:
                body[at:at] = body[at:until]
            case 2:
                body[at:until] = bytes(numbers.randrange(256) for _ in range(min(8, until - at)))
            case 3 if body:
                body[at % len(body)] ^= 1 << numbers.randrange(8)
            case _:
                body[at:at] = numbers.choice([b'"', b"{", b"]", b"\\u0000", b"\xff", b",", b"null", b"1e999"])
    return bytes(body) or b" "


def _broken_headers(place: Place, marks: Marks, report: Report) -> None:
    for header in HEADERS:
        life, _ = _with_waiting(place, marks)
        before = place.effects
        client: FaultClient = life.client
        client.send_bytes(header + b'{"jsonrpc": "2.0", "method": "exit"}')
        client.close_stdin()
        try:
            client.wait_exit()
            report.figures["connections ended"] += 1
        except NotInTime:
            report.violations.append(f"the header {header!r} did not end the connection")
        life.kill()
        if place.effects != before:
            report.violations.append(f"the header {header!r} ran a call that waited")
