"""From a program with its words to what it does, by the catalogue."""

from dataclasses import replace

from assent.commandline.catalogue import program_named
from assent.commandline.catalogue.wrapping import is_assignment
from assent.commandline.findings import Findings, Inside
from assent.commandline.given import Given, GivenOption, Output, sort_words
from assent.commandline.invocation import Invocation, bare_name, part_of
from assent.commandline.schema import Program, Takes, Use
from assent.commandline.variables import NAMES_GIT_SETTINGS, harm
from assent.model.commands import Argument, Part, Tells
from assent.model.modes import Category
from assent.model.paths import Access


def understand(call: Invocation, inside: Inside) -> tuple[Part, Output | None]:
    """What this does, and what is known of its output."""
    first = call.words[0]
    findings = Findings(inside, call.words, call.directory)
    for assigned in call.assigned:
        why = harm(assigned.name, assigned.value)
        if why:
            findings.danger(f"sets {assigned.name}, {why}")
            if assigned.name == "TMPDIR":
                findings.roams.add(Access.WRITE)
            if NAMES_GIT_SETTINGS.fullmatch(assigned.name) and bare_name(first.text) == "git":
                findings.roams |= {Access.READ, Access.WRITE}
    if not first.exact or first.many:
        findings.dynamic = True
        findings.not_known(f"Which program {first.written or first.text} is cannot be known.")
        return part_of(call, findings), None
    name = bare_name(first.text)
    if call.stranger:
        findings.dynamic = True
        findings.not_known(call.stranger)
    if "/" in first.text and name == first.text:
        findings.starts(first, 0)
    program = program_named(name) if not call.stranger else None
    if program is None:
        findings.raises(Category.EXECUTE)
        findings.own = Category.EXECUTE
        findings.steps_at.append(0)
        _reads_what_looks_like_files(call.words[1:], findings)
        return part_of(call, findings), None
    verb = _apply(program, call, findings)
    return part_of(call, findings, verb), findings.output


def _reads_what_looks_like_files(words: tuple[Argument, ...], findings: Findings) -> None:
    """Of a program that nobody knows, each word that could name a file is taken to be read."""
    for at, word in enumerate(words, 1):
        text = word.text.partition("=")[2] if word.text.startswith("-") else word.text
        if word.exact and ("/" in text or "." in text) and "://" not in text:
            findings.reads(replace(word, text=text), at)


def _apply(program: Program, call: Invocation, findings: Findings) -> Program | None:
    """Goes down the verbs, then takes up options and operands; gives the verb that it came to, if it is known."""
    findings.steps_at.append(0)
    if len(call.words) == 2 and call.words[1].exact and call.words[1].text in program.versions:
        return replace(program, does="says its version", transparent=False)
    return _apply_from(program, call, findings, 1)


def _apply_from(program: Program, call: Invocation, findings: Findings, start: int) -> Program | None:
    given = _sorted(program, call, start)
    while program.verbs and given.operands:
        _options(given, findings)
        if program.before is not None:
            program.before(given, findings)
        at = given.operands[0]
        word = call.words[at]
        verb = _verb(program, word)
        if not word.exact or word.many:
            findings.dynamic = True
            findings.not_known(f"What {word.written or word.text} makes {program.names[0]} do cannot be known.")
            return None
        findings.steps_at.append(at)
        if verb is None:
            findings.own = Category.EXECUTE
            findings.raises(Category.EXECUTE)
            if "/" in word.text:
                findings.starts(word, at)
            # It may know the options that could have stood before it.
            given = _sorted(replace(program, verbs=(), open=True), call, at + 1)
            _options(given, findings)
            if program.reader is not None:
                program.reader(given, findings)
            return None
        program = verb
        given = _sorted(program, call, at + 1)
    findings.own = program.category
    findings.raises(program.category)
    _options(given, findings)
    _operands(given, findings)
    if program.reader is not None:
        program.reader(given, findings)
    if program.tells is not Tells.SOMETHING:
        findings.goes_through(program.tells)
    if program.follows and _follows(program, given):
        findings.follows_links()
    if findings.becomes is not None:
        (name, first), findings.becomes = findings.becomes, None
        following = program_named(name)
        if following is not None:
            return _apply_from(following, call, findings, first)
    return program


def _follows(program: Program, given: Given) -> bool:
    named = any(word.exact and word.text in program.follows for word in given.words[given.start :])
    return named or given.has(*program.follows)


def _sorted(program: Program, call: Invocation, start: int) -> Given:
    given = sort_words(program, call.words, start)
    given.stdin, given.piped = call.stdin, call.piped
    return given


def _verb(program: Program, word: Argument) -> Program | None:
    return next((verb for verb in program.verbs if word.text in verb.names), None)


def _options(given: Given, findings: Findings) -> None:
    for one in given.options:
        _option(one, findings)
        if one.value is None:
            continue
        word = findings.words[one.value_at if one.value_at is not None else one.at]
        apart = one.value_at != one.at
        if word.many and (not word.glob or (apart and _places_matter(given.program))):
            findings.unclear(f"is given {word.written or word.text}, which could be several words", one.value_at)
        elif apart and _could_be_option(word, given.program):
            findings.unclear(f"is given {word.written or word.text}, which could be an option", one.value_at)
    for at in given.strange:
        word = findings.words[at]
        if not word.exact:
            findings.unclear(f"has the option {word.written or word.text}, which is not known", at)
        elif not given.program.open:
            findings.danger(f"has the option {word.written or word.text}, which is not known", at)
        elif _could_matter(given.program):
            findings.loose = findings.loose or f"has the option {word.written or word.text}, which is not known"


def _could_matter(program: Program) -> bool:
    """Whether an option that is not named could do harm: where one that is named does, or its words need a reader."""
    if program.only_reads or program.sorts_words:
        return False
    return program.reader is not None or any(
        option.use not in (Use.TEXT, Use.READ) for option in program.options.values()
    )


def _could_be_option(value: Argument, program: Program) -> bool:
    """Whether what is taken for the value of an option could be an option itself."""
    if value.text.startswith("--") and len(value.text) > 2:
        return True
    return value.may_be_option and (value.many or program.open)


def _places_matter(program: Program) -> bool:
    """Whether it makes a difference which of its words comes first."""
    uses = {*program.operands.first, program.operands.rest, program.operands.last}
    return not program.only_reads and not uses <= {Use.TEXT, Use.READ, None}


def _option(one: GivenOption, findings: Findings) -> None:
    option, value, at = one.option, one.value, one.value_at
    match option.use:
        case Use.TEXT:
            return
        case Use.DANGER:
            findings.danger(f"{option.why or 'does more than its name says'} ({one.name})", one.at)
        case Use.RUNS:
            findings.danger(f"can start another program ({one.name})", one.at)
        case Use.CONTACT:
            findings.contacts(value, one.at)
        case Use.LIST:
            if value is not None:
                findings.reads(value, at)
            findings.takes_names(f"works on the files that a list names ({one.name})", at if at is not None else one.at)
        case _ if value is not None:
            _use(option.use, value, at, findings, whole=False)
        case _ if option.takes is Takes.NOTHING and option.use in (Use.READ, Use.WRITE, Use.DELETE):
            return  # It speaks of the operands.
        case Use.OUTPUT:
            findings.danger(f"changes files ({one.name})", one.at, Category.WRITE)
        case _:
            findings.danger(f"can do more than its name says ({one.name})", one.at)


def _operands(given: Given, findings: Findings) -> None:
    operands, program = given.program.operands, given.program
    changed = _change_by_option(given.options)
    if program.wraps:
        _wrapped(given, findings)
        return
    if program.sorts_words:
        return
    for at, named in zip(given.operands, _uses(given), strict=True):
        word = findings.words[at]
        # A word that may become several: those after the first are operands like the rest.
        use = operands.rest if named is Use.TEXT and word.many and operands.rest in _OF_FILES else named
        ended = (given.ended is not None and given.ended <= at) or (program.stops and at != given.operands[0])
        if word.may_be_option and not ended and _options_matter(program, use, word):
            findings.unclear(f"is given {word.written or word.text}, which could be an option", at)
        if use is None:
            findings.danger(f"is given {word.written or word.text}, which is not understood", at)
        else:
            use = changed if changed is not None and use is Use.READ else use
            if word.text == "-" and use in (Use.WRITE, Use.DELETE):
                # Only as the value of an option does it mean the output.
                word = replace(word, text="./-", written="-")
            _use(use, word, at, findings, whole=operands.whole or (use is Use.DELETE and _goes_down(given)))
    if operands.here and not given.operands:
        findings.reads_here(whole=operands.whole)


_GOES_DOWN = ("-r", "-R", "--recursive")


def _goes_down(given: Given) -> bool:
    """Whether folders are deleted with all that is in them. What has no option for it is taken to do it."""
    return given.has(*_GOES_DOWN) or not any(name in given.program.options for name in _GOES_DOWN)


_OF_FILES = (Use.READ, Use.WRITE, Use.DELETE)


def _options_matter(program: Program, use: Use | None, word: Argument) -> bool:
    """Whether an option in the place of this operand could do more than the operand does.

    An entry that is not open names all options; to read yet another file is no more than reading.
    """
    if program.only_reads:
        # One word can be no more than an option; several could bring the names of other files.
        reads = use is Use.READ or any(option.use is Use.READ for option in program.options.values())
        return reads and word.many and not word.glob
    same = {Use.TEXT, use, Use.LIST} if use is Use.READ else {Use.TEXT}
    return program.reader is not None or any(option.use not in same for option in program.options.values())


def _change_by_option(options: list[GivenOption]) -> Use | None:
    """A flag that makes the program change the files that it would otherwise read."""
    uses = [one.option.use for one in options if one.value is None and one.option.takes is Takes.NOTHING]
    change = next((use for use in uses if use in (Use.WRITE, Use.DELETE, Use.OUTPUT)), None)
    return Use.WRITE if change is Use.OUTPUT else change


def _uses(given: Given) -> list[Use | None]:
    operands, count = given.program.operands, len(given.operands)
    first = () if operands.first_unless and given.has(*operands.first_unless) else operands.first
    uses: list[Use | None] = [*first[:count], *[operands.rest] * max(0, count - len(first))]
    if operands.last is not None and count > 1:
        uses[-1] = operands.last
    return uses


def _wrapped(given: Given, findings: Findings) -> None:
    """Its own first operands, assignments, and then a command."""
    program, words = given.program, findings.words
    rest = list(given.operands)
    for use in program.operands.first:
        if rest:
            at = rest.pop(0)
            if words[at].many or words[at].may_be_option:
                findings.danger(f"is given {words[at].written or words[at].text}, which could be several words", at)
            _use(use, words[at], at, findings, whole=False)
    while program.assigns and rest and is_assignment(words[rest[0]]):
        findings.assigns(words[rest.pop(0)], None)
    if rest:
        findings.runs(rest[0], stdin=given.stdin)


def _use(use: Use, word: Argument, at: int | None, findings: Findings, *, whole: bool) -> None:
    match use:
        case Use.TEXT:
            return
        case Use.READ:
            findings.reads(word, at, whole=whole)
        case Use.WRITE:
            findings.writes(word, at, whole=whole)
        case Use.DELETE:
            findings.deletes(word, at, whole=whole)
        case Use.DIRECTORY:
            findings.works_in(word, at)
        case Use.SCRIPT:
            findings.starts(word, at)
        case Use.LOADS:
            findings.starts(word, at)
            findings.danger(f"runs what is in {word.written or word.text}", at)
        case Use.OUTPUT:
            findings.writes_beside(word, at)
        case Use.COMMAND:
            findings.runs_text(word, at, posix=True)
        case Use.CONTACT:
            findings.contacts(word, at)
        case Use.RUNS:
            findings.danger(f"can start {word.written or word.text}", at)
        case Use.DANGER:
            findings.danger(f"does more than its name says with {word.written or word.text}", at)
