"""`python -m tests.bench faults [NAME...] [--seed N] [--small]`: the fault plan at its sizes for the night."""

import argparse
import logging
import secrets
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from traceback import format_exc

from tests.faults.plan import PLAN, Case, Row, proves_enough
from tests.faults.report import Report

MOST_SHOWN = 10


def main(arguments: list[str]) -> int:
    """One line a fault; 1 where an invariant was broken, or a run proved little."""
    options = _options(arguments)
    logging.disable(logging.CRITICAL)
    print(f"seed {options.seed}", flush=True)
    print(f"{'fault':34} {'size':>8} {'violations':>11} {'seconds':>9}", flush=True)
    bad = False
    for row in PLAN:
        if options.names and row.name not in options.names:
            continue
        with TemporaryDirectory(prefix="assent-faults-") as folder:
            try:
                case = Case(Path(folder), options.seed, _progress(row))
                report = _tried(row, case, options.small)
            except Exception:  # noqa: BLE001 - the other faults are tried all the same
                print(f"{row.name} broke off:\n{format_exc()}", flush=True)
                bad = True
                continue
            bad |= _tell(row, report, options)
    return int(bad)


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench faults", description=__doc__)
    parser.add_argument("names", nargs="*", help=f"only these: {', '.join(row.name for row in PLAN)}")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**9), help="the first one (a random one)")
    parser.add_argument("--small", action="store_true", help="at the sizes for every day")
    options = parser.parse_args(arguments)
    unknown = set(options.names) - {row.name for row in PLAN}
    if unknown:
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    return options


def _progress(row: Row) -> Callable[[str], None]:
    """Tells how far one is, beside the table."""
    return lambda said: print(f"    {row.name}: {said}", file=sys.stderr, flush=True)


def _tried(row: Row, case: Case, small: bool) -> Report:
    if small and row.every_day is not None:
        return row.every_day(case)
    return row.at_night(case)


def _tell(row: Row, report: Report, options: argparse.Namespace) -> bool:
    print(report, flush=True)
    for violation in report.violations[:MOST_SHOWN]:
        print(f"    {violation}", flush=True)
    if len(report.violations) > MOST_SHOWN:
        print(f"    and {len(report.violations) - MOST_SHOWN} more", flush=True)
    little = proves_enough(row, report, night=not options.small)
    if little:
        print(f"    {little}", flush=True)
    return bool(report.violations or little)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
