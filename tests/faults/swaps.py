"""Folders and files swapped for ways out while tools search, list and edit: nothing outside is told or changed."""

import asyncio
from collections import Counter
from pathlib import Path

from tests.faults.report import Report, timed
from tests.support.ripgrep import ripgrep
from tests.support.swap_races import EXPECTED, KINDS, WAYS, Race, race


def swaps(folder: Path, tries: int) -> Report:
    """So many tries of each tool, shared among all ways."""
    report = Report("swapped while tools work", tries, figures={"tries": 0, "swaps": 0})

    def work(report: Report) -> None:
        for kind in KINDS:
            if "ripgrep" in kind and ripgrep() is None:
                continue
            done = Counter[str]()
            for number, way in enumerate(WAYS):
                place = folder / f"{kind} {number}"
                _count(report, kind, way, asyncio.run(race(kind, place, way, tries // len(WAYS))), done)
            report.figures[f"{kind} done"] = done["done"]
            report.figures[f"{kind} refused"] = done.total() - done["done"]

    return timed(work, report)


def _count(report: Report, kind: str, way: str, found: Race, done: Counter[str]) -> None:
    done.update(found.codes)
    report.figures["tries"] += found.codes.total()
    report.figures["swaps"] += found.swaps
    report.violations += found.escapes
    report.violations += [f"{kind} ended with {code} ({way})" for code in found.codes.keys() - EXPECTED]
