"""Commands: sequences, pipelines and simple commands."""

import re
from dataclasses import replace

from assent.commandline.syntax.cursor import CONTINUATION
from assent.commandline.syntax.redirects import RedirectReader, plain
from assent.commandline.syntax.tree import (
    Assignment,
    Command,
    Function,
    Joint,
    Pipeline,
    Redirect,
    Sequence,
    Simple,
    Text,
    Word,
)

RESERVED = frozenset(
    ("if", "then", "else", "elif", "fi", "case", "esac", "for", "select", "while", "until", "do", "done", "in")
    + ("function", "time", "{", "}", "!", "[[", "]]", "coproc")
)
_RESERVED_WORD = re.compile(
    r"(if|then|else|elif|fi|case|esac|for|select|while|until|done|do|in|function|time|\{|\}|!|\[\[|\]\]|coproc)"
    r"(?=[ \t\n;&|()]|[<>](?![(\\])|\Z)"
)
_ENDERS = frozenset(("then", "else", "elif", "fi", "esac", "do", "done", "}"))
_ON = r"(?:\\\n)*+"
_OPERATOR = re.compile(rf";{_ON};{_ON}&|;{_ON};|;{_ON}&|;|&{_ON}&|&|\|{_ON}\||\|{_ON}&|\||\)|\n")
_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*+)(\+?=|\[)")
_DESCRIPTOR = re.compile(r"[0-9]{1,4}|\{[A-Za-z_][A-Za-z0-9_]*\}")
_SIGN = re.compile(r"\+?=")
_FUNCTION_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.:-]*")
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_TIME_OPTION = re.compile(r"-p(?=[ \t])")
_ALL_OUTPUT = re.compile(rf"&{_ON}>")
_VALUE_AHEAD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*+(?:\+?=|\[)")
_SPECIAL = frozenset(
    (":", ".", "break", "continue", "eval", "exec", "exit", "export")
    + ("readonly", "return", "set", "shift", "times", "trap", "unset")
)
_BODIES = frozenset(("{", "if", "while", "until", "for", "case", "[["))
_PARENS = re.compile(r"[ \t]*+\([ \t]*+\)")
_ARM_ENDS = frozenset((";;", ";&", ";;&"))


class CommandReader(RedirectReader):
    """Reads commands, but for the compound ones."""

    __slots__ = ("_closes", "_end")

    def __init__(self, text: str, *, posix: bool = False) -> None:
        super().__init__(text, posix=posix)
        self._end = 0
        """Where the last command ended, without the blanks behind it."""
        self._closes = False
        """Whether it ended with a reserved word or a parenthesis, so that another reserved word may follow at once."""

    def compound(self, reserved: str) -> Command:
        """Reads a compound command that begins with this reserved word, or with a parenthesis."""
        raise NotImplementedError

    def function_keyword(self) -> Function:
        """Reads `function name …`."""
        raise NotImplementedError

    def operator(self) -> str:
        """The operator that stands here, without passing over it; "" where there is none."""
        self.blanks()
        found = _OPERATOR.match(self.text, self.at)
        return found[0].replace(CONTINUATION, "") if found is not None else ""

    def pass_operator(self) -> None:
        """Passes over the operator that stands here."""
        found = _OPERATOR.match(self.text, self.at)
        assert found is not None
        self.at = found.end()

    def newlines(self) -> None:
        """Passes over blanks, comments and line ends."""
        self.blanks()
        while self.peek() == "\n":
            self.line_end()
            self.blanks()

    def reserved(self) -> str:
        """The reserved word that stands here, where one may stand; "" where there is none."""
        found = _RESERVED_WORD.match(self.text, self.at)
        return found[0] if found is not None else ""

    def everything(self) -> Sequence:
        """Reads commands up to the end of the text."""
        found = self.sequence()
        if self.at < len(self.text):
            word = self.reserved() or self.operator()
            self.fail(f"{word} stands where no command can end" if word else "this is no command")
        if self.pending:
            self.fail("a here-document is not closed")
        return found

    def _ends(self) -> bool:
        """Whether no further command can stand here."""
        character = self.peek()
        if not character or character == ")":
            return True
        return self.operator() in _ARM_ENDS if character == ";" else self.reserved() in _ENDERS

    def sequence(self) -> Sequence:
        """Reads commands up to whatever cannot be one."""
        items: list[tuple[Pipeline, Joint]] = []
        self.newlines()
        while not self._ends():
            pipeline = self._pipeline()
            joint, goes_on = self._joint()
            items.append((pipeline, joint))
            if not goes_on:
                break
        return Sequence(tuple(items))

    def _joint(self) -> tuple[Joint, bool]:
        """What stands behind a pipeline, and whether another one may follow."""
        operator = self.operator()
        if operator in ("&&", "||"):
            self.pass_operator()
            self.newlines()
            if self._ends():
                self.fail(f"a command is missing behind {operator}")
            return Joint(operator), True
        if operator == "\n":
            self.newlines()
            return Joint.THEN, True
        if operator in (";", "&"):
            self.pass_operator()
            self.newlines()
            return (Joint.THEN if operator == ";" else Joint.BACKGROUND), True
        if not operator and self.peek() and not (self._closes and self.reserved() in _ENDERS):
            self.fail("this cannot stand behind a command")
        return Joint.THEN, False

    def _pipeline(self) -> Pipeline:
        start = self.at
        negated = self._prefix()
        commands = [self._command()]
        while self.operator() in ("|", "|&"):
            operator, at = self.operator(), self.at
            self.pass_operator()
            if operator == "|&":
                self.only_bash("|&")
                commands[-1] = self._with_errors(commands[-1], at)
            self.newlines()
            if self.reserved() in ("!", "time"):
                self.fail("! or time behind | is not read")
            commands.append(self._command())
        return Pipeline(tuple(commands), *self.place(start, self._end), negated)

    def _with_errors(self, command: Command, at: int) -> Command:
        if isinstance(command, Function):
            self.fail("|& behind a function is not read", at)
        place = self.place(at, self.at)
        redirect = Redirect(">&", Word((Text("1"),), *place), *place, "2")
        return replace(command, redirects=(*command.redirects, redirect))

    def _prefix(self) -> bool:
        """Passes over `!` and `time`, each at most once, and says whether there was a `!`."""
        seen: set[str] = set()
        while (word := self.reserved()) in ("!", "time"):
            if word in seen:
                self.fail(f"{word} twice is not read")
            if word == "!" and self.peek(2) == "!(":
                self.fail("!( is not read")
            seen.add(word)
            self.at += len(word)
            self.blanks()
            if word == "time":
                self._pass_time_option()
        return "!" in seen

    def _pass_time_option(self) -> None:
        self.only_bash("time")
        if _TIME_OPTION.match(self.text, self.at):
            self.at += 2
            self.blanks()
        if self.peek() == "-":
            self.fail("this option of time is not read")

    def _command(self) -> Command:
        if self.peek() == "(":
            return self.compound("(")
        word = self.reserved()
        if not word:
            return self._simple()
        if word == "function":
            return self.function_keyword()
        if word in ("select", "coproc"):
            self.fail(f"{word} is not read")
        return self.compound(word)

    def redirects(self) -> tuple[Redirect, ...]:
        """Reads the redirections behind a compound command, and so ends it."""
        found: list[Redirect] = []
        self._end = self.at
        self._closes = True
        while True:
            self.blanks()
            start = self.at
            descriptor = ""
            match = _DESCRIPTOR.match(self.text, start)
            if match is not None and self.text[match.end() : match.end() + 1] in ("<", ">"):
                descriptor = self._descriptor(match[0])
                self.at = match.end()
            if not self._at_redirect():
                return tuple(found)
            found.append(self.redirect(descriptor, start))
            self._end = self.at
            self._closes = False

    def _at_redirect(self) -> bool:
        character = self.peek()
        if character == "&":
            return _ALL_OUTPUT.match(self.text, self.at) is not None
        return character in ("<", ">")

    def _descriptor(self, written: str) -> str:
        if written[0] == "{":
            self.only_bash("{name}>")
            return written[1:-1]
        return written

    def _simple(self) -> Command:
        start = self.at
        assignments: list[Assignment] = []
        words: list[Word] = []
        redirects: list[Redirect] = []
        while True:
            began = self.at
            character = self.peek()
            if not character or character in "\n;|)" or (character == "&" and not self._at_redirect()):
                break
            if character in "<>&" and self.text[began + 1 : began + 2] != "(":
                redirects.append(self.redirect("", began))
            elif not words and (assignment := self._assignment()) is not None:
                assignments.append(assignment)
            else:
                word = self.word()
                if self.peek() in ("<", ">") and (descriptor := self._as_descriptor(began)):
                    redirects.append(self.redirect(descriptor, began))
                elif words:
                    words.append(word)
                else:
                    if self._at_parenthesis():
                        return self._function(word, alone=not assignments and not redirects)
                    self._refuse_odd_first(word, began)
                    words.append(word)
            self._end = self.at
            self.blanks()
        if self.at == start:
            self.fail("a command is missing")
        self._closes = False
        return Simple(tuple(assignments), tuple(words), tuple(redirects), *self.place(start, self._end))

    def _as_descriptor(self, began: int) -> str:
        """The word that was just read, as what stands before a redirection; "" where it is a word of its own."""
        raw = self.text[began : self.at].replace(CONTINUATION, "")
        if _DESCRIPTOR.fullmatch(raw):
            return self._descriptor(raw)
        if raw.isdigit() or (raw[0] == "{" and "[" in raw):
            self.fail("this before a redirection is not read", began)
        return ""

    def _refuse_odd_first(self, word: Word, began: int) -> None:
        """What looks like a reserved word or an assignment here was not recognised as one, for an odd reason."""
        if plain(word) in RESERVED:
            self.fail("a reserved word stands where it is none", began)
        first = word.pieces[0] if word.pieces else None
        if isinstance(first, Text) and not first.quoted and _VALUE_AHEAD.match(first.text):
            self.fail("a line goes on in the middle of a variable's name", began)

    def _assignment(self) -> Assignment | None:
        start = self.at
        found = _ASSIGNMENT.match(self.text, start)
        if found is None:
            return None
        name, sign = found.groups()
        index = None
        if sign == "[":
            self.at = found.end() - 1
            index = self.index()
            follows = _SIGN.match(self.text, self.at)
            if follows is None:
                self.fail("[ directly behind a command's name is not read", start)
            sign, self.at = follows[0], follows.end()
        else:
            self.at = found.end()
        if sign == "+=":
            self.only_bash("+=")
        value = self._array() if index is None and self.peek() == "(" else self.word(braces=False, attached=True)
        return Assignment(name, value, *self.place(start, self.at), sign == "+=", index)

    def _array(self) -> tuple[Word, ...]:
        self.only_bash("an array")
        start = self.at
        self.at += 1
        words: list[Word] = []
        while True:
            self.blanks()
            character = self.peek()
            if character == ")":
                break
            if character == "\n" and not self.pending and not self.waits_outside:
                self.at += 1
                continue
            if not character or character in "[\n":
                self.fail("this list of values is not read", start)
            words.append(self.word())
        self.at += 1
        if self.peek() not in (*" \t\n;&|)",):
            self.fail("text directly behind a list of values is not read")
        return tuple(words)

    def _at_parenthesis(self) -> bool:
        self._end = self.at
        self.blanks()
        found = self.peek() == "("
        if not found:
            self.at = self._end
        return found

    def _function(self, word: Word, *, alone: bool) -> Function:
        """Reads `name() …` from its parentheses on."""
        name = plain(word)
        found = _PARENS.match(self.text, self.at)
        if name is None or found is None or not alone:
            self.fail("a parenthesis cannot stand here")
        self.at = found.end()
        return self.function(name, word.start)

    def function(self, name: str, start: int) -> Function:
        """Reads the body of this function; `start` is a place in the whole text."""
        if not _FUNCTION_NAME.fullmatch(name) or name in RESERVED:
            self.fail("this name of a function is not read")
        if not _IDENTIFIER.fullmatch(name) or name in _SPECIAL:
            self.only_bash("such a function's name")
        self.newlines()
        word = "(" if self.peek() == "(" else self.reserved()
        if word != "(" and word not in _BODIES:
            self.fail("the body of a function is missing")
        body = self.compound(word)
        return Function(name, body, start, self.place(self._end, self._end)[1])
