"""Rules as JAX reads them: numbers and small tables, taken from the record that the kernels read (game/state.py).

jax_rules("pagat")                         one set of rules; as constants of a program, XLA drops what they turn off
stacked_rules(["classic", "solo"])         the same with a leading axis, for jax.vmap: other rules at every table
"""

from collections import namedtuple
from collections.abc import Iterable
from typing import Any

import jax
import numpy as np

from spades_env.game.cards import NUM_CARDS
from spades_env.game.observe import rules_features
from spades_env.game.rules import Rules, RulesError, RulesSource
from spades_env.game.state import RULES, compile_rules

NUMBERS = tuple(name for name, (kind, *_) in (RULES.fields or {}).items() if kind == np.int32)
TABLES = (  # of the cards, int8[54]; the last one of features
    "place",  # 16 · lane + strength
    "lane",  # clubs, diamonds, hearts, trumps; −1 where the card is left out
    "position",  # in the unshuffled deck; 52 where the card is left out
    "features",  # what the rules add to every observation
)
LEFT_OUT = 52

JaxRules: Any = namedtuple("JaxRules", NUMBERS + TABLES)


def jax_rules(source: RulesSource) -> Any:
    """Return the rules as JaxRules of numpy scalars and arrays."""
    rules = Rules.of(source)
    record = compile_rules(rules)[0]
    position = np.full(NUM_CARDS, LEFT_OUT, np.int8)
    position[record.card_at[record.deck]] = np.arange(len(record.deck))
    lane = np.where(record.dealt, record.place >> 4, -1).astype(np.int8)
    numbers = [np.int32(record[name]) for name in NUMBERS]
    place, features = record.place.astype(np.int8), rules_features(rules)
    return JaxRules(*numbers, place=place, lane=lane, position=position, features=features)


def stacked_rules(sources: Iterable[RulesSource]) -> Any:
    """Return the rules of many tables, each array with a leading axis."""
    every = [jax_rules(source) for source in sources]
    if not every:
        raise RulesError("expected the rules of at least one table")
    return jax.tree.map(lambda *values: np.stack(values), *every)
