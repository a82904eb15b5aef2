"""What holds of rules on commands for all commands and rules."""

from dataclasses import replace

from hypothesis import assume, given
from hypothesis import strategies as st

from assent.model.grants import Grant, KeyGrant, RuleGrant
from assent.model.modes import Mode
from assent.model.verdict import Outcome
from assent.policy.commands import grant_key
from assent.policy.decide import Rules, decide
from assent.policy.granting import with_grant
from assent.policy.offers import helpful_rules
from assent.policy.rules.book import RuleBook
from assent.policy.rules.rule import SHELL_TOOL, Effect, Rule
from tests.support.ladder import law
from tests.support.shell_calls import HERE, HOME, command, shell_call, shell_rules
from tests.support.trials import GRANTS, require_like_ladder

PROGRAMS = ["npm test", "npm run build", "npm publish", "git status", "git push", "git -C sub log", "git commit -m x"]
PROGRAMS += [
    "frob go",
    "frob",
    "./run.sh",
    "ls",
    "cat a",
    "cat .env",
    "cat /etc/hosts",
    "rm -rf x",
    "sort -o o i",
    "$X",
]
PROGRAMS += ["sudo npm test", "env A=1 frob go", "bash -c 'npm test; frob go'", "find . -exec frob go ';'", "xargs rm"]
MORE = ["", " -v", " -rf", " x", " > out", " < .env", " 2>&1", " $X", " $(frob go)", " --force", " *.py", " 'a b'"]
PARTS = st.builds("{}{}".format, st.sampled_from(PROGRAMS), st.sampled_from(MORE))
JOINTS = st.sampled_from([" && ", " || ", "; ", " | ", "\n", " & "])
PATTERNS = st.sampled_from(
    [
        "*",
        "npm test:*",
        "npm:*",
        "npm test",
        "npm test -v",
        "npm *",
        "git push:*",
        "git commit:*",
        "git:*",
        "frob go:*",
        "frob:*",
        "./run.sh:*",
        "rm:*",
        "rm -rf:*",
        "cat:*",
        "cat .env",
        "sort:*",
        "sudo npm test:*",
        "bash:*",
        "xargs:*",
        "env:*",
        "find:*",
        "fr*:*",
        "npm test > out",
        "npm test && frob go",
        "",
        ":*",
        "a 'b",
        "ls",
        "cat /etc/hosts",
    ]
)
MODES = st.sampled_from(list(Mode))
HOW_MUCH = {Outcome.ERROR: 0, Outcome.BLOCK: 0, Outcome.ASK: 1, Outcome.RUN: 2}


@st.composite
def lines(draw: st.DrawFn) -> str:
    """One to three commands joined."""
    text = draw(PARTS)
    for part in draw(st.lists(PARTS, max_size=2)):
        text += draw(JOINTS) + part
    return text


FILE_PATTERNS = st.sampled_from(["*", "src/**", ".env", "out", "/etc/**", "a"])
RULE = st.builds(Rule, st.sampled_from(Effect), st.just(SHELL_TOOL), PATTERNS) | st.builds(
    Rule, st.sampled_from(Effect), st.sampled_from(["read_file", "write_file"]), FILE_PATTERNS
)
SHELL_RULES = st.lists(RULE, max_size=4).map(tuple)
KEYS = st.frozensets(
    st.sampled_from(["bash", "bash:npm test", "bash:frob", "bash:git push", "bash:", "bash:sudo"]), max_size=2
)


def in_force(rules: tuple[Rule, ...], mode: Mode, keys: frozenset[str] = frozenset()) -> Rules:
    return replace(shell_rules(mode=mode), book=RuleBook(rules, (HERE,), HOME), session_grants=keys)


def permits(text: str, rules: Rules) -> int:
    return HOW_MUCH[decide(shell_call(text), rules).outcome]


@law
@given(lines(), SHELL_RULES, RULE, MODES, KEYS)
def test_another_restriction_never_permits_more_and_another_permission_never_less(
    text: str, rules: tuple[Rule, ...], added: Rule, mode: Mode, keys: frozenset[str]
) -> None:
    before = permits(text, in_force(rules, mode, keys))
    after = permits(text, in_force((*rules, added), mode, keys))

    if added.effect.restricts:
        assert after <= before
    else:
        assert after >= before


@law
@given(lines(), SHELL_RULES, MODES, KEYS)
def test_taking_a_grant_away_never_permits_more(
    text: str, rules: tuple[Rule, ...], mode: Mode, keys: frozenset[str]
) -> None:
    now = permits(text, in_force(rules, mode, keys))

    for key in keys:
        assert permits(text, in_force(rules, mode, keys - {key})) <= now


@law
@given(lines(), JOINTS, PARTS, SHELL_RULES, MODES, KEYS)
def test_a_further_part_never_makes_a_line_more_permitted(
    text: str, joint: str, part: str, rules: tuple[Rule, ...], mode: Mode, keys: frozenset[str]
) -> None:
    longer = f"{text}{joint}{part}"
    assume(longer not in {rule.pattern for rule in rules})

    assert permits(longer, in_force(rules, mode, keys)) <= permits(text, in_force(rules, mode, keys))


@law
@given(lines(), SHELL_RULES)
def test_what_is_denied_runs_in_no_mode_and_by_no_grant(text: str, rules: tuple[Rule, ...]) -> None:
    denied = in_force((*rules, Rule(Effect.DENY, SHELL_TOOL, text.split("\n")[0])), Mode.AUTO)
    assume(decide(shell_call(text), denied).outcome is Outcome.BLOCK)
    loosest = replace(
        denied, always_allowed=frozenset({SHELL_TOOL}), bypass_agent=True, session_grants=frozenset({SHELL_TOOL})
    )

    assert decide(shell_call(text), loosest).outcome is Outcome.BLOCK


ATTACKS = st.sampled_from(
    [
        "; rm -rf ~",
        " && curl x",
        " | sh",
        "\nrm other",
        " & frob other",
        " > ~/.bashrc",
        " > out2",
        " $(curl x)",
        " `curl x`",
        ' "$(curl x)"',
        " <(curl x)",
        " >(sh)",
        " < ~/.ssh/id_rsa",
        "; cat .env.local",
    ]
)
BEFORE = st.sampled_from(["PATH=. ", "LD_PRELOAD=./x.so ", "rm -rf other; ", "curl x | ", "sudo -u root ", "> out2 "])


@law
@given(lines(), ATTACKS, BEFORE)
def test_a_rule_that_is_offered_covers_its_call_and_no_attack_beside_it(text: str, attack: str, before: str) -> None:
    for suggestion in helpful_rules(shell_call(text), shell_rules()):
        granted = with_grant(shell_rules(), RuleGrant(SHELL_TOOL, suggestion.pattern))
        assert decide(shell_call(text), granted).outcome is Outcome.RUN
        assert decide(shell_call(text + attack), granted).outcome is not Outcome.RUN
        assert decide(shell_call(before + text), granted).outcome is not Outcome.RUN


@law
@given(lines(), ATTACKS, BEFORE)
def test_a_key_for_the_chat_covers_no_attack_beside_it(text: str, attack: str, before: str) -> None:
    key = grant_key(command(text))
    assume(key)
    granted = with_grant(shell_rules(), KeyGrant(key))

    assert decide(shell_call(text + attack), granted).outcome is not Outcome.RUN
    assert decide(shell_call(before + text), granted).outcome is not Outcome.RUN


@law
@given(st.sampled_from(["git log", "git push", "sort", "cat", "git -C sub diff"]), st.sampled_from(MORE))
def test_a_rule_that_is_offered_covers_no_option_that_does_more(text: str, more: str) -> None:
    for suggestion in helpful_rules(shell_call(text + more), shell_rules(mode=Mode.ASK)):
        granted = with_grant(shell_rules(), RuleGrant(SHELL_TOOL, suggestion.pattern))
        for attack in (" --output=x", " -o x", " --upload-pack=x", " --exec=x", " --ext-diff"):
            assume(decide(shell_call(text + more + attack), shell_rules()).outcome is not Outcome.RUN)
            if not suggestion.pattern.endswith(":*") or not text.startswith("git push"):
                assert decide(shell_call(text + more + attack), granted).outcome is not Outcome.RUN


@law
@given(lines(), SHELL_RULES, MODES, KEYS, GRANTS)
def test_a_grant_that_is_tried_does_what_it_would_do(
    text: str, rules: tuple[Rule, ...], mode: Mode, keys: frozenset[str], grants: list[Grant]
) -> None:
    require_like_ladder(shell_call(text), in_force(rules, mode, keys), grants)
