"""Small changes of a module: what is changed, that nothing else is, and that one which nobody notices is told."""

import ast
from pathlib import Path

import pytest

from tests.mutation.mutants import mutants_of
from tests.mutation.running import KILLED, SURVIVED, ending_of
from tests.support.scale import limit

_MODULE = '''\
"""What it is."""

LIMITS = {1, 2}


def allows(count: int, trusted: bool) -> bool:
    """Whether it may."""
    if trusted and not count > 2:
        return True
    return count == 1
'''


@pytest.fixture
def module(tmp_path: Path) -> Path:
    (tmp_path / "server").mkdir()
    (tmp_path / "server/module.py").write_text(_MODULE)
    return tmp_path


def test_what_a_module_decides_is_changed_and_what_it_says_is_not(module: Path):
    made = {(one.function, one.operator, one.before, one.after) for one in mutants_of(Path("server/module.py"), module)}
    assert made == {
        ("", "element", "{1, 2}", "{1}"),
        ("", "element", "{1, 2}", "{2}"),
        ("", "constant", "1", "2"),
        ("", "constant", "2", "3"),
        ("allows", "negation", "if trusted and (not count > 2):", "if not (trusted and (not count > 2)):"),
        ("allows", "and/or", "trusted and (not count > 2)", "trusted or not count > 2"),
        ("allows", "condition left out", "trusted and (not count > 2)", "not count > 2"),
        ("allows", "condition left out", "trusted and (not count > 2)", "trusted"),
        ("allows", "negation", "not count > 2", "count > 2"),
        ("allows", "comparison", "count > 2", "count >= 2"),
        ("allows", "constant", "2", "3"),
        ("allows", "constant", "True", "False"),
        ("allows", "result", "return True", "return None"),
        ("allows", "comparison", "count == 1", "count != 1"),
        ("allows", "constant", "1", "2"),
        ("allows", "result", "return count == 1", "return None"),
        ("allows", "result", "return count == 1", "return True"),
        ("allows", "result", "return count == 1", "return False"),
    }


def test_each_is_the_module_with_one_change(module: Path):
    made = mutants_of(Path("server/module.py"), module)
    texts = {ast.unparse(one.tree(module)) for one in made}
    assert len(texts) == len(made)
    whole = ast.unparse(ast.parse(_MODULE)).splitlines()
    for text in texts:
        assert sum(line != other for line, other in zip(whole, text.splitlines(), strict=True)) == 1, text


@pytest.mark.parametrize(("checked", "end"), [("allows(3, True)", KILLED), ("allows(9, True)", SURVIVED)])
def test_a_test_that_fails_with_it_has_noticed_it(checked: str, end: str, module: Path):
    (module / "test_it.py").write_text(f"from module import allows\n\n\ndef test_it():\n    assert not {checked}\n")
    (module / "server/__init__.py").touch()
    one = next(one for one in mutants_of(Path("server/module.py"), module) if one.after == "count >= 2")
    other = next(one for one in mutants_of(Path("server/module.py"), module) if one.line == 8 and one.before == "2")
    assert ending_of(one, [str(module / "test_it.py")], module, limit(60)) == SURVIVED
    assert ending_of(other, [str(module / "test_it.py")], module, limit(60)) == end
