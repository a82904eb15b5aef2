"""Every picture of the documentation can be taken anew: what it shows still comes about in the same way."""

from pathlib import Path

import pytest
from playwright.async_api import Browser

from devtools import client
from tests.pictures.scenes import PICTURES, Picture
from tests.pictures.taking import take

pytestmark = pytest.mark.long("it takes every picture of the documentation, which no change of behaviour breaks")


@pytest.mark.parametrize("picture", PICTURES, ids=[one.name for one in PICTURES])
async def test_it_can_be_taken(browser: Browser, tmp_path: Path, picture: Picture):
    client.build()
    file = await take(picture, browser, tmp_path)
    assert file.name == picture.file_name
    assert file.read_bytes().startswith(b"\x89PNG")
