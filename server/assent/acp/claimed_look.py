"""A look at what an agent of others wants to do: at the disk, in a thread, for the decision and for the card."""

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from assent.acp.any_folder import for_words, goes_itself, in_any
from assent.acp.as_tools import notes_on, reached, tool_name
from assent.acp.claim import Claim
from assent.acp.command_lines import with_variables
from assent.acp.edited import edited
from assent.acp.words import Diff, Kind
from assent.commandline.surroundings import ANY_SHELL
from assent.jsontext import canonical_json, readable_json
from assent.lazy_dataclasses import dataclass
from assent.model.addresses import Addresses
from assent.model.approval import Risk, RiskLevel
from assent.model.calls import Access, PathUse
from assent.model.commands import Command
from assent.model.errors import ToolFault
from assent.model.modes import Category, graver
from assent.model.preview import CommandPreview, DiffLine, DiffPreview, FileChange, JsonPreview, LineKind, Preview
from assent.policy.commands import grant_key
from assent.policy.reach import category_of_use
from assent.tools.change_preview import MAX_BYTES, compare
from assent.tools.command_facts import category_of, look_at
from assent.tools.command_notes import either_ways
from assent.tools.command_places import paths_of
from assent.tools.command_preview import headline_of, preview_of, risk_of
from assent.tools.declared_encoding import declared_for
from assent.tools.disk import read_regular
from assent.tools.names import printable
from assent.tools.places import OneLook, Place
from assent.tools.text import decode

if TYPE_CHECKING:
    from assent.model.json import JsonObject

_AT_LEAST = {
    Kind.READ: Category.READ,
    Kind.SEARCH: Category.READ,
    Kind.THINK: Category.READ,
    Kind.EDIT: Category.WRITE,
    Kind.DELETE: Category.WRITE,
    Kind.MOVE: Category.WRITE,
    Kind.EXECUTE: Category.EXECUTE,
    Kind.SWITCH_MODE: Category.INTERNAL,
}
"""What an agent's own word for a call amounts to at least: it can only make it graver."""
_LOOKS = (Kind.READ, Kind.SEARCH, Kind.THINK, Kind.FETCH, Kind.SWITCH_MODE)
_LOST = "In which folder this runs is not known: {agent} does not tell it."
_LONGEST_HEADLINE = 120
_MOST_NAMED = 3
"""Files in a headline. Where there are more, they are counted there, and all stand below."""


@dataclass(frozen=True, slots=True)
class Change:
    """What a file would hold, where that is known: an identical writing of it is the same act."""

    real: str
    digest: str

    @classmethod
    def to(cls, content: str, real: str) -> "Change":
        """The change of this file to this content."""
        return cls(real, hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest())


@dataclass(frozen=True, slots=True)
class ClaimedLook:
    """What was found."""

    tool: str
    """The name under which rules speak of it."""
    headline: str
    directory: str
    preview: Preview
    paths: tuple[PathUse, ...]
    state: str
    grant_key: str
    category: Category
    risk: Risk | None
    command: Command | None
    changes: tuple[Change, ...] = ()
    unclear: str = ""
    """Why it is not known well enough what would happen."""
    addresses: Addresses = Addresses()


def look(
    claim: Claim, roots: tuple[str, ...], agent: str, folder: str = "", begins: tuple[str, ...] | None = None
) -> ClaimedLook:
    """Looks at the disk: belongs into a thread. Relative names start from the folder in which the agent works; its
    commands begin in one of these folders, or anywhere where there are none. None: where it works."""
    starts = _starts(claim, folder, begins)
    claim, now = _based(claim, folder), OneLook(roots)
    ran = _Ran.of(claim, starts, roots, now) if claim.command is not None else None
    command = ran.command if ran is not None else None
    files = tuple(_File.of(now.locate(path), tuple(diffs)) for path, diffs in _by_path(claim.edits, now))
    uses = tuple(dict.fromkeys(_uses(claim, ran, files, now)))
    preview = _preview(claim, ran, files)
    tool = tool_name(claim)
    lost = _LOST.format(agent=agent) if ran is not None and ran.is_lost else ""
    return ClaimedLook(
        tool=tool,
        headline=_headline(claim, files, uses),
        directory=ran.directory if ran is not None else now.locate(claim.cwd or folder or ".").real,
        preview=preview,
        paths=uses,
        state=_state(claim, ran, files, uses),
        grant_key=ran.grant_key if ran is not None else tool,
        category=_category(claim, command, uses, lost),
        risk=_risk(claim, command, files, preview, agent, lost),
        command=command,
        changes=tuple(one.change for one in files if one.change is not None),
        unclear=_unclear(claim, files, agent) or lost,
        addresses=reached(claim, agent),
    )


def _starts(claim: Claim, folder: str, begins: tuple[str, ...] | None) -> tuple[str, ...]:
    """The folders of which one is where its command begins; none where that can be any."""
    if claim.lacks_folder:
        return ()
    if begins is None or (claim.cwd or "").startswith(("/", "~")):
        begins = (folder or ".",)
    return tuple(dict.fromkeys(os.path.join(one, claim.cwd or "") for one in begins))  # noqa: PTH118


@dataclass(frozen=True, slots=True)
class _Ran:
    """A command in each of the folders where it can begin."""

    places: tuple[Place, ...]
    each: tuple[Command, ...]
    command: Command
    """As all of them together."""
    is_lost: bool
    """In which folder it would run is not known."""

    @classmethod
    def of(cls, claim: Claim, starts: tuple[str, ...], roots: tuple[str, ...], now: OneLook) -> "_Ran":
        text = with_variables(claim.command or "", claim.env)
        places = tuple({one.real: one for one in map(now.locate, starts)}.values())
        folders = [one.real for one in places] or [""]
        each = tuple(look_at(text, one, roots, ANY_SHELL, now) for one in folders)
        command = in_any(each)
        return cls(places, each, command, not places and (claim.lacks_folder or not goes_itself(command)))

    @property
    def directory(self) -> str:
        """Where it runs, where that is known; else empty."""
        if self.places:
            return self.places[0].real if len(self.places) == 1 else ""
        there = {one.directory for one in self.command.all() if one.directory is not None}
        return there.pop() if len(there) == 1 and not self.is_lost else ""

    @property
    def grant_key(self) -> str:
        keys = set(map(grant_key, self.each))
        return keys.pop() if len(keys) == 1 else ""

    @property
    def note(self) -> str:
        """That it is not known in which of several folders it runs."""
        if len(self.places) < 2:
            return ""
        names = ["the workspace folder" if one.shown == "." else printable(one.shown) for one in self.places]
        return f"It runs in {' or in '.join(names)}: in which of them is not known, so all of them are looked at."


def only_reads(found: ClaimedLook) -> bool:
    """Whether all of it is surely reading in the workspace, so that no question about it would be needed."""
    harmless = (Category.READ, Category.INTERNAL)
    if found.command is not None and found.command.doubt:
        return False
    return found.category in harmless and all(category_of_use(use) in harmless for use in found.paths)


def changes_files(claim: Claim) -> bool:
    """Whether it says what files would hold, and that is what its card shows."""
    return bool(claim.edits) and claim.command is None


def contents(claim: Claim, roots: tuple[str, ...], folder: str = "") -> tuple[FileChange, ...]:
    """What the files would hold that it changes, by what is there now."""
    claim, now = _based(claim, folder), OneLook(roots)
    return tuple(_content(now.locate(path), tuple(diffs)) for path, diffs in _by_path(claim.edits, now))


def _content(place: Place, diffs: tuple[Diff, ...]) -> FileChange:
    current = _text_of(place)
    return FileChange(place.shown, place.real, edited(current, diffs).content, beside_file=current is not None)


def _based(claim: Claim, folder: str) -> Claim:
    """The same with names that mean the same wherever one starts from."""
    names = claim.cwd or claim.edits or claim.writes or claim.deletes or claim.moves or claim.reads
    if not folder or not names:
        return claim

    def full(name: str) -> str:
        return name if name.startswith("~") or "\0" in name else os.path.join(folder, name)  # noqa: PTH118

    return replace(
        claim,
        cwd=full(claim.cwd) if claim.cwd else None,
        edits=tuple(replace(one, path=full(one.path)) for one in claim.edits),
        writes=tuple(map(full, claim.writes)),
        deletes=tuple(map(full, claim.deletes)),
        moves=tuple((full(source), full(target)) for source, target in claim.moves),
        reads=tuple(map(full, claim.reads)),
    )


def _unclear(claim: Claim, files: "tuple[_File, ...]", agent: str) -> str:
    """A rule or a grant is about one act that is known: what is more than that, or less, is none of them."""
    if claim.contradictions or any(one.doubt for one in files):
        return f"{agent} contradicts itself or the files, so what this would really do is not known."
    if _hides_more(claim):
        return f"{agent} does not show all that this would do."
    if _several_acts(claim):
        return "This would do several things at once."
    return ""


def _hides_more(claim: Claim) -> bool:
    """Whether something of it is not understood, other than the folder that it runs in."""
    return not (claim.inspectable or claim.only_lacks_folder or claim.kind is Kind.SWITCH_MODE)


def _several_acts(claim: Claim) -> bool:
    acts = (claim.command is not None, claim.edits or claim.writes, claim.deletes, claim.moves, claim.urls)
    return sum(map(bool, acts)) > 1


@dataclass(frozen=True, slots=True)
class _File:
    """A file that would get another content."""

    place: Place
    preview: DiffPreview
    state: str
    risk: Risk | None
    doubt: str
    change: Change | None

    @classmethod
    def of(cls, place: Place, diffs: tuple[Diff, ...]) -> "_File":
        after = edited(_text_of(place), diffs)
        preview, state, risk = compare(place, after.content)
        change = None if after.doubt else Change.to(after.content, place.real)
        return cls(place, preview, state, risk, after.doubt, change)


def _text_of(place: Place) -> str | None:
    try:
        content = read_regular(place.target, MAX_BYTES) if "\0" not in place.real else None
    except ToolFault:
        return None
    return decode(content.data, declared=declared_for(place)) if content is not None and content.whole else None


def _by_path(edits: tuple[Diff, ...], now: OneLook) -> Iterator[tuple[str, list[Diff]]]:
    """By the file that is meant, however its name is spelled."""
    found: dict[str, tuple[str, list[Diff]]] = {}
    for one in edits:
        found.setdefault(now.locate(one.path).real, (one.path, []))[1].append(one)
    yield from found.values()


def _uses(claim: Claim, ran: _Ran | None, files: tuple[_File, ...], now: OneLook) -> Iterator[PathUse]:
    if ran is not None:
        yield from (place.use(Access.RUN, is_directory=True) for place in ran.places)
        yield from paths_of(ran.command)
    for file in files:
        yield file.place.use(Access.WRITE)
    for path in claim.writes:
        yield _use(path, Access.WRITE, now)
    for path in claim.deletes:
        yield _use(path, Access.DELETE, now)
    for source, target in claim.moves:
        yield _use(source, Access.DELETE, now)
        yield _use(target, Access.WRITE, now)
    # What is named without saying what for is only read where it is looked at, or where a command shows the rest.
    looks = claim.kind in _LOOKS or ran is not None or bool(claim.urls)
    for path in claim.reads:
        yield _use(path, Access.READ if looks else Access.WRITE, now)


def _use(path: str, access: Access, now: OneLook) -> PathUse:
    place = now.locate(path)
    return place.use(access, is_directory=place.target.is_folder)


def _category(claim: Claim, command: Command | None, uses: tuple[PathUse, ...], lost: str) -> Category:
    found = _at_least(claim)
    if command is not None:
        does = category_of(command) or Category.EXECUTE
        # That it runs a command is no more than the command itself says.
        found = does if claim.kind is Kind.EXECUTE else graver(found, does)
    if lost or claim.urls or (not claim.inspectable and claim.kind is not Kind.SWITCH_MODE):
        found = graver(found, Category.EXTERNAL)
    if any(use.access in (Access.WRITE, Access.DELETE) for use in uses):
        found = graver(found, Category.WRITE)
    return found


def _headline(claim: Claim, files: tuple[_File, ...], uses: tuple[PathUse, ...]) -> str:
    if claim.command is not None:
        main = headline_of(with_variables(claim.command, claim.env))
    elif len(files) == 1:
        shown = files[0].preview
        main = f"{'Write' if shown.is_new else 'Edit'} {shown.path} (+{shown.added} −{shown.removed})"
    elif files:
        main = f"Edit {len(files)} files"
    else:
        main = ""
    names = {use.named: use.shown for use in uses}
    more = [words for words in _further(claim, files, main, names) if words]
    if main or more:
        words = "; ".join(filter(None, (main, *more)))
        return _short(words[:1].upper() + words[1:])
    if claim.kind is Kind.SWITCH_MODE:
        return "Go on in another mode"
    if uses:
        verb = "Read" if uses[0].access is Access.READ else "Change"
        return _short(f"{verb} {_named([use.shown for use in uses])}")
    return "Do what it does not show"


def _further(claim: Claim, files: tuple[_File, ...], main: str, names: Mapping[str, str]) -> Iterator[str]:
    """What it does beside what the headline and the preview are about, each with a verb. `names` are shorter ones."""
    if claim.command is not None and files:
        yield f"change {_named([one.preview.path for one in files])}"
    shown = {one.place.real for one in files}
    if others := [path for path in claim.writes if path not in shown]:
        yield f"change {_named([names.get(path, path) for path in others])}"
    if claim.deletes:
        yield f"delete {_named([names.get(path, path) for path in claim.deletes])}"
    if claim.moves:
        ends = [[names.get(path, path) for path in one] for one in zip(*claim.moves, strict=True)]
        yield f"move {_named(ends[0])} to {_named(ends[1])}"
    if claim.urls:
        yield f"reach {_named(claim.urls)}"


def _named(names: Sequence[str]) -> str:
    shown = [printable(name) for name in names]
    return ", ".join(shown) if len(shown) <= _MOST_NAMED else f"{len(shown)} files or places"


def short_headline(claim: Claim, title: str | None, folder: str = "") -> str:
    """The same without a look at the disk, for what is only told of. `folder` is where the agent works."""
    if claim.command is not None:
        return headline_of(claim.command)
    named = dict.fromkeys((*(one.path for one in claim.edits), *claim.deletes, *claim.reads))
    paths = [one.removeprefix(f"{folder}/") or one for one in named]
    if paths or claim.urls:
        verb = "Edit" if claim.edits else "Delete" if claim.deletes else "Read" if claim.reads else "Fetch"
        return _short(f"{verb} {', '.join(map(printable, paths or claim.urls))}")
    return _short(printable(title)) if title else "Something that it does not show"


def kind_category(claim: Claim) -> Category:
    """The category by the agent's own words alone."""
    if claim.command is not None:
        return Category.EXECUTE
    if claim.edits or claim.deletes or claim.moves:
        return Category.WRITE
    return _at_least(claim)


def _at_least(claim: Claim) -> Category:
    return _AT_LEAST.get(claim.kind, Category.EXTERNAL) if claim.kind is not None else Category.EXTERNAL


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_HEADLINE else f"{text[:_LONGEST_HEADLINE]}…"


def _preview(claim: Claim, ran: _Ran | None, files: tuple[_File, ...]) -> Preview:
    beside = _beside(claim, files if ran is not None else ())
    if ran is not None:
        command, beside = for_words(ran.each), " ".join(filter(None, (ran.note, beside))) or None
        folders = frozenset(name for part in command.all() for name in either_ways(part) if Path(name).is_dir())
        return preview_of(command, folders, note=beside)
    if files:
        diff = files[0].preview if len(files) == 1 else _several(files)
        return replace(diff, note=" ".join(filter(None, (beside, diff.note))) or None)
    acts: JsonObject = {
        "changes": list(claim.writes),
        "deletes": list(claim.deletes),
        "moves": [list(one) for one in claim.moves],
        "reaches": list(claim.urls),
    }
    told: JsonObject = {name: names for name, names in acts.items() if names}
    return JsonPreview(readable_json({**told, "arguments": claim.raw} if told else claim.raw))


def _beside(claim: Claim, files: tuple[_File, ...]) -> str | None:
    """All that happens beside what the preview shows, in words, each by its full name."""
    acts = (
        ("changes", [one.preview.path for one in files] + list(claim.writes)),
        ("deletes", list(claim.deletes)),
        ("reaches", list(claim.urls)),
    )
    told = [f"It says that it {verb} {', '.join(map(printable, names))} as well." for verb, names in acts if names]
    told.extend(f"It says that it moves {printable(old)} to {printable(new)} as well." for old, new in claim.moves)
    return " ".join(told) or None


def _several(files: tuple[_File, ...]) -> DiffPreview:
    lines: list[DiffLine] = []
    for one in files:
        lines.extend((DiffLine(LineKind.GAP, one.preview.path), *one.preview.lines))
    previews = [one.preview for one in files]
    return DiffPreview(
        path=f"{len(files)} files",
        real_path=files[0].place.real,
        is_new=False,
        lines=tuple(lines),
        added=sum(one.added for one in previews),
        removed=sum(one.removed for one in previews),
        note=" ".join(f"{one.path}: {one.note}" for one in previews if one.note) or None,
        whole=all(one.whole for one in previews),
    )


def _state(claim: Claim, ran: _Ran | None, files: tuple[_File, ...], uses: tuple[PathUse, ...]) -> str:
    bound = {
        "kind": str(claim.kind),
        "command": claim.command,
        "cwd": [one.real for one in ran.places] if ran is not None else None,
        "env": [list(one) for one in claim.env],
        "edits": [[one.path, one.old, one.new] for one in claim.edits],
        "urls": list(claim.urls),
        "raw": claim.raw,
        "files": [[one.place.real, one.state] for one in files],
        "paths": [[use.access.value, use.real] for use in uses],
    }
    return hashlib.sha256(canonical_json(bound)).hexdigest()


def _risk(
    claim: Claim, command: Command | None, files: tuple[_File, ...], preview: Preview, agent: str, lost: str
) -> Risk | None:
    notes = [f"{agent} contradicts itself: {one}" for one in claim.contradictions]
    notes.extend(one.doubt for one in files if one.doubt)
    level = RiskLevel.HIGH if notes else RiskLevel.LOW
    if _hides_more(claim):
        notes.append(f"{agent} does not show what this would do.")
        level = RiskLevel.HIGH
    if lost:
        notes.append(lost)
        level = max(level, RiskLevel.MEDIUM, key=_LEVELS.index)
    addressed = tuple(notes_on(reached(claim, agent)))
    if addressed:
        notes.extend(addressed)
        level = RiskLevel.HIGH
    beside = [one.risk for one in files]
    if command is not None and isinstance(preview, CommandPreview):
        beside.append(risk_of(command, preview))
    for one in beside:
        if one is not None:
            notes.extend(one.notes)
            level = max(level, one.level, key=_LEVELS.index)
    if _several_acts(claim):
        notes.append("This would do several things at once: look at all of them.")
        level = RiskLevel.HIGH
    return Risk(level, tuple(dict.fromkeys(notes))) if notes else None


_LEVELS = [RiskLevel.LOW, RiskLevel.MEDIUM, RiskLevel.HIGH]
