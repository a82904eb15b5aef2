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
        "It seems only to read, but it sets the variable x, and nothing here would hold it if that was wrong."
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
