"""What stands above the entries of a settings file that let an agent run without asking."""

from assent.lazy_dataclasses import dataclass
from assent.settings.bypass_map import place_of_bypass
from assent.settings.jsonc import Place
from assent.settings.language.known import Known
from assent.settings.layers import Layer

ON = "Bypass is ON: turn off"
WITHOUT_EFFECT = "Bypass is set, without effect now: turn off"


@dataclass(frozen=True, slots=True)
class Lens:
    """A line above an entry, which takes it back when it is clicked."""

    title: str
    agent: str
    place: Place


def lenses(layer: Layer, known: Known) -> list[Lens]:
    """One for each agent whose bypass is true here. Of one that there is not, there is nothing to take back."""
    found = ((agent, place_of_bypass(layer, agent.name)) for agent in known.agents.values())
    return [
        Lens(ON if agent.bypassing else WITHOUT_EFFECT, agent.name, origin.where)
        for agent, origin in found
        if origin is not None and origin.where is not None
    ]
