"""Where all keys are looked for that the user's own settings speak of."""

from collections.abc import Iterator
from contextlib import suppress

from assent.app.grounds import Grounds
from assent.app.keys import KeyPlace
from assent.app.subjects import Subjects
from assent.model.errors import ProviderFault
from assent.settings.model_definitions import REMOTE


def key_places(grounds: Grounds, subjects: Subjects) -> Iterator[KeyPlace]:
    """Those of the user's own agents, and of what makes pictures and speech for them or searches the web."""
    for definition in grounds.trust.now().agents.values():
        if definition.of_user and definition.definition.get("provider") in REMOTE:
            with suppress(ProviderFault):
                yield grounds.models.key_place(definition)
    yield from subjects.media.key_places()
    yield from subjects.web.key_places()
