"""Masking as its callers see it: what is counted, what is kept, and that a second time changes nothing."""

from assent.masking import mask_json, mask_text

PASSWORD = "hunter" + "2"


def test_a_secret_is_replaced_by_a_mark_and_counted() -> None:
    assert mask_text(f"PGPASSWORD={PASSWORD} psql -h db") == ("PGPASSWORD=[masked: password, short] psql -h db", 1)


def test_what_is_masked_stays_as_it_is() -> None:
    once, count = mask_text(f"curl -u bob:{PASSWORD} https://eve:{PASSWORD}@host/ -H 'Cookie: a=b'")

    assert count == 3
    assert mask_text(once) == (once, 0)


def test_json_keeps_its_types_its_order_and_its_numbers() -> None:
    value = {"b": [1, 2.5, None, True], "password": PASSWORD, "max_tokens": 100, "a": {"apiKey": PASSWORD}}

    masked, count = mask_json(value)

    assert count == 2
    assert list(masked) == list(value)
    assert masked == {**value, "password": "[masked: password, short]", "a": {"apiKey": "[masked: key, short]"}}
