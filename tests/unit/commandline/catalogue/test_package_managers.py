"""Package managers: ordinary lines, and lines that do more than they say."""

import pytest

from assent.model.modes import Category
from tests.support.catalogue import check_danger, check_ordinary, each_line

ORDINARY = {
    Category.EXECUTE: [
        "npm test",
        "npm t",
        "npm run build",
        "npm run test:unit -- --watch --script-shell=./x",
        "npm test -- --config x",
        "npm test --silent",
        "npm -w web test",
        "npm --prefix web test",
        "pnpm build",
        "pnpm --filter web test",
        "pnpm -r run lint",
        "yarn build",
        "bun test --coverage",
        "bun run build",
        "poetry run pytest",
        "pipenv run pytest",
        "bundle exec rspec",
        "composer test",
    ],
    Category.EXTERNAL: [
        "npm install lodash",
        "npm ci",
        "npm i -D typescript",
        "npm view react version",
        "npm outdated",
        "npm audit",
        "npm publish",
        "npx tsc --noEmit",
        "npx -y prettier --check .",
        "pnpm dlx create-x",
        "yarn",
        "yarn add x",
        "yarn install --frozen-lockfile",
        "bun install",
        "pip install requests",
        "pip install -r requirements.txt",
        "pip install -e .",
        "pip list --outdated",
        "uv sync",
        "uv run pytest -q",
        "uv run --frozen python x.py",
        "uv pip install x",
        "uvx ruff check .",
        "poetry add x",
        "pipx run black .",
        "apt-get install -y curl",
        "brew install jq",
        "gem install x",
    ],
    Category.WRITE: [],
    Category.READ: [
        "npm --version",
        "npm -v",
        "npm ls --depth=0",
        "npm ls -g",
        "npm why x",
        "npm config get x",
        "pip --version",
        "pip list",
        "pip freeze",
        "pip show x",
        "apt list --installed",
    ],
}
DANGEROUS = [
    ("npm test --script-shell=./x", 2),
    ("npm test -script-shell=./x", 2),
    ("npm test --scr ./x", 2),
    ("npm --script-shell ./x test", 1),
    ("npm tes --script-shell=x", 2),
    ("npm run build --node-options=x", 3),
    ("npm run build --registry http://x", 3),
    ("npm i --@x:registry=http://x", 2),
    ("npm i -g x", 2),
    ("npm exec --call x", 2),
    ("npm exec tsc --script-shell=x", 3),
    ("npm --workspace --foo test publish", 1),
    ("npm audit fix", 2),
    ("npx -c x", 1),
    ("npx -p evil tsc", 1),
    ("pnpm test --config.script-shell=x", 2),
    ("yarn --use-yarnrc x test", 1),
    ("bun test -r ./x", 3),
    ("bun test --preload=./x", 2),
    ("pip install --target x requests", 3),
    ("pip install -i http://x requests", 2),
    ("pip install --index-u http://x requests", 2),
    ("pip install --find-links x requests", 2),
    ("pip --python ./x list", 1),
    ("uv run --with x pytest", 2),
    ("uv run -m x", 2),
    ("uvx --from x y", 1),
    ("pipx run --spec x y", 2),
    ("gem install x --source http://x", 3),
    ("apt-get install -o x=y curl", 2),
    ("npm test -prefix ../x", 2),
    ("npm test ---prefix=../x", 2),
    ("npm run -userconfig ./x build", 2),
]


@pytest.mark.parametrize(("category", "line"), each_line(ORDINARY))
def test_an_ordinary_line_is_no_danger(category: Category, line: str) -> None:
    check_ordinary(category, line)


@pytest.mark.parametrize(("line", "at"), DANGEROUS)
def test_what_does_more_is_told_with_its_word(line: str, at: int) -> None:
    check_danger(line, at)
