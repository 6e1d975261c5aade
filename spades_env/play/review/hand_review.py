"""Reviews of a finished hand: every step with all cards open, the same deal again.

steps(rules, hand)                       plain data, one entry before each move and one for the end
again(table, number, people)             a new table with the same deal, also from another seat or a later move
"""

from collections.abc import Sequence
from dataclasses import asdict

from spades_env.game.cards import SEATS, Seat, action_name, card_name
from spades_env.game.facts import Position
from spades_env.game.game import Game
from spades_env.game.record import hand_text
from spades_env.game.rules import Rules
from spades_env.game.state import compile_rules
from spades_env.play.table.deal_source import DealSource
from spades_env.play.table.events import move_words
from spades_env.play.table.hands import BOT, PlayedHand
from spades_env.play.table.table import Table, TableError


def steps(rules: Rules, hand: PlayedHand, names: Sequence[str] = SEATS, seat: Seat | None = None) -> list[dict]:
    """Return a hand move by move with all cards open; names: as the person at the seat reads them."""
    game = hand.start.game(rules)
    found = []
    for number, played in enumerate(hand.moves):
        words = move_words(played, rules, names, seat)
        move = {"seat": played.seat, "action": action_name(played.action), "by": played.by, "words": words}
        found.append(_position(game, number) | {"move": move, "result": None})
        game.apply(played.action)
    end = {"number": len(found), "move": None, "result": hand.result.as_dict() if hand.result else None}
    return [*found, end if hand.result else _position(game, len(found)) | end]


def again(
    table: Table,
    number: int,
    people: dict[Seat, str],
    bots: Sequence[str] | None = None,
    adviser: str | None = None,
    moves: int = 0,
) -> Table:
    """Return a table with the deal of this number and the scores before it. It doesn't count in statistics.

    moves: how many of the hand are made as they were; nobody can take them back
    If the game is over, the same hands follow. Otherwise other hands follow, since nobody may see future deals.
    """
    hand = next((hand for hand in table.finished if hand.number == number), None)
    if hand is None:
        raise TableError(f"Hand {number + 1} is not finished: there is nothing to play again")
    first = hand.start
    start = {"dealer": first.dealer, "scores": first.scores, "bags": first.bags, "hand_number": number}
    options = {"start": start | {"deal": first.deal}, "adviser": adviser or table.seats.adviser, "counted": False}
    if table.over or not people:
        options |= asdict(DealSource.of(table.game))
    if moves >= len(hand.moves):
        raise TableError(f"Hand {number + 1} has {len(hand.moves)} moves: it can't be played on after {moves} of them")
    replay = Table(table.rules, table.seats.bots if bots is None else bots, people, **options)
    for move in hand.moves[:moves]:
        replay.apply(move.action, BOT)
    return replay


def _position(game: Game, number: int) -> dict:
    """Return the cards on the table and in all hands before a move; hands: clubs to spades, highest first."""
    facts = Position(game.rules, compile_rules(game.rules), game.state)
    lanes = [[lane.replace("-", "").split() for lane in hand_text(facts, seat).split("|")] for seat in range(4)]
    return {
        "number": number,
        "phase": game.phase,
        "turn": game.turn,
        "hands": lanes,
        "bids": game.bids,
        "tricks": game.tricks,
        "trick": [{"seat": seat, "card": card_name(card)} for seat, card in game.table],
        "winning": game.winning,
        "legal": [action_name(action) for action in game.legal_actions()],
    }
