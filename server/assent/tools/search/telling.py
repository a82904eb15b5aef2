"""What a search tells: each line is read here, where no link leads elsewhere, whoever found it."""

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from itertools import islice
from operator import ne

from assent.agent.ports import ToolAnswer
from assent.lazy_dataclasses import dataclass
from assent.masking import masked_part
from assent.tools.search.lines import lines_of
from assent.tools.search.looking import Looked
from assent.tools.search.order import SLOW, Hit
from assent.tools.search.scope import Scope, Withheld

LONGEST_LINE = 500
MOST_CHARACTERS = 50_000
_LONGEST_SEARCHED = 2_000_000
"""Characters of a file in which keys are looked for. Of a longer one, each line is looked at by itself."""
_REST_OF_KEY = "[masked: private key]"
MOST_SLOW = 10
"""So many files are named in which the pattern takes too long."""


class Mode(StrEnum):
    """What is told of each file."""

    LINES = "lines"
    FILES = "files"
    COUNT = "count"


@dataclass(frozen=True, slots=True)
class Told:
    """What is wanted of what is found."""

    mode: Mode
    context: int
    limit: int


class Telling:
    """Takes what was found, file by file, until it is enough."""

    def __init__(
        self,
        scope: Scope,
        wanted: Told,
        withheld: Withheld,
        left_out: Callable[[tuple[str, ...]], bool] = lambda path: False,
    ) -> None:
        self._scope = scope
        self._wanted = wanted
        self._withheld = withheld
        self._left_out = left_out
        self._texts: list[str] = []
        self._masked: list[str] = []
        """The same for a model that does not get to read secrets."""
        self._masks = 0
        self._slow: list[str] = []
        self._slow_count = 0
        self._unread: list[str] = []
        self._unread_count = 0
        self._size = self._told = self._total = 0
        self._more = False
        self._file: Hit | None = None
        """The one that is being told of: its lines may come one by one."""

    def take(self, hits: Sequence[Hit]) -> bool:
        """Says whether more is wanted."""
        for hit in hits:
            if self._file is not None and self._file.path == hit.path:
                lines = self._file.lines + hit.lines
                self._file = Hit(hit.path, lines, hit.count, hit.changed)
            else:
                self.finish()
                self._file = hit
            if self._more:
                return False
        return True

    def answer(self, looked: Looked) -> ToolAnswer:
        """All of it. Nothing is said of what was kept back: that it fits would already tell what is in it."""
        self.finish()
        notes = ["more was found; narrow it down, or raise limit"] if self._more else []
        if not looked.end.whole:
            notes.append(f"not everything was searched: {looked.end.why}")
        if self._slow:
            more = self._slow_count - len(self._slow)
            names = ", ".join((*self._slow, *([f"{more} more"] if more else [])))
            notes.append(f"not searched, because this pattern takes too long there: {names}; {SLOW}")
        if self._unread:
            more = self._unread_count - len(self._unread)
            names = ", ".join((*self._unread, *([f"{more} more"] if more else [])))
            told = "`files.encoding` in the editor's settings would tell"
            notes.append(f"not searched, because their encoding cannot be told from them ({told}): {names}")
        if self._wanted.mode is Mode.COUNT and self._told > 1:
            self._add(f"{self._total} in {self._told} files", 0)
        rest = [f"[{note}]" for note in notes]
        text, masked = ("\n".join((*texts, *rest)) for texts in (self._texts, self._masked))
        return ToolAnswer(
            text or "[nothing was found]",
            path=self._scope.place.shown,
            truncated=bool(notes),
            masked=(masked, self._masks) if self._masks else None,
        )

    def finish(self) -> None:
        """Nothing more comes of the file that is being told of."""
        hit, self._file = self._file, None
        if hit is None or self._more or self._left_out(tuple(hit.path.split("/"))):
            return
        if not self._scope.may_tell(hit.path, self._withheld, content=True):
            return
        if hit.slow:
            self._slow_count += 1
            self._slow += [self._scope.shown(hit.path)] if len(self._slow) < MOST_SLOW else []
            return
        if hit.unread:
            self._unread_count += 1
            self._unread += [self._scope.shown(hit.path)] if len(self._unread) < MOST_SLOW else []
            return
        text = self._scope.text(hit.path)
        if text is not None:
            self._tell(hit, text)

    def _tell(self, hit: Hit, text: str) -> None:
        room = self._wanted.limit - self._told
        if room <= 0 or self._size > MOST_CHARACTERS:
            self._more = True
            return
        shown = self._scope.shown(hit.path)
        match self._wanted.mode:
            case Mode.FILES:
                self._add(shown, 1)
            case Mode.COUNT:
                self._add(f"{shown}: {hit.count}", 1)
                self._total += hit.count
            case Mode.LINES:
                numbers = tuple(dict.fromkeys(hit.lines))
                lines = list(self._fitting(_lines(text, numbers[:room], self._wanted.context)))
                self._more = self._more or len(numbers) > room
                hidden = self._hidden(text, numbers[:room], lines)
                self._add("\n".join((shown, *lines)), min(len(numbers), room), "\n".join((shown, *hidden)))

    def _hidden(self, text: str, numbers: Sequence[int], lines: list[str]) -> list[str]:
        """The same lines with marks for secrets: of a key, a line alone does not tell what it is."""
        masked, count = masked_part(text, 0, len(text)) if len(text) <= _LONGEST_SEARCHED else (text, 0)
        if not count:
            return lines
        hidden = list(islice(_lines(masked, numbers, self._wanted.context), len(lines)))
        self._masks += sum(map(ne, lines, hidden))
        return [_marked(one, two) for one, two in zip(lines, hidden, strict=True)]

    def _fitting(self, lines: Iterator[str]) -> Iterator[str]:
        size = self._size
        for line in lines:
            size += len(line)
            if size > MOST_CHARACTERS:
                self._more = True
                return
            yield line

    def _add(self, text: str, count: int, masked: str | None = None) -> None:
        self._texts.append(text)
        self._masked.append(text if masked is None else masked)
        self._told += count
        self._size += len(text)


def _lines(text: str, numbers: Sequence[int], context: int) -> Iterator[str]:
    """These lines and those around them, with their numbers; a gap stands between parts."""
    found = frozenset(numbers)
    wanted = sorted({near for number in numbers for near in range(number - context, number + context + 1)})
    ahead = iter(wanted)
    following = next(ahead, None)
    last = 0
    for number, line in enumerate(lines_of(text), 1):
        while following is not None and following < number:
            following = next(ahead, None)
        if following is None:
            return
        if number == following:
            if context and last and number > last + 1:
                yield "  --"
            yield f"  {number}{':' if number in found else '-'} {_short(line)}"
            last = number


def _marked(line: str, masked: str) -> str:
    """Of what goes over several lines, only the first one has got its mark."""
    return f"{masked}{_REST_OF_KEY}" if line != masked and masked.endswith((": ", "- ")) else masked


def _short(line: str) -> str:
    more = len(line) - LONGEST_LINE
    return line if more <= 0 else f"{line[:LONGEST_LINE]}… ({more} more characters)"
