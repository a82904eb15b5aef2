"""What copies files to and from other machines, and what works with keys."""

from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.commandline.schema import Operands, Program, Use, options
from assent.model.modes import Category

_SSH_RISKS = {
    "-F=": "reads other settings",
    "-i=": "shows another key",
    "-J=": "goes through another host",
    "-o=": "changes its settings, which can start other programs",
    "-S=": "starts another program",
    "-D=": "starts another program",
    "-A": "hands on one's keys",
}


def _copies(given: Given, findings: Findings) -> None:
    """A word with a colon before any slash names another machine; what has none is a file of this one."""
    last = len(given.operands) - 1
    for place, at in enumerate(given.operands):
        word = findings.words[at]
        head = word.text.partition("/")[0]
        if ":" in head or (not word.exact and not word.below and "/" not in word.text):
            findings.contacts(word, at)
            if not word.exact:
                findings.danger(f"copies from or to {word.written or word.text}, which is not known", at)
        elif place == last and last > 0:
            findings.writes(word, at, whole=True)
        else:
            findings.reads(word, at, whole=True)


SCP = Program(
    ("scp",),
    "copies files between machines",
    "Reads what it sends and writes what it gets; another program or other settings for the connection are dangers.",
    Category.EXTERNAL,
    options("-3 -4 -6 -B -C -p -q -r -v -O -s -T -R -P= -l= -c= -X=", dangers=_SSH_RISKS),
    reader=_copies,
)
RSYNC = Program(
    ("rsync",),
    "copies files",
    "Writes to its last operand; starting other programs, deleting, and lists of files are dangers.",
    Category.WRITE,
    options(
        "-a|--archive -v|--verbose -q|--quiet -r|--recursive -z|--compress -h|--human-readable -n|--dry-run "
        "-u|--update "
        "-c|--checksum -t|--times -p|--perms -o|--owner -g|--group -l|--links -L|--copy-links -H|--hard-links -x -i -P "
        "-m|--prune-empty-dirs -R|--relative -W|--whole-file -A|--acls -X|--xattrs -D --devices --specials -S|--sparse "
        "--progress --partial --stats --exclude= --include= --size-only --existing --ignore-existing --itemize-changes "
        "--info= --out-format= --bwlimit= --timeout= --max-size= --min-size= --no-perms --no-owner --no-group "
        "--inplace "
        "--numeric-ids --chmod= -C|--cvs-exclude --list-only -E|--executability --delay-updates -O|--omit-dir-times -k "
        "-K "
        "--ignore-times|-I --modify-window= --append --no-times --mkpath --dirs|-d --one-file-system --omit-link-times",
        reads="--exclude-from= --include-from= --compare-dest= --link-dest= --copy-dest= --password-file=",
        lists="--files-from=",
        outputs="--log-file= -b|--backup --backup-dir= -T|--temp-dir= --partial-dir= --write-batch= "
        "--only-write-batch=",
        runs="-e|--rsh= --rsync-path= -M|--remote-option= --early-input= --copy-as= --daemon --config=",
        dangers={
            "--delete": "deletes what the other side does not have",
            "--del": "deletes what the other side does not have",
            "--delete-before": "deletes what the other side does not have",
            "--delete-during": "deletes what the other side does not have",
            "--delete-delay": "deletes what the other side does not have",
            "--delete-after": "deletes what the other side does not have",
            "--delete-excluded": "deletes what the other side does not have",
            "--delete-missing-args": "deletes what the other side does not have",
            "--remove-source-files": "deletes what it copied",
            "--force": "deletes folders",
            "-f|--filter=": "reads rules from files",
            "-F": "reads rules from files",
            "--read-batch=": "writes what a file says",
        },
    ),
    reader=_copies,
)
_OPENSSL_OUTPUTS = "-out= -keyout= -writerand= -CAcreateserial -noout_file= -sess_out= -certsout= -msgfile="
_OPENSSL_READS = "-in= -key= -inkey= -cert= -CA= -CAfile= -certfile= -signature= -verify= -prverify= -sign="
_OPENSSL = options(
    "-noout -text -subject -issuer -dates -enddate -startdate -fingerprint -serial -modulus -pubkey -hash -checkend= "
    "-sha1 -sha256 "
    "-sha384 -sha512 -md5 -hex -r -c -binary -base64 -a -A -d -e -nosalt -salt -pbkdf2 -inform= -outform= -purpose "
    "-email -help "
    "-servername= -showcerts -brief -status -alpn= -tls1_2 -tls1_3 -CAform= -nodes -noenc -check -pubin -pubout -list "
    "-name",
    reads=_OPENSSL_READS,
    outputs=_OPENSSL_OUTPUTS,
    contacts="-connect= -host= -url=",
    loads="-config= -engine= -provider= -provider-path= -extfile= -engine_impl -keyform=",
    dangers={
        "-pass=": "takes a password",
        "-passin=": "takes a password",
        "-passout=": "takes a password",
        "-k=": "takes a password",
        "-kfile=": "takes a password",
        "-proxy=": "goes through another host",
        "-rand=": "reads a file",
    },
)
_OPENSSL_LOOKS = "Reads what it is given and prints; files that it writes, and code that it loads, are dangers."
OPENSSL = Program(
    ("openssl",),
    "works with keys and certificates",
    _OPENSSL_LOOKS,
    Category.EXECUTE,
    options(),
    verbs=(
        *(
            Program(
                (name,),
                "works with keys and certificates",
                _OPENSSL_LOOKS,
                Category.READ,
                _OPENSSL,
                Operands(rest=Use.READ),
                one_dash=True,
            )
            for name in (
                "x509",
                "dgst",
                "sha256",
                "sha1",
                "md5",
                "base64",
                "crl",
                "verify",
                "asn1parse",
                "pkcs7",
                "req",
                "enc",
                "rsa",
                "ec",
                "pkey",
                "pkcs12",
                "cms",
            )
        ),
        Program(("version",), "tells which version it is", _OPENSSL_LOOKS, options=options("-a -v"), one_dash=True),
        Program(
            ("rand",),
            "prints random bytes",
            _OPENSSL_LOOKS,
            options=options("-hex -base64", outputs="-out= -writerand=", loads="-engine= -provider="),
            one_dash=True,
        ),
        Program(
            ("s_client",),
            "talks to a port",
            "Sends what it is given and prints what comes back.",
            Category.EXTERNAL,
            _OPENSSL,
            one_dash=True,
        ),
    ),
)
GPG = Program(
    ("gpg", "gpg2"),
    "works with keys and signatures",
    "Looking at keys and checking signatures only reads the user's own store; everything else is a danger.",
    Category.EXECUTE,
    options(
        "-k|--list-keys|--list-public-keys -K|--list-secret-keys --list-sigs --list-signatures --fingerprint "
        "--with-colons "
        "--keyid-format= --verify -v|--verbose -q|--quiet --batch --no-tty --version -h|--help --with-fingerprint "
        "--show-keys",
    ),
    Operands(rest=Use.READ),
)
SSH_KEYGEN = Program(
    ("ssh-keygen",),
    "works with keys",
    "Shows a fingerprint; making or changing a key is a danger, and so is another program that holds keys.",
    Category.EXECUTE,
    options("-l -v -q -E= -B", reads="-f=", runs="-D= -w= -Z= -Y= -s="),
    Operands(rest=None),
)
PROGRAMS: tuple[Program, ...] = (SCP, RSYNC, OPENSSL, GPG, SSH_KEYGEN)
