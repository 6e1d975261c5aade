"""How long a run takes: foretold from its rounds, beside times that were measured (LOG.md)."""

import pytest

from train.command import recipe_file
from train.pace import Pace, cost
from train.recipe import Foresee, Imitate, Recipe, SelfPlay

MEASURED = {  # recipe -> seconds of a round of each stage, two cores, nothing else running
    "quick": (0.6, 1.5, 4.1),
    "standard": (1.4, 2.0, 5.5, 7.7),
}
COMPILING = 30.0  # seconds more in the first round of a stage


def seconds_of(name: str) -> list[float]:
    stages = Recipe.load(recipe_file(name)).stage
    return [one for stage, each in zip(stages, MEASURED[name], strict=True) for one in [each] * stage.hands]


@pytest.mark.parametrize("name", MEASURED)
def test_what_is_left_is_foretold(name):
    """Within a quarter from the second stage on, within a half before."""
    recipe, seconds = Recipe.load(recipe_file(name)), seconds_of(name)
    pace, stages = Pace(recipe), [stage for _, stage, _ in recipe.moments()]
    settled = 0  # rounds of this stage
    for number, own in enumerate(seconds[:-1]):
        settled = settled + 1 if number and stages[number] is stages[number - 1] else 1
        pace.note(number, own + COMPILING * (settled == 1))
        if settled >= 6:
            near = 0.5 if isinstance(stages[number], Imitate) else 0.25
            assert pace.left(number + 1) == pytest.approx(sum(seconds[number + 1 :]), rel=near)


def test_nothing_is_foretold_by_a_round_that_compiles():
    pace = Pace(Recipe.load(recipe_file("quick")))
    assert pace.left(0) is None
    pace.note(0, 30.0)
    assert pace.left(1) is None
    pace.note(1, 0.6)
    assert pace.left(2) == pytest.approx(150, rel=0.3)


def test_after_a_resume_it_begins_anew_and_at_the_end_nothing_is_left():
    recipe = Recipe.load(recipe_file("quick"))
    pace = Pace(recipe)
    for number in range(recipe.rounds - 3, recipe.rounds):
        pace.note(number, 4.0)
    assert pace.left(recipe.rounds - 10) == pytest.approx(40)
    assert pace.left(recipe.rounds) == 0


def test_more_worlds_that_fit_and_are_stirred_cost_more():
    first = (Imitate(), SelfPlay(), Foresee(), Foresee(worlds=16), Foresee(worlds=16, dealt=4))
    costs = [cost(stage, 384) for stage in (*first, Foresee(worlds=16, dealt=4, stirs=10))]
    assert costs == sorted(costs)
    assert cost(Foresee(passes=2), 384) > cost(Foresee(), 384) > cost(Foresee(), 256)
    assert cost(Imitate(player="learner"), 384) > cost(Imitate(), 384)
