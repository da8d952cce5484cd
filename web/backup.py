"""Everything of the table as one file, for devices that are let in: the file holds the table's PIN as well."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import BinaryIO

from flask import Flask, Response, send_file

PATH = "/api/backup.zip"
Backup = Callable[[], BinaryIO]
"""A whole backup, open at its beginning. Raises ValueError, a sentence, or OSError."""


def install(app: Flask, backup: Backup | None, failed: Callable[[int, str, str], Response]) -> None:
    one_at_a_time = threading.Lock()

    @app.get(PATH)
    def download() -> Response:
        if backup is None:
            return failed(404, "not_found", "This table keeps nothing.")
        if not one_at_a_time.acquire(blocking=False):
            response = failed(503, "busy", "A backup is being made already; try again in a moment.")
            response.headers["Retry-After"] = "5"
            return response
        try:
            packed = backup()
        except (OSError, ValueError) as error:
            return failed(503, "not_saved", f"The backup could not be made: {getattr(error, 'strerror', 0) or error}.")
        finally:
            one_at_a_time.release()
        response = send_file(packed, "application/zip", as_attachment=True, download_name="table-backup.zip")
        response.headers["Cache-Control"] = "no-store"
        return response
