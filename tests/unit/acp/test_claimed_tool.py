"""A call of an agent as a tool of the gate: what lies inside the workspace is what lies there when it is decided."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assent.acp.claimed_tool import Asked, ClaimedTool
from assent.agent.ports import Manner, ToolAnswer
from assent.tools.places import LastRoots
from tests.support.acp_traffic import claim, request


async def never(*_: Any) -> ToolAnswer:
    raise AssertionError("nothing was decided yet")


def tool(roots: LastRoots, path: Path) -> ClaimedTool:
    asked = claim(request(kind="read", locations=[{"path": str(path)}]))
    return ClaimedTool(Asked("Agent", asked, ()), roots, never)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "further").mkdir()
    (tmp_path / "further" / "a.txt").write_text("a\n")
    return tmp_path / "further" / "a.txt"


@pytest.mark.parametrize("narrows", [True, False])
async def test_a_look_that_began_with_other_folders_does_not_count(file: Path, narrows: bool) -> None:
    """Whether they changed long before it, or while it was taken."""
    home, further = str(file.parents[1] / "workspace"), str(file.parent)
    small, large = (home,), (home, further)
    before, after = (large, small) if narrows else (small, large)
    answers: Iterator[tuple[str, ...]] = iter([before, after, after])
    roots = LastRoots(lambda: next(answers))
    assert roots() == before
    for _ in range(2):
        (use,) = (await tool(roots, file).prepare({})).paths
        assert use.inside is not narrows


async def test_folders_that_were_never_asked_for_are_asked_for_first(file: Path) -> None:
    (use,) = (await tool(LastRoots(lambda: (str(file.parent),)), file).prepare({})).paths
    assert use.inside


async def test_nothing_is_looked_at_twice_where_nothing_changed(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[Any] = []
    from assent.acp import claimed_tool

    real = claimed_tool.look
    monkeypatch.setattr(claimed_tool, "look", lambda *args: looks.append(args) or real(*args))
    roots = LastRoots(lambda: (str(file.parent),))
    for _ in range(3):
        await tool(roots, file).prepare({})
    assert len(looks) == 3


async def test_what_is_asked_about_is_only_done_when_it_was_allowed(file: Path) -> None:
    done: list[Manner] = []

    async def allowed(manner: Manner, _: Any) -> ToolAnswer:
        done.append(manner)
        return ToolAnswer("done")

    asked = claim(request(kind="read", locations=[{"path": str(file)}]))
    prepared = await ClaimedTool(Asked("Agent", asked, ()), LastRoots(lambda: (str(file.parent),)), allowed).prepare({})
    assert done == []
    await prepared.perform()
    assert len(done) == 1
