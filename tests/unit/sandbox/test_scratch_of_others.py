"""What other chats keep for a moment is theirs, also where the folder for what passes is not hidden anyway."""

import pytest

from assent.sandbox.words import Tier, Unheld
from tests.support.confining import BOTH, Room


def chats(room: Room) -> None:
    """Two chats have their scratch folders beside each other; there are other things as well."""
    above = room.base / "passing"
    for name in ("assent-1-one", "assent-2-two", "other"):
        (above / name).mkdir(parents=True)
        (above / name / "kept").write_text(f"of {name}\n")
    room.scratch = above / "assent-1-one"


@pytest.mark.parametrize("tier", BOTH)
def test_what_another_chat_keeps_is_not_read(room: Room, tier: Tier) -> None:
    chats(room)

    ran = room.run("cd ../passing; cat assent-1-one/kept other/kept assent-2-two/kept; ls assent-2-two", tier)

    assert "of assent-1-one" in ran.output
    assert "of other" in ran.output
    assert "of assent-2-two" not in ran.output
    assert "kept" not in ran.output


@pytest.mark.parametrize("tier", BOTH)
def test_its_own_is_written(room: Room, tier: Tier) -> None:
    chats(room)

    room.run('echo x > "$TMPDIR/made"; echo x > ../passing/assent-2-two/made; true', tier)

    assert sorted(path.name for path in room.scratch.iterdir()) == ["kept", "made"]
    assert not (room.base / "passing/assent-2-two/made").exists()


def test_a_workspace_of_such_a_name_is_no_scratch_folder(room: Room) -> None:
    chats(room)
    room.root = room.base / "passing/assent-2-two"

    ran = room.run("cat kept", Tier.BUBBLEWRAP)

    assert ran.output == "of assent-2-two\n"


def test_a_guard_hides_none(room: Room) -> None:
    chats(room)

    look = room.looking.look(room.wanted(), everything=True)

    assert not isinstance(look, Unheld)
    assert not [path for path in look.layout.hidden_folders if "passing" in path]
    room.looking.release(look.placed)
