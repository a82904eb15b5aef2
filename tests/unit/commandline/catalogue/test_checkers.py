"""Runners of tests and checkers: ordinary lines, and lines that do more than they say."""

import pytest

from assent.model.modes import Category
from tests.support.catalogue import check_danger, check_ordinary, each_line

ORDINARY = {
    Category.EXECUTE: [
        "pytest",
        'pytest -q tests/unit -k "a or b" -x',
        "pytest tests/test_x.py::test_y --tb=short -p no:cacheprovider",
        "pytest -vvxs --maxfail=1 --cov=src --cov-report=term-missing -n auto",
        "mypy --strict src",
        "flake8 src",
        "pylint src -d C0114 -f json",
        "pyright",
        "tox -e py311",
        "nox -s tests",
        "coverage run -m pytest",
        "coverage report -m",
        "pre-commit run --all-files",
        "eslint src --ext .ts,.tsx --max-warnings=0",
        "eslint -f json src",
        "prettier --check .",
        "tsc",
        "tsc --noEmit",
        "tsc -p tsconfig.build.json --noEmit",
        "tsc -b packages/a",
        "jest --coverage -t name src/x.test.ts",
        "jest --reporters=default --runInBand",
        "vitest run src/x --reporter=verbose",
        "mocha --recursive test",
        "playwright test --project=chromium -g login",
        "stylelint src",
        "biome check .",
    ],
    Category.EXTERNAL: [],
    Category.WRITE: [
        "ruff check .",
        "ruff check --select E501 src",
        "ruff format .",
        "black --check .",
        "black src",
        "isort .",
    ],
    Category.READ: [
        "ruff --version",
        "mypy --version",
        "tsc --version",
        "eslint --version",
        "prettier --version",
        "shellcheck x.sh",
        "yamllint x.yml",
    ],
}
DANGEROUS = [
    ("pytest -p evil", 1),
    ("pytest -qpevil", 1),
    ("pytest -k -p evil", 2),
    ("pytest --junitxml=out.xml", 1),
    ("pytest --basetemp /tmp/x", 2),
    ("pytest -c other.ini", 2),
    ("pytest --rootdir=..", 1),
    ("pytest @args", 1),
    ("pytest -o addopts=-pevil", 1),
    ("pytest --cov-report=html:x", 1),
    ("pytest --pastebin=all", 1),
    ("mypy --config-file x src", 2),
    ("mypy --python-executable ./x src", 1),
    ("mypy --install-types src", 1),
    ("mypy @f", 1),
    ("ruff check --fix src", 2),
    ("ruff check --config fix=true", 3),
    ("ruff check -o x", 3),
    ("flake8 --config=x", 1),
    ("pylint --init-hook=x", 1),
    ("pylint --load-plugins=x", 1),
    ("pylint -f x.Reporter", 1),
    ("pyright --pythonpath ./x", 1),
    ("tox -c x", 2),
    ("coverage run --rcfile=x y.py", 2),
    ("hyperfine --shell ./x ls", 1),
    ("eslint --fix src", 1),
    ("eslint -f ./evil.js src", 1),
    ("eslint --rulesdir x src", 2),
    ("eslint -c x src", 2),
    ("eslint --resolve-plugins-relative-to=x src", 1),
    ("eslint --parser ./x src", 2),
    ("prettier --write .", 1),
    ("prettier --plugin=./x .", 1),
    ("prettier --config x .", 2),
    ("tsc --PROJECT ../x", 1),
    ("tsc --init", 1),
    ("tsc --generateTrace x", 1),
    ("tsc @x", 1),
    ("jest --config x", 2),
    ("jest --globalSetup ./x", 2),
    ("jest --global-setup=./x", 1),
    ("jest -t --globalSetup=./x", 2),
    ("jest --runner=./x", 1),
    ("jest --transform x", 2),
    ("jest --reporters=./x", 1),
    ("jest -u", 1),
    ("vitest --globalSetup ./x", 2),
    ("vitest --root ../x", 2),
    ("mocha -r ./x", 2),
    ("mocha --reporter ./x", 1),
    ("playwright install --with-deps", 2),
    ("stylelint --custom-syntax ./x a", 2),
    ("biome check --write .", 2),
    ("jest --coverageReporters=./x", 1),
]


@pytest.mark.parametrize(("category", "line"), each_line(ORDINARY))
def test_an_ordinary_line_is_no_danger(category: Category, line: str) -> None:
    check_ordinary(category, line)


@pytest.mark.parametrize(("line", "at"), DANGEROUS)
def test_what_does_more_is_told_with_its_word(line: str, at: int) -> None:
    check_danger(line, at)
