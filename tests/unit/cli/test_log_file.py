"""The log: no secret, no text of a fault, bounded files that only the user can read, and never in anybody's way."""

import logging
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from assent.cli.log_file import KEPT, MAX_BYTES, LogFile, last_lines
from assent.cli.logs import set_up_logging
from assent.runtime.known_secrets import KnownSecrets
from tests.support.secret_samples import an, glued

TOKEN = glued("gh", "p_", an(36))
logger = logging.getLogger("assent.test")


@pytest.fixture(autouse=True)
def the_log_as_it_was() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    for handler in root.handlers:
        if handler not in handlers:
            handler.close()
    root.handlers[:] = handlers
    root.setLevel(level)


def log_of(state: Path) -> str:
    return (state / "logs" / "server.log").read_text()


def test_a_secret_is_in_no_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    set_up_logging("info", tmp_path)

    logger.warning("cannot reach %s", f"https://bob:{TOKEN}@host")

    for text in (log_of(tmp_path), capsys.readouterr().err):
        assert "cannot reach https://bob:[masked: GitHub token]@host" in text
        assert TOKEN not in text


def test_what_became_known_as_secret_is_in_no_later_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    secrets = KnownSecrets()
    set_up_logging("info", tmp_path, secrets)

    logger.warning("cannot reach a.river.by.night")
    secrets.add("a.river.by.night")
    logger.warning("once more: %s", "a.river.by.night")

    for text in (log_of(tmp_path), capsys.readouterr().err):
        assert "cannot reach a.river.by.night" in text
        assert "once more: [masked: known key]" in text


def test_a_fault_is_logged_without_its_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    set_up_logging("info", tmp_path)

    try:
        try:
            raise KeyError("what somebody said")
        except KeyError as cause:
            raise ValueError("what somebody answered") from cause
    except ValueError:
        logger.exception("it failed")

    for text in (log_of(tmp_path), capsys.readouterr().err):
        assert "it failed" in text
        assert "ValueError at" in text
        assert "KeyError at" in text
        assert Path(__file__).name in text
        assert "what somebody" not in text.replace('raise KeyError("what somebody said")', "").replace(
            'raise ValueError("what somebody answered") from cause', ""
        )


def test_a_line_that_cannot_be_put_together_is_replaced(tmp_path: Path) -> None:
    set_up_logging("info", tmp_path)

    logger.warning("%d lines", "secret")

    assert "a line that could not be written (TypeError)" in log_of(tmp_path)


def test_a_very_long_line_is_cut(tmp_path: Path) -> None:
    set_up_logging("info", tmp_path)

    logger.warning("x" * 100_000)

    assert len(log_of(tmp_path)) < 20_000
    assert "more characters)" in log_of(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="modes of files are another thing there")
def test_only_the_user_can_read_it(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir(mode=0o755)
    (tmp_path / "logs" / "server.log").write_text("before\n")
    (tmp_path / "logs" / "server.log").chmod(0o644)
    set_up_logging("info", tmp_path)

    logger.warning("after")

    assert stat.S_IMODE((tmp_path / "logs").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "logs" / "server.log").stat().st_mode) == 0o600
    assert log_of(tmp_path).startswith("before\n")


def fill(handler: LogFile, lines: int, text: str) -> None:
    handler.setFormatter(logging.Formatter("%(message)s"))
    for number in range(lines):
        handler.emit(logging.makeLogRecord({"msg": f"{text} {number} {'x' * 10_000}"}))


def test_the_files_are_bounded(tmp_path: Path) -> None:
    handler = LogFile(tmp_path / "logs")
    fill(handler, 500, "line")
    handler.close()

    files = sorted(file for file in (tmp_path / "logs").iterdir() if file.name != "server.lock")
    assert [file.name for file in files] == ["server.log", "server.log.1", "server.log.2"]
    assert len(files) == KEPT
    assert all(file.stat().st_size <= MAX_BYTES for file in files)
    assert all(stat.S_IMODE(file.stat().st_mode) == 0o600 for file in files) or os.name == "nt"
    assert last_lines(tmp_path, 3)[-1].startswith("line 499 ")
    assert [line.split()[1] for line in last_lines(tmp_path, 150)] == [str(number) for number in range(350, 500)]


def test_two_servers_write_into_one_log(tmp_path: Path) -> None:
    first, second = LogFile(tmp_path / "logs"), LogFile(tmp_path / "logs")
    for _ in range(130):
        fill(first, 1, "first")
        fill(second, 1, "second")
    first.close()
    second.close()

    lines = last_lines(tmp_path, 200)
    assert [line.split()[0] for line in lines] == ["first", "second"] * 100


class Late(LogFile):
    """A server that is overtaken: just before it moves the files on, another one does."""

    other: LogFile

    def _make_room(self) -> None:
        self.other._make_room()
        super()._make_room()


def test_files_that_another_server_moved_on_are_not_moved_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    late = Late(tmp_path / "logs")
    late.other = LogFile(tmp_path / "logs")
    fill(late, 110, "line")
    late.close()
    late.other.close()

    files = {file.name: file.stat().st_size for file in (tmp_path / "logs").iterdir()}
    assert set(files) == {"server.log", "server.log.1", "server.lock"}
    assert files["server.log.1"] > MAX_BYTES // 2
    assert len(last_lines(tmp_path, 200)) == 110
    assert capsys.readouterr().err == ""


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_link_in_its_place_is_not_followed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "theirs").write_text("theirs")
    (tmp_path / "logs" / "server.log").symlink_to(tmp_path / "theirs")
    set_up_logging("info", tmp_path)

    logger.warning("one")
    logger.warning("two")

    said = capsys.readouterr().err
    assert (tmp_path / "theirs").read_text() == "theirs"
    assert said.count("cannot be written") == 1
    assert "one" in said
    assert "two" in said


def test_where_no_folder_can_be_made_the_log_goes_on_elsewhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "state").write_text("a file")
    set_up_logging("info", tmp_path / "state")

    logger.warning("one")

    said = capsys.readouterr().err
    assert "the log file" in said
    assert "cannot be written" in said
    assert "one" in said


def test_a_log_that_was_taken_away_begins_anew(tmp_path: Path) -> None:
    set_up_logging("info", tmp_path)
    logger.warning("one")
    (tmp_path / "logs" / "server.log").unlink()

    logger.warning("two")

    assert "two" in log_of(tmp_path)
