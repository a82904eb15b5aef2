"""A file that is made for a call: looked at like any other write, made somewhere, checked, and put in its place."""

import asyncio
from collections.abc import Callable
from functools import partial

from assent.agent.ports import Found, Left, Prepared, ToolAnswer
from assent.jsontext import readable_json
from assent.lazy_dataclasses import dataclass
from assent.media.kinds import Kind, kind_by_name, recognise
from assent.media.orders import Made, Order
from assent.model.approval import Risk, RiskLevel
from assent.model.calls import Access
from assent.model.conversation import MadeFile
from assent.model.errors import ToolFault
from assent.model.json import JsonObject
from assent.model.preview import JsonPreview
from assent.model.verdict import Reason
from assent.tools.disk import MISSING, Content, digest_of, read_regular
from assent.tools.faults import changed, elsewhere
from assent.tools.makers import Maker
from assent.tools.obstacles import writing_obstacle
from assent.tools.places import Place, Roots, locate
from assent.tools.writing import Writer

MOST_BYTES = 32 * 1024 * 1024
"""Of what is made, and of what is replaced by it."""
SECONDS = 300.0
_NOTHING = "nothing was written"


@dataclass(frozen=True, slots=True)
class FileTool:
    """What a tool that makes files is given."""

    name: str
    roots: Roots
    writer: Writer
    seconds: float = SECONDS


@dataclass(frozen=True, slots=True)
class Wish:
    """A call: who makes what, and where it goes."""

    headline: str
    path: str
    maker: Maker
    maker_now: Callable[[], Maker]
    """Who would make it at that moment. Raises ToolFault."""
    order: Order


def kind_fault(path: str, kinds: tuple[Kind, ...]) -> str | None:
    """What is wrong with how a path ends, whoever makes the file; or None."""
    if kind_by_name(path) in kinds:
        return None
    return f"The arguments do not fit. path: it has to end with one of {endings(kinds)}"


def endings(kinds: tuple[Kind, ...]) -> str:
    """How names of these kinds may end."""
    return ", ".join(ending for kind in kinds for ending in kind.endings)


async def prepared(tool: FileTool, args: JsonObject, wish: Wish) -> Prepared:
    """The call frozen as it would run."""
    look = await asyncio.to_thread(_look, wish, tool.roots())
    place = look.place
    perform = partial(_perform, tool, wish, look)
    return Prepared(
        headline=wish.headline.format(path=place.shown),
        directory=place.directory,
        preview=JsonPreview(readable_json(args)),
        paths=(place.use(Access.WRITE),),
        state=f"{place.bound()}|{look.state}|{wish.maker.bound}",
        grant_key=tool.name,
        perform=perform,
        perform_after=perform,
        found=look.found,
        risk=look.risk,
        impossible=_never(wish) or writing_obstacle(place),
    )


def _never(wish: Wish) -> ToolFault | None:
    """Why whoever would make it cannot."""
    maker = wish.maker
    if maker.impossible is not None or wish.order.kind in maker.kinds:
        return maker.impossible
    words = f"{wish.order.kind.name} cannot be made here, so {_NOTHING}. Take a path that ends with one of"
    return ToolFault("wrong_kind", f"{words} {endings(maker.kinds)}.")


@dataclass(frozen=True, slots=True)
class _Look:
    place: Place
    state: str
    risk: Risk

    @property
    def found(self) -> Found:
        return Found(self.place.real, self.state)


def _look(wish: Wish, roots: tuple[str, ...]) -> _Look:
    place = locate(wish.path, roots)
    state, replaces = _there(place)
    notes = (wish.maker.told,) if replaces is None else (wish.maker.told, replaces)
    return _Look(place, state, Risk(RiskLevel.LOW if replaces is None else RiskLevel.MEDIUM, notes))


def _there(place: Place) -> tuple[str, str | None]:
    """A digest of what stands there, and what would be lost of it, in words."""
    try:
        current = read_regular(place.target, MOST_BYTES) if "\0" not in place.real else None
    except ToolFault as fault:
        return fault.code, str(fault)
    if current is None:
        return MISSING, None
    return current.digest, f"It replaces what is there now: {_described(current)}."


def _described(current: Content) -> str:
    found = recognise(current.data)
    what = f"a {found.kind.name} file" if found else "a file"
    return f"{what} of {current.size:,} bytes"


async def _perform(tool: FileTool, wish: Wish, look: _Look, left: tuple[Left, ...] = ()) -> ToolAnswer:
    expected = frozenset({look.state, look.found.after(left)})
    never = _never(wish)
    if never is not None:
        raise never
    try:
        await asyncio.to_thread(_check_still, tool, wish, look, expected)
        if wish.maker_now().bound != wish.maker.bound:
            raise ToolFault("changed_since", f"Who makes it is another one by now; {_NOTHING}. Make the call again.")
        made = await _made(tool, wish)
    except asyncio.CancelledError:
        # Nothing has been begun that a stop could leave half done.
        raise ToolFault(Reason.CANCELLED.value, f"The run was stopped before the file was there; {_NOTHING}.") from None
    _check_kind(made, wish.order.kind)
    return await _write(tool, wish, look, made, expected)


async def _made(tool: FileTool, wish: Wish) -> Made:
    try:
        async with asyncio.timeout(tool.seconds):
            made = await wish.maker.make(wish.order)
    except TimeoutError:
        words = f"It was not done after {tool.seconds:.0f} seconds, so it was given up; {_NOTHING}. Ask for less."
        raise ToolFault("timeout", words) from None
    if len(made.data) > MOST_BYTES:
        raise ToolFault("too_large", f"What was made has more than {MOST_BYTES:,} bytes; {_NOTHING}.")
    return made


def _check_kind(made: Made, wanted: Kind) -> None:
    """What a server calls its answer counts for nothing: what its bytes are does."""
    if made.checked is wanted:
        return
    found = recognise(made.data)
    if found is None:
        words = f"What came back is no {wanted.name} file, nor any other that is known; {_NOTHING}."
        raise ToolFault("wrong_format", words)
    if found.kind is not wanted:
        endings = " or ".join(found.kind.endings)
        words = f"What came back is {found.kind.name}, not {wanted.name}; {_NOTHING}. Ask for a path with {endings}."
        raise ToolFault("wrong_format", words)
    if not found.whole:
        raise ToolFault("cut_off", f"The {wanted.name} file that came back ends too early; {_NOTHING}. Try again.")


def _check_still(tool: FileTool, wish: Wish, look: _Look, expected: frozenset[str]) -> None:
    """Before anything is sent anywhere: what cannot be written in the end need not be made."""
    place = look.place
    if not place.is_still(locate(wish.path, tool.roots())):
        raise elsewhere(place.shown, _NOTHING)
    now, _ = _there(place)
    if now not in expected:
        raise changed(place.real, _NOTHING)


async def _write(tool: FileTool, wish: Wish, look: _Look, made: Made, expected: frozenset[str]) -> ToolAnswer:
    place, data, kind = look.place, made.data, wish.order.kind
    if not place.is_still(await asyncio.to_thread(locate, wish.path, tool.roots())):
        raise elsewhere(place.shown, _NOTHING)
    document = await tool.writer.document(place)
    replaced = await tool.writer.put(place, data, expected=expected, limit=MOST_BYTES, document=document)
    notes = [f"Made {place.shown}: {kind.name}, {len(data):,} bytes."]
    if replaced.found != look.state:
        notes.append("That replaces what an earlier call of this run had put there.")
    notes += replaced.notes
    digest = digest_of(data)
    return ToolAnswer(
        " ".join(filter(None, (*notes, made.note))),
        path=place.shown,
        left=(Left(place.real, replaced.found, digest),),
        made=MadeFile(place.real, kind.mime, digest, len(data)),
    )
