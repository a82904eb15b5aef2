"""What an agent of others gets of a file that its user has not saved: what the user sees."""

from pathlib import Path

import pytest

from assent.acp.agent_files import ReadForAgent, Reading
from assent.agent.secrets_in_results import SecretsRule
from tests.support.open_documents import OneDocument


@pytest.mark.parametrize(
    ("dirty", "line", "expected"),
    [(True, None, "typed\nmore\n"), (True, 2, "more\n"), (False, None, "on the disk\n")],
    ids=["unsaved", "a part of it", "saved"],
)
async def test_the_unsaved_text_is_given(tmp_path: Path, dirty: bool, line: int | None, expected: str) -> None:
    file = tmp_path / "a.txt"
    file.write_text("on the disk\n")
    given: list[str] = []
    documents = OneDocument(file, "typed\nmore\n", dirty=dirty)
    roots = (str(tmp_path),)
    wanted = Reading(str(file), line)
    tool = ReadForAgent(wanted, lambda: roots, given.append, documents, missing_is_empty=False, secrets=SecretsRule())
    await (await tool.prepare({})).perform()
    assert given == [expected]
