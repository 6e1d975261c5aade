"""From what learns to what plays, and back."""

import random
from dataclasses import replace

import numpy as np
import pytest
from support.strategies import scaled

torch = pytest.importorskip("torch")

from support.agents.levels import assert_same_numbers, random_level  # noqa: E402
from support.game.tables import random_position  # noqa: E402

from spades_env.agents.base import Batch  # noqa: E402
from spades_env.agents.network import player as network  # noqa: E402
from spades_env.agents.network.insight import INSIGHT, RULE_BOT_INPUTS  # noqa: E402
from spades_env.agents.network.level import Level  # noqa: E402
from spades_env.agents.network.suits import arrange  # noqa: E402
from spades_env.agents.roster import LEVELS  # noqa: E402
from spades_env.game.cards import NUM_ACTIONS  # noqa: E402
from spades_env.game.rules import CHOICES  # noqa: E402
from spades_env.training.export import export, level_of, set_policy  # noqa: E402
from spades_env.training.learner import Learner  # noqa: E402
from spades_env.training.nets import Policy  # noqa: E402
from spades_env.training.recipe import Recipe  # noqa: E402
from spades_env.training.run.checkpoints import MARKS, RunError  # noqa: E402
from spades_env.training.run.folder import Run  # noqa: E402

STAGE = {"kind": "imitate", "iterations": 2}
RECIPE = {"name": "tiny", "stage": [STAGE], "network": {"width": 32, "suit_width": 24}}


def tiny(**changes) -> Recipe:
    """A recipe that nobody follows."""
    return Recipe.of(RECIPE | changes)


def lively(width: int = 32, suit_width: int = 24, seed: int = 1, rule_inputs: bool = True) -> Policy:
    """A policy whose numbers are as large as learned ones."""
    torch.manual_seed(seed)
    policy = Policy(width, suit_width, rule_inputs)
    with torch.no_grad():
        for weight in policy.parameters():
            weight.add_(torch.randn_like(weight) * (0.05 if weight.dim() > 1 else 0.2))
    return policy


def moments_under(trumps: str, count: int) -> Batch:
    """Random moments under such trumps."""
    rng = random.Random(trumps)
    games = [random_position(rng, trumps=trumps, target=None, floor=None, max_hands=99) for _ in range(count)]
    return Batch.of([game.view(game.turn) for game in games if not game.over])


@pytest.fixture(scope="module")
def inputs() -> np.ndarray:
    """Moments of all kinds."""
    return np.concatenate([network.features(moments_under(trumps, scaled(40))) for trumps in CHOICES["trumps"]])


def answers(policy: Policy, inputs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The policy's logits and values, by torch."""
    with torch.no_grad():
        logits, values = policy(torch.from_numpy(arrange(inputs)))
    return logits.numpy(), values.numpy()


@pytest.mark.parametrize("trumps", CHOICES["trumps"])
@pytest.mark.parametrize(("width", "suit_width"), [(16, 8), (48, 36)])
def test_a_level_computes_what_the_policy_computes(trumps, width, suit_width):
    policy, batch = lively(width, suit_width), moments_under(trumps, scaled(60))
    level, inputs = level_of(policy, tiny(), {"rounds": 3}), network.features(batch)
    expected = answers(policy, inputs)
    assert np.abs(expected[0]).max() > 5
    assert_same_numbers((network.logits(level, inputs), network.values(level, inputs)), expected, network.masks(batch))


@pytest.mark.parametrize("trumps", CHOICES["trumps"])
def test_the_shipped_level_computes_what_its_weights_say_in_torch(trumps):
    level = replace(Level.read(LEVELS / "standard.safetensors"), heed=0, heed_blind=0, nil_doubt=0)
    policy, batch = Policy(*level.widths), moments_under(trumps, scaled(60))
    set_policy(policy, level)
    inputs = network.features(batch)
    ours = network.logits(level, inputs), network.values(level, inputs)
    assert_same_numbers(ours, answers(policy, inputs), network.masks(batch))


def with_another_rule_bot(inputs: np.ndarray) -> np.ndarray:
    """The same positions, with noise in everything that the rule bot computes."""
    changed, noise = inputs.copy(), np.random.default_rng(3)
    for name in RULE_BOT_INPUTS:
        block = changed[:, INSIGHT[name].place]
        block[:] = noise.integers(-100, 100, block.shape)
    return changed


def test_without_rule_inputs_nothing_of_the_rule_bot_is_read_learned_from_or_exported(inputs):
    policy, reader = lively(rule_inputs=False), lively()
    changed = with_another_rule_bot(inputs)
    assert not np.array_equal(answers(reader, inputs)[0], answers(reader, changed)[0])
    for mine, theirs in zip(answers(policy, inputs), answers(policy, changed), strict=True):
        assert np.array_equal(mine, theirs)
    logits, values = policy(torch.from_numpy(arrange(changed)))
    (logits.square().mean() + values.square().mean()).backward()
    assert policy.suits.weight.grad is not None
    assert torch.all(policy.suits.weight.grad[:, policy.lane_scale == 0] == 0)
    level = level_of(policy, tiny(), {})
    for rows in (inputs, changed):
        ours = network.logits(level, rows), network.values(level, rows)
        assert_same_numbers(ours, answers(policy, inputs), np.ones((1, NUM_ACTIONS)))


def test_plain_reads_nothing_of_the_rule_bot(inputs):
    changed = with_another_rule_bot(inputs)
    for name, reads in (("plain", False), ("standard", True)):
        level = Level.read(LEVELS / f"{name}.safetensors")
        difference = np.abs(network.logits(level, inputs) - network.logits(level, changed)).max()
        assert (difference > 1) if reads else (difference < 1e-4), name  # sums are rounded in another order
    plain = Level.read(LEVELS / "plain.safetensors")
    assert (plain.heed, plain.heed_blind) == (0, 0)
    assert np.allclose(network.values(plain, inputs), network.values(plain, changed), atol=1e-4)


def test_a_level_that_reads_the_rule_bot_can_start_one_that_does_not(inputs):
    policy = lively(rule_inputs=False, seed=2)
    set_policy(policy, level_of(lively(), tiny(), {}))
    found, changed = answers(policy, inputs), answers(policy, with_another_rule_bot(inputs))
    assert all(np.isfinite(numbers).all() for numbers in found)
    assert np.array_equal(found[0], changed[0])


def test_in_half_precision_it_chooses_nearly_the_same(inputs, tmp_path):
    level = level_of(lively(), tiny(), {})
    level.write(tmp_path / "half.safetensors", half=True)
    whole, half = (network.logits(one, inputs) for one in (level, Level.read(tmp_path / "half.safetensors")))
    assert np.abs(whole - half).max() < 0.01 * np.abs(whole).max()
    assert (whole.argmax(1) == half.argmax(1)).mean() > 0.98


def test_what_the_level_says():
    level = level_of(lively(), tiny(about="as it learned"), {"rounds": 3}, "bold", "")
    assert (level.name, level.style, level.trained) == ("bold", "as it learned", {"rounds": 3})
    assert level.widths == (32, 24)
    assert level.rules == str(tiny().rules)
    assert level.ratings == {}
    assert level_of(lively(), tiny(), {}).name == "tiny"


def test_a_policy_can_go_on_from_a_level(inputs):
    policy, other = lively(seed=1), lively(seed=2)
    set_policy(other, level_of(policy, tiny(), {}))
    for mine, theirs in zip(answers(policy, inputs), answers(other, inputs), strict=True):
        assert np.abs(mine - theirs).max() <= 1e-5 * np.abs(mine).max()


@pytest.mark.parametrize("widths", [(32, 16), (16, 24), (24, 32)])
def test_a_level_of_another_size(widths):
    with pytest.raises(RunError, match="is of another size than the recipe: <Level anyhow"):
        set_policy(lively(), random_level(0, *widths))


# What a run tells of its level


def evaluation(name: str, won: float) -> dict:
    """A line of the metrics, as the trainer writes it."""
    return {"evaluation": name, f"wins/{name}": won, "ci": [won - 0.05, won + 0.05], f"points/{name}": 12.345}


@pytest.fixture
def run(tmp_path) -> Run:
    """Six rounds, measured after two, four and six; against `bis` only once; checkpoints after four and five."""
    pytest.importorskip("tensorboard")
    recipe = tiny(evaluate={"against": ["rule", "bis"], "games": 40})
    run = Run.begin(tmp_path / "run", recipe)
    for number, lines in enumerate([[], [("rule", 0.4), ("bis", 0.7)], [], [("rule", 0.55)], [], [("rule", 0.6)]]):
        run.log(number, {"stage": "imitate"}, number)
        for name, won in lines:
            run.log(number, evaluation(name, won), number)
    tensors = Learner(recipe.network, torch.device("cpu"), 0).tensors()
    for rounds in (4, 5):
        run.save(rounds, tensors, {"decisions": 10 * rounds, "seconds": 1.0})
    run.close()
    return run


def test_an_exported_level_tells_how_its_run_last_went(run):
    """Up to the checkpoint: what came later was another policy."""
    rating = {"ci": [0.5, 0.6], "won": 0.55, "points": 12.35, "games": 40, "rounds": 4}
    level = export(run.folder, "bold", "")
    assert level.trained["rounds"] == 5
    assert level.ratings["rule"] == rating
    assert level.ratings["bis"] == rating | {"ci": [0.65, 0.75], "won": 0.7, "rounds": 2}
    assert export(run.folder / "checkpoints" / "000004.safetensors", "", "").ratings == level.ratings


def test_a_checkpoint_of_another_layout_is_refused(run, monkeypatch):
    """Else its level would claim to have been trained on the present one."""
    for name in ("layout", "insight", "env"):
        monkeypatch.setitem(MARKS, name, "another")
        with pytest.raises(RunError, match=f"000005.safetensors is not a checkpoint of this version: its {name} is"):
            export(run.folder, "", "")
        monkeypatch.undo()
    assert export(run.folder, "", "").trained["rounds"] == 5


def test_a_recipe_that_does_not_fit_its_checkpoint(run):
    config = run.folder / "config.json"
    config.write_text(config.read_text().replace('"width": 32', '"width": 48'))
    with pytest.raises(RunError, match="is of another size than the recipe beside it says"):
        export(run.folder, "", "")


def test_a_run_goes_on_by_the_recipe_it_has(run):
    config, recipe = run.folder / "config.json", run.recipe
    text = config.read_text()
    config.write_text(text.replace(' "nil_doubt": 0.0,\n', ""))  # a key that there was not yet
    assert config.read_text() != text
    Run.resume(run.folder, recipe)
    with pytest.raises(RunError, match=r"its stage\.0\.iterations is 2, asked for is 1"):
        Run.resume(
            run.folder, tiny(evaluate={"against": ["rule", "bis"], "games": 40}, stage=[STAGE | {"iterations": 1}])
        )
    config.write_text(text[:30])
    with pytest.raises(RunError, match=r"config\.json is not a recipe"):
        Run.resume(run.folder, recipe)


def test_ratings_survive_the_file(run, tmp_path):
    level = export(run.folder, "bold", "")
    level.write(tmp_path / "bold.safetensors", half=True)
    read = Level.read(tmp_path / "bold.safetensors")
    assert (read.ratings, read.rules) == (level.ratings, level.rules)


def test_a_line_that_a_kill_cut_short_rates_nothing(run):
    path = run.folder / "metrics.jsonl"
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:6], lines[6][:-9]]))
    assert export(run.folder, "", "").ratings["rule"]["rounds"] == 2
    path.unlink()
    assert export(run.folder, "", "").ratings == {}


@pytest.mark.parametrize("path", sorted(LEVELS.glob("*.safetensors")), ids=lambda path: path.stem)
def test_levels_that_ship_are_read_with_the_ratings_they_have(path):
    assert Level.read(path).ratings
