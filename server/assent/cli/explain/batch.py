"""Many calls: a line of JSON in, a line of JSON out, in order. A line that makes no sense has its answer, too."""

import logging
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

from assent.cli.explain.answering import Answering
from assent.cli.explain.question import fields_of, id_of, question_of
from assent.cli.explain.words import outcome_word
from assent.jsontext import write_json
from assent.model.errors import AssentError, InvalidRequest
from assent.model.json import Json

logger = logging.getLogger(__name__)

MAX_LINE = 16 * 1024 * 1024
_PIECE = 64 * 1024

Write = Callable[[bytes], object]


async def explain_lines(source: BinaryIO, write: Write, answering: Answering, folder: Path) -> None:
    """Answers every line; `folder` counts for those that name no workspace."""
    for line in lines_of(source):
        write(await _answer(line, answering, folder) + b"\n")


def lines_of(source: BinaryIO) -> Iterator[bytes | None]:
    """The lines without their ends; None for one that is too long, which is never held as a whole."""
    while line := source.readline(MAX_LINE + 2):
        bare = line.rstrip(b"\r\n")
        if len(bare) <= MAX_LINE:
            yield bare
            continue
        while line and not line.endswith(b"\n"):
            line = source.readline(_PIECE)
        yield None


async def _answer(line: bytes | None, answering: Answering, folder: Path) -> bytes:
    name: Json = None
    try:
        fields = _fields(line)
        name = id_of(fields)
        found = await answering.answer(question_of(fields, folder))
    except AssentError as fault:
        return _said(name, "error", "invalid_request", str(fault))
    except Exception as fault:
        logger.exception("a line could not be explained")
        return _said(name, "error", "internal_error", f"{type(fault).__name__}; details are on standard error")
    return _said(name, outcome_word(found), found.decision.reason.value, found.decision.text)


def _fields(line: bytes | None) -> Mapping[str, Json]:
    if line is None:
        raise InvalidRequest(f"the line is longer than {MAX_LINE // (1024 * 1024)} MB")
    return fields_of(line)


def _said(name: Json, outcome: str, code: str, text: str) -> bytes:
    return write_json({"id": name, "outcome": outcome, "reason": {"code": code, "text": text}})
