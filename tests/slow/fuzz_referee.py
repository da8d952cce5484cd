"""10^5 random commands through one `companion referee` (issue 3): a script, about a minute.

    python -m tests.slow.fuzz_referee --seed 1

Each reply is checked as tests/companion/referee_fuzzing.py says. Then the same lines go through a second process from a
file, all at once, and the answers must be the same bytes.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.companion.referee_fuzzing import fuzz


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--commands", type=int, default=100_000, help="how many (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="which ones (default: %(default)s)")
    args = parser.parse_args()
    began = time.monotonic()
    told = fuzz(args.seed, args.commands)
    seconds = time.monotonic() - began
    for what, count in sorted(told.counts.items()):
        print(f"{count:>7} {what}")
    print(f"{len(told.lines)} lines in {seconds:.0f} s, nothing broken")
    with tempfile.TemporaryDirectory() as folder:
        sent = Path(folder) / "lines"
        sent.write_bytes(b"\n".join(told.lines) + b"\n")
        with sent.open("rb") as lines:
            again = subprocess.run(
                [sys.executable, "-m", "companion", "referee"], stdin=lines, capture_output=True, check=False
            )
    same = again.stdout == b"".join(told.replies) and not again.stderr and again.returncode == 0
    print(f"the same lines at once: {'the same answers' if same else 'OTHER ANSWERS'}")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
