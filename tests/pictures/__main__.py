"""Takes the pictures of the documentation anew."""

import asyncio
import sys
from pathlib import Path

from tests.pictures.scenes import PICTURES
from tests.pictures.taking import take_all


def main() -> int:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    wanted = [one for one in PICTURES if one.name in sys.argv[2:]] or PICTURES
    asyncio.run(take_all(wanted, folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
