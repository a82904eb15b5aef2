"""The notices about what is shipped of others: nothing without its licence, and none that says something else."""

import json
import zipfile
from pathlib import Path

import pytest

from devtools import notices
from devtools.console import Trouble
from devtools.notices import Package

MIT = Package("one", "1.0", "MIT", ("Permission is hereby granted",))


@pytest.mark.parametrize(
    ("package", "fault"),
    [
        (MIT, None),
        (Package("one", "1.0", "(MIT OR Apache-2.0)", ("text",)), None),
        (Package("one", "1.0", "MIT", ()), "no text of its licence"),
        (Package("one", "1.0", "MIT", (" \n",)), "no text of its licence"),
        (Package("one", "1.0", "GPL-3.0-only", ("text",)), "GPL-3.0-only"),
        (Package("one", "1.0", "MIT AND GPL-3.0-only", ("text",)), "GPL-3.0-only"),
        (Package("one", "1.0", "SEE LICENSE IN x", ("text",)), "nobody has permitted"),
        (Package("one", "1.0", "", ("text",)), "none"),
    ],
)
def test_what_may_be_shipped(package: Package, fault: str | None) -> None:
    said = package.fault()
    assert said is None if fault is None else said is not None and fault in said
    if fault is not None:
        with pytest.raises(Trouble, match=r"one 1\.0"):
            notices.text_about([package], [])


def test_each_is_named_with_its_version_its_licence_and_the_whole_text() -> None:
    text = notices.text_about([MIT], [Package("Two_x", "2.0", "ISC", ("first\f\nlast  ", "more"))])
    assert "### one 1.0\n\nLicense: MIT\n\n````text\nPermission is hereby granted\n" in text
    assert all(part in text for part in ("### Two_x 2.0\n", "\nfirst\nlast\n", "\nmore\n"))
    assert notices.unlike(text, [("one", "1.0"), ("two-x", "2.0")]) == []
    assert notices.unlike(text, [("one", "1.1"), ("two-x", "2.0"), ("new", "1")]) == [
        "new 1 is shipped and not in there",
        "one 1.1 is shipped and not in there",
        "one 1.0 is in there and not shipped",
    ]


def test_a_package_of_npm_is_read_as_it_is_installed(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text(json.dumps({"name": "@a/b", "version": "3", "license": "MIT"}))
    for name in ("License.txt", "NOTICE", "licensed.js", "README.md"):
        (tmp_path / name).write_text(name)
    assert notices.of_node(tmp_path) == Package("@a/b", "3", "MIT", ("License.txt", "NOTICE"))


@pytest.mark.parametrize(
    ("headers", "licence"),
    [
        ("License-Expression: MIT", "MIT"),
        ("License: Apache 2.0", "Apache-2.0"),
        ("Classifier: License :: OSI Approved :: MIT License", "MIT"),
        ("License: The whole\n  text of it\nClassifier: License :: OSI Approved :: MIT License", "MIT"),
        ("License: GPL", "GPL"),
        ("Summary: none", ""),
    ],
)
def test_a_wheel_is_read_as_it_is_packed(tmp_path: Path, headers: str, licence: str) -> None:
    wheel = tmp_path / "a-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as packed:
        packed.writestr("a-1.dist-info/METADATA", f"Name: a\nVersion: 1\n{headers}\nLicense-File: legal/words.txt\n\n")
        texts = ("a-1.dist-info/LICENSE", "a-1.dist-info/licenses/legal/words.txt")
        for name in (*texts, "a/LICENSE", "a-1.dist-info/RECORD"):
            packed.writestr(name, name)
    assert notices.of_wheel(wheel) == Package("a", "1", licence, texts)
    assert notices.packed([wheel, wheel]) == [Package("a", "1", licence, texts)]
