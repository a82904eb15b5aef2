"""Settings that are true or false: of the machine, which only the user sets, and those that anyone may switch off."""

from collections.abc import Sequence

from assent.settings.findings import Findings
from assent.settings.layers import Layer, Layers
from assent.settings.loosening import At, LooseningEntry, switch_entry
from assent.settings.scales import Scales, Standing

LOOSER = {
    "bypassAvailable": (True, "Permissions could be bypassed, and what is bypassed already would run without asking."),
    "confirmOutsideWorkspace": (False, "What lies outside the workspace would not be asked about by itself."),
}
"""The position in which a switch permits more, and what that means."""


def switch(layer: Layer, key: str, found: Findings, *, in_doubt: bool, default: bool = True) -> bool:
    """What one layer says."""
    value = layer.get(key)
    if value is None:
        return default
    if isinstance(value, bool):
        return value
    found.wrong(layer, f"true or false; until it is, {str(in_doubt).lower()} counts", key)
    return in_doubt


def all_on(layers: Layers, key: str, found: Findings) -> bool:
    """Whether nobody switched it off. Something else than true or false is a no."""
    # Each is looked at, so that each wrong one is told.
    values = [switch(layer, key, found, in_doubt=False) for layer in layers.all]
    return all(values)


def users_are_known(layers: Layers) -> bool:
    """Whether the user's own settings are there and could be read: what is not known may have been a no."""
    return layers.loaded and layers.user.fault is None


def machine_switch(layers: Layers, key: str, scales: Scales, found: Findings, *, in_doubt: bool) -> bool:
    """What the user's settings say; the stricter position where a looser one is withheld."""
    if not users_are_known(layers):
        return in_doubt
    value = switch(layers.user, key, found, in_doubt=in_doubt)
    looser = loosened(layers.user, key, found)
    if looser is not None and scales.standing(layers.user, looser) is not Standing.COUNTS:
        return not value
    return value


def loosened(user: Layer, key: str, found: Findings) -> LooseningEntry | None:
    """The switch as what a user would agree to, where it stands in its looser position."""
    position, words = LOOSER[key]
    value = switch(user, key, found, in_doubt=not position)
    return switch_entry(At(user, key), words, position) if value is position else None


def report_foreign(layers: Layers, keys: Sequence[str], found: Findings) -> None:
    """Says of settings that only the user sets that a workspace's values do not count."""
    for key in keys:
        for layer in layers.of_workspace:
            if layer.get(key) is not None:
                found.add(f"assent.{key} counts only in your user settings.", layer, key)
