"""list_files on a real disk."""

import os
from pathlib import Path
from typing import Any

import pytest

from assent.agent.ports import ToolAnswer
from assent.model.errors import ToolFault
from assent.tools.list_files import MAX_NAMES, ListFiles


async def listed(root: Path, **args: Any) -> ToolAnswer:
    tool = ListFiles(lambda: (str(root),))
    assert tool.fault(args) is None
    return await (await tool.prepare(args)).perform()


async def test_names_in_order_and_folders_with_a_slash(tmp_path: Path) -> None:
    for name in ("b.txt", "a.txt", ".hidden", "Z"):
        (tmp_path / name).touch()
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "below").touch()
    (tmp_path / "link").symlink_to("folder")

    assert (await listed(tmp_path)).text.split("\n") == [".hidden", "Z", "a.txt", "b.txt", "folder/", "link"]


async def test_an_empty_folder_says_so(tmp_path: Path) -> None:
    assert (await listed(tmp_path, path=".")).text == "[empty]"


@pytest.mark.parametrize(
    ("name", "code"), [("none", "not_found"), ("file", "not_a_directory"), ("file/x", "not_a_directory")]
)
async def test_what_cannot_be_listed(tmp_path: Path, name: str, code: str) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(ToolFault) as fault:
        await listed(tmp_path, path=name)
    assert fault.value.code == code


async def test_a_name_with_a_line_end_is_one_name(tmp_path: Path) -> None:
    (tmp_path / "a\nb").touch()
    (tmp_path / "c\rd").touch()

    assert (await listed(tmp_path)).text == "a\\nb\nc\\rd"


async def test_a_name_that_is_no_text_is_written_out(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"caf\xe9")).touch()

    assert (await listed(tmp_path)).text == "caf\\udce9"


async def test_very_many_names_are_cut_and_counted(tmp_path: Path) -> None:
    for number in range(MAX_NAMES + 5):
        (tmp_path / f"{number:05}").touch()

    answer = await listed(tmp_path)

    assert answer.truncated
    assert answer.text.endswith("[5 more names]")
    assert answer.text.count("\n") == MAX_NAMES


async def test_it_is_the_folder_that_was_prepared_or_nothing(tmp_path: Path) -> None:
    tool = ListFiles(lambda: (str(tmp_path),))
    (tmp_path / "a").mkdir()
    prepared = await tool.prepare({"path": "a"})
    (tmp_path / "a").rmdir()
    (tmp_path / "a").symlink_to("/etc")

    with pytest.raises(ToolFault) as fault:
        await prepared.perform()
    assert fault.value.code == "changed_since"


@pytest.mark.parametrize("args", [{"path": ""}, {"path": 1}, {"path": None}, {"deep": True}])
def test_arguments_that_do_not_fit(tmp_path: Path, args: dict[str, Any]) -> None:
    assert ListFiles(lambda: (str(tmp_path),)).fault(args)
