"""Rules to offer for a call: those that would have allowed it, the narrowest first, and the one that forbids it.

Whatever is offered is tried first, and its words say all that it reaches: nobody who reads them may be surprised later.
"""

from collections.abc import Iterator

from assent.lazy_dataclasses import dataclass
from assent.model.addresses import Address
from assent.model.calls import Access, CallFacts
from assent.model.commands import Command, Part
from assent.model.modes import Category
from assent.model.nodes import FLOW_TOOL, MCP_TOOL, NODE_TOOL
from assent.policy.protected import protection
from assent.policy.rules import words as spoken
from assent.policy.rules.book import book_of
from assent.policy.rules.commands.propose import denying_words, exact_pattern, first_words, gravest
from assent.policy.rules.naming import is_raised
from assent.policy.rules.rule import CHAT, SHELL_TOOL, WEB_TOOL, WHOLE_TOOL, Effect, Rule
from assent.policy.rules.spelling import is_drive, is_windows, names_of

Names = tuple[str, ...]
_GLOB_SIGNS = frozenset("*?@")


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A pattern for the rules of a tool, with words for all that it speaks of."""

    tool: str
    pattern: str
    words: str


def suggest(facts: CallFacts, roots: tuple[str, ...], home: str = "") -> tuple[Suggestion, ...]:
    """The allow rules to offer for this call. None for a change of what is protected: it would be asked all the same.

    For reading a secret, only the rule that names it; for reading outside the workspace, the file or its folder.
    """
    if facts.tool == FLOW_TOOL:
        # Its steps are decided about by themselves, so that a rule for it alone would help little.
        return ()
    if facts.tool == NODE_TOOL:
        return tuple(one for one in _for_node(facts) if _speaks(Effect.ALLOW, one, facts, roots, home))
    changed = (use for use in facts.paths if use.access in (Access.WRITE, Access.DELETE))
    if any(protection(name) for use in changed for name in use.names):
        return ()
    narrow = _for_host(facts) if facts.tool == WEB_TOOL else _for_paths(facts, roots, home)
    candidates = (*narrow, Suggestion(facts.tool, WHOLE_TOOL, _whole_words(facts)))
    return tuple(one for one in candidates if _speaks(Effect.ALLOW, one, facts, roots, home))


def suggest_command(command: Command, needing: tuple[Part, ...]) -> tuple[Suggestion, ...]:
    """The allow rules to offer for a command: its exact words, and the first words of the one part that needs a rule.

    What starts anything that its further words name is never offered by its name, and never the whole tool.
    """
    found: list[Suggestion] = []
    exact = exact_pattern(command)
    if exact is not None:
        found.append(Suggestion(SHELL_TOOL, exact, spoken.exact_command(exact)))
    words = first_words(needing[0]) if len(needing) == 1 else None
    if words is not None:
        found.append(
            Suggestion(
                SHELL_TOOL,
                f"{words}:*",
                spoken.command_beginning(words),
            )
        )
    return tuple(one for one in found if one.pattern.isprintable())


def _deny_command(facts: CallFacts, whole: Suggestion, roots: tuple[str, ...], home: str) -> Suggestion:
    """The first words of the gravest part; else the exact words."""
    part = gravest(facts.command) if facts.command is not None else None
    # Who refuses to have a file read has nothing against the program that would read it.
    words = denying_words(part) if part is not None and part.category is not Category.READ else None
    candidates = [
        *([Suggestion(SHELL_TOOL, f"{words}:*", spoken.command_running(words))] if words else []),
        *([exact] if (exact := _exactly_denied(facts)) is not None else []),
    ]
    return next((one for one in candidates if _speaks(Effect.DENY, one, facts, roots, home)), whole)


def _exactly_denied(facts: CallFacts) -> Suggestion | None:
    exact = exact_pattern(facts.command) if facts.command is not None else None
    return Suggestion(SHELL_TOOL, exact, spoken.exactly_restricted(exact)) if exact else None


def suggest_deny(facts: CallFacts, roots: tuple[str, ...], home: str = "") -> Suggestion:
    """The narrowest deny rule for “never again”: what the call touches where that is one thing, else its tool."""
    if facts.tool == SHELL_TOOL:
        whole = Suggestion(SHELL_TOOL, WHOLE_TOOL, spoken.any_command())
        return _deny_command(facts, whole, roots, home)
    whole = Suggestion(facts.tool, WHOLE_TOOL, spoken.any_call(facts.tool))
    if facts.tool in (NODE_TOOL, FLOW_TOOL):
        return next((one for one in _denying_node(facts) if _speaks(Effect.DENY, one, facts, roots, home)), whole)
    if facts.tool == WEB_TOOL:
        host = next(_denying_host(facts), whole)
        return host if _speaks(Effect.DENY, host, facts, roots, home) else whole
    places = dict.fromkeys((names_of(use.real), use.is_directory) for use in facts.paths)
    if len(places) != 1:
        return whole
    (place, folder), ground = next(iter(places)), _ground(roots, home)
    if not place:
        return whole
    what = spoken.with_all_in_it(ground.shown(place)) if folder else ground.shown(place)
    pattern = ground.pattern(place, "") if folder else ground.pattern(place)
    narrow = Suggestion(facts.tool, pattern, spoken.call_on(facts.tool, what))
    return narrow if _speaks(Effect.DENY, narrow, facts, roots, home) else whole


def _for_node(facts: CallFacts) -> Iterator[Suggestion]:
    """This one, as it is now."""
    node = facts.node
    if node is None or not node.identity:
        return
    tool, name = (MCP_TOOL, f"{node.server}:{node.tool}") if node.server else (NODE_TOOL, node.node_id)
    yield Suggestion(tool, f"{name}@{node.short_identity}", spoken.only_node(name))


def _denying_node(facts: CallFacts) -> Iterator[Suggestion]:
    node = facts.node
    if node is None:
        return
    tool, name = (MCP_TOOL, f"{node.server}:{node.tool}") if node.server else (node.runner, node.node_id)
    if not set(name) & _GLOB_SIGNS:
        yield Suggestion(tool, name, spoken.node_called(name))


def _for_host(facts: CallFacts) -> Iterator[Suggestion]:
    """The host, where it reaches only one: which pages of it are looked at seldom matters."""
    reached = _one_host(facts)
    if reached is not None:
        port = "" if reached.on_usual_port else f":{reached.port}"
        words = spoken.pages_of(reached.host, None if reached.on_usual_port else reached.port)
        yield Suggestion(WEB_TOOL, f"{reached.host}{port}", words)


def _denying_host(facts: CallFacts) -> Iterator[Suggestion]:
    reached = _one_host(facts)
    if reached is not None:
        words = spoken.host_reached(reached.host)
        yield Suggestion(WEB_TOOL, reached.host, words)


def _one_host(facts: CallFacts) -> Address | None:
    """What all its addresses have in common, where that is the host and the port, and all is known."""
    named = facts.addresses.named
    if not named or facts.addresses.unseen or any(one.doubt for one in named):
        return None
    places = {(one.host, None if one.on_usual_port else one.port) for one in named}
    return named[0] if len(places) == 1 else None


def _speaks(effect: Effect, suggestion: Suggestion, facts: CallFacts, roots: tuple[str, ...], home: str) -> bool:
    """Whether the rule is understood, and speaks of the call."""
    # What cannot be shown cannot be agreed to.
    if not suggestion.pattern.isprintable():
        return False
    book = book_of((Rule(effect, suggestion.tool, suggestion.pattern, CHAT),), roots, home)
    return not book.faults and book.first(effect, facts, "") is not None


def _whole_words(facts: CallFacts) -> str:
    if not facts.paths:
        return f"Every {facts.tool} call."
    if all(use.access is Access.READ for use in facts.paths):
        return f"Every {facts.tool} call inside the workspace. Secrets still ask."
    return (
        f"Every {facts.tool} call. Protected files still ask; so does what lies outside the workspace, "
        "unless you switched that off (assent.confirmOutsideWorkspace)."
    )


def _for_paths(facts: CallFacts, roots: tuple[str, ...], home: str) -> Iterator[Suggestion]:
    ground = _ground(roots, home)
    places = {names_of(use.real): use.is_directory for use in facts.paths}
    files = [place for place, folder in places.items() if not folder and place not in ground.roots]
    folders = [place for place in places if place not in files]
    if not places:
        return
    if len(places) == len(files) == 1 and not ground.is_too_wide(files[0]):
        yield Suggestion(facts.tool, ground.pattern(files[0]), spoken.only(ground.shown(files[0])))
    common = _common([*(file[:-1] for file in files), *folders])
    if not common:
        return
    ending = _ending(files) if not folders and not any(map(is_raised, facts.paths)) else None
    if ending is not None:
        yield from _by_ending(facts.tool, ending, common, files, ground)
    # One file is no reason to offer all that there is.
    is_one_of_all = len(places) == len(files) == 1 and common in ground.roots
    if not ground.is_too_wide(common) and not is_one_of_all:
        yield _folder(facts.tool, common, ground, itself=common in folders)


@dataclass(frozen=True, slots=True)
class _Ground:
    """Where the workspace and the home directory lie, as names from the top."""

    roots: tuple[Names, ...]
    home: Names

    def is_too_wide(self, folder: Names) -> bool:
        """Whether it holds more than a workspace folder, or the whole home directory."""
        holds_root = any(root[: len(folder)] == folder and root != folder for root in self.roots)
        return not folder or holds_root or self.home[: len(folder)] == folder

    def inside(self, place: Names) -> Names | None:
        """The way from the only workspace folder. With several, a relative pattern would mean all of them."""
        if len(self.roots) != 1 or place[: len(self.roots[0])] != self.roots[0]:
            return None
        return place[len(self.roots[0]) :]

    def pattern(self, place: Names, *more: str) -> str:
        """The pattern of this place and what follows, in relation to the workspace folder or absolute."""
        inside = self.inside(place)
        body = "/".join([*map(_escaped, place if inside is None else inside), *more])
        if inside is None:
            return body if is_drive(place[0]) else f"//{body}"
        starts_plainly = body[:1].isalnum() or body[:1] in {".", "_"}
        if body == "**" or ("/" in body.rstrip("/") and starts_plainly and not is_windows(body)):
            return body
        return f"./{body}" if body else "."

    def shown(self, place: Names) -> str:
        """The place for people."""
        inside = self.inside(place)
        if inside == ():
            return "the workspace folder"
        start = "/" if inside is None and not is_drive(place[0]) else ""
        return f"“{start}{'/'.join(place if inside is None else inside)}”"


def _ground(roots: tuple[str, ...], home: str) -> _Ground:
    return _Ground(tuple(dict.fromkeys(map(names_of, roots))), names_of(home))


def _by_ending(tool: str, ending: str, common: Names, files: list[Names], ground: _Ground) -> Iterator[Suggestion]:
    name = f"*{_escaped(ending)}"
    if all(file[:-1] == common for file in files):
        words = spoken.files_ending_in(ground.shown(common), ending, deep=False)
        yield Suggestion(tool, ground.pattern(common, name), words)
    elif not ground.is_too_wide(common):
        words = spoken.files_ending_in(ground.shown(common), ending, deep=True)
        yield Suggestion(tool, ground.pattern(common, "**", name), words)


def _folder(tool: str, folder: Names, ground: _Ground, *, itself: bool) -> Suggestion:
    pattern = ground.pattern(folder, "") if itself else ground.pattern(folder, "**")
    return Suggestion(tool, pattern, spoken.everything_in(ground.shown(folder)))


def _common(folders: list[Names]) -> Names:
    """The folder that all of them are, or lie in."""
    first, last = min(folders), max(folders)
    depth = next((at for at, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), len(first))
    return first[:depth]


def _ending(files: list[Names]) -> str | None:
    """What all names end in from their last dot on, if it is the same."""
    parts = [file[-1].rpartition(".") for file in files if file]
    endings = {f".{ending}" for stem, _, ending in parts if stem and ending}
    return endings.pop() if len(endings) == 1 and all(stem and ending for stem, _, ending in parts) else None


def _escaped(name: str) -> str:
    """The name as a pattern that matches nothing else."""
    plain = "".join(_escaped_character(character) for character in name)
    if plain[-1:].isspace():
        plain = f"{plain[:-1]}[{plain[-1]}]"
    return plain


def _escaped_character(character: str) -> str:
    if character == "\\":
        return "\\\\"
    return f"[{character}]" if character in "*?[{" else character
