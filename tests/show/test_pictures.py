"""Rendering as pictures: a stable picture, a harmless window."""

import os
import subprocess
import sys

import numpy as np
import pytest
from support.game.shown import finished, played

from spades_env import Game, Rules
from spades_env.show.render import RenderError, Window, rgb_array

# Pictures


@pytest.mark.parametrize("size", [(960, 640), (480, 320), (800, 800), (64, 64)])
def test_picture_has_the_size_asked_for_and_is_the_same_each_time(size):
    view = played(Game("classic", seed=7), 21).view(0)
    picture = rgb_array(view, size)
    assert picture.shape == (size[1], size[0], 3)
    assert picture.dtype == np.uint8
    assert picture.flags.c_contiguous
    assert np.array_equal(picture, rgb_array(view, size))


@pytest.mark.parametrize("rules", [*Rules.presets(), "classic trumps=jokers", "classic bag_limit=21"])
def test_picture_changes_with_every_move(rules):
    game = Game(rules, seed=2)
    before = rgb_array(game.view(0), (480, 320))
    for number in range(20):
        played(game, 1, seed=number)
        after = rgb_array(game.view(0), (480, 320))
        assert not np.array_equal(before, after)
        before = after


def test_picture_of_a_finished_game():
    assert rgb_array(finished().view(2)).shape == (640, 960, 3)


# Windows


@pytest.fixture
def pygame(monkeypatch):
    """pygame on a machine without a display."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    if sys.platform in ("win32", "darwin"):
        monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    else:
        monkeypatch.delenv("SDL_VIDEODRIVER", raising=False)
    pygame = pytest.importorskip("pygame")
    pygame.quit()  # whatever another test left open
    yield pygame
    pygame.quit()


def test_window_without_a_display_shows_unseen_and_leaves_the_environment_alone(pygame):
    environment, view = dict(os.environ), Game("classic", seed=7).view(0)
    window = Window()
    window.show(view)
    assert pygame.display.get_driver() == "dummy"
    screen = pygame.surfarray.array3d(pygame.display.get_surface())
    assert np.array_equal(screen.swapaxes(0, 1), rgb_array(view))
    window.close()
    window.close()
    assert not pygame.display.get_init()
    assert dict(os.environ) == environment


def test_window_opens_again_after_close(pygame):
    window, view = Window(), Game("classic", seed=7).view(0)
    window.show(view)
    window.close()
    window.show(view)
    assert pygame.display.get_init()
    window.close()


def test_window_stays_closed_once_its_button_was_pressed(pygame):
    window, view = Window(), Game("classic", seed=7).view(0)
    window.show(view)
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    window.show(view)
    assert window.closed_by_user
    assert not pygame.display.get_init()
    window.show(view)
    assert not pygame.display.get_init()


def test_window_leaves_a_ready_display_ready(pygame, monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pygame.display.init()
    window = Window()
    window.show(Game("classic", seed=7).view(0))
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    window.show(Game("classic", seed=7).view(0))
    assert window.closed_by_user
    assert pygame.display.get_init()
    assert pygame.display.get_surface() is None


def test_window_draws_into_one_that_was_there_and_keeps_it(pygame, monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pygame.display.init()
    pygame.display.set_mode((300, 200))
    window = Window()
    window.show(Game("classic", seed=7).view(0))
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    window.show(Game("classic", seed=7).view(0))
    assert pygame.event.get(pygame.QUIT)
    window.close()
    assert pygame.display.get_surface().get_size() == (300, 200)


def test_two_windows_do_not_break_each_other(pygame):
    first, second, view = Window(), Window(), Game("classic", seed=7).view(0)
    for window in (first, second):
        window.show(view)
    first.close()
    second.show(view)
    second.close()
    assert not pygame.display.get_init()


def test_without_pygame_the_error_says_what_to_install(monkeypatch):
    environment = dict(os.environ)
    monkeypatch.setitem(sys.modules, "pygame", None)
    for draw in (lambda: rgb_array(Game("classic", seed=7).view(0)), Window):
        with pytest.raises(RenderError, match=r"pip install spades-env\[render\]"):
            draw()
    assert dict(os.environ) == environment


def test_pygame_is_loaded_late_and_silently():
    code = (
        "import os, sys; from spades_env import Game; from spades_env.show import render\n"
        "assert 'pygame' not in sys.modules\n"
        "os.environ.pop('PYGAME_HIDE_SUPPORT_PROMPT', None); before = dict(os.environ)\n"  # gymnasium sets it
        "render.rgb_array(Game('classic', seed=7).view(0)); assert 'pygame' in sys.modules\n"
        "assert dict(os.environ) == before"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
