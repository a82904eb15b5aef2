"""Lines that are more than plain commands: what is read of them is never all that lets them run."""

from dataclasses import replace

import pytest

from assent.model.calls import Access
from assent.model.grants import DirectoryGrant
from assent.model.modes import Category, Mode
from assent.model.verdict import Decision, Reason
from assent.policy.decide import decide
from assent.policy.matrix import Cell
from assent.policy.rules.rule import Effect, Rule
from tests.support.shell_calls import shell_call, shell_rules

READS = "x=a.txt; cat $x"
RUNS = "x=test; npm $x"


def _decided(line: str, *, wall: str | None = None, **given: object) -> Decision:
    return decide(replace(shell_call(line), wall=wall), shell_rules(**given))  # type: ignore[arg-type]


@pytest.mark.parametrize("mode", [Mode.DEFAULT, Mode.PLAN])
def test_what_seems_to_read_asks_where_nothing_holds_it(mode: Mode):
    said = _decided(READS, mode=mode)
    assert said.outcome.value == "ask"
    assert said.text.startswith(
        "It seems only to read, but it sets the variable x, and nothing here would hold it back."
    )


@pytest.mark.parametrize("mode", [Mode.DEFAULT, Mode.PLAN])
def test_it_runs_where_something_does(mode: Mode):
    said = _decided(READS, mode=mode, wall="bubblewrap")
    assert (said.outcome.value, said.reason) == ("run", Reason.READ_AUTO)
    assert said.text.endswith("bubblewrap keeps it from all else.")


def test_plain_commands_run_in_either_case():
    assert _decided("cat a.txt | head").text == "Mode “Auto-accept read-only” lets an agent read inside the workspace."
    assert _decided("cat a.txt | head", wall="Landlock").outcome.value == "run"


def test_the_wall_is_for_what_reads_and_for_nothing_else():
    assert _decided("x=a.txt; rm $x", wall="bubblewrap").outcome.value == "ask"
    assert _decided(READS, wall="bubblewrap", mode=Mode.ASK).outcome.value == "ask"
    assert _decided("cat /etc/passwd", wall="bubblewrap").outcome.value == "ask"


NOT_KNOWN_YET = r"""
find . -name '*.txt' | xargs sort
grep foo $(git diff --name-only)
while read -r f; do head -3 "$f"; done < names.txt
f=$(ls -t | head -1); tail -50 "$f"
n=$(wc -l < a.txt); sed -n "$((n-5)),\$p" a.txt
tail -n +$(grep -n foo a.txt | head -1 | cut -d: -f1) a.txt
for d in */; do find "$d" -type f; done
xargs -a list.txt wc -l
cat < "$(cat name)"
awk "$(cat program)" a.txt
""".strip().splitlines()
"""Programs that are for reading, with words that could be a file, an option or a script."""


@pytest.mark.parametrize("line", NOT_KNOWN_YET)
def test_what_words_become_need_not_be_known_where_something_holds_it(line: str):
    assert _decided(line, wall="bubblewrap").reason is Reason.READ_AUTO
    assert _decided(line).text.startswith("It seems only to read, but it ")
    assert _decided(line, mode=Mode.PLAN).outcome.value == "ask"


@pytest.mark.parametrize("line", NOT_KNOWN_YET)
@pytest.mark.parametrize("rule", ["cat:*", "sort:*", "head:*", "sed:*", "npm test:*"])
def test_no_rule_on_first_words_covers_that(line: str, rule: str):
    assert _decided(line, allow=(rule,)).outcome.value == "ask"
    assert _decided(f"npm test; {line}", allow=(rule,), wall="bubblewrap").outcome.value == "ask"


@pytest.mark.parametrize("line", ["$(cat which) a.txt", "git $(cat verb)", "xargs -a list rm", "sort -o $(cat name) a"])
def test_which_program_runs_and_what_it_writes_has_to_be_known(line: str):
    assert _decided(line, wall="bubblewrap").outcome.value == "ask"


READING, WRITING = Rule(Effect.DENY, "read_file", "notes/**"), Rule(Effect.DENY, "write_file", "*.lock")


@pytest.mark.parametrize("mode", [Mode.DEFAULT, Mode.AUTO])
@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ('cat "$(cat list)"', READING),
        ("f=notes/a; f=b <&9; cat $f", READING),
        ("while read f; do cat $f; done < list", READING),
        ("cat list | xargs cat", READING),
        ("cat < $f", READING),
        ("git log $x", READING),
        ("f=$(cat list); rm $f", WRITING),
        ("sort $(cat list)", WRITING),
        ("echo > $f", WRITING),
    ],
)
def test_a_rule_that_forbids_files_is_asked_about_where_these_are_not_known(mode: Mode, line: str, rule: Rule):
    said = _decided(line, mode=mode, files=(rule,), wall="bubblewrap")
    assert said.outcome.value == "ask"
    assert rule.pattern in said.text or mode is Mode.DEFAULT


@pytest.mark.parametrize("line", ["x=1; cat a.txt", "for f in a b; do cat $f; done", "echo $x"])
def test_what_names_its_files_is_not(line: str):
    assert _decided(line, mode=Mode.AUTO, files=(READING, WRITING)).outcome.value == "run"


def test_where_everything_runs_it_does():
    assert _decided(READS, mode=Mode.AUTO).reason is Reason.MODE_AUTO


@pytest.mark.parametrize("cell", [Category.WRITE, Category.EXECUTE])
def test_a_mode_that_runs_more_than_reading_believes_it_no_more(cell: Category):
    for line in ("x=a.txt; touch $x", RUNS):
        facts, rules = shell_call(line), shell_rules()
        rules = replace(rules, matrix_overrides={Mode.DEFAULT: {cell: Cell.AUTO}})
        assert decide(facts, rules).outcome.value == "ask"


@pytest.mark.parametrize("rule", ["npm:*", "npm test", "npm test:*"])
@pytest.mark.parametrize("line", [RUNS, "FOO=1 npm test", 'npm test "$(cat args)"', "npm test $ARGS"])
def test_a_rule_on_first_words_covers_plain_commands_only(rule: str, line: str):
    assert _decided("npm test", allow=(rule,)).reason is Reason.ALLOW_RULE
    assert _decided(line, allow=(rule,)).outcome.value == "ask"


def test_that_is_said():
    said = _decided("npm test; case a in a) ls;; esac", allow=("npm test:*",))
    why = "does not cover a line that holds more than plain commands."
    assert said.text.startswith(f"A rule on the first words of a command {why}")


def test_a_click_on_first_words_in_a_chat_does_not_cover_it_either():
    granted = replace(shell_rules(), session_grants=frozenset({"bash:npm test"}))
    assert decide(shell_call("npm test"), granted).outcome.value == "run"
    assert decide(shell_call("FOO=1 npm test"), granted).outcome.value == "ask"


@pytest.mark.parametrize("rule", ["*", RUNS])
def test_a_rule_for_every_command_covers_it_and_one_with_its_whole_text(rule: str):
    assert _decided(RUNS, allow=(rule,)).reason is Reason.ALLOW_RULE


def test_a_rule_for_files_does_not_let_it_read_them():
    elsewhere = (Rule(Effect.ALLOW, "read_file", "/data/**"),)
    assert _decided("cat /data/a.txt", files=elsewhere).reason is Reason.ALLOW_RULE
    assert _decided("x=1; cat /data/a.txt", files=elsewhere).outcome.value == "ask"


def test_a_directory_that_was_allowed_for_a_chat_does_not_let_it_read_there():
    granted = replace(shell_rules(), directory_grants=(DirectoryGrant("/data", Access.READ),))
    assert decide(shell_call("cat /data/a.txt"), granted).reason is Reason.SESSION_ALLOW
    assert decide(shell_call("x=1; cat /data/a.txt"), granted).outcome.value == "ask"


@pytest.mark.parametrize("line", [READS, RUNS])
def test_what_restricts_restricts_it(line: str):
    assert _decided(line, deny=("cat:*", "npm:*"), wall="bubblewrap").outcome.value == "block"
    assert _decided(line, ask=("cat:*", "npm:*"), wall="bubblewrap").outcome.value == "ask"
