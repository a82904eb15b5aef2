"""Patterns to offer for a command: its exact words, or the first words of its one part that needs a permission.

First words are only offered where they say what will be done: the verb of a program, the name of a script. Never for
what starts anything that its further words name.
"""

import re
from dataclasses import replace
from itertools import takewhile

from assent.model.commands import Command, Part
from assent.model.modes import Category, graver
from assent.policy.rules.commands.pattern import BOUND, normal_text, parse_command
from assent.policy.rules.commands.programs import leaf_of
from assent.policy.rules.commands.restrict import bare
from assent.policy.rules.commands.unproposed import NEVER_ALONE
from assent.policy.rules.naming import is_raised
from assent.policy.rules.pattern import UnusablePattern

_PLAIN = re.compile(r"[A-Za-z0-9_.+@/:][A-Za-z0-9_.+@:/-]*|-m")
_VERB = re.compile(r"[a-z][a-z0-9_-]*")
_TASK = re.compile(r":?[A-Za-z][A-Za-z0-9_-]*(?::[A-Za-z0-9_-]+)*")
_PRETENDING = re.compile(
    r"--(?:dry-?run|check|check-only|diff|noop|no-op|no-act|just-print|recon|simulate|what-?if|list-different|list)(?:=.*)?"
)
_STARTS_OTHERS = frozenset({"run", "exec", "x", "dlx"})
"""Verbs of runners: what comes next is a program or a task."""
_RUN_THEIR_WORDS = frozenset({"cProfile", "code", "doctest", "pdb", "profile", "runpy", "timeit", "trace"})
"""Modules of Python that run what further words say."""
_NEVER_ALONE = frozenset(map(bare, NEVER_ALONE))


def exact_pattern(command: Command) -> str | None:
    """The pattern that is the command's text, if it means that and nothing else, or single names in place of globs."""
    text = normal_text(command.text)
    try:
        pattern = parse_command(text, generous=False)
    except UnusablePattern:
        return None
    wild = any(word.wild for word in pattern.words)
    if pattern.prefix or (wild and len(command.parts) > 1):
        return None
    (first, *further) = command.parts or (Part((), ""),)
    identity = "" if further or not first.is_own_by_name else dict(first.identities)[0]
    name = first.words[0].text if identity else ""
    # The name alone would mean another program in another workspace.
    return f"{name}{BOUND}{identity}{text.removeprefix(name)}" if identity and text.startswith(name) else text


def first_words(part: Part) -> str | None:
    """The words that say what the part does: with any further words, it still does this. A file of the workspace among
    them is bound to what it is now."""
    words = () if _only_pretends(part) else _first_words(part) or _of_module(part) or _of_script(part)
    if not words or not all(_PLAIN.fullmatch(word) for word in words) or words[-1].endswith(":"):
        return None
    known = dict(part.identities)
    if not all(known.get(at, "as anywhere") for at in range(len(words))):
        return None
    return " ".join(f"{word}{BOUND}{known[at]}" if at in known else word for at, word in enumerate(words))


def denying_words(part: Part) -> str | None:
    """The words by which a restriction knows such a part, whatever else is said."""
    words = part.steps if not _says_too_little(part) else _first_words(part)
    return " ".join(words) if words and all(_PLAIN.fullmatch(word) for word in words) else None


def unsettled(command: Command) -> tuple[Part, ...]:
    """The parts that do more than read in the workspace; where all only read, all of them."""
    parts = [one for part in command.parts for one in _unsettled(part)]
    return tuple(parts) or command.parts


def gravest(command: Command) -> Part | None:
    """The part that can do most harm; what only starts it is left aside."""
    found: Part | None = None
    for part in command.all():
        if part.inner and part.transparent:
            continue
        if found is None or (graver(found.category, part.category) is not found.category):
            found = part
    return found


def _unsettled(part: Part) -> list[Part]:
    if part.inner_at is not None and len(_first_words(part)) > part.inner_at:
        return [part]  # Its first words say what it starts.
    inner = [one for deep in part.inner for one in _unsettled(deep)]
    if part.transparent and not part.dangers:
        return inner
    settled = part.category is Category.READ and not any(map(is_raised, part.paths))
    return inner if settled else [part, *inner]


def _first_words(part: Part) -> tuple[str, ...]:
    if part.dynamic or not part.steps:
        return ()
    program, taken = leaf_of(part)
    if program is None:
        return _of_own_program(part) if dict(part.identities).get(0) else _of_stranger(part)
    if taken < len(part.steps) or program.verbs:
        return ()
    following = part.words[part.steps_at[-1] + 1 :][: program.named_operands]
    named = tuple(word.text for word in following if word.exact and not word.many and not word.glob)
    if any(not name or name.startswith("-") for name in named):
        return ()
    words = (*part.steps, *named)
    says_little = program.runs_code or program.wraps or bare(part.steps[0]) in _NEVER_ALONE
    needed = taken + 1 if program.runs_code or program.wraps else 2
    if says_little and len(words) < needed:
        return ()
    return _with_started(part, words) if program.wraps and part.inner and len(words) > len(part.steps) else words


def _with_started(part: Part, words: tuple[str, ...]) -> tuple[str, ...]:
    """Of a runner, with the first words of what it starts: these have to say as much as they would at the start."""
    started = part.inner[0]
    # What a runner puts before other folders is not what the name means without it, and a script has no place here.
    own = _first_words(replace(started, identities=())) or _of_module(started)
    return (*part.steps, *own) if own[:1] == words[len(part.steps) :] else ()


def _only_pretends(part: Part) -> bool:
    """Whether an option keeps it from doing what its first words say: with these alone it would do it."""
    return any(_PRETENDING.fullmatch(word.text) for word in part.words[1:])


def _of_own_program(part: Part) -> tuple[str, ...]:
    """Of a program of the workspace: with a task or a module, where there is one. Its name alone says enough, because
    it is the same as long as the file is, unless it runs what further words name."""
    name, following = part.steps[0], [word.text if word.exact and not word.many else "" for word in part.words[1:4]]
    if following[:1] == ["-m"]:
        module = following[1:2]
        verb = following[2:3] if module and module[0] in _NEVER_ALONE else []
        return (name, "-m", *module, *verb) if _is_module(module, verb) else ()
    if following and _TASK.fullmatch(following[0]):
        return (name, following[0])
    short = bare(name).rpartition("/")[2]
    return () if short in _NEVER_ALONE or _without_version(short) in _NEVER_ALONE else (name,)


def _is_module(module: list[str], verb: list[str]) -> bool:
    if not module or not _VERB.fullmatch(module[0]) or module[0] in _RUN_THEIR_WORDS:
        return False
    return module[0] not in _NEVER_ALONE or (bool(verb) and _VERB.fullmatch(verb[0]) is not None)


def _of_module(part: Part) -> tuple[str, ...]:
    """Of a Python that runs a module which is a program of its own."""
    if part.steps[1:2] != ("-m",) or part.dynamic or part.steps_at[:3] != (0, 1, 2):
        return ()
    module, verb = [part.steps[2]], list(part.steps[3:4])
    return (*part.steps[:3], *(verb if module[0] in _NEVER_ALONE else [])) if _is_module(module, verb) else ()


def _of_script(part: Part) -> tuple[str, ...]:
    """Of an interpreter, its name with the file of the workspace that it runs, and with a task where there is one."""
    if part.dynamic or len(part.steps) != 1 or part.inner or not dict(part.identities).get(1):
        return ()
    script, following = part.words[1], part.words[2:3]
    task = [word.text for word in following if word.exact and not word.many and _TASK.fullmatch(word.text)]
    return (part.steps[0], script.text, *task)


def _of_stranger(part: Part) -> tuple[str, ...]:
    """Of a program that nobody knows, its name with one or two words that look like verbs."""
    name = part.steps[0]
    if bare(name) in _NEVER_ALONE or _without_version(bare(name)) in _NEVER_ALONE:
        return ()
    # Of two, the first may be no more than the subject: `migrate dev`, `migrate reset`.
    following = part.words[1:3]
    verbs = [word.text for word in following if word.exact and not word.many and not word.glob]
    named = tuple(takewhile(_VERB.fullmatch, verbs))
    if not named or following[0].text != named[0]:
        return ()
    starts_any = named[0] in _STARTS_OTHERS and (len(named) < len(following) or named[-1] in _NEVER_ALONE)
    return () if starts_any else (name, *named)


def _without_version(name: str) -> str:
    return name.rstrip("0123456789.-")


def _says_too_little(part: Part) -> bool:
    program, _ = leaf_of(part)
    if program is None:
        return bare(part.steps[0]) in _NEVER_ALONE if part.steps else True
    return program.runs_code or program.wraps or part.dynamic
