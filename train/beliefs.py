"""Train the belief network: who holds each unseen card? Searches use it with `+believe`.

    pip install ".[train]"
    python train/beliefs.py --minutes 30 --out runs/beliefs     # of one core

Agents of several kinds play hands under many rules. Each time a seat is to play a card, the network predicts from that
seat's observation which of the other three holds each unseen card. The loss is the cross-entropy with the true deal.
A search deals its worlds by these predictions.
"""

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from spades_env import SpadesVectorEnv, agents
from spades_env._jit import njit
from spades_env.agents.base import Agent, Batch
from spades_env.agents.network.beliefs import OTHERS, write_beliefs
from spades_env.agents.network.player import sights
from spades_env.agents.network.rows import LANES, PLACES_A_LANE, POLICY, POLICY_ROW, write_rows
from spades_env.errors import SpadesError
from spades_env.game.state import ONE, PLAY
from spades_env.training.nets import GAIN, Policy, head_layer, level_tensors
from spades_env.training.recipe.start_situations import Situations
from spades_env.vector.env import STAY

TABLES = (  # who sits at them, from South on, and how many there are
    *((("standard",) * 4, 192), (("rule",) * 4, 64), (("bis",) * 4, 32), (("standard", "rule") * 2, 96)),
    *((("standard", "bis") * 2, 64), (("standard", "rule", "rb", "bis"), 64)),
)
ALSO = {"house": 0.1, "suicide": 0.1, "solo": 0.1, "showdown": 0.05}  # the shares of other rules
NOBODY = -1  # none of the others holds the card, or the deck has no such card
PLACES = LANES * PLACES_A_LANE


@dataclass(frozen=True)
class Settings:
    minutes: float = 30.0
    seed: int = 0
    width: int = 128  # of the network's table, …
    suit_width: int = 64  # … and of a suit
    rate: float = 1e-3  # Adam's; it falls to a fiftieth
    minibatch: int = 1024
    hands: int = 4  # at each table, before the rules and standings are drawn again
    share: float = 0.25  # of the positions that are learned from
    main_share: float = 0.4  # of the tables with the main rules
    repeats: int = 2  # how often each position is learned from

    def __post_init__(self):
        if not self.minutes > 0:
            raise SpadesError(f"minutes must be more than 0, not {self.minutes}")


class Beliefs(Policy):
    """[B, POLICY_ROW] → logits [B, 64 places, 3 others]; the layers of a policy, with another head."""

    def __init__(self, width: int, suit_width: int):
        super().__init__(width, suit_width)
        self.places = head_layer(suit_width, OTHERS * PLACES_A_LANE)

    def forward(self, x: Tensor) -> Tensor:
        return GAIN * self.places(self.read_cards(*self.read(x))).view(-1, PLACES, OTHERS).float()


@njit
def write_holders(tables, which, rules, rules_of, out, may):
    """Write who holds each place, int8[n, 64], and who may: bool[n, 64, 3]."""
    for k in range(len(which)):
        s, cards = tables[which[k]], rules[rules_of[which[k]]].cards
        for place in range(64):
            bit = ONE << np.uint64(place)
            out[k, place] = NOBODY
            for i in range(OTHERS):
                seat = (np.int64(s.turn) + 1 + i) & 3
                may[k, place, i] = not np.int64(s.voids[seat]) >> (place // 16) & 1
                if cards & bit and s.hands[seat] & bit:
                    out[k, place] = i


@dataclass(frozen=True)
class Positions:
    rows: np.ndarray  # int8[n, POLICY_ROW]
    holders: np.ndarray  # int8[n, 64]
    may: np.ndarray  # bool[n, 64, 3]


def positions(players: Sequence[tuple[Sequence[str], int]], settings: Settings) -> Iterator[Positions]:
    """Play hands without end; yield a sample of positions every few hands."""
    rng = np.random.default_rng(settings.seed)
    names = sorted({name for four, _ in players for name in four})
    who = np.array([[names.index(name) for name in four] for four, count in players for _ in range(count)])
    bots = [agents.load(name, seed=settings.seed) for name in names]
    while True:
        rules, (scores, bags, hand_numbers) = Situations(main_share=settings.main_share, also=ALSO)(rng, len(who))
        env = SpadesVectorEnv(len(who), rules, "hand", seed=int(rng.integers(2**31)), autoreset=False)
        found: list[Positions] = []
        for _ in range(settings.hands):
            env.reset(scores=scores, bags=bags, hand_numbers=hand_numbers)
            while not env.terminated.all():
                found += _seen(env, np.flatnonzero(~env.terminated & (rng.random(len(who)) < settings.share)))
                env.step(_actions(env, bots, who))
        yield Positions(*(np.concatenate([getattr(one, key) for one in found]) for key in Positions.__annotations__))


def _actions(env: SpadesVectorEnv, bots: Sequence[Agent], who: np.ndarray) -> np.ndarray:
    out = np.full(env.num_envs, STAY)
    to_move = who[np.arange(env.num_envs), env.turn]
    for number, bot in enumerate(bots):
        at = np.flatnonzero((to_move == number) & ~env.terminated)
        if len(at):
            out[at] = bot.act_at_tables(env, at)
    return out


def _seen(env: SpadesVectorEnv, which: np.ndarray) -> list[Positions]:
    """Return the positions at these tables where a card is to be played."""
    tables, batch = env.tables, Batch.at(env)
    which = which[tables.phase[which] == PLAY]
    if not len(which):
        return []
    rows = np.empty((len(which), POLICY_ROW), np.int8)
    write_rows(sights(batch.take(which)), np.arange(len(which)), POLICY, rows)
    holders, may = np.empty((len(which), PLACES), np.int8), np.empty((len(which), PLACES, OTHERS), bool)
    write_holders(tables, which, batch.rules, batch.rules_of, holders, may)
    return [Positions(rows, holders, may)]


def loss_of(net: Beliefs, seen: Positions, which: np.ndarray) -> Tensor:
    """Return the mean cross-entropy of the cards that two others or more may hold."""
    may = torch.from_numpy(seen.may[which])
    logits = net(torch.from_numpy(seen.rows[which]).float()).masked_fill(~may, -1e9)
    holders = torch.from_numpy(seen.holders[which]).long()
    open_cards = (holders != NOBODY) & (may.sum(-1) > 1)
    return cross_entropy(logits[open_cards], holders[open_cards])


def train(settings: Settings, out: Path) -> Path:
    torch.manual_seed(settings.seed)
    torch.set_num_threads(1)
    net, rng = Beliefs(settings.width, settings.suit_width), np.random.default_rng(settings.seed)
    optimizer = torch.optim.Adam(net.parameters(), settings.rate)
    began, learned, losses = time.process_time(), 0, []
    for number, seen in enumerate(positions(TABLES, settings)):
        passed = (time.process_time() - began) / (60 * settings.minutes)
        for group in optimizer.param_groups:
            group["lr"] = settings.rate * max(0.02, 1 - passed)
        for _ in range(settings.repeats):
            for which in np.array_split(rng.permutation(len(seen.rows)), max(1, len(seen.rows) // settings.minibatch)):
                loss = loss_of(net, seen, which)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                losses.append(loss.item())
        learned += len(seen.rows)
        if number % 10 == 0 or passed >= 1:
            share, nats = min(1.0, passed), np.mean(losses[-300:])
            print(f"{share:4.0%}, {learned / 1e6:.1f} M positions, {nats:.4f} nats a card", flush=True)
        if passed >= 1:
            break
    path = out / "beliefs.safetensors"
    write_beliefs(path, level_tensors(net), {"positions": learned, "minutes": settings.minutes})
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=Settings.minutes, help="of processor time")
    parser.add_argument("--seed", type=int, default=Settings.seed)
    parser.add_argument("--out", type=Path, default=Path("runs/beliefs"))
    given = parser.parse_args()
    try:
        print(train(Settings(minutes=given.minutes, seed=given.seed), given.out))
    except SpadesError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
