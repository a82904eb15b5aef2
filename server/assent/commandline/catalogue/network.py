"""What fetches from the network, asks it, or talks to it."""

from assent.commandline.catalogue.shared import VERSION_OR_HELP, several
from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.commandline.schema import Operands, Program, Use, options
from assent.model.commands import Argument
from assent.model.modes import Category

_UPLOADS = ("-d", "--data-raw", "--data-urlencode", "-F", "--json", "--url-query", "-H", "--proxy-header", "-b", "-w")


def _curl(given: Given, findings: Findings) -> None:
    """`@file` in what is sent reads that file, and an address can be a file or ask for more than a page."""
    for one in given.options:
        value = one.value
        if value is None:
            continue
        names = one.option.names
        if set(names) & set(_UPLOADS):
            _sent(one.name, names, value, one.at, one.value_at, findings)
        elif "-X" in names and (not value.exact or value.text.upper() not in {"GET", "HEAD", "OPTIONS"}):
            findings.danger(f"asks the other side to do something ({value.written or value.text})", one.at)
    for at in [*given.operands, *[one.value_at for one in given.options if "--url" in one.option.names]]:
        if at is not None:
            _address(findings.words[at], at, findings)


def _sent(
    name: str, names: tuple[str, ...], value: Argument, at: int, value_at: int | None, findings: Findings
) -> None:
    """A header, a cookie or a form to print is no upload, unless it comes from a file."""
    plain = {"-H", "--proxy-header", "-b", "-w"} & set(names)
    if not value.exact and not (plain and value.text and value.text[0] != "@"):
        findings.danger(f"can send a file ({name})", at)
    elif "-F" in names or "--data-urlencode" in names or "--url-query" in names:
        place = max(value.text.find("@"), value.text.find("<") if "-F" in names else -1)
        _file(value, place, value_at, findings)
        findings.danger(f"sends data ({name})", at)
    elif value.text.startswith("@") and "--data-raw" not in names:
        _file(value, 0, value_at, findings)
        findings.danger(f"sends a file ({name})", at)
    elif "-b" in names and "=" not in value.text:
        _file(value, -1, value_at, findings, always=True)
    elif "-w" in names and "output{" in value.text:
        findings.danger(f"writes a file ({name})", at)
    elif not plain:
        findings.danger(f"sends data ({name})", at)


def _file(value: Argument, place: int, at: int | None, findings: Findings, *, always: bool = False) -> None:
    text = value.text[place + 1 :].partition(";")[0]
    if text and (place >= 0 or always):
        findings.reads(Argument(text, value.exact, written=value.written), at)


def _address(word: Argument, at: int, findings: Findings) -> None:
    scheme = word.text.partition(":")[0].lower()
    if word.text.startswith("@"):
        findings.danger("takes addresses from a file", at)
    if not word.exact and ":" not in word.text:
        return
    if scheme == "file":
        findings.reads(Argument(word.text[5:].removeprefix("//"), word.exact, written=word.written), at)
    elif scheme not in {"http", "https"} and "://" in word.text:
        findings.danger(f"speaks another language than that of the web ({word.written or word.text})", at)


CURL = Program(
    ("curl",),
    "fetches from an address",
    "Prints what an address gives. Writing files, sending anything, options from a file and ways around the usual "
    "checks are dangers.",
    Category.EXTERNAL,
    options(
        "-s|--silent -S|--show-error -f|--fail --fail-with-body -L|--location -v|--verbose -i|--include|--show-headers "
        "-I|--head -g|--globoff -G|--get -4|--ipv4 -6|--ipv6 -N|--no-buffer -#|--progress-bar --compressed "
        "-h|--help[=] "
        "-V|--version -m|--max-time= --connect-timeout= --retry= --retry-delay= --retry-max-time= --retry-connrefused "
        "--retry-all-errors -X|--request= -H|--header= -A|--user-agent= -e|--referer= -w|--write-out= -b|--cookie= "
        "-r|--range= --max-redirs= --http1.0|-0 --http1.1 --http2 --http3 --tlsv1.2 --tlsv1.3 --tls-max= --path-as-is "
        "-Z|--parallel --parallel-max= --limit-rate= --max-filesize= -y|--speed-time= -Y|--speed-limit= "
        "--no-progress-meter "
        "--tcp-nodelay --keepalive-time= --raw -j|--junk-session-cookies -M|--manual --no-keepalive --fail-early "
        "-d|--data|--data-ascii|--data-binary= --data-raw= --data-urlencode= -F|--form= --json= --url-query= --url= "
        "--proxy-header= -B|--use-ascii --tr-encoding -q|--disable --no-sessionid --styled-output --no-styled-output "
        "--happy-eyeballs-timeout-ms= --expect100-timeout= --no-location --post301 --post302",
        outputs="-o|--output= -D|--dump-header= -c|--cookie-jar= --trace= --trace-ascii= --stderr= --hsts= --alt-svc= "
        "--etag-save= --libcurl= --output-dir= --ssl-sessions=",
        reads="--etag-compare= --cacert= -E|--cert= --key=",
        lists="-K|--config=",
        runs="--engine= --krb=",
        dangers={
            "-O|--remote-name": "writes a file with a name that the other side chooses",
            "--remote-name-all": "writes files with names that the other side chooses",
            "-J|--remote-header-name": "writes a file with a name that the other side chooses",
            "--create-dirs": "makes folders",
            "--remove-on-error": "deletes files",
            "-T|--upload-file=": "sends a file",
            "--form-string=": "sends data",
            "-u|--user=": "logs in",
            "-n|--netrc": "sends stored passwords",
            "--netrc-file=": "sends stored passwords",
            "--netrc-optional": "sends stored passwords",
            "--oauth2-bearer=": "logs in",
            "--location-trusted": "sends passwords to other hosts too",
            "-k|--insecure": "trusts any host",
            "--proxy-insecure": "trusts any host",
            "-x|--proxy=": "goes through another host",
            "--preproxy=": "goes through another host",
            "--socks4|--socks4a|--socks5|--socks5-hostname=": "goes through another host",
            "-p|--proxytunnel": "goes through another host",
            "-U|--proxy-user=": "logs in",
            "--resolve=": "reaches another host than it names",
            "--connect-to=": "reaches another host than it names",
            "--interface=": "goes another way",
            "--dns-servers=": "asks other hosts for names",
            "--doh-url=": "asks other hosts for names",
            "--unix-socket=": "talks to a program of this machine",
            "--abstract-unix-socket=": "talks to a program of this machine",
            "-Q|--quote=": "sends commands",
            "-t|--telnet-option=": "sends commands",
            "--mail-from=": "sends mail",
            "--mail-rcpt=": "sends mail",
            "--variable=": "reads files or variables",
            "--expand-url=": "reads files or variables",
            "-:|--next": "begins another request",
            "--capath=": "trusts other hosts",
            "--pinnedpubkey=": "trusts another host",
            "--aws-sigv4=": "logs in",
            "--negotiate": "logs in",
            "--ntlm": "logs in",
            "-C|--continue-at=": "goes on writing a file",
            "-a|--append": "adds to a file of the other side",
        },
    ),
    Operands(rest=Use.CONTACT),
    reader=_curl,
    versions=VERSION_OR_HELP | {"-V"},
)
WGET = Program(
    ("wget", "wget2"),
    "fetches files from an address",
    "Writes what it fetches into the folder it runs in, with names that the other side has a say in. Settings given as "
    "options, and sending anything, are dangers.",
    Category.EXTERNAL,
    options(
        "-q|--quiet -v|--verbose -nv|--no-verbose -c|--continue -N|--timestamping -nc|--no-clobber "
        "-S|--server-response "
        "-4 -6 -t|--tries= -T|--timeout= -w|--wait= --spider --show-progress --progress= -U|--user-agent= --header= "
        "--max-redirect= --retry-connrefused --no-cache -h|--help -V|--version --https-only --content-on-error "
        "--connect-timeout= --read-timeout= --waitretry= --limit-rate= -d|--debug --no-hsts --compression= -Q|--quota=",
        writes="-O|--output-document= -P|--directory-prefix=",
        outputs="-o|--output-file= -a|--append-output= --save-cookies= --warc-file= --rejected-log= --hsts-file= "
        "--warc-tempdir= --warc-dedup=",
        reads="-i|--input-file= --load-cookies= --ca-certificate= --certificate= --private-key=",
        lists="--config=",
        runs="-e|--execute= --use-askpass=",
        dangers={
            "--post-file=": "sends a file",
            "--body-file=": "sends a file",
            "--post-data=": "sends data",
            "--body-data=": "sends data",
            "--method=": "asks the other side to do something",
            "--no-check-certificate": "trusts any host",
            "--content-disposition": "lets the other side choose names of files",
            "--trust-server-names": "lets the other side choose names of files",
            "--user=": "logs in",
            "--password=": "logs in",
            "--ask-password": "asks for a password",
            "--http-user=": "logs in",
            "--http-password=": "logs in",
            "-r|--recursive": "fetches everything that is linked",
            "-m|--mirror": "fetches everything that is linked",
            "-p|--page-requisites": "fetches everything that is linked",
            "-b|--background": "goes on in the background",
            "--delete-after": "deletes files",
            "-k|--convert-links": "changes files",
            "--unlink": "deletes files",
            "--force-directories|-x": "makes folders",
            "--start-pos=": "goes on writing a file",
            "--bind-address=": "goes another way",
            "--dns-servers=": "asks other hosts for names",
        },
    ),
    Operands(rest=Use.CONTACT),
    versions=VERSION_OR_HELP | {"-V"},
)
_ASKS = "Sends a question to the network and prints the answer."
PING = Program(
    ("ping", "ping6"),
    "asks whether a host answers",
    _ASKS,
    Category.EXTERNAL,
    options(
        "-c= -i= -w= -W= -s= -t= -n -q -v -4 -6 -a -D -O -V -I= -M= -m= -Q= -S= -l= -p=",
        dangers={"-f": "floods the host", "-b": "asks all hosts", "-R": "records the way", "-T=": "records times"},
    ),
    Operands(rest=Use.CONTACT),
)
DIG = Program(
    ("dig", "host", "nslookup", "drill"),
    "asks for the address of a name",
    _ASKS + " Questions from a file are read from there.",
    Category.EXTERNAL,
    options("-t= -x= -p= -q= -c= -b= -y= -4 -6 -a -r -v -V -h -u -m -l -W= -R= -N= -s -i -T -w", reads="-f= -k="),
    Operands(rest=Use.CONTACT),
)
OTHER_QUESTIONS = several(
    {
        "whois": "asks who owns a name",
        "traceroute tracepath mtr": "shows the way to a host",
    },
    _ASKS,
    Category.EXTERNAL,
    options("-h= -p= -m= -n -q= -w= -4 -6 -I -T -r -c= -H"),
    open=False,
    operands=Operands(rest=Use.CONTACT),
)
NETCAT = Program(
    ("nc", "ncat", "netcat"),
    "talks to a port",
    "Sends what it is given and prints what comes back; starting a program, and waiting for others, are dangers.",
    Category.EXTERNAL,
    options(
        "-z -v -vv -n -u -4 -6 -w= -i= -q= -N -C -d -D -t -h -S -T= -P= -M= -m= -O= -I= -V= -s= -W=",
        runs="-e|--exec= -c|--sh-exec= --lua-exec=",
        dangers={
            "-l|--listen": "waits for others",
            "-k|--keep-open": "waits for others",
            "-L": "waits for others",
            "-p|--source-port=": "waits for others",
            "-x|--proxy=": "goes through another host",
            "-X|--proxy-type=": "goes through another host",
            "-U|--unixsock": "talks to a program of this machine",
            "-o|--output=": "writes a file",
            "--hex-dump=": "writes a file",
            "--ssl-verify-fail": "trusts any host",
            "-g=": "goes another way",
            "-F": "hands on its connection",
        },
    ),
    Operands(rest=Use.CONTACT),
)
LINE_TOOLS = several(
    {"telnet": "talks to a host", "ftp lftp": "exchanges files with a host", "sftp": "exchanges files with a host"},
    "What it does there is said while it runs, so no option of it is known to be harmless.",
    Category.EXTERNAL,
    open=False,
    operands=Operands(rest=Use.CONTACT),
)
PROGRAMS: tuple[Program, ...] = (CURL, WGET, PING, DIG, *OTHER_QUESTIONS, NETCAT, *LINE_TOOLS)
