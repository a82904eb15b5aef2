"""Ways to write down one and the same word for bash."""

import random
import re
import shlex

_PLAIN = re.compile(r"[A-Za-z0-9_./:,+@%=-]+")
_ODD_BLANKS = ["\t", "  ", " \\\n", "\u00a0", "\u2003", "\x0b", "\r", "$IFS", "${IFS}", "$'\\t'", "\n"]


class Speller:
    """Writes words, usually plainly; what it needs to be set beforehand, it collects."""

    def __init__(self, rng: random.Random, *, oddness: float) -> None:
        self._rng = rng
        self._oddness = oddness
        self.before: list[str] = []

    def word(self, value: str) -> str:
        """The word in one of its spellings."""
        if self._rng.random() >= self._oddness:
            return plain(value)
        ways = (
            self._single,
            self._double,
            self._ansi,
            self._backslashes,
            self._pieces,
            self._variable,
            self._default,
            self._substitution,
            self._braces,
        )
        return self._rng.choice(ways)(value)

    def blank(self) -> str:
        """What stands between two words."""
        return self._rng.choice(_ODD_BLANKS) if self._rng.random() < self._oddness / 30 else " "

    def _single(self, value: str) -> str:
        return "'" + value.replace("'", "'\\''") + "'"

    def _double(self, value: str) -> str:
        return '"' + re.sub(r'(["\\$`])', r"\\\1", value) + '"'

    def _ansi(self, value: str) -> str:
        return "$'" + "".join(self._escape(letter) for letter in value) + "'"

    def _escape(self, letter: str) -> str:
        code = ord(letter)
        if letter in "'\\\n" or self._rng.random() < 0.4:
            ways = [f"\\u{code:04x}"] if code > 127 else [f"\\x{code:02x}", f"\\{code:03o}", f"\\u{code:04x}"]
            return self._rng.choice(ways)
        return letter

    def _backslashes(self, value: str) -> str:
        if "\n" in value or not value:
            return plain(value)
        return "".join(
            "\\" + letter if not letter.isalnum() or self._rng.random() < 0.3 else letter for letter in value
        )

    def _pieces(self, value: str) -> str:
        if len(value) < 2:
            return self._double(value)
        at = self._rng.randrange(1, len(value))
        ways = (self._single, self._double, self._ansi, plain)
        return self._rng.choice(ways)(value[:at]) + self._rng.choice(ways)(value[at:])

    def _variable(self, value: str) -> str:
        name = self._rng.choice(("x", "f", "OUT", "_v"))
        self.before.append(f"{name}={plain(value)}")
        return self._rng.choice((f'"${name}"', f"${name}", f"${{{name}}}", f'"${{{name}%%}}"', f'"${{{name}:-no}}"'))

    def _default(self, value: str) -> str:
        return self._rng.choice(
            (f'"${{unset_{self._rng.randrange(9)}:-{plain(value)}}}"', f"${{nothing-{plain(value)}}}")
        )

    def _substitution(self, value: str) -> str:
        inner = self._rng.choice(
            (f"echo {plain(value)}", f"printf %s {plain(value)}", f"printf '%s\\n' {plain(value)}")
        )
        return self._rng.choice((f"$({inner})", f'"$({inner})"', f"`{inner}`" if "\\" not in inner else f"$({inner})"))

    def _braces(self, value: str) -> str:
        if len(value) < 2 or not _PLAIN.fullmatch(value) or "," in value:
            return plain(value)
        at = self._rng.randrange(1, len(value))
        return f"{value[:at]}{{{value[at:]},{self._rng.choice(('', 'x', value[at:]))}}}"


def plain(value: str) -> str:
    """The ordinary spelling."""
    return value if _PLAIN.fullmatch(value) else shlex.quote(value)
