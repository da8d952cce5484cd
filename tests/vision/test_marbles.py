"""The second opinion on doubtful cells."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision import stills
from tests.vision.variants import Variant
from vision import eye as vision_eye
from vision import marbles as vision_marbles
from vision.arrays import Floats
from vision.calibrate import calibrate
from vision.eye import Eye
from vision.marbles import Evidence, Marbles
from vision.picture import Image
from vision.reading import Aim

HELD = Aim(True, None)


def asked(monkeypatch: pytest.MonkeyPatch, eye: Eye, image: Image) -> Evidence:
    """What the second opinion is asked with, of all cells."""
    kept: list[Evidence] = []
    odds = Marbles.odds

    def keep(self: Marbles, evidence: Evidence) -> Floats:
        kept.append(evidence)
        return odds(self, evidence)

    monkeypatch.setattr(vision_eye, "LEAST", -np.inf)
    monkeypatch.setattr(vision_eye, "MOST", np.inf)
    monkeypatch.setattr(Marbles, "odds", keep)
    eye.look(image, fans=False, aim=HELD)
    monkeypatch.undo()
    return kept[0]


@pytest.mark.parametrize("name", ["t03_06", "t07_06", "t11_03"])
def test_it_tells_marbles_from_empty_cells(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    if name not in stills.names():
        name = next(one for one in stills.names() if one.startswith(name[:3]) and "." in stills.truth(one)["tray"])
    eye, truth = stills.eye(name[:3]), stills.truth(name)
    odds = eye.marbles.odds(asked(monkeypatch, eye, stills.image(name)))
    told = {f"{cell['lane']}{cell['row']}": cell for cell in truth["cells"] if cell["hand_cover"] <= 0.05}
    marbles = [odds[eye.cells.index(one)] for one, cell in told.items() if cell["colour"] != "."]
    empty = [odds[eye.cells.index(one)] for one, cell in told.items() if cell["colour"] == "."]
    assert marbles
    assert empty
    assert min(marbles) > max(empty)


def test_the_nets_take_what_it_measures(monkeypatch: pytest.MonkeyPatch) -> None:
    eye = stills.eye("t03")
    evidence = asked(monkeypatch, eye, stills.image("t03_00"))
    features = eye.marbles.features(evidence)
    net = vision_marbles._nets()
    assert features.shape == (15, len(net["middle"]))
    assert net["first"].shape[1] == len(net["middle"])
    assert all(np.isfinite(part).all() for part in net.values())
    # no single number may carry the answer away
    wild = replace(evidence, like=np.full_like(evidence.like, 1e6), own=np.full_like(evidence.own, -1e6))
    assert np.isfinite(eye.marbles.odds(wild)).all()


def test_a_finger_on_one_cell_is_no_marble() -> None:
    eye = stills.eye("t03")
    image = stills.image("t03_00").copy()
    cell = eye.cells.index("b3")
    x, y = (float(v) for v in eye.geometry.to_picture(eye.geometry.centres[cell : cell + 1])[0])
    wide = int(1.1 * eye.geometry.radius * eye.geometry.scale)
    cv2.line(image, (round(x), round(y)), (round(x) + 600, round(y) + 200), (120, 150, 205), 2 * wide, cv2.LINE_AA)
    assert eye.look(image, fans=False, aim=HELD).reading.cells["b3"].colour == "?"


@pytest.mark.parametrize("variant", [Variant(hue=60), Variant(hue=8, saturation=0.75, exposure=0.7)], ids=str)
def test_marbles_of_any_colour_are_as_told(variant: Variant) -> None:
    """The same change to the calibration picture and to what is read: other marbles, print and lamp."""
    truth, told = stills.truth("t03_00"), stills.truth("t03_06")
    corners, stage = stills.quad(truth["corner_centres"]), stills.quad(truth["board_corners"])
    data = cv2.imencode(".png", variant.apply(stills.image("t03_00")))[1].tobytes()
    eye = Eye(calibrate(data, corners, truth["tray"], stage, stills.PROFILE), stills.PROFILE)
    cells = eye.look(variant.apply(stills.image("t03_06")), fans=False).reading.cells
    for cell in told["cells"]:
        read = cells[f"{cell['lane']}{cell['row']}"].colour
        assert read == cell["colour"] or (read == "?" and cell["colour"] == ".")
