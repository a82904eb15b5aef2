"""The golden messages that both languages read: valid ones pass and travel round, invalid ones name their place."""

import json
from pathlib import Path
from typing import Any

import pytest

from assent.protocol import approval, events, handshake, session
from assent.protocol.converter import WireFault, from_wire, to_wire
from codegen import shapes

FOLDER = Path(__file__).parents[2] / "golden" / "wire"
FILES = sorted(FOLDER.glob("*.json"))
MODULES = (approval, events, handshake, session)


def golden(file: Path) -> tuple[Any, dict[str, Any]]:
    """The type that a file speaks of, and what it holds."""
    content = json.loads(file.read_bytes())
    cls = next(getattr(module, content["type"]) for module in MODULES if hasattr(module, content["type"]))
    return cls, content


def kept(sent: object, back: object) -> bool:
    """Whether all that came back was in the message: unknown fields and nulls may go, defaults may come."""
    if isinstance(sent, dict) and isinstance(back, dict):
        return all(key not in sent or kept(sent[key], value) for key, value in back.items())
    if isinstance(sent, list) and isinstance(back, list):
        return len(sent) == len(back) and all(map(kept, sent, back))
    return type(sent) is type(back) and sent == back


def test_there_are_golden_files_of_known_types() -> None:
    assert FILES
    for file in FILES:
        cls, content = golden(file)
        assert file.stem == content["type"] == cls.__name__
        assert content["valid"]
        assert content["invalid"]
        assert cls in shapes.all_classes()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_valid_messages_travel_round(file: Path) -> None:
    cls, content = golden(file)
    for message in content["valid"]:
        value = from_wire(message, cls)
        back = to_wire(value)
        assert kept(message, back), message
        assert from_wire(json.loads(json.dumps(back)), cls) == value
        assert to_wire(from_wire(back, cls)) == back


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_invalid_messages_are_refused_where_they_are_wrong(file: Path) -> None:
    cls, content = golden(file)
    for case in content["invalid"]:
        with pytest.raises(WireFault) as fault:
            from_wire(case["value"], cls)
        assert fault.value.path == case["path"], case
        assert fault.value.message
