"""The daily deal: the same cards everywhere and for ever, days that can be today, the champion's game."""

import json
import os
import subprocess
import sys
from datetime import date

import pytest
from support.paths import ROOT
from support.play.servers import slow
from support.play.sittings import play, refuses, stand_still

from spades_env import Game
from spades_env.play.daily import champion_game, deal_of_day
from spades_env.play.daily.champion_game import champion_hands
from spades_env.play.daily.comparison import compared, is_complete, share_words
from spades_env.play.daily.deal_of_day import (
    BOTS,
    HANDS,
    RULES,
    SEAT,
    ChampionHand,
    Daily,
    DailyError,
    checked_day,
    seed_of,
)
from spades_env.play.table.table import Table

QUICK = ("rule", "rb", "rule", "rb")
PINNED = {  # the cards of South in the first hand, for ever: other versions and other programs deal them, too
    "2026-01-01": "JC 4D 7D TD 4H 9H QH KH AH 4S 9S TS AS",
    "2026-11-25": "2C 3C 6C QC 3D 5D JD QD 3H 4H 8S QS KS",
    "2028-02-29": "4C TC QC 4D 8D 9D AD 3H 4H 7H JH 8S KS",
}
PRINT_DEAL = """
import json, sys
from spades_env.play.daily.deal_of_day import RULES, seed_of
from spades_env import Game
days = sys.argv[1:]
print(json.dumps([[Game(RULES, seed_of(day), hand_number=hand).deal for hand in range(4)] for day in days]))
"""


@pytest.fixture
def quick(monkeypatch):
    """Bots that need no time."""
    monkeypatch.setattr(champion_game, "BOTS", QUICK)


def games_champion(daily: Daily) -> list[ChampionHand]:
    return [hand for hand in champion_hands(daily) if hand]


# The deal


@pytest.mark.parametrize(("day", "cards"), PINNED.items())
def test_a_day_has_the_same_cards_for_ever(day, cards):
    game = Game(RULES, seed_of(day))
    assert game.deal.split(" | ")[0] == cards


def test_the_seed_is_the_hash_that_the_docs_name():
    shell = 'printf %s "spades daily 2026-11-25" | sha256sum | cut -c1-16'
    done = subprocess.run(["sh", "-c", shell], capture_output=True, text=True, check=True)
    assert seed_of("2026-11-25") == int(done.stdout, 16)
    assert shell in (deal_of_day.__doc__ or "")


def test_another_process_deals_the_same():
    days = [*PINNED, "2027-07-04"]
    command = [sys.executable, "-c", PRINT_DEAL, *days]
    environment = os.environ | {"PYTHONHASHSEED": "4711", "TZ": "Pacific/Kiritimati"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    here = [[Game(RULES, seed_of(day), hand_number=hand).deal for hand in range(HANDS)] for day in days]
    assert json.loads(done.stdout) == here
    assert len({hands[0] for hands in here}) == len(days)


def test_a_table_deals_the_cards_of_the_day(quick):
    """Hand after hand, whatever is bid and played; and a saved game knows its day."""
    daily = Daily("2026-11-25")
    table = play(Table(RULES, QUICK, {SEAT: "Anna"}, seed=daily.seed, daily=daily, now=stand_still))
    assert [hand.start.deal for hand in table.finished] == [
        Game(RULES, daily.seed, hand_number=hand).deal for hand in range(HANDS)
    ]
    assert table.over


# Days


NO_DAYS = ["2026-02-30", "2026-1-1", "20261125", "", "2026-11-25 ", "２０２６-11-25", "0001-01-01", "9999-12-31"]


@pytest.mark.parametrize("day", [*NO_DAYS, None, 20261125])
def test_what_is_no_day_is_refused(day):
    with pytest.raises(DailyError, match="A day is written like 2026-11-25"):
        checked_day(day)


@pytest.mark.parametrize(("day", "fits"), [(23, False), (24, True), (25, True), (26, True), (27, False)])
def test_a_day_must_be_today_somewhere(monkeypatch, day, fits):
    monkeypatch.setattr(deal_of_day, "today", lambda: date(2026, 11, 25))
    if fits:
        assert checked_day(f"2026-11-{day}") == date(2026, 11, day)
    else:
        with refuses(f"It can't be 2026-11-{day} anywhere: the server's date is 2026-11-25", DailyError):
            checked_day(f"2026-11-{day}")


# The champion


def test_the_champion_plays_what_bots_at_a_table_play(quick):
    daily = Daily("2026-11-25")
    table = play(Table(RULES, QUICK, {}, seed=daily.seed, now=stand_still))
    assert [list(hand.points) for hand in games_champion(daily)] == [
        hand.result.points for hand in table.finished if hand.result
    ]


@pytest.mark.parametrize("known", range(HANDS + 1))
def test_a_game_that_is_continued_is_the_same(quick, known):
    whole = games_champion(Daily("2026-11-26"))
    assert len(whole) == HANDS
    assert games_champion(Daily("2026-11-26", champion=whole[:known])) == whole[known:]


@slow
def test_the_real_champion_begins_in_every_process_alike():
    code = (
        "from spades_env.play.daily.champion_game import champion_hands;"
        "from spades_env.play.daily.deal_of_day import Daily;"
        "print(next(hand for hand in champion_hands(Daily('2026-11-25')) if hand))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(next(hand for hand in champion_hands(Daily("2026-11-25")) if hand))


def test_the_players_of_the_day_are_characters():
    Table(RULES, BOTS, {SEAT: "Anna"}, seed=1)  # all of them are here, and none sees all cards


# Saved


def test_a_daily_is_read_as_it_was_written(quick):
    daily = Daily("2026-11-25", False, games_champion(Daily("2026-11-25"))[:2])
    assert Daily.from_dict(json.loads(json.dumps(daily.as_dict()))) == daily


@pytest.mark.parametrize(
    "change",
    [
        {"day": "yesterday"},
        {"counted": 1},
        {"champion": [{"points": [1, 2]}]},
        {"champion": [{"points": [1], "bags": [0, 0]}]},
        {"champion": [{"points": [1, "x"], "bags": [0, 0]}]},
        {"champion": [{"points": [1, 2], "bags": [0, 0]}] * 5},
    ],
)
def test_a_damaged_daily_is_refused(change):
    with pytest.raises((ValueError, LookupError)):
        Daily.from_dict({"day": "2026-11-25", "counted": True, "champion": []} | change)


# The result

CHAMPION = [ChampionHand(points, (0, 0)) for points in ((50, 40), (30, -50), (-60, 20), (41, 41))]
OWN = [(60, 40), (20, -50), (-60, 20), (42, 40)]


@pytest.mark.parametrize("finished", range(HANDS + 1))
def test_no_hand_of_the_champion_is_shown_before_its_time(finished):
    found = compared(Daily("2026-11-25", champion=CHAMPION), OWN[:finished], 0)
    assert [hand["champion"] for hand in found["hands"]] == [10, 80, -80, 0][:finished]
    assert len(found["hands"]) == finished
    assert found["champion"] == sum([10, 80, -80, 0][:finished])
    assert is_complete(found) == (finished == HANDS)


def test_a_champion_who_still_plays_has_no_result_yet():
    found = compared(Daily("2026-11-25", champion=CHAMPION[:1]), OWN[:2], 0)
    assert [(hand["own"], hand["champion"], hand["mark"]) for hand in found["hands"]] == [
        (20, 10, "▲"),
        (70, None, None),
    ]
    assert found["champion"] is None


def test_the_line_to_copy():
    found = compared(Daily("2026-11-25", champion=CHAMPION), OWN, 0)
    assert share_words(found, 4) == "Spades daily 2026-11-25 · me +12, champion +10 · ▲▼=▲ · streak 4"
    again = compared(Daily("2026-11-25", False, CHAMPION), OWN, 0)
    assert share_words(again, 4) == "Spades daily 2026-11-25, for practice · me +12, champion +10 · ▲▼=▲"
