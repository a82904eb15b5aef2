"""Redirections, and the here-documents that stand below their line."""

import re

from assent.commandline.syntax.cursor import CONTINUATION, Awaited
from assent.commandline.syntax.tree import Braces, Piece, Redirect, Text, Word
from assent.commandline.syntax.words import WordReader

_ON = r"(?:\\\n)*+"
_OPERATOR = re.compile(
    rf"<{_ON}<{_ON}<|<{_ON}<{_ON}-|<{_ON}<|<{_ON}>|<{_ON}&|<|>{_ON}>|>{_ON}\||>{_ON}&|>|&{_ON}>{_ON}>|&{_ON}>"
)
_LINE = re.compile(r"[^\n]*+")
_JOINED_LINE = re.compile(r"(?:[^\\\n]++|\\.)*+", re.DOTALL)
_PAIR = re.compile(r"\\(.)", re.DOTALL)
_ONLY_BASH = frozenset(("<<<", "&>", "&>>"))


class RedirectReader(WordReader):
    """Reads redirections."""

    __slots__ = ()

    def redirect(self, descriptor: str, start: int) -> Redirect:
        """Reads a redirection from its operator on; its descriptor, if any, began at `start`."""
        found = _OPERATOR.match(self.text, self.at)
        assert found is not None
        operator = found[0].replace(CONTINUATION, "")
        if operator in _ONLY_BASH:
            self.only_bash(operator)
        self.at = found.end()
        self.blanks()
        if operator in ("<<", "<<-"):
            return self._here_document(operator, descriptor, start)
        target = self._target(operator)
        self._refuse_descriptor(operator, target)
        if any(isinstance(piece, Braces) for piece in target.pieces):
            self.fail("braces behind a redirection are not read", start)
        return Redirect(operator, target, *self.place(start, self.at), descriptor)

    def _target(self, operator: str) -> Word:
        character = self.peek()
        if not character or character in "\n;&|()" or (character in "<>" and self.peek(2) not in ("<(", ">(")):
            self.fail("a redirection names no file")
        word = self.word(braces=operator != "<<<")
        if operator not in ("<&", ">&"):
            return word
        text = plain(word)
        if character == "-" and text != "-":
            self.fail("text directly behind >&- is not read")
        if self.posix and (text is None or not re.fullmatch("[0-9]|-", text)):
            self.only_bash(">& before a name")
        return word

    def _refuse_descriptor(self, operator: str, target: Word) -> None:
        """A number or a name in braces directly before the next redirection belongs to that one."""
        if self.peek() not in ("<", ">"):
            return
        text = plain(target) or ""
        if text[:1] == "{" or (text.isdigit() and (self.posix or operator not in ("<&", ">&"))):
            self.fail("a redirection names no file")

    def _here_document(self, operator: str, descriptor: str, start: int) -> Redirect:
        if self.peek() in ("", "\n", "<", ">", "&", "|", ";", "(", ")"):
            self.fail("a here-document has no delimiter")
        began = self.at
        word = self.word(braces=False)
        raw = self.text[began : self.at]
        self._refuse_descriptor(operator, word)
        pieces = word.pieces
        if not pieces or "\n" in raw or not all(isinstance(piece, Text) for piece in pieces):
            self.fail("this delimiter of a here-document is not read", began)
        delimiter = "".join(piece.text for piece in pieces if isinstance(piece, Text))
        if "$" in raw or "`" in raw or "\n" in delimiter:
            self.fail("this delimiter of a here-document is not read", began)
        redirect = Redirect("<<", word, *self.place(start, self.at), descriptor)
        expands = not any(character in raw for character in "'\"\\")
        self.pending.append(Awaited(redirect, delimiter, expands, operator == "<<-"))
        return redirect

    def line_end(self) -> None:
        """Passes over the end of a line, and the here-documents that were announced on it."""
        self.at += 1
        if self.waits_outside:
            self.fail("a line ends in $( ) before the here-document of the line around it")
        pending, self.pending = self.pending, []
        for awaited in pending:
            # The tree's nodes do not change once they are made, but the body stands below the node.
            object.__setattr__(awaited.redirect, "target", self._body(awaited))

    def _body(self, awaited: Awaited) -> Word:
        start = self.at
        lines: list[str] = []
        while True:
            if self.at >= len(self.text):
                self.fail("a here-document is not closed", start)
            began = self.at
            found = (_JOINED_LINE if awaited.expands else _LINE).match(self.text, began)
            assert found is not None
            line = self._line(found, awaited)
            self.at = found.end() + 1
            if line == awaited.delimiter:
                return self._read_body("".join(lines), start, began, awaited)
            if self.inside and line.startswith(awaited.delimiter) and ")" in line:
                self.fail("whether the here-document ends here is not clear", began)
            lines.append(line + "\n")

    def _line(self, found: re.Match[str], awaited: Awaited) -> str:
        if found.end() < len(self.text) and self.text[found.end()] != "\n":
            self.fail("a backslash stands at the very end")
        line: str = found[0]
        if awaited.expands and CONTINUATION in line:
            if self.posix:
                self.fail("a line that goes on in a here-document is not read")
            line = _PAIR.sub(lambda pair: "" if pair[1] == "\n" else pair[0], line)
        return line.lstrip("\t") if awaited.strips_tabs else line

    def _read_body(self, text: str, start: int, end: int, awaited: Awaited) -> Word:
        if not awaited.expands:
            pieces: tuple[Piece, ...] = (Text(text, True),) if text else ()
            return self.word_of(pieces, start, end)
        with self.deeper():
            pieces = self.child(text, start, end, verbatim=text == self.text[start:end]).body()
        return self.word_of(pieces, start, end)


def plain(word: Word) -> str | None:
    """The text of a word that is nothing but unquoted characters."""
    if len(word.pieces) == 1:
        piece = word.pieces[0]
        if isinstance(piece, Text) and not piece.quoted:
            return piece.text
    return None
