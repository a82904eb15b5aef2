"""Entries of a setting that is an object, which nobody reads: told to whoever wrote them."""

from collections.abc import Collection, Mapping

from assent.settings.findings import Findings
from assent.settings.layers import Layer


def report_senseless(
    layer: Layer, key: str, expected: str, called: str, names: Collection[str], found: Findings
) -> None:
    """Says what a layer's value should be where it is no object, and of names that it cannot hold, which it can.

    `called` is what its entries are called at the beginning of a sentence.
    """
    said = layer.get(key)
    if said is None:
        return
    if not isinstance(said, Mapping):
        found.wrong(layer, f"{expected}; it does not count", key)
        return
    for name in said:
        if name not in names:
            found.add(f"{called} are {', '.join(names)}: this does not count.", layer, key, name)


def report_senseless_in(layer: Layer, path: tuple[str, str], names: Collection[str], found: Findings) -> None:
    """The same of an object inside another one, which is looked at by itself."""
    key, inner = path
    outer = layer.get(key)
    said = outer.get(inner) if isinstance(outer, Mapping) else None
    if said is None:
        return
    if not isinstance(said, Mapping):
        found.wrong(layer, f"an object with {' and '.join(names)}; it does not count", key, inner)
        return
    for name in said:
        if name not in names:
            words = f"The entries of assent.{key}.{inner} are {', '.join(names)}: this does not count."
            found.add(words, layer, key, inner, name)
