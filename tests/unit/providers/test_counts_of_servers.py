"""What a model's server says that an answer cost: a count is taken as it is, and what is none is not known."""

import pytest

from assent.model.conversation import Usage
from assent.model.json import LARGEST_EXACT
from tests.support.dialects import streamed, told
from tests.support.model_servers.formats import FORMATS, Format
from tests.support.model_servers.wire import Said

of_each = pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)


def usage_of(form: Format, counted: Usage) -> Usage:
    """What the agent hears of an answer that its server counted so."""
    said = Said("Here you are.", thinking="hm", usage=counted)
    end = told(streamed(form.dialect("https://models.example/v1"), form.wire().stream(said))).end
    assert end is not None
    return end.usage


@of_each
def test_the_largest_count_is_taken_as_it_is(form: Format) -> None:
    heard = usage_of(form, Usage(LARGEST_EXACT, LARGEST_EXACT))

    assert (heard.input, heard.output) == (LARGEST_EXACT, LARGEST_EXACT)


@of_each
@pytest.mark.parametrize("count", [LARGEST_EXACT + 1, 10**4000], ids=["one more", "4001 digits"])
def test_a_count_that_nobody_can_have_counted_is_none(form: Format, count: int) -> None:
    heard = usage_of(form, Usage(count, count))

    assert heard.input is None
    # One of them says 1 at the beginning of an answer already.
    assert heard.output in (None, 1)


@of_each
def test_a_sum_of_counts_is_no_larger_than_a_count(form: Format) -> None:
    heard = usage_of(form, Usage(2 * LARGEST_EXACT, 7, LARGEST_EXACT))

    assert (heard.input, heard.output) == (None, 7)
