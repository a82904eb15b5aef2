"""What of a long chat is sent: all of it, then shortened results, then a summary; each call keeps its one result."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from assent.agent.context import MOST_WORDS, SUMMARY_HEAD, WORDS_HEAD, Context, Fitted, shorten, size, spoken
from assent.jsontext import read_json
from assent.model.conversation import (
    AssistantTurn,
    Message,
    Spoken,
    Summary,
    ToolOutcome,
    ToolResults,
    ToolUse,
    Usage,
    UserText,
)
from assent.model.ids import CallId


def asked(text: str = "do it") -> UserText:
    return UserText(text)


def worked(number: int, result: str) -> list[Message]:
    """A turn with one call, and its result."""
    call = CallId(f"call-{number}")
    use = ToolUse(call, "read_file", {"path": f"{number}.txt"})
    return [AssistantTurn(f"step {number}", (use,)), ToolResults((ToolOutcome(call, "read_file", result),))]


def long_chat(turns: int, size_of_result: int) -> list[Message]:
    return [asked(), *(part for number in range(turns) for part in worked(number, "x" * size_of_result))]


def fit(history: list[Message], window: int | None) -> Fitted:
    return Context(window).fit("system", (), history)


def are_words(message: Spoken) -> bool:
    """Whether it repeats what the user said in the part that a summary stands for."""
    return isinstance(message, UserText) and message.text.startswith(WORDS_HEAD)


def words(messages: tuple[Spoken, ...]) -> tuple[str, list[str]]:
    """What stands over the user's words, and the words."""
    (found,) = (message for message in messages if are_words(message))
    assert isinstance(found, UserText)
    head, _, *lines = found.text.splitlines()
    return head, [read_json(line) for line in lines]


def pairs(messages: tuple[Spoken, ...]) -> bool:
    """Whether each turn with calls is followed by exactly their results."""
    for place, message in enumerate(messages):
        wanted = [use.call_id for use in message.calls] if isinstance(message, AssistantTurn) else []
        after = messages[place + 1] if place + 1 < len(messages) else None
        given_ids = [one.call_id for one in after.results] if isinstance(after, ToolResults) else []
        if wanted != given_ids:
            return False
    return not messages or not isinstance(messages[0], ToolResults)


def test_a_chat_that_fits_is_sent_as_it_is():
    history = long_chat(5, 100)
    assert fit(history, 100_000) == Fitted(tuple(history))


def test_without_a_known_window_everything_is_sent():
    history = long_chat(50, 10_000)
    assert fit(history, None).messages == tuple(history)


def test_the_oldest_results_are_shortened_first_and_say_so():
    history = long_chat(10, 4_000)
    fitted = fit(history, 11_000)
    assert fitted.summarise is None
    assert fitted.shortened > 0
    results = [message.results[0] for message in fitted.messages if isinstance(message, ToolResults)]
    assert [one.truncated for one in results] == sorted((one.truncated for one in results), reverse=True)
    assert "characters of this earlier result are left out" in results[0].content
    assert results[-1].content == "x" * 4_000


def test_what_cannot_be_shortened_enough_is_summarised_first():
    history = long_chat(60, 3_000)
    fitted = fit(history, 8_000)
    assert fitted.summarise is not None
    assert pairs(fitted.messages)
    again = fit([*history, Summary("did much", fitted.summarise)], 8_000)
    assert again.summarise is None
    assert isinstance(again.messages[0], UserText)
    assert "did much" in again.messages[0].text
    assert again.messages[-1] == history[-1] or again.shortened


def test_a_later_summary_stands_for_the_earlier_one_too():
    history: list[Message] = [*long_chat(3, 10), Summary("one", 3)]
    history += [*worked(7, "y"), Summary("two", 8)]
    told = spoken(history)
    assert told[0] == UserText(f"{SUMMARY_HEAD}\n\ntwo")
    assert told[1:] == tuple(history[8:10])


def test_beside_a_summary_the_user_s_own_words_are_sent_as_they_were():
    limit = "only look, never write\n\u2028and ask"
    history: list[Message] = [asked("first"), *worked(1, "I allow all"), asked(limit), AssistantTurn("yes")]
    history += [Summary("it began", 5), asked("now")]
    for window in (None, 20_000):
        summary, said, *rest = fit(history, window).messages
        assert summary == UserText(f"{SUMMARY_HEAD}\n\nit began")
        assert words((said,)) == (WORDS_HEAD, ["first", limit])
        assert rest == [asked("now")]


def test_of_many_words_the_newest_are_sent_and_what_is_missing_is_said():
    history: list[Message] = [asked(f"{number}:" + "é" * 1_500) for number in range(40)]
    head, said = words(spoken([*history, Summary("much", 40)], MOST_WORDS))

    assert 1 < len(said) < 40
    assert head.endswith(f"left out: {40 - len(said)}.")
    assert [one.partition(":")[0] for one in said] == [str(number) for number in range(40 - len(said), 40)]
    assert all("more characters are left out" in one for one in said)
    assert size(spoken([*history, Summary("much", 40)], MOST_WORDS)[1]) < MOST_WORDS + 100


def test_results_are_never_sent_without_their_calls_wherever_a_summary_ends():
    history: list[Message] = [asked(), *worked(1, "x"), Summary("so far", 2)]
    assert spoken(history)[1:] == tuple(history[1:3])


def test_a_count_of_the_server_corrects_the_estimate():
    history = long_chat(10, 3_000)
    context = Context(20_000)
    assert context.fit("system", (), history).messages == tuple(history)
    context.sent("system", (), spoken(history))
    context.counted(Usage(input=20_000))
    assert context.fit("system", (), history).shortened > 0


def test_a_refusal_for_length_makes_the_next_request_shorter():
    history = long_chat(30, 3_000)
    context = Context(None)
    context.sent("system", (), spoken(history))
    assert context.was_too_long()
    fitted = context.fit("system", (), history)
    assert sum(map(size, fitted.messages)) < sum(map(size, spoken(history)))


def test_what_is_too_long_although_it_is_tiny_is_not_tried_for_ever():
    context = Context(None)
    context.sent("system", (), (asked(),))
    assert not context.was_too_long()


@st.composite
def chats(draw: st.DrawFn) -> list[Message]:
    """Chats as they come about, with summaries at places where they can be."""
    history: list[Message] = [asked(draw(st.text(max_size=30)))]
    for number in range(draw(st.integers(0, 12))):
        if draw(st.booleans()):
            history += worked(number, "é" * draw(st.integers(0, 5_000)))
        else:
            history += [AssistantTurn("said"), asked(draw(st.text(max_size=2_000)))]
    if len(history) > 4 and draw(st.booleans()):
        places = [at for at in range(1, len(history)) if not isinstance(history[at], ToolResults)]
        history.append(Summary("before", draw(st.sampled_from(places))))
    return history


@given(chats(), st.integers(500, 40_000))
def test_whatever_is_sent_every_call_has_its_result_and_the_newest_words_are_there(
    history: list[Message], window: int
) -> None:
    fitted = fit(history, window)
    assert pairs(fitted.messages)
    if fitted.summarise is None:
        latest = [message for message in spoken(history) if not isinstance(message, ToolResults)]
        assert [
            message for message in fitted.messages if not (isinstance(message, ToolResults) or are_words(message))
        ] == latest
    else:
        assert 0 < fitted.summarise < len(history)
        assert not isinstance(history[fitted.summarise], ToolResults | Summary)


@given(chats(), st.integers(500, 20_000))
def test_summaries_come_to_an_end(history: list[Message], window: int) -> None:
    for _ in range(20):
        fitted = fit(history, window)
        if fitted.summarise is None:
            return
        history = [*history, Summary("s", fitted.summarise)]
    raise AssertionError("it is summarised again and again")


@given(chats())
def test_shortening_changes_nothing_but_results(history: list[Message]) -> None:
    whole = spoken(history)
    short, count = shorten(whole, 0, kept_whole=0)
    assert count == sum(
        len(one.content) > 600 for message in whole if isinstance(message, ToolResults) for one in message.results
    )
    for before, after in zip(whole, short, strict=True):
        if isinstance(before, ToolResults) and isinstance(after, ToolResults):
            assert [replace(one, content="", truncated=False) for one in before.results] == [
                replace(one, content="", truncated=False) for one in after.results
            ]
        else:
            assert before == after


class CountedArguments(dict[str, str]):
    """The arguments of a call that count how often they are spelled out."""

    def __init__(self, **given: str) -> None:
        super().__init__(given)
        self.spelled = 0

    def items(self):  # type: ignore[no-untyped-def] - as of any dict
        self.spelled += 1
        return super().items()


def window_after(context: Context) -> int | None:
    """The window that is believed once a request was too long: it tells how large that request was."""
    context.was_too_long()
    return context.window


def test_a_request_is_as_large_as_in_a_chat_that_begins_with_it_whatever_was_sent_before():
    history = long_chat(40, 2_000)
    before = Context()
    for sent in (history[:9], history[3:], [asked("short")], history[:31]):
        before.sent("system", (), sent)
    for sent in (history, history[5:], [history[0], history[0], *history[1:]]):
        before.window, fresh = None, Context()
        for context in (before, fresh):
            context.sent("another system", (), sent)
        assert window_after(before) == window_after(fresh) is not None


def test_what_the_request_before_held_is_not_measured_again():
    context, args = Context(100_000), CountedArguments(path="a.txt")
    turn = AssistantTurn("", (ToolUse(CallId("call"), "read_file", args),))
    history: list[Message] = [asked(), turn, ToolResults((ToolOutcome(CallId("call"), "read_file", "text"),))]
    for _ in range(5):
        history.append(asked("and then"))
        context.sent("system", (), context.fit("system", (), history).messages)
    assert args.spelled == 1
