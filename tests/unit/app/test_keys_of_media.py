"""Where the keys are looked for of what makes pictures and speech: the user's own addresses, and no others."""

from dataclasses import replace

import pytest

from assent.app.keys import Keys
from assent.app.media_makers import MediaMakers
from assent.media.kinds import PNG
from assent.media.orders import Order
from assent.model.services import Maker, Makes, ServiceChoice, usual_service
from assent.runtime.known_secrets import KnownSecrets
from assent.runtime.processes import Processes
from assent.settings.effective import before_settings
from tests.support.media_files import png
from tests.support.media_server import MediaServer

THERE = ServiceChoice(Maker.OPENAI, "https://Example.org:8443/v1", "m", "", "KEY")


def makers(images: ServiceChoice, speech: ServiceChoice, keys: Keys | None = None) -> MediaMakers:
    now = replace(before_settings(), images=images, speech=speech)
    return MediaMakers(keys or Keys({}, KnownSecrets()), Processes(), lambda: now)


def test_each_address_of_the_user_has_a_place_of_its_own() -> None:
    places = list(makers(THERE, replace(THERE, base_url="http://127.0.0.1:9", key_variable=None)).key_places())
    assert [(place.name, place.variable, place.of_user) for place in places] == [
        ("assent.images@https://example.org:8443", "KEY", True),
        ("assent.speech@http://127.0.0.1:9", None, True),
    ]


@pytest.mark.parametrize(
    "choice",
    [usual_service(Makes.IMAGES), replace(THERE, of_user=False), replace(THERE, fault="It is wrong.")],
)
def test_nothing_else_has_one(choice: ServiceChoice) -> None:
    assert list(makers(choice, usual_service(Makes.SPEECH)).key_places()) == []


async def test_a_key_that_the_editor_keeps_is_asked_for_by_that_name_and_known_as_a_secret() -> None:
    asked: list[str] = []

    async def stored(name: str) -> str:
        asked.append(name)
        return "sk-stored"

    known = KnownSecrets()
    keys = Keys({}, known)
    keys.stored = stored
    with MediaServer() as server:
        server.makes(png())
        choice = ServiceChoice(Maker.OPENAI, f"{server.origin}/v1", "m")
        painter = makers(choice, usual_service(Makes.SPEECH), keys)._painter(choice)
        assert (await painter.make(Order("x", PNG))).data == png()
        assert server.asked[0].headers["authorization"] == "Bearer sk-stored"
        assert asked == [f"assent.images@{server.origin}"]
    assert known.values == {"sk-stored"}
