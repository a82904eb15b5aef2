"""Collections in the settings: where they may lie by a workspace's word alone, and what makes no sense."""

from typing import Any

import pytest

from assent.model.collections import DOCUMENTS, Collection
from assent.settings.effective import Effective, effective
from assent.settings.facts import Facts
from assent.settings.layers import Layer, Layers, Scope

ROOT = "/work"
LEADS = {
    "docs": "/work/docs",
    ".": "/work",
    "link": "/elsewhere",
    "~/notes": "/home/me/notes",
    "/work2": "/work2",
    "~/.ssh": "/home/me/.ssh",
}
FACTS = Facts((ROOT,), {(None, text): real for text, real in LEADS.items()})


def come_to(workspace: Any = None, user: Any = None, **more: Any) -> Effective:
    def of(scope: Scope, value: Any) -> Layer:
        return Layer(scope, {} if value is None else {"collections": value})

    return effective(Layers(of(Scope.USER, user), of(Scope.WORKSPACE, workspace)), facts=FACTS, **more)


def test_a_workspaces_collection_inside_counts_at_once_also_where_nobody_trusts_it() -> None:
    said = {"handbook": {"path": "docs", "include": ["**/*.md"], "exclude": ["old/"], "description": "How we work."}}
    expected = Collection("handbook", ("/work/docs",), ("**/*.md",), ("old/",), "How we work.")
    for trusted in (True, False, None):
        now = come_to(said, workspace_trusted=trusted)
        assert now.collections == (expected,)
        assert now.awaiting == ()


@pytest.mark.parametrize("path", ["link", "~/notes", "/work2"])
def test_what_leads_outside_waits_for_the_users_word_by_its_real_place(path: str) -> None:
    now = come_to({"n": {"path": path}})
    assert now.collections == ()
    (entry,) = now.awaiting
    assert LEADS[path] in entry.words
    assert entry.after == LEADS[path]


def test_the_users_own_count_wherever_they_lie() -> None:
    now = come_to(user={"n": {"path": "~/notes"}})
    assert now.collections == (Collection("n", ("/home/me/notes",), DOCUMENTS),)


def test_a_workspaces_collection_takes_the_place_of_the_users_of_that_name_once_it_counts() -> None:
    mine = {"n": {"path": "~/notes"}}
    assert [one.folders for one in come_to({"n": {"path": "docs"}}, mine).collections] == [("/work/docs",)]
    assert [one.folders for one in come_to({"n": {"path": "/work2"}}, mine).collections] == [("/home/me/notes",)]


def test_while_restrictions_make_no_sense_none_counts() -> None:
    user = Layer(Scope.USER, {"collections": {"n": {"path": "~/notes"}}, "alwaysDenyRules": 5})
    assert effective(Layers(user), facts=FACTS).collections == ()


@pytest.mark.parametrize(
    "value",
    [
        5,
        [],
        "docs",
        {"n": 5},
        {"n": {}},
        {"n": {"path": 5}},
        {"n": {"path": ""}},
        {"n": {"path": "docs", "include": "*.md"}},
        {"n": {"path": "docs", "exclude": [5]}},
        {"n": {"path": "docs", "description": 5}},
        {"n": {"path": "docs", "other": 1}},
        {"": {"path": "docs"}},
        {"n" * 101: {"path": "docs"}},
        {"n": {"path": "nowhere"}},
        {"n": {"path": "~/.ssh"}},
    ],
)
def test_what_makes_no_sense_is_told_of_and_is_none(value: Any) -> None:
    for now in (come_to(value), come_to(user=value)):
        assert now.collections == ()
        assert now.diagnostics


def test_one_wrong_entry_takes_no_other_with_it() -> None:
    assert [one.name for one in come_to({"a": 5, "b": {"path": "docs"}}).collections] == ["b"]


def test_only_so_many_of_a_workspace_are_looked_at() -> None:
    now = come_to({f"n{number}": {"path": "docs"} for number in range(40)})
    assert len(now.collections) == 32
    assert "Only 32 collections" in now.diagnostics[0].text
