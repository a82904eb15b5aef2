"""What begins with `$` or a backtick: names, the output of commands, sums."""

import re

from assent.commandline.syntax.cursor import CONTINUATION, Cursor, merged
from assent.commandline.syntax.escapes import decoded
from assent.commandline.syntax.tree import (
    Arithmetic,
    NotUnderstood,
    Parameter,
    Piece,
    ProcessSubstitution,
    Sequence,
    Substitution,
    Text,
)

NAME = "[A-Za-z_][A-Za-z0-9_]*+"
_DOLLAR = re.compile(rf"\$(?:({NAME}|[0-9@*#?$!-])|(\(\(?)|(\{{)|(['\"])|(\[|\\\n|`))?")
_NAME_GOES_ON = re.compile(r"(?:\\\n)++[A-Za-z0-9_]")
_ANSI = re.compile(r"\$'((?:[^'\\]++|\\.)*+)'", re.DOTALL)
_BACKTICKS = re.compile(r"`((?:[^`\\]++|\\.)*+)`", re.DOTALL)
_UNESCAPED = re.compile(r"\\([\\`$])")
_UNESCAPED_IN_DOUBLE = re.compile(r"\\([\\`$\"])")
_PAREN = re.compile(r"[()]")
_SUM_PLAIN = re.compile(r"[^()$`\\'\"\x00-\x08\x0b-\x1f]++")


class ExpansionReader(Cursor):
    """Reads expansions."""

    __slots__ = ()

    def dollar(self, pieces: list[Piece], *, quoted: bool) -> None:
        found = _DOLLAR.match(self.text, self.at)
        assert found is not None
        name, paren, brace, quote, odd = found.groups()
        if name is not None:
            self.at = found.end()
            if _NAME_GOES_ON.match(self.text, self.at):
                self.fail("a line goes on in the middle of a variable's name")
            pieces.append(Parameter(name, quoted=quoted))
        elif paren is not None:
            self.at = found.end()
            pieces.append(self._sum(found.start(), quoted) if paren == "((" else self._output(found.start(), quoted))
        elif brace is not None:
            pieces.append(self.parameter(quoted=quoted))
        elif odd is not None:
            self.fail("$ before a line's end, [ or a backtick is not read")
        elif quote is not None and not quoted:
            self._dollar_quote(quote, pieces)
        else:
            self.at += 1
            pieces.append(Text("$", quoted))

    def _dollar_quote(self, quote: str, pieces: list[Piece]) -> None:
        self.only_bash("$" + quote)
        if quote == '"':
            self.at += 1
            self.double_quoted(pieces)
            return
        found = _ANSI.match(self.text, self.at)
        if found is None:
            self.fail("a quote is not closed")
        try:
            pieces.append(Text(decoded(found[1]), True))
        except NotUnderstood as fault:
            self.fail(fault.reason)
        self.at = found.end()

    def _output(self, start: int, quoted: bool) -> Substitution:
        return Substitution(self.enclosed(start), quoted)

    def process(self) -> ProcessSubstitution:
        """Reads `<( )` or `>( )`."""
        self.only_bash("<( )")
        start = self.at
        self.at += 2
        return ProcessSubstitution(self.enclosed(start), self.text[start] == ">")

    def enclosed(self, start: int) -> Sequence:
        """Reads the commands of a substitution up to its closing parenthesis, from behind the opening one on."""
        if self.peek() == "\\":
            self.fail("a line goes on in the middle of an operator")
        outer, outside = self.pending, self.waits_outside
        self.pending, self.waits_outside = [], outside or bool(outer)
        literal, self.literal_quotes = self.literal_quotes, False
        mixed, self.mixed = self.mixed, False
        self.inside += 1
        with self.deeper():
            body = self.sequence()
        if self.pending:
            self.fail("a here-document's text does not stand in the $( ) that names it", start)
        if self.peek() != ")":
            self.fail("a parenthesis is not closed" if not self.peek() else "this cannot stand in $( )", None)
        self.at += 1
        self.inside -= 1
        self.pending, self.waits_outside = outer, outside
        self.literal_quotes, self.mixed = literal, mixed
        return body

    def backtick(self, pieces: list[Piece], *, quoted: bool, in_double: bool = False) -> None:
        found = _BACKTICKS.match(self.text, self.at)
        if found is None:
            self.fail("a backtick is not closed")
        raw: str = found[1]
        if CONTINUATION in raw:
            self.fail("a line that goes on between backticks is not read")
        if quoted and '"' in raw and (self.posix or (not in_double and '\\"' in raw)):
            self.fail("quotes in backticks in quotes are not read here")
        self.mixed = self.mixed or (in_double and ('"' in raw or "$(" in raw))
        text = (_UNESCAPED_IN_DOUBLE if in_double else _UNESCAPED).sub(r"\1", raw)
        with self.deeper():
            body = self.child(text, found.start() + 1, found.end() - 1, verbatim=text == raw).everything()
        self.at = found.end()
        pieces.append(Substitution(body, quoted))

    def _sum(self, start: int, quoted: bool) -> Arithmetic:
        return Arithmetic(self.sum_pieces(start), quoted)

    def sum_pieces(self, start: int) -> tuple[Piece, ...]:
        """Reads a sum up to its `))`. What a shell might take for two parentheses instead is refused."""
        pieces: list[Piece] = []
        opened, began = 0, self.at
        literal, self.literal_quotes = self.literal_quotes, True
        with self.deeper():
            while True:
                found = _SUM_PLAIN.match(self.text, self.at)
                if found is not None:
                    pieces.append(Text(found[0], True))
                    self.at = found.end()
                character = self.peek()
                if character == "$":
                    self.dollar(pieces, quoted=True)
                elif character == "`":
                    self.backtick(pieces, quoted=True)
                elif character == "\\" and self.peek(2) == CONTINUATION:
                    self.at += 2
                elif character == ")" and not opened:
                    break
                elif character and character in "()":
                    opened += 1 if character == "(" else -1
                    pieces.append(Text(character, True))
                    self.at += 1
                elif character:
                    self.fail("a quote, a backslash or an odd character in (( )) is not read")
                else:
                    self.fail("(( is not closed", start)
        if self.peek(2) != "))":
            self.fail("whether (( begins a sum or two parentheses is not clear", start)
        self._refuse_unbalanced(began, start)
        self.at += 2
        self.literal_quotes = literal
        return merged(pieces)

    def _refuse_unbalanced(self, began: int, start: int) -> None:
        """A parenthesis without its other one, even within `${ }`, can make bash see two parentheses in `((`."""
        depth = 0
        for found in _PAREN.finditer(self.text, began, self.at):
            depth += 1 if found[0] == "(" else -1
            if depth < 0:
                break
        if depth:
            self.fail("whether (( begins a sum or two parentheses is not clear", start)
