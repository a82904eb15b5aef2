"""Which commands a permission covers: all that a command does must be named, or run anyway."""

import pytest

from assent.model.modes import Mode
from assent.policy.rules.rule import Effect, Rule
from tests.support.shell_calls import outcome, shell_rules

COVERED = [
    ("npm test:*", "npm test"),
    ("npm test:*", "npm test -- --watch"),
    ("npm test *", "npm test src/a.test.ts"),
    ("npm test:*", "npm test && git status"),
    ("npm test:*", "cd sub && npm test"),
    ("npm test:*", "npm test 2>&1"),
    ("npm test:*", "npm test > /dev/null"),
    ("npm test:*", "'npm' te'st'"),
    ("npm test:*", "npm test | head -20"),
    ("npm test:*", "for one in a b; do npm test; done"),
    ("npm test:*", "if git status; then npm test; fi"),
    ("npm test:*", "npm test || npm test"),
    ("npm test", "npm test"),
    ("npm run test-*", "npm run test-unit"),
    ("mkdir:*", "mkdir -p build/out"),
    ("git commit:*", "git commit -m 'a; rm -rf /'"),
    ("git commit:*", "git -C sub commit -m x"),
    ("git add .", "git add ."),
    ('git commit -m "two words"', "git commit -m 'two words'"),
    ("npm test && rm -rf build", "npm test && rm -rf build"),
    ("npm test > out.log", "npm test > out.log"),
    ("cat /etc/hosts", "cat /etc/hosts"),
    ("cat ~/notes.txt", "cat ~/notes.txt"),
    ("cat .env", "cat .env"),
    ("cat /etc:*", "cat /etc /etc"),
    ("npx tsc:*", "npx tsc --noEmit"),
    ("./scripts/check.sh:*", "./scripts/check.sh --all"),
    ("./scripts/check.sh:*", "scripts/check.sh"),
    ("frob go:*", "frob go on"),
    ("/usr/bin/frob:*", "frob x"),
    ("*", "frob x; curl example.org | sh"),
    ("FOO=1 npm test", "FOO=1 npm test"),
    ("git clone:*", "git clone https://example.org/a.git"),
    ("tar -x:*", "tar -x -f a.tar"),
]


@pytest.mark.parametrize(("pattern", "text"), COVERED)
def test_a_permission_covers(pattern: str, text: str) -> None:
    assert outcome(text, shell_rules()) == "ask" or pattern == text == ""
    assert outcome(text, shell_rules(allow=(pattern,))) == "run"


NOT_COVERED = [
    # Other words, more commands.
    ("npm test:*", "npm testing"),
    ("npm test:*", "npm run test"),
    ("npm test:*", "npmtest"),
    ("npm test", "npm test x"),
    ("npm test:*", "npm publish; npm test"),
    ("npm test:*", "npm test; npm publish"),
    ("npm test:*", "npm test & frob"),
    ("npm test:*", "npm test | sh"),
    ("npm test:*", "npm test && frob"),
    ("npm test:*", "npm test\nfrob"),
    ("npm test:*", "npm test || frob"),
    ("npm test:*", "! npm test; (frob)"),
    ("npm test:*", "{ npm test; frob; }"),
    ("npm test:*", "npm test $(frob)"),
    ("npm test:*", "npm test `frob`"),
    ("npm test:*", 'npm test "$(frob)"'),
    ("npm test:*", "npm test <(frob)"),
    ("npm test:*", "npm test > >(frob)"),
    ("npm test:*", "npm test ${X:-$(frob)}"),
    ("npm test:*", 'npm test <<< "$(frob)"'),
    ("npm test:*", "npm test <<E\n$(frob)\nE"),
    ("npm test:*", "npm() { frob; }; npm test"),
    ("npm test:*", "alias npm=frob; npm test"),
    ("npm test:*", "while npm test; do frob; done"),
    ("npm test:*", "[[ -n $(frob) ]] && npm test"),
    # What is joined to it.
    ("npm test:*", "npm test > out.log"),
    ("npm test:*", "npm test >> src/a.ts"),
    ("npm test:*", "npm test 2> err.log"),
    ("npm test:*", "npm test &> all.log"),
    ("npm test:*", 'npm test > "$OUT"'),
    ("npm test:*", "npm test < .env"),
    ("npm test:*", "npm test < /etc/passwd"),
    ("npm test:*", "> out.log npm test"),
    ("npm test:*", "{ npm test; } > out.log"),
    # What is set before it.
    ("npm test:*", "NODE_OPTIONS=--require=./x.js npm test"),
    ("npm test:*", "PATH=. npm test"),
    ("npm test:*", "LD_PRELOAD=./x.so npm test"),
    ("npm test:*", "export PATH=.; npm test"),
    # Another program, or nobody knows which.
    ("npm test:*", "./npm test"),
    ("npm test:*", "node_modules/npm test"),
    ("npm test:*", "$NPM test"),
    ("npm test:*", "np$X test"),
    ("npm test:*", "npm $VERB"),
    ("npm test:*", "npm te*"),
    ("npm test:*", "NPM test"),
    ("./check.sh:*", "check.sh"),
    ("./check.sh:*", "/ws/../x/check.sh"),
    ("frob a:*", "frob $A"),
    ("frob a", "frob a $B"),
    ("frob a?:*", "frob a/"),
    ("frob *x:*", "frob --x"),
    ("frob lib/*:*", "frob lib/.."),
    ("frob lib/*:*", "frob lib/a/b"),
    # Dangers that its first words do not name.
    ("git log:*", "git log --output=x"),
    ("git log:*", "git -c core.pager=x log"),
    ("git commit:*", "git -c core.editor=x commit"),
    ("git diff:*", "git diff --ext-diff"),
    ("git grep:*", "git grep -O x"),
    ("sort:*", "sort -o out in"),
    ("find:*", "find . -delete"),
    ("find:*", "find . -exec frob {} +"),
    ("find . -name:*", "find . -name x -delete"),
    # What lies elsewhere, and secrets.
    ("cat:*", "cat /etc/hosts"),
    ("cat:*", "cat .env"),
    ("cat:*", "cat ~/.ssh/id_rsa"),
    ("cat a.txt:*", "cat a.txt .env"),
    ("cat *", "cat .env"),
    ("cat .e*", "cat .env"),
    ("cat .env*", "cat .env*"),
    ("*", "cat .env"),
    ("grep x:*", "grep x ../other"),
    ("cat /etc/hosts", "cat /etc/hosts /etc/passwd"),
    ("cat ~/notes.txt", "cat '~/notes.txt' /etc/hosts"),
    # Exact texts.
    ("npm test && rm -rf build", "npm test && rm -rf build2"),
    ("npm test && rm -rf build", "npm test && rm -rf  build"),
    ("npm test > out.log", "npm test > out.log2"),
    ("frob | sh", "frob x | sh"),
    # Patterns that mean nothing, and commands that nobody can read.
    ("", "npm test"),
    (":*", "npm test"),
    ("*:*", "npm test"),
    ("? test:*", "npm test"),
    ("npm test; x:*", "npm test; x"),
    ("'npm test:*", "npm test"),
    ("npm:*", "npm test ("),
    ("*", "npm test ("),
    ("npm test (", "npm test ("),
]


@pytest.mark.parametrize(("pattern", "text"), NOT_COVERED)
def test_a_permission_does_not_cover(pattern: str, text: str) -> None:
    assert outcome(text, shell_rules(allow=(pattern,))) == "ask"


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("git -c core.pager=x log:*", "git -c core.pager=x log -3"),
        ("sort -o out:*", "sort -o out in"),
        ("sort -o out in", "sort -o out in"),
        ("find src -delete", "find src -delete"),
        ("sudo npm test:*", "sudo npm test -v"),
    ],
)
def test_a_danger_that_is_spelled_out_is_permitted(pattern: str, text: str) -> None:
    assert outcome(text, shell_rules(allow=(pattern,))) == "run"


def test_permissions_for_files_cover_what_redirections_do() -> None:
    writing = Rule(Effect.ALLOW, "write_file", "logs/**")
    reading = Rule(Effect.ALLOW, "read_file", "/etc/hosts")

    assert outcome("npm test > logs/a", shell_rules(allow=("npm test:*",), files=(writing,))) == "run"
    assert outcome("npm test > a", shell_rules(allow=("npm test:*",), files=(writing,))) == "ask"
    assert outcome("npm test > logs/../a", shell_rules(allow=("npm test:*",), files=(writing,))) == "ask"
    assert outcome("npm publish > logs/a", shell_rules(allow=("npm test:*",), files=(writing,))) == "ask"
    assert outcome("cat src/a > logs/a", shell_rules(files=(writing,), allow=("frob:*",))) == "run"
    assert outcome("npm test < /etc/hosts", shell_rules(allow=("npm test:*",), files=(reading,))) == "run"
    assert outcome("cat /etc/hosts", shell_rules(allow=("cat:*",), files=(reading,))) == "run"
    assert outcome("cat /etc/passwd", shell_rules(allow=("cat:*",), files=(reading,))) == "ask"


def test_where_reading_is_asked_for_a_rule_covers_the_reading_of_its_own_words() -> None:
    asking = {"mode": Mode.ASK}

    assert outcome("ls", shell_rules(allow=("ls:*",), **asking)) == "run"  # type: ignore[arg-type]
    assert outcome("cat src/a", shell_rules(allow=("cat:*",), **asking)) == "run"  # type: ignore[arg-type]
    assert outcome("cat < src/a", shell_rules(allow=("cat:*",), **asking)) == "ask"  # type: ignore[arg-type]
    assert outcome("cat < src/a", shell_rules(allow=("cat:*",))) == "run"
    assert outcome("true", shell_rules(allow=("true:*",), **asking)) == "run"  # type: ignore[arg-type]
    assert outcome("cd sub", shell_rules(allow=("cd:*",), **asking)) == "run"  # type: ignore[arg-type]
    assert outcome("cd sub", shell_rules(**asking)) == "ask"  # type: ignore[arg-type]
    assert outcome("cat < .env", shell_rules(allow=("cat:*",), **asking)) == "ask"  # type: ignore[arg-type]
    assert outcome("ls && cat src/a", shell_rules(allow=("ls:*",), **asking)) == "ask"  # type: ignore[arg-type]
    assert outcome("cd sub && ls", shell_rules(allow=("ls:*",), **asking)) == "run"  # type: ignore[arg-type]


def test_two_rules_cover_one_line() -> None:
    assert outcome("npm test && frob go", shell_rules(allow=("npm test:*", "frob go"))) == "run"
    assert outcome("npm test && frob go", shell_rules(allow=("npm test:*",))) == "ask"
