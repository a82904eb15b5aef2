"""How a file spells its text: its encoding, its mark at the beginning, its line ends. Whoever changes it keeps them."""

from dataclasses import dataclass

from assent.tools.text import BOMS, decode

CRLF, LF = "\r\n", "\n"
MARK = "\ufeff"
_NAMES = {"utf-8": "UTF-8", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16, big-endian,"}


@dataclass(frozen=True, slots=True)
class Form:
    """What makes bytes of a text."""

    encoding: str = "utf-8"
    mark: bytes = b""
    line_end: str | None = None
    """The one that all its lines have; None where they differ, or where there are none."""

    def spelled(self, text: str) -> str:
        """The text with the line ends of the file. One that has others than plain ones says itself which it has."""
        return text.replace(LF, CRLF) if self.line_end == CRLF and CRLF not in text else text

    def encoded(self, text: str) -> bytes:
        """The bytes that the file would hold."""
        return self.mark + text.encode(self.encoding)

    @property
    def named(self) -> str:
        """The encoding, for people."""
        return f"{_NAMES[self.encoding]} {'with' if self.mark else 'without'} a byte order mark"


AS_GIVEN = Form()
"""Of a file that is not there yet, or that is no text: exactly the given characters, as UTF-8."""


@dataclass(frozen=True, slots=True)
class Text:
    """What a file says, and how it spells that."""

    text: str
    form: Form


def read_text(data: bytes) -> Text | None:
    """The text of these bytes, without the mark at their beginning, or None where they are no text."""
    text = decode(data)
    if text is None:
        return None
    mark, encoding = next(((mark, name) for mark, name in BOMS if data.startswith(mark)), (b"", "utf-8"))
    return Text(text, Form(encoding, mark, line_end_of(text)))


def as_kept(content: str, form: Form) -> str:
    """The text that a file of this form gets by a content that is given for the whole of it."""
    # A mark that is given beside the one that stays would be a character of the text.
    return form.spelled(content[1:] if form.mark and content.startswith(MARK) else content)


def line_end_of(text: str) -> str | None:
    """The one that all its lines have; None where they differ, or where there are none."""
    wide, ends = text.count(CRLF), text.count(LF)
    if not ends or wide not in (0, ends):
        return None
    return CRLF if wide else LF
