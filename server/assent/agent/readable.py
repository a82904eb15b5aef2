"""What a tool has printed, as text that can be read: nothing that moves a cursor, nothing unseen that does something.

Two ways, because they mean different things: of what a program prints to a terminal, the colours and movements are left
out; of what is in a file every character counts, so that it is written down as an escape.
"""

import re

_SEQUENCES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # colours, cursor, clearing
    r"|\x1b[\]PX^_][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)"  # titles, links, and other texts for a terminal
    r"|\x1b[ -/]+[0-~]"  # character sets
    r"|\x1b[0-Z\\^-~]"  # a single step
)
_OTHERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_ENDS = re.compile(r"\r+\n")


def printed(text: str) -> str:
    """What a program printed. A line that it wrote over itself becomes several."""
    if not _OTHERS.search(text):
        return text
    plain = _SEQUENCES.sub("", text)
    return escaped(_ENDS.sub("\n", plain).replace("\r", "\n"))


def escaped(text: str) -> str:
    """The same text with its control characters and halves of characters spelled out; line ends stay as they are."""
    return _OTHERS.sub(_spelled, text)


def _spelled(found: re.Match[str]) -> str:
    character = found[0]
    if character == "\r" and found.string[found.end() : found.end() + 1] == "\n":
        return character
    return f"\\x{ord(character):02x}" if ord(character) < 0x100 else f"\\u{ord(character):04x}"
