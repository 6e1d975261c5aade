"""Rollout policy improvement: every action is valued by playing the hand out with the rule bot.

The learner plays; afterwards every legal action of each of its decisions is rolled out on the true deal. One deal says
little, but the deals that fit what a seat knows come up as often as they are likely, so over many hands the policy
learns the mean over all of them, as a player must that sees only its own cards. Cards to play are so noisy on one deal
that they may be tried in several deals that fit what the seat has seen (`determinizations`). All actions of a decision
meet the same cards, so their differences are far less noisy than the outcomes of whole hands; and the rule bot plays a
hand to its end in microseconds.

The result is one step of policy improvement above the rule bot: the best action if everybody plays like it afterwards.
Self-play continues from there.

    minimised: the square of temperature × logit − reward of the rollout, both less the mean of the legal actions

So the logits become expected rewards in units of the temperature: an action better by one unit is e times as likely.
"""

import numpy as np
import torch
from torch import Tensor

from spades_env._jit import njit
from spades_env.agents.base import NOT_TRIED, Batch
from spades_env.agents.compiled import RULE
from spades_env.agents.lanes import distinct_cards, share_with_equals
from spades_env.agents.search.monte_carlo import MonteCarlo
from spades_env.agents.search.playouts import finish_hand
from spades_env.agents.search.trials import TrialSettings
from spades_env.game.cards import BID_ZERO, LOOK, NUM_ACTIONS, NUM_CARDS
from spades_env.game.engine import apply, write_mask
from spades_env.game.state import GOES_ON, ONE, PASS, PLAY, new_tables, plain
from spades_env.training.collect import Chooser, Moment, Rollout, disturbed
from spades_env.training.losses import entropy, log_policy
from spades_env.training.own.loss import Minibatch, loss_of
from spades_env.training.own.reward import OpenHands, own_rewards
from spades_env.training.parallel import in_shares, weigh
from spades_env.training.recipe import Reward, RolloutImprovement
from spades_env.training.rewards import Weights, Worth, reward_of, style_counts_of, worth_to, worths_after
from spades_env.training.stages.passes import Update, run_passes
from spades_env.vector.env import SpadesVectorEnv

LOSS_WEIGHT = 10.0  # against the losses of the values, which are larger
FINISHED_AT_ONCE = 256  # decisions whose hands are played out before a reward of your own is asked
NEVER_TRIED = 0.01  # match equity by which legal actions that the search leaves out count as worse than its worst


class Recorder:
    """A chooser that plays like the learner, with some random actions, and records the tables."""

    def __init__(self, player: Chooser, plan: RolloutImprovement, rng: np.random.Generator):
        self.player, self.plan, self.rng = player, plan, rng
        self.search = _search(plan, int(rng.integers(1 << 62))) if plan.determinizations > 1 else None
        self.kept: list[tuple[np.recarray, np.ndarray, np.ndarray]] = []
        self.views: list[Batch] = []

    def __call__(self, moment: Moment) -> np.ndarray:
        self.kept.append((*moment.tables, moment.mask))
        if self.search:
            self.views.append(moment.batch)
        noise = np.where(moment.mask[:, LOOK], max(self.plan.blind, self.plan.noise), self.plan.noise)
        return disturbed(self.player(moment), moment.mask, noise, self.rng)

    def values(self, rules: np.recarray, reward: Reward) -> np.ndarray:
        """Return the value of each legal action of each decision, up to a constant: float32[M, 70]."""
        tables, rules_of, mask = (np.concatenate(parts) for parts in zip(*self.kept, strict=True))
        batch, weights = Batch(tables.view(np.recarray), rules, rules_of), Weights.of(reward)
        out = np.zeros((len(tables), NUM_ACTIONS), np.float32)
        if not self.search:
            try_on_true_deals(np.arange(len(tables)), batch, weights, out)
            return out
        playing = tables["phase"] == PLAY
        try_on_true_deals(np.flatnonzero(~playing), batch, weights, out)
        if weights.bags or weights.hunt:  # cards change these counts, and the search values match equity only
            style = weights._replace(points=0.0, equity=0.0)
            try_on_true_deals(np.flatnonzero(playing), batch, style, out)
        views = np.concatenate([batch.tables for batch in self.views])[playing].view(np.recarray)
        weighed = weigh(self.search, Batch(views, rules, rules_of[playing]))
        out[playing] += reward.equity * legal_equities(weighed, mask[playing])
        return out

    def own_values(self, reward: Reward, env: SpadesVectorEnv, rollout: Rollout) -> np.ndarray:
        """Return the same by a reward of your own, on the true deal: float32[M, 70]."""
        tables, rules_of, _ = (np.concatenate(parts) for parts in zip(*self.kept, strict=True))
        batch = Batch(tables.view(np.recarray), env.compiled_rules[0], rules_of)
        out = np.zeros((len(tables), NUM_ACTIONS), np.float32)
        for start in range(0, len(tables), FINISHED_AT_ONCE):
            some = np.arange(start, min(start + FINISHED_AT_ONCE, len(tables)))
            finished, decisions, actions = finish_each(some, batch)
            hands = _imagined(reward, env, rollout, finished, rollout.seat[decisions] // 4, rules_of[decisions])
            paid = own_rewards(reward, hands)
            out[decisions, actions] = paid[np.arange(len(paid)), rollout.seat[decisions] % 4]
            share_all(some, *batch.for_kernels, out)
        return out


def finish_each(which: np.ndarray, batch: Batch) -> tuple[np.recarray, np.ndarray, np.ndarray]:
    """Play each hand out after each distinct action at these tables: the finished tables, their tables and actions."""
    out = new_tables(len(which) * NUM_ACTIONS)
    decisions, actions = np.empty(len(out), np.int64), np.empty(len(out), np.int64)
    count = finish_all(which, *batch.for_kernels, plain(out), decisions, actions)
    return out[:count].view(np.recarray), decisions[:count], actions[:count]


def _imagined(
    reward: Reward, env: SpadesVectorEnv, rollout: Rollout, finished: np.recarray, of: np.ndarray, rules_of: np.ndarray
) -> OpenHands:
    """Return hands that were played out, as those of `of`, the tables' numbers, would be."""
    rules = env.compiled_rules[0]
    after = worths_after(finished, rules, rules_of)
    counts = style_counts_of(finished, rules, rules_of)
    before = Worth(*(worth[of] for worth in rollout.before))
    usual = reward_of(before, after, counts, Weights.of(reward))
    return OpenHands(finished, env.distinct_rules, rules_of, before, after, usual)


def try_on_true_deals(which: np.ndarray, batch: Batch, weights: Weights, out: np.ndarray) -> None:
    """Write the value of each legal action on the true deal, at the tables of these numbers, on all threads."""

    def try_share(low: int, high: int) -> None:
        try_all(which[low:high], batch.tables, batch.rules, batch.rules_of, weights, new_tables(1), out)

    in_shares(try_share, len(which))


def legal_equities(weighed: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Return a search's values, and a little less than its worst for legal actions not tried: float32[M, 70]."""
    tried = weighed != NOT_TRIED
    worst = np.where(tried, weighed, np.inf).min(axis=1, keepdims=True)
    return np.where(tried, weighed, np.where(mask, worst - NEVER_TRIED, 0)).astype(np.float32)


def _search(plan: RolloutImprovement, seed: int) -> MonteCarlo:
    """Return a search that tries cards in uniform or likely worlds, with rollouts of the rule bot."""
    settings = TrialSettings(plan.determinizations, 1, RULE, plan.candidates > 1, True)
    return MonteCarlo("foresight", settings, None, seed, plan.candidates, plan.swaps)


def improve(update: Update, values: np.ndarray, plan: RolloutImprovement) -> dict[str, float]:
    """Learn from a round. values: as of `Recorder`."""
    gains = update.learner.to_device(above_mean(values, update.rollout.mask))
    own = loss_of(plan)

    def policy_loss(logits: Tensor, mask: Tensor, part: Tensor) -> tuple[Tensor, dict[str, Tensor]]:
        gain = gains[part]
        if own:
            loss, numbers = own(Minibatch(logits, log_policy(logits, mask), mask, plan, gain=gain))
        else:
            loss, numbers = squared_error(logits, mask, gain, plan)
        with torch.no_grad():
            log_probs = log_policy(logits, mask)
            mean_gain = (log_probs.exp() * gain).sum(-1).mean()
        return loss, numbers | {"gain": mean_gain, "entropy": entropy(log_probs).mean()}

    return run_passes(update, np.arange(len(update.rollout)), plan, policy_loss)


def squared_error(
    logits: Tensor, mask: Tensor, gain: Tensor, plan: RolloutImprovement
) -> tuple[Tensor, dict[str, Tensor]]:
    """Return the loss of the expected rewards against the gains, float32[B, 70]."""
    legal = mask.sum(-1)
    mean = (logits * mask).sum(-1, keepdim=True) / legal[:, None]
    expected = plan.temperature * (logits - mean)
    weight = torch.where(mask[:, BID_ZERO:].any(-1), plan.bid_weight, 1.0)
    loss = (weight * ((expected - gain).square() * mask).sum(-1) / legal).mean()
    return LOSS_WEIGHT * loss, {"loss_rollout": loss.detach()}


def above_mean(values: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Return the values of legal actions less their mean, float32[M, 70]."""
    mean = (values * mask).sum(1, keepdims=True) / mask.sum(1, keepdims=True)
    return np.where(mask, values - mean, 0).astype(np.float32)


@njit
def try_all(which, tables, rules, rules_of, weights, scratch, out):
    """Try every legal action at the tables of these numbers, one of each set of equal cards. scratch: STATE[1]."""
    mask = np.zeros(NUM_ACTIONS, np.int8)
    for i in which:
        before = tables[i]
        r = rules[rules_of[i]]
        seat = np.int64(before.turn)
        write_distinct(before, r, mask)
        for action in range(NUM_ACTIONS):
            if not mask[action]:
                continue
            scratch[0] = tables[i]
            s = scratch[0]
            if apply(s, r, action) == GOES_ON:
                finish_hand(s, r, RULE, np.uint64(0))
            out[i, action] = worth_to(s, r, seat, weights)
        if before.phase >= PASS:
            share_with_equals(before, r, out[i])


@njit
def write_distinct(s, r, mask):
    """Write the legal actions, one of each set of equal cards: int8[70]."""
    write_mask(s, r, mask)
    if s.phase >= PASS:
        distinct = distinct_cards(s, r)
        for card in range(NUM_CARDS):
            mask[card] &= np.int8((distinct >> np.uint64(r.place[card])) & ONE)


@njit
def finish_all(which, tables, rules, rules_of, out, decisions, actions):
    """Write to out the finished hands after each distinct legal action at these tables, and whose they are."""
    mask = np.zeros(NUM_ACTIONS, np.int8)
    count = 0
    for i in which:
        r = rules[rules_of[i]]
        write_distinct(tables[i], r, mask)
        for action in range(NUM_ACTIONS):
            if not mask[action]:
                continue
            out[count] = tables[i]
            if apply(out[count], r, action) == GOES_ON:
                finish_hand(out[count], r, RULE, np.uint64(0))
            decisions[count], actions[count] = i, action
            count += 1
    return count


@njit
def share_all(which, tables, rules, rules_of, out):
    """Copy the values of distinct cards to those that are equal to them."""
    for i in which:
        if tables[i].phase >= PASS:
            share_with_equals(tables[i], rules[rules_of[i]], out[i])
