"""What is known beforehand of the text that a command prints."""

import posixpath
import re

from assent.commandline.given import Output
from assent.model.commands import Argument

_GIT_NAMES = re.compile(
    r"branch --show-current|merge-base( [\w./~^@-]+){2}|describe( --tags| --always| --abbrev=\d+)*"
    r"|rev-parse( --short(=\d+)?| --abbrev-ref| --verify)* [\w./~^@][\w./~^@-]*|symbolic-ref --short HEAD"
)
"""With these words, git prints the name of one commit or branch, none of which can begin with a dash."""
_ESCAPED = re.compile(r"\\.", re.DOTALL)
_MOST_PRINTED = 64 * 1024
"""Letters of a pattern, with each time that it is printed."""


def printed(words: tuple[Argument, ...], directory: str | None) -> Output | None:
    """The output of the few programs that print what they are told."""
    if not all(word.exact and not word.glob for word in words):
        return None
    texts = [word.text for word in words]
    match texts[0]:
        case "echo":
            return _echo(texts[1:])
        case "printf" if len(texts) > 1:
            return _printf(texts[1], texts[2:])
        case "pwd" if len(texts) == 1 and directory is not None:
            return Output(directory + "\n")
        case "git" if _GIT_NAMES.fullmatch(" ".join(texts[1:])):
            return Output(name=True)
        case "basename" | "dirname" if len(texts) == 2:
            return Output(getattr(posixpath, texts[0])(texts[1].rstrip("/") or "/") + "\n")
    return None


def _echo(texts: list[str]) -> Output | None:
    end = "\n"
    while texts and re.fullmatch(r"-[neE]+", texts[0]):
        if "e" in texts[0] and any("\\" in text for text in texts):
            return None
        if "n" in texts[0]:
            end = ""
        texts = texts[1:]
    return Output(" ".join(texts) + end)


def _printf(pattern: str, texts: list[str]) -> Output | None:
    plain = _ESCAPED.sub(lambda found: {"\\n": "\n", "\\t": "\t"}.get(found.group(), "\0"), pattern)
    if "\0" in plain:
        return None
    if "%" not in plain:
        return Output(plain)
    if plain.replace("%s", "").count("%") or not plain.count("%s"):
        return None
    given, width, result = texts or [""], plain.count("%s"), ""
    if len(plain) * (len(given) // width + 1) > _MOST_PRINTED:
        return None
    for start in range(0, len(given), width):
        some = given[start : start + width]
        result += plain.replace("%s", "\0") if not some else _filled(plain, some)
    return Output(result)


def _filled(pattern: str, texts: list[str]) -> str:
    pieces = pattern.split("%s")
    padded = [*texts, *[""] * (len(pieces) - 1 - len(texts))]
    return pieces[0] + "".join(text + piece for text, piece in zip(padded, pieces[1:], strict=True))


def as_argument(output: Output | None) -> Argument:
    """What a substitution with this output stands for."""
    if output is None:
        return Argument("", exact=False, many=True)
    if output.text is not None:
        return Argument(output.text.rstrip("\n"))
    if output.name:
        return Argument("", exact=False, plain=True)
    below = output.names_below or ""
    return Argument(f"{below}/" if below else "", exact=False, many=True, below=True, named=output.named)
