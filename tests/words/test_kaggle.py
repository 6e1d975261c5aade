"""The harness for Kaggle's game arena: observations as their environment sends them."""

import pytest

from spades_env import Game, words
from spades_env.errors import SpadesError
from spades_env.game.cards import action_name, parse_action
from spades_env.game.view import View
from spades_env.integrations import kaggle_harness as harness


def observed(view: View) -> dict:
    return {"observationString": repr(view), "legalActions": view.legal_actions(), "playerId": view.seat}


@pytest.mark.parametrize("rules", ["classic", "house", "classic blind_nil_deficit=0 blind_nil_pass=2 trumps=nyc"])
def test_a_hand_by_the_harness(rules):
    game = Game(rules, seed=3)
    while not game.results:
        view = game.view(game.turn)
        moves = harness.get_legal_moves(observed(view))
        assert moves == {action: action_name(action) for action in view.legal_actions()}
        prompt = harness.generate_prompt(observed(view), [])
        assert prompt == f"{words.system_prompt(view.rules)}\n\n{view.to_text()}"
        name = list(moves.values())[-1]
        found = harness.parse_response(f"I think.\nAction: {name}", list(moves.values()))
        assert (found.legal_action, found.raw_action) == (name, name)
        game.apply(parse_action(name))


def test_a_second_try_is_told_the_fault():
    game = Game("classic", seed=3)
    seen = observed(game.view(game.turn))
    legal = list(harness.get_legal_moves(seen).values())
    bad = harness.parse_response("Action: AS", legal)
    assert (bad.legal_action, bad.raw_action) == (None, "AS")
    assert harness.generate_prompt(seen, [], "Action: AS", bad.raw_action).endswith("AS is not legal. Answer again.")
    none = harness.parse_response("hm", legal)
    assert (none.legal_action, none.raw_action) == (None, None)
    assert harness.generate_prompt(seen, [], "hm", None).endswith("it names no action. Answer again.")


def test_an_observation_before_the_deal_is_refused():
    with pytest.raises(SpadesError, match="is not an observation of a hand in play"):
        harness.generate_prompt({"observationString": "the cards are being dealt", "legalActions": []}, [])


def test_the_observations_of_our_game():
    pyspiel = pytest.importorskip("pyspiel")
    from spades_env.openspiel import NAME

    state = pyspiel.load_game(NAME).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    assert state.hides_state_from_agents()
    seen = {"observationString": state.observation_string(0), "legalActions": state.legal_actions()}
    assert "You play Spades." in harness.generate_prompt(seen, [])
