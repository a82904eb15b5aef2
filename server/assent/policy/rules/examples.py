"""A rule's own examples: what its owner says that it matches, and what it must not match."""

from collections.abc import Iterator
from dataclasses import replace
from posixpath import normpath

from assent.commandline.surroundings import Surroundings
from assent.lazy_dataclasses import dataclass
from assent.model.addresses import Addresses
from assent.model.calls import Access, CallFacts, PathUse
from assent.model.commands import Part
from assent.model.modes import Category
from assent.model.nodes import FLOW_TOOL, MCP_TOOL, NODE_TOOL, SHOWN_IDENTITY, NodeUse, without_identity
from assent.policy.rules.addresses import read_address
from assent.policy.rules.book import RuleBook
from assent.policy.rules.rule import SHELL_TOOL, WEB_TOOL, Rule
from assent.policy.rules.spelling import is_absolute, names_of

# Examples are about names. Where the workspace is not known, any place will do.
_SOME_ROOT = "/workspace"
_SOME_HOME = "/home/user"


@dataclass(frozen=True, slots=True)
class Examples:
    """Paths as the settings name them: relative to a workspace folder, below `~/`, or absolute; commands; addresses."""

    match: tuple[str, ...] = ()
    not_match: tuple[str, ...] = ()


def check_examples(rule: Rule, examples: Examples, roots: tuple[str, ...] = (), home: str = "") -> list[str]:
    """What the examples say otherwise than the rule does, as sentences. The paths count as being read.

    A permission means a command if it needs nothing else to permit all of it.
    """
    if not examples.match and not examples.not_match:
        return []
    ground = roots or (_SOME_ROOT,)
    return list(_contradictions(replace(rule, agents=None), examples, ground, home or _SOME_HOME))


def _contradictions(rule: Rule, examples: Examples, roots: tuple[str, ...], home: str) -> Iterator[str]:
    book = RuleBook((rule,), roots, home)

    def matches(path: str) -> bool:
        facts = example_call(rule.tool, path, roots, home)
        return book.first(rule.effect, facts, "") is not None

    for path in examples.match:
        if not matches(path):
            yield f"{rule.named} does not match {path!r}, which it gives as an example."
    for path in examples.not_match:
        if matches(path):
            yield f"{rule.named} matches {path!r}, which it gives as an example of what it must not match."


def example_call(tool: str, example: str, roots: tuple[str, ...] = (), home: str = "") -> CallFacts:
    """The call that an example of this tool's rules means. Where no workspace is known, any place will do."""
    roots, home = roots or (_SOME_ROOT,), home or _SOME_HOME
    if tool == SHELL_TOOL:
        return _run(example, roots, home)
    if tool in (NODE_TOOL, MCP_TOOL, FLOW_TOOL):
        return _run_node(tool, example)
    return _fetch(example) if tool == WEB_TOOL else _read(tool, example, roots, home)


def _run_node(tool: str, example: str) -> CallFacts:
    """A call of this node, or of this `server:tool`, as the user's own settings define it."""
    name, identity = without_identity(example)
    server, _, of_server = name.partition(":") if tool == MCP_TOOL else ("", "", "")
    node = NodeUse(name, identity or "0" * SHOWN_IDENTITY, server, of_server)
    return CallFacts(FLOW_TOOL if tool == FLOW_TOOL else NODE_TOOL, known=True, category=Category.EXTERNAL, node=node)


def _fetch(address: str) -> CallFacts:
    """A call that reaches this address."""
    reached = Addresses((read_address(address),))
    return CallFacts(WEB_TOOL, known=True, category=Category.EXTERNAL, addresses=reached)


def _read(tool: str, path: str, roots: tuple[str, ...], home: str) -> CallFacts:
    """A call of the tool that reads this path, with no link on the way."""
    use = _use(_absolute(path, roots[0], home), path, Access.READ, roots)
    return CallFacts(tool, known=True, category=Category.READ, paths=(use,))


def _run(text: str, roots: tuple[str, ...], home: str) -> CallFacts:
    """A call of the shell that runs this command in the workspace folder, with no link on the way of any path."""
    # Few rules bring examples, and what reads commands is much to load.
    from assent.commandline.read import read_command

    read = read_command(text, Surroundings(roots[0], home))
    command = replace(read, parts=tuple(_placed(part, roots) for part in read.parts))
    paths = tuple(use for part in command.all() for use in part.paths)
    return CallFacts(SHELL_TOOL, known=True, category=Category.EXECUTE, paths=paths, command=command)


def _placed(part: Part, roots: tuple[str, ...]) -> Part:
    paths = tuple(_use(normpath(touch.name), touch.written, touch.access, roots) for touch in part.touches)
    return replace(part, paths=paths, inner=tuple(_placed(inner, roots) for inner in part.inner))


def _use(real: str, shown: str, access: Access, roots: tuple[str, ...]) -> PathUse:
    inside = any(names_of(real)[: len(names_of(root))] == names_of(root) for root in roots)
    return PathUse(real, shown, access, inside, is_directory=shown.endswith("/"), named=real)


def _absolute(path: str, root: str, home: str) -> str:
    if path == "~" or path.startswith("~/"):
        return home + path[1:]
    return path if is_absolute(path) else f"{root}/{path}"
