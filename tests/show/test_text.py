"""Rendering as text: narrow, the right words and marks, and what the prompt says."""

import re
import sys

import numpy as np
import pytest
from support.game.shown import finished, played, text
from support.strategies import scaled

from spades_env import Game, Rules, spades_v0
from spades_env.game.cards import BID_ZERO, BLIND_NIL, LOOK, SEATS, TRUMP_ORDERS, card
from spades_env.game.state import OVER
from spades_env.show.captions import card_text, prompt
from spades_env.show.render import ansi
from spades_env.show.text import WIDTH

ESCAPE = re.compile(r"\x1b\[[\d;]*m")


@pytest.mark.parametrize("trumps", TRUMP_ORDERS)
@pytest.mark.parametrize("preset", Rules.presets())
def test_text_is_narrow_and_colour_only_adds_escapes(preset, trumps):
    rules = Rules.preset(preset, trumps=trumps)
    if rules.bidding == "free":
        rules = rules.replace(blind_nil_deficit=20, blind_nil_pass=2 if preset != "solo" else 0)
    game = Game(rules, seed=1)
    for number in range(scaled(40)):
        played(game, 5, seed=number)
        seat = number % 4
        plain, coloured = text(game, seat), ansi(game.view(seat), colour=True)
        assert max(map(len, plain.splitlines())) <= WIDTH <= 80
        assert "\x1b" not in plain
        assert ESCAPE.sub("", coloured) == plain


def test_large_numbers_stay_narrow():
    rules = Rules(bag_limit=100, target=10_000, max_hands=10_000, nil=False, time_limit_s=10_000, trumps="nyc")
    game = played(Game(rules, seed=1, scores=[-1_000_000, 1_000_000], bags=[99, 98]), 10)
    assert max(map(len, text(game).splitlines())) <= WIDTH
    assert "99 of 100" in text(game)


def test_bids_of_every_kind_are_told():
    game = Game("classic", seed=4, dealer=0, scores=[200, 0])  # East bids first
    assert text(game).count("…") == 6  # four seats, two sides
    for action in (BLIND_NIL, BID_ZERO + 4, LOOK, BID_ZERO + 3, BID_ZERO):
        game.apply(action)
    shown = text(game)
    assert "South & North        200    0 / 4 + nil  " in shown
    assert "West & East            0    0 / 3 + blind nil  " in shown
    assert "…" not in shown


def test_a_broken_nil_is_marked():
    game = Game("classic", seed=4)
    for _ in range(4):
        game.apply(BID_ZERO)
    assert "✗" not in text(game)
    played(game, 4)
    assert "1 / nil ✗" in text(game)


def test_turn_dealer_leader_and_winner_of_the_trick_are_marked_by_shape():
    game = played(Game("classic", seed=7), 6)
    shown = text(game, (game.turn + 1) % 4)
    assert shown.count("▶") == 1
    assert f"▶ {SEATS[game.turn]}" in shown
    assert f"{SEATS[game.dealer]} (dealer)" in shown
    assert shown.count("(dealer)") == shown.count("led") == shown.count("┏━━━┓") == 1


def test_own_seat_sits_below_and_the_others_follow_clockwise():
    for seat in range(4):
        rows = text(Game("classic", seed=7), seat).splitlines()
        top, sides, bottom = rows[1], rows[5], rows[10]
        left, across, right = (SEATS[(seat + i) % 4] for i in (1, 2, 3))
        assert SEATS[seat] in bottom
        assert across in top
        assert sides.index(left) < sides.index(right)


def test_backs_count_the_cards_held():
    game = played(Game("classic", seed=7), 4 + 4 * 5 + 2)
    assert text(game).count("▒") == sum(len(game.hands[seat]) for seat in (1, 2, 3))


def test_bags_are_pips_until_they_are_off():
    game = Game("classic", seed=7, bags=[3, 0])
    assert "●●●○○○○○○○" in text(game)
    assert not re.search("[●○]|bags", text(Game("solo", seed=7)))


def test_solo_has_four_sides():
    rows = text(played(Game("solo", seed=7), 9)).splitlines()
    assert [row.split()[1] for row in rows[13:17]] == list(SEATS)


def test_playable_cards_are_pointed_at_when_some_are_not():
    game = played(Game("classic", seed=7), 4)
    assert "▲" not in text(game, (game.turn + 1) % 4)
    while len(game.legal_actions()) == len(game.hands[game.turn]):
        game.apply(game.legal_actions()[0])
    assert text(game, game.turn).count("▲") == len(game.legal_actions())


def test_trumps_are_listed_when_unusual():
    assert "trumps" not in text(Game("classic", seed=7))
    assert re.search(r"trumps +RJ +BJ +2♦ +2♠ +A♠ +… +3♠", text(Game(Rules(trumps="nyc"), seed=7)))
    assert re.search(r"trumps +2♠ +2♦ +2♣ +2♥ +A♠ +… +3♠", text(Game(Rules(trumps="deuces"), seed=7)))


def test_passing_marks_the_chosen_and_then_tells_what_was_passed():
    game = Game(Rules(blind_nil_pass=2), seed=3, dealer=1, scores=[0, 200])  # South bids first
    for action in (BLIND_NIL, BID_ZERO + 3, LOOK, BID_ZERO + 3, BID_ZERO + 3):
        game.apply(action)
    assert prompt(game.view(0)) == "Your turn: pass North card 1 of 2."
    chosen = game.hands[0][:2]
    game.apply(chosen[0])
    assert text(game).count("△") == 1
    assert "△" not in text(game, 2)
    game.apply(chosen[1])
    played(game, 2)
    assert f"you gave {' '.join(map(card_text, chosen))} and got" in text(game)
    assert "you gave" not in text(game, 1)


def test_prompts():
    game = Game("classic", seed=7, dealer=1)
    assert prompt(game.view(0)) == "Your turn: bid 0 to 13."
    assert prompt(game.view(1)) == "South bids."
    played(game, 4)
    assert prompt(game.view(0)) == "Your turn: lead any suit except spades (not broken yet)."
    game.apply(card("9C"))
    assert prompt(game.view(1)) == "Your turn: follow clubs."
    assert prompt(game.view(0)) == "West plays."


def test_the_end_names_the_winner_the_last_trick_and_the_last_hand():
    game = finished()
    shown = text(game)
    assert shown.splitlines()[-1] == " ★ West & East won the game."
    assert "West & East ★" in shown
    assert "▶" not in shown
    last = next(row for row in shown.splitlines() if "last trick" in row)
    assert f"★ {SEATS[game.turn]}" in last
    assert f"South & North {game.results[-1].points[0]:+d}" in shown


@pytest.mark.parametrize(
    ("rules", "terms", "words"),
    [
        ("classic", {"truncate_after": 1}, "The episode ends, South & North are ahead."),
        ("classic", {"episode": "hand"}, "The episode ends, South & North are ahead."),
        ("solo", {"episode": "hand"}, "The episode ends, South is ahead."),
        ("showdown", {"episode": "hand"}, "The episode ends, West & East are ahead."),
        ("classic max_hands=1", {}, "South & North won the game."),
        ("classic floor=-10", {}, "South & North won the game."),
        ("solo target=5", {}, "South won the game."),
    ],
)
def test_an_episode_that_ends_before_the_game_has_no_winner(rules, terms, words):
    env = spades_v0.raw_env(rules, **terms)
    env.reset(seed=3)
    while not any(env.terminations.values()) and not any(env.truncations.values()):
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))  # pyright: ignore[reportOptionalSubscript]
    assert prompt(env.view("player_0")) == words


def test_nobody_is_ahead():
    env = spades_v0.raw_env("classic", episode="hand")
    env.reset(seed=7, options={"scores": [60, 0]})
    view = env.view("player_0")
    view._s.phase = OVER
    assert prompt(view) == "The episode ends, South & North are ahead."
    view._s.scores[:2] = 0
    assert prompt(view) == "The episode ends, nobody is ahead."
    view._s.scores[:2] = 500
    assert prompt(view) == "The game is a draw."


def test_a_long_title_leaves_room_for_how_far_the_game_is():
    game = Game("showdown target=500 max_hands=1000 bag_limit=7 trumps=nyc", seed=7, hand_number=999)
    top = ansi(game.view(0)).splitlines()[0]
    assert len(top) == WIDTH
    assert "… ─" in top
    assert "hand 1000 of 1000 · to 500 ─╮" in top
    assert "hand 9 · " in ansi(Game("classic max_hands=8 tie=extra_hand", seed=7, hand_number=8).view(0))


@pytest.mark.parametrize(
    ("terminal", "variables", "coloured"),
    [
        (True, {"TERM": "xterm"}, True),
        (False, {"TERM": "xterm"}, False),
        (True, {"TERM": "dumb"}, False),
        (True, {"TERM": "xterm", "NO_COLOR": "1"}, False),
        (True, {"TERM": "xterm", "NO_COLOR": ""}, True),
    ],
)
def test_colours_follow_the_terminal(monkeypatch, terminal, variables, coloured):
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal, raising=False)
    assert ("\x1b" in ansi(Game("classic", seed=7).view(0))) == coloured
