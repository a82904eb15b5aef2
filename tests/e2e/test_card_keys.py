"""Keys of the editor answer the card in view, in a real VS Code: where the chat has the keyboard, and nowhere else."""

from collections.abc import Iterator
from functools import partial

import pytest

from tests.e2e.limits import until_it_counts
from tests.e2e.text_editor import AS_INSTALLED, PLAIN, TextEditor
from tests.e2e.vscode import VsCode
from tests.e2e.workbench import Workbench


@pytest.fixture(autouse=True)
def _beside_the_chat(vscode: VsCode) -> Iterator[None]:
    vscode.set_user_settings(PLAIN)
    yield
    vscode.set_user_settings(AS_INSTALLED)


async def _is_at_its_card(window: Workbench) -> bool:
    return await window.chat.cards.first.evaluate("card => card.matches(':focus-within')")


async def _is_written(window: Workbench) -> bool:
    return window.file("greeting.txt").exists()


async def _has_no_card(window: Workbench) -> bool:
    return await window.chat.cards.count() == 0


async def test_a_key_leads_to_the_card_and_others_answer_it(in_shared_window: Workbench):
    window, chat = in_shared_window, in_shared_window.chat
    press = window.page.keyboard.press
    await chat.send("write hello to greeting.txt")
    card = await chat.card("greeting.txt").appears()
    await card.armed("Approve")
    await chat.composer.click()
    for key in ("Control+Enter", "Control+Alt+Enter"):
        await press(key)
    await chat.has_cards(1)

    await until_it_counts(
        "the key leads to the card", partial(press, "Control+Alt+g"), partial(_is_at_its_card, window)
    )
    await until_it_counts("it is approved", partial(press, "Control+Enter"), partial(_is_written, window))
    await chat.has_rows("done")
    assert window.file("greeting.txt").read_text() == "hello"

    await chat.send("write bye to farewell.txt")
    card = await chat.card("farewell.txt").appears()
    await card.armed("Approve")
    await until_it_counts(
        "the key leads to the next card", partial(press, "Control+Alt+g"), partial(_is_at_its_card, window)
    )
    await until_it_counts("it is denied", partial(press, "Control+Alt+Enter"), partial(_has_no_card, window))
    await chat.has_rows("denied")
    assert not window.file("farewell.txt").exists()


async def test_in_a_text_beside_it_the_same_keys_are_those_of_the_text(in_shared_window: Workbench):
    window, chat = in_shared_window, in_shared_window.chat
    window.file("there.txt").write_text("one")
    await chat.send("write hello to greeting.txt")
    card = await chat.card("greeting.txt").appears()
    await card.armed("Approve")
    text = await TextEditor(window, "there.txt").open()
    await text.type("two")
    for key in ("Control+Enter", "Control+Alt+Enter"):
        await window.page.keyboard.press(key)
    await text.save()

    assert window.file("there.txt").read_text().startswith("onetwo\n")
    await chat.has_cards(1)
    assert not window.file("greeting.txt").exists()
    await card.deny()
