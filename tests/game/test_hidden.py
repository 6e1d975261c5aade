"""Hidden cards never reach a seat: they are permuted, and nothing that the seat gets may change."""

import random

import numpy as np
import pytest
from support.game.redeals import RULES, redealt
from support.game.tables import moves_of_hand, play, random_game, random_rules, record_bytes
from support.strategies import scaled

from spades_env import Game, Rules
from spades_env.game.cards import BID_ZERO, BLIND_NIL, LOOK, NUM_CARDS, deck, partner
from spades_env.game.observe import (
    LAYOUT,
    NUM_FEATURES,
    OF_RULES,
    STATE_LAYOUT,
    STATE_SIZE,
    write_features,
    write_hidden,
)
from spades_env.game.rules import CHOICES
from spades_env.game.secret_deals import agent_seed
from spades_env.game.state import STATE, new_tables
from spades_env.game.view import View

PROPERTIES = [name for name in dir(View) if isinstance(getattr(View, name), property)]


def knowledge(view: View) -> dict:
    """Return all that a view says, in a form that can be compared."""
    facts = {name: plain(getattr(view, name)) for name in PROPERTIES}
    features, mask = view.observation()
    facts |= {"repr": repr(view), "legal_actions": view.legal_actions(), "observation": (plain(features), plain(mask))}
    facts |= {"to_dict": view.to_dict(), "to_text": view.to_text()}
    return facts


def plain(value):
    """Return the value in a form that == can compare."""
    if isinstance(value, np.recarray):
        return record_bytes(value)
    return value.tobytes() if isinstance(value, np.ndarray) else value


def full_information(table: np.ndarray, compiled: np.ndarray, seat: int) -> bytes:
    out = np.zeros(STATE_SIZE, np.int8)
    write_hidden(table[0], compiled[0], seat, out)
    return out[STATE_LAYOUT["hands"].place].tobytes()


def features_of(table: np.ndarray, compiled: np.ndarray, seat: int) -> bytes:
    out = np.zeros(NUM_FEATURES, np.int8)
    write_features(table[0], compiled[0], seat, out)
    return out.tobytes()


def check_hidden(game: Game, rng: random.Random) -> list[bool]:
    """Check that nothing hidden shows, for all seats; return by seat whether cards really changed."""
    changed = []
    for seat in range(4):
        other = redealt(game, seat, rng)
        view = game.view(seat)
        theirs = View(game.rules, other, seat, game.results, game._compiled)
        mine, yours = knowledge(view), knowledge(theirs)
        differing = [name for name, fact in mine.items() if yours[name] != fact]
        assert not differing, f"seat {seat} learns of hidden cards through {differing}: {game!r}"
        features = features_of(game._table, game._compiled, seat)
        assert features_of(other, game._compiled, seat) == features
        assert features_of(view.state, game._compiled, seat) == features
        of_table = view.features
        of_table[OF_RULES] = 0
        assert of_table.tobytes() == features
        assert record_bytes(other) != record_bytes(game._table)
        changed.append(
            full_information(other, game._compiled, seat) != full_information(game._table, game._compiled, seat)
        )
    return changed


def check_turn(game: Game) -> None:
    """Check that only the seat to move has actions, and that they are the game's."""
    for seat in range(4):
        view = game.view(seat)
        to_move = seat == game.turn and not game.over
        assert view.legal_actions() == (game.legal_actions() if to_move else [])
        assert view.action_mask.tobytes() == (game.action_mask if to_move else np.zeros(70, np.int8)).tobytes()


def check_not_looked(game: Game) -> None:
    """Check that no seat learns about its cards before it has looked."""
    for seat in range(4):
        if game.looked[seat]:
            continue
        view = game.view(seat)
        features = view.features
        assert view.hand == view.given == view.received == []
        assert "not looked at" in repr(view)
        assert not view.state[0].hands.any()
        assert not features[LAYOUT["hand"].place].any()
        assert np.flatnonzero(features[LAYOUT["unseen"].place]).tolist() == list(deck(game.rules.trumps))
        assert not any(action < BID_ZERO for action in view.legal_actions())


@pytest.mark.parametrize("name", RULES)
def test_hidden_cards_never_show(name):
    rng = random.Random(name)
    game = Game(RULES[name], seed=rng.getrandbits(64))
    changed = []
    for _ in range(scaled(65)):
        changed += check_hidden(game, rng)
        check_turn(game)
        check_not_looked(game)
        if game.over:
            break
        play(game, rng, 1)
    assert sum(changed) > 0.7 * len(changed), "the permutations move too few cards to say anything"


def test_hidden_cards_never_show_under_random_rules():
    rng = random.Random(7)
    for _ in range(scaled(12)):
        game = random_game(rng)
        for _ in range(12):
            play(game, rng, rng.randrange(8))
            check_hidden(game, rng)
            check_turn(game)
            check_not_looked(game)


def test_nobody_moves_when_the_game_is_over():
    rng = random.Random(3)
    for _ in range(scaled(5)):
        game = Game(random_rules(rng, max_hands=1, tie="draw"), seed=rng.getrandbits(64))
        play(game, rng, 100)
        assert game.over
        check_turn(game)
        check_hidden(game, rng)


def test_a_view_is_a_copy():
    game = Game("pagat", seed=5)
    view = game.view(game.turn)
    before, record = knowledge(view), view.state
    record[0].hands[:] = 0
    game.apply(BID_ZERO + 3)
    assert knowledge(view) == before
    assert view.state.dtype == new_tables(1).dtype


def test_own_cards_do_show():
    """On the other hand, a permutation of cards the seat knows changes what it gets."""
    rng = random.Random(11)
    for _ in range(scaled(20)):
        game = Game(random_rules(rng, blind_nil_deficit=None), seed=rng.getrandbits(64))
        play(game, rng, rng.randrange(4, 50))
        seat = rng.randrange(4)
        other = game._table.copy()
        other[0].hands[seat], other[0].hands[partner(seat)] = game._s.hands[partner(seat)], game._s.hands[seat]
        theirs = View(game.rules, other, seat, game.results, game._compiled)
        assert (knowledge(theirs) != knowledge(game.view(seat))) == bool(game.hands[seat] or game.hands[partner(seat)])


@pytest.mark.parametrize("cards_passed", [1, 2, 3])
def test_passed_cards_are_known_to_the_two_who_passed_only(cards_passed):
    rng = random.Random(cards_passed)
    rules = Rules(blind_nil_deficit=0, blind_nil_pass=cards_passed, trumps=rng.choice(CHOICES["trumps"]))
    game = Game(rules, seed=rng.getrandbits(64), dealer=1)  # South bids first, and blind
    for action in (BLIND_NIL, LOOK, BID_ZERO + 4, LOOK, BID_ZERO + 4, LOOK, BID_ZERO + 4):
        game.apply(action)
    while game.phase == "pass":
        play(game, rng, 1)
        if game.phase == "pass":
            assert [game.view(seat).received for seat in range(4)] == [[]] * 4
    passes = [(mover, card) for phase, mover, card in moves_of_hand(game) if phase == "pass"]
    given = {seat: sorted(card for mover, card in passes if mover == seat) for seat in (0, 2)}
    while not game.results:
        gone = {card for trick in [*game.tricks_played, game.table] for _, card in trick}
        for seat in (0, 2):
            view, features = game.view(seat), game.view(seat).features
            assert (view.given, view.received) == (given[seat], given[partner(seat)])
            passed = features[LAYOUT["passed"].place].tolist()
            assert [card for card in range(NUM_CARDS) if passed[card] == 1] == [c for c in given[seat] if c not in gone]
            theirs = [card for card in given[partner(seat)] if card not in gone]
            assert [card for card in range(NUM_CARDS) if passed[card] == -1] == theirs
            assert not features[LAYOUT["unseen"].place][given[seat]].any()
        for seat in (1, 3):
            view = game.view(seat)
            assert view.given == view.received == []
            assert not view.features[LAYOUT["passed"].place].any()
            assert not view.state[0].given.any()
        play(game, rng, 1)


def test_a_record_has_no_byte_beside_its_fields():
    """Otherwise a copy of a table would contain old memory, and equal tables would differ in their bytes."""
    assert sum(STATE[name].itemsize for name in STATE.names or ()) == STATE.itemsize


def test_no_seed_and_no_foreign_hand_in_a_record():
    game = Game("classic", seed=99)
    for seat in range(4):
        s = game.view(seat).state[0]
        assert s.seed == 0
        assert [bool(hand) for hand in s.hands] == [other == seat for other in range(4)]
    assert len(game.view(0).features) == NUM_FEATURES


def test_the_full_state_tells_what_is_laid_aside():
    rules = Rules(blind_nil_deficit=0, blind_nil_pass=2)
    game = Game(rules, seed=3)
    for _ in range(4):
        game.apply(BLIND_NIL)
    passer, card = game.turn, game.legal_actions()[3]
    game.apply(card)
    for seat in range(4):
        out = np.zeros(STATE_SIZE, np.int8)
        write_hidden(game._s, game._compiled[0], seat, out)
        laid_aside = out[STATE_LAYOUT["laid_aside"].place].reshape(4, 54)
        assert np.argwhere(laid_aside).tolist() == [[(passer - seat) % 4, card]]


def test_an_agents_seed_does_not_tell_the_deal():
    """Neither the game's seed nor a simple function of it."""
    for game_seed in range(200):
        seeds = {agent_seed(game_seed, seat) for seat in range(4)}
        assert len(seeds) == 4
        assert not seeds & {game_seed * k + c for k in range(9) for c in range(-9, 9)}
        assert seeds == {agent_seed(game_seed, seat) for seat in range(4)}
