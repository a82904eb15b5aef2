"""A text as it is put together: words that flow, lines, what stands in front of each line. It has an end."""

import re

_BLANKS = re.compile(r"[ \t\r\n\f\v\u00a0]+")


class Full(Exception):
    """No more fits."""


class Paper:
    """Takes words and gives lines. Blanks between words are one, and empty lines never follow each other."""

    def __init__(self, most: int) -> None:
        self._left = most
        self._lines: list[str] = []
        self._line: list[str] = []
        self._blank = False
        self._gap = False
        self._before: list[str] = []
        self._once = ""

    def words(self, text: str) -> None:
        """Text whose blanks say nothing."""
        plain = _BLANKS.sub(" ", text)
        if plain.startswith(" "):
            self._blank = True
        bare = plain.strip(" ")
        if bare:
            self.exact(bare)
            self._blank = plain.endswith(" ")

    def exact(self, text: str) -> None:
        """Text that is taken as it stands, within its line."""
        self._left -= len(text)
        if self._left < 0:
            raise Full
        if self._blank and self._line:
            self._line.append(" ")
        self._blank = False
        self._line.append(text)

    def close(self, opening: str, closing: str) -> None:
        """The sign behind words that this opening stands in front of. Around nothing, there is neither."""
        if self._line and self._line[-1] == opening:
            self._line.pop()
            return
        blank, self._blank = self._blank, False
        self.exact(closing)
        self._blank = blank

    def line(self) -> None:
        """What follows is on a line of its own."""
        text = "".join(self._line).rstrip(" ")
        self._line.clear()
        self._blank = False
        if not text and not self._once:
            return
        if self._gap and self._lines:
            self._lines.append("".join(self._before).rstrip(" "))
        self._gap = False
        if text:
            self._lines.append(f"{''.join(self._before)}{self._once}{text}")
            self._once = ""

    def gap(self) -> None:
        """An empty line lies between what was and what follows."""
        self.line()
        self._gap = True

    def raw(self, lines: list[str]) -> None:
        """Lines that are kept as they are."""
        self.gap()
        for line in lines:
            self._left -= len(line) + 1
            if self._left < 0:
                raise Full
            if self._gap and self._lines:
                self._lines.append("".join(self._before).rstrip(" "))
            self._gap = False
            self._lines.append(f"{''.join(self._before)}{line}")
        self._gap = True

    def indent(self, before: str) -> None:
        """From here on this stands in front of each line."""
        self.line()
        if self._gap and self._lines:
            self._lines.append("".join(self._before).rstrip(" "))
            self._gap = False
        self._before.append(before)

    def outdent(self) -> None:
        """No longer."""
        self.line()
        if self._before:
            self._before.pop()

    def point(self, sign: str) -> None:
        """The next line begins with this, once."""
        self.line()
        self._once = sign

    def text(self) -> str:
        """All of it."""
        self.line()
        return "\n".join(self._lines).strip("\n")
