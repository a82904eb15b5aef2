"""Which pictures of a chat are at hand and sent, and what stands in the place of those that are not."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from assent.agent.context import Context, size, spoken
from assent.agent.history import History
from assent.agent.nowhere import NoKeeper
from assent.agent.picture_marks import PICTURE_BYTES, leave_out_old, marked, without_pictures
from assent.media.pictures import LARGEST_PICTURE, MOST_AT_HAND, MOST_PICTURE_BYTES, MOST_PICTURES, stays_at_hand
from assent.model.conversation import AssistantTurn, Message, Spoken, Summary, UserText
from assent.model.message_parts import Attachment, Kind

MARK = "Not at hand any more"

sizes_of_messages = st.lists(
    st.lists(st.integers(1, LARGEST_PICTURE), max_size=MOST_PICTURES).filter(
        lambda one: sum(one) <= MOST_PICTURE_BYTES
    ),
    max_size=12,
)


def picture(name: str, length: int = 12) -> Attachment:
    return Attachment(Kind.IMAGE, name, mime="image/png", content="A" * length)


def showing(*names: str, length: int = 12) -> UserText:
    text = "look\n" + "".join(f"[image {name}]" for name in names)
    return UserText(text, picture_names=names, pictures=tuple(picture(name, length) for name in names))


def names_sent(messages: Sequence[Spoken]) -> list[str]:
    return [one.name for message in messages if isinstance(message, UserText) for one in message.pictures]


@given(sizes_of_messages)
def test_the_newest_pictures_stay_at_hand_as_far_as_they_fit(messages: list[list[int]]) -> None:
    first = stays_at_hand(messages)
    kept = messages[first:]
    assert sum(map(len, kept)) <= MOST_AT_HAND and sum(map(sum, kept)) <= MOST_PICTURE_BYTES
    # Those of one message always do: it would not have been sent.
    assert first < len(messages) or not messages
    if first:
        more = messages[first - 1 :]
        assert sum(map(len, more)) > MOST_AT_HAND or sum(map(sum, more)) > MOST_PICTURE_BYTES


def test_the_largest_message_is_at_hand_as_a_whole() -> None:
    largest = showing("a", "b", "c", "d", length=-(-LARGEST_PICTURE // 3) * 4)
    padded = tuple(
        Attachment(Kind.IMAGE, one.name, mime=one.mime, content=one.content[:-1] + "=") for one in largest.pictures
    )
    history = History(NoKeeper(), [UserText(largest.text, picture_names=largest.picture_names, pictures=padded)])
    assert history.let_old_pictures_go() == ()


def test_a_chat_holds_only_so_many_and_names_those_that_go() -> None:
    history = History(NoKeeper())
    for number in range(MOST_AT_HAND + 2):
        history.append(showing(f"{number}.png"))
        history.append(AssistantTurn("Seen."))
    assert history.let_old_pictures_go() == ("0.png", "1.png")
    assert history.let_old_pictures_go() == ()
    sent = spoken(tuple(history))
    assert names_sent(sent) == [f"{number}.png" for number in range(2, MOST_AT_HAND + 2)]
    assert isinstance(sent[0], UserText) and MARK in sent[0].text and "0.png" in sent[0].text


def test_what_an_earlier_server_had_is_named_as_missing() -> None:
    kept = UserText("look\n[image a.png]", picture_names=("a.png",))
    [sent] = spoken([kept])
    assert isinstance(sent, UserText) and sent.text.startswith(kept.text) and f"{MARK}, only named: a.png" in sent.text
    assert marked(sent) == sent
    assert marked(showing("a.png")).pictures  # type: ignore[union-attr]
    assert without_pictures(showing("a.png")) == sent


def test_a_picture_counts_in_what_a_request_has() -> None:
    assert size(showing("a", "b")) - size(UserText(showing("a", "b").text)) == 2 * PICTURE_BYTES


def test_where_they_do_not_fit_the_oldest_are_left_out_by_name() -> None:
    history: list[Message] = []
    for number in range(8):
        history += [showing(f"{number}.png"), AssistantTurn("Seen.")]
    history.append(UserText("and all together?"))
    fitted = Context(20_000).fit("system", (), history)
    assert fitted.summarise is None and fitted.pictures > 0
    sent = names_sent(fitted.messages)
    assert sent == [f"{number}.png" for number in range(fitted.pictures, 8)] and "7.png" in sent
    assert sum(MARK in one.text for one in fitted.messages if isinstance(one, UserText)) == fitted.pictures
    assert Context(200_000).fit("system", (), history).pictures == 0


def test_a_summary_is_made_of_words_alone() -> None:
    history: list[Message] = [showing("a.png"), AssistantTurn("It shows a cat. " * 4_000), UserText("go on " * 8_000)]
    fitted = Context(20_000).fit("system", (), [*history, AssistantTurn("x" * 9_000), UserText("and now?")])
    assert fitted.summarise is not None
    assert names_sent(fitted.messages) == [] and any("a.png" in getattr(one, "text", "") for one in fitted.messages)
    assert names_sent(spoken([*history, Summary("Cats.", 2)])) == []


@given(st.lists(st.integers(0, 3), min_size=1, max_size=12), st.integers(-10, 20 * PICTURE_BYTES), st.integers(0, 4))
def test_what_is_left_out_is_the_oldest_and_no_more_than_needed(
    counts: list[int], too_much: int, kept_whole: int
) -> None:
    messages = [showing(*(f"{place}-{n}" for n in range(count))) for place, count in enumerate(counts)]
    sent, left_out = leave_out_old(messages, too_much, kept_whole)
    before, after = names_sent(messages), names_sent(sent)
    assert after == before[left_out:] and len(before) - len(after) == left_out
    assert names_sent(sent[-1:]) == names_sent(messages[-1:])
    gone = [count for count, one in zip(counts, sent, strict=True) if count and not names_sent([one])]
    assert sum(gone[:-1]) * PICTURE_BYTES < max(too_much, 1)
