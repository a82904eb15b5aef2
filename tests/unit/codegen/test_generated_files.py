"""What is generated is fresh, and says all that the wire has."""

import shutil
from pathlib import Path

import pytest

from assent.protocol.events import EVENT_DATA
from assent.protocol.methods import METHODS, ErrorCode, Sender
from codegen import files, shapes
from codegen.document import protocol_document
from codegen.typescript import typescript_module


def test_nothing_is_stale() -> None:
    assert files.stale() == []


def test_a_changed_or_missing_file_is_stale_and_written_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in files.generated():
        copy = tmp_path / path.relative_to(files.ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    monkeypatch.setattr(files, "ROOT", tmp_path)
    first, second, third, manifest = files.generated()
    assert files.stale() == []
    first.write_text(first.read_text() + "\n")
    second.unlink()
    third.write_text("")
    manifest.write_text(manifest.read_text(encoding="utf-8").replace('"order": 1,', '"order": 7,'), encoding="utf-8")

    assert len(files.stale()) == 4
    files.write_all()
    assert files.stale() == []


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_both_files_mention_every_method_with_its_types(method: files.Path) -> None:
    assert f"`{method.name}`" in protocol_document()  # type: ignore[attr-defined]
    module = typescript_module()
    assert f'"{method.name}"' in module  # type: ignore[attr-defined]
    assert f"interface {method.params.__name__} " in module or "type AgentEvent" in module  # type: ignore[attr-defined]


@pytest.mark.parametrize("cls", shapes.all_classes(), ids=lambda cls: cls.__name__)
def test_both_files_mention_every_type_and_each_has_a_sentence(cls: type) -> None:
    assert f"### {cls.__name__}\n" in protocol_document()
    assert f"export const is{cls.__name__}: Guard<" in typescript_module()
    assert shapes.doc(cls).endswith(".")


def test_a_type_stands_after_the_ones_that_it_is_made_of() -> None:
    """Checks are constants: one that is used before it is made would stop the page at its first line."""
    module = typescript_module()
    made = [line.split()[1].rstrip(":") for line in module.splitlines() if line.startswith("const ")]
    for name in made:
        start = module.index(f"const {name}: Check")
        body = module[start : module.index(";\n", start)]
        later = [other for other in made if module.index(f"const {other}: Check") > start]
        assert not [other for other in later if f" {other}" in body.replace(f"const {name}", "")], name


def test_every_event_and_every_error_code_is_there() -> None:
    for text in (protocol_document(), typescript_module()):
        for name in EVENT_DATA:
            assert name in text
        for code in ErrorCode:
            assert str(code.value) in text


def test_requests_of_the_server_are_checked_where_they_arrive() -> None:
    module = typescript_module()
    table = module[module.index("serverRequestGuards") :]
    for method in METHODS:
        if method.sender is Sender.SERVER and method.result is not None:
            assert method.name in table
