"""What is kept: sittings through kills, finished hands, statistics, variants, settings; files of others are refused."""

import itertools
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys

import pytest
from support.paths import ROOT
from support.play.sittings import FOUR, SHORT, by_chance, by_rule, move, play, play_until, refuses, stand_still
from support.strategies import scaled

from spades_env import Rules, RulesError
from spades_env.game.rules import RulesSource
from spades_env.play.progress.changes import ending
from spades_env.play.progress.history import facts_of
from spades_env.play.store.database import FILE, MOST_FINISHED_SINCE, Store, StoreError, data_folder
from spades_env.play.store.listing import list_entry
from spades_env.play.store.saved import packed
from spades_env.play.store.schema import SCHEMA
from spades_env.play.store.sitting_rows import GIVEN_UP, OPEN, OVER
from spades_env.play.store.statistics import statistics
from spades_env.play.table.rating import DRAW
from spades_env.play.table.seat_view import seat_view
from spades_env.play.table.table import Table

ONE_HAND = "match target=off max_hands=1"


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path) as store:
        yield store


def new(rules: RulesSource = SHORT, people=None, **options) -> Table:
    return Table(rules, people={0: "Anna"} if people is None else people, **{"seed": 7, "now": stand_still} | options)


def kept(store: Store, table: Table, person=by_rule) -> Table:
    """Played to the end, saved after every move."""
    while not table.over:
        store.save(table)
        move(table, person)
    store.save(table)
    return table


# Sittings


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
    """Killed at any moment: what is there is the last table saved or the one before, to the letter; it can go on."""
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
    """None: a move in it is not legal."""
    table = play(new(), 5)
    store.save(table)
    told = packed(table)
    moves = " ".join([*told["moves"].split()[:-1], "bid:13"])
    text = text or json.dumps(told | {"moves": moves})
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


def test_the_game_changed_last_comes_first_though_the_clock_went_back(store, monkeypatch):
    one, two = new(), new(seed=8)
    times = iter(f"20{year}-01-01T00:00:00.000+00:00" for year in (30, 29, 28, 27))
    monkeypatch.setattr("spades_env.play.store.database._now", lambda: next(times))
    for table in (one, two, one):
        store.save(play(table, 1))
    assert [saved.key for saved in store.unfinished()] == [one.key, two.key]
    store.save(play(two, 1))
    assert [saved.key for saved in store.sittings()] == [two.key, one.key]


# Statistics


def test_statistics_of_no_game(store):
    store.save(play(new(), 30))
    found = statistics(store, "Anna")
    assert found.total.win_rate is None
    assert found.as_dict()["rating"] == 0
    assert found.bids.hands == 0


def test_statistics_of_a_person(store):
    """Against a count by hand over what the tables themselves say."""
    rng = random.Random(5)
    tables = []
    for seed in range(scaled(12)):
        bots = [
            "rule",
            rng.choice(["rule", "bis"]),
            rng.choice(["rule", "Milly/rb", "rb"]).removeprefix("Milly/"),
            "random",
        ]
        table = kept(store, new(SHORT, bots=bots, seed=seed), rng.choice((by_rule, by_chance(rng))))
        tables.append(table)
    found = statistics(store, "Anna")
    scores = [table.game.scores for table in tables]
    wins, losses = sum(a > b for a, b in scores), sum(a < b for a, b in scores)
    assert (found.total.wins, found.total.losses, found.total.games) == (wins, losses, len(tables))
    assert found.total.win_rate == (wins + (len(tables) - wins - losses) / 2) / len(tables)
    for bot in ("rule", "rb"):
        with_bot = [a > b for (a, b), table in zip(scores, tables, strict=True) if table.seats.bots[2] == bot]
        assert found.with_partner[bot].wins == sum(with_bot)
        assert found.with_partner[bot].games == len(with_bot)
    assert found.against["random"].games == len(tables)
    results = [hand.result for table in tables for hand in table.finished if hand.result]
    plain = [result for result in results if result.bids[0]]
    nils = [result for result in results if not result.bids[0]]
    assert found.bids.hands == len(results) == 2 * len(tables)
    assert found.bids.exact == sum(result.bids[0] == result.tricks[0] for result in plain)
    assert found.bids.off == pytest.approx(sum(abs(r.bids[0] - r.tricks[0]) for r in plain) / len(plain))
    assert found.bids.mean_bid == pytest.approx(sum(r.bids[0] for r in plain) / len(plain))
    assert (found.bids.nils, found.bids.nils_kept) == (len(nils), sum(not r.tricks[0] for r in nils))
    assert found.bids.bags == sum(result.overtricks[0] for result in results)
    assert sum(tally.games for tally in found.by_difficulty.values()) == len(tables)
    assert len(found.ratings) == len(tables)
    assert json.dumps(found.as_dict())


def outcomes(store: Store, *rows: tuple[float, int | None]) -> None:
    """Games that ended so, at these difficulties."""
    for number, (outcome, stars) in enumerate(rows):
        store.file.insert(
            "INSERT INTO game_results",
            [
                {
                    "key": f"game {number}",
                    "seat": 0,
                    "person": "Anna",
                    "ended": "",
                    "outcome": outcome,
                    "margin": 0,
                    "hands": 8,
                    "difficulty": stars,
                    "partner": "zofia",
                    "opponents": '["milly", "milly"]',
                    "hints": number == 1,
                    "takebacks": 2 * (number == 1),
                    "moved_for": number == 2,
                }
            ],
        )


def test_short_games_do_not_count_in_the_rating_but_elsewhere(store):
    table = kept(store, new("match target=40", bots=["rule"] * 4, seed=6))
    [(outcome, difficulty, hands)] = store.file.rows("SELECT outcome, difficulty, hands FROM game_results")
    assert hands == len(table.finished) == 1
    found = statistics(store, "Anna")
    assert outcome == 1.0
    assert found.ratings == [0]
    assert found.total.games == found.by_difficulty[difficulty].games == 1


def test_figures_by_hand(store):
    outcomes(store, (1.0, 8), (1.0, 2), (0.5, 8), (0.0, 14), (0.0, None))
    found = statistics(store, "Anna")
    assert found.ratings == [80, 80, 80, 70, 70]  # the win and the draw with help add nothing
    assert found.total.as_dict() == {"wins": 2, "losses": 2, "draws": 1, "games": 5, "win_rate": 0.5}
    assert {stars: tally.win_rate for stars, tally in found.by_difficulty.items()} == {8: 0.75, 2: 1.0, 14: 0.0}
    assert found.against["milly"].games == found.with_partner["zofia"].games == 5
    assert (found.hints, found.takebacks, found.moved_for, found.aided) == (1, 2, 1, 2)
    alone = statistics(store, "Anna", unaided=True)
    assert (alone.total.games, alone.aided, alone.ratings) == (3, 0, [80, 70, 70])


def test_hands_without_a_bid_of_ones_own_leave_the_figures_of_bids_alone(store):
    kept(store, new("house target=off max_hands=1", {0: "Anna"}, bots=["random"] * 4), by_chance(random.Random(1)))
    blind = new("house first_hand=bid blind_bid_deficit=0 target=off max_hands=1", {0: "Anna"}, bots=["random"] * 4)
    kept(store, blind, lambda table, seat: seat_view(table, seat)["legal"][0])
    assert blind.game.results[0].bids[0] == 6, "blind, for both"
    found = statistics(store, "Anna").bids
    assert (found.hands, found.plain, found.exact, found.made) == (2, 0, 0, 0)
    assert (found.mean_bid, found.off) == (None, None)
    assert facts_of(store, "Anna").games[0].results[0].bids == [None] * 4


def test_help_is_marked(store):
    table = play_until(new(ONE_HAND), "play")
    table.ask(0)
    table.act(0, by_rule(table, 0))
    table.takeback(0)
    table.leave(0)
    move(table)
    while table.game.turn:
        move(table)
    table.take(0, "Anna")
    kept(store, table)
    found = statistics(store, "Anna")
    assert (found.hints, found.takebacks, found.aided) == (1, 1, 1)
    assert found.moved_for >= 1
    assert statistics(store, "Anna", unaided=True).total.games == 0


def test_what_does_not_count(store):
    begun, replay, left = new(), new(ONE_HAND, counted=False), new(ONE_HAND)
    store.save(play(begun, 30))
    store.give_up(begun.key)
    kept(store, replay)
    left.leave(0)
    kept(store, left)
    assert statistics(store, "Anna").total.games == 0
    assert statistics(store, "Anna").bids.hands == 0
    assert len(store.hands.of(replay.key)) == 1


@pytest.mark.parametrize("undone", [False, True])
def test_a_game_abandoned_after_its_first_hand_is_lost(store, undone):
    """Even while the person leads, and even if the hand was taken back before."""
    outcomes(store, (1.0, 8))
    table = new("match", bots=["rule"] * 4)
    while not table.finished:
        move(table)
        store.save(table)
    if undone:
        table.takeback(0, len(table.own_moves(0)))
        assert not table.finished
        store.save(table)
    assert store.given_up() == set()
    store.give_up(table.key)
    assert store.given_up() == {table.key}
    found = statistics(store, "Anna")
    assert (found.total.losses, found.by_difficulty[8].losses) == (1, 1)
    assert found.ratings == [80, 40]
    with refuses(f"there is no unfinished game {table.key!r}", StoreError):
        store.give_up(table.key)
    assert statistics(store, "Anna").total.games == 2


@pytest.mark.parametrize("other", [{"people": {0: "Anna", 2: "Cleo"}}, {"counted": False}])
def test_a_game_of_several_or_one_that_does_not_count_is_not_lost_by_abandoning_it(store, other):
    table = new("match", **other)
    while not table.finished:
        move(table)
        store.save(table)
    store.give_up(table.key)
    assert statistics(store, "Anna").total.games == 0


def test_a_game_left_for_ten_others_is_lost(store, monkeypatch):
    """The list says so before; a game of several people waits for ever."""
    now = itertools.count()
    monkeypatch.setattr("spades_env.play.store.database._now", lambda: f"2026-11-25T12:00:00.{next(now):03}+00:00")
    left, fresh, of_two = new("match"), new("match"), new("match", people={0: "Anna", 2: "Cleo"})
    while not (left.finished and of_two.finished):
        move(left)
        move(of_two)
    for table in (left, fresh, of_two):
        store.save(table)
    for number in range(MOST_FINISHED_SINCE):
        assert statistics(store, "Anna").total.games == number
        assert store.count_unfinished() == 3
        [saved] = [saved for saved in store.unfinished() if saved.key == left.key]
        words = list_entry(store, saved, "Anna", {}).result.partition(" after 1 hand")[2]
        more = MOST_FINISHED_SINCE - number
        plural = "s" * (more > 1)
        assert words == (f", counts as lost after {more} more game{plural}" if more <= 3 else "")
        kept(store, play(new(ONE_HAND)))
    assert store.given_up() == {left.key}
    assert statistics(store, "Anna").total.games == MOST_FINISHED_SINCE + 1
    kept(store, play(new(ONE_HAND)))
    assert store.given_up() == {left.key}


def test_a_game_of_no_hand_counts_nowhere(store):
    """Its time was up in the first hand, which made it a draw 0:0."""
    time = [0.0]
    table = play(new("showdown", now=lambda: time[0]), 10)
    time[0] = 601.0
    table.tick()
    store.save(table)
    assert table.over
    assert store.file.one("SELECT outcome, hands FROM game_results") == (DRAW, 0)
    assert statistics(store, "Anna").total.games == 0
    assert facts_of(store, "Anna").games == []
    assert ending(store, table, 0, "Anna")["rating"] is None
    assert seat_view(table, 0)["outcome"]["standing"] is None


def test_several_people_have_their_own_statistics(store):
    table = kept(store, new(ONE_HAND, FOUR))
    found = [statistics(store, person) for person in FOUR.values()]
    assert [one.total.games for one in found] == [1] * 4
    assert found[0].total == found[2].total
    assert not found[0].by_difficulty
    assert not found[0].against
    assert table.over
    store.save(table)
    assert statistics(store, "Anna").total.games == 1


# Variants and settings


def test_named_rules(store):
    ours = Rules(target=300, trumps="nyc")
    store.variants.save("Ours", ours)
    store.variants.save("Grandma's", Rules.preset("solo"))
    store.variants.save("Ours", ours.replace(target=250))
    assert store.variants.all() == {"Grandma's": Rules.preset("solo"), "Ours": ours.replace(target=250)}
    store.variants.forget("Ours")
    assert list(store.variants.all()) == ["Grandma's"]
    with refuses("There is a preset called classic: choose another name", RulesError):
        store.variants.save("classic", ours)
    with pytest.raises(ValueError, match="A name has 1 to 24 characters"):
        store.variants.save("", ours)


def test_settings(store, tmp_path):
    store.settings.set("speed", 0.5)
    store.settings.set("order", ["S", "H"])
    store.settings.set("speed", None)
    with Store(tmp_path) as other:
        assert other.settings.all() == {"order": ["S", "H"], "speed": None}
    with pytest.raises(TypeError):
        store.settings.set("speed", object())


# The file


@pytest.mark.parametrize("schema", [0, SCHEMA - 1, SCHEMA + 1])
def test_a_file_of_another_version_is_refused_and_left_as_it_is(tmp_path, schema):
    Store(tmp_path).close()
    with sqlite3.connect(tmp_path / FILE) as db:
        db.execute(f"PRAGMA user_version = {schema}")
    db.close()
    before = (tmp_path / FILE).read_bytes()
    why = f"{tmp_path / FILE} was written by another version: its schema is {schema}, not {SCHEMA}; nothing was changed"
    with refuses(f"{why}; move the file elsewhere to begin with a new one", StoreError):
        Store(tmp_path)
    assert (tmp_path / FILE).read_bytes() == before


def test_files_of_others_are_refused(tmp_path):
    with sqlite3.connect(tmp_path / FILE) as db:
        db.execute("CREATE TABLE theirs (x)")
    db.close()
    before = (tmp_path / FILE).read_bytes()
    with refuses(f"{tmp_path / FILE} is a database of another program", StoreError):
        Store(tmp_path)
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / FILE).write_text("no database at all, but long enough to be looked at " * 20)
    with refuses(f"{tmp_path / 'a' / FILE}: file is not a database", StoreError):
        Store(tmp_path / "a")
    with pytest.raises(StoreError, match="cannot be opened"):
        Store(tmp_path / FILE / "b")
    assert (tmp_path / FILE).read_bytes() == before


def test_a_transaction_is_all_or_nothing(store, monkeypatch):
    table = play(new(ONE_HAND), 3)
    store.save(table)
    before = packed(store.load(table.key))
    play(table)
    monkeypatch.setattr("spades_env.play.store.database.game_rows", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        store.save(table)
    assert packed(store.load(table.key)) == before
    assert store.hands.of(table.key) == []
    monkeypatch.undo()
    store.save(table)
    assert store.hands.of(table.key) == table.finished
    assert statistics(store, "Anna").total.games == 1


def test_two_programs_may_share_a_file(tmp_path):
    with Store(tmp_path) as one, Store(tmp_path) as other:
        table = new()
        one.save(table)
        move(table)
        other.save(table)
        assert packed(one.load(table.key)) == packed(table)


def test_the_data_folder(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert data_folder() == tmp_path / "spades"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert data_folder() == tmp_path / ".local" / "share" / "spades"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert data_folder() == tmp_path / "Library" / "Application Support" / "spades"
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    assert data_folder() == tmp_path / "local" / "spades"
