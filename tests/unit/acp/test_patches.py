"""Changes of files as one text: whole, or not at all."""

import difflib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.acp.patches import patch_in
from assent.acp.words import Diff

LINES = st.lists(st.sampled_from(["a", "b", "", "--- c", "+++ d", "@@ -1 +1 @@", "-x", "+y", "\\ no"]), max_size=8)


def test_each_piece_is_a_change_of_its_lines() -> None:
    patch = patch_in(
        "diff --git a/src/a.py b/src/a.py\nindex 1..2 100644\n--- a/src/a.py\n+++ b/src/a.py\n"
        "@@ -1,3 +1,3 @@ def f\n one\n-two\n+2\n three\n@@ -9 +9,2 @@\n nine\n+ten\n",
        None,
    )

    assert patch.whole
    assert patch.edits == [
        Diff("src/a.py", "one\ntwo\nthree\n", "one\n2\nthree\n"),
        Diff("src/a.py", "nine\n", "nine\nten\n"),
    ]


@given(LINES, LINES)
def test_a_diff_gives_back_both_sides(before: list[str], after: list[str]) -> None:
    """Whatever stands in the lines, also what looks like the head of another file."""
    old, new = [f"{line}\n" for line in before], [f"{line}\n" for line in after]
    text = "".join(difflib.unified_diff(old, new, "a/f", "b/f", n=100))
    patch = patch_in(text, None)

    assert patch.edits == ([] if old == new else [Diff("f", "".join(old), "".join(new))])
    assert patch.whole == (old != new)
    assert not patch.deletes


@given(st.text(alphabet="+-@ a\n*SEARCH<=>REPLACE0123,\\/", max_size=80))
def test_no_text_is_a_fault(text: str) -> None:
    patch = patch_in(text, "f")

    assert not (patch.whole and patch.is_empty)


def test_files_that_come_go_and_move() -> None:
    patch = patch_in(
        "--- /dev/null\n+++ b/new.py\n@@ -0,0 +1 @@\n+x\n"
        "--- a/old.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"
        "diff --git a/p b/q\nsimilarity index 90%\nrename from p\nrename to q\n",
        None,
    )

    assert patch.whole
    assert (patch.edits, patch.deletes, patch.moves) == ([Diff("new.py", None, "x\n")], ["old.py"], [("p", "q")])


def test_a_last_line_without_an_end() -> None:
    text = "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file"

    assert patch_in(text, "f").edits == [Diff("f", "a", "b")]


def test_a_new_file_of_copilot_is_whole() -> None:
    head = "\ndiff --git a/w/new.js b/w/new.js\ncreate file mode 100644\nindex 0000000..0000000\n"
    patch = patch_in(f"{head}--- a/dev/null\n+++ b/w/new.js\n@@ -1,0 +1,1 @@\n+no\n", "/w/new.js")

    assert patch.whole


def test_the_path_beside_a_diff_is_the_whole_one() -> None:
    text = "--- a/w/f.txt\n+++ b/w/f.txt\n@@ -1 +1 @@\n-a\n+b\n"

    assert patch_in(text, "/w/f.txt").edits == [Diff("/w/f.txt", "a\n", "b\n")]
    assert patch_in(text, "f.txt").edits == [Diff("w/f.txt", "a\n", "b\n")]
    assert patch_in(text, "/etc/other").edits == [Diff("w/f.txt", "a\n", "b\n")]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "@@ -1,2 +1,2 @@\n a\n",
        "@@ -1 +1 @@\n-a\n+b\nand then something",
        "@@ -1 +1 @@\n*a\n",
        "--- a/f\n+++ b/f\nold mode 100644\nnew mode 100755\n@@ -1 +1 @@\n-a\n+b\n",
        "Binary files a/f and b/f differ",
        "@@ -1,0 +1 @@\n-a\n+b\n",
        "@@ -1 +1,0 @@\n-a\n+b\n@@ -1 +1 @@\n-a\n+b\n",
        f"@@ -1,{'9' * 5_000} +1 @@\n-a\n+b\n",
        '--- "a/\\303"\n+++ "b/\\303"\n@@ -1 +1 @@\n-a\n+b\n',
        "*** Begin Patch\n*** Rename File: x\n*** End Patch",
        "*** Begin Patch\n*** Update File: x\nno mark\n+a\n*** End Patch",
        "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\nrm -rf",
    ],
)
def test_what_is_not_wholly_understood_says_so(text: str) -> None:
    assert not patch_in(text, "f").whole


def test_a_diff_of_no_file_is_not_whole() -> None:
    assert not patch_in("@@ -1 +1 @@\n-a\n+b\n", None).whole
    assert not patch_in("<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE", None).whole


def test_sections_of_a_patch() -> None:
    patch = patch_in(
        "*** Begin Patch\n*** Add File: a\n+x\n+y\n*** Add File: empty\n*** Delete File: b\n*** Update File: c\n"
        "*** Move to: d\n@@ def f\n one\n-two\n+2\n@@\n-z\n*** End of File\n*** End Patch\n",
        None,
    )

    assert patch.whole
    assert patch.edits == [
        Diff("a", None, "x\ny\n"),
        Diff("empty", None, ""),
        Diff("c", "one\ntwo\n", "one\n2\n"),
        Diff("c", "z\n", ""),
    ]
    assert (patch.deletes, patch.moves) == (["b"], [("c", "d")])


def test_blocks_that_search_and_replace() -> None:
    text = "<<<<<<< SEARCH\na\nb\n=======\nc\n>>>>>>> REPLACE\n\n<<<<<<< SEARCH\nd\n=======\n>>>>>>> REPLACE\n"
    patch = patch_in(text, "f")

    assert patch.whole
    assert patch.edits == [Diff("f", "a\nb", "c"), Diff("f", "d", "")]


HUNK = "@@ -1 +1 @@\n-old\n+new\n"


@pytest.mark.parametrize(
    "text",
    [
        f"--- a/keep.txt\n+++ b/a.txt\n{HUNK}",
        f"--- a/a.txt\n+++ b/a.txt\n{HUNK}diff --git a/x b/x\ndeleted file mode 100644\nindex e69de29..0000000\n",
        f"diff --git a/x b/x\ndeleted file mode 100644\nindex 1..0\ndiff --git a/a b/a\n--- a/a\n+++ b/a\n{HUNK}",
    ],
    ids=["two names", "an empty file deleted at the end", "an empty file deleted before"],
)
def test_a_patch_that_hides_what_happens_to_another_file_is_not_understood(text: str) -> None:
    assert not patch_in(text, None).whole


def test_a_deletion_that_names_its_file_is_understood() -> None:
    text = "diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n"
    patch = patch_in(text, None)
    assert (patch.whole, patch.deletes) == (True, ["x"])
