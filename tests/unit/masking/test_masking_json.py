"""JSON: what stands under a secret's name is masked, and nothing else is touched."""

import pytest

from assent.masking import mask_json

NAMES = [
    "password",
    "passwd",
    "secret",
    "token",
    "api_key",
    "apikey",
    "authorization",
    "cookie",
    "private_key",
    "client_secret",
    "credential",
    "Password",
    "API-KEY",
    "apiKey",
    "x-api-key",
    "AWS_SECRET_ACCESS_KEY",
    "dbPassword",
    "PGPASSWORD",
    "authToken",
    "refresh_token",
    "Set-Cookie",
    "privateKey",
    "ClientSecret",
    "credentials",
    "connectionString",
    "OAuth2Token",
    "aPiKeY",
    "secret_id",
    "signingKey",
    "password2",
    "userPassphrase",
    "access_token",
    "_authToken",
    "proxy-authorization",
]
OTHERS = [
    "max_tokens",
    "tokens",
    "token_count",
    "tokenizer",
    "password_policy",
    "passwordFile",
    "key",
    "keys",
    "sessionId",
    "author",
    "secretary",
    "cookieConsentType",
    "public_key",
    "primaryKey",
    "token_type",
    "path",
    "content",
    "command",
    "compass",
]


@pytest.mark.parametrize("name", NAMES)
def test_a_value_under_a_secret_name_is_masked(name: str) -> None:
    masked, count = mask_json({"a": [{name: "anything at all"}]})

    assert count == 1
    assert "anything" not in str(masked)


@pytest.mark.parametrize("name", OTHERS)
def test_a_value_under_another_name_is_kept(name: str) -> None:
    value = {name: "anything at all"}

    assert mask_json(value) == (value, 0)


def test_all_texts_below_a_secret_name_are_masked() -> None:
    masked, count = mask_json({"credentials": {"user": "bob", "more": [1, "two", None, {"x": True}]}})

    assert count == 2
    assert masked == {
        "credentials": {
            "user": "[masked: credentials, short]",
            "more": [1, "[masked: credentials, short]", None, {"x": True}],
        }
    }


def test_a_schema_is_kept() -> None:
    schema = {"properties": {"password": {"type": "string", "description": "what to log in with"}}}

    assert mask_json(schema) == (schema, 0)


def test_a_list_of_names_and_values() -> None:
    value = {"env": [{"name": "DB_PASSWORD", "value": "anything"}, {"name": "DEBUG", "value": "on"}]}

    masked, count = mask_json(value)

    assert count == 1
    assert masked == {
        "env": [{"name": "DB_PASSWORD", "value": "[masked: password, short]"}, {"name": "DEBUG", "value": "on"}]
    }


def test_json_that_is_nested_past_all_reason_ends_in_a_mark() -> None:
    value: object = "x"
    for _ in range(5000):
        value = [value]

    masked, count = mask_json(value)

    assert count == 1
    assert "[masked: too deep to look into" in str(masked)


@pytest.mark.parametrize("value", [None, True, 0, -1.5, 10**40, "", "plain", [], {}, {"": ""}, [[]], (1, "a")])
def test_anything_else_is_kept(value: object) -> None:
    masked, count = mask_json(value)

    assert count == 0
    assert masked == value
    assert type(masked) is type(value)
