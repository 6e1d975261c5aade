"""The solver against a plain minimax over lists of cards, and along its own lines of play; the oracle that uses it."""

import copy
import random
from typing import Any

import numpy as np
import pytest
from support.game import reference
from support.game.endings import random_ending
from support.game.redeals import places
from support.game.tables import suit_of
from support.strategies import SCALE, scaled

from spades_env import Game, Rules, agents
from spades_env._jit import JIT_ON
from spades_env.agents.solver import line, oracle
from spades_env.agents.solver.alpha_beta import best_worth, new_solver, prepare, solve
from spades_env.agents.solver.outcomes import EQUITY, POINTS, UNIT, worth
from spades_env.game.cards import SPADES, card, cards
from spades_env.game.engine import legal_cards, play
from spades_env.game.rules import CHOICES
from spades_env.game.state import GOES_ON

# Endings


def worths_of(game: Game, measure: int = POINTS, solver=None) -> dict[int, float]:
    """The worth of every legal card, in points."""
    solver, values = new_solver() if solver is None else solver, np.zeros(13)
    table, r = game.state, game._compiled[0]
    prepare(solver[0], table, 0, r, game.rules.side(game.turn), measure)
    count = solve(solver[0], table[0], r, values)
    return dict(zip(legal_in_order(game), values[:count] / UNIT, strict=True))


def legal_in_order(game: Game) -> list[int]:
    """The legal cards, the lowest place first."""
    lanes = int(legal_cards(game._s, game._compiled[0]))
    return [int(game._compiled[0].card_at[place]) for place in range(64) if lanes >> place & 1]


def price_of_a_bag(rules: Rules) -> float:
    return 0 if rules.bag_limit is None else rules.bag_penalty / rules.bag_limit


class Minimax:
    """Plain minimax: every card of every hand is tried, and the finished hand scored by the reference."""

    def __init__(self, game: Game):
        self.rules, self.own = game.rules, game.rules.side(game.turn)
        self.scored = reference.Table(game.rules.as_dict(), game.hands, 0, game.scores, game.bags)
        self.scored.bids, self.scored.blind, self.scored.hand_number = game.bids, game.blind, game.hand_number
        self.scored.blind_contracts = [side for side, both in enumerate(game.blind_contracts) if both]
        self.known: dict[tuple, float] = {}

    def worths(self, game: Game) -> dict[int, float]:
        hands = tuple(tuple(hand) for hand in game.hands)
        position = (hands, tuple(game.table), game.turn, game.spades_broken, tuple(game.tricks))
        return {played: self.worth(self.after(position, played)) for played in self.legal(position)}

    def worth(self, position: tuple) -> float:
        if position not in self.known:
            hands, *_, tricks = position
            if not any(hands):
                self.known[position] = self.score(tricks)
            else:
                best = max if self.rules.side(position[2]) == self.own else min
                worths = [self.worth(self.after(position, played)) for played in self.legal(position)]
                self.known[position] = best(worths)
        return self.known[position]

    def legal(self, position: tuple) -> list[int]:
        hands, table, turn, broken, _ = position
        hand = hands[turn]
        if table:
            led = self.suit(table[0][1])
            return [c for c in hand if self.suit(c) == led] or list(hand)
        free = broken or self.rules.spades_lead == "any"
        return [c for c in hand if free or self.suit(c) != SPADES] or list(hand)

    def after(self, position: tuple, played: int) -> tuple:
        hands, table, turn, broken, tricks = position
        hands = tuple(tuple(c for c in hand if c != played) for hand in hands)
        table = (*table, (turn, played))
        led_counts = self.rules.spades_lead != "discarded" or self.suit(table[0][1]) != SPADES
        broken = broken or (self.suit(played) == SPADES and led_counts)
        if len(table) < 4:
            return hands, table, (turn + 1) % 4, broken, tricks
        winner = reference.trick_winner(list(table), self.rules.trumps)
        return hands, (), winner, broken, tuple(n + (seat == winner) for seat, n in enumerate(tricks))

    def suit(self, played: int) -> int:
        return suit_of(played, self.rules.trumps)

    def score(self, tricks: tuple[int, ...]) -> float:
        scored = copy.deepcopy(self.scored)
        bags = list(scored.bags)
        scored.tricks = list(tricks)
        scored.score_hand()
        new = [after - before for after, before in zip(scored.bags, bags, strict=True)]
        gains = [p - price_of_a_bag(self.rules) * n for p, n in zip(scored.results[-1]["points"], new, strict=True)]
        others = [gain for side, gain in enumerate(gains) if side != self.own]
        return gains[self.own] - sum(others) / len(others)


def assert_same_as_minimax(game: Game):
    expected = Minimax(game).worths(game)
    assert worths_of(game) == pytest.approx(expected, abs=0.01), repr(game)


# The solver


@pytest.mark.parametrize("trumps", CHOICES["trumps"])
def test_the_solver_equals_minimax(trumps):
    rng = random.Random(trumps)
    for _ in range(scaled(40)):
        assert_same_as_minimax(random_ending(rng, rng.randint(1, 11), trumps=trumps, partners=True))


@pytest.mark.parametrize("spades_lead", CHOICES["spades_lead"])
def test_the_solver_equals_minimax_whatever_breaks_spades(spades_lead):
    """South leads, and holds nothing but spades, which are not broken."""
    rng, others = random.Random(0), cards("KH AH 4H AC")
    for _ in range(scaled(60)):
        spades = rng.sample(cards("2S 4S 6S 8S TS JS QS AS"), 8)
        rest = [*spades[3:], *others]
        rng.shuffle(rest)
        game = unbroken([spades[:3], rest[:3], rest[3:6], rest[6:]], [2, 5, 1, 2], spades_lead)
        assert_same_as_minimax(game)


def test_what_breaks_spades_decides_what_a_card_is_worth():
    hands = ["2S 6S AS", "AH KH 8S", "TS 4H JS", "4S QS AC"]
    worths = {value: worths_of(unbroken(hands, [2, 5, 1, 2], value)) for value in CHOICES["spades_lead"]}
    assert worths["broken"] == worths["any"] != worths["discarded"]
    assert_same_as_minimax(unbroken(hands, [2, 5, 1, 2], "discarded"))


def unbroken(hands: list, tricks: list[int], spades_lead: str) -> Game:
    """The last cards of every seat, South to lead, spades not broken; all have bid 3."""
    game = last_tricks(hands, [3, 3, 3, 3], tricks, spades_lead=spades_lead)
    game._s.broken = 0
    return game


def test_the_solver_equals_minimax_with_more_cards():
    rng = random.Random(1)
    for _ in range(scaled(12)):
        assert_same_as_minimax(random_ending(rng, rng.randint(12, 15), partners=True))
    if SCALE >= 1:
        assert_same_as_minimax(random_ending(rng, 18, partners=True))


def test_without_partners_all_others_are_against_the_seat_to_move():
    rng = random.Random(2)
    for _ in range(scaled(30)):
        assert_same_as_minimax(random_ending(rng, rng.randint(1, 11), partners=False))


def test_the_best_cards_lead_to_what_they_are_worth():
    """From more tricks than can be checked by hand, both sides playing their best cards."""
    rng, solver = random.Random(3), new_solver()
    for _ in range(scaled(20)):
        game = random_ending(rng, rng.randint(5, 28) if JIT_ON else 5, partners=True)
        before, table, r = game.state, game.state, game._compiled[0]
        own = game.rules.side(game.turn)
        promised = max(worths_of(game, solver=solver).values())
        event = GOES_ON
        while event == GOES_ON:
            values = np.zeros(13)
            mover = int(table[0].turn) % 2
            prepare(solver[0], table, 0, r, mover, POINTS)
            count = solve(solver[0], table[0], r, values)
            assert best_worth(solver[0], table[0], r) == values[:count].max()
            best = int(values[:count].argmax())
            legal = int(legal_cards(table[0], r))
            event = play(table[0], r, [place for place in range(64) if legal >> place & 1][best])
        assert worth(table[0], before[0], r, own, POINTS) / UNIT == pytest.approx(promised, abs=0.01)


def test_a_solver_remembers_nothing_wrong():
    """One solver for positions of all rules, and for several worlds of one position, answers like a new one."""
    rng, solver = random.Random(4), new_solver()
    for _ in range(scaled(30)):
        game = random_ending(rng, rng.randint(1, 16 if JIT_ON else 6))
        assert worths_of(game, solver=solver) == worths_of(game)


def test_worlds_of_one_position_share_its_outcomes():
    rng = random.Random(5)
    for _ in range(scaled(10)):
        game = random_ending(rng, 4 * rng.randint(1, 4 if JIT_ON else 1), partners=True)
        solver, values = new_solver(), np.zeros(13)
        prepare(solver[0], game.state, 0, game._compiled[0], game.rules.side(game.turn), POINTS)
        for _ in range(4):
            world = game.state
            others = [seat for seat in range(4) if seat != game.turn]
            hidden = [card for seat in others for card in game.hands[seat]]
            rng.shuffle(hidden)
            size = len(hidden) // 3
            for i, seat in enumerate(others):
                places = [int(game._compiled[0].place[c]) for c in hidden[i * size : (i + 1) * size]]
                world[0].hands[seat] = sum(1 << place for place in places)
            other = copy.deepcopy(game)
            other._table = world
            count = solve(solver[0], world[0], game._compiled[0], values)
            assert (values[:count] / UNIT).tolist() == list(worths_of(other).values())


@pytest.mark.parametrize("trumps", ["normal", "deuces"])
def test_the_first_trick_follows_the_rules(trumps):
    """The solver's legal cards match the engine's, with and without clubs."""
    rng, solver = random.Random(trumps), new_solver()
    for _ in range(scaled(100)):
        game = random_ending(rng, 52 - rng.randrange(4), first_trick="lowest_club", trumps=trumps)
        table, ply, r = game.state, 0, game._compiled[0]
        line.set_line(solver[0], table[0], r)
        while table[0].num_plays < 5:
            own, mine = places(table[0].hands[table[0].turn]), places(solver[0].hands[ply, table[0].turn])
            legal, found = places(legal_cards(table[0], r)), places(line.legal(solver[0], ply))
            assert [own.index(place) for place in legal] == [mine.index(place) for place in found]
            assert set(places(line.distinct(solver[0], ply))) & set(found)
            number = rng.randrange(len(legal))
            line.play_on(solver[0], ply, np.uint64(1 << found[number]))
            play(table[0], r, legal[number])
            ply += 1


# By hand


def last_tricks(hands: list[str] | list[list[int]], bids: list[int], tricks: list[int], **options) -> Game:
    """The last cards of every seat, South to lead, spades broken; a bid of 0 is a nil."""
    game = Game(Rules(blind_nil_deficit=None, **options), seed=0)
    s, r = game._s, game._compiled[0]
    held = [cards(hand) if isinstance(hand, str) else hand for hand in hands]
    left = len(held[0])
    s.hands[:] = [sum(1 << int(r.place[c]) for c in hand) for hand in held]
    s.bids[:], s.nils[:], s.tricks[:] = bids, [bid == 0 for bid in bids], tricks
    s.num_bids, s.num_plays, s.phase, s.turn, s.leader, s.broken = 4, 4 * (13 - left), 3, 0, 0, 1
    return game


def test_bags_cost_what_they_do_in_the_long_run():
    """South & North bid 4, have 6 tricks and take another; West & East just made 6: 40 + 3 - 60, and three bags."""
    game = last_tricks(["AS", "2C", "2D", "2H"], bids=[1, 3, 3, 3], tricks=[3, 3, 3, 3])
    assert worths_of(game) == {card("AS"): -47}


def test_a_nil_leads_what_its_partner_can_cover():
    """The king of clubs falls under North's ace, which makes North's bid; nobody but South has a higher diamond."""
    game = last_tricks(["KC 3D", "2C 2D", "AC 2H", "4C 5H"], bids=[0, 3, 4, 3], tricks=[0, 4, 3, 4])
    kept = (100 + 40) - (60 + 3 - 30)
    broken = (-100 + 40 + 1 - 10) - (60 + 2 - 20)
    assert worths_of(game) == {card("KC"): kept, card("3D"): broken}


def test_the_share_of_the_win_can_be_at_stake():
    """With the nil kept South & North win the game; broken, they stand at 341 and their opponents at 462."""
    game = last_tricks(["KC 3D", "2C 2D", "AC 2H", "4C 5H"], bids=[0, 3, 4, 3], tricks=[0, 4, 3, 4])
    game._s.scores[:2] = 400, 400
    worths = worths_of(game, EQUITY)
    assert worths[card("KC")] * UNIT == 1_000_000
    assert 0 < worths[card("3D")] * UNIT < 200_000


def test_equal_cards_are_worth_the_same():
    game = last_tricks(["AS KS 2C", "QS 3C 4C", "2D 3D 4D", "2H 3H 4H"], bids=[2, 3, 3, 3], tricks=[2, 3, 2, 3])
    worths = worths_of(game)
    assert worths[card("AS")] == worths[card("KS")]


# The oracle


def load_oracle(seed: int = 0) -> Any:
    """It takes games, where other agents take views."""
    return agents.load("oracle", seed)


@pytest.fixture(autouse=True)
def _light(monkeypatch):
    """Few rollouts without the compiler."""
    if not JIT_ON:
        for name, value in {"SOLVED": 1, "ROLLOUT_SOLVED": 1, "ROLLOUTS": 1, "TIE_ROLLOUTS": 1}.items():
            monkeypatch.setattr(oracle, name, value)


def test_the_oracle_says_that_it_cheats():
    bot = load_oracle()
    assert bot.cheats
    game = Game("classic", seed=1)
    with pytest.raises(agents.AgentError, match="all cards open"):
        bot.act(game.view(game.turn))
    with pytest.raises(agents.AgentError, match="takes no settings"):
        agents.load("oracle:3")


def rules_to_play() -> list[Rules]:
    passing = [Rules(trumps=trumps, blind_nil_deficit=0, blind_nil_pass=2) for trumps in CHOICES["trumps"]]
    solo = Rules.preset("solo", nil=True, blind_nil_deficit=0, trumps="nyc")
    return [*map(Rules.preset, Rules.presets()), *passing, solo]


@pytest.mark.parametrize("rules", rules_to_play() if SCALE >= 1 else rules_to_play()[::5], ids=str)
def test_the_oracle_plays_a_whole_hand_legally(rules):
    game, bot, rng = Game(rules, seed=5), load_oracle(), random.Random(5)
    while not game.results:
        asked = JIT_ON or rng.random() < 0.1
        game.apply(bot.act(game) if asked else rng.choice(game.legal_actions()))


def test_under_any_rules_at_any_moment():
    rng, bot = random.Random(6), load_oracle(seed=1)
    for _ in range(scaled(60)):
        game = random_ending(rng, rng.randrange(1, 53 if JIT_ON else 9))
        hint = bot.hint(game)
        assert {action for action, _ in hint} == set(game.legal_actions())
        assert all(0 <= weight <= 1 for _, weight in hint)
        assert hint[0][1] == 1
        assert bot.act(game) in [action for action, weight in hint if weight == 1]


def test_from_the_eighth_trick_on_it_plays_the_best_card():
    """Rollouts separate ties, and never rank them below worse cards."""
    rng, bot = random.Random(8), load_oracle()
    for _ in range(scaled(60)):
        game = random_ending(rng, rng.randrange(1, 33 if JIT_ON else 9), partners=True)
        worths = worths_of(game)
        assert worths[bot.act(game)] == max(worths.values())


def test_its_answer_depends_on_nothing_but_the_table():
    rng, bot = random.Random(7), load_oracle(seed=1)
    games = [random_ending(rng, rng.randrange(1, 53 if JIT_ON else 9)) for _ in range(scaled(12))]
    together = bot.act_batch(games[::-1])[::-1].tolist()
    assert together == [bot.act(game) for game in games]
    assert together == [load_oracle(seed=1).act(copy.deepcopy(game)) for game in games]


def test_it_keeps_a_nil_that_can_be_kept():
    game = last_tricks(["KC 3D", "2C 2D", "AC 2H", "4C 5H"], bids=[0, 3, 4, 3], tricks=[0, 4, 3, 4])
    assert load_oracle().act(game) == card("KC")


@pytest.mark.skipif(SCALE < 1, reason="takes compiled code some seconds")
def test_it_beats_the_rule_bot_by_far():
    """The same deals with the sides swapped; measured over 150 deals, it is 46 points a hand."""
    cheat, honest = load_oracle(), agents.load("rule")
    gained = 0
    for seed in range(15):
        for own in (0, 1):
            game = Game(Rules(), seed=seed)
            while not game.results:
                game.apply(cheat.act(game) if game.turn % 2 == own else honest.act(game.view(game.turn)))
            points = game.results[0].points
            gained += points[own] - points[1 - own]
    assert gained / 30 > 10
