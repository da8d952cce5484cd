"""GET /api/events: the format, read by a real parser; newest only; the cap; nothing leaks when pages leave."""

from __future__ import annotations

import json
import threading

import pytest

from tests.web.fakes import FakeTable, a_state, a_view
from tests.web.sse import Message, Parser
from web.app import create_app


class Page:
    """One open stream, read chunk by chunk in this thread."""

    def __init__(self, app: object) -> None:
        self.answer = app.test_client().get("/api/events")
        self.parser = Parser()
        self._chunks = self.answer.iter_encoded()

    def next(self) -> list[Message]:
        return list(self.parser.feed(next(self._chunks)))

    def leave(self) -> None:
        self.answer.close()


def test_first_comes_the_whole_state_and_the_whole_view() -> None:
    page = Page(create_app(FakeTable(a_state())))
    state, view = page.next()
    assert page.answer.mimetype == "text/event-stream"
    assert page.answer.headers["Cache-Control"] == "no-store"
    assert page.parser.retry == 1000
    assert (state.event, state.last_id, json.loads(state.data)) == ("message", "1", a_state())
    assert view.event == "table"
    assert json.loads(view.data) == a_view()
    page.leave()


def test_before_setup_the_state_is_null() -> None:
    page = Page(create_app(FakeTable(None)))
    assert page.next()[0].data == "null"
    page.leave()


def test_a_new_state_comes_with_its_version_and_a_new_view_alone() -> None:
    table = FakeTable(a_state())
    page = Page(create_app(table))
    page.next()
    table.show(a_state(turn="B"))
    state, view = page.next()
    assert (state.last_id, json.loads(state.data)["turn"]) == ("2", "B")
    assert json.loads(view.data)["version"] == 2
    table.show(hand=True)
    (only,) = page.next()
    assert (only.event, json.loads(only.data)["hand"]) == ("table", True)
    assert only.last_id == "2", "a view has no id of its own"
    page.leave()


def test_a_page_that_slept_gets_the_newest_and_no_backlog() -> None:
    table = FakeTable(a_state())
    page = Page(create_app(table, beat_s=0.01))
    page.next()
    for turn in range(2, 500):
        table.show(a_state(turn_number=turn))
    assert [json.loads(m.data).get("turn_number") for m in page.next()] == [499, None]
    assert [m.event for m in page.next()] == ["beat"]
    page.leave()


def test_silence_is_broken_by_a_comment_and_a_beat() -> None:
    page = Page(create_app(FakeTable(a_state()), beat_s=0.01))
    page.next()
    assert [m.event for m in page.next()] == ["beat"]
    assert page.parser.comments == ["still here"]
    page.leave()


def test_a_change_wakes_a_waiting_stream() -> None:
    table = FakeTable(a_state())
    page = Page(create_app(table, beat_s=30))
    page.next()
    timer = threading.Timer(0.02, table.show, [a_state(turn="B")])
    timer.start()
    assert json.loads(page.next()[0].data)["turn"] == "B"
    timer.join()
    page.leave()


def test_texts_with_line_breaks_and_odd_letters_arrive_whole() -> None:
    odd = "first\nsecond\r\n: third \u2028 Ü 🎱"
    table = FakeTable(a_state(), a_view(notices=[{"level": "info", "text": odd}]))
    page = Page(create_app(table))
    assert json.loads(page.next()[1].data)["notices"][0]["text"] == odd
    page.leave()


def test_one_stream_too_many_is_503_and_a_place_is_free_again_when_a_page_leaves() -> None:
    app = create_app(FakeTable(a_state()), max_streams=3)
    pages = [Page(app) for _ in range(3)]
    refused = app.test_client().get("/api/events")
    assert refused.status_code == 503
    assert int(refused.headers["Retry-After"]) > 0
    assert refused.json["error"]["code"] == "busy"
    assert app.test_client().get("/api/state").status_code == 200
    pages[0].leave()
    again = Page(app)
    assert again.answer.status_code == 200
    for page in [*pages, again]:
        page.leave()
    assert app.extensions["event_streams"].open == 0


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_stream_that_was_never_read_gives_its_place_back(method: str) -> None:
    app = create_app(FakeTable(a_state()), max_streams=1)
    for _ in range(3):
        answer = app.test_client().open("/api/events", method=method)
        assert answer.status_code == 200
        answer.close()
    assert app.extensions["event_streams"].open == 0


def test_a_stream_ends_when_the_server_says_that_its_page_is_gone() -> None:
    app = create_app(FakeTable(a_state()), beat_s=0.01)
    gone = threading.Event()
    environ = {"waitress.client_disconnected": gone.is_set}
    answer = app.test_client().get("/api/events", environ_overrides=environ)
    chunks = answer.iter_encoded()
    next(chunks)
    next(chunks)
    gone.set()
    with pytest.raises(StopIteration):
        next(chunks)
    answer.close()
