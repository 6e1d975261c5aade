"""A pen that draws boxes, discs, card symbols and text with pygame; its font lacks the symbols."""

from math import cos, pi, sin

import pygame

from spades_env.show.captions import PICTURE_SIZE

SMOOTH = 2  # drawn this many times larger, then reduced

Colour = tuple[int, int, int]
Point = tuple[float, float]


def _circle(x: float, y: float, radius: float) -> list[Point]:
    return [(x + radius * cos(pi * i / 16), y + radius * sin(pi * i / 16)) for i in range(32)]


def _heart(direction: int) -> list[Point]:
    """Tip below (1) or above (-1)."""
    turns = [pi * i / 24 for i in range(48)]
    heights = [13 * cos(t) - 5 * cos(2 * t) - 2 * cos(3 * t) - cos(4 * t) for t in turns]
    return [(sin(t) ** 3 * 0.92, -direction * (height + 2.5) / 16) for t, height in zip(turns, heights, strict=True)]


STEM = [(0.0, 0.1), (0.32, 0.98), (-0.32, 0.98)]
SHAPES = {  # symbols, as polygons between -1 and 1
    "♥": [_heart(1)],
    "♠": [[(0.88 * x, 0.85 * y - 0.14) for x, y in _heart(-1)], STEM],
    "♦": [[(0.0, -1.0), (0.74, 0.0), (0.0, 1.0), (-0.74, 0.0)]],
    "♣": [_circle(0, -0.5, 0.46), _circle(-0.5, 0.22, 0.46), _circle(0.5, 0.22, 0.46), _circle(0, 0, 0.25), STEM],
    "★": [[(sin(pi * i / 5) * (0.42, 1.0)[i % 2], cos(pi * i / 5) * (0.42, 1.0)[i % 2]) for i in range(10)]],
    "▶": [[(-0.7, -0.8), (0.8, 0.0), (-0.7, 0.8)]],
}


class Pen:
    """Draws in the units of a 960 × 640 picture, centred in the size wanted."""

    def __init__(self, size: tuple[int, int]):
        self._size = size
        self._scale = SMOOTH * min(size[0] / PICTURE_SIZE[0], size[1] / PICTURE_SIZE[1])
        self._left = (SMOOTH * size[0] - self._scale * PICTURE_SIZE[0]) / 2
        self._top = (SMOOTH * size[1] - self._scale * PICTURE_SIZE[1]) / 2
        self._surface = pygame.Surface((SMOOTH * size[0], SMOOTH * size[1]), 0, 32)
        self._fonts: dict[int, pygame.font.Font] = {}
        pygame.font.init()

    def finished(self) -> pygame.Surface:
        return pygame.transform.smoothscale(self._surface, self._size)

    def fill(self, colour: Colour) -> None:
        self._surface.fill(colour)

    def box(self, x: float, y: float, width: float, height: float, colour: Colour, radius: float = 6, line: float = 0):
        left, top = self._at(x, y)
        rect = pygame.Rect(left, top, round(self._scale * width), round(self._scale * height))
        thick = max(1, round(self._scale * line)) if line else 0
        pygame.draw.rect(self._surface, colour, rect, thick, border_radius=round(self._scale * radius))

    def shape(self, symbol: str, x: float, y: float, radius: float, colour: Colour) -> None:
        for polygon in SHAPES[symbol]:
            pygame.draw.polygon(self._surface, colour, [self._at(x + radius * i, y + radius * j) for i, j in polygon])

    def disc(self, x: float, y: float, radius: float, colour: Colour, line: float = 0) -> None:
        thick = max(1, round(self._scale * line)) if line else 0
        pygame.draw.circle(self._surface, colour, self._at(x, y), self._scale * radius, thick)

    def text(self, text: str, x: float, y: float, size: float, colour: Colour, place: float = 0, room: float = 1000):
        """Draw one line at height y: from x on (place 0), around x (0.5), up to x (1); smaller if room is short."""
        width = self.width(text, size)
        if width > room:
            size, width = size * room / width, room
        x -= place * width
        for run in _runs(text):
            if run in SHAPES:
                self.shape(run, x + 0.34 * size, y, 0.3 * size, colour)
            else:
                drawn = self._font(size).render(run, True, colour)
                left, top = self._at(x, y)
                self._surface.blit(drawn, (left, top - drawn.get_height() // 2))
            x += self.width(run, size)

    def width(self, text: str, size: float) -> float:
        runs = _runs(text)
        return sum(0.68 * size if run in SHAPES else self._font(size).size(run)[0] / self._scale for run in runs)

    def _font(self, size: float) -> pygame.font.Font:
        pixels = max(1, int(self._scale * size))
        if pixels not in self._fonts:
            self._fonts[pixels] = pygame.font.Font(None, pixels)
        return self._fonts[pixels]

    def _at(self, x: float, y: float) -> tuple[int, int]:
        return round(self._left + self._scale * x), round(self._top + self._scale * y)


def _runs(text: str) -> list[str]:
    for symbol in SHAPES:
        text = text.replace(symbol, f"\0{symbol}\0")
    return [run for run in text.split("\0") if run]
