"""Texts that nobody can read are told from those that somebody can, and named by their bytes."""

import base64
import json

import pytest

from assent.media.opaque import SHORTEST, opaque

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)) * 2
REST = bytes((at * 37 + 11) % 256 for at in range(600))


def as_base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (PNG, "PNG picture"),
        (b"%PDF-1.7\n" + REST, "PDF document"),
        (b"PK\x03\x04" + REST, "ZIP archive, or a document that is one"),
        (b"\x7fELF\x02\x01" + REST, "program (ELF)"),
        (b"MZ\x90\x00" + REST, "program (Windows)"),
        (b"#!/bin/sh\nrm -rf build\n" * 20, "script, a text"),
        ("Größe und Maß\n".encode() * 40, "text"),
        (b"MZ is how this text begins\n" * 20, "text"),
        (REST, "bytes of no kind that is known here"),
    ],
)
def test_base64_is_named_by_its_bytes(data: bytes, kind: str) -> None:
    found = opaque(as_base64(data))
    assert found is not None
    assert (found.kind, found.size, found.written, found.head) == (kind, len(data), "base64", data[:16])


@pytest.mark.parametrize("size", [600, 601, 602, 5_000, 40_000])
def test_the_size_is_exact_with_padding_and_without(size: int) -> None:
    data = (PNG * 80)[:size]
    urls = base64.urlsafe_b64encode(data).decode()
    lines = base64.encodebytes(data).decode()
    address = f"data:image/png;base64,{as_base64(data)}"
    for text in (as_base64(data), as_base64(data).rstrip("="), urls, lines, lines.replace("\n", "\r\n"), address):
        found = opaque(text)
        assert found is not None
        assert (found.kind, found.size) == ("PNG picture", size)
    digits = opaque(data.hex())
    assert digits is not None
    assert (digits.kind, digits.size, digits.written) == ("PNG picture", size, "hex digits")


def test_bytes_that_stand_there_as_they_are() -> None:
    found = opaque(PNG.decode("latin-1"))
    assert found is not None
    assert (found.kind, found.size, found.written) == ("PNG picture", len(PNG), "")
    broken = opaque(REST.decode("utf-8", "replace"))
    assert broken is not None
    assert broken.kind == "bytes of no kind that is known here"


@pytest.mark.parametrize(
    "text",
    [
        "",
        as_base64(PNG)[: SHORTEST - 1],
        "Words that a person reads, one after the other. " * 20,
        "aVeryLongNameOfSomethingThatHasNoDigitsInIt" * 10,
        "/home/ada/project/packages/shared/components/" * 8,
        "G" * 400,
        "a" * 400,
        "0" * 400,
        "1234567890" * 40,
        "\x1b[31mred\x1b[0m and some more words of a log\n" * 20,
        json.dumps({"data": as_base64(PNG)}),
        f"const icon = '{as_base64(PNG)}'",
        "這是一段可以閱讀的文字。" * 40,
        "\n".join(f"team{at}Member" for at in range(40)),
        "\n".join(f"team{at}Member" for at in range(10, 50)),
        "\n".join(f"{'shared' * 10}{'Team1' * at}" for at in range(8)),
        f"-----BEGIN CERTIFICATE-----\n{as_base64(REST)}\n-----END CERTIFICATE-----",
    ],
    ids=lambda text: repr(text[:24]),
)
def test_what_a_person_can_read_stays(text: str) -> None:
    assert opaque(text) is None


def test_a_card_gets_one_line_of_words() -> None:
    found = opaque(as_base64(PNG))
    assert found is not None
    assert found.words() == (
        "PNG picture, 528 bytes, written as base64, beginning with 89 50 4e 47 0d 0a 1a 0a 00 00 00 0d 49 48 44 52"
    )
    assert "at least 528 bytes" in found.words(cut=True)
