"""The pictures of the documentation: each is there, small, told of in words, and taken by the command for them."""

import re
from pathlib import Path

import pytest

from devtools.places import DOCUMENTED_PICTURES as FOLDER
from devtools.places import ROOT
from tests.pictures.scenes import PICTURES

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
LARGEST = 150 * 1024
SHORTEST_WORDS = 30
_SHOWN = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)|<img\b[^>]*>")
_ATTRIBUTE = re.compile(r'\b(alt|src)="([^"]*)"')
_TEXT_CHUNKS = (b"tEXt", b"iTXt", b"zTXt", b"eXIf")


def _shown_in(page: Path) -> list[tuple[Path, str]]:
    """The pictures that a page shows, each with its words."""
    found = []
    for match in _SHOWN.finditer(page.read_text(encoding="utf-8")):
        attributes = dict(_ATTRIBUTE.findall(match.group()))
        place, words = (match[2], match[1]) if match[2] else (attributes["src"], attributes.get("alt", ""))
        found.append(((page.parent / place).resolve(), words))
    return found


SHOWN = [one for page in PAGES for one in _shown_in(page)]


def test_every_one_that_the_command_takes_is_shown_somewhere_and_no_other_one_is():
    taken = {FOLDER / one.file_name for one in PICTURES}
    assert {file for file, _ in SHOWN} == taken
    assert set(FOLDER.iterdir()) == taken


@pytest.mark.parametrize(("file", "words"), SHOWN, ids=[file.name for file, _ in SHOWN])
def test_it_is_a_small_picture_with_words_for_those_who_do_not_see_it(file: Path, words: str):
    content = file.read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    assert len(content) <= LARGEST
    assert not any(chunk in content for chunk in _TEXT_CHUNKS)
    assert len(words) >= SHORTEST_WORDS
