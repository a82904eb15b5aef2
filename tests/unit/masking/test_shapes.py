"""Every shape of token is found wherever it stands, named, and not one character of it is left."""

import pytest

from assent.masking import mask_json, mask_text
from assent.masking.shapes import SHAPES
from tests.support.secret_samples import SAMPLES, UUID, an, glued, hx, private_key

SURROUNDINGS = [
    ("", ""),
    (" ", " "),
    ('"', '"'),
    ("'", "',"),
    ("(", ")"),
    ("`", "`"),
    ("=", "\n"),
    (":", ";"),
    ("/", " x"),
    ('{"a": "line\\n', '\\nline"}'),
    ("%3D", "&b=1"),
    ("\\u0022", "\\u0022"),
    ("ключ ", " конец"),
    ("<", ">"),
    ("@", ","),
]
ALL = [(name, sample) for name, samples in SAMPLES.items() for sample in samples]


def test_there_is_a_sample_of_every_shape() -> None:
    assert {shape.name for shape in SHAPES} == set(SAMPLES)
    assert len(SHAPES) >= 30
    assert len({shape.name for shape in SHAPES}) == len(SHAPES)
    assert all(shape.reason and shape.hints for shape in SHAPES)


@pytest.mark.parametrize(("name", "sample"), ALL, ids=[f"{name}-{at}" for at, (name, _) in enumerate(ALL)])
def test_a_token_is_masked_in_any_surroundings(name: str, sample: str) -> None:
    for before, after in SURROUNDINGS:
        masked, count = mask_text(before + sample + after)

        assert count == 1, (before, masked)
        assert f"[masked: {name}" in masked, (before, masked)
        assert sample[-10:] not in masked, (before, masked)
        assert masked.startswith(before)
        assert masked.endswith(after)


@pytest.mark.parametrize(("name", "sample"), ALL, ids=[f"{name}-{at}" for at, (name, _) in enumerate(ALL)])
def test_a_token_is_masked_as_a_name_too(name: str, sample: str) -> None:
    masked, count = mask_json({sample: [{f"x {sample}": 1}], "z": sample})

    assert count == 3
    assert sample not in str(masked)


def test_two_names_that_would_be_masked_alike_stay_two() -> None:
    first, second = (glued("gh", "p_", an(36), last) for last in "xy")

    masked, count = mask_json({first: 1, second: 2})

    assert count == 2
    assert masked == {"[masked: GitHub token]": 1, "[masked: GitHub token] (2)": 2}
    assert mask_json(masked) == (masked, 0)


@pytest.mark.parametrize("kind", ["RSA ", "EC ", "OPENSSH ", "", "ENCRYPTED ", "DSA "])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\\n", "\\\\n", "\n+", "\n    "])
def test_a_private_key_is_masked_whole(kind: str, newline: str) -> None:
    key = private_key(kind, newline=newline)

    assert mask_text(f"a {key} b") == ("a [masked: private key, long] b", 1)


def test_a_private_key_that_was_cut_off_is_masked_as_far_as_it_goes() -> None:
    key = private_key()
    for cut in range(40, len(key)):
        masked, count = mask_text(key[:cut])
        assert (masked.startswith("[masked: private key"), count) == (True, 1), cut
        assert an(64)[:8] not in masked, (cut, masked)


@pytest.mark.parametrize(
    "harmless",
    [
        f"commit {hx(40)}",
        f"sha256:{hx(64)}",
        f"blob {hx(64)} 100644",
        UUID,
        f"cache-key-{hx(32)}",
        "task-force-of-many-people-in-one-room",
        "risk-assessment0123456789abcdefghij",
        "index-DiwrgTda.js",
        "the sk- prefix, ghp_ and xoxb- are well known",
        "data:image/png;base64," + an(300),
        f"integrity sha512-{an(86)}==",
    ],
)
def test_what_only_resembles_a_token_is_left_alone(harmless: str) -> None:
    assert mask_text(harmless) == (harmless, 0)
