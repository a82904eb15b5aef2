"""The lines of a text in which a pattern is found."""

import re
from collections.abc import Iterator
from typing import Protocol

from assent.tools.search.dialect import for_python


class Finding(Protocol):
    """Finds lines, by their numbers from 1."""

    def lines(self, text: str) -> Iterator[int]: ...


class CommonFinding:
    """A pattern in words that are common to all: it never reaches beyond a line, so the whole text is searched."""

    def __init__(self, pattern: str) -> None:
        self._pattern = re.compile(for_python(pattern), re.ASCII | re.MULTILINE)

    def lines(self, text: str) -> Iterator[int]:
        at, number, counted = 0, 1, 0
        while (found := self._pattern.search(text, at)) is not None:
            start = found.start()
            if start == len(text) and (not text or text.endswith("\n")):
                return
            number += text.count("\n", counted, start)
            counted = start
            yield number
            end = text.find("\n", start)
            if end < 0:
                return
            at = end + 1


class LineFinding:
    """Any pattern of Python's, on line after line without their ends."""

    def __init__(self, pattern: str, *, ignore_case: bool) -> None:
        self._pattern = re.compile(pattern, re.IGNORECASE if ignore_case else re.NOFLAG)

    def lines(self, text: str) -> Iterator[int]:
        for number, line in enumerate(lines_of(text), 1):
            if self._pattern.search(line) is not None:
                yield number


def lines_of(text: str) -> Iterator[str]:
    """The lines without their ends; what stands behind the last line end is a line where it is anything."""
    at = 0
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        yield text[at:end].removesuffix("\r")
        at = end + 1
