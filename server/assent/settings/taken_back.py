"""What the user agreed to and took back, however that came about: it stood in the settings, and stands there no more.

A yes is for an entry as it stands. One that is gone, or says less, was taken back; when it returns, that is another
entry, about which nobody was asked. Files that an entry names are no matter here: they change, and change back.
"""

from collections.abc import Iterable, Iterator, Mapping

from assent.settings.agents import BYPASS_SETTING, AgentDefinition
from assent.settings.consent_file import Consent
from assent.settings.definitions import Definitions
from assent.settings.entries import loosening_of
from assent.settings.facts import Facts
from assent.settings.layers import Layers
from assent.settings.loosening import (
    AGENT,
    AGENTS,
    ALLOW_RULES,
    ALLOWLIST,
    COLLECTIONS,
    DIRECTORIES,
    HOOKS,
    MCP_SERVERS,
    MODE,
)

Entry = tuple[str | None, str, str]
"""Of which folder (None: the first), of which setting, and its name."""
_NAMED = {AGENT, AGENTS, ALLOW_RULES, ALLOWLIST, BYPASS_SETTING, COLLECTIONS, DIRECTORIES, HOOKS, MCP_SERVERS, MODE}
"""Whether the others loosen anything depends on the user's own settings: while anything is said, they stand."""


def entry_of(folder: str | None, consent: Consent) -> Entry:
    """What was agreed to, without what it was bound to."""
    return folder, consent.setting, consent.entry.removesuffix(f" {consent.digest[:12]}")


def stands(layers: Layers, agents: Definitions, facts: Facts, agreed: Iterable[Entry]) -> frozenset[Entry]:
    """What stands in the settings of workspaces, of all that was agreed to and beside it."""
    return frozenset(_standing(layers, agents, facts, tuple(agreed)))


def _agents_named(layers: Layers) -> Iterator[str]:
    for layer in layers.of_workspace:
        bypassed, chosen = layer.get(BYPASS_SETTING), layer.get(AGENT)
        yield from bypassed if isinstance(bypassed, Mapping) else ()
        yield from (chosen,) if isinstance(chosen, str) else ()


def _standing(layers: Layers, agents: Definitions, facts: Facts, agreed: tuple[Entry, ...]) -> Iterator[Entry]:
    # An agent that is not known now may be so later.
    anyone = {name: AgentDefinition(name, {}, "") for name in _agents_named(layers)} | dict(agents)
    for layer in layers.of_workspace:
        if layer is not layers.unclear:
            yield from (entry_of(one.folder, one.consent) for one in loosening_of(layer, anyone, facts))
            yield from (
                entry
                for entry in agreed
                if entry[1] not in _NAMED and entry[0] == layer.folder and layer.get(entry[1]) is not None
            )
