"""Where workflows stand: files in `.assent/workflows/` of the open folders, by their names."""

import hashlib
import os
from collections.abc import Iterator

from assent.lazy_dataclasses import dataclass
from assent.model.errors import ToolFault
from assent.tools.disk import list_folder, read_regular
from assent.tools.names import printable
from assent.tools.places import Place, locate
from assent.tools.workflows.definition import (
    LONGEST,
    UnusableWorkflow,
    Workflow,
    is_name,
    meaning,
    read_workflow,
)

FOLDER = ".assent/workflows"
PREFIX = "file:"
_ENDING = ".json"
_OTHER_ENDINGS = (".yaml", ".yml")
"""Of files that somebody may think are workflows."""
MOST = 200


@dataclass(frozen=True, slots=True)
class Shelved:
    """A workflow with the file that it is from."""

    workflow_id: str
    workflow: Workflow
    place: Place

    @property
    def digest(self) -> str:
        """Over all that it would do, and where it stands."""
        return hashlib.sha256(meaning(self.workflow) + b"\0" + self.place.real.encode("utf-8", "replace")).hexdigest()


@dataclass(frozen=True, slots=True)
class Broken:
    """A file that is no workflow, and why."""

    workflow_id: str
    why: str


def find(workflow_id: str, roots: tuple[str, ...]) -> Shelved:
    """The workflow of this id. Raises ToolFault where there is none, or none that can be used."""
    name = workflow_id.removeprefix(PREFIX)
    if not workflow_id.startswith(PREFIX) or not is_name(name):
        raise _unknown(workflow_id, roots)
    found = [place for place in _places(name, roots) if place.target.mode is not None]
    if not found:
        raise _unknown(workflow_id, roots)
    if len(found) > 1:
        both = " and ".join(place.shown for place in found[:2])
        raise ToolFault("ambiguous", f"{workflow_id} stands in two folders ({both}). Give one of them another name.")
    try:
        return _read(workflow_id, found[0])
    except UnusableWorkflow as fault:
        raise ToolFault("unusable_workflow", f"{found[0].shown} is no workflow: {fault}.") from fault


def all_of(roots: tuple[str, ...]) -> Iterator[Shelved | Broken]:
    """Every workflow, by its name; files that are none say why."""
    files = _files(roots)
    for name in _names(files):
        try:
            yield find(PREFIX + name, roots)
        except ToolFault as fault:
            yield Broken(PREFIX + name, str(fault))
    for file in sorted(one for one in files if one.endswith(_OTHER_ENDINGS))[:MOST]:
        yield Broken(PREFIX + printable(file), _no_json(file))


def _files(roots: tuple[str, ...]) -> frozenset[str]:
    """The names of all files that stand where workflows do."""
    found: set[str] = set()
    for root in roots:
        try:
            found.update(list_folder(locate(os.path.join(root, FOLDER), roots).target, MOST).names)  # noqa: PTH118
        except ToolFault:
            # Most folders have none.
            continue
    return frozenset(found)


def _names(files: frozenset[str]) -> tuple[str, ...]:
    names = (one.removesuffix(_ENDING) for one in files if one.endswith(_ENDING))
    return tuple(sorted(filter(is_name, names)))[:MOST]


def _no_json(file: str) -> str:
    stem = printable(file.rpartition(".")[0])
    return f"{FOLDER}/{printable(file)} is no workflow: workflows are JSON files. Write it as {stem}{_ENDING}."


def _places(name: str, roots: tuple[str, ...]) -> Iterator[Place]:
    seen: set[str] = set()
    for root in roots:
        place = locate(os.path.join(root, FOLDER, name + _ENDING), roots)  # noqa: PTH118
        if place.real not in seen:
            seen.add(place.real)
            yield place


def _read(workflow_id: str, place: Place) -> Shelved:
    if not place.inside:
        raise UnusableWorkflow("it is a link that leads out of the workspace")
    content = read_regular(place.target, LONGEST)
    if content is None:
        raise UnusableWorkflow("it has just been removed")
    if not content.whole:
        raise UnusableWorkflow(f"it is longer than {LONGEST:,} bytes")
    try:
        return Shelved(workflow_id, read_workflow(content.data.decode("utf-8")), place)
    except UnicodeDecodeError as fault:
        raise UnusableWorkflow("it is not UTF-8") from fault


def _unknown(workflow_id: str, roots: tuple[str, ...]) -> ToolFault:
    files, name = _files(roots), workflow_id.removeprefix(PREFIX)
    otherwise = [one for one in (name, *(name + end for end in _OTHER_ENDINGS)) if one in files]
    if otherwise and otherwise[0].endswith(_OTHER_ENDINGS):
        return ToolFault("unusable_workflow", _no_json(otherwise[0]))
    known = [PREFIX + one for one in _names(files)]
    there = (
        f"There are: {', '.join(known[:20])}." if known else f"There are none: they stand as JSON files in {FOLDER}/."
    )
    return ToolFault("not_found", f"There is no workflow {workflow_id[:80]!r}. {there}")
