"""What the test of a sandbox runs inside: each line tries to get out, and says so where it could."""

SCRIPT = r"""
say() { echo "escaped: $1"; }
try() { local what=$1; shift; "$@" 2>/dev/null && say "$what"; }
into() { { echo x > "$1"; } 2>/dev/null && say "$2"; }
held=sub/package.json
echo x > "$BASE/scratch/ordinary" || exit 3
into $held "a protected file could be written"
try "a protected file could be cut off" truncate -s 0 $held
try "a protected file could be removed" rm -f $held
try "a protected file could be replaced" mv -f "$BASE/scratch/ordinary" $held
try "the folder of a protected file could be moved" mv sub elsewhere
try "a protected file could be given another name" ln $held "$BASE/scratch/linked"
ln -s "$PWD/$held" "$BASE/scratch/pointer" 2>/dev/null
into "$BASE/scratch/pointer" "a protected file could be written through a link"
into .vscode/tasks.json "editor settings could be made"
into .git/config "git settings could be made"
try "a folder that is not there could be replaced" mv .vscode other
try "a folder that is not there could be removed" rmdir .vscode
into "$BASE/outside/file" "a file outside could be written"
into "$BASE/outside/new" "a file outside could be made"
into "$BASE/hidden/placed" "" >/dev/null
for file in .env "$BASE/home/.ssh/id_test" "$BASE/hidden/state"; do
  [[ $(cat "$file" 2>/dev/null) == *"$SECRET"* ]] && say "a secret could be read"
done
(exec 3<>"/dev/tcp/127.0.0.1/$TCP") 2>/dev/null && say "TCP could be reached"
(echo x > "/dev/udp/127.0.0.1/$UDP") 2>/dev/null
environ=$(tr '\0' ' ' < "/proc/$SERVER/environ") 2>/dev/null
[[ -n $environ && $environ != *"BASE=$BASE"* ]] && say "another program's environment could be read"
try "a user namespace could be made" unshare -U true
for file in /proc/sys/kernel/core_pattern /proc/sys/vm/overcommit_memory /proc/sys/net/ipv4/ip_forward; do
  { exec 4<>"$file"; } 2>/dev/null && say "$file could be set"
done
"$PYTHON" -I -S -c "$PROBE"
echo "script ended"
"""

PROBE = r"""
import os, socket
def attempt(what, act):
    try:
        act()
    except (OSError, ValueError):
        return
    print("escaped: " + what)
def stream(address):
    one = socket.socket(socket.AF_UNIX)
    one.connect(address)
def message():
    one, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    one.sendto(b"x", "messages")
def udp():
    one = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    # In a network of its own this goes nowhere, and only whoever listens can tell.
    one.sendto(b"x", ("127.0.0.1", int(os.environ["UDP"])))
attempt("a named socket could be reached", lambda: stream("stream"))
attempt("an abstract socket could be reached", lambda: stream("\0" + os.environ["ABSTRACT"]))
attempt("a named socket could be written to", message)
try:
    udp()
except OSError:
    pass
attempt("a raw socket could be made", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1))
attempt("a raw socket could be made", lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW))
attempt("the network's settings could be reached", lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW))
print("probe ended", flush=True)
"""
