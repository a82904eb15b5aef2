"""The files that the inputs of a node name: where they lie, and that they still lie there when it runs."""

from dataclasses import field
from hashlib import sha256

from assent.agent.json_schema import input_fault
from assent.jsontext import canonical_json
from assent.lazy_dataclasses import dataclass
from assent.model.calls import Access, PathUse
from assent.model.errors import ToolFault
from assent.model.json import JsonObject
from assent.nodes.words import Node
from assent.tools.faults import elsewhere
from assent.tools.names import name_fault
from assent.tools.obstacles import reading_obstacle
from assent.tools.places import Place, locate

READ_TOOL = "read_file"
"""What restricts it restricts a node that is given a file."""


@dataclass(frozen=True, slots=True)
class NodeFiles:
    """The inputs as the node gets them, and the places that they name."""

    given: JsonObject = field(hash=False)
    places: tuple[tuple[str, Place], ...] = ()
    """Each with the words that named it."""

    @property
    def uses(self) -> tuple[PathUse, ...]:
        """As touched by the call."""
        return tuple(place.use(Access.READ) for _, place in self.places)

    def bound(self, identity: str) -> str:
        """What an approval rests on: what the node is, and which files these are."""
        if not self.places:
            return identity
        places = [[place.real, place.bound()] for _, place in self.places]
        return sha256(canonical_json([identity, places])).hexdigest()

    def hold(self, roots: tuple[str, ...]) -> None:
        """Raises ToolFault where a name leads to another place by now."""
        for name, place in self.places:
            if not place.is_still(locate(name, roots)):
                raise elsewhere(place.shown, "it did not run")


def files_of(node: Node, inputs: JsonObject, roots: tuple[str, ...]) -> tuple[NodeFiles, ToolFault | None]:
    """The files, and why the node can never run with these inputs, where that is known."""
    fault = input_fault(inputs, node.schema)
    if fault is not None:
        return NodeFiles(inputs), ToolFault("invalid_arguments", f"The inputs do not fit. {fault}")
    named = {name: str(inputs[name]) for name in node.files if name in inputs}
    for name, text in named.items():
        wrong = name_fault(text, roots)
        if wrong is not None:
            return NodeFiles(inputs), ToolFault("invalid_arguments", f"The inputs do not fit. {name}: {wrong}")
    places = {name: locate(text, roots) for name, text in named.items()}
    given = {**inputs, **{name: place.real for name, place in places.items()}}
    obstacles = (reading_obstacle(place) for place in places.values())
    found = NodeFiles(given, tuple((named[name], place) for name, place in places.items()))
    return found, next((one for one in obstacles if one is not None), None)
