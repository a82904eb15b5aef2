"""Small changes of a module, each of which a test should notice."""

import ast
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

_COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}
_SUCH = "(this text was changed by a mutant)"


_Place = tuple[ast.AST, str, int | None, ast.AST, str]
"""A node with what it stands in, and the qualified name of the function around it."""


@dataclass(frozen=True, eq=False)
class Mutant:
    """One module with one change."""

    file: Path
    line: int
    function: str
    """The qualified name of what it is in; empty for the module itself."""
    operator: str
    before: str
    after: str
    place: int
    """Which node of the module it changes, and which of the changes of that node it is."""
    choice: int

    @property
    def key(self) -> str:
        """What it is, wherever its line moves to."""
        return f"{self.file.as_posix()} {self.function or '-'}: {self.operator}: {self.before} -> {self.after}"

    def tree(self, root: Path) -> ast.Module:
        """The module with the change in it."""
        tree = _parsed(root / self.file)
        owner, name, index, node, _ = _all_places(tree)[self.place]
        _, changed = list(_changes(node))[self.choice]
        _put(owner, name, index, changed)
        return ast.fix_missing_locations(tree)


def mutants_of(file: Path, root: Path) -> list[Mutant]:
    """All mutants of a module, in the order of its lines."""
    return [
        Mutant(file, getattr(node, "lineno", 1), function, operator, _text(node), _text(changed), place, choice)
        for place, (_, _, _, node, function) in enumerate(_all_places(_parsed(root / file)))
        for choice, (operator, changed) in enumerate(_changes(node))
    ]


def _parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def _all_places(tree: ast.Module) -> list[_Place]:
    return list(_below(tree, ""))


def _below(owner: ast.AST, function: str) -> Iterator[_Place]:
    for name, value in ast.iter_fields(owner):
        # Annotations and default texts for people are no behaviour.
        if name in {"annotation", "returns", "type_params", "decorator_list"}:
            continue
        for index, node in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if not isinstance(node, ast.AST) or _is_no_behaviour(node):
                continue
            yield owner, name, index, node, function
            named = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            yield from _below(node, f"{function}.{node.name}".lstrip(".") if named else function)


def _is_no_behaviour(node: ast.AST) -> bool:
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    return isinstance(node, ast.Import | ast.ImportFrom | ast.JoinedStr | ast.Raise | ast.Assert)


def _changes(node: ast.AST) -> Iterator[tuple[str, ast.AST | None]]:
    match node:
        case ast.Compare(ops=[op]) if type(op) in _COMPARED:
            yield "comparison", ast.Compare(node.left, [_COMPARED[type(op)]()], node.comparators)
        case ast.BoolOp(op=op, values=values):
            yield "and/or", ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
            for left_out in range(len(values)):
                rest = [one for at, one in enumerate(values) if at != left_out]
                yield "condition left out", rest[0] if len(rest) == 1 else ast.BoolOp(op, rest)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield "negation", operand
        case ast.If() | ast.While() if not isinstance(node.test, ast.Compare | ast.UnaryOp):
            changed = deepcopy(node)
            changed.test = ast.UnaryOp(ast.Not(), node.test)
            yield "negation", changed
        case ast.Constant(value=bool() as value):
            yield "constant", ast.Constant(not value)
        case ast.Constant(value=int() as value):
            yield "constant", ast.Constant(value + 1)
        case ast.Constant(value=str() as value) if value and " " not in value:
            yield "constant", ast.Constant(_SUCH)
        case ast.Return(value=value) if value is not None:
            # A True or False that it returns is changed as such.
            is_flag = isinstance(value, ast.Constant) and isinstance(value.value, bool)
            for result in (None,) if is_flag else (None, True, False):
                if not (isinstance(value, ast.Constant) and value.value is result):
                    yield "result", ast.Return(ast.Constant(result))
        case ast.Set(elts=elements) | ast.Tuple(elts=elements, ctx=ast.Load()) if len(elements) > 1:
            for left_out in range(len(elements)):
                rest = [one for at, one in enumerate(elements) if at != left_out]
                yield "element", ast.Set(rest) if isinstance(node, ast.Set) else ast.Tuple(rest, ast.Load())
        case ast.Expr() | ast.AugAssign() | ast.Delete() | ast.Continue() | ast.Break():
            yield "statement", None
        case _:
            pass


def _put(owner: ast.AST, name: str, index: int | None, changed: ast.AST | None) -> None:
    new = ast.Pass() if changed is None else changed
    if index is None:
        setattr(owner, name, new)
    else:
        getattr(owner, name)[index] = new


def _text(node: ast.AST | None) -> str:
    if node is None:
        return ""
    first = ast.unparse(node).splitlines()[0]
    return first if len(first) <= 160 else f"{first[:160]}…"
