"""The command line `companion …` (DESIGN §6). Each command is a module of companion/commands."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from companion import __version__
from companion.errors import InputError

COMMANDS = (
    "run", "judge", "moves", "explain", "count_drops", "calibrate", "read", "replay", "evaluate", "referee", "fighters",
    "matches", "backup", "restore", "bench", "sheet", "pin", "doctor", "venue",
)  # fmt: skip


# NumPy's linear algebra takes all cores unless told before it is loaded: for such small sums that is slower, and the
# page and the beams want a core as well
for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        # argparse would print the whole usage first; DESIGN §6 wants one line
        raise InputError(f"{self.prog}: {message}")


def build_parser(argv: Sequence[str]) -> argparse.ArgumentParser:
    parser = _Parser(prog="companion", description="Keeps score of a real table.")
    parser.add_argument("--version", action="version", version=__version__)
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    # only the module of the command that is called: `judge` need not wait for OpenCV
    asked = argv[0].replace("-", "_") if argv else ""
    for name in (asked,) if asked in COMMANDS else COMMANDS:
        importlib.import_module(f"companion.commands.{name}").add(subparsers)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; 0 = done, 2 = bad input (one line on stderr)."""
    try:
        given = sys.argv[1:] if argv is None else argv
        args = build_parser(given).parse_args(given)
        result: int = args.run(args)
        sys.stdout.flush()
        return result
    except InputError as error:
        print(" ".join(str(error).split()), file=sys.stderr)
        return 2
    except PermissionError as error:
        # most often the installed companion's matches, looked at by somebody who may not
        print(f"{error.filename or 'a file'}: permission denied (is this a case for sudo?)", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # `companion moves … | head`: the reader has gone; keep the interpreter from complaining at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
