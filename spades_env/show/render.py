"""A table as one seat sees it: as text, as a picture, in a window. All are drawn from a View.

print(ansi(game.view(0)))        text, at most 77 columns wide, in colour on a terminal that has it
rgb_array(game.view(0))          uint8[640, 960, 3]; needs pygame
window = Window()                needs pygame; without a display it draws unseen
window.show(game.view(0))
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType

import numpy as np

from spades_env.game.view import View
from spades_env.show.captions import PICTURE_SIZE
from spades_env.show.text import ansi

__all__ = ["PICTURE_SIZE", "RenderError", "Window", "ansi", "rgb_array"]


class RenderError(ImportError):
    """pygame, which draws the pictures, is not installed."""


def rgb_array(view: View, size: tuple[int, int] = PICTURE_SIZE) -> np.ndarray:
    """Return the table as a picture of (width, height): uint8[height, width, 3]."""
    return _drawing().array(view, size)


class Window:
    """A window that shows one view after another.

    Its close button closes it for good, and play goes on unseen. `close()` closes it until the next view is shown.
    Each picture stays for at least 1 / `fps` seconds; without a display there is no waiting.
    """

    def __init__(self, fps: float = 2):
        self.closed_by_user = False
        self._drawing = _drawing()
        self._pygame = import_module("pygame")
        self._fps = fps
        self._is_open = False
        self._display_was_ready = False
        self._clock = self._pygame.time.Clock()

    def show(self, view: View) -> None:
        """Draw the view, unless the user has closed the window."""
        if self.closed_by_user:
            return
        screen = self._screen()
        if self._pygame.display.get_driver() != "dummy":
            self._clock.tick(self._fps)
        screen.blit(self._drawing.picture(view, screen.get_size()), (0, 0))
        self._pygame.display.flip()
        self._hear_close_button()

    def close(self) -> None:
        """Close the window, if this object opened it; leave pygame's display as it was found."""
        if self._is_open:
            self._pygame.display.quit()
            if self._display_was_ready:
                self._pygame.display.init()
        self._is_open = False

    def _screen(self):
        """Return the window's surface; open the window if there is none, off-screen if there is no display."""
        display = self._pygame.display
        if display.get_surface():
            return display.get_surface()
        self._is_open, self._display_was_ready = True, display.get_init()
        with _environment("SDL_VIDEODRIVER", "dummy" if _is_headless() else None):
            display.init()
        screen = display.set_mode(PICTURE_SIZE, self._pygame.RESIZABLE)
        display.set_caption("Spades")
        return screen

    def _hear_close_button(self) -> None:
        """Handle the window system's events, but leave those of a window that somebody else opened."""
        self._pygame.event.pump()
        if self._is_open and self._pygame.event.get(self._pygame.QUIT):
            self.closed_by_user = True
            self.close()


def _is_headless() -> bool:
    has_server = sys.platform in ("win32", "darwin") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
    return not has_server and not os.environ.get("SDL_VIDEODRIVER")


def _drawing() -> ModuleType:
    """Return the module that draws; it is imported when first needed."""
    try:
        with _environment("PYGAME_HIDE_SUPPORT_PROMPT", "1"):
            import_module("pygame")
    except ImportError as error:
        raise RenderError("pictures of the table need pygame: pip install spades-env[render]") from error
    return import_module("spades_env.show.draw")


@contextmanager
def _environment(name: str, value: str | None) -> Iterator[None]:
    """Set an environment variable for a while; with None, leave it alone."""
    before = os.environ.get(name)
    if value is not None:
        os.environ[name] = value
    try:
        yield
    finally:
        if before is not None:
            os.environ[name] = before
        elif value is not None:
            del os.environ[name]
