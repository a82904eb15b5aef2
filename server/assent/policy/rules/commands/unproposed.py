"""Programs whose name alone is never offered as a rule: it does not say what they do, or they do too much."""

_INTERPRETERS = """
    awk bash bun cmd csh dash deno elixir fish gawk gdb groovy irb java jshell julia ksh ksh93 lua luajit mawk
    mksh nawk nu node nodejs ocaml osascript perl php pwsh powershell pypy pypy3 python python2 python3 py R
    Rscript ruby scala sh sqlite3 psql mysql tclsh ts-node tsx wish xonsh zsh vim vi nvim emacs ed ex expect
"""
_STARTERS = """
    at batch busybox chroot chrt command coproc crontab dbus-run-session doas direnv entr env eval exec fakeroot
    find fd firejail flock git-shell ionice nice nohup nsenter parallel pkexec proot script setarch setsid source
    stdbuf strace ltrace su sudo systemd-run taskset time timeout toybox unbuffer unshare watch watchexec xargs
    xvfb-run . trap
"""
_RUNNERS = """
    ansible ansible-playbook ant bazel bundle bunx cargo composer conda corepack docker-compose dotnet flutter go
    gradle gradlew hatch helm invoke jake just lerna make gmake cmake ninja mise mvn mvnw nox npm npx nx pdm pip
    pip3 pipenv pipx pnpm pnpx poetry rake rye task tox turbo uv uvx yarn brew apt apt-get dnf yum
"""
_ELSEWHERE = """
    aws az curl docker fly gcloud gh git heroku http kubectl minikube nc ncat netcat oc podman rclone rsync scp
    sftp socat ssh telnet terraform vagrant vercel wget wsl
"""
_CHANGES = """
    chgrp chmod chown dd diskutil fdisk format kill killall launchctl mkfs mount pkill reboot rm rmdir service
    shred shutdown systemctl truncate umount sed tar tee
"""

NEVER_ALONE = frozenset(
    name for listed in (_INTERPRETERS, _STARTERS, _RUNNERS, _ELSEWHERE, _CHANGES) for name in listed.split()
)
