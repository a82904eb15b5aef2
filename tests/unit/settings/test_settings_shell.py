"""What runs shell commands, and how much they may take: who may say so, and what counts of all that is said."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.model.limits import SHELL_LIMITS, SHELL_NAMES, LimitWords, ShellLimits
from assent.settings.declared import declared
from assent.settings.effective import Effective, effective
from assent.settings.facts import Facts
from assent.settings.layers import NOT_LOADED, layers_from
from assent.settings.live import LiveSettings
from assent.settings.shell_limits import no_more_than_usual

USUAL = ShellLimits()
NUMBERS = {
    words.name: st.sampled_from([words.least, words.least + 1, getattr(USUAL, field) or 4096, words.most])
    for field, words in SHELL_LIMITS.items()
}
NONSENSE = st.sampled_from([-1, 10**9, 10**400, 1.5, float("nan"), True, "5", [5], {}, None])
PROGRAMS = st.sampled_from(["/bin/sh", "/bin/zsh", "/work/sh", "/bin/../work/sh", "sh", "./sh", "~/sh", "", "/a\0b"])
SAID = st.fixed_dictionaries(
    {},
    optional={
        **{name: st.one_of(number, NONSENSE) for name, number in NUMBERS.items()},
        "path": st.one_of(PROGRAMS, NONSENSE),
    },
)


class Disk(dict[Any, Any]):
    """Where paths lead: mostly to themselves."""

    def __init__(self, **leads: str) -> None:
        super().__init__({f"/{name.replace('_', '/')}": place for name, place in leads.items()})

    def get(self, key: Any, default: Any = None) -> Any:
        return super().get(key[1], key[1].replace("/bin/../", "/"))

    def __getitem__(self, key: Any) -> Any:
        return self.get(key)


def come_to(
    user: Any = None,
    workspace: Any = None,
    folder: Any = None,
    *,
    agreed: bool | None = None,
    trusted: bool = True,
    disk: Disk | None = None,
) -> Effective:
    blocks = {"user": {"shell": user}, "workspace": {"shell": workspace}, "folder": {"shell": folder}}
    return effective(
        layers_from(blocks, None),
        consents=lambda _: lambda consent: agreed,
        workspace_trusted=trusted,
        facts=Facts(("/work",), disk if disk is not None else Disk()),
    )


@pytest.mark.parametrize(
    ("user", "workspace", "expected"),
    [
        (None, None, {}),
        ({}, {}, {}),
        ({"path": "/bin/zsh"}, {}, {"path": "/bin/zsh"}),
        ({"path": "/bin/zsh"}, {"path": None}, {"path": "/bin/zsh"}),
        ({"path": "/bin/zsh"}, {"path": "/bin/sh"}, {"path": "/bin/zsh"}),
        ({}, {"path": "/bin/sh"}, {}),
        ({"path": None}, {"path": "/bin/sh"}, {}),
        ({"maxBackground": 3}, {}, {"max_background": 3}),
        ({"maxBackground": 20}, {"maxBackground": 21}, {"max_background": 20}),
        ({"maxBackground": 20}, {"maxBackground": 2}, {"max_background": 2}),
        ({}, {"maxBackground": 9}, {}),
        ({}, {"maxOutputBytes": 65_536, "maxProcesses": 513}, {"max_output_bytes": 65_536}),
        ({"maxProcesses": 64}, {"maxProcesses": 100}, {"max_processes": 64}),
        ({}, {"maxMemoryMb": 4096}, {"max_memory_mb": 4096}),
        ({"maxMemoryMb": 4096}, {}, {"max_memory_mb": 4096}),
        ({"maxMemoryMb": 4096}, {"maxMemoryMb": 4097}, {"max_memory_mb": 4096}),
        ({"maxMemoryMb": 4096}, {"maxMemoryMb": 64}, {"max_memory_mb": 64}),
        ({"maxMemoryMb": 4096}, {"maxMemoryMb": None}, {"max_memory_mb": 4096}),
        ({"maxMemoryMb": None}, {"maxMemoryMb": None}, {}),
        *(({"maxProcesses": wrong}, {}, {}) for wrong in (15, 100_001, 64.5, True, "64", [64], {}, 10**400)),
        *(
            ({"maxMemoryMb": 4096}, {"maxMemoryMb": wrong}, {"max_memory_mb": 4096})
            for wrong in (0, 63, True, "64", [], 1e3)
        ),
        *((wrong, {"maxBackground": 2}, {"max_background": 2}) for wrong in ([], 5, "/bin/sh", True)),
        *(({"maxBackground": 2}, wrong, {"max_background": 2}) for wrong in ([], 5, "/bin/sh", True)),
        ({"max_background": 2, "MAXBACKGROUND": 2}, {"maxbackground": 2}, {}),
    ],
)
def test_the_users_word_counts_or_less_of_the_workspace(user: Any, workspace: Any, expected: dict[str, Any]) -> None:
    assert come_to(user, workspace).shell == replace(USUAL, **expected)


@pytest.mark.parametrize("words", SHELL_LIMITS.values(), ids=lambda words: words.name)
def test_each_number_may_be_what_lies_between_its_ends(words: LimitWords) -> None:
    (field,) = (field for field, one in SHELL_LIMITS.items() if one is words)
    for number in (words.least, words.most):
        now = come_to({words.name: number})
        assert now.shell == replace(USUAL, **{field: number})
        assert now.diagnostics == ()
    for number in (words.least - 1, words.most + 1):
        now = come_to({words.name: number})
        assert now.shell == USUAL
        (found,) = now.diagnostics
        expected = f"a whole number from {words.least} to {words.most}; until it is, the default counts."
        assert found.text == f"assent.shell.{words.name} should be {expected}"


def test_what_takes_more_waits_for_the_users_word_entry_by_entry() -> None:
    workspace = {"path": "/bin/zsh", "maxBackground": 9, "maxProcesses": 600, "maxMemoryMb": 100}
    waiting = come_to({"maxMemoryMb": 64}, workspace).awaiting
    assert [(entry.setting, entry.entry, entry.before, entry.after) for entry in waiting] == [
        ("shell", "maxBackground 9", 8, 9),
        ("shell", "maxProcesses 600", 512, 600),
        ("shell", "maxMemoryMb 100", 64, 100),
        ("shell", "path /bin/zsh", None, "/bin/zsh"),
    ]
    assert [word in entry.words for word, entry in zip(("9", "600", "100", "“/bin/zsh”"), waiting, strict=True)] == [
        True
    ] * 4
    agreed = come_to({"maxMemoryMb": 64}, workspace, agreed=True)
    assert agreed.shell == ShellLimits("/bin/zsh", 9, USUAL.max_output_bytes, 600, 100)
    assert agreed.awaiting == ()
    refused = come_to({"maxMemoryMb": 64}, workspace, agreed=False)
    assert refused.shell == replace(USUAL, max_memory_mb=64)
    assert refused.awaiting == ()


@pytest.mark.parametrize(
    "other", [{"path": "/bin/sh"}, {"path": "/bin/zsh "}, {"maxBackground": 60}, {"maxProcesses": 600}]
)
def test_an_agreement_is_for_one_value_of_one_entry(other: Any) -> None:
    given_ones = {entry.consent for entry in come_to({}, {"path": "/bin/zsh", "maxBackground": 9}).awaiting}
    (asked_again,) = come_to({}, other).awaiting
    assert asked_again.consent not in given_ones


def test_an_agreement_to_a_program_is_for_the_one_that_it_leads_to() -> None:
    said = {"path": "/opt/sh"}
    (one,) = come_to({}, said).awaiting
    (other,) = come_to({}, said, disk=Disk(opt_sh="/opt/else/sh")).awaiting
    assert one.consent != other.consent
    assert "“/opt/sh”, which is “/opt/else/sh”" in other.words


@pytest.mark.parametrize(
    "disk",
    [Disk(bin_zsh="/work/evil"), Disk(bin="/work"), Disk(bin_zsh="/work"), Disk(bin="/work/deep/er")],
    ids=["link to a file of it", "link to its folder", "link to the workspace", "link below it"],
)
def test_a_program_that_leads_into_the_workspace_never_counts(disk: Disk) -> None:
    for blocks in (({"path": "/bin/zsh"}, {}), ({}, {"path": "/bin/zsh"})):
        now = come_to(*blocks, disk=disk, agreed=True)
        assert now.shell == USUAL
        assert [found.text for found in now.diagnostics] == [
            "An agent could change this program, which lies in the workspace: it does not count."
        ]


@pytest.mark.parametrize("path", ["sh", "./sh", "bin/sh", "~/sh", "", " ", "/a\0b", 5, True, ["/bin/sh"], {}])
def test_a_program_that_would_have_to_be_looked_for_never_counts(path: Any) -> None:
    for blocks in (({"path": path}, {}), ({}, {"path": path})):
        now = come_to(*blocks, agreed=True)
        assert now.shell == USUAL
        assert [found.text for found in now.diagnostics] == [
            "assent.shell.path should be the absolute path of a shell, or null; it does not count."
        ]


def test_a_program_of_which_nobody_knows_where_it_leads_does_not_count() -> None:
    unknown = effective(layers_from({"user": {"shell": {"path": "/bin/zsh"}}}, None), facts=Facts(("/work",)))
    assert unknown.shell == USUAL
    assert "cannot be told" in unknown.diagnostics[0].text


def test_an_untrusted_workspace_is_heard_where_it_restricts() -> None:
    workspace = {"path": "/bin/zsh", "maxProcesses": 600, "maxBackground": 2, "maxMemoryMb": 64}
    now = come_to({}, workspace, agreed=True, trusted=False)
    assert now.shell == replace(USUAL, max_background=2, max_memory_mb=64)
    assert now.awaiting == ()


def test_agreement_to_more_does_not_take_a_smaller_number_away() -> None:
    more, less = {"maxProcesses": 900}, {"maxProcesses": 30}
    for workspace, folder in ((more, less), (less, more)):
        assert come_to({}, workspace, folder, agreed=True).shell.max_processes == 30


def test_what_is_wrong_is_said() -> None:
    whole = "an object that says which shell runs commands and how much they may take"
    said = [found.text for found in come_to(5, {"maxProcesses": "many", "maxProcess": 30}).diagnostics]
    assert sorted(said) == sorted(
        [
            f"The entries of assent.shell are {', '.join(SHELL_NAMES)}: this does not count.",
            f"assent.shell should be {whole}; it does not count.",
            "assent.shell.maxProcesses should be a whole number from 16 to 100000; it does not count.",
        ]
    )


def test_before_settings_are_there_and_while_they_cannot_be_told_nothing_is_more_than_usual() -> None:
    known = ShellLimits("/bin/zsh", max_background=60, max_processes=30, max_memory_mb=64)
    assert no_more_than_usual(known) == replace(USUAL, max_processes=30, max_memory_mb=64)
    assert effective(NOT_LOADED).shell == USUAL


def test_the_settings_say_what_counts_without_them() -> None:
    assert declared()["shell"].default == {
        "path": USUAL.path,
        **{words.name: getattr(USUAL, field) for field, words in SHELL_LIMITS.items()},
        "environment": {"pass": [*USUAL.passed], "withhold": [*USUAL.withheld]},
    }


def test_a_link_that_is_turned_into_the_workspace_takes_the_program_away(tmp_path: Path) -> None:
    folder, tools = tmp_path / "work", tmp_path / "tools"
    for place in (folder, tools):
        place.mkdir()
        (place / "zsh").write_text("#!/bin/sh\n")
    link = tmp_path / "shell"
    link.symlink_to(tools / "zsh")
    live = LiveSettings(folders=(folder,), state_dir=tmp_path / "state", builtin_agents={})
    live.client_settings({"user": {}, "workspace": {"shell": {"path": str(link)}}})
    (entry,) = live.awaiting()
    assert str(tools / "zsh") in entry.words
    live.record([entry], [])
    assert live.now().shell.path == str(link)
    link.unlink()
    link.symlink_to(folder / "zsh")
    assert live.now().shell.path is None
    assert live.awaiting() == ()
    link.unlink()
    link.symlink_to(tools / "zsh")
    assert live.now().shell.path == str(link)
    link.unlink()
    link.symlink_to(tmp_path / "another")
    assert live.now().shell.path is None
    assert len(live.awaiting()) == 1


@settings(deadline=None)
@given(SAID, SAID, SAID, st.sampled_from([None, False]), st.booleans())
def test_without_agreement_no_workspace_takes_more_or_another_program(
    user: Any, workspace: Any, folder: Any, agreed: bool | None, trusted: bool
) -> None:
    alone = come_to(user).shell
    now = come_to(user, workspace, folder, agreed=agreed, trusted=trusted).shell
    assert now.path == alone.path
    assert not [field for field in SHELL_LIMITS if amount(now, field) > amount(alone, field)]


@settings(deadline=None)
@given(SAID, SAID, SAID)
def test_what_a_workspace_restricts_always_counts(user: Any, workspace: Any, folder: Any) -> None:
    now, alone = come_to(user, workspace, folder, agreed=True).shell, come_to(user).shell
    for field, words in SHELL_LIMITS.items():
        for said in (workspace, folder):
            number = said.get(words.name)
            if type(number) is int and words.least <= number <= min(words.most, amount(alone, field)):
                assert amount(now, field) <= number or number == amount(alone, field)


def amount(limits: ShellLimits, field: str) -> float:
    value = getattr(limits, field)
    return float("inf") if value is None else value


def test_what_is_withheld_counts_whoever_says_so_and_what_is_passed_needs_the_users_word() -> None:
    user = {"environment": {"pass": ["MY_*"], "withhold": ["A"]}}
    workspace = {"environment": {"pass": ["MY_*", "TEAM_TOKEN"], "withhold": ["B_*", "A"]}}

    now = come_to(user, workspace)

    assert now.shell == replace(USUAL, passed=("MY_*",), withheld=("A", "B_*"))
    (entry,) = now.awaiting
    assert (entry.setting, entry.entry, entry.after) == ("shell", "environment pass TEAM_TOKEN", "TEAM_TOKEN")
    assert "“TEAM_TOKEN”" in entry.words
    agreed = come_to(user, workspace, agreed=True).shell
    assert set(agreed.passed) == {"MY_*", "TEAM_TOKEN"}
    assert come_to(user, workspace, agreed=False).shell == now.shell
    assert no_more_than_usual(agreed) == replace(USUAL, withheld=("A", "B_*"))


@pytest.mark.parametrize(
    ("said", "place"),
    [
        (5, "environment"),
        ([], "environment"),
        ({"pass": "LD_*"}, "environment.pass"),
        ({"withhold": {"A": True}}, "environment.withhold"),
        ({"pass": ["*"]}, "environment.pass.0"),
        ({"pass": ["A-B"]}, "environment.pass.0"),
        ({"pass": ["A*B"]}, "environment.pass.0"),
        ({"withhold": [""]}, "environment.withhold.0"),
        ({"withhold": [7]}, "environment.withhold.0"),
    ],
)
def test_of_the_environment_what_makes_no_sense_is_told_and_does_not_count(said: Any, place: str) -> None:
    now = come_to({"environment": said})
    assert now.shell == USUAL
    assert [one.text for one in now.diagnostics if one.text.startswith(f"assent.shell.{place} should be ")]
    other = come_to({"environment": {"passed": ["A"]}}).diagnostics
    assert [one.text for one in other] == [
        "The entries of assent.shell.environment are pass, withhold: this does not count."
    ]
