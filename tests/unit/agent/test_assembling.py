"""From deltas to parts: however a stream is cut up, the same parts come out, and a cut call never does."""

from hypothesis import given
from hypothesis import strategies as st

from assent.agent.assemble import (
    LONGEST_ARGUMENTS,
    LONGEST_NAME,
    LONGEST_TURN,
    WEIGHT_OF_A_CALL,
    Assembler,
    CallPart,
    CutCall,
    Part,
    TextPart,
    ThinkingPart,
)
from assent.model.conversation import (
    BlockEnd,
    CallArguments,
    CallStart,
    Delta,
    MemoDelta,
    StopReason,
    TextDelta,
    ThinkingDelta,
    TryingAgain,
    TurnEnd,
)


def fed(deltas: list[Delta]) -> tuple[list[Part], Assembler]:
    assembler = Assembler()
    return [part for delta in deltas if (part := assembler.feed(delta)) is not None], assembler


@st.composite
def chunked(draw: st.DrawFn, text: str) -> list[str]:
    """A text in pieces, empty ones too."""
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=6)))
    return [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]


@st.composite
def interleaved(draw: st.DrawFn) -> tuple[list[Delta], list[CallPart], str]:
    """Several calls with their own block indexes and text between, mixed in any order that keeps each in itself."""
    calls = draw(st.lists(st.tuples(st.sampled_from(["read", "write"]), st.text(max_size=12)), max_size=4))
    lanes: list[list[Delta]] = []
    for index, (tool, arguments) in enumerate(calls):
        pieces = draw(chunked(arguments))
        lanes.append(
            [CallStart(index, tool, "id"), *(CallArguments(index, piece) for piece in pieces), BlockEnd(index)]
        )
    text = draw(st.text(max_size=12))
    lanes.append([TextDelta(piece) for piece in draw(chunked(text))])
    mixed: list[Delta] = []
    while any(lanes):
        lane = draw(st.sampled_from([lane for lane in lanes if lane]))
        mixed.append(lane.pop(0))
    return mixed, [CallPart(index, tool, arguments) for index, (tool, arguments) in enumerate(calls)], text


@given(interleaved())
def test_any_chunking_and_any_mixing_give_the_same_parts(story: tuple[list[Delta], list[CallPart], str]) -> None:
    deltas, calls, text = story

    parts, assembler = fed([*deltas, TurnEnd()])

    assert sorted((part for part in parts if isinstance(part, CallPart)), key=lambda part: part.index) == calls
    assert "".join(part.text for part in parts if isinstance(part, TextPart)) == text
    assert assembler.end == TurnEnd()
    assert assembler.cut_calls() == ()


@given(interleaved(), st.data())
def test_a_stream_cut_anywhere_yields_only_calls_whose_block_ended(
    story: tuple[list[Delta], list[CallPart], str], data: st.DataObject
) -> None:
    deltas, calls, _ = story
    kept = deltas[: data.draw(st.integers(0, len(deltas)))]

    parts, assembler = fed(kept)

    ended = {delta.index for delta in kept if isinstance(delta, BlockEnd)}
    begun = {delta.index for delta in kept if isinstance(delta, CallStart)}
    assert {part.index for part in parts if isinstance(part, CallPart)} == ended
    assert all(part in calls for part in parts if isinstance(part, CallPart))
    assert len(assembler.cut_calls()) == len(begun - ended)
    assert assembler.end is None


def test_a_call_is_handed_out_at_the_end_of_its_block_not_of_the_turn() -> None:
    assembler = Assembler()
    assembler.feed(CallStart(0, "read"))
    assembler.feed(CallArguments(0, "{}"))

    assert assembler.feed(BlockEnd(0)) == CallPart(0, "read", "{}")
    assert assembler.feed(BlockEnd(0)) is None


def test_arguments_and_ends_of_blocks_that_never_began_are_nothing() -> None:
    parts, assembler = fed([CallArguments(3, "{}"), BlockEnd(3), BlockEnd(0)])

    assert parts == []
    assert assembler.cut_calls() == ()


def test_a_second_start_of_a_block_takes_nothing_from_the_first() -> None:
    parts, _ = fed([CallStart(0, "write"), CallArguments(0, '{"a'), CallStart(0, "read"), BlockEnd(0)])

    assert parts == [CallPart(0, "read", "")]


def test_a_call_in_text_or_in_thinking_is_text() -> None:
    text = '<tool_call>{"name": "write", "args": {}}</tool_call>'
    parts, _ = fed([TextDelta(text), ThinkingDelta(text)])

    assert parts == [TextPart(text), ThinkingPart(text)]


def test_what_comes_after_the_end_of_the_turn_is_no_part_of_it() -> None:
    parts, assembler = fed([TurnEnd(StopReason.LENGTH), TextDelta("x"), CallStart(0, "write"), BlockEnd(0), TurnEnd()])

    assert parts == []
    assert assembler.end == TurnEnd(StopReason.LENGTH)


def test_cut_calls_are_named() -> None:
    _, assembler = fed([CallStart(0, "write"), CallStart(1, "read"), BlockEnd(1)])

    assert assembler.cut_calls() == (CutCall("write"),)


def test_memos_and_new_tries_are_handed_on_in_their_place() -> None:
    memo, again = MemoDelta("a", {"signature": "x"}), TryingAgain("busy", 1)
    parts, _ = fed([again, ThinkingDelta("hm"), memo, CallStart(0, "read"), BlockEnd(0), memo, TurnEnd(), memo])

    assert parts == [again, ThinkingPart("hm"), memo, CallPart(0, "read", ""), memo]


def test_arguments_may_be_long_and_not_longer() -> None:
    piece = "x" * (LONGEST_ARGUMENTS // 2)
    (whole,), _ = fed([CallStart(0, "write"), CallArguments(0, piece), CallArguments(0, piece), BlockEnd(0)])
    assert isinstance(whole, CallPart)
    assert (whole.arguments, whole.fault) == (piece * 2, None)

    pieces: list[Delta] = [CallArguments(0, piece), CallArguments(0, piece), CallArguments(0, "x")]
    parts, assembler = fed([CallStart(0, "write"), *pieces, BlockEnd(0), CallStart(1, "read"), BlockEnd(1)])
    too_long, other = parts
    assert isinstance(too_long, CallPart)
    assert too_long.arguments == ""
    assert f"{LONGEST_ARGUMENTS:,} characters" in (too_long.fault or "")
    # The calls beside it are what they are.
    assert other == CallPart(1, "read", "")
    assert not assembler.overfull


def test_a_name_may_be_long_and_of_a_longer_one_the_beginning_is_kept() -> None:
    name = "x" * LONGEST_NAME
    cut = f"{name}… ({LONGEST_NAME + 1} characters)"
    assert fed([CallStart(0, name), BlockEnd(0)])[0] == [CallPart(0, name, "")]

    parts, assembler = fed([CallStart(0, name + "y"), BlockEnd(0), CallStart(1, name + "z")])

    assert parts == [CallPart(0, cut, "")]
    assert assembler.cut_calls() == (CutCall(cut),)


def test_a_turn_without_an_end_is_ended() -> None:
    piece: Delta = TextDelta("x" * (LONGEST_TURN // 4))
    parts, assembler = fed([piece] * 4)
    assert (len(parts), assembler.overfull) == (4, False)

    assert assembler.feed(TextDelta("x")) is None
    assert assembler.overfull
    assert fed([piece] * 5 + [CallStart(0, "write"), BlockEnd(0)])[0] == [TextPart("x" * (LONGEST_TURN // 4))] * 4


def test_calls_without_end_are_much_too() -> None:
    many: list[Delta] = []
    for index in range(LONGEST_TURN // WEIGHT_OF_A_CALL):
        many += [CallStart(index, "t"), BlockEnd(index)]
    parts, assembler = fed(many)

    assert assembler.overfull
    assert len(parts) < LONGEST_TURN // WEIGHT_OF_A_CALL
