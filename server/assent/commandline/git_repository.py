"""What a repository's own configuration adds to git's commands: programs that are started, names that mean others."""

import posixpath
import re
from collections.abc import Mapping
from dataclasses import replace

from assent.commandline.catalogue import program_named
from assent.commandline.findings import Inside
from assent.commandline.surroundings import GitFacts
from assent.model.calls import Access
from assent.model.commands import Argument, Danger, Part, PassesOver
from assent.model.modes import Category

_WHEN_CHANGING = re.compile(
    r"core\.(hookspath|editor)|sequence\.editor|merge\..*|mergetool\..*|difftool\..*|trailer\..*|sendemail\..*"
    r"|interactive\..*|submodule\..*|gpg\..*|receive\..*"
)
_WHEN_CONTACTING = re.compile(
    r"core\.(sshcommand|gitproxy|askpass)|credential\..*|remote\..*|url\..*|uploadpack\..*|protocol\..*|http\..*"
)
_NEVER_BY_ITSELF = re.compile(r"alias\..*|web\.browser|browser\..*|man\..*|help\..*|guitool\..*|pager\..*|core\.pager")
"""Git starts a pager only for a terminal, and the rest for commands that are no reading ones."""


_MAKES_REPOSITORY = re.compile(r"HEAD|config|config\.worktree|commondir|\.git|.*[*?\[].*", re.IGNORECASE)
"""Files by whose names git takes a folder for a repository, and acts on what they say."""


def makes_repository(part: Part, made: list[str]) -> bool:
    """Whether files that were written before can make the folder of this git command another repository."""
    folders = [posixpath.normpath(touch.name) for touch in part.touches if touch.access is Access.RUN]
    folders += [part.directory] if part.directory is not None else []
    return any(_MAKES_REPOSITORY.fullmatch(posixpath.basename(name)) and _is_above(name, folders) for name in made)


def _is_above(name: str, folders: list[str]) -> bool:
    place = posixpath.normpath(posixpath.dirname(name)).rstrip("/") + "/"
    return "/.git/" in place or any(f"{folder}/".startswith(place) for folder in folders) or not folders


def passing_over_ignored(part: Part) -> Part:
    """Of the folders that it goes through, it looks at what git knows or could be told of, unless it is told to look
    at everything."""
    if not part.flags.isdisjoint(_WITH_IGNORED):
        return part
    whole = [touch.whole and touch.access is Access.READ for touch in part.touches]
    pairs = zip(part.touches, whole, strict=True)
    touches = (replace(touch, passes_over=PassesOver.IGNORED) if passes else touch for touch, passes in pairs)
    return replace(part, touches=tuple(touches))


_WITH_IGNORED = frozenset({"--no-index", "--force", "-f", "--no-exclude-standard"})


def alias_set_by(part: Part) -> tuple[str, str] | None:
    """`git config alias.x push`: the name, and what it stands for from then on."""
    if part.steps[:2] != ("git", "config"):
        return None
    texts = [word.text if word.exact else "" for word in part.words]
    at = next((at for at, text in enumerate(texts) if text.casefold().startswith("alias.")), None)
    return (texts[at].partition(".")[2], texts[at + 1]) if at is not None and at + 1 < len(texts) else None


def told_by_repository(
    part: Part, facts: Mapping[str, GitFacts], inside: Inside, aliases: Mapping[str, str] | None = None
) -> Part:
    """The part with what its repository's configuration makes of it; `aliases` were set before on the same line."""
    alias = _alias_on_the_line(part)
    if alias is None and aliases and len(part.steps) > 1:
        alias = aliases.get(part.steps[1])
    known = facts.get(part.directory or "")
    if known is not None and alias is None and len(part.steps) > 1:
        alias = known.aliases.get(part.steps[1])
    if alias is not None and len(part.steps) > 1:
        part = _resolved(part, alias, inside)
    elif part.dangers and len(part.steps) > 1 and not _is_verb(part.steps[1]):
        part = _with_any_verb(part)
    entries = known.running if known else ()
    lazily = any(_LEAVES_OBJECTS_AWAY.fullmatch(entry.casefold()) for entry in entries)
    running = tuple(entry for entry in entries if _matters(entry, part, lazily=lazily))
    if not running:
        return part
    text = f"starts what the repository's configuration names ({', '.join(running[:3])})"
    category = max(part.category, Category.EXECUTE, key=_GRAVITY.index)
    return replace(part, dangers=(*part.dangers, Danger(text)), category=category)


_GRAVITY = [Category.INTERNAL, Category.READ, Category.WRITE, Category.EXECUTE, Category.EXTERNAL]


_CHECKS_SIGNATURES = frozenset({"log", "show", "whatchanged", "verify-commit", "verify-tag", "tag"})


_LEAVES_OBJECTS_AWAY = re.compile(r"remote\..*\.promisor|extensions\.partialclone", re.DOTALL)
"""Then any verb fetches what is missing, in the moment in which it wants to look at it."""


def _matters(entry: str, part: Part, *, lazily: bool) -> bool:
    name, category = entry.casefold(), part.category
    if name.startswith("gpg.") and (_CHECKS_SIGNATURES.intersection(part.steps) or _asks_for_signatures(part)):
        return True
    if lazily and _WHEN_CONTACTING.fullmatch(name):
        return not _LEAVES_OBJECTS_AWAY.fullmatch(name)
    if name.startswith("merge.") and "--remerge-diff" in part.flags:
        return True
    if _NEVER_BY_ITSELF.fullmatch(name):
        return False
    if _WHEN_CHANGING.fullmatch(name):
        return category is not Category.READ
    if _WHEN_CONTACTING.fullmatch(name):
        return category in (Category.EXTERNAL, Category.EXECUTE)
    return True


def _asks_for_signatures(part: Part) -> bool:
    """By a format, which nearly every verb takes; what is not known of a word may be one."""
    return any(not word.exact or "%G" in word.text or "signature" in word.text for word in part.words[1:])


def _alias_on_the_line(part: Part) -> str | None:
    """`git -c alias.x=push x`."""
    if len(part.steps) < 2:
        return None
    wanted = f"alias.{part.steps[1].casefold()}="
    for word in part.words[1 : part.steps_at[1]]:
        if word.exact and word.text.casefold().removeprefix("-c").startswith(wanted):
            return word.text.partition("=")[2]
    return None


def _is_verb(name: str) -> bool:
    git = program_named("git")
    return git is not None and any(name in verb.names for verb in git.verbs)


def _with_any_verb(part: Part) -> Part:
    """What its words or variables set can make this verb stand for any other."""
    at = part.steps_at[1]
    verb = replace(part.words[at], exact=False)
    why = f"What git {verb.text} does cannot be known, because of what is set for it."
    words = (*part.words[:at], verb, *part.words[at + 1 :])
    unknown = (*part.unknown, why)
    return replace(part, words=words, steps=part.steps[:1], steps_at=part.steps_at[:1], dynamic=True, unknown=unknown)


def _resolved(part: Part, alias: str, inside: Inside) -> Part:
    rest = part.words[part.steps_at[1] + 1 :]
    if alias.startswith("!"):
        inner = inside.of_text(alias[1:], None, posix=True)
        danger = Danger(f"runs {alias[1:]} (git {part.steps[1]} is an alias)")
        dynamic = inner is None
        return replace(
            part, inner=(*part.inner, *(inner or ())), dangers=(*part.dangers, danger), dynamic=part.dynamic or dynamic
        )
    words = tuple(Argument(text, written=text) for text in alias.split())
    before = part.words[1 : part.steps_at[1]]
    inner_part = inside.of_words((part.words[0], *before, *words, *rest), part.directory, None)
    return replace(part, inner=(*part.inner, inner_part), transparent=not part.dangers)
