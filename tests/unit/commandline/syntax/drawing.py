"""A tree drawn as a short text, so that a table can say what a command should be read as."""

from assent.commandline.syntax import tree
from assent.commandline.syntax.parser import parse


def drawn(text: str, *, posix: bool = False) -> str:
    """How this text is read. `'…'` is quoted text, `<…>` an expansion, `[…]` a command's words."""
    return sequence(parse(text, posix=posix))


def sequence(node: tree.Sequence) -> str:
    return " ".join(f"{pipeline(item)}{'' if joint is tree.Joint.THEN else ' ' + joint}" for item, joint in node.items)


def pipeline(node: tree.Pipeline) -> str:
    return ("! " if node.negated else "") + " | ".join(command(each) for each in node.commands)


def command(node: tree.Command) -> str:
    match node:
        case tree.Simple(assignments, words, redirects):
            parts = [assignment(each) for each in assignments] + [word(each) for each in words]
            return "[" + " ".join(parts + [redirect(each) for each in redirects]) + "]"
        case tree.Function(name, body):
            return f"function {name} {command(body)}"
        case _:
            return " ".join([compound(node), *(redirect(each) for each in node.redirects)])


def compound(node: tree.Command) -> str:
    match node:
        case tree.Block(body, subshell):
            return f"({sequence(body)})" if subshell else f"{{{sequence(body)}}}"
        case tree.If(branches, otherwise):
            text = "".join(f"if {sequence(one)} then {sequence(other)} " for one, other in branches)
            return text + (f"else {sequence(otherwise)} fi" if otherwise is not None else "fi")
        case tree.While(condition, body):
            return f"while {sequence(condition)} do {sequence(body)} done"
        case tree.For(name, words, body):
            over = "" if words is None else " in " + ",".join(word(each) for each in words)
            return f"for {name}{over} do {sequence(body)} done"
        case tree.ForSum(parts, body):
            return f"for (({pieces(parts)})) do {sequence(body)} done"
        case tree.Case(subject, arms):
            inner = "; ".join(f"{'|'.join(word(each) for each in some)}) {sequence(body)}" for some, body in arms)
            return f"case {word(subject)} in {inner} esac"
        case tree.Test(words):
            return "[[" + " ".join(word(each) for each in words) + "]]"
        case tree.Sum(parts):
            return f"(({pieces(parts)}))"
    raise AssertionError(node)


def assignment(node: tree.Assignment) -> str:
    index = "" if node.index is None else f"[{word(node.index)}]"
    value = (
        word(node.value) if isinstance(node.value, tree.Word) else f"({' '.join(word(each) for each in node.value)})"
    )
    return f"{node.name}{index}{'+' * node.appends}:={value}"


def redirect(node: tree.Redirect) -> str:
    return f"{node.descriptor}{node.operator}{word(node.target)}"


def word(node: tree.Word) -> str:
    return pieces(node.pieces) if node.pieces else "''"


def pieces(some: tuple[tree.Piece, ...]) -> str:
    return "".join(piece(each) for each in some)


def piece(node: tree.Piece) -> str:
    mark = '"' if getattr(node, "quoted", False) else ""
    match node:
        case tree.Text(text, quoted):
            return f"'{text}'" if quoted else text
        case tree.Parameter(name, operator, argument, index):
            inner = name + (f"[{word(index)}]" if index is not None else "") + (f" {operator}" if operator else "")
            return f"{mark}<{inner}{'' if argument is None else ' ' + word(argument)}>{mark}"
        case tree.Substitution(body):
            return f"{mark}<$ {sequence(body)}>{mark}"
        case tree.Arithmetic(parts):
            return f"{mark}<= {pieces(parts)}>{mark}"
        case tree.ProcessSubstitution(body, writes):
            return f"<{'out' if writes else 'in'} {sequence(body)}>"
        case tree.Braces(alternatives):
            return "{" + ",".join(word(each) for each in alternatives) + "}"
