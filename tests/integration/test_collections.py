"""Collections over the wire: a real folder is indexed, asked, changed; what must not be shown is not."""

import json
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.secret_samples import SAMPLES
from tests.support.server import Chat, Json, Server, Step, call, say

AUTOMATIC = "workspace"
WITHIN = 60


def query(text: str, collection: str = AUTOMATIC, **more: Json) -> Step:
    """The model asks a collection."""
    return call("query_collection", collection=collection, query=text, **more)


class Library:
    """A server, a folder with documents, and a chat whose model asks."""

    def __init__(self, folder: Path) -> None:
        self.server = Server(folder)
        self.folder = self.server.workspace
        self.chat: Chat

    def write(self, name: str, text: str) -> Path:
        """A document."""
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def meet(self, *, mode: str = "plan", **settings: Json) -> None:
        """In plan: whatever asks or acts would be seen at once."""
        self.server.meet(user=settings)
        self.chat = self.server.chat(mode=mode)

    def result(self, step: Step) -> Json:
        """What comes of one call, without anybody being asked."""
        self.server.script([step], [say("Done.")])
        self.chat = self.server.chat(mode=self.chat.info()["mode"])
        assert self.chat.run(within=WITHIN)["done_reason"] == "stop"
        assert self.chat.cards() == []
        (result,) = self.chat.results()
        return result

    def says(self, step: Step) -> str:
        """What it says, where it succeeds."""
        result = self.result(step)
        assert result["success"], result
        return str(result["output"])

    def finds(self, text: str, collection: str = AUTOMATIC) -> list[str]:
        """The paths of what is found, the best first, each once."""
        said = self.says(query(text, collection, n=50))
        paths = [line.split(", line")[0].split(". ", 1)[1] for line in said.splitlines() if line[:1].isdigit()]
        return list(dict.fromkeys(paths))

    @property
    def indexes(self) -> list[Path]:
        """The files that it keeps."""
        return sorted((self.server.state / "collections").glob("*"))


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    found = Library(tmp_path)
    with found.server:
        yield found


def test_passages_are_found_in_plan_with_path_lines_headings_and_a_piece_of_text(library: Library) -> None:
    library.write("docs/guide.md", "# Guide\n\n## Setup\n\nInstall the quokka first.\n\n## Use\n\nFeed it well.\n")
    library.write("notes.txt", "Nothing of interest.\n")
    library.write("code.py", "# quokka\n")
    library.meet()

    said = library.says(query("quokka"))

    lines = said.splitlines()
    assert lines[0] == "1. docs/guide.md, lines 3-5, under “Guide > Setup”"
    assert lines[1:] == ["    ## Setup", "    Install the quokka first."]


def test_the_next_query_sees_what_changed_was_added_renamed_and_removed(library: Library) -> None:
    file = library.write("a.md", "alpha")
    library.write("b.md", "beta")
    library.meet()
    assert library.finds("alpha beta gamma") == ["a.md", "b.md"]

    file.write_text("gamma")
    library.write("sub/c.md", "alpha")
    (library.folder / "b.md").unlink()
    assert library.finds("alpha beta gamma") == ["a.md", "sub/c.md"]
    assert library.finds("gamma") == ["a.md"]

    file.rename(library.folder / "sub/d.md")
    assert sorted(library.finds("alpha gamma")) == ["sub/c.md", "sub/d.md"]

    # As long, in the same moment, under the same name: only a look into it tells.
    moved = library.folder / "sub/d.md"
    times = moved.stat()
    moved.write_text("delta")
    os.utime(moved, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert library.finds("gamma") == []
    assert library.finds("delta") == ["sub/d.md"]


def test_what_git_ignores_is_no_part_and_lists_that_change_are_obeyed(library: Library) -> None:
    for name in ("kept.md", "build/out.md", "deep/er/x.md", "node_modules/p/README.md", ".git/description.md"):
        library.write(name, "wombat")
    ignore = library.write(".gitignore", "build/\n*.log.md\n")
    library.write("deep/.gitignore", "*.md\n!er/\n")
    library.meet()
    assert library.finds("wombat") == ["kept.md"]

    ignore.write_text("kept.md\n")
    (library.folder / "deep/.gitignore").write_text("")
    assert sorted(library.finds("wombat")) == ["build/out.md", "deep/er/x.md"]


def test_secrets_are_neither_found_nor_kept(library: Library) -> None:
    secret = SAMPLES["GitHub token"][0]
    library.write("notes.md", f"# Access\n\nThe numbat lives here.\n\ntoken = {secret}\n\n# Later\n\nThe bilby.\n")
    library.write(".env.md", "numbat")
    library.write("keys/id_rsa.txt", "numbat")
    library.write(".ssh/readme.md", "numbat")
    library.write(f"{secret}.md", "numbat")
    library.meet()

    assert "masked" in library.says(query("numbat"))
    assert "lines 7-9" in library.says(query("bilby"))
    assert "numbat" not in str(library.finds(secret))
    assert "notes.md" in library.finds("numbat")
    assert not any(".ssh" in path or ".env" in path for path in library.finds("numbat"))
    for file in library.indexes:
        assert secret.encode() not in file.read_bytes()
        assert file.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("kind", "tool"),
    [("alwaysDenyRules", "read_file"), ("alwaysAskRules", "read_file"), ("alwaysDenyRules", "query_collection")],
)
def test_what_rules_keep_from_being_read_is_not_shown(library: Library, kind: str, tool: str) -> None:
    library.write("open/a.md", "echidna")
    library.write("infra/b.md", "echidna")
    library.meet(**{kind: {tool: ["infra/**"]}})

    assert library.finds("echidna") == ["open/a.md"]
    said = library.says(call("search_collections", query="echidna"))
    assert "open/a.md" in said and "infra/b.md" not in said


def test_a_rule_that_comes_later_counts_from_the_next_query_on(library: Library) -> None:
    library.write("a.md", "echidna")
    library.meet()
    assert library.finds("echidna") == ["a.md"]

    rules = {"alwaysDenyRules": {"read_file": ["*.md"]}}
    settings = {"assent": library.server.settings(**rules)}
    library.server.client.notify("workspace/didChangeConfiguration", {"settings": settings})
    assert library.finds("echidna") == []


def test_links_lead_nowhere(library: Library, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "far.md").write_text("potoroo")
    library.write("near.md", "bettong")
    (library.folder / "far.md").symlink_to(outside / "far.md")
    (library.folder / "folder").symlink_to(outside)
    library.meet()
    assert library.finds("potoroo") == []
    assert library.finds("bettong") == ["near.md"]


def test_collections_of_the_settings_and_what_is_left_out_of_them(library: Library, tmp_path: Path) -> None:
    beside = tmp_path / "beside"
    beside.mkdir()
    (beside / "far.md").write_text("# Far\n\nThe potoroo.")
    library.write("docs/a.md", "bettong potoroo")
    library.write("docs/old/b.md", "bettong")
    library.write("docs/c.txt", "bettong")
    library.write("docs/large.md", "x" * (1024 * 1024 + 1))
    (library.folder / "docs/odd.md").write_bytes(b"\xff\xfe\x00\xd8caf\xe9")
    collections = {
        "handbook": {"path": "docs", "include": ["*.md"], "exclude": ["old/"], "description": "How we work."},
        "far": {"path": str(beside)},
    }
    library.meet(collections=collections)

    assert library.finds("bettong", "handbook") == ["docs/a.md"]
    assert library.finds("potoroo", "far") == [str(beside / "far.md")]
    listed = library.says(call("list_collections"))
    assert "handbook: 1 document in" in listed and "How we work." in listed
    assert "larger than 1 MiB: docs/large.md" in listed
    assert "no text, or in an encoding that cannot be told: docs/odd.md" in listed
    searched = library.says(call("search_collections", query="potoroo"))
    assert searched.index("far: 1 document") < searched.index(str(beside / "far.md"))
    assert "docs/a.md" in searched
    assert "handbook" in library.says(call("search_collections", query="work"))


def test_what_a_workspace_names_outside_waits_for_the_users_word(library: Library, tmp_path: Path) -> None:
    (tmp_path / "beside").mkdir()
    (tmp_path / "beside/far.md").write_text("potoroo")
    library.write("docs/a.md", "bettong")
    said = {"far": {"path": "../beside"}, "handbook": {"path": "docs"}}
    library.write(".vscode/settings.json", json.dumps({"assent.collections": said}))
    library.server.meet()
    library.chat = library.server.chat(mode="plan")

    assert library.finds("bettong", "handbook") == ["docs/a.md"]
    refused = library.result(query("potoroo", "far"))
    assert (
        refused["is_error"] and "There is no collection named far. There are: workspace, handbook" in refused["output"]
    )

    asked = library.server.client.wait_for("settings/consentRequest")
    (entry,) = asked["entries"]
    assert str(tmp_path / "beside") in entry["words"]
    answered = {"consentId": asked["consentId"], "digest": asked["digest"], "honour": [entry["entryId"]]}
    library.server.client.request("settings/consentResponse", answered)
    assert library.finds("potoroo", "far") == [str(tmp_path / "beside/far.md")]


def test_a_file_that_the_settings_take_out_leaves_the_index(library: Library) -> None:
    library.write("docs/a.md", "bettong")
    library.meet(collections={AUTOMATIC: {"path": "docs"}})
    assert library.finds("bettong") == ["docs/a.md"]

    settings = {"assent": library.server.settings(collections={AUTOMATIC: {"path": "docs", "exclude": ["a.md"]}})}
    library.server.client.notify("workspace/didChangeConfiguration", {"settings": settings})
    assert library.finds("bettong") == []
    (index,) = (file for file in library.indexes if file.suffix == ".sqlite3")
    connection = sqlite3.connect(index)
    assert connection.execute("SELECT count(*) FROM documents").fetchone() == (0,)
    connection.close()


def test_no_sign_in_a_query_means_anything_to_the_index(library: Library) -> None:
    library.write("a.md", "bettong")
    library.meet()
    for asked in ("bettong'; DROP TABLE documents; --", "body:bettong* OR ^", "NEAR(bettong", '"bettong'):
        assert library.finds(asked) == ["a.md"], asked
    for signs in ("***", '"" :: ()', "🙂 …"):
        refused = library.result(query(signs))
        assert refused["code"] == "no_words" and "no words" in refused["output"], signs
    unknown = library.result(query("x", "nowhere"))
    assert unknown["code"] == "not_found" and "There are: workspace." in unknown["output"]
    assert library.finds("bettong") == ["a.md"]


def test_in_ask_it_is_asked_for(library: Library) -> None:
    library.write("a.md", "bettong")
    library.meet(mode="ask")
    library.server.script([query("bettong")], [say("Done.")])
    run = library.chat.send()
    card = library.chat.card()
    assert card["tool"] == "query_collection"
    library.chat.answer(card, decision="accept")
    assert run.result(WITHIN)["done_reason"] == "stop"
    assert "a.md" in library.chat.results()[0]["output"]


def damage(file: Path, how: str) -> None:
    """Something happens to the file while nobody has it open."""
    data = bytearray(file.read_bytes())
    if how == "cut":
        file.write_bytes(data[: len(data) // 2])
    else:
        for at in range(4096, len(data), 97):
            data[at] ^= 0xFF
        file.write_bytes(data)


@pytest.mark.parametrize("how", ["cut", "flipped"])
def test_a_damaged_index_is_made_anew_and_the_log_says_so(tmp_path: Path, how: str) -> None:
    first = Library(tmp_path)
    with first.server:
        for number in range(60):
            first.write(f"n{number}.md", f"# Title {number}\n\nbettong {number}\n")
        first.meet()
        assert len(first.finds("bettong")) == 50
    for file in first.indexes:
        if file.suffix == ".sqlite3":
            damage(file, how)
        else:
            file.unlink()
    second = Library(tmp_path)
    with second.server:
        second.meet()
        assert len(second.finds("bettong")) == 50
        second.server.client.logged("index of documents was damaged")


def test_two_servers_of_one_folder_share_the_index(tmp_path: Path) -> None:
    one, other = Library(tmp_path), Library(tmp_path)
    with one.server, other.server:
        for number in range(40):
            one.write(f"n{number}.md", f"bettong {number}")
        one.meet()
        other.meet()
        for server in (one, other):
            server.server.script([query("bettong", n=50)], [say("Done.")])
        chats = [server.server.chat(mode="plan") for server in (one, other)]
        runs = [chat.send() for chat in chats]
        for run, chat in zip(runs, chats, strict=True):
            assert run.result(WITHIN)["done_reason"] == "stop"
            assert chat.results()[0]["output"].count("n3") == 11
        one.write("new.md", "potoroo")
        assert one.finds("potoroo") == other.finds("potoroo") == ["new.md"]
        (one.folder / "new.md").unlink()
        assert other.finds("potoroo") == one.finds("potoroo") == []
        for file in one.indexes:
            file.unlink()
        assert len(one.finds("bettong")) == len(other.finds("bettong")) == 40


def test_without_a_place_for_it_the_index_is_in_memory(library: Library) -> None:
    library.write("a.md", "bettong")
    library.server.state.mkdir(parents=True, exist_ok=True)
    (library.server.state / "collections").write_text("in the way")
    library.meet()
    assert library.finds("bettong") == ["a.md"]


def test_collections_that_a_client_sends_are_none(library: Library, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("bettong")
    library.meet()
    library.server.script([call("list_collections")], [say("Done.")])
    sent: Any = [{"name": "mine", "path": str(tmp_path)}]
    chat = library.server.chat(mode="plan")
    assert chat.run(within=WITHIN, collections=sent, tools=[])["done_reason"] == "stop"
    assert "mine" not in chat.results()[0]["output"]
