"""`assent history`: looks, takes along, checks; while a server writes, and when there is nothing yet."""

import asyncio
import json
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

from assent.store.store import Store
from tests.support.assent_command import run_assent
from tests.support.history_entries import a_subject, behind_its_back, decided, kept
from tests.support.processes import ROOT


def run(state: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return run_assent("history", *arguments, env={"ASSENT_STATE_DIR": str(state)})


def everything(folder: Path) -> dict[str, bytes]:
    """What the folder holds, without what SQLite needs while somebody looks."""
    return {
        path.name: path.read_bytes() for path in folder.iterdir() if path.is_file() and not path.name.endswith("-shm")
    }


def test_it_lists_the_newest_first(tmp_path: Path) -> None:
    kept(tmp_path, [decided(f"call-{number}", subject=a_subject(headline=f"Command {number}")) for number in range(60)])
    done = run(tmp_path)
    lines = done.stdout.splitlines()
    assert done.returncode == 0 and len(lines) == 52
    assert lines[0].split("  ")[0].strip() == "entry" and lines[0].endswith("  call (reason)")
    assert (
        lines[1] == "   60  2030-01-31T12:00:00.000Z  decided  allowed  user  Demo   Command 59 (The user allowed it.)"
    )
    for head, cell in (("stage", "decided"), ("ending", "allowed"), ("by", "user"), ("agent", "Demo")):
        assert lines[0].index(f" {head}") == lines[1].index(f" {cell}"), f"{cell} does not stand below {head}"
    assert lines[-1] == "There are older ones: --before 11"
    older = run(tmp_path, "--before", "11").stdout.splitlines()
    assert len(older) == 11 and "Command 9 " in older[1]


def test_it_takes_every_filter(tmp_path: Path) -> None:
    wanted = a_subject("c", tool="write_file", session="s", agent="Other", folder="/f", headline="needle")
    kept(tmp_path, [decided("a"), decided(subject=wanted, at="2031-01-01T00:00:00.000Z")])
    every = ["--chat=s", "--call=c", "--agent=Other", "--tool=write_file", "--stage=decided", "--ending=allowed"]
    every += ["--by=user", "--folder=/f", "--text=NEEDLE", "--since=2030-12-31", "--until=2031-01-02"]
    for one in [*[[name] for name in every[:4]], every]:
        (line,) = run(tmp_path, *one, "--json", "--limit", "5").stdout.splitlines()
        assert json.loads(line)["n"] == 2 and json.loads(line)["call_id"] == "c"
    nothing = run(tmp_path, "--tool=none")
    assert (nothing.returncode, nothing.stdout) == (0, "Nothing fits.\n")
    wrong = run(tmp_path, "--since=yesterday")
    assert wrong.returncode == 2 and "no point in time" in wrong.stderr and "Traceback" not in wrong.stderr


def test_a_file_of_an_older_version_is_looked_into_and_left_as_it_is(tmp_path: Path) -> None:
    state = tmp_path / "state"
    kept(state, [decided()])
    written = everything(state)["history.head"]
    (state / "assent.sqlite3").unlink()
    with closing(sqlite3.connect(state / "assent.sqlite3")) as connection:
        connection.executescript((ROOT / "tests" / "golden" / "history" / "version-1.sql").read_text())
    before = everything(state)
    assert "The user allowed it." in run(state, "--text=allowed").stdout
    assert json.loads(run(state, "export").stdout)["n"] == 1
    checked = run(state, "verify")
    assert (checked.returncode, checked.stdout) == (0, "The history is as it was written: 1 entry.\n")
    assert everything(state) == before and before["history.head"] == written


def test_it_says_plainly_that_there_is_none(tmp_path: Path) -> None:
    for action in ("list", "export", "verify"):
        done = run(tmp_path / "nowhere", action)
        assert done.returncode == 2 and "There is no history yet" in done.stderr, done
    assert not (tmp_path / "nowhere").exists()


def test_checking_ends_with_1_where_something_is_wrong(tmp_path: Path) -> None:
    kept(tmp_path, [decided("a"), decided("b"), decided("c")])
    fine = run(tmp_path, "verify")
    assert (fine.returncode, fine.stdout) == (0, "The history is as it was written: 3 entries.\n")
    behind_its_back(tmp_path, "UPDATE entries SET body = replace(body, 'allowed', 'refused') WHERE n = 2")
    broken = run(tmp_path, "verify")
    assert broken.returncode == 1 and "NOT as it was written. Entry 2 was changed" in broken.stdout
    found = json.loads(run(tmp_path, "verify", "--json").stdout)
    assert found["intact"] is False and found["firstBroken"] == 2


def test_a_file_that_is_none_is_said_plainly(tmp_path: Path) -> None:
    (tmp_path / "assent.sqlite3").write_text("no database at all " * 500)
    for action in ("list", "export", "verify"):
        done = run(tmp_path, action)
        assert done.returncode == (1 if action == "verify" else 2) and "damaged" in done.stdout + done.stderr, done
        assert "Traceback" not in done.stderr


def test_it_exports_into_a_file_and_to_the_screen(tmp_path: Path) -> None:
    state = tmp_path / "state"
    kept(state, [decided(f"call-{number}", text="word " * 500) for number in range(300)])
    out = tmp_path / "out.jsonl"
    assert run(state, "export", "--out", str(out)).returncode == 0
    text = out.read_text(encoding="ascii")
    assert [json.loads(line)["n"] for line in text.splitlines()] == list(range(1, 301))
    assert run(state, "export").stdout == text
    assert json.loads(run(state, "export", "--after", "299").stdout)["n"] == 300
    refused = run(state, "export", "--out", str(tmp_path / "no" / "folder"))
    assert refused.returncode == 2 and "Traceback" not in refused.stderr


def test_it_works_while_a_server_writes_and_changes_nothing(tmp_path: Path) -> None:
    async def both() -> None:
        store = Store(tmp_path)
        await store.write(decided("one"))
        before = everything(tmp_path)
        for action in ("list", "export", "verify"):
            done = await asyncio.to_thread(run, tmp_path, action)
            assert done.returncode == 0, done.stderr
        assert everything(tmp_path) == before
        await store.write(decided("two"))
        assert (await asyncio.to_thread(run, tmp_path, "verify")).stdout.count("2 entries") == 1
        await store.end()

    asyncio.run(both())


def test_after_a_crash_it_reads_what_is_in_the_log(tmp_path: Path) -> None:
    async def leave() -> None:
        store = Store(tmp_path / "live")
        await store.write(decided("one"))
        shutil.copytree(tmp_path / "live", tmp_path / "crashed")
        await store.end()

    asyncio.run(leave())
    (tmp_path / "crashed" / "assent.sqlite3-shm").unlink()
    assert run(tmp_path / "crashed", "verify").stdout.count("1 entry") == 1


def test_no_text_of_a_model_acts_on_the_terminal(tmp_path: Path) -> None:
    kept(tmp_path, [decided(subject=a_subject(headline="a\x1b[2J\u202e\nb\ud800"))])
    (_, line) = run(tmp_path).stdout.splitlines()
    assert "\x1b" not in line and "\u202e" not in line and "\\u001b" in line
