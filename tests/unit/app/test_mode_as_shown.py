"""The mode of new chats is changed as it was shown: also where it would be stored."""

from assent.app.permissions import ModeNow
from assent.model.modes import Mode
from assent.settings.effective import WriteTarget


def test_what_was_shown_for_one_place_is_not_stored_in_another() -> None:
    here, everywhere = (ModeNow(Mode.DEFAULT, None, target, "") for target in WriteTarget)
    assert here.digest != everywhere.digest
    assert here.digest == ModeNow(Mode.DEFAULT, None, here.target, "").digest
