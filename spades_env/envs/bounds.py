"""How much a hand can bring, from the rules alone: what frameworks want to know that scale rewards or search trees.

most_points("classic")      490: one partner makes nil and the other bids and takes all thirteen, against 13 and 13
"""

from itertools import product

from spades_env.errors import SpadesError
from spades_env.game.cards import NUM_TRICKS
from spades_env.game.rules import Rules, RulesSource
from spades_env.game.scoring import score_side
from spades_env.game.state import BLIND_NIL_BID, NIL, NO_BID, NO_NIL, compile_rules, new_tables


def most_points(rules: RulesSource = "classic") -> int:
    """Return the most points by which one side can be ahead in the first hand of a game, when nobody has bags.

    It is the largest reward of that hand, and the smallest one negated; only a bound where `total_not` or the cards
    limit the bids.

    Args:
        rules: What `Rules.of` takes, with partners.

    Raises:
        SpadesError: The rules are solo rules.

    Examples:
        >>> from spades_env.envs.bounds import most_points
        >>> most_points("classic")
        490
    """
    rules = Rules.of(rules)
    if not rules.partners:
        raise SpadesError("the most points of a hand are known for partners only, not for solo rules")
    tables, compiled, bids = new_tables(1), compile_rules(rules), _bids_of_a_side(rules)
    ends = []  # by the tricks of a side: the least and the most that it gets, less what the other gets of its bags
    for taken in range(NUM_TRICKS + 1):
        splits = [(own, taken - own) for own in range(taken + 1)]
        found = [_ahead(tables[0], compiled[0], split, both) for split in splits for both in bids]
        ends.append((min(found), max(found)))
    return max(ends[taken][1] - ends[NUM_TRICKS - taken][0] for taken in range(NUM_TRICKS + 1))


def _bids_of_a_side(rules: Rules) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Return what two partners can bid in a game's first hand: a bid and a kind of nil each, NO_BID for none."""
    none = (NO_BID, NO_NIL)
    if rules.first_hand == "bids_itself":
        return [(none, none)]
    bids = [(bid, NO_NIL) for bid in range(1, NUM_TRICKS + 1)] + [(0, NIL if rules.nil else NO_NIL)]
    bids += [(0, BLIND_NIL_BID)] * (rules.blind_nil_deficit == 0)
    both = [(one, other) for one, other in product(bids, repeat=2) if one[0] + other[0] >= rules.least_bid]
    if rules.bidding == "suicide":
        both = [(one, other) for one, other in both if (one[1] == NIL) != (other[1] == NIL)]
    if rules.blind_bid is not None and rules.blind_bid_deficit == 0:
        least = max(rules.blind_bid, rules.least_bid)
        both += [((bid, NO_NIL), none) for bid in range(least, NUM_TRICKS + 1)]
    return both


def _ahead(s, r, tricks: tuple[int, int], bids) -> int:
    """Score side 0 alone, with the tricks, bids and nils of both partners."""
    s.points[:] = s.bags[:] = 0
    s.blind_contract[0] = r.bids_itself == 0 and bids[1][0] == NO_BID
    s.tricks[::2] = tricks
    s.bids[::2], s.nils[::2] = zip(*bids, strict=True)
    score_side(s, r, 0)
    return int(s.points[0] - s.points[1])
