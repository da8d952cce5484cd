"""How fast the page is, measured in a real Chromium on a real companion: python -m tests.slow.page_bench [--pages 20]

1. Tap to new state: a tap on one tablet until another shows it, with so many pages open (each with its own stream).
2. Streams: 200 asked for; how many run, how the others are refused, how fast every other page answers, how much memory.
3. Waking: a browser that was stopped (as a sleeping tablet is) while the score changed hundreds of times, and one whose
   companion was started anew meanwhile: how long until it shows the score of now, without being loaded again.

Times are on this machine's loopback; both browser and companion share its cores. Figures: docs/decisions/waitress.md.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import os
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tests.web.conftest import ARGUMENTS, LANDSCAPE

ASKED = 200
PAGES = (
    "/",
    "/watch",
    "/seen",
    "/records",
    "/doctor",
    "/static/main.js",
    "/words/page.js",
    "/api/state",
    "/api/history",
)
DIAL = '[data-dial="AR"] .hp'
# when this page was tapped, and when its dial last changed, both on the one clock of all pages
WATCH = """() => {
  const now = () => performance.timeOrigin + performance.now();
  window.tapped = window.changed = 0;
  document.addEventListener("click", () => { window.tapped = now(); }, { capture: true });
  new MutationObserver(() => { window.changed = now(); })
    .observe(document.querySelector("#player-a"), { subtree: true, childList: true, characterData: true });
}"""
# when the page first showed what it had to show, on the clock of this machine
SHOWN = """(hp) => {
  window.right = 0;
  const look = () => {
    const shown = document.querySelector('[data-dial="AR"] .hp').textContent;
    if (!window.right && shown === hp) window.right = Date.now();
  };
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""


@contextlib.contextmanager
def companion(data: Path, port: int) -> Iterator[subprocess.Popen[str]]:
    """A companion that scores by taps, serving; ended by its own process id."""
    run = [sys.executable, "-m", "companion", "run", "--host", "127.0.0.1", "--port", str(port), "--data", str(data)]
    process = subprocess.Popen(run, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert process.stdout is not None
    try:
        for line in process.stdout:
            if re.search(r"http://127\.0\.0\.1:\d+/", line):
                break
        yield process
    finally:
        process.terminate()
        process.wait(10)


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def post(url: str, **command: Any) -> None:
    headers = {"Content-Type": "application/json"}
    asked = urllib.request.Request(f"{url}api/commands", json.dumps(command).encode(), headers)
    with urllib.request.urlopen(asked, timeout=30) as answer:
        assert json.load(answer)["ok"], command


def a_match(url: str) -> None:
    post(url, do="setup", first="A", tray="RYBRB/YYYBR/BYRBR")
    post(url, do="begin")
    post(url, do="hit", source="B", hits=[{"player": "A", "button": "R", "amount": 3}])


def opened(browser: Browser, url: str, small: bool = False) -> Page:
    """`small`: a bystander, whose painting is another machine's work in truth: it has little to paint here."""
    width, height = (200, 150) if small else LANDSCAPE
    page = browser.new_context(viewport={"width": width, "height": height}, has_touch=True).new_page()
    page.goto(url)
    page.wait_for_selector("body[data-match]")
    return page


def rss_mb(process: subprocess.Popen[str]) -> float:
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024


def tap_to_state(browser: Browser, url: str, pages: int, taps: int) -> list[float]:
    """ms from the tap on the first page to the change on the last, `taps` times."""
    a_match(url)
    every = [opened(browser, url, small=number > 1) for number in range(pages)]
    first, last = every[:2]
    for page in (first, last):
        page.evaluate(WATCH)
    took = []
    for number in range(taps):
        hp = "10" if number % 2 == 0 else "7"
        first.evaluate("window.tapped = 0")
        last.evaluate("window.changed = 0")
        first.tap("#undo" if number % 2 == 0 else "#redo")
        last.wait_for_function(f"() => document.querySelector('{DIAL}').textContent === '{hp}' && window.changed")
        took.append(last.evaluate("window.changed") - first.evaluate("window.tapped"))
    for page in every:
        page.context.close()
    return took


def streams(url: str, process: subprocess.Popen[str]) -> dict[str, Any]:
    place = url.removeprefix("http://").rstrip("/")
    held, told = [], []
    for _ in range(ASKED):
        connection = http.client.HTTPConnection(place, timeout=20)
        connection.request("GET", "/api/events")
        answer = connection.getresponse()
        held.append((connection, answer))
        told.append((answer.status, answer.getheader("Retry-After")))
    took = []
    for _ in range(10):
        for path in PAGES:
            begun = time.perf_counter()
            with urllib.request.urlopen(f"{url}{path[1:]}", timeout=20) as answer:
                answer.read()
            took.append((1000 * (time.perf_counter() - begun), path))
    found = {
        "run": sum(status == 200 for status, _ in told),
        "refused": sum(status == 503 and retry is not None for status, retry in told),
        "median_ms": statistics.median(ms for ms, _ in took),
        "worst_ms": max(took),
        "rss_mb": rss_mb(process),
    }
    for connection, _ in held:
        connection.close()
    return found


def chromium_ids(browser: Browser) -> list[int]:
    told = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")
    return [one["id"] for one in told["processInfo"]]


def asleep(browser: Browser, page: Page, meanwhile: Any, seconds: float) -> float:
    """ms from the browser's waking until the page is right; `meanwhile` is done while all of it is stopped."""
    stopped = chromium_ids(browser)
    for one in stopped:
        os.kill(one, signal.SIGSTOP)
    try:
        begun = time.monotonic()
        meanwhile()
        time.sleep(max(0.0, seconds - (time.monotonic() - begun)))
    finally:
        woken = 1000 * time.time()
        for one in stopped:
            os.kill(one, signal.SIGCONT)
    page.wait_for_function("() => window.right > 0", timeout=60_000)
    return float(page.evaluate("window.right")) - woken


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=20)
    parser.add_argument("--taps", type=int, default=40)
    parser.add_argument("--changes", type=int, default=400, help="while the tablet sleeps")
    args = parser.parse_args()
    path = os.environ.get("COMPANION_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    port = free_port()
    url = f"http://127.0.0.1:{port}/"
    with (
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as driver,
        contextlib.ExitStack() as running,
    ):
        browser = driver.chromium.launch(executable_path=path, headless=True, args=ARGUMENTS)
        process = running.enter_context(companion(Path(folder), port))
        took = tap_to_state(browser, url, args.pages, args.taps)
        print(
            f"tap to new state on another tablet, {args.pages} pages open: median {statistics.median(took):.0f} ms, "
            f"90 % {statistics.quantiles(took, n=10)[-1]:.0f} ms, most {max(took):.0f} ms ({len(took)} taps)",
            flush=True,
        )
        found = streams(url, process)
        print(
            f"{ASKED} streams asked for: {found['run']} run, {found['refused']} told 503 with Retry-After; "
            f"every other page median {found['median_ms']:.0f} ms, most {found['worst_ms'][0]:.0f} ms "
            f"({found['worst_ms'][1]}); {found['rss_mb']:.0f} MB",
            flush=True,
        )

        page = opened(browser, url)
        hp = page.locator(DIAL).text_content()
        page.evaluate(SHOWN, "9" if hp != "9" else "8")
        want = 9 if hp != "9" else 8

        def an_evening() -> None:
            for number in range(args.changes):
                post(url, do="correct", player="B", button="Y", hp=1 + number % 9)
            post(url, do="correct", player="A", button="R", hp=want)

        print(
            f"woken after {args.changes} changes: right after {asleep(browser, page, an_evening, 4):.0f} ms", flush=True
        )
        page.evaluate(SHOWN, "5")

        def another_start() -> None:
            running.close()
            running.enter_context(companion(Path(folder), port))
            post(url, do="correct", player="A", button="R", hp=5)

        print(f"woken after another start: right after {asleep(browser, page, another_start, 4):.0f} ms", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
