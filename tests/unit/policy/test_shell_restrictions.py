"""Which commands a deny or ask rule stops, which it asks about in doubt, and which it has nothing to do with."""

import pytest

from assent.model.commands import Command
from assent.model.grants import RuleGrant
from assent.model.modes import Mode
from assent.model.verdict import Outcome, Reason, Situation
from assent.policy.decide import decide
from assent.policy.granting import with_grant
from assent.policy.rules.rule import Effect, Rule
from tests.support.shell_calls import outcome, shell_call, shell_rules

DENIED = [
    ("git push:*", "git push"),
    ("git push:*", "git push --force origin"),
    ("git push:*", "git -C sub push"),
    ("git push:*", "git -c a.b=c --no-pager push"),
    ("git push:*", "GIT push"),
    ("git push:*", "/usr/bin/git push"),
    ("git push:*", "g'i't \"push\""),
    ("git push:*", "gi\\t pu\\sh"),
    ("git push:*", "git status && git push"),
    ("git push:*", "ls | git push"),
    ("git push:*", "echo $(git push)"),
    ("git push:*", "cat <(git push)"),
    ("git push:*", "(cd sub; git push)"),
    ("git push:*", "if true; then git push; fi"),
    ("git push:*", "p() { git push; }; p"),
    ("git push:*", "A=push; git $A"),
    ("git push:*", "for v in pull push; do git $v; done"),
    ("git push:*", "sudo git push"),
    ("git push:*", "env X=1 git push"),
    ("git push:*", "timeout 5 git push"),
    ("git push:*", "nohup git push"),
    ("git push:*", "bash -c 'git push'"),
    ("git push:*", 'sh -c "cd x && git push"'),
    ("git push:*", "eval git push"),
    ("git push:*", "find . -exec git push ';'"),
    ("git push:*", "echo x | xargs git push"),
    ("git push:*", "echo git push | bash"),
    ("git push:*", "bash <<E\ngit push\nE"),
    ("git push:*", "trap 'git push' EXIT"),
    ("git push:*", "git submodule foreach 'git push'"),
    ("git push:*", "git -c alias.p=push p"),
    ("git push:*", "/usr/lib/git-core/git-push origin"),
    ("git push:*", "busybox git push"),
    ("git push:*", "ssh host git push"),
    ("git push --force:*", "git push --force"),
    ("git push --force:*", "git push origin main --force"),
    ("git push --force:*", "git push -f origin"),
    ("git push origin:*", "git push -u origin main"),
    ("git * --force:*", "git push --force"),
    ("rm -rf:*", "rm -rf x"),
    ("rm -rf:*", "rm -fr x"),
    ("rm -rf:*", "rm -r -f x"),
    ("rm -rf:*", "rm x -rf"),
    ("rm -rf:*", "rm --recursive --force x"),
    ("rm -r:*", "rm -rf x"),
    ("rm -rf /:*", "rm -rf /"),
    ("rm:*", "\\rm x"),
    ("rm:*", "command rm x"),
    ("rm:*", "RM x"),
    ("rm:*", "find . -name x | xargs rm"),
    ("rm", "rm"),
    ("git status", "git status"),
    ("frob a --x -y", "frob -y a --x"),
    ("frob -ab", "frob -b -a"),
    ("npm install:*", "npm i left-pad"),
    ("npm install:*", "npm add left-pad"),
    ("npm publish:*", "npm publ --tag x"),
    ("frob*:*", "frobnicate x"),
    ("*:*", "ls"),
    ("frob go:*", "frob --color go"),
    ("frob go:*", "frob --dir x go"),
    ("frob go:*", "FROB go"),
    ("deploy.sh:*", "bash ./deploy.sh prod"),
    ("./deploy.sh:*", "scripts/../deploy.sh"),
    ("curl x | sh", "curl x | sh"),
    ("LANG=C frob:*", "frob"),
    ("''", "ls"),
    ("a 'b", "ls"),
    ("frob:*", "frob ("),
    ("frob go:*", "frob now && go ("),
]


@pytest.mark.parametrize(("pattern", "text"), DENIED)
def test_a_denied_command_is_blocked_whatever_else_is_allowed(pattern: str, text: str) -> None:
    assert outcome(text, shell_rules(deny=(pattern,), allow=("*", text), mode=Mode.AUTO)) == "block"
    assert outcome(text, shell_rules(ask=(pattern,), allow=("*", text), mode=Mode.AUTO)) == "ask"


NOT_MEANT = [
    ("git push:*", "git log --grep push"),
    ("git push:*", "git stash push"),
    ("git push:*", "git commit -m 'git push'"),
    ("git push:*", "git commit -m push"),
    ("git push:*", "git -C push status"),
    ("git push:*", "git pull"),
    ("git push:*", "echo git push"),
    ("git push:*", "grep -r 'git push' docs"),
    ("git push:*", "cat push"),
    ("git push:*", "gitpush"),
    ("git push:*", "frob push"),
    ("git push --force:*", "git push"),
    ("git push --force:*", "git push --force-with-lease"),
    ("git push origin:*", "git push other"),
    ("rm:*", "rmdir x"),
    ("rm:*", "grep rm x"),
    ("rm:*", "ls rm"),
    ("rm:*", "echo rm -rf /"),
    ("rm:*", "git rm x"),
    ("rm:*", "npm run rm"),
    ("rm:*", "make -C rm"),
    ("rm:*", "mkdir rm"),
    ("rm -rf:*", "rm -r x"),
    ("rm -rf:*", "rm x"),
    ("rm -rf /:*", "rm -rf build"),
    ("rm", "rm x"),
    ("git status", "git status -s"),
    ("frob a b", "frob a"),
    ("frob go:*", "frob stop go"),
    ("frob go:*", "frob stop"),
    ("frob -x:*", "frob x"),
    ("frob -X:*", "frob -x"),
    ("frob -delete:*", "frob -d -elt"),
    ("npm install:*", "npm run install"),
    ("npm publish:*", "npm test publish"),
    ("npm testing:*", "npm test"),
    ("git push:*", "git pus"),
    ("docker run:*", "docker ps run"),
    ("curl:*", "git clone curl"),
    ("curl x | sh", "curl x"),
    ("python:*", "python3 x.py"),
    ("sudo:*", "echo sudo"),
]


@pytest.mark.parametrize(("pattern", "text"), NOT_MEANT)
def test_nothing_else_is_blocked_or_asked_about(pattern: str, text: str) -> None:
    assert outcome(text, shell_rules(deny=(pattern,), mode=Mode.AUTO)) == "run"
    assert outcome(text, shell_rules(ask=(pattern,), mode=Mode.AUTO)) == "run"


DOUBTS = [
    ("rm:*", "sed 's/a/b/e' f"),
    ("rm:*", "sed -n '1e' f"),
    ("rm:*", "awk '{print | \"sh\"}' f"),
    ("rm:*", 'awk \'BEGIN{c="r";c=c "m x";system(c)}\''),
    ("rm:*", "gawk '@load \"x\"'"),
    ("rm:*", "make -f - <<< $'a:\\n\\trm x'"),
    ("rm:*", "cp /bin/rm q && ./q x"),
    ("rm:*", "install /usr/bin/rm q"),
    ("rm:*", "cat /bin/rm > q"),
    ("rm:*", "$TOOL x"),
    ("rm:*", "$(cat tool) x"),
    ("rm:*", 'bash -c "$TEXT"'),
    ("rm:*", 'eval "$TEXT"'),
    ("rm:*", "cat x | sh"),
    ("rm:*", "r$X y"),
    ("git push:*", "git $VERB"),
    ("git push --force:*", "git push $MORE"),
    ("git push origin:*", "git push $WHERE"),
    ("rm:*", "python -c 'import os; os.system(\"rm x\")'"),
    ("rm:*", "node -e \"require('child_process').execSync('rm x')\""),
    ("rm:*", "perl -e 'system(\"rm\")'"),
    ("rm:*", "cat ("),
    ("frob a", "frob $A"),
    ("git push:*", "frobnicate --run git push"),
    ("rm:*", "frobnicate rm x"),
    ("rm:*", "frobnicate 'rm x'"),
    ("reboot:*", "frobnicate -d reboot"),
    ("git push:*", "frobnicate 'cd x; git push'"),
    ("git push:*", "python3 <<< 'import os; os.system(\"git push\")'"),
    ("git push:*", "echo 'os.system(\"git push\")' | python3"),
    ("git push:*", "frobnicate <<E\ngit push\nE"),
    ("git push:*", "tar --to-command='git push' -x -f a.tar"),
    ("git push:*", "sed '1e git push' notes.txt"),
]


@pytest.mark.parametrize(("pattern", "text"), DOUBTS)
@pytest.mark.parametrize("effect", [Effect.DENY, Effect.ASK])
def test_what_could_be_meant_is_asked_about_even_where_everything_runs(pattern: str, text: str, effect: Effect) -> None:
    rules = shell_rules(
        deny=(pattern,) if effect is Effect.DENY else (),
        ask=(pattern,) if effect is Effect.ASK else (),
        allow=("*", text),
        mode=Mode.AUTO,
    )
    decision = decide(shell_call(text), with_grant(rules, RuleGrant("bash", "*")))

    assert (decision.outcome, decision.reason) == (Outcome.ASK, Reason.ASK_RULE)
    assert decision.situation is Situation.ASK_RULE
    assert pattern in decision.text
    assert decision.rule is not None and decision.rule.pattern == pattern


NO_DOUBTS = [
    ("rm:*", "awk '{print $1 > 2}' f"),
    ("rm:*", "cp /bin/ls q"),
    ("rm:*", "cp docs/rm q"),
    ("rm:*", "sed 's/a/b/g' f"),
    ("rm:*", "git $VERB"),
    ("rm:*", "ls $WHERE"),
    ("rm:*", "npm test $MORE"),
    ("git push --force:*", "git status $MORE"),
    ("rm:*", "python x.py"),
    ("rm:*", "python -c 'print(1)'"),
    ("rm:*", "node -e 'console.log(\"firmware\")'"),
    ("rm:*", "bash -c 'grep rm x'"),
    ("git push:*", "git log $MORE"),
    ("git push:*", "frobnicate git pull"),
    ("git push:*", "frobnicate push git"),
    ("rm:*", "frobnicate rm"),
    ("git push:*", "cat <<E\ngit push\nE"),
    ("git push:*", "echo 'git push' | grep git"),
    ("git push:*", "sed 's/git push/x/' notes.txt"),
]


@pytest.mark.parametrize(("pattern", "text"), NO_DOUBTS)
def test_what_cannot_be_meant_is_no_doubt(pattern: str, text: str) -> None:
    assert outcome(text, shell_rules(deny=(pattern,), mode=Mode.AUTO)) == "run"


FILES = [
    (Rule(Effect.DENY, "read_file", "secret.txt"), "cat secret.txt", "block"),
    (Rule(Effect.DENY, "read_file", "secret.txt"), "cat < secret.txt", "block"),
    (Rule(Effect.DENY, "read_file", "secret.txt"), "cp secret.txt x", "block"),
    (Rule(Effect.DENY, "read_file", "secret.txt"), "bash -c 'cat secret.txt'", "block"),
    (Rule(Effect.DENY, "read_file", "secret.txt"), "echo hi > secret.txt", "run"),
    (Rule(Effect.DENY, "read_file", "secret.txt"), "cat other.txt", "run"),
    (Rule(Effect.DENY, "read_file", "secret.txt"), "grep -r x .", "ask"),
    (Rule(Effect.DENY, "read_file", "//private/**"), "grep -r x .", "run"),
    (Rule(Effect.DENY, "list_files", "hidden/"), "ls hidden", "block"),
    (Rule(Effect.ASK, "read_file", "secret.txt"), "cat secret.txt", "ask"),
    (Rule(Effect.DENY, "write_file", "lib/**"), "echo hi > lib/a", "block"),
    (Rule(Effect.DENY, "write_file", "lib/**"), "rm lib/a", "block"),
    (Rule(Effect.DENY, "write_file", "lib/**"), "rm -rf lib", "block"),
    (Rule(Effect.DENY, "edit_file", "lib/**"), "cp a lib/a", "block"),
    (Rule(Effect.DENY, "write_file", "lib/**"), "cat lib/a", "run"),
    (Rule(Effect.DENY, "write_file", "lib/**"), "echo hi > src/a", "run"),
]


@pytest.mark.parametrize(("rule", "text", "expected"), FILES)
def test_rules_for_files_hold_for_commands_as_well(rule: Rule, text: str, expected: str) -> None:
    assert outcome(text, shell_rules(files=(rule,), mode=Mode.AUTO)) == expected


def test_a_command_that_is_not_known_is_asked_about_where_a_rule_could_mean_it() -> None:
    facts = shell_call("ls")
    unknown = type(facts)(facts.tool, True, facts.category, command=None)

    assert decide(unknown, shell_rules(deny=("rm:*",), mode=Mode.AUTO)).outcome is Outcome.ASK
    assert decide(unknown, shell_rules(deny=("*",), mode=Mode.AUTO)).outcome is Outcome.BLOCK


def test_a_rule_for_another_agent_does_not_hold() -> None:
    other = Rule(Effect.DENY, "bash", "rm:*", agents=("Somebody else",))

    assert outcome("rm x", shell_rules(files=(other,), mode=Mode.AUTO)) == "run"
    assert outcome("$X", shell_rules(files=(other,), mode=Mode.AUTO)) == "run"


def test_the_first_of_several_rules_is_named() -> None:
    rules = shell_rules(deny=("ls:*", "rm:*", "rm x"), mode=Mode.AUTO)
    decision = decide(shell_call("rm x"), rules)

    assert decision.rule is not None and decision.rule.pattern == "rm:*"
    assert isinstance(shell_call("rm x").command, Command)
