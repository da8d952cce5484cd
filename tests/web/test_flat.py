"""The tablet flat between the players: each half turned to its own, nothing hidden, nothing to scroll."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import LANDSCAPE, PORTRAIT, Served
from tests.web.fakes import FakeTable
from tests.web.keeping import keep
from tests.web.test_pictures import a_fight, illegal

pytestmark = pytest.mark.browser
SIZES = {"landscape": LANDSCAPE, "portrait": PORTRAIT, "small": (1024, 768)}


def middle(page: Page, selector: str) -> tuple[float, float]:
    box = page.locator(selector).bounding_box()
    assert box is not None, selector
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_each_half_is_turned_to_its_player(
    serve: Callable[..., Served], new_page: Callable[..., Any], size: tuple[int, int]
) -> None:
    table = FakeTable(a_fight())
    page = new_page(size)
    page.goto(serve(table).url)
    page.tap("#menu")
    page.tap('[data-do="flat"]')
    expect(page.locator("body")).to_have_attribute("data-flat", "")
    # the tray's own size is known only after it was drawn once
    page.wait_for_function("() => document.querySelector('#tray').style.getPropertyValue('--along') !== ''")
    name = next(name for name, one in SIZES.items() if one == size)
    keep(page, f"flat-{name}")
    # A below, B above; lane a towards A, the tower to one side; so lie the fans
    assert middle(page, "#player-a")[1] > middle(page, "#tray")[1] > middle(page, "#player-b")[1]
    assert (
        middle(page, '[data-cell="a3"]')[1] > middle(page, '[data-cell="b3"]')[1] > middle(page, '[data-cell="c3"]')[1]
    )
    assert abs(middle(page, '[data-cell="b1"]')[1] - middle(page, '[data-cell="b5"]')[1]) < 2
    assert middle(page, '[data-place="A"]')[1] > middle(page, '[data-place="B"]')[1]
    # all of it is on the screen, no part under another, every control a finger wide
    boxes = {}
    for part in ("#player-a", "#player-b", "#tray", "#stage", ".foot", "#top"):
        box = page.locator(part).bounding_box()
        assert box is not None
        assert box["x"] >= -1, part
        assert box["y"] >= -1, part
        assert box["x"] + box["width"] <= size[0] + 1, part
        assert box["y"] + box["height"] <= size[1] + 1, part
        boxes[part] = box
    for one, a in boxes.items():
        for other, b in boxes.items():
            if one < other:
                across = min(a["x"] + a["width"], b["x"] + b["width"]) - max(a["x"], b["x"])
                down = min(a["y"] + a["height"], b["y"] + b["height"]) - max(a["y"], b["y"])
                assert across <= 2 or down <= 2, (one, other)
    for button in page.locator("main button:visible").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 47.5, button.get_attribute("class")
    # the foot faces A, whose turn it is; then it goes over to B and is turned
    assert middle(page, ".foot")[1] > middle(page, "#tray")[1]
    table.show(a_fight(turn="B"))
    expect(page.locator("body")).to_have_attribute("data-acts", "B")
    assert middle(page, ".foot")[1] < middle(page, "#tray")[1]
    assert page.evaluate("() => getComputedStyle(document.querySelector('.foot')).rotate") == "180deg"
    # taps land where they are seen
    page.tap('[data-cell="b2"]')
    expect(page.locator('[data-cell="b2"]')).to_have_attribute("data-picked", "")
    illegal(page, table)
    expect(page.locator("#echo")).to_contain_text("branch at a2")
    keep(page, f"flat-{name}-illegal")
    # it is this device's own choice, and stays
    page.reload()
    expect(page.locator("body")).to_have_attribute("data-flat", "")
    page.tap("#menu")
    page.tap('[data-do="flat"]')
    expect(page.locator("body[data-flat]")).to_have_count(0)
    assert abs(middle(page, "#player-a")[1] - middle(page, "#player-b")[1]) < 2
