"""`assent explain --batch`: a line in, a line out, in order, whatever stands in it; decided as the server decides."""

import io
import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from assent.cli.explain.batch import MAX_LINE, lines_of
from assent.model.modes import Mode
from tests.support.explaining import Explaining


@pytest.fixture
def at(tmp_path: Path) -> Explaining:
    """A workspace of this test."""
    return Explaining(tmp_path)


def line(name: Any, tool: str = "write_file", path: str = "a.txt", **more: Any) -> dict[str, Any]:
    args = {"path": path} | ({"content": "x"} if tool == "write_file" else {})
    return {"id": name, "tool": tool, "args": args, **more}


def codes(answers: list[Any]) -> list[tuple[Any, str, str]]:
    assert all(list(one) == ["id", "outcome", "reason"] for one in answers)
    assert all(list(one["reason"]) == ["code", "text"] and one["reason"]["text"] for one in answers)
    return [(one["id"], one["outcome"], one["reason"]["code"]) for one in answers]


def test_one_answer_a_line_in_order(at: Explaining) -> None:
    answers = at.batch(
        [
            line("a"),
            line(2, mode="auto"),
            line(2.5, mode="auto_accept_all", path=".vscode/settings.json"),
            line("d", "read_file"),
            line("e", "read_file", mode="ask"),
            line("f", mode="plan"),
            line("g", "rm_rf"),
            {"id": "h", "tool": "write_file"},
            line("i", path="/outside/of/it", mode="auto"),
            line("j", "read_file", path="/proc/self/environ", mode="auto"),
        ]
    )
    assert codes(answers) == [
        ("a", "ask", "needs_approval"),
        (2, "run", "mode_auto"),
        (2.5, "ask", "protected"),
        ("d", "run", "read_auto"),
        ("e", "ask", "needs_approval"),
        ("f", "block", "blocked_in_plan_mode"),
        ("g", "error", "tool_not_found"),
        ("h", "error", "invalid_arguments"),
        ("i", "ask", "outside_workspace"),
        ("j", "block", "blocked_by_protection"),
    ]


def test_arguments_are_taken_as_they_are(at: Explaining) -> None:
    given = [{}, None, "", '{"path": "."}', [], 0, False, "text", {"path": ["."]}]
    answers = at.batch([{"id": n, "tool": "list_files", "args": args} for n, args in enumerate(given)])
    assert [one["outcome"] for one in answers] == ["run"] * 4 + ["error"] * 5
    assert {one["reason"]["code"] for one in answers[4:]} == {"invalid_arguments"}


def test_settings_are_keyed_as_in_a_settings_file(at: Explaining) -> None:
    spellings = [{"assent.mode": "auto"}, {"assent": {"mode": "auto"}}, {"other": 1, "assent": {"mode": "auto"}}]
    both = {"assent.mode": "auto", "assent": {"mode": "plan"}}
    answers = at.batch(
        [line(n, userSettings=settings) for n, settings in enumerate([*spellings, both, {"mode": "auto"}])]
    )
    assert [one["outcome"] for one in answers] == ["run", "run", "run", "block", "ask"]


def test_what_comes_from_a_line_does_not_stay_for_the_next(at: Explaining) -> None:
    loose = {"assent.mode": "auto", "assent.alwaysAllowRules": {"write_file": ["*"]}}
    bypass = {"assent.bypassPermissions": {"Demo": True}}
    sequence = [None, loose, None, {}, bypass, {"assent.bypassPermissions": {"Demo": 1}}, bypass, None]
    lines = [line(n) if settings is None else line(n, userSettings=settings) for n, settings in enumerate(sequence)]
    assert [one["outcome"] for one in at.batch(lines)] == ["ask", "run", "ask", "ask", "run", "ask", "run", "ask"]


def test_relative_paths_start_at_the_workspace_of_the_line(at: Explaining) -> None:
    other = at.place / "other"
    (other / ".vscode").mkdir(parents=True)
    (other / ".vscode" / "settings.json").write_text('{"assent.alwaysDenyRules": {"write_file": ["a.txt"]}}')
    inside, through = str(other / "b.txt"), {"assent.alwaysAllowRules": {"write_file": ["*.txt"]}}
    answers = at.batch(
        [
            line(1, userSettings=through),
            line(2, workspace=str(other), userSettings=through),
            line(3, workspace=str(other), path=inside, userSettings=through),
            line(4, path=inside, userSettings=through),
        ]
    )
    assert [one["reason"]["code"] for one in answers] == [
        "allow_rule",
        "denied_by_rule",
        "allow_rule",
        "outside_workspace",
    ]


class TestTheWorkspacesSettings:
    """In the line they take the place of what an editor sends; the file on the disk still restricts."""

    LOOSE = {
        "assent.mode": "auto",
        "assent.alwaysAllowRules": {"write_file": ["*"]},
        "assent.toolAllowlist": ["write_file"],
        "assent.bypassPermissions": {"Demo": True},
    }

    def test_they_loosen_nothing_that_nobody_agreed_to(self, at: Explaining) -> None:
        (answer,) = at.batch([line(1, workspaceSettings=self.LOOSE)])
        assert (answer["outcome"], answer["reason"]["code"]) == ("ask", "needs_approval")

    def test_they_restrict(self, at: Explaining) -> None:
        strict = {"assent.alwaysDenyRules": {"write_file": ["a.txt"]}}
        loose = {"assent.mode": "auto"}
        lines = [line(1, userSettings=loose, workspaceSettings=one) for one in (strict, {"assent.mode": "plan"}, {})]
        found = [one["reason"]["code"] for one in at.batch(lines)]
        assert found == ["denied_by_rule", "blocked_in_plan_mode", "mode_auto"]

    def test_the_file_still_restricts_beside_them(self, at: Explaining) -> None:
        at.settings({"assent.alwaysDenyRules": {"write_file": ["a.txt"]}})
        lines = [line(1, workspaceSettings={}), line(2, workspaceSettings={}, path="b.txt"), line(3)]
        assert [one["outcome"] for one in at.batch(lines)] == ["block", "ask", "block"]


@pytest.mark.parametrize(
    ("bad", "name", "words"),
    [
        (b"{\n", None, "the line is no JSON"),
        (b"\n", None, "the line is no JSON"),
        (b'{"id": 1, "tool": "write_file", "args": NaN}\n', None, "the line is no JSON"),
        (b'{"id": 1, "tool": "\xff"}\n', None, "the line is no JSON"),
        (b"[" * 5_000 + b"\n", None, "the line is no JSON"),
        (b"[1]\n", None, "no object"),
        (b'"text"\n', None, "no object"),
        (b'{"tool": "write_file"}\n', None, "an id must be given"),
        (b'{"id": true, "tool": "write_file"}\n', None, "an id must be given"),
        (b'{"id": {"a": 1}, "tool": "write_file"}\n', None, "an id must be given"),
        (b'{"id": "x"}\n', "x", "a tool must be named"),
        (b'{"id": "x", "tool": 5}\n', "x", "tool must be text"),
        (json.dumps(line("x", mode="yolo")).encode() + b"\n", "x", "there is no mode 'yolo'"),
        (json.dumps(line("x", mode=["auto"])).encode() + b"\n", "x", "there is no mode"),
        (json.dumps(line("x", agent=7)).encode() + b"\n", "x", "agent must be text"),
        (json.dumps(line("x", workspace="relative/folder")).encode() + b"\n", "x", "the whole path"),
        (json.dumps(line("x", workspace="/a\0b")).encode() + b"\n", "x", "the whole path"),
        (json.dumps(line("x", userSettings=[])).encode() + b"\n", "x", "userSettings must be an object"),
        (json.dumps(line("x", workspaceSettings="{}")).encode() + b"\n", "x", "workspaceSettings must be an object"),
        (
            json.dumps(line("x", userSettings={"assent.mode": list(range(200_000))})).encode() + b"\n",
            "x",
            "userSettings cannot be used",
        ),
    ],
)
def test_a_line_that_makes_no_sense_has_its_answer_and_the_batch_goes_on(
    at: Explaining, bad: bytes, name: Any, words: str
) -> None:
    before, answer, after = at.batch([line("before"), bad, line("after")])
    assert codes([before, answer, after]) == [
        ("before", "ask", "needs_approval"),
        (name, "error", "invalid_request"),
        ("after", "ask", "needs_approval"),
    ]
    assert words in answer["reason"]["text"]


def test_a_line_that_is_too_long_is_not_read_as_a_whole(at: Explaining) -> None:
    def padded(length: int, name: str) -> bytes:
        start = f'{{"id": "{name}", "tool": "read_file", "args": {{"path": "a"}}, "more": "'.encode()
        return start + b"x" * (length - len(start) - 2) + b'"}\n'

    answers = at.batch(
        [padded(MAX_LINE, "just"), padded(MAX_LINE + 1, "over"), line("after"), padded(3 * MAX_LINE, "far")]
    )
    assert codes(answers) == [
        ("just", "run", "read_auto"),
        (None, "error", "invalid_request"),
        ("after", "ask", "needs_approval"),
        (None, "error", "invalid_request"),
    ]
    assert "longer than 16 MB" in answers[1]["reason"]["text"]


class Watched(io.BytesIO):
    """Remembers how much was asked for at once."""

    most = 0

    def readline(self, size: int | None = -1, /) -> bytes:
        assert size is not None and size > 0
        self.most = max(self.most, size)
        return super().readline(size)


def test_no_more_of_a_line_is_held_than_a_line_may_have() -> None:
    source = Watched(b"x" * (MAX_LINE * 2) + b"\nnext\n")
    assert list(lines_of(source)) == [None, b"next"]
    assert source.most <= MAX_LINE + 2


def test_the_last_line_needs_no_end_and_windows_ends_are_ends(at: Explaining) -> None:
    text = json.dumps(line("a")).encode() + b"\r\n" + json.dumps(line("b")).encode()
    assert [one["id"] for one in at.batch([text])] == ["a", "b"]
    assert at.batch([]) == []


class TestAgents:
    """A line may name an agent that the settings define, and any other: another program may bring it."""

    DEFINED = {"assent.agents": {"Claude": {"command": "claude"}}}

    def test_one_that_a_line_names_is_unknown_to_the_next(self, at: Explaining) -> None:
        chosen = {"assent.agent": "Other", "assent.bypassPermissions": {"Other": True}}
        answers = at.batch(
            [line(1, agent="Other", userSettings=chosen), line(2, userSettings=chosen), line(3, agent="Other")]
        )
        assert [one["reason"]["code"] for one in answers] == ["bypass_agent", "needs_approval", "needs_approval"]

    def test_one_that_is_defined_has_its_rules_and_its_bypass(self, at: Explaining) -> None:
        bypass = {**self.DEFINED, "assent.bypassPermissions": {"Claude": True}}
        rules = {**self.DEFINED, "assent.alwaysDenyRules": {"write_file": [{"pattern": "*", "agents": ["Claude"]}]}}
        answers = at.batch(
            [
                line(1, agent="Claude", userSettings=self.DEFINED),
                line(2, agent="Claude", userSettings=bypass),
                line(3, agent="Demo", userSettings=bypass),
                line(4, agent="Claude", userSettings=rules),
                line(5, agent="Demo", userSettings=rules),
                line(6, userSettings={**bypass, "assent.agent": "Claude"}),
            ]
        )
        assert [one["outcome"] for one in answers] == ["ask", "run", "ask", "block", "ask", "run"]

    @pytest.mark.parametrize(
        ("scope", "bypassed"), [("userSettings", "bypass_agent"), ("workspaceSettings", "needs_approval")]
    )
    def test_one_that_nothing_defines_has_what_is_said_of_its_name(
        self, at: Explaining, scope: str, bypassed: str
    ) -> None:
        """A workspace alone switches no bypass on, for whomever."""
        named = {"assent.bypassPermissions": {"Other": True}}
        rule = {"assent.alwaysAskRules": {"read_file": [{"pattern": "*.sql", "agents": ["Other"]}]}}
        answers = at.batch(
            [
                line(1, agent="Other", **{scope: named}),
                line(2, "read_file", path="a.sql", agent="Other", **{scope: rule}),
                line(3, "read_file", path="a.sql", agent="Demo", **{scope: rule}),
                line(4, agent="Other"),
                line(5, agent="Nobody", mode="auto"),
            ]
        )
        assert [one["reason"]["code"] for one in answers] == [
            bypassed,
            "ask_rule",
            "read_auto",
            "needs_approval",
            "mode_auto",
        ]


def test_what_the_user_agreed_to_on_this_machine_counts_as_it_does_in_the_editor(at: Explaining) -> None:
    from assent.settings.agents import bypass_consent, define_agent
    from assent.settings.consent import ConsentLedger

    digest = define_agent("Demo", {"provider": "demo"}).digest
    at.settings({"assent.bypassPermissions": {"Demo": True}})
    given = {"assent.bypassPermissions": {"Demo": True}}
    lines = [line(1), line(2, workspaceSettings=given), line(3, workspaceSettings={})]
    assert [one["outcome"] for one in at.batch(lines)] == ["ask", "ask", "ask"]
    ConsentLedger(at.state).grant(at.folder, bypass_consent("Demo", digest))
    assert [one["outcome"] for one in at.batch(lines)] == ["run", "run", "ask"]


def test_a_file_of_lines_is_read_as_standard_input_is(at: Explaining) -> None:
    lines = [line(1), line(2, "read_file")]
    file = at.place / "lines.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in lines))
    done = at.run("--batch", str(file))
    assert [json.loads(one) for one in done.stdout.splitlines()] == at.batch(lines)


def test_a_thousand_mixed_lines(at: Explaining) -> None:
    settings = [
        None,
        {"assent.mode": "auto"},
        {"assent.alwaysAllowRules": {"write_file": ["src/**"]}},
        {"assent": {"alwaysDenyRules": {"read_file": ["*.sql"]}}},
    ]
    paths = ["src/a.py", "b.sql", ".env", "../c", "~/d", "/etc/hosts", "sub/../e", "x" * 300, "é\u202e", "a\0b"]
    kinds = itertools.product(Mode, settings, ("read_file", "write_file", "list_files", "nothing"), paths)
    lines = [
        line(n, tool, path, mode=mode.value, userSettings=block)
        for n, (mode, block, tool, path) in enumerate(itertools.islice(itertools.cycle(kinds), 1_000))
    ]
    answers = at.batch(lines)
    assert [one["id"] for one in answers] == list(range(1_000))
    assert {one["outcome"] for one in answers} == {"run", "ask", "block", "error"}
    assert "invalid_request" not in {one["reason"]["code"] for one in answers}
    turned = at.batch(reversed(lines))
    assert turned == answers[::-1], "no line changes what another one is answered"
