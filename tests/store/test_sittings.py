"""Sittings in the store: restored after every move and after a kill, listed, and kept with their finished hands."""

import json
import os
import random
import signal
import subprocess
import sys

import pytest
from support.paths import ROOT
from support.play.kept import kept, new
from support.play.sittings import ONE_HAND, by_chance, move, play, play_until, refuses
from support.strategies import scaled

from spades_env.play.store.database import FILE, Store, StoreError
from spades_env.play.store.saved import packed
from spades_env.play.store.sitting_rows import GIVEN_UP, OPEN, OVER
from spades_env.play.store.statistics import statistics


def test_a_sitting_is_restored_after_every_move(store):
    rng = random.Random(1)
    table = new("classic blind_nil_deficit=0 blind_nil_pass=1", bots=["random"] * 4)
    for _ in range(scaled(150)):
        if table.own_moves(0) and rng.random() < 0.1:
            table.takeback(0, rng.choice((1, len(table.own_moves(0)))))
        move(table, by_chance(rng))
        store.save(table)
        other = store.load(table.key)
        assert packed(other) == packed(table)
        assert other.game.state.tobytes() == table.game.state.tobytes()


CHILD = """
import sys
sys.path[:0] = ["tests"]
from support.play.sittings import move, stand_still
from spades_env.play.store.database import Store
from spades_env.play.table.table import Table
table = Table({rules!r}, people={{0: "Anna"}}, seed=21, now=stand_still)
table.key, table.salt = "key", "salt"
with Store({folder!r}) as store:
    while not table.over:
        store.save(table)
        print(table.version, flush=True)
        move(table)
    store.save(table)
    print("over", flush=True)
"""


@pytest.mark.parametrize("lines", [1, 40, 75, 130])
def test_a_sitting_survives_a_kill(tmp_path, lines):
    """After a kill at any moment, the last table saved or the next one is there, to the letter, and can go on."""
    rules = "classic target=off max_hands=3"
    code = CHILD.format(rules=rules, folder=str(tmp_path))
    child = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert child.stdout
    with child:
        said = [child.stdout.readline().strip() for _ in range(lines)]
        os.kill(child.pid, signal.SIGKILL)
        said += child.stdout.read().split()
    with Store(tmp_path) as store:
        [saved] = store.unfinished()
        table = store.load(saved.key)
        assert table.version in (int(said[-1]), int(said[-1]) + 1)
        same = new(rules, seed=21)
        same.key, same.salt = "key", "salt"
        while same.version < table.version:
            move(same)
        assert packed(table) == packed(same)
        assert table.game.state.tobytes() == same.game.state.tobytes()
        assert store.hands.of("key") == same.finished
        assert kept(store, table).game.record() == play(same).game.record()
        assert store.hands.of("key") == same.finished
        assert statistics(store, "Anna").total.games == 1


def test_lists_of_sittings(store):
    one, two, three = new(), new(ONE_HAND, seed=8), new(people={0: "Anna", 2: "Cleo"})
    for table in (one, two, three):
        store.save(table)
    kept(store, two)
    store.give_up(one.key)
    assert {saved.key: saved.state for saved in store.sittings()} == {one.key: GIVEN_UP, two.key: OVER, three.key: OPEN}
    assert [(saved.key, saved.people, saved.bots) for saved in store.unfinished()] == [
        (three.key, ("Anna", "Cleo"), ("rule",) * 4)
    ]
    assert store.sittings()[0].changed >= store.sittings()[-1].began
    with refuses(f"there is no unfinished game {two.key!r}", StoreError):
        store.give_up(two.key)
    with refuses("there is no saved game 'x'", StoreError):
        store.load("x")
    assert store.is_given_up(one.key)
    with refuses("This game was abandoned", StoreError):
        store.save(one)
    assert not store.is_given_up(three.key)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "Expecting property name"),
        ("[]", "its saved data is damaged"),
        ('{"format": 2}', "its saved data is damaged"),
        ('{"format": 1, "rules": "classic", "people": [], "bots": []}', "format 1 cannot be read"),
        (None, "it is time to play a card"),
    ],
)
def test_a_game_that_cannot_be_read_is_refused_and_can_be_given_up(store, text, why):
    """Without a text, the game has a move that is not legal."""
    table = play(new(), 5)
    store.save(table)
    packed_table = packed(table)
    moves = " ".join([*packed_table["moves"].split()[:-1], "bid:13"])
    text = text or json.dumps(packed_table | {"moves": moves})
    store.file._db.execute("UPDATE sittings SET told = ?", [text])
    with pytest.raises(StoreError, match=f"this game cannot be read: .*{why}.*{FILE}, table sittings"):
        store.load(table.key)
    assert [saved.key for saved in store.unfinished()] == [table.key]
    store.give_up(table.key)
    assert store.unfinished() == []


def test_finished_hands_stay_when_they_are_taken_back(store):
    table = new("match target=off max_hands=3")
    while len(table.finished) < 2:
        move(table)
        store.save(table)
    first, second = table.finished
    play_until(table, "play")
    table.takeback(0, len(table.own_moves(0)) - 1)
    store.save(table)
    assert store.hands.of(table.key) == []
    assert store.hands.of(table.key, taken_back=True) == [first, second]
    kept(store, table, by_chance(random.Random(2)))
    assert store.hands.of(table.key) == table.finished
    assert store.hands.of(table.key, taken_back=True) == [first, second]
    assert statistics(store, "Anna").bids.hands == 3


def test_the_last_game_changed_comes_first_though_the_clock_went_back(store, monkeypatch):
    one, two = new(), new(seed=8)
    times = iter(f"20{year}-01-01T00:00:00.000+00:00" for year in (30, 29, 28, 27))
    monkeypatch.setattr("spades_env.play.store.database._now", lambda: next(times))
    for table in (one, two, one):
        store.save(play(table, 1))
    assert [saved.key for saved in store.unfinished()] == [one.key, two.key]
    store.save(play(two, 1))
    assert [saved.key for saved in store.sittings()] == [two.key, one.key]
