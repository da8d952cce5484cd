"""The simulated table as the camera above it sees it: B,G,R, 800×600. Each thing is drawn once; a frame only pastes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import sin

import cv2
import numpy as np
import numpy.typing as npt

from hardware import simulated_sprites as sprites
from hardware.camera import Image
from hardware.simulated_scene import HEIGHT, HOPPER_Y, MOUTH_Y, WIDTH, scene
from hardware.simulated_table import BEAM, SimulatedTable, cell_point, fan_point

NOISE_ROOM = 64


class TableDrawing:
    """Draws a table. The same seed and the same moment give the same picture."""

    size = (WIDTH, HEIGHT)

    def __init__(self, seed: int = 1) -> None:
        self._ground = scene(seed)
        # drawn when they are first seen: a page need not wait for hands that come later
        self._marble: Callable[[str, int], sprites.Sprite] = cache(sprites.marble)
        self._lifted = cache(lambda colour: sprites.marble(colour, 2, sprites.RADIUS * 1.12))
        self._fans = {colour: sprites.fan(colour) for colour in sprites.FAN}
        self._fan_shadow = sprites.shadow(self._fans["R"], 0.5, 3)
        self._marble_shadow = sprites.blob(45, 45, 0.62, 4)
        self._hand = cache(lambda player: sprites.hand(player, seed))
        self._hand_shadow = cache(lambda player: sprites.shadow(self._hand(player), 0.46, 9))
        ramp = np.linspace(150, 255, 12).astype(np.uint8)[:, None, None]
        self._mouth_shade = np.ascontiguousarray(np.broadcast_to(ramp, (12, 180, 3)))
        random = np.random.default_rng(seed)
        self._hopper = self._heap(random)
        # one sheet of noise, looked at through a window that jumps about
        sheet = random.standard_normal((HEIGHT + NOISE_ROOM, WIDTH + NOISE_ROOM, 3), np.float32) * 2.2
        self._noise = cv2.GaussianBlur(sheet, (3, 3), 0.6).round().astype(np.int16)

    @staticmethod
    def _heap(random: np.random.Generator) -> list[tuple[float, float, int]]:
        """Where marbles lie in the tower: (x, y, turn), the lowest first."""
        places = [(320 + 40 * column, 2 + 32 * row) for row in (0, 1) for column in range(5)]
        return [(x + random.uniform(-2, 2), y + random.uniform(-4, 5), int(random.integers(12))) for x, y in places]

    def prepare(self) -> None:
        """Draw what a first hand needs: it must not keep a picture waiting."""
        for player in "AB":
            self._hand_shadow(player)
        for colour in sprites.MARBLE:
            self._lifted(colour)

    def draw(self, table: SimulatedTable) -> Image:
        image = self._ground.copy()
        self._draw_tower(image, table)
        self._draw_marbles(image, table)
        self._draw_fans(image, table)
        if table.hand is not None:
            self._draw_hand(image, table)
        return self._light(image, table.t_ns)

    def _draw_tower(self, image: Image, table: SimulatedTable) -> None:
        # as many as are left to drop, up to the heap that fits
        for (x, y, turn), marble in zip(self._hopper, table.tower, strict=False):
            self._marble_shadow.paste(image, (x + 4, y + 5))
            self._marble(marble.colour, turn).paste(image, (x, y))
        image[HOPPER_Y : HOPPER_Y + 24] = self._ground[HOPPER_Y : HOPPER_Y + 24]

    def _draw_marbles(self, image: Image, table: SimulatedTable) -> None:
        places = [(cell_point(lane, one.p), one) for lane, one in table.on_tray() if one.p < BEAM + 0.6]
        for (x, y), _ in places:
            self._marble_shadow.paste(image, (x + 6, y + 7), above=MOUTH_Y)
        for point, one in places:
            turn = round(one.turned * 4.2 + one.number * 5) % sprites.TURNS
            self._marble(one.colour, turn).paste(image, point, above=MOUTH_Y)
        # the tower's front throws its shadow on what comes out
        part = image[MOUTH_Y : MOUTH_Y + 12, 310:490]
        cv2.multiply(part, self._mouth_shade, dst=part, scale=1 / 255)

    def _draw_fans(self, image: Image, table: SimulatedTable) -> None:
        for colour, place in table.fans.items():
            if colour != table.fan_in_hand:
                x, y = fan_point(colour, place)
                self._fan_shadow.paste(image, (x + 3, y + 4))
                self._fans[colour].paste(image, (x, y))

    def _draw_hand(self, image: Image, table: SimulatedTable) -> None:
        hand = table.hand
        assert hand is not None
        x, y = hand.tip
        height = 6 + 30 * hand.lift
        self._hand_shadow(hand.player).paste(image, (x + height * 0.8, y + height))
        y -= 10 * hand.lift
        if table.fan_in_hand is not None:
            self._fans[table.fan_in_hand].paste(image, (x, y))
        if hand.held is not None:
            self._lifted(hand.held).paste(image, (x, y))
        self._hand(hand.player).paste(image, (x, y))

    def hand_cover(self, table: SimulatedTable) -> npt.NDArray[np.float32]:
        """How much of each pixel a hand hides, 0–1: the truth for tests."""
        mask = np.full((HEIGHT, WIDTH, 3), 255, np.uint8)
        if table.hand is not None:
            sprite = self._hand(table.hand.player)
            x, y = table.hand.tip
            sprites.Sprite(sprite.colour * 0, sprite.keep, sprite.anchor).paste(mask, (x, y - 10 * table.hand.lift))
        return (1 - mask[..., 0] / 255).astype(np.float32)

    def _light(self, image: Image, t_ns: int) -> Image:
        """A lamp that is never quite steady, and the sensor's noise."""
        seconds = t_ns / 1e9
        gain = 1 + 0.012 * sin(seconds / 7.3) + 0.02 * sin(seconds / 41)
        warm = 0.008 * sin(seconds / 23)
        levels = np.arange(256, dtype=np.float32)[:, None] * (gain * np.array((1 - warm, 1, 1 + warm), np.float32))
        lit = cv2.LUT(image, np.clip(levels, 0, 255).round().astype(np.uint8)[None])
        across, down = t_ns // 1_000_000 * 37 % NOISE_ROOM, t_ns // 1_000_000 * 23 % NOISE_ROOM
        noise = self._noise[down : down + HEIGHT, across : across + WIDTH]
        return np.asarray(cv2.add(lit, noise, dtype=cv2.CV_8U), np.uint8)
