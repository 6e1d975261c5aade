"""Kept games in a list: the name of their rules, the person's own seat, the score, the result."""

import pytest
from support.play.servers import guest, owner, running

from spades_env import Rules
from spades_env.play.rule_words import rule_title
from spades_env.play.store.listing import list_entry, rule_names
from spades_env.play.table.rating import DRAW, LOSS, WIN, outcome_at
from spades_env.play.table.seat_view import seat_view
from spades_env.play.table.table import Table

BOTS = ["zofia", "rule", "random", "dara"]
TWO = "match target=off max_hands=2"


def kept(store, hands, rules=TWO, seat=2, person="Anna", seed=3):
    """A table at which so many hands were played, in the store."""
    table = Table(rules, ["rule"] * 4, {seat: person}, seed=seed)
    while len(table.finished) < hands:
        if not table.step():
            table.act(seat, table.legal(table.game.view(seat))[-1])
    table.seats.bots[:] = BOTS
    store.save(table)
    return table


def one(store, table, person="Anna", **more):
    saved = next(saved for saved in store.sittings() if saved.key == table.key)
    return list_entry(store, saved, person, rule_names(store), **more)


@pytest.mark.parametrize("rules", [TWO, f"{TWO} partners=false"])
@pytest.mark.parametrize("seed", range(3))
def test_a_finished_game_tells_how_it_went(store, rules, seed):
    """As the game itself ended, the own score first."""
    table = kept(store, 2, rules, seed=seed)
    view, winner = seat_view(table, 2), table.game.winner
    own, *others = (str(side["score"]).replace("-", "−") for side in view["sides"])
    result = "Won" if winner == table.rules.side(2) else "Lost"
    assert winner is not None
    sides = sorted(others) if len(others) > 1 else others
    shown = one(store, table).result
    head, _, tail = shown.partition(" to ")
    assert head == f"{result} {own}"
    assert sorted(tail.removesuffix(" after 2 hands").split(", ")) == sides


@pytest.mark.parametrize(
    ("scores", "outcome"),
    [([5, 5], DRAW), ([5, 6], LOSS), ([5, 5, 0, 0], DRAW), ([0, 5, 5, 0], LOSS), ([-1, -2, -3, -3], WIN)],
)
def test_most_points_win(scores, outcome):
    rules = Rules.parse("classic" if len(scores) == 2 else "classic partners=false")
    assert outcome_at(rules, scores, 0) == outcome


def test_an_unfinished_game_tells_the_score_as_it_stands(store):
    fresh, begun = kept(store, 0), kept(store, 1)
    scores = [str(side["score"]).replace("-", "−") for side in seat_view(begun, 2)["sides"]]
    assert one(store, fresh).result == "Unfinished"
    assert one(store, begun).result == f"Unfinished, {scores[0]} to {scores[1]} after 1 hand"
    assert [one(store, table).forfeit for table in (fresh, begun)] == [False, True]
    begun.takeback(2, len(begun.own_moves(2)))
    store.save(begun)
    assert one(store, begun).result == "Unfinished"
    store.give_up(fresh.key)
    assert one(store, fresh).result == "Abandoned"


def test_the_own_seat_is_the_persons(store):
    table = kept(store, 0)
    shown = one(store, table)
    assert shown.seat == 2
    assert [seat["who"] for seat in shown.seats] == ["Zofia", "Rule book", "Anna", "Dara"]
    assert [seat["person"] for seat in shown.seats] == [False, False, True, False]
    assert one(store, table, "Somebody who is called otherwise by now").seat == 2
    table.take(0, "Bela")
    store.save(table)
    assert one(store, table, "Bela").seat == 0
    assert one(store, table, "Cara").seat is None
    assert one(store, table, "Cara", seat=2).seat == 2


def test_rules_are_shown_by_their_name(store):
    table, plain = kept(store, 0), kept(store, 0, "classic")
    assert one(store, table).title == rule_title(table.rules)
    assert one(store, plain).title == "Classic"
    store.variants.save("Short", Rules.parse(TWO))
    assert one(store, table).title == "Short"


def test_a_review_that_would_end_takebacks_is_known(store):
    table = kept(store, 1)
    assert seat_view(table, 2)["unsettled"]
    assert one(store, table).unsettled
    table.settle(0)
    store.save(table)
    assert not seat_view(table, 2)["unsettled"]
    assert not one(store, table).unsettled
    assert not kept(store, 0).unsettled
    over = kept(store, 2)
    assert not over.unsettled
    assert not one(store, over).unsettled


SEATED = '{"people": [null, null, null, null], "bots": ["rule", "rule", "rule", "rule"], "counted": true, '


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"people": [], "bots": []}',
        '{"people": [1, 2, 3, 4], "bots": "rule"}',
        *(f'{SEATED}"sat": {sat}}}' for sat in ("5", "[5]", "[[]]", "[[5, 0, 0]]")),
    ],
)
def test_a_damaged_game_is_listed_without_its_seats(store, text):
    table = kept(store, 1)
    saved = store.sittings()[0]
    store.file._db.execute("UPDATE sittings SET told = ?", (text,))
    store.file._db.execute("UPDATE hands SET told = ?", (text,))
    shown = list_entry(store, saved, "Anna", {})
    assert (shown.seats, shown.seat, shown.result) == ((), None, "Unfinished")
    assert shown.title == rule_title(table.rules)


def test_a_damaged_hand_leaves_the_score_out(store):
    table = kept(store, 1)
    store.file._db.execute("UPDATE hands SET number = 'x'")
    assert one(store, table).result == "Unfinished"


def test_the_host_of_a_shared_table_finds_the_own_seat(tmp_path):
    """By the seat that is held, whatever the names are."""
    with running(tmp_path) as server:
        page = owner(server)
        page.until(page.to_move)
        visitor = guest(server, page.done("invite")["path"], seat=3, name="Bela")
        page.done("rename", name="Anna")
        [found] = page.done("sittings")["sittings"]
        assert found["seat"] == 0
        assert [seat["who"] for seat in found["seats"]] == ["Anna", "Random", "Random", "Bela"]
        assert found["result"] == "Unfinished"
        visitor.close()
        page.close()
