"""Where a key is looked for, whom it is given, and that it is known as a secret from then on."""

import pytest

from assent.app.keys import KeyPlace, Keys, KeySource
from assent.model.errors import ProviderFault
from assent.runtime.known_secrets import KnownSecrets

PLACE = KeyPlace("Mine", "https://api.example.com", "MY_KEY")


class Storage:
    """The editor's secret storage, as the server sees it."""

    def __init__(self, **kept: str) -> None:
        self.kept = kept
        self.asked: list[str] = []

    async def get(self, name: str) -> str | None:
        self.asked.append(name)
        return self.kept.get(name)


def keys(environment: dict[str, str], storage: Storage | None = None) -> tuple[Keys, KnownSecrets]:
    known = KnownSecrets()
    made = Keys(environment, known)
    made.stored = storage.get if storage else None
    return made, known


async def test_the_environment_comes_first():
    storage = Storage(**{PLACE.name: "stored-key"})
    found, known = keys({"MY_KEY": "environment-key\n"}, storage)
    assert await found.key(PLACE) == "environment-key"
    assert await found.source(PLACE) is KeySource.ENVIRONMENT
    assert storage.asked == []
    assert known.values == {"environment-key"}


async def test_then_the_editor_is_asked_by_agent_and_address():
    storage = Storage(**{"Mine@https://api.example.com": "stored-key"})
    found, known = keys({"MY_KEY": " "}, storage)
    assert await found.key(PLACE) == "stored-key"
    assert await found.source(PLACE) is KeySource.STORED
    assert known.values == {"stored-key"}


async def test_a_key_of_the_environment_is_known_before_it_is_used():
    storage = Storage(**{PLACE.name: "stored-key"})
    found, known = keys({"MY_KEY": "environment-key\n", "OTHER": "no-key"}, storage)
    found.know([PLACE, KeyPlace("Other", "https://api.example.com"), KeyPlace("More", "https://x.com", "MISSING")])
    assert known.values == {"environment-key"}
    assert storage.asked == []


async def test_another_address_has_no_key():
    found, known = keys({}, Storage(**{PLACE.name: "stored-key"}))
    assert await found.key(KeyPlace("Mine", "https://evil.example.com")) is None
    assert await found.key(KeyPlace("Other", PLACE.origin)) is None
    assert known.values == frozenset()


async def test_without_anyone_who_stores_keys_there_is_none():
    found, _ = keys({})
    assert await found.key(PLACE) is None
    assert await found.source(PLACE) is KeySource.NONE


async def test_an_agent_of_a_workspace_is_given_none():
    storage = Storage(**{PLACE.name: "stored-key"})
    found, known = keys({"MY_KEY": "environment-key"}, storage)
    theirs = KeyPlace(PLACE.agent, PLACE.origin, PLACE.variable, of_user=False)
    with pytest.raises(ProviderFault, match="is given no key"):
        await found.key(theirs)
    assert await found.key(KeyPlace(PLACE.agent, PLACE.origin, None, of_user=False)) is None
    assert await found.source(theirs) is KeySource.NONE
    assert storage.asked == []
    assert known.values == frozenset()
