"""No call that an accepted offer lets run is graver than the call for which it was offered.

What is grave about a line is said here, by hand and without looking at what the product knows of it. Lines of one group
begin alike, so a rule on the first words of one could speak of another.
"""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.model.approval import OptionKind
from assent.model.grants import KeyGrant, RuleGrant
from assent.model.modes import Category, Mode
from assent.policy.commands import grant_key
from assent.policy.decide import decide
from assent.policy.granting import with_grant
from assent.policy.matrix import Cell
from assent.policy.offers import offer
from assent.policy.rules_in_force import Rules
from tests.support.ladder import law
from tests.support.shell_calls import command, outcome, shell_call, shell_rules

# deletes: what cannot be brought back goes. publishes: others see or lose something. cluster: a running system changes.
# code: any code runs. elsewhere: something comes from, or goes to, a place that nobody chose. secrets: they are shown.
GROUPS: dict[str, dict[str, str]] = {
    **{
        f"{runner} python": {f"{runner} python a.py": "", f"{runner} python -c 'x()'": "code"}
        for runner in ("uv run", "poetry run", "pdm run", "hatch run", "rye run", "conda run", "pipenv run", "pixi run")
    },
    **{
        f"{runner} node": {
            f"{runner} node a.js": "",
            f"{runner} node -e 'x()'": "code",
            f"{runner} tsx a.ts": "",
            f"{runner} tsx -e 'x()'": "code",
            f"{runner} prisma generate": "",
            f"{runner} prisma migrate reset": "deletes",
            f"{runner} eslint .": "",
            f"{runner} sh -c x": "code",
        }
        for runner in ("npx", "npm exec", "pnpm exec", "yarn exec", "bunx", "pnpm dlx")
    },
    "bundle": {
        "bundle exec rspec": "",
        "bundle exec ruby a.rb": "",
        "bundle exec ruby -e x": "code",
        "bundle exec rake test": "",
        "bundle exec rake db:drop": "deletes",
    },
    "cargo": {
        "cargo publish --dry-run": "",
        "cargo publish": "publishes",
        "cargo build": "",
        "cargo yank --version 1 x": "publishes",
    },
    "npm": {
        "npm publish --dry-run": "",
        "npm publish": "publishes",
        "npm install": "",
        "npm install left-pad": "",
        "npm install https://example.org/x.tgz": "elsewhere",
        "npm install ./x.tgz": "elsewhere",
        "npm install user/repository": "elsewhere",
        "npm install git+ssh://git@example.org/x": "elsewhere",
        "npm i github:user/x": "elsewhere",
        "npm test": "",
        "npm unpublish x": "publishes",
    },
    "python packages": {
        "pip install requests": "",
        "pip install 'requests[socks]>=2,<3'": "",
        "pip install git+https://example.org/x": "elsewhere",
        "pip install https://example.org/x.whl": "elsewhere",
        "pip install 'x @ https://example.org/x'": "elsewhere",
        "python -m pip install requests": "",
        "python -m pip install git+https://example.org/x": "elsewhere",
        "uv add requests": "",
        "uv add git+https://example.org/x": "elsewhere",
        "uv pip install x": "",
        "uv pip install git+https://example.org/x": "elsewhere",
        "poetry add x": "",
        "poetry add git+https://example.org/x": "elsewhere",
        "uv publish --dry-run": "",
        "uv publish": "publishes",
    },
    "git": {
        "git checkout -b topic": "",
        "git checkout topic": "",
        "git checkout -- .": "deletes",
        "git checkout .": "deletes",
        "git checkout -f topic": "deletes",
        "git checkout HEAD -- src/a.py": "deletes",
        "git switch -c topic": "",
        "git switch topic": "",
        "git switch --discard-changes topic": "deletes",
        "git restore --staged a": "",
        "git restore a": "deletes",
        "git restore .": "deletes",
        "git reset HEAD a": "",
        "git reset": "",
        "git reset --hard": "deletes",
        "git reset --hard origin/main": "deletes",
        "git clean -n": "",
        "git clean -fdx": "deletes",
        "git clean -fd": "deletes",
        "git stash": "",
        "git stash push -m x": "",
        "git stash drop": "deletes",
        "git stash clear": "deletes",
        "git branch topic": "",
        "git branch -D topic": "deletes",
        "git branch -d topic": "deletes",
        "git branch -f main HEAD~3": "deletes",
        "git tag v1": "",
        "git tag -d v1": "deletes",
        "git fetch": "",
        "git fetch origin": "",
        "git fetch https://example.org/x": "elsewhere",
        "git pull": "",
        "git pull https://example.org/x main": "elsewhere",
        "git push": "publishes",
        "git push origin topic": "publishes",
        "git push https://example.org/x topic": "publishes elsewhere",
        "git push --force": "publishes deletes",
        "git push origin +main": "publishes deletes",
        "git push origin :topic": "publishes deletes",
        "git push --delete origin topic": "publishes deletes",
        "git rm --cached a": "",
        "git rm -rf a": "deletes",
        "git gc": "",
        "git gc --prune=now": "deletes",
        "git worktree add ../x topic": "",
        "git worktree remove --force ../x": "deletes",
        "git commit -m x": "",
        "git rebase main": "",
        "git rebase -x 'make x' main": "code",
    },
    "kubectl": {
        "kubectl get pods": "",
        "kubectl get secret x -o yaml": "secrets",
        "kubectl get pods,secrets": "secrets",
        "kubectl get secrets/x": "secrets",
        "kubectl get all": "secrets",
        "kubectl describe pod x": "",
        "kubectl describe secret x": "secrets",
        "kubectl apply --dry-run=client -f x.yaml": "",
        "kubectl apply -f x.yaml": "cluster",
        "kubectl rollout status deploy/x": "",
        "kubectl rollout undo deploy/x": "cluster",
        "kubectl rollout restart deploy/x": "cluster",
        "kubectl config view": "",
        "kubectl config current-context": "",
        "kubectl config use-context production": "cluster",
        "kubectl delete pod x": "cluster deletes",
        "kubectl delete namespace x": "cluster deletes everything",
    },
    "docker": {
        "docker build .": "",
        "docker build https://example.org/x.git": "elsewhere",
        "docker ps": "",
        "docker rm x": "deletes",
        "docker compose ps": "",
        "docker compose down -v": "deletes",
    },
    "what nobody knows": {
        "prisma migrate dev": "",
        "prisma migrate reset": "deletes",
        "frob run python x.py": "",
        "frob run python -c x": "code",
        "frob db status": "",
        "frob db drop": "deletes",
    },
    "formatters": {
        "black --check .": "",
        "black .": "changes",
        "prettier --check .": "",
        "prettier --write .": "changes",
        "ruff format --check": "",
        "ruff format": "changes",
    },
}
LINES = {line: frozenset(grave.split()) for group in GROUPS.values() for line, grave in group.items()}
ORDINARY = (
    ("npm test", "npm test -- -x"),
    ("git checkout -b topic", "git checkout other"),
    ("git commit -m x", "git commit -m y"),
    ("git fetch", "git fetch origin"),
    ("npm install", "npm install left-pad"),
    ("uv run pytest -q", "uv run pytest tests/x.py"),
    ("npx tsc --noEmit", "npx tsc -p ."),
    ("npx eslint .", "npx eslint src"),
    ("poetry run pytest", "poetry run pytest -x"),
    ("kubectl get pods", "kubectl get services"),
    ("kubectl rollout status deploy/x", "kubectl rollout status deploy/y"),
    ("frob db status", "frob db status --long"),
    ("bundle exec rspec", "bundle exec rspec spec/x"),
    ("python -m pytest -q", "python -m pytest tests"),
    ("git branch topic", "git branch other"),
    ("git push origin topic", "git push origin other"),
)


def lasting(text: str) -> list[KeyGrant | RuleGrant]:
    """What a card for this line offers beyond this once, but for what names every command."""
    facts, rules = shell_call(text, grant_key(command(text))), shell_rules()
    offered = (
        option.grant
        for option in offer(facts, rules, decide(facts, rules), agent_id="id")
        if option.kind in (OptionKind.ALLOW_SESSION, OptionKind.ALLOW_ALWAYS)
    )
    grants = [grant for grant in offered if isinstance(grant, KeyGrant | RuleGrant)]
    return [grant for grant in grants if not _is_whole(grant)]


def _is_whole(grant: KeyGrant | RuleGrant) -> bool:
    return grant.pattern == "*" if isinstance(grant, RuleGrant) else ":" not in grant.key


def lets_run(granted: Rules, line: str, grave: frozenset[str], than: frozenset[str]) -> bool:
    return bool(grave - than) and outcome(line, granted) == "run" and outcome(line, shell_rules()) != "run"


@pytest.mark.parametrize("group", GROUPS)
def test_no_line_of_a_group_runs_by_an_offer_for_a_less_grave_one(group: str) -> None:
    lines = {line: LINES[line] for line in GROUPS[group]}
    wider = [
        f"{line}, after {grant} for {text}"
        for text, than in lines.items()
        for grant in lasting(text)
        for line, grave in lines.items()
        if lets_run(with_grant(shell_rules(), grant), line, grave, than)
    ]

    assert wider == []


@law
@given(
    st.sampled_from(sorted(LINES)),
    st.sampled_from(sorted(LINES)),
    st.sampled_from(["{}", "cd sub && {}", "{} 2>&1 | tail -20", "timeout 60 {}", "CI=1 {}", "{} && {other}"]),
    st.sampled_from(["{}", "cd sub && {}", "{} 2>&1 | tail -20", "timeout 60 {}", "bash -c '{}'", "{} -v"]),
)
def test_nor_does_any_other_however_it_is_put(first: str, second: str, around: str, then: str) -> None:
    text = around.format(first, other=first)
    line = then.format(second)
    if "'" in second and "bash" in then:
        return
    for grant in lasting(text):
        granted = with_grant(shell_rules(), grant)
        assert not lets_run(granted, line, LINES[second], LINES[first]), grant


@pytest.mark.parametrize(
    "line",
    [
        "git reset --hard",
        "git clean -fdx",
        "git stash drop",
        "git branch -D topic",
        "git checkout -- .",
        "git restore .",
    ],
)
def test_what_throws_work_away_is_asked_where_edits_are_not(line: str) -> None:
    edits = replace(shell_rules(), matrix_overrides={Mode.DEFAULT: {Category.WRITE: Cell.AUTO}})

    assert outcome("git add a", edits) == "run"
    assert outcome(line, edits) == "ask"


@pytest.mark.parametrize(("first", "second"), ORDINARY)
def test_what_is_as_grave_runs_by_it(first: str, second: str) -> None:
    assert any(outcome(second, with_grant(shell_rules(), grant)) == "run" for grant in lasting(first))
