"""A program of its own, with the standard library only: one regular expression on one text, both read from its input.

Whoever starts it ends it when it takes too long: Python's expressions can take longer than anybody lives.
"""

import json
import re
import sys
from itertools import islice

_FLAGS = {"ignore_case": re.IGNORECASE, "multiline": re.MULTILINE, "dot_all": re.DOTALL}


def main() -> None:
    """Answers with one JSON object: a result, or a fault."""
    given = json.loads(sys.stdin.buffer.read())
    flags = 0
    for name, flag in _FLAGS.items():
        flags |= flag if given.get(name) else 0
    try:
        pattern = re.compile(given["pattern"], flags)
        if given["replace"] is None:
            found = islice(pattern.finditer(given["text"]), given["most"])
            result: object = [
                {"match": one[0], "start": one.start(), "groups": list(one.groups()), "named": one.groupdict()}
                for one in found
            ]
        else:
            result = pattern.sub(given["replace"], given["text"], count=given["most"])
    except (re.error, IndexError, OverflowError, RecursionError) as fault:
        print(json.dumps({"fault": str(fault)}))  # noqa: T201 - this is how it answers
        return
    print(json.dumps({"result": result}))  # noqa: T201


if __name__ == "__main__":
    main()
