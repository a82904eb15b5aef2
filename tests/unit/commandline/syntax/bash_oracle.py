"""The real bash, asked what it makes of a text. Nothing is ever run but builtins that print."""

import re
import shutil
import subprocess
from dataclasses import fields, is_dataclass, replace
from itertools import product
from pathlib import Path
from tempfile import gettempdir

from assent.commandline.syntax import tree
from tests.support.scale import limit

BASH = shutil.which("bash")
ENVIRONMENT = {"PATH": "/nonexistent", "LC_ALL": "C.UTF-8"}
NOT_COMPARED = {"start", "end"}


class NotEvaluated(Exception):
    """What this word becomes is not worked out here, and it is not to be run."""


def ask(script: str, *options: str) -> subprocess.CompletedProcess[bytes]:
    """Runs a script in a bash that finds no program and reads no file of a person's."""
    assert BASH is not None
    command = [BASH, "--norc", "--noprofile", "-r", *options, "-c", "--", script]
    return subprocess.run(
        command, env=ENVIRONMENT, cwd=Path(gettempdir()), capture_output=True, timeout=limit(60), check=False
    )


def accepts(text: str) -> bool:
    """Whether bash takes the text for commands; nothing of it is run."""
    answer = ask(text, "-n")
    return answer.returncode == 0 and not answer.stderr


def words_of(text: str) -> list[str] | None:
    """What a function gets as its words when they are written like this; None where bash refuses."""
    script = "show() { printf '%s\\0' \"$@\"; printf 'end%s' $#; }; set -f; show " + text
    answer = ask(script)
    raw, _, count = answer.stdout.rpartition(b"end")
    if answer.returncode or not count:
        return None
    words = raw.decode("utf-8", "surrogateescape").split("\0")[:-1]
    return words[: int(count)] if int(count) else []


def printed(text: str) -> str | None:
    """The text as bash prints it once it has read it as a function's body; None where it refuses."""
    answer = ask("f() {\n" + text + "\n}\ndeclare -f f")
    if answer.returncode:
        return None
    lines = answer.stdout.decode().split("\n")
    assert lines[0].strip() == "f ()"
    return "\n".join(lines[2:-2]) + "\n"


def evaluated(word: tree.Word) -> list[str]:
    """The words that come of a tree's word, where no variable has a value."""
    results = [""]
    for piece in word.pieces:
        results = ["".join(pair) for pair in product(results, _piece(piece))]
    return results


def _piece(piece: tree.Piece) -> list[str]:
    match piece:
        case tree.Text(text):
            return [text]
        case tree.Braces(alternatives):
            return [result for alternative in alternatives for result in evaluated(alternative)]
        case tree.Parameter("u", ":-" | "-", tree.Word() as argument, None, True):
            return evaluated(argument)
        case tree.Parameter("u", "", None, None, True):
            return [""]
        case tree.Substitution(tree.Sequence(((tree.Pipeline((tree.Simple() as simple,), negated=False), _),)), True):
            return [_printed_by(simple)]
    raise NotEvaluated


def _printed_by(simple: tree.Simple) -> str:
    texts = [text for word in simple.words for text in evaluated(word)]
    name, form, rest = "".join(texts[:1]), "".join(texts[1:2]), texts[2:]
    if (name, form) != ("printf", "%s.") or simple.assignments or simple.redirects:
        raise NotEvaluated
    return "".join(f"{text}." for text in rest or [""])


def body_of(text: str) -> str:
    """What a here-document holds that stands in this text, behind `<<`, its delimiter and a line's end."""
    answer = ask("IFS= read -rd '' v <<" + text + "\nprintf 'is:%s' \"$v\"")
    return answer.stdout.decode().removeprefix("is:")


def shape(node: object) -> object:
    """A tree as plain data, without positions, and with all the small changes that bash makes when it prints."""
    node = _as_printed(node)
    if isinstance(node, tree.Arithmetic | tree.Sum | tree.ForSum):
        return (type(node).__name__, re.sub(r"\s+", "", repr([shape(piece) for piece in node.pieces])))
    if is_dataclass(node):
        names = [field.name for field in fields(node) if field.name not in NOT_COMPARED]
        return (type(node).__name__, *(shape(getattr(node, name)) for name in names))
    if isinstance(node, tuple):
        return tuple(shape(each) for each in node)
    return node


def _as_printed(node: object) -> object:
    match node:
        case tree.If((first, *others), otherwise) if others:
            inner = tree.If(tuple(others), otherwise, (), 0, 0)
            return tree.If((first,), _alone(inner), node.redirects, 0, 0)
        case tree.Function(name, body) if not isinstance(body, tree.Block) or body.subshell:
            return tree.Function(name, tree.Block(_alone(body), False, (), 0, 0), 0, 0)
        case tree.For(words=None):
            return replace(node, words=(tree.Word((tree.Parameter("@", quoted=True),), 0, 0),))
        case tree.Redirect():
            return _redirect_as_printed(node)
        case tree.Test(words):
            return replace(node, words=tuple(word for word in words if word.pieces != (tree.Text("-n"),)))
    return node


def _alone(command: tree.Command) -> tree.Sequence:
    return tree.Sequence(((tree.Pipeline((command,), 0, 0), tree.Joint.THEN),))


def _redirect_as_printed(node: tree.Redirect) -> tree.Redirect:
    usual = "1" if node.operator[0] == ">" else "0"
    if node.target.pieces == (tree.Text("-"),) and node.operator in ("<&", ">&"):
        return replace(node, operator=">&", descriptor=node.descriptor or usual)
    return replace(node, descriptor="") if node.descriptor == usual else node
