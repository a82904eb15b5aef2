"""Looks through files: `python -I -S <this file> <order>`."""

import sys
from os.path import abspath, dirname

# Behind everything else, so that nothing beside this package is ever taken for a module of the standard library.
sys.path.append(dirname(dirname(dirname(dirname(abspath(__file__))))))  # noqa: PTH100, PTH120 - pathlib would cost megabytes

from assent.tools.search.scan import begin

if __name__ == "__main__":
    begin()
