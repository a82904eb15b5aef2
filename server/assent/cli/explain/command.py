"""The command: one call in, an answer in words or JSON; or many calls, line by line."""

import asyncio
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from assent.cli.explain.answering import Answering
from assent.cli.explain.batch import explain_lines
from assent.cli.explain.places import SettingsText
from assent.cli.explain.question import Question, block_of, mode_named
from assent.cli.explain.words import as_json, as_text, with_place
from assent.cli.host import app_that_only_reads
from assent.cli.user_settings import read_user_settings
from assent.jsontext import NotJson, read_json
from assent.lazy_dataclasses import dataclass
from assent.model.errors import AssentError, InvalidRequest
from assent.model.json import Json
from assent.settings.reading import explain as what_went_wrong

_WITHOUT_USER_SETTINGS = (
    "Your user settings are not in this: the editor keeps them. Give their file with --user-settings to have them "
    "counted, or ask in the editor."
)
_WHAT_IS_CLICKED = "What was clicked in an open chat is not in this either."


@dataclass(frozen=True, slots=True)
class Wish:
    """What stands on the command line about one call."""

    tool: str
    args: str
    folder: Path
    mode: str | None = None
    agent: str | None = None
    user_settings: Path | None = None
    as_json: bool = False


def explain_one(wish: Wish) -> int:
    """Prints what would be decided about one call, and why. 0 where there is an answer, 2 where there is none."""
    try:
        text = asyncio.run(_explained(wish))
    except AssentError as fault:
        return trouble(str(fault))
    sys.stdout.write(text + ("\n" if wish.as_json else ""))
    return 0


def explain_batch(source: str, folder: Path) -> int:
    """Prints an answer for each line of a file, or of standard input. 0 where all lines have one."""
    try:
        with _opened(source) as lines:
            answering = Answering(app_that_only_reads(), any_agent=True)
            asyncio.run(explain_lines(lines, _print_line, answering, folder))
    except BrokenPipeError:
        # Whoever reads has enough. What is still buffered has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as fault:
        return trouble(f"{source} cannot be read: {what_went_wrong(fault)}")
    return 0


def trouble(text: str) -> int:
    """Says what is wrong with the command line."""
    sys.stderr.write(f"assent: {text}\n")
    return 2


async def _explained(wish: Wish) -> str:
    settings = _settings_text(wish.user_settings)
    question = Question(
        tool=wish.tool,
        args=_args(wish.args),
        folder=_folder(wish.folder),
        user=None if settings is None else block_of(settings.document),
        mode=mode_named(wish.mode),
        agent=wish.agent,
    )
    answering = Answering(app_that_only_reads())
    found = with_place(await answering.answer(question), settings)
    about_bypass = answering.about_bypass(found.rules.agent_name)
    if wish.as_json:
        return as_json(found, answering.diagnostics(), about_bypass)
    notes = [_WHAT_IS_CLICKED] if settings is not None else [_WITHOUT_USER_SETTINGS, _WHAT_IS_CLICKED]
    return as_text(found, answering.diagnostics(), about_bypass, notes)


def _args(text: str) -> Json:
    try:
        value: Json = read_json(text)
    except NotJson as fault:
        example = '\'{"path": "notes.txt"}\''
        raise InvalidRequest(f"the arguments are no JSON: {fault}. They are an object, such as {example}") from None
    return value


def _folder(folder: Path) -> Path:
    if not folder.is_dir():
        raise InvalidRequest(f"there is no folder {folder}")
    return folder


def _settings_text(file: Path | None) -> SettingsText | None:
    return None if file is None else SettingsText(file, read_user_settings(file))


@contextmanager
def _opened(source: str) -> Iterator[BinaryIO]:
    if source == "-":
        yield sys.stdin.buffer
        return
    with Path(source).open("rb") as file:
        yield file


def _print_line(line: bytes) -> None:
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()
