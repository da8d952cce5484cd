"""Do the tests of the rules notice when a comparison or a constant is wrong? A script, about half an hour when whole:

    nice -n 19 python -m tests.slow.mutate_rules

It copies the project into a temporary folder and reads the rules from there, one change at a time: each sign of a
comparison (`<` to `<=`, `==` to `!=`, `in` to `not in` …) and each number or True/False (`mutants.other`) of
companion/rules/rematch/*.py. A mutant that no test notices survives; one that hangs or fills the memory counts as
noticed. Survivors that change nothing a test could see stand in mutants_explained.md, each with its reason.

What makes it fast: pytest and hypothesis are imported once, each mutant is a fork of that process; only test files that
call the changed function are run (all of them for what a module does at its import), those first that noticed most
mutants of the module so far; the first failure ends it; hypothesis does not shrink.
"""

from __future__ import annotations

import argparse
import importlib.abc
import importlib.machinery
import importlib.util
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from types import CodeType, ModuleType
from typing import Final

import hypothesis
import hypothesis.stateful
import pytest

from tests.slow.mutants import Mutant, explained, mutants, mutated

ROOT: Final = Path(__file__).parents[2]
PACKAGE: Final = "companion.rules.rematch"
TESTS: Final = ("tests/companion/rules", "tests/companion/test_match_text.py")
COPIED: Final = (
    "companion",
    "tests/__init__.py",
    "tests/companion",
    "tests/toy",
    "tests/data/rules",
    "tests/data/matches",
    "docs/match-text.md",
)
EXPLAINED: Final = Path(__file__).with_name("mutants_explained.md")
MOST_BYTES: Final = 4 << 30
FAILS: Final = 100
"""Exit status of a child: 0 nothing noticed, n the n-th test file noticed, FAILS it could not be tried."""


def copy_project(folder: Path) -> None:
    for name in COPIED:
        source, target = ROOT / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)


class Mutation(importlib.abc.MetaPathFinder, importlib.machinery.SourceFileLoader):
    """Gives one module with the change in it; all others come from their files."""

    def __init__(self, mutant: Mutant, path: Path) -> None:
        super().__init__(f"{PACKAGE}.{mutant.module}", str(path))
        self.mutant = mutant

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name != f"{PACKAGE}.{self.mutant.module}":
            return None
        return importlib.util.spec_from_file_location(name, self.path, loader=self)

    def get_code(self, fullname: str) -> CodeType:
        return compile(mutated(Path(self.path).read_text(), self.mutant), self.path, "exec")


class Runner:
    """The copy of the project in `folder`; what running its test files takes (CPU seconds) and what they call."""

    def __init__(self, folder: Path, tests: Sequence[str]) -> None:
        self.folder = folder
        self.files = sorted(
            str(path.relative_to(folder))
            for name in tests
            for path in ([folder / name] if name.endswith(".py") else (folder / name).rglob("test_*.py"))
        )
        self.seconds: dict[str, float] = {}
        self.calls: dict[str, set[tuple[str, str]]] = {}
        self.kills: Counter[tuple[str, str]] = Counter()

    def path(self, module: str) -> Path:
        return self.folder / PACKAGE.replace(".", "/") / f"{module}.py"

    def order(self, mutant: Mutant) -> list[str]:
        """The files that can notice it; those that notice most a second first."""
        module, function = mutant.module, (mutant.module, mutant.where)
        called = any(function in calls for calls in self.calls.values())

        def worth(file: str) -> float:
            named = f"test_{module}.py" == Path(file).name
            return (self.kills[module, file] + (5 if named else 0.2)) / (0.3 + self.seconds[file])

        # what no file is seen to call is no function: the module itself, or a class
        able = [file for file in self.files if not called or function in self.calls[file]]
        return sorted(able, key=worth, reverse=True)

    def fork(
        self, files: Sequence[str], limit: Callable[[str], float], mutant: Mutant | None, notes: Path | None = None
    ) -> int:
        """A child that runs the files one after the other until one fails. `notes`: which functions they called."""
        child = os.fork()
        if child:
            return child
        try:
            calls: set[CodeType] = set()
            if notes is not None:
                sys.setprofile(lambda frame, event, _: calls.add(frame.f_code) if event == "call" else None)
            result = self._run(files, limit, mutant)
            sys.setprofile(None)
            if notes is not None:
                notes.write_text("".join(f"{Path(c.co_filename).stem} {_function(c)}\n" for c in self._ours(calls)))
            os._exit(result)
        except BaseException:  # pytest and hypothesis stay out of the parent whatever happens
            traceback.print_exc()
            sys.stderr.flush()
            os._exit(FAILS)

    def _ours(self, calls: set[CodeType]) -> list[CodeType]:
        return [code for code in calls if code.co_filename.startswith(str(self.path("x").parent))]

    def _run(self, files: Sequence[str], limit: Callable[[str], float], mutant: Mutant | None) -> int:
        told = os.open(os.devnull if mutant else self.folder / "told", os.O_RDWR | os.O_CREAT | os.O_TRUNC)
        for stream in (0, 1, 2):
            os.dup2(told, stream)
        os.chdir(self.folder)
        sys.path.insert(0, str(self.folder))
        for name in [name for name in sys.modules if name.split(".")[0] in ("companion", "tests")]:
            del sys.modules[name]
        if mutant is not None:
            sys.meta_path.insert(0, Mutation(mutant, self.path(mutant.module)))
        resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
        no_shrinking = [hypothesis.Phase.explicit, hypothesis.Phase.generate]
        hypothesis.settings.register_profile(
            "mutants", phases=no_shrinking, database=None, derandomize=True, deadline=None
        )
        hypothesis.settings.load_profile("mutants")
        for number, file in enumerate(files, start=1):
            # CPU time: on a busy machine nothing hangs that is only slow. Its signal ends the process
            signal.setitimer(signal.ITIMER_PROF, limit(file))
            # -c: no settings of the project this one was copied from
            words = ["-x", "-q", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", str(self.folder), file]
            failed = pytest.main(words) != 0
            sys.stdout.flush()
            if failed:
                return number
        if strange := _from_elsewhere(self.folder):
            print(f"not of the copy: {strange}", flush=True)
            return FAILS
        return 0

    def measure(self) -> list[str]:
        """Run each file without a change; those that fail."""
        failed = []
        for file in self.files:
            before = _cpu_of_children()
            _, status = os.waitpid(self.fork([file], lambda _: 600.0, None), 0)
            self.seconds[file] = _cpu_of_children() - before
            if status:
                failed.append(file)
                print((self.folder / "told").read_text()[-3000:], file=sys.stderr)
            notes = self.folder / "calls"
            os.waitpid(self.fork([file], lambda _: 600.0, None, notes), 0)
            self.calls[file] = {(line.split()[0], line.split()[1]) for line in notes.read_text().splitlines()}
        return failed

    def try_all(self, found: Sequence[Mutant], jobs: int) -> list[Mutant]:
        """The survivors; prints one line for each mutant."""
        survivors: list[Mutant] = []
        running: dict[int, tuple[Mutant, list[str]]] = {}
        waiting = list(reversed(found))
        done = 0
        while waiting or running:
            while waiting and len(running) < jobs:
                mutant = waiting.pop()
                files = self.order(mutant)
                child = self.fork(files, lambda file: 5 + 5 * self.seconds[file], mutant)
                running[child] = mutant, files
            child, status = os.wait()
            mutant, files = running.pop(child)
            done += 1
            told = "killed"
            if os.WIFSIGNALED(status):
                told = "hangs"
            elif status == 0:
                told = "SURVIVED"
                survivors.append(mutant)
            elif (number := os.waitstatus_to_exitcode(status)) < FAILS:
                self.kills[mutant.module, files[number - 1]] += 1
                told = f"killed by {Path(files[number - 1]).stem}"
            else:
                raise RuntimeError(f"could not be tried: {mutant}")
            print(f"{done}/{len(found)} {mutant}  {told}", flush=True)
        return survivors


def _function(code: CodeType) -> str:
    """A function's name as `mutants` gives it; of what is inside of a comprehension, the function around it."""
    names = code.co_qualname.replace("<locals>.", "").split(".")
    return ".".join(name for name in names if not name.startswith("<")) or "module"


def _from_elsewhere(folder: Path) -> list[str]:
    """Modules of the rules that did not come out of the folder, whatever is installed; of the package itself, too."""
    return [
        name
        for name, module in sys.modules.items()
        if (name == "companion" or name.startswith("companion.rules"))
        and not Path(module.__file__ or "").is_relative_to(folder)
    ]


def _shown(line: str) -> str:
    """What a line of output says of a mutant, without the numbers that change."""
    name, _, rest = line.partition(" ")[2].rpartition("  ")[0].partition(":")
    return name + rest.partition(":")[2]


def _cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=int, help="so many mutants, drawn by chance (default: all)")
    parser.add_argument("--seed", type=int, default=1, help="which sample (default: %(default)s)")
    parser.add_argument("--only", nargs="*", help="only these modules, as chains ledger")
    parser.add_argument("--where", nargs="*", help="only these functions")
    parser.add_argument("--tests", nargs="*", default=TESTS, help="only these tests (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=2, help="so many at the same time (default: %(default)s)")
    parser.add_argument("--again", type=Path, help="only those that survived in this run's output")
    parser.add_argument("--list", action="store_true", help="print the mutants and try none")
    args = parser.parse_args()

    with tempfile.TemporaryDirectory(prefix="mutants-") as name:
        folder = Path(name).resolve()
        copy_project(folder)  # first of all: others may be editing the project meanwhile
        runner = Runner(folder, args.tests)
        modules = sorted(path.stem for path in (folder / PACKAGE.replace(".", "/")).glob("*.py"))
        if args.only:
            modules = [module for module in modules if module in args.only]
        found = [mutant for module in modules for mutant in mutants(runner.path(module).read_text(), module)]
        known = explained(EXPLAINED)
        gone = known.keys() - {mutant.key for mutant in found}
        found = [mutant for mutant in found if not args.where or mutant.where in args.where]
        if args.again is not None:
            survived = {_shown(line) for line in args.again.read_text().splitlines() if line.endswith("  SURVIVED")}
            found = [mutant for mutant in found if _shown(f"x {mutant}  x") in survived]
        total = len(found)
        if args.sample is not None:
            found = random.Random(args.seed).sample(found, min(args.sample, total))
        if args.list:
            print(*found, sep="\n")
            return 0
        if failed := runner.measure():
            print(f"fail without any change: {' '.join(failed)}", file=sys.stderr)
            return 1
        began = time.monotonic()
        survivors = runner.try_all(found, args.jobs)
        minutes = (time.monotonic() - began) / 60
    killed = len(found) - len(survivors)
    print(f"\n{killed} of {len(found)} noticed ({killed / max(1, len(found)):.1%}) in {minutes:.0f} minutes", end="")
    print(f", {total} there are in all" if total > len(found) else "")
    for mutant in survivors:
        print(f"survived: {mutant}: {known.get(mutant.key, 'NOT EXPLAINED')}")
    for mutant in found:
        if mutant.key in known and mutant not in survivors:
            print(f"explained, yet noticed: {mutant}")
    for module, where, told, _ in sorted(gone):
        if module in modules:
            print(f"explained, yet not there: {module}: `{where}`: `{told}`")
    return 0


if __name__ == "__main__":
    sys.exit(main())
