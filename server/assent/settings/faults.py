"""What can go wrong with settings, each with a sentence for the person who meets it."""

from assent.model.errors import AssentError


class SettingsFault(AssentError):
    """A setting could not be read or stored; the message says what, why and what to do."""


class JsonFault(SettingsFault):
    """A text that is no usable JSON with comments, or a place in it that cannot be changed; it was left alone."""

    def __init__(self, reason: str, line: int = 1, column: int = 1, offset: int | None = None) -> None:
        super().__init__(f"line {line}, column {column}: {reason}")
        self.reason = reason
        self.line = line
        self.column = column
        self.offset = offset
        """Where in the text it is, for those who show it there."""


class Conflict(SettingsFault):
    """The file changed between reading and replacing it; the one who wrote it wins, and this write is tried anew."""
