"""Laws of masking, for any surroundings."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from assent.masking import mask_json, mask_text
from tests.support.scale import examples
from tests.support.secret_samples import SAMPLES, glued

TOKENS = [sample for samples in SAMPLES.values() for sample in samples]
PIECES = [
    "password",
    "token",
    "api_key",
    "=",
    ": ",
    ' = "',
    '"',
    "'",
    "\\",
    "\\n",
    "\n",
    " ",
    "-",
    "--",
    "@",
    "://",
    "{",
    "}",
    "(",
    ")",
    "Bearer ",
    "Authorization",
    "value",
    "name",
    "$",
    "curl -u ",
    "hunter2",
    "abc123def456",
    "[masked: ",
    "]",
    "[masked: token]",
    "-----BEGIN " + "PRIVATE KEY-----",
    "-----END " + "PRIVATE KEY-----",
    "export ",
    ";",
    "|",
    "é",
    "<",
    ">",
    "/",
    ",",
]
texts = st.lists(st.sampled_from(PIECES) | st.sampled_from(TOKENS) | st.text(max_size=8), max_size=25).map("".join)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(PIECES) | texts, inner, max_size=4),
    max_leaves=12,
)
DISTINCT = [
    glued("gh", "p_"),
    glued("github", "_pat_"),
    glued("gl", "pat-"),
    glued("xo", "xb-"),
    glued("sk", "-ant-api03-"),
    glued("AI", "za"),
    glued("np", "m_"),
    glued("py", "pi-"),
    glued("dop", "_v1_"),
    glued("sk", "_live_"),
]


@given(texts)
@settings(max_examples=examples(400), deadline=None)
def test_what_is_masked_stays_as_it_is(text: str) -> None:
    once, _ = mask_text(text)

    assert mask_text(once) == (once, 0)


@given(values)
@settings(max_examples=examples(200), deadline=None)
def test_masked_json_stays_as_it_is_and_stays_json(value: object) -> None:
    once, _ = mask_json(value)

    assert mask_json(once) == (once, 0)
    assert json.loads(json.dumps(once)) == once


@given(values)
@settings(max_examples=examples(200), deadline=None)
def test_json_keeps_its_shape(value: object) -> None:
    masked, _ = mask_json(value)

    assert shape_of(masked) == shape_of(value)


def shape_of(value: object) -> object:
    """A value without its texts."""
    if isinstance(value, dict):
        return [shape_of(item) for item in value.values()]
    if isinstance(value, list):
        return ["list", *map(shape_of, value)]
    return "text" if isinstance(value, str) else value


@given(st.sampled_from([token for token in TOKENS if token.startswith(tuple(DISTINCT))]), texts, texts)
@settings(max_examples=examples(400), deadline=None)
def test_a_token_with_a_clear_beginning_survives_nowhere(token: str, before: str, after: str) -> None:
    masked, count = mask_text(before + token + after)

    assert token not in masked
    assert count


@given(st.sampled_from(TOKENS), st.sampled_from(["", "x ", '{"a": "', "\n", "(", "\\n"]))
@settings(max_examples=examples(200), deadline=None)
def test_a_token_survives_in_no_encoding_of_json(token: str, before: str) -> None:
    inner = json.dumps({"text": before + token})

    for text in (inner, json.dumps(inner), json.dumps(json.dumps(inner))):
        masked, count = mask_text(text)
        assert count
        assert token[-12:] not in masked


@given(texts, st.text(min_size=6, max_size=20).filter(lambda text: len(text.strip()) >= 4), texts)
@settings(max_examples=examples(300), deadline=None)
def test_a_known_value_survives_nowhere(before: str, secret: str, after: str) -> None:
    masked, _ = mask_text(before + secret + after, frozenset({secret}))

    assert secret not in masked or "[masked" in secret
