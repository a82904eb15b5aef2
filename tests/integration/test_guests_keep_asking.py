"""An agent of others that asks for the very same call again and again: the card says so, and nothing else changes."""

from tests.support.guests import House, ask, named, says


def test_the_fourth_card_says_so_and_each_is_asked(house: House) -> None:
    again = ask("c4", command="rm -rf build", on={"reject": [says("Then not.")], "allow": []})
    for number in (3, 2, 1):
        again = ask(f"c{number}", command="rm -rf build", on={"reject": [again]})
    guest = house.guest([again])
    chat = guest.chat()
    run = chat.send()
    for _ in range(3):
        card = chat.card()
        assert "repeated" not in card
        chat.select(card, "deny")
    card = chat.card()
    assert (card["repeated"]["answer"], card["repeated"]["times"]) == ("denied", 3)
    assert guest.name in card["repeated"]["text"]
    assert "keeps asking" in card["repeated"]["text"]
    assert named(card, card["repeated"]["optionId"])["kind"] == "reject_always"
    chat.select(card, "deny")
    assert run.result()["done_reason"] == "stop"
    assert guest.answers() == ["reject"] * 4


def test_another_claim_is_another_call(house: House) -> None:
    again = ask("c4", command="rm -rf out", on={"reject": [says("Then not.")]})
    for number in (3, 2, 1):
        again = ask(f"c{number}", command="rm -rf build", on={"reject": [again]})
    guest = house.guest([again])
    chat = guest.chat()
    run = chat.send()
    for _ in range(3):
        chat.select(chat.card(), "deny")
    card = chat.card()
    assert "repeated" not in card
    chat.select(card, "deny")
    run.result()
