"""Do the tests of the rules notice when a comparison or a number is wrong? A script, hours when it runs whole:

    nice -n 19 python -m tests.slow.mutate_rules --sample 25 --seed 1

It copies the project into a temporary folder and changes only the copy: one comparison (`<` to `<=`, `==` to `!=` …)
or one small whole number (n to n + 1) of companion/rules/rematch/*.py at a time, then runs tests/companion/rules there
until the first failure. A mutant that no test notices survives and is printed; one that hangs counts as noticed.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
RULES: Final = Path("companion/rules/rematch")
TESTS: Final = "tests/companion/rules"
COPIED: Final = ("companion", "tests/__init__.py", "tests/companion", "tests/data/rules")
LARGEST: Final = 100

FLIPPED: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}


@dataclass(frozen=True)
class Mutant:
    """`place`: which of the file's places; `told`: the change in words."""

    path: Path
    place: int
    line: int
    told: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.told}"


def mutants(text: str, path: Path) -> Iterator[Mutant]:
    """Every change that can be made to one file of the project."""
    for place, node in enumerate(_places(ast.parse(text))):
        before = ast.unparse(node)
        line = getattr(node, "lineno", 0)
        _change(node)
        yield Mutant(path, place, line, f"{before}  ->  {ast.unparse(node)}")


def mutated(text: str, mutant: Mutant) -> str:
    """The file's text with the change made."""
    tree = ast.parse(text)
    _change(list(_places(tree))[mutant.place])
    return ast.unparse(tree)


def _places(tree: ast.Module) -> list[ast.expr]:
    """Comparisons and small numbers, always in the same order; a chained comparison is changed at its first sign.

    Left out: how many answers a cache keeps, which changes none.
    """
    places: list[ast.expr] = []
    cache_sizes = {
        part
        for keyword in ast.walk(tree)
        if isinstance(keyword, ast.keyword) and keyword.arg == "maxsize"
        for part in ast.walk(keyword.value)
    }
    for node in ast.walk(tree):
        if node in cache_sizes:
            continue
        number = isinstance(node, ast.Constant) and type(node.value) is int and 0 <= node.value <= LARGEST
        if number or (isinstance(node, ast.Compare) and type(node.ops[0]) in FLIPPED):
            places.append(node)  # type: ignore[arg-type]
    return places


def _change(node: ast.expr) -> None:
    if isinstance(node, ast.Compare):
        node.ops[0] = FLIPPED[type(node.ops[0])]()
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        node.value += 1


def copy_project(folder: Path) -> None:
    for name in COPIED:
        source, target = ROOT / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)


def _environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}


def is_tested(folder: Path) -> bool:
    """Whether Python takes the rules from the folder, whatever is installed."""
    command = [sys.executable, "-c", "import companion.rules.rematch as it; print(it.__file__)"]
    told = subprocess.run(command, cwd=folder, env=_environment(folder), capture_output=True, text=True, check=True)
    return Path(told.stdout.strip()).is_relative_to(folder)


def noticed(folder: Path, timeout_s: float, files: Sequence[str]) -> bool:
    """Whether the tests in the folder fail; a run that takes too long has noticed."""
    # -c: no settings of the project this one was copied from; the folder comes before whatever is installed
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-c", os.devnull]
    command += ["--rootdir", str(folder), *files]
    run = subprocess.Popen(
        command, cwd=folder, env=_environment(folder), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip
    try:
        return run.wait(timeout_s) != 0
    except subprocess.TimeoutExpired:
        return True
    finally:
        if run.poll() is None:
            os.killpg(run.pid, signal.SIGKILL)
            run.wait()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=int, help="so many mutants, drawn by chance (default: all)")
    parser.add_argument("--seed", type=int, default=1, help="which sample (default: %(default)s)")
    parser.add_argument("--only", nargs="*", help="only these modules, as chains ledger")
    parser.add_argument("--tests", nargs="*", default=[TESTS], help="only these tests (default: %(default)s)")
    parser.add_argument("--list", action="store_true", help="print the mutants and try none")
    args = parser.parse_args()

    with tempfile.TemporaryDirectory(prefix="mutants-") as name:
        folder = Path(name).resolve()
        copy_project(folder)  # first of all: others may be editing the project meanwhile
        modules = [path for path in sorted((folder / RULES).glob("*.py")) if not args.only or path.stem in args.only]
        found = [mutant for path in modules for mutant in mutants(path.read_text(), path.relative_to(folder))]
        total = len(found)
        if args.sample is not None:
            found = random.Random(args.seed).sample(found, min(args.sample, total))
        if args.list:
            print(*found, sep="\n")
            return 0
        if not is_tested(folder):
            print("the copy is not what Python imports", file=sys.stderr)
            return 1
        began = time.monotonic()
        if noticed(folder, 600, args.tests):
            print("the tests fail without any change", file=sys.stderr)
            return 1
        timeout_s = 10 + 4 * (time.monotonic() - began)
        survivors = []
        for number, mutant in enumerate(found, start=1):
            target = folder / mutant.path
            original = target.read_text()
            target.write_text(mutated(original, mutant))
            killed = noticed(folder, timeout_s, args.tests)
            target.write_text(original)
            if not killed:
                survivors.append(mutant)
            print(f"{number}/{len(found)} {'killed  ' if killed else 'SURVIVED'} {mutant}", flush=True)
    killed_count = len(found) - len(survivors)
    print(
        f"\n{killed_count} of {len(found)} killed ({killed_count / max(1, len(found)):.0%}), {total} there are in all"
    )
    for mutant in survivors:
        print(f"survived: {mutant}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
