"""The sandbox of commands: the user's word, or something stricter by a workspace.

Without a sandbox is looser than with one. Which of two sandboxes is the stricter one depends on the machine: another
one than the user's counts only with the user's agreement.
"""

from collections.abc import Iterator
from dataclasses import replace

from assent.model.sandbox import SANDBOX_NAMES, SandboxChoice, SandboxKind, parse_kind, parse_switch
from assent.settings.directories import SANDBOX, writable_in, writable_of
from assent.settings.facts import Facts
from assent.settings.findings import Findings
from assent.settings.graded import Graded
from assent.settings.layers import Layer, Layers
from assent.settings.loosening import LooseningEntry
from assent.settings.members import report_senseless
from assent.settings.scales import Scales


def sandbox_of(layers: Layers, facts: Facts, scales: Scales, found: Findings) -> SandboxChoice:
    """What counts now, entry by entry."""
    for layer in layers.all:
        report_senseless(layer, SANDBOX, _EXPECTED, "The entries of assent.sandbox", SANDBOX_NAMES, found)
    users = _weighed(Layers(layers.user, loaded=layers.loaded), scales, found)
    choice = replace(_weighed(layers, scales, found), writable=writable_of(layers, facts, scales, found))
    return replace(choice, auto_allow=False) if _opens_by_restricting(users, choice) else choice


def sandbox_in(layer: Layer, facts: Facts, found: Findings) -> Iterator[LooseningEntry]:
    """What one layer says that may loosen something: of the user's settings, what is looser than saying nothing."""
    yield from _KIND.entries(layer, found)
    yield from _AUTO_ALLOW.entries(layer, found)
    yield from _NETWORK.entries(layer, found)
    yield from (entry for _, entry in writable_in(layer, facts, found))


def no_looser_sandbox_than_usual(known: SandboxChoice) -> SandboxChoice:
    """What counts of it while nobody can tell what the settings should say."""
    usual = SandboxChoice()
    return usual if known.enabled is SandboxKind.OFF else replace(usual, enabled=known.enabled)


def _weighed(layers: Layers, scales: Scales, found: Findings) -> SandboxChoice:
    """All but the directories."""
    return SandboxChoice(
        _KIND.weighed(layers, scales, found),
        _AUTO_ALLOW.weighed(layers, scales, found),
        _NETWORK.weighed(layers, scales, found),
    )


def _opens_by_restricting(users: SandboxChoice, choice: SandboxChoice) -> bool:
    """Whether the user's own leave to run unasked would come into force by a restriction of the workspace.

    It does nothing without a sandbox, or with the network; a workspace that switches one on or the other off does not
    make it do something.
    """
    switched_on = users.enabled is SandboxKind.OFF and choice.enabled is not SandboxKind.OFF
    cut_off = users.network and not choice.network
    return users.auto_allow and (switched_on or cut_off)


_EXPECTED = "an object that says which sandbox commands run in and what it leaves open"
_KIND_EFFECTS = {
    SandboxKind.AUTO: "Commands would run in the strongest sandbox that this machine has, instead of the chosen one.",
    SandboxKind.BUBBLEWRAP: "Commands would run in no other sandbox than one by bubblewrap.",
    SandboxKind.LANDLOCK: "Commands would run in no other sandbox than one by Landlock.",
    SandboxKind.SEATBELT: "Commands would run in no other sandbox than one by Seatbelt, of macOS.",
    SandboxKind.OFF: "Commands would run without a sandbox: they could reach all that you can reach.",
}


def _auto_allow_effect(_: bool) -> str:
    return "Every command that can be held in the sandbox would run without asking."


def _network_effect(_: bool) -> str:
    return "Commands in the sandbox could reach the network: they could send away what they can read."


_KIND = Graded(
    SANDBOX,
    SandboxChoice().enabled,
    parse_kind,
    lambda kind: kind is SandboxKind.OFF,
    '"auto", "bubblewrap", "landlock", "seatbelt" or "off"',
    _KIND_EFFECTS.__getitem__,
    path=("enabled",),
)
_AUTO_ALLOW = Graded(
    SANDBOX, SandboxChoice().auto_allow, parse_switch, int, "true or false", _auto_allow_effect, path=("autoAllow",)
)
_NETWORK = Graded(
    SANDBOX, SandboxChoice().network, parse_switch, int, "true or false", _network_effect, path=("network",)
)
