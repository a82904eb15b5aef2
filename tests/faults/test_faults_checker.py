"""The checker itself: it finds nothing in a clean run, and every violation that is planted in one."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from tests.faults.checker import Evidence, violations
from tests.faults.client import Said
from tests.faults.written import Line

Json = Any
CHAT, CALL, APPROVAL, DIGEST, MARK = "chat", "call", "approval", "d" * 64, "bash-000001"


def entry(stage: str, **more: Json) -> Json:
    """An entry about the one call."""
    args = json.dumps({"command": f"printf '{MARK}\\n' >> effects.txt"})
    return {"session_id": CHAT, "call_id": CALL, "tool": "bash", "digest": DIGEST, "args": args, "stage": stage, **more}


def clean_entries() -> list[Json]:
    """A call that was asked for, allowed by a click, and ran."""
    allowed = {"ending": "allowed", "by": "user", "approval_id": APPROVAL}
    return [
        entry("requested", approval_id=APPROVAL),
        entry("decided", **allowed),
        entry("started"),
        entry("finished", ending="done"),
    ]


def chained(entries: list[Json]) -> list[Line]:
    """The entries as lines of a history."""
    lines: list[Line] = []
    before = "0" * 64
    for n, fields in enumerate(entries, 1):
        body = json.dumps(fields)
        before = hashlib.sha256(f"{before}\n{n}\n{body}".encode()).hexdigest()
        lines.append(Line(n, before, body))
    return lines


def heard(method: str, **params: Json) -> Said:
    return Said(True, {"method": method, "params": params})


def event(name: str, **data: Json) -> Said:
    return heard("agent/event", sessionId=CHAT, event=name, data={"toolCallId": CALL, **data})


def clean_log() -> list[Said]:
    """What the client of that call heard and said."""
    card = {"approvalId": APPROVAL, "sessionId": CHAT, "tool": "bash", "argsDigest": DIGEST, "toolCallId": CALL}
    answer = {"approvalId": APPROVAL, "decision": "accept", "argsDigest": DIGEST}
    return [
        heard("tool/approvalRequest", **card),
        Said(False, {"id": 7, "method": "tool/approvalResponse", "params": answer}),
        Said(True, {"id": 7, "result": {"approvalId": APPROVAL, "decision": "allow_once"}}),
        heard("tool/approvalResolved", approvalId=APPROVAL, status="allowed", resolvedBy="user"),
        event("ToolUpdate", phase="running"),
        event("ToolResult"),
    ]


def clean() -> Evidence:
    lines = chained(clean_entries())
    return Evidence(
        lines=lines,
        head=(len(lines), lines[-1].hash),
        effects=Counter([MARK]),
        lives=[clean_log()],
        recovered=True,
    )


def with_entries(change: Callable[[list[Json]], object]) -> Evidence:
    """The clean evidence with other entries, chained as they should be."""
    entries = clean_entries()
    change(entries)
    evidence = clean()
    evidence.lines = chained(entries)
    evidence.head = None
    return evidence


def in_another_form(entries: list[Json]) -> None:
    for one in entries:
        one["digest"] = "e" * 64


def with_log(*further: Said, without: int | None = None) -> Evidence:
    evidence = clean()
    if without is not None:
        del evidence.lives[0][without]
    evidence.lives[0].extend(further)
    return evidence


def with_effects(*marks: str) -> Evidence:
    evidence = clean()
    evidence.effects = Counter(marks)
    return evidence


def with_survivor() -> Evidence:
    evidence = clean()
    evidence.survivors = ["process 77 (sleep 1000)"]
    return evidence


def with_another_export() -> Evidence:
    evidence = clean()
    evidence.shown_otherwise = ["the export has 3 entries"]
    return evidence


def with_head(n: int, digest: str) -> Evidence:
    evidence = clean()
    evidence.head = (n, digest)
    return evidence


def with_line(place: int, body: str) -> Evidence:
    evidence = clean()
    line = evidence.lines[place]
    evidence.lines[place] = Line(line.n, line.hash, body)
    return evidence


def another_card() -> Said:
    return Said(True, {"id": 9, "result": {"approvals": [{"approvalId": "unseen"}]}})


PLANTED: dict[str, tuple[str, Evidence]] = {
    "an effect of a call that nobody knows": ("I1", with_effects(MARK, "bash-000099")),
    "an effect without a start": ("I1", with_entries(lambda all_: all_.pop(2))),
    "an effect without a decision": ("I1", with_entries(lambda all_: all_.pop(1))),
    "a decision that came too late": ("I1", with_entries(lambda all_: all_.insert(3, all_.pop(1)))),
    "a start after a refusal": (
        "I1",
        with_entries(lambda all_: all_.insert(2, entry("decided", ending="cancelled", by="stop"))),
    ),
    "a start in another form": ("I1", with_entries(lambda all_: all_[2].update(digest="e" * 64))),
    "an allow of other arguments": ("I1", with_entries(lambda all_: all_[1].update(args="{}"))),
    "a click that nobody made": ("I1", with_log(without=1)),
    "a click on another state of the card": (
        "I1",
        with_entries(in_another_form),
    ),
    "an allow by policy where nothing allows it": ("I1", with_entries(lambda all_: all_[1].update(by="policy"))),
    "an effect that happened twice": ("I2", with_effects(MARK, MARK)),
    "a call that was started twice": ("I2", with_entries(lambda all_: all_.append(entry("started")))),
    "a card that is not written": ("I3", with_entries(lambda all_: all_.pop(0))),
    "an accepted answer that is not written": ("I3", with_entries(lambda all_: all_.pop(1))),
    "an accepted answer that is written otherwise": (
        "I3",
        with_entries(lambda all_: all_[1].update(ending="rejected")),
    ),
    "an ending that is not written": (
        "I3",
        with_log(heard("tool/approvalResolved", approvalId="other", status="allowed", resolvedBy="policy")),
    ),
    "two endings of one question": (
        "I3",
        with_log(heard("tool/approvalResolved", approvalId=APPROVAL, status="cancelled", resolvedBy="stop")),
    ),
    "a call that runs and was not started": ("I3", with_entries(lambda all_: all_.pop(2))),
    "a result before its end is written": ("I3", with_entries(lambda all_: all_.pop(3))),
    "two results of one call": ("I3", with_log(event("ToolResult"))),
    "what waits without a card": (
        "I4",
        with_log(Said(False, {"id": 9, "method": "tool/pendingApprovals", "params": {}}), another_card()),
    ),
    "a start without an end after the recovery": ("I4", with_entries(lambda all_: all_.pop(3))),
    "a question without an end after the recovery": ("I4", with_entries(lambda all_: all_.pop(1))),
    "a process that is left": ("I5", with_survivor()),
    "an entry that was changed": ("I6", with_line(1, json.dumps(entry("decided", ending="rejected", by="user")))),
    "an end that is missing": ("I6", with_head(5, "0" * 64)),
    "an export that says something else": ("I6", with_another_export()),
    "another history than the head's": ("I6", with_head(4, "0" * 64)),
}


def test_a_clean_run_breaks_nothing() -> None:
    assert violations(clean()) == []


@pytest.mark.parametrize(("invariant", "evidence"), PLANTED.values(), ids=PLANTED)
def test_what_is_planted_is_found(invariant: str, evidence: Evidence) -> None:
    found = violations(evidence)
    assert any(one.startswith(invariant) for one in found), found


def test_an_entry_that_is_cut_out_of_the_middle_is_found() -> None:
    evidence = clean()
    del evidence.lines[1]
    assert any(one.startswith("I6") for one in violations(evidence))
