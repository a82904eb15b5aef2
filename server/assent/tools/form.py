"""How a file spells its text: its encoding, its mark at the beginning, its line ends. Whoever changes it keeps them."""

from assent.lazy_dataclasses import dataclass
from assent.model.errors import ToolFault
from assent.tools.encodings import UTF_8, UTF_16_BE, UTF_16_LE, name_of
from assent.tools.names import printable
from assent.tools.text import decoded

CRLF, LF = "\r\n", "\n"
MARK = "\ufeff"
_MOST_NAMED = 10
"""Characters that a fault names."""


@dataclass(frozen=True, slots=True)
class Form:
    """What makes bytes of a text."""

    encoding: str = UTF_8
    mark: bytes = b""
    line_end: str | None = None
    """The one that all its lines have; None where they differ, or where there are none."""

    def spelled(self, text: str) -> str:
        """The text with the line ends of the file. One that has others than plain ones says itself which it has."""
        return text.replace(LF, CRLF) if self.line_end == CRLF and CRLF not in text else text

    def encoded(self, text: str) -> bytes:
        """The bytes that the file would hold. Raises ToolFault where its encoding has not all of these characters."""
        try:
            return self.mark + text.encode(self.encoding)
        except UnicodeEncodeError:
            raise self._lacking(text) from None

    def of_same(self, data: bytes) -> str | None:
        """The text for which a file of this form holds these bytes; None where there is none."""
        if not data.startswith(self.mark):
            return None
        try:
            text = data[len(self.mark) :].decode(self.encoding)
            return text if self.encoded(text) == data else None
        except (UnicodeDecodeError, ToolFault):
            return None

    @property
    def is_other(self) -> bool:
        """Whether it is worth a word: another encoding than the one that everybody expects."""
        return self.encoding != UTF_8

    @property
    def named(self) -> str:
        """The encoding, for people."""
        name = name_of(self.encoding)
        if self.encoding not in (UTF_8, UTF_16_LE, UTF_16_BE):
            return name
        return f"{name} {'with' if self.mark else 'without'} a byte order mark"

    def _lacking(self, text: str) -> ToolFault:
        lacking = [char for char in dict.fromkeys(text) if not self._has(char)]
        told = ", ".join(f"{printable(char)} (U+{ord(char):04X})" for char in lacking[:_MOST_NAMED])
        more = f" and {len(lacking) - _MOST_NAMED} more" if len(lacking) > _MOST_NAMED else ""
        return ToolFault(
            "not_in_encoding",
            f"The encoding of this file, {name_of(self.encoding)}, lacks these characters: {told}{more}. Nothing was"
            " written. Use others, or ask the user to save the file as UTF-8 first.",
        )

    def _has(self, char: str) -> bool:
        try:
            char.encode(self.encoding)
        except UnicodeEncodeError:
            return False
        return True


AS_GIVEN = Form()
"""Of a file that is not there yet, or that is no text: exactly the given characters, as UTF-8."""


@dataclass(frozen=True, slots=True)
class Text:
    """What a file says, and how it spells that."""

    text: str
    form: Form


def read_text(data: bytes, declared: str | None = None) -> Text | None:
    """The text of these bytes, without the mark at their beginning, or None where they are no text."""
    found = decoded(data, declared=declared)
    if found is None:
        return None
    text, encoding, mark = found
    return Text(text, Form(encoding, mark, line_end_of(text)))


def form_of(data: bytes) -> Form | None:
    """The form of bytes that were just made as UTF-8; None where they are no text."""
    found = read_text(data)
    return found.form if found is not None else None


def form_of_new(declared: str | None) -> Form:
    """The form of a file that is not there yet, in a folder whose settings name this encoding."""
    # An editor writes UTF-16 with a mark; UTF-8 is read as well there, and by everything else.
    return AS_GIVEN if declared in (None, UTF_16_LE, UTF_16_BE) else Form(declared or UTF_8)


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
