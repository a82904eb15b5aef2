"""However a text is cut by what else happens, no row of it shows a secret that masking the whole text hides."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.model.events import (
    Chunk,
    DoneReason,
    Event,
    Notice,
    Phase,
    Prompt,
    RunDone,
    ToolCalled,
    ToolFinished,
    ToolProgress,
)
from assent.model.ids import CallId, RunId
from assent.model.modes import Category
from assent.runtime.known_secrets import KnownSecrets
from assent.store.codec import write_row
from assent.store.transcript_rows import TranscriptRows
from assent.store.veil import veil_over
from tests.support.secret_samples import SAMPLES, glued, private_key

VEIL = veil_over(KnownSecrets())
RUN, CALL = RunId("run"), CallId("c")
BETWEEN: list[Event] = [
    ToolProgress(CALL, Phase.RUNNING),
    Notice("n"),
    ToolCalled(CALL, "tool", {}, Category.READ, "Tool"),
    ToolFinished(CALL, "tool", True, "", False, 1),
    Prompt("p"),
    Chunk(None, "hm "),
]
SECRETS = [*(sample for samples in SAMPLES.values() for sample in samples), private_key(), private_key("EC ")]
NAMED = ["DB_PASSWORD=hunter2Secret", "password: hunter2Secret", "Authorization: Bearer abcdef1234567890abcdef"]
SHOWN = 12
"""So many characters of a secret in one place are too many."""


def fragments(text: str) -> set[str]:
    """What of a text must not be seen: every stretch of the parts that masking it takes out."""
    masked = VEIL.text(text)
    words = re.findall(r"\S+", text)
    return {
        word[at : at + SHOWN]
        for word in words
        for at in range(len(word) - SHOWN + 1)
        if word[at : at + SHOWN] not in masked
    }


def written(pieces: list[Event], passed: list[float]) -> tuple[list[str], str]:
    """Every state in which any row was ever written, and the text that its rows show in the end."""
    now = [0.0]
    rows = TranscriptRows(0, lambda: now[0], VEIL.text)
    states: list[str] = []
    table: dict[int, str] = {}
    for event, seconds in zip([*pieces, RunDone(DoneReason.STOP)], [*passed, 0.0], strict=True):
        now[0] += seconds
        for row in rows.take(RUN, event):
            states.append(write_row(row.event, VEIL))
            if isinstance(row.event, Chunk) and row.event.text is not None:
                table[row.n] = VEIL.text(row.event.text)
    return states, "".join(table[n] for n in sorted(table))


@given(st.data())
def test_no_row_shows_what_masking_the_whole_text_hides(data: st.DataObject) -> None:
    secret = data.draw(st.sampled_from([*SECRETS, *NAMED, private_key(), private_key()]))
    text = f"see {secret} end\n"
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))
    pieces: list[Event] = []
    for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True):
        pieces += [Chunk(text[start:end]), *data.draw(st.lists(st.sampled_from(BETWEEN), max_size=2))]
    passed = data.draw(st.lists(st.sampled_from([0.0, 2.0]), min_size=len(pieces), max_size=len(pieces)))

    states, shown = written(pieces, passed)

    assert shown == VEIL.text(text)
    hidden = fragments(text)
    assert [part for state in states for part in hidden if part in state] == []


@pytest.mark.parametrize("between", BETWEEN, ids=lambda event: type(event).__name__)
def test_a_private_key_that_is_cut_at_any_of_its_lines_is_masked_whole(between: Event) -> None:
    text = glued("Here:\n", private_key(), "\nThat was it.\n")
    for line in re.finditer(r"\n", text):
        pieces = [Chunk(text[: line.end()]), between, Chunk(text[line.end() :])]
        states, shown = written(pieces, [0.0, 0.0, 0.0])
        assert shown == VEIL.text(text)
        assert not any(part in state for state in states for part in fragments(text))


def test_harmless_text_stays_where_it_was_said() -> None:
    rows = TranscriptRows(0, lambda: 0.0, VEIL.text)
    events = [Chunk("I look. "), BETWEEN[2], Chunk("That was "), BETWEEN[0], Chunk("good. "), RunDone(DoneReason.STOP)]

    table = {row.n: row.event for event in events for row in rows.take(RUN, event)}

    said = [event.text for _, event in sorted(table.items()) if isinstance(event, Chunk)]
    assert said == ["I look. ", "That was good.", " "], "a word goes to the row in which it began"
