"""A program with its words, read by the catalogue alone: no grammar, no variables."""

import shlex

from assent.commandline.given import Output
from assent.commandline.invocation import Assigned, Invocation
from assent.commandline.understand import understand
from assent.model.commands import Argument, Part

HERE = "/ws"
HOME = "/home/u"


class PlainInside:
    """Reads inner commands as words between blanks, split at `;`, `|`, `&&` and `||`."""

    home = HOME

    def of_words(
        self,
        words: tuple[Argument, ...],
        directory: str | None,
        stdin: Output | None,
        assigned: tuple[tuple[str, Argument], ...] = (),
    ) -> Part:
        before = tuple(Assigned(name, value) for name, value in assigned)
        written = " ".join(word.written for word in words)
        return understand(Invocation(words, written, directory, before, stdin), self)[0]

    def more_than_plain(self, text: str, *, posix: bool) -> str:
        return ""

    def of_text(
        self, text: str, directory: str | None, *, posix: bool, positional: tuple[Argument, ...] | None = ()
    ) -> tuple[Part, ...] | None:
        parts: list[list[str]] = [[]]
        for word in shlex.split(text):
            if word in {";", "|", "&&", "||"}:
                parts.append([])
            else:
                parts[-1].append(word)
        return tuple(self.of_words(arguments(*words), directory, None) for words in parts if words)


def arguments(*texts: str) -> tuple[Argument, ...]:
    """Words that are known in full. One that begins with `$` is not known at all."""
    return tuple(
        Argument("", exact=False, many=True, written=text) if text.startswith("$") else Argument(text, written=text)
        for text in texts
    )


def program_part(line: str, *, stdin: Output | None = None) -> Part:
    """What the catalogue says of these words, run in HERE."""
    return program_run(line, stdin=stdin)[0]


def program_run(line: str, *, stdin: Output | None = None) -> tuple[Part, Output | None]:
    """The same, with what is known of its output."""
    words = arguments(*shlex.split(line))
    return understand(Invocation(words, line, HERE, stdin=stdin, piped=stdin is not None), PlainInside())
