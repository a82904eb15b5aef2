"""`python -m codegen` writes the generated files; `--check` only says whether they are fresh."""

import sys

from codegen.files import stale, write_all


def main(arguments: list[str]) -> int:
    if arguments == ["--check"]:
        old = stale()
        for path in old:
            sys.stderr.write(f"{path} is older than what it is made from; run: python3 dev.py generate\n")
        return 1 if old else 0
    for path in write_all():
        sys.stdout.write(f"wrote {path}\n")
    return 0


sys.exit(main(sys.argv[1:]))
