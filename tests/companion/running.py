"""A real `companion run` in a process of its own, for tests that pull its plug."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


class Running:
    def __init__(self, process: subprocess.Popen[str], port: int, said: list[str]) -> None:
        self.process, self.port, self.said = process, port, said

    def ask(self, method: str, path: str, value: object = None) -> tuple[int, Any]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            body = None if value is None else json.dumps(value)
            connection.request(method, path, body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            connection.close()

    def do(self, command: dict[str, Any]) -> dict[str, Any]:
        body: dict[str, Any] = self.ask("POST", "/api/commands", command)[1]
        return body

    @property
    def state(self) -> Any:
        return self.ask("GET", "/api/state")[1]

    def first_view(self) -> str:
        """The page's view, as JSON: the first that its event stream brings."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request("GET", "/api/events")
        stream = connection.getresponse()
        try:
            while line := stream.readline().decode():
                if line.startswith('data: {"server"'):
                    return line.removeprefix("data: ")
            raise AssertionError("no view")
        finally:
            connection.close()

    def kill_9(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(30)


def command_line(*args: str) -> list[str]:
    return [sys.executable, "-m", "companion", *args]


def refused(*args: str) -> str:
    """The one line that `companion run ARGS` says when it cannot begin."""
    done = subprocess.run(command_line("run", *args), capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2, done
    assert done.stderr.count("\n") == 1, done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr


@contextmanager
def listening(line: list[str]) -> Iterator[list[str]]:
    """What it says until it has said all its addresses."""
    process = subprocess.Popen(line, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"})
    assert process.stdout is not None
    try:
        said = []
        for text in process.stdout:
            said.append(text.rstrip())
            if "On this machine" in text:
                process.terminate()  # what was still to be said comes before its end
        yield said
    finally:
        process.kill()
        process.communicate(timeout=30)


@contextmanager
def running(data: Path, *args: str) -> Iterator[Running]:
    line = command_line("run", "--data", str(data), "--host", "127.0.0.1", "--port", "0", *args)
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    assert process.stdout is not None
    try:
        said: list[str] = []
        for text in process.stdout:
            said.append(text.rstrip())
            if match := re.search(r"http://127\.0\.0\.1:(\d+)/", text):
                yield Running(process, int(match[1]), said)
                return
        assert process.stderr is not None
        raise AssertionError(process.stderr.read())
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate(timeout=30)
