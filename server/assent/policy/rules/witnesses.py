"""Calls that stand for all that a pattern matches: where another rule speaks of each of them, it speaks of all.

Each wildcard is filled with letters that nobody writes, in several lengths. A rule that matches these can only have
done so by wildcards of its own, and so matches whatever else may stand there. Of a pattern for which that does not
hold there are none, and nothing is said of it.
"""

from collections.abc import Iterator

from assent.model.nodes import FLOW_TOOL, MCP_TOOL, NODE_TOOL, without_identity
from assent.policy.rules.address_pattern import AddressPattern, parse_address
from assent.policy.rules.commands.pattern import parse_command
from assent.policy.rules.pattern import Base, Pattern, UnusablePattern, readings
from assent.policy.rules.rule import SHELL_TOOL, WEB_TOOL, WHOLE_TOOL
from assent.policy.rules.segment import CharacterClass, Letter, Tokens, Wild

_ANY = "zqjx"
_FILLINGS = (("", ()), ("q", (_ANY,)), (_ANY, (_ANY, "q")))
"""What stands for a `*`, and for the folders of a `**`."""
_NODE_TOOLS = (NODE_TOOL, MCP_TOOL, FLOW_TOOL)


def witnesses(tool: str, pattern: str) -> tuple[str, ...]:
    """Calls as examples of rules name them; none for the whole tool, and where they would not stand for all."""
    if pattern == WHOLE_TOOL:
        return ()
    try:
        return tuple(dict.fromkeys(_of(tool, pattern)))
    except UnusablePattern:
        return ()


def _of(tool: str, pattern: str) -> Iterator[str]:
    if tool == SHELL_TOOL:
        return _commands(pattern)
    if tool == WEB_TOOL:
        return _addresses(parse_address(pattern))
    if tool in _NODE_TOOLS:
        return _nodes(pattern)
    return (path for one in readings(pattern, generous=False) for path in _paths(one))


def _paths(pattern: Pattern) -> Iterator[str]:
    if any(isinstance(token, CharacterClass) for step in pattern.steps for token in step.tokens):
        return
    for base in pattern.bases:
        for filling, folders in _FILLINGS:
            names: list[str] = []
            for step in pattern.steps:
                names += folders if step.deep else ()
                names.append(step.plain if step.plain is not None else _filled(step.tokens, filling))
            path = "/".join([*_START[base], *names])
            yield f"{path}/" if pattern.folder_only else path
            if pattern.folder_only or (pattern.steps and pattern.steps[-1].plain is not None):
                # A name covers what lies below it.
                yield f"{path}/{_ANY}"


_START = {Base.ROOTS: (), Base.HOME: ("~",), Base.TOP: ("",)}


def _filled(tokens: Tokens, filling: str) -> str:
    def text(token: object) -> str:
        if isinstance(token, Letter):
            return token.text
        return filling if token is Wild.MANY else "q"

    return "".join(map(text, tokens)) or "q"


def _commands(pattern: str) -> Iterator[str]:
    read = parse_command(pattern, generous=False)
    if not read.words:
        yield read.text
        return
    if any(word.wild for word in read.words) or any(sign in pattern for sign in "\\'\""):
        return
    words = " ".join(word.text for word in read.words)
    yield words
    if read.prefix:
        yield f"{words} {_ANY}"
        yield f"{words} {_ANY} q"


def _addresses(pattern: AddressPattern) -> Iterator[str]:
    host = f"{_ANY}.{pattern.host}" if pattern.below else pattern.host
    ports = ["", ":8081"] if pattern.any_port else ["" if pattern.port is None else f":{pattern.port}"]
    for scheme in (pattern.scheme,) if pattern.scheme else ("https", "http"):
        for port in ports:
            for filling, _ in _FILLINGS:
                path = pattern.path.replace("*", filling) or f"/{filling}"
                yield f"{scheme}://{host}{port}{path}"


def _nodes(pattern: str) -> Iterator[str]:
    name, identity = without_identity(pattern)
    for filling, _ in _FILLINGS:
        filled = name.replace("*", filling).replace("?", "q")
        yield filled if identity is None else f"{filled}@{identity}"
