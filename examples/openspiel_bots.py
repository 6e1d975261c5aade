"""OpenSpiel's bots at our table.

Shows how any OpenSpiel bot becomes an agent: it is handed a state of `spades_env.openspiel` that agrees with the view.
Information-set tree search asks for such states again and again, each with the hidden cards dealt anew, and never sees
the true ones. It plays the same hands as OpenSpiel's uniform random bot.

    pip install ".[openspiel,torch]"
    python examples/openspiel_bots.py --hands 10
"""

import argparse
from collections.abc import Iterator

import numpy as np
import pyspiel
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

from spades_env import Game
from spades_env.game.cards import BID_ZERO, NUM_SEATS, Card, Seat
from spades_env.game.view import View
from spades_env.openspiel import DEALER, NAME, SpadesState


def plays(view: View) -> list[tuple[Seat, Card]]:
    """Return every card played in this hand, in order."""
    return [play for trick in [*view.tricks_played, view.table] for play in trick]


def shown_voids(view: View) -> set[tuple[Seat, int]]:
    """Return each (seat, suit) where a seat did not follow suit."""
    tricks = [*view.tricks_played, view.table]
    return {(seat, trick[0][1] // 13) for trick in tricks for seat, card in trick if card // 13 != trick[0][1] // 13}


def deals(view: View, rng: np.random.Generator) -> Iterator[list[list[Card]]]:
    """Yield deals that agree with the view: shuffle the hidden cards until they respect all shown voids."""
    played = [[card for seat, card in plays(view) if seat == one] for one in range(NUM_SEATS)]
    voids = shown_voids(view)
    hidden = sorted(set(range(52)) - set(view.hand) - {card for cards in played for card in cards})
    others = [seat for seat in range(NUM_SEATS) if seat != view.seat]
    while True:
        cards = rng.permutation(hidden).tolist()
        held = {view.seat: view.hand}
        for seat in others:
            count = 13 - len(played[seat])
            held[seat], cards = cards[:count], cards[count:]
        if not any((seat, card // 13) in voids for seat in others for card in held[seat]):
            yield [played[seat] + held[seat] for seat in range(NUM_SEATS)]


def state_of(view: View, hands: list[list[Card]]) -> SpadesState:
    """Return the hand as an OpenSpiel state, as if these cards had been dealt."""
    state = pyspiel.load_game(NAME).new_initial_state()
    for dealt in zip(*hands, strict=True):
        for card in dealt:
            state.apply_action(card)
    first = (view.dealer + 1) % NUM_SEATS
    for seat in ((first + i) % NUM_SEATS for i in range(NUM_SEATS)):
        if view.bids[seat] is not None:
            state.apply_action(BID_ZERO + view.bids[seat])
    for _, card in plays(view):
        state.apply_action(card)
    return state


class OpenSpielAgent:
    """An agent with `act(view)`. East must have dealt, as in `spades_env.openspiel`."""

    def __init__(self, bot: pyspiel.Bot, seed: int):
        self.bot = bot
        self.rng = np.random.default_rng(seed)

    def act(self, view: View) -> int:
        worlds = deals(view, self.rng)
        if isinstance(self.bot, ISMCTSBot):
            self.bot.set_resampler(lambda _state, _player: state_of(view, next(worlds)))
        return int(self.bot.step(state_of(view, next(worlds))))


def search_bot(simulations: int, seed: int) -> ISMCTSBot:
    """Return a tree search with random playouts; the exploration constant is in points."""
    rng = np.random.RandomState(seed)
    evaluator = RandomRolloutEvaluator(n_rollouts=1, random_state=rng)
    return ISMCTSBot(pyspiel.load_game(NAME), evaluator, 50.0, simulations, random_state=rng)


def play_hand(agent: OpenSpielAgent, seed: int) -> int:
    """Play one hand, the agent at South against random seats; return its side's points less the other side's."""
    game, rng = Game("classic", seed=seed, dealer=DEALER), np.random.default_rng(seed)
    while not game.results:
        game.apply(agent.act(game.view(0)) if game.turn == 0 else int(rng.choice(game.legal_actions())))
    return game.results[0].points[0] - game.results[0].points[1]


def main(hands: int, simulations: int, seed: int) -> None:
    at_random = OpenSpielAgent(pyspiel.make_uniform_random_bot(0, seed), seed)
    search = OpenSpielAgent(search_bot(simulations, seed), seed)
    paid = np.array([[play_hand(agent, i) for agent in (at_random, search)] for i in range(seed, seed + hands)])
    print(f"{hands} hands: the random bot {paid[:, 0].mean():+.1f} points a hand, tree search {paid[:, 1].mean():+.1f}")
    print(f"reward: {paid[:, 0].mean():+.1f} at first, {paid[:, 1].mean():+.1f} at last")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=10)
    parser.add_argument("--simulations", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    main(**vars(parser.parse_args()))
