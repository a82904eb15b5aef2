"""`python -m assent` is the command line."""

import sys

if not sys.flags.safe_path:
    # Python looks for modules in the working directory first, and an editor starts this in a stranger's repository.
    sys.path.pop(0)

from assent.cli.main import main

sys.exit(main())
