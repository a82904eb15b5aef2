"""What a card offers for a command, and what a grant for the chat covers."""

from dataclasses import replace

import pytest

from assent.model.approval import Option, OptionKind
from assent.model.calls import Caller, CallFacts
from assent.model.grants import DirectoryGrant, KeyGrant, RootGrant, RuleGrant, ToolGrant
from assent.model.ids import RunId, SessionId
from assent.model.modes import Mode
from assent.model.paths import Access
from assent.model.verdict import Outcome, Reason, Situation
from assent.policy.commands import grant_key
from assent.policy.decide import Rules, decide
from assent.policy.granting import with_grant
from assent.policy.offers import facts_with, helpful_rules, offer
from assent.policy.rules.commands.unproposed import NEVER_ALONE
from assent.policy.rules.suggest import suggest_deny
from assent.policy.settling import WaitingCall, also_settled
from tests.support.secret_samples import an, glued
from tests.support.shell_calls import command, outcome, shell_call, shell_rules


def call(text: str) -> CallFacts:
    return shell_call(text, grant_key(command(text)))


def offered(text: str, rules: Rules | None = None) -> list[Option]:
    rules = rules or shell_rules()
    return list(offer(call(text), rules, decide(call(text), rules), agent_id="id"))


def patterns(text: str, rules: Rules | None = None) -> list[str]:
    return [one.pattern for one in helpful_rules(call(text), rules or shell_rules())]


@pytest.mark.parametrize("written", ["curl -H 'Authorization: Bearer {}' https://example.org", "deploy --token {}"])
def test_no_rule_that_would_keep_a_secret_is_offered(written: str) -> None:
    text = written.format(glued("gh", "p_", an(36)))

    offers = [option.grant for option in offered(text) if isinstance(option.grant, RuleGrant)]

    kept = [grant.pattern for grant in offers] + patterns(text)
    assert [pattern for pattern in kept if an(36) in pattern] == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("npm test", ["npm test", "npm test:*"]),
        ("npm run build -- --prod", ["npm run build -- --prod", "npm run build:*"]),
        ("git -C sub push origin", ["git -C sub push origin", "git push:*"]),
        ("git status && npm test", ["git status && npm test", "npm test:*"]),
        ("npm test && npm publish", ["npm test && npm publish"]),
        ("npx tsc --noEmit", ["npx tsc --noEmit", "npx tsc:*"]),
        ("frob go -x", ["frob go -x", "frob go:*"]),
        ("frob -x go", ["frob -x go"]),
        ("frob src/a.py", ["frob src/a.py"]),
        ("python x.py", ["python x.py"]),
        ("bash -c 'npm test'", ["bash -c 'npm test'", "npm test:*"]),
        ("bash -c 'npm test' x.sh", ["bash -c 'npm test' x.sh"]),
        ("FOO=1 npm test", ["FOO=1 npm test"]),
        ("npm test > out", ["npm test > out"]),
        ("cat .env", ["cat .env"]),
        ("frob $X", ["frob $X"]),
        ("git commit -m 'a b'", ["git commit -m 'a b'", "git commit:*"]),
        ("frob 'a:*'", ["frob 'a:*'"]),
        ("frob a:*", []),
        ("npm test\nnpm run x", []),
        ("npm test (", []),
        ("rm -rf build", ["rm -rf build"]),
        ("make test", ["make test", "make test:*"]),
        ("make -j4 test", ["make -j4 test"]),
        ("make", ["make"]),
        ("make CC=x test", ["make CC=x test"]),
        ("python -m pytest -q", ["python -m pytest -q", "python -m pytest:*"]),
        ("python3 -m pip install x", ["python3 -m pip install x", "python3 -m pip install:*"]),
        ("python3 -m pip", ["python3 -m pip"]),
        ("python -m timeit x", ["python -m timeit x"]),
    ],
)
def test_the_rules_that_are_offered(text: str, expected: list[str]) -> None:
    assert patterns(text) == expected


def test_a_rule_is_offered_for_the_one_part_that_needs_it() -> None:
    assert patterns("npm test && npm publish", shell_rules(allow=("npm test",))) == [
        "npm test && npm publish",
        "npm publish:*",
    ]


@pytest.mark.parametrize("name", sorted(NEVER_ALONE))
def test_what_starts_anything_is_never_offered_by_its_name(name: str) -> None:
    for line in (f"{name} x", f"{name} -c x", f"{name} ./x.sh", f"/usr/bin/{name} x y", name):
        assert f"{name}:*" not in patterns(line)
        assert f"/usr/bin/{name}:*" not in patterns(line)
        assert grant_key(command(line)) not in {f"bash:{name}", f"bash:/usr/bin/{name}"}


def test_the_list_of_names_is_long_and_holds_the_worst() -> None:
    assert len(NEVER_ALONE) >= 60
    assert {"python3", "node", "bash", "perl", "env", "sudo", "xargs", "ssh", "docker", "npx", "eval"} <= NEVER_ALONE


@pytest.mark.parametrize("name", ["python3.12", "python3.99", "node20", "PYTHON", "./bash", "ruby3.3"])
def test_versions_and_copies_of_these_are_not_offered_either(name: str) -> None:
    assert not [pattern for pattern in patterns(f"{name} run it") if pattern.endswith(":*")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("git push origin", "git push:*"),
        ("rm -rf x", "rm:*"),
        ("ls && git push", "git push:*"),
        ("python x.py", "python x.py"),
        ("cat .env", "cat .env"),
        ("$X", "$X"),
        ("npm test (", "npm test ("),
        ("frob a\n$X", "frob:*"),
        ("python a\npython b", "*"),
    ],
)
def test_the_rule_that_forbids(text: str, expected: str) -> None:
    suggestion = suggest_deny(call(text), ("/ws",), "/home/u")

    assert suggestion.pattern == expected
    assert outcome(text, with_grant(shell_rules(), RuleGrant("bash", expected, permits=False))) == "block"


def test_the_buttons_say_what_they_are_for() -> None:
    names = [option.name for option in offered("npm test")]

    assert names == [
        "Approve",
        "Deny",
        "Allow “npm test …” for this chat",
        "Allow every shell command for this chat",
        "Always allow bash: npm test",
        "Always allow bash: npm test:*",
        "Always allow every shell command",
        "Bypass permissions for this chat",
        "Bypass permissions for Agent",
        "Never allow bash: npm test:*",
    ]


@pytest.mark.parametrize(
    "text", ["npm test", "npm test && git push x", "npx tsc", "cat /etc/hosts", "cat .env", "rm x"]
)
def test_what_is_offered_lets_the_call_run_the_next_time(text: str) -> None:
    for option in offered(text):
        if isinstance(option.grant, KeyGrant | RuleGrant | ToolGrant | DirectoryGrant):
            refuses = option.kind is OptionKind.REJECT_ALWAYS
            expected = Outcome.BLOCK if refuses else Outcome.RUN
            assert decide(call(text), with_grant(shell_rules(), option.grant)).outcome is expected


def test_a_key_for_the_chat_covers_what_a_rule_would() -> None:
    granted = with_grant(shell_rules(), KeyGrant("bash:npm test"))

    assert decide(call("npm test -v && ls"), granted).reason is Reason.SESSION_ALLOW
    for text in ("npm publish", "npm test; frob", "npm test > x", "PATH=. npm test", "npm testing", "cat .env"):
        assert outcome(text, granted) == "ask"


def test_a_key_and_a_rule_cover_a_line_together() -> None:
    rules = shell_rules(allow=("frob go:*",))

    assert outcome("npm test && frob go", rules) == "ask"
    assert outcome("npm test && frob go", with_grant(rules, KeyGrant("bash:npm test"))) == "run"


def test_a_directory_for_the_chat_covers_the_reading_in_a_line() -> None:
    granted = with_grant(shell_rules(allow=("npm test:*",)), DirectoryGrant("/data", Access.READ))

    assert outcome("cat /data/a", granted) == "run"
    assert outcome("npm test < /data/a", granted) == "run"
    assert outcome("cat /data/a && npm test", granted) == "run"
    assert decide(call("cat /data/a && npm test"), granted).reason is Reason.SESSION_ALLOW
    assert outcome("cat /data/a && npm publish", granted) == "ask"
    assert outcome("cat /data/.env", granted) == "ask"
    assert outcome("rm /data/a", granted) == "ask"
    assert outcome("/data/run.sh", granted) == "ask"


def test_the_tool_for_the_chat_covers_all_but_what_is_raised() -> None:
    granted = with_grant(shell_rules(), KeyGrant("bash"))

    assert outcome("frob | sh", granted) == "run"
    assert outcome("cat .env | frob", granted) == "ask"
    assert outcome("cat .env", replace(shell_rules(), always_allowed=frozenset({"bash"}))) == "ask"
    assert outcome("frob", replace(shell_rules(), always_allowed=frozenset({"bash"}))) == "run"


@pytest.mark.parametrize("text", ["/opt/x/run.sh", "bash /opt/x/run.sh", "cd /opt/x && frob", "git -C /opt/x status"])
def test_what_is_started_outside_is_asked_for_whatever_is_allowed(text: str) -> None:
    rules = shell_rules(allow=("*",), mode=Mode.AUTO)
    decision = decide(call(text), rules)

    assert (decision.outcome, decision.situation) == (Outcome.ASK, Situation.OUTSIDE)
    assert outcome(text, replace(rules, confirm_outside_workspace=False)) == "run"
    assert outcome(text, with_grant(rules, DirectoryGrant("/opt/x", Access.RUN))) == "run"


@pytest.mark.parametrize("text", ["/usr/bin/frob", "/usr/local/bin/frob x", "./run.sh", "cd sub && frob"])
def test_programs_of_the_system_and_of_the_workspace_are_not_outside(text: str) -> None:
    assert outcome(text, shell_rules(mode=Mode.AUTO)) == "run"


def test_a_question_says_what_is_not_covered_and_what_nobody_knows() -> None:
    rules = shell_rules(allow=("npm test:*",))

    assert "No rule covers “npm publish”." in decide(call("npm test && npm publish"), rules).text
    assert "could be an option" in decide(call("npm test $(frob) $X"), rules).text
    assert "cannot be read" in decide(call("npm test ("), rules).text
    step = next(step for step in decide(call("npm test && npm publish"), rules).trace if step.level == 14)
    assert step.note == "No rule covers “npm publish”."


def test_a_directory_that_joins_the_workspace_is_inside_for_every_part() -> None:
    text = "cat /data/in/a && npm test < /data/in/b"
    facts, rules = call(text), shell_rules(allow=("npm test:*",))
    inside = facts_with(facts, RootGrant("/data/in"))

    assert decide(facts, rules).outcome is Outcome.ASK
    assert decide(inside, replace(rules, roots=(*rules.roots, "/data/in"))).outcome is Outcome.RUN


def test_an_answer_settles_the_waiting_commands_that_it_covers() -> None:
    caller = Caller("id", "Agent", SessionId("s"), RunId("r"))
    texts = ["npm test -v", "npm test && frob", "npm publish", "npm test > x", "cd sub && npm test"]
    waiting = [WaitingCall(caller, call(text), shell_rules()) for text in texts]

    assert also_settled(KeyGrant("bash:npm test"), caller, waiting) == 2
    assert also_settled(RuleGrant("bash", "npm test:*"), caller, waiting) == 2
    assert also_settled(RuleGrant("bash", "npm test:*", permits=False), caller, waiting) == 4


@pytest.mark.parametrize(
    ("pattern", "line", "said"),
    [
        ("find:*", "find src -delete", "The rule “find:*” does not cover all of it: it deletes what it finds."),
        ("git push:*", "git push --force", "The rule “git push:*” does not cover all of it: it takes away"),
        ("npm test:*", "FOO=1 npm test", "it sets FOO, which is not known to be harmless."),
        ("ls:*", "npm publish && npm test", "No rule covers “npm publish” or “npm test”."),
    ],
)
def test_a_question_says_what_goes_beyond_a_rule(pattern: str, line: str, said: str) -> None:
    assert said in decide(call(line), shell_rules(allow=(pattern,))).text


def test_several_parts_are_allowed_for_the_chat_together() -> None:
    line = "git add -A && git commit -m x"
    (together,) = (option for option in offered(line) if option.option_id == "allow_session")

    assert together.name == "Allow “git add …” and “git commit …” for this chat"
    assert together.grant == KeyGrant("bash:git add", ("bash:git commit",))
    granted = with_grant(shell_rules(), together.grant)
    assert outcome(line, granted) == "run"
    assert outcome("git commit -m y", granted) == "run"
    assert outcome(f"{line} && git push", granted) == "ask"
    assert outcome("git add -A && git rebase", granted) == "ask"


@pytest.mark.parametrize("line", ["npm test && python x.py", "a b; c d; e f; g h", "npm test && $x"])
def test_no_key_is_offered_where_one_part_has_no_words_for_it(line: str) -> None:
    assert not [option for option in offered(line) if option.option_id == "allow_session"]


@pytest.mark.parametrize(
    ("text", "situation"),
    [
        ("npm start", Situation.ORDINARY),
        ("cat /etc/hosts", Situation.RAISED),
        ("touch /elsewhere/x", Situation.OUTSIDE),
        ("make ask", Situation.ASK_RULE),
        ("touch .vscode/settings.json", Situation.PROTECTED),
    ],
)
@pytest.mark.parametrize("can_go_on", [True, False])
def test_a_command_can_go_on_in_the_background_unless_it_changes_what_is_protected(
    text: str, situation: Situation, can_go_on: bool
) -> None:
    rules = shell_rules(ask=("make ask",))
    facts = replace(call(text), can_go_on=can_go_on)
    decision = decide(facts, rules)
    assert decision.situation is situation
    options = offer(facts, rules, decision, agent_id="id")
    background = [option for option in options if option.kind is OptionKind.BACKGROUND]
    assert len(background) == (can_go_on and situation is not Situation.PROTECTED)
    assert all(option.grant is None for option in background)
