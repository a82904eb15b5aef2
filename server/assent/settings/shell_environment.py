"""Which variables of the user's environment commands get: passing one loosens, withholding one restricts."""

import re
from collections.abc import Iterator, Mapping

from assent.model.json import Json
from assent.model.limits import ENVIRONMENT, PASS, WITHHOLD, Interpreter
from assent.settings.findings import Findings
from assent.settings.layers import Layer, Layers, Scope
from assent.settings.loosening import At, LooseningEntry, variable_entry
from assent.settings.members import report_senseless_in
from assent.settings.scales import Scales, Standing
from assent.settings.spelling import find_setting

KEY = "shell"
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,199}\*?", re.ASCII)
_INTERPRETER = "python.defaultInterpreterPath"
# Each is tried on every variable.
_MOST = 100


def passed_of(layers: Layers, scales: Scales, found: Findings) -> tuple[str, ...]:
    """What the user passes, and what a workspace does where the user agreed to it."""
    counting: dict[str, None] = {}
    for layer in reversed(layers.all):
        report_senseless_in(layer, (KEY, ENVIRONMENT), (PASS, WITHHOLD), found)
        for name, entry in passed_in(layer, found):
            if name not in counting and scales.standing(layer, entry) is Standing.COUNTS:
                counting[name] = None
    return tuple(counting)


def passed_in(layer: Layer, found: Findings) -> Iterator[tuple[str, LooseningEntry]]:
    """What one layer passes, and what it is to agree to it."""
    if layer.fault is None:
        for index, name in _names(layer, PASS, found):
            yield name, variable_entry(At(layer, KEY, (ENVIRONMENT, PASS, index)), name)


def withheld_of(layers: Layers, found: Findings) -> tuple[str, ...]:
    """What anybody withholds."""
    return tuple(sorted({name for layer in layers.all for _, name in _names(layer, WITHHOLD, found)}))


def interpreter_of(layers: Layers) -> Interpreter | None:
    """The Python that the most specific settings name, for the editor and for every extension."""
    own = (layer for layer in layers.all if layer.fault is None and layer not in layers.others)
    said = ((layer, _interpreter_in(layer)) for layer in own)
    return next(
        (Interpreter(one, users=layer.scope is Scope.USER) for layer, one in said if isinstance(one, str)), None
    )


def _interpreter_in(layer: Layer) -> Json:
    """As its file says it, else as an editor sent it."""
    root = layer.document.root if layer.document is not None else None
    members = find_setting(root, _INTERPRETER) if root is not None else ()
    return members[-1].node.value if members else layer.values.get(_INTERPRETER)


def _names(layer: Layer, which: str, found: Findings) -> Iterator[tuple[int, str]]:
    said = _said(layer, which)
    if said is None:
        return
    if not isinstance(said, list):
        found.wrong(layer, "a list of names of variables; it does not count", KEY, ENVIRONMENT, which)
        return
    for index, name in enumerate(said[:_MOST]):
        if isinstance(name, str) and _NAME.fullmatch(name):
            yield index, name
        else:
            words = "the name of a variable, or its beginning and a star; it does not count"
            found.wrong(layer, words, KEY, ENVIRONMENT, which, index)
    if len(said) > _MOST:
        words = f"Only the first {_MOST} names are looked at; the others do not count."
        found.add(words, layer, KEY, ENVIRONMENT, which)


def _said(layer: Layer, which: str) -> Json:
    said = layer.get(KEY)
    for name in (ENVIRONMENT, which):
        said = said.get(name) if isinstance(said, Mapping) else None
    return said
