"""The words of `tar`: what it does, on which archive, in which folder, and what it would start."""

from assent.commandline.catalogue.changes import writes_by_purpose
from assent.commandline.findings import Findings
from assent.commandline.given import Given, GivenOption, sort_words
from assent.commandline.schema import Program, Takes, Use, options
from assent.model.commands import Argument

_PACKS = ("-c", "-r", "-u", "-A")
_LISTS = ("-t", "-d")

_TAR = Program(
    ("tar",),
    "packs or unpacks an archive",
    "Options of the GNU and BSD versions; where one has a value and the other has none, it is left out.",
    options=options(
        "-A|--catenate|--concatenate -c|--create -d|--diff|--compare -r|--append -t|--list -u|--update "
        "-x|--extract|--get --delete --test-label -k|--keep-old-files --keep-newer-files --skip-old-files "
        "--overwrite --overwrite-dir --no-overwrite-dir -U|--unlink-first --recursive-unlink "
        "--verify -O|--to-stdout -m|--touch -p|--preserve-permissions "
        "--same-permissions --no-same-permissions --same-owner --no-same-owner --numeric-owner "
        "--preserve-order --same-order --sort= --owner= --group= --mode= --mtime= --atime-preserve[=] "
        "--delay-directory-restore --no-delay-directory-restore -j|--bzip2 -J|--xz --lzip --lzma --lzop "
        "-z|--gzip|--gunzip|--ungzip -Z|--compress|--uncompress --zstd -a|--auto-compress --no-auto-compress "
        "-h|--dereference --hard-dereference -l|--check-links --one-file-system -P|--absolute-names "
        "--strip-components= --exclude= --exclude-vcs --exclude-vcs-ignores --exclude-backups --exclude-caches "
        "--exclude-caches-all --exclude-caches-under --anchored --no-anchored --ignore-case --no-ignore-case "
        "--wildcards --no-wildcards --wildcards-match-slash --no-wildcards-match-slash --no-recursion --recursion "
        "--null --no-null -v|--verbose --totals[=] --full-time --utc --show-transformed-names --quoting-style= "
        "--block-number -R -b|--blocking-factor= -B|--read-full-records -i|--ignore-zeros --record-size= "
        "-H|--format= --posix --old-archive --portability -o -V|--label= --pax-option= -S|--sparse "
        "--sparse-version= --hole-detection= -N|--newer|--after-date= --newer-mtime= --xattrs --no-xattrs --acls "
        "--no-acls --selinux --no-selinux --ignore-failed-read --no-ignore-failed-read --force-local --occurrence[=] "
        "--verbatim-files-from --no-verbatim-files-from --index -w|--interactive|--confirmation --warning= "
        "--suffix= --backup[=] --no-mac-metadata --no-fflags --seek -n|--no-seek --clamp-mtime --level= "
        "--show-omitted-dirs --show-stored-names --no-quote-chars= --quote-chars= --unquote --no-unquote "
        "--checkpoint[=] --version --help --usage -f|--file= -C|--directory= -q --fast-read",
        reads="-X|--exclude-from= --exclude-tag= --exclude-tag-all= --exclude-tag-under=",
        outputs="--index-file= --one-top-level[=]",
        lists="-T|--files-from=",
        runs="-I|--use-compress-program= --to-command= -F|--info-script|--new-volume-script= --rsh-command= "
        "--rmt-command= --checkpoint-action=",
        dangers={
            "--remove-files": "deletes what it packed",
            "-g|--listed-incremental=": "writes a list of what it saw",
            "-G|--incremental": "deletes what the archive does not hold",
            "--transform|--xform=": "writes under other names than the archive holds",
            "-M|--multi-volume": "asks for more archives while it runs",
            "-L|--tape-length=": "asks for more archives while it runs",
            "-K|--starting-file=": "begins somewhere in the archive",
            "--keep-directory-symlink": "writes through links that lead elsewhere",
            "--volno-file=": "writes a number into a file",
        },
    ),
)


def tar_words(given: Given, findings: Findings) -> None:
    """Options first; in the old spelling the first word is letters, whose values follow."""
    own = _sorted(given.words)
    for at in own.strange:
        findings.danger(f"has the option {own.words[at].written or own.words[at].text}, which is not known", at)
    for one in own.options:
        _option(one, findings)
    _act(own, findings)
    if own.has("-h"):
        findings.follows_links()


def _sorted(words: tuple[Argument, ...]) -> Given:
    if len(words) < 2 or words[1].text.startswith("-") or not words[1].text:
        return sort_words(_TAR, words, 1)
    letters, at = words[1], 2
    own = Given(_TAR, words, 2)
    if not letters.exact:
        own.strange.append(1)
        return own
    for letter in letters.text:
        option = _TAR.options.get(f"-{letter}")
        if option is None:
            own.strange.append(1)
        elif option.takes is Takes.VALUE:
            value = words[at] if at < len(words) else None
            own.options.append(GivenOption(option, f"-{letter}", 1, value, at if value is not None else 1))
            at += 1
        else:
            own.options.append(GivenOption(option, f"-{letter}", 1))
    rest = sort_words(_TAR, words, min(at, len(words)))
    own.options += rest.options
    own.strange += rest.strange
    own.operands = rest.operands
    own.ended = rest.ended
    return own


def _option(one: GivenOption, findings: Findings) -> None:
    value = one.value
    match one.option.use:
        case Use.RUNS:
            findings.danger(f"can start another program ({one.name})", one.at)
        case Use.DANGER:
            findings.danger(f"{one.option.why} ({one.name})", one.at)
        case Use.READ if value is not None:
            findings.reads(value, one.value_at)
        case Use.LIST if value is not None:
            findings.reads(value, one.value_at)
            findings.takes_names(f"works on the files that a list names ({one.name})", one.at)
        case Use.OUTPUT if value is not None:
            findings.writes_beside(value, one.value_at)
        case _ if value is not None and value.many:
            findings.danger(f"is given {value.written}, which could be more than one word", one.value_at)
        case _:
            return


def _act(own: Given, findings: Findings) -> None:
    """Which letter it is decides what is read and what is written."""
    does = [letter for letter in (*_PACKS, *_LISTS, "-x", "--delete") if own.has(letter)]
    if not does:
        if not own.has("--version", "--help", "--usage"):
            # No word brings this, so no rule can name it.
            findings.danger("is not told what to do")
        return
    packs, extracts = bool(set(does) & {*_PACKS, "--delete"}), "-x" in does and not own.has("-O")
    if packs or extracts:
        writes_by_purpose(findings)
    _archives(own, packs, findings)
    _words_in_order(own, packs, extracts, findings)
    if own.has("-P") and extracts:
        findings.danger("writes wherever the archive says", next(o.at for o in own.options if "-P" in o.option.names))


def _archives(own: Given, packs: bool, findings: Findings) -> None:
    for one in own.options:
        if "-f" not in one.option.names or one.value is None:
            continue
        local, remote, _ = one.value.text.partition(":")
        if remote and "/" not in local and not own.has("--force-local"):
            findings.contacts(one.value, one.value_at)
            findings.danger(f"uses an archive on another machine ({one.value.text})", one.value_at)
        elif packs:
            findings.writes(one.value, one.value_at)
        else:
            findings.reads(one.value, one.value_at)


def _words_in_order(own: Given, packs: bool, extracts: bool, findings: Findings) -> None:
    """-C changes the folder for all that follows it; without any, it works where it runs."""
    order: list[tuple[int, Argument | None]] = [(at, None) for at in own.operands]
    order += [(one.value_at or 0, one.value) for one in own.options if "-C" in one.option.names and one.value]
    home, moved = findings.directory, False
    for at, folder in sorted(order, key=lambda item: item[0]):
        word = own.words[at]
        if folder is not None:
            findings.works_in(folder, at)
            moved = True
            if extracts:
                findings.writes(Argument(".", written=folder.written), at, whole=True)
        else:
            if word.may_be_option and (own.ended is None or at < own.ended):
                findings.danger(f"is given {word.written or word.text}, which could be an option", at)
            if packs:
                findings.reads(word, at, whole=True)
    findings.directory = home
    if extracts and not moved:
        findings.writes(Argument(".", written="."), None, whole=True)
