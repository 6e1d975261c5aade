"""Prompts: short, of the rules in force alone, and without a hidden card."""

import random

import pytest
from hypothesis import given
from support.game.redeals import redealt, rules_to_play
from support.game.tables import random_rules
from support.strategies import OPTION_VALUES, rules, scaled

from spades_env import Game, Rules, words
from spades_env.game.cards import card_words
from spades_env.game.rules import RulesError
from spades_env.game.view import View
from spades_env.play.rule_words import idle_options
from spades_env.words.prompt import MOST_WORDS

RULES = rules_to_play()


@pytest.mark.parametrize("name", RULES)
def test_a_system_prompt_is_short(name):
    assert 150 < len(words.system_prompt(RULES[name]).split()) < MOST_WORDS


@given(rules())
def test_a_system_prompt_of_any_rules_is_short(found):
    assert len(words.system_prompt(found).split()) < MOST_WORDS + 60  # no preset has so many options


@pytest.mark.parametrize("seed", range(scaled(20)))
def test_options_in_force_are_told_and_idle_ones_are_not(seed):
    one = random_rules(random.Random(seed))
    idle = idle_options(one)
    for option, values in OPTION_VALUES.items():
        for value in values:
            try:
                other = one.replace(**{option: value})
            except RulesError:
                continue
            if value == getattr(one, option) or set(idle_options(other)) != set(idle):
                continue
            if not one.nil and {value, one.bidding} == {"mirror", "whiz"}:
                continue  # they differ by nil alone
            if not one.partners and {value, getattr(one, option)} == {"overtricks", "bags"}:
                continue  # they differ by a partner's bid alone
            told = words.rules_text(one) != words.rules_text(other)
            assert told == (option not in idle), f"{option}: {getattr(one, option)} or {value} under {one}"


def test_a_question_has_the_view_and_the_legal_actions():
    game = Game("classic", seed=1)
    view = game.view(game.turn)
    assert words.question(view) == f"{view.to_text()}\n\nYou may bid 0 to 13."
    system, user = words.messages(view)
    assert system == {"role": "system", "content": words.system_prompt(view.rules)}
    assert user == {"role": "user", "content": words.question(view)}


def test_cards_are_named_in_words():
    game = Game("classic", seed=1)
    while game.phase != "play":
        game.apply(57)
    asked = words.question(game.view(game.turn))
    assert asked.endswith("You may play: " + ", ".join(map(card_words, game.legal_actions())) + ".")


@pytest.mark.parametrize("name", RULES)
def test_hidden_cards_change_no_byte(name):
    rng = random.Random(name)
    for seed in range(scaled(3)):
        game = Game(RULES[name], seed=seed)
        for _ in range(60):
            if game.over:
                break
            view = game.view(game.turn)
            other = View(game.rules, redealt(game, view.seat, rng), view.seat, game.results, game._compiled)
            assert words.messages(view) == words.messages(other)
            game.apply(rng.choice(game.legal_actions()))


def test_the_rules_of_a_hand_that_bids_itself():
    assert "In the first hand nobody bids" in words.rules_text(Rules(first_hand="bids_itself"))
