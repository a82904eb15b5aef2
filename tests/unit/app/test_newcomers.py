"""Permissions that appear in the user's own settings while an agent works: held back until the user says something."""

from assent.app.newcomers import Newcomers
from assent.settings.consent import Consent
from assent.settings.layers import Origin, Scope
from assent.settings.loosening import LooseningEntry


def entry(name: str) -> LooseningEntry:
    return LooseningEntry("toolAllowlist", name, "d", f"Every {name} call runs.", None, name, Origin(Scope.USER))


def consents(*entries: LooseningEntry) -> frozenset[Consent]:
    return frozenset(one.consent for one in entries)


A, B = entry("a"), entry("b")


def test_what_appears_waits_and_does_not_count() -> None:
    news = Newcomers()
    news.weigh([A], consents(A, B))

    assert news.waiting == (A,)
    assert news.withheld == consents(A)


def test_agreed_it_counts_and_is_asked_about_no_more() -> None:
    news = Newcomers()
    news.weigh([A, B], consents(A, B))
    news.answered([A], [])

    assert news.waiting == (B,)
    assert news.withheld == consents(B)


def test_refused_it_never_counts_and_is_asked_about_no_more() -> None:
    news = Newcomers()
    news.weigh([A], consents(A))
    news.answered([], [A])
    news.weigh([A], consents(A))

    assert news.waiting == ()
    assert news.withheld == consents(A)


def test_taken_out_and_put_in_again_it_is_new() -> None:
    news = Newcomers()
    news.weigh([A], consents(A))
    news.answered([A], [])
    news.weigh([], consents())
    news.weigh([A], consents(A))

    assert news.waiting == (A,)


def test_a_refusal_ends_with_the_entry() -> None:
    news = Newcomers()
    news.weigh([A], consents(A))
    news.answered([], [A])
    news.weigh([], consents())

    assert news.withheld == frozenset()
    # Put in again while nobody is at work, it is the user's own.
    news.weigh([], consents(A))
    assert news.withheld == frozenset()


def test_what_was_clicked_counts_when_it_appears_however_late() -> None:
    news = Newcomers()
    news.expect(A.consent)
    news.weigh([B], consents(B))
    news.weigh([A], consents(A, B))

    assert news.waiting == (B,)


def test_a_click_is_good_for_one_appearance() -> None:
    news = Newcomers()
    news.expect(A.consent)
    news.weigh([A], consents(A))
    news.weigh([], consents())
    news.weigh([A], consents(A))

    assert news.waiting == (A,)


def test_a_click_that_was_not_written_expects_nothing() -> None:
    news = Newcomers()
    news.expect(A.consent)
    news.not_written(A.consent)
    news.weigh([A], consents(A))

    assert news.waiting == (A,)


def test_a_click_on_what_waits_lets_it_count() -> None:
    news = Newcomers()
    news.weigh([A], consents(A))
    news.expect(A.consent)

    assert news.withheld == frozenset()
