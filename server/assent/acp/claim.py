"""What an agent claims that a call would do: no more than what it shows, and nothing of what it only says.

Where it shows two things that cannot both be meant, both are in the claim, and it counts as not understood.
"""

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from typing import TypeAlias, TypeVar

from assent.acp.argument_reading import read_arguments
from assent.acp.argument_words import QUESTION_TOOLS, plain
from assent.acp.arguments import Shown
from assent.acp.command_lines import begins_with_a_shell, folder_in_words, goes_where_it_runs, out_of_quotes
from assent.acp.edits_told import joined_edits
from assent.acp.fields import CUT, text_in
from assent.acp.habits import NO_HABITS, Habits
from assent.acp.patches import BEGIN_PATCH
from assent.acp.paths_told import Compared, is_address, is_pattern, local
from assent.acp.picture import Picture
from assent.acp.told import UNREADABLE_CHANGE
from assent.acp.told_arguments import object_in
from assent.acp.words import Diff, Kind, Text, Unseen
from assent.lazy_dataclasses import dataclass
from assent.model.json import JsonObject

_T = TypeVar("_T")
_Moves: TypeAlias = tuple[tuple[str, str], ...]

_LOOKS = (Kind.READ, Kind.SEARCH, Kind.THINK)
_CHANGES = (Kind.EDIT, Kind.DELETE, Kind.MOVE)
"""What such a call has to do with an address is not understood."""
_GRAVER = (
    Kind.OTHER,
    Kind.THINK,
    Kind.SEARCH,
    Kind.READ,
    Kind.SWITCH_MODE,
    Kind.EDIT,
    Kind.MOVE,
    Kind.DELETE,
    Kind.EXECUTE,
    Kind.FETCH,
)
"""`other` says nothing: some agents begin with it and know better later."""
_WHERE = "where it runs"
_SHELL = "what was done before to the shell that it runs in"
_PATCH_TOOL = plain("apply_patch")
RAW = "rawInput"
"""What was given as arguments, and is no object, stands under this name."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What a call would do, as far as its agent shows it."""

    kind: Kind | None
    """The gravest that was told."""
    title: str
    command: str | None = None
    cwd: str | None = None
    env: tuple[tuple[str, str], ...] = ()
    edits: tuple[Diff, ...] = ()
    writes: tuple[str, ...] = ()
    """Files that change as well, or that are told in other words than those of the edits."""
    deletes: tuple[str, ...] = ()
    moves: tuple[tuple[str, str], ...] = ()
    reads: tuple[str, ...] = ()
    """Paths that are only read, or only named."""
    urls: tuple[str, ...] = ()
    question: bool = False
    """It seems to ask the user something, and not for a permission."""
    switches_mode: bool = False
    """It was told at least once as going on in another mode."""
    raw: JsonObject = field(default_factory=dict)
    contradictions: tuple[str, ...] = ()
    """Sentences without a beginning: “it names two commands.”"""
    unread: tuple[str, ...] = ()
    """What nobody understands of it, by name."""
    inspectable: bool = False
    """It shows something that it would do, and everything that it shows is understood."""

    @property
    def acts(self) -> bool:
        """Whether it shows anything that is more than looking at files."""
        changes = self.edits or self.writes or self.deletes or self.moves
        return bool(self.command is not None or changes or self.urls)

    @property
    def lacks_folder(self) -> bool:
        """Whether it does not say where its command runs, and nothing else does."""
        return _WHERE in self.unread

    @property
    def only_lacks_folder(self) -> bool:
        """Whether that is all that is not understood of it."""
        return self.unread == (_WHERE,) and not self.contradictions

    @property
    def wherever(self) -> "Claim":
        """The same where nothing is missing but the folder: as if any would do."""
        return replace(self, unread=(), inspectable=True) if self.only_lacks_folder else self

    @property
    def only_looks(self) -> bool:
        """Whether it says that it only looks, and shows nothing but where."""
        return self.inspectable and self.kind in _LOOKS and not self.acts and not self.question


def gravest(kinds: Iterable[Kind | None]) -> Kind | None:
    """The one that may do the most."""
    return max((kind for kind in kinds if kind is not None), key=_GRAVER.index, default=None)


def claim_of(picture: Picture, habits: Habits = NO_HABITS) -> Claim:
    """What this call would do."""
    raw = _raw(picture, habits)
    kind = gravest(picture.kinds) or habits.kind_by_title(picture.title)
    if kind is Kind.OTHER and habits.patches_are_changes and _is_patch(picture, raw):
        kind = Kind.EDIT
    shown = read_arguments(raw, executes=kind is Kind.EXECUTE)
    shown.unread.extend(path for path in picture.paths if is_pattern(path))
    if habits.quotes_its_lines:
        shown.commands = list(map(out_of_quotes, shown.commands))
    gone = () if habits.empties_files else [one for one in picture.content if isinstance(one, Diff) and one.deletes]
    shown.deletes.extend(one.path for one in gone)
    _make_local(shown)
    _read_title(shown, picture, kind, habits)
    if shown.commands and not shown.folders:
        late = habits.tells_folder_late and not all(map(goes_where_it_runs, shown.commands))
        shown.unread.extend([_WHERE, _SHELL] if habits.in_one_shell else [_WHERE] if late else [])
    edits, differ = joined_edits([one for one in picture.content if one not in gone], shown)
    said = _contradictions(shown, edits)
    paths = _paths(shown, picture.paths)
    deletes, moves = _removed(shown, kind, paths)
    left = {*deletes, *(path for move in moves for path in move)}
    writes = _written(shown, kind, edits, [path for path in paths if path not in left])
    named = {*(one.path for one in edits), *writes, *left}
    reads = tuple(path for path in paths if path not in named)
    urls = _unique([*shown.urls, *filter(is_address, map(local, picture.paths))])
    if kind in _CHANGES:
        shown.unread.extend(urls)
    unread = _unread(picture, shown)
    seen = bool(shown.commands or edits or left or urls or (kind in _LOOKS and reads))
    seen = seen or (kind is Kind.FETCH and bool(shown.words))
    files = Compared(one.path for one in edits)
    unseen = any(not files.has_one_like(path) for path in writes)
    return Claim(
        kind=kind,
        title=picture.title or picture.name or "",
        command="\n".join(_unique(shown.commands)) if shown.commands else None,
        cwd=shown.folders[0] if shown.folders else None,
        env=tuple(sorted(shown.env.items())),
        edits=edits,
        writes=writes,
        deletes=deletes,
        moves=moves,
        reads=reads,
        urls=urls,
        question=_asks(picture, shown),
        switches_mode=Kind.SWITCH_MODE in picture.kinds,
        raw=raw,
        contradictions=(*said, *differ),
        unread=unread,
        inspectable=seen and not (unseen or unread or said or differ),
    )


def _raw(picture: Picture, habits: Habits) -> JsonObject:
    told = picture.raw_input
    if isinstance(told, Mapping):
        return told
    if isinstance(told, str) and (found := object_in(told)) is not None:
        return found
    if told is not None and told != "":
        return {RAW: told}
    return picture.written or {} if habits.arguments_in_text else {}


def _is_patch(picture: Picture, raw: JsonObject) -> bool:
    """Whether this is its tool for patches, by its name, with a patch and nothing else for it."""
    patch = text_in(raw.get("input")) if raw.keys() == {"input"} else None
    name = plain((picture.name or picture.title or "").partition(":")[0])
    return name == _PATCH_TOOL and patch is not None and patch.lstrip().startswith(BEGIN_PATCH)


def _read_title(shown: Shown, picture: Picture, kind: Kind | None, habits: Habits) -> None:
    title = picture.title
    if not habits.title_is_command or kind is not Kind.EXECUTE or shown.commands or not title or title.endswith(CUT):
        return
    shown.commands.append(title)
    if begins_with_a_shell(title):
        shown.unread.append("what of it would run")
    words = [one.text if isinstance(one, Text) else "" for one in picture.content]
    folder = folder_in_words(words[0]) if len(words) == 1 else None
    if folder is None:
        shown.unread.append(_WHERE)
    elif folder:
        shown.folders.append(folder)


def _contradictions(shown: Shown, edits: tuple[Diff, ...]) -> tuple[str, ...]:
    found = []
    if len(_unique(shown.commands)) > 1:
        found.append("it names several commands.")
    if len(_unique(shown.folders)) > 1:
        found.append("it names several folders to work in.")
    whole = [one.path for one in edits if one.old is None]
    if len(whole) > len(set(whole)):
        found.append("it names several new contents of one file.")
    return tuple(found)


def _paths(shown: Shown, locations: Iterable[str]) -> tuple[str, ...]:
    return _unique([*shown.paths, *(path for path in map(local, locations) if not is_address(path))])


def _make_local(shown: Shown) -> None:
    """Files may be written as addresses. Where one is on another machine, what happens there is not understood."""
    shown.edits = [replace(one, path=local(one.path)) for one in shown.edits]
    shown.deletes = [local(path) for path in shown.deletes]
    shown.writes = [local(path) for path in shown.writes]
    shown.moves = [(local(source), local(target)) for source, target in shown.moves]
    every = (
        *(one.path for one in shown.edits),
        *shown.deletes,
        *shown.writes,
        *(end for move in shown.moves for end in move),
    )
    shown.urls.extend(path for path in every if is_address(path))
    shown.unread.extend(path for path in every if is_address(path))


def _removed(shown: Shown, kind: Kind | None, paths: tuple[str, ...]) -> tuple[tuple[str, ...], _Moves]:
    """What goes away: by the arguments, and by the kind where they only name the files."""
    deletes, moves = list(shown.deletes), list(shown.moves)
    if kind is Kind.DELETE:
        deletes.extend(paths)
    if kind is Kind.MOVE and not moves and len(paths) == 2:
        moves.append((paths[0], paths[1]))
    return _unique(deletes), _unique(moves)


def _written(shown: Shown, kind: Kind | None, edits: tuple[Diff, ...], paths: Iterable[str]) -> tuple[str, ...]:
    writes = list(shown.writes)
    if kind in (Kind.EDIT, Kind.MOVE):
        writes.extend(paths)
    known = {one.path for one in edits}
    return tuple(path for path in _unique(writes) if path not in known)


def _unread(picture: Picture, shown: Shown) -> tuple[str, ...]:
    unseen = [one.what for one in picture.content if isinstance(one, Unseen) and one.what == UNREADABLE_CHANGE]
    return _unique([*shown.unread, *unseen])


def _asks(picture: Picture, shown: Shown) -> bool:
    names = [plain(text.partition(":")[0]).replace(" ", "") for text in (picture.name, picture.title) if text]
    return shown.asks or any(name in QUESTION_TOOLS for name in names)


def _unique(values: Iterable[_T]) -> tuple[_T, ...]:
    return tuple(dict.fromkeys(values))
