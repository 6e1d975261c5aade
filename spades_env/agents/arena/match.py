"""Play duplicate matches between two agents on all cores.

    from spades_env.agents import arena
    result = arena.play("bis", "rb", rules="classic", games=1000, seed=0)
    result.win_rate, result.win_rate_ci, result.as_dict()

Every deal is played twice with the seats swapped. Threads share the games, and each plays many in lockstep, so that an
agent is asked about many positions at once. Results do not depend on the threads: deals follow from the seed and their
number, and an agent's answer follows from its own seed and its view. So nodes of a cluster can play them, too:

    with Cluster("ray://head:10001") as cluster:
        arena.play("bis", "rb", games=100_000, jobs=cluster)
"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np

from spades_env._jit import wrap_around
from spades_env.agents.arena import lockstep
from spades_env.agents.arena.lockstep import FREE, GAME
from spades_env.agents.arena.match_result import Result
from spades_env.agents.arena.pieces import DealGames, joined, play_in_pieces
from spades_env.agents.base import Agent, AgentError, Batch
from spades_env.agents.cluster.ray_cluster import Cluster
from spades_env.agents.cluster.shipment import Load
from spades_env.agents.elo import Sprt, looks
from spades_env.agents.imported import Acts, given_agent
from spades_env.agents.registry import load
from spades_env.checks import LARGEST_SEED, usable_cores, whole
from spades_env.errors import SpadesError
from spades_env.game.game import Game
from spades_env.game.rules import Rules, RulesSource
from spades_env.game.state import compile_rules, new_tables

USUAL_GAMES, MOST_GAMES = 1000, 10_000_000
MOST_HANDS = 60  # a game still open then is decided by its scores
MOST_TABLES = 4096  # of one thread; more do not make cheap agents faster
QUICK_S = 0.005  # a thread takes more tables while a move at all of them takes less
LOOK_S = 0.1  # between two reports of progress

Progress = Callable[[int, int], Any]  # games finished, games in all
Player = str | Agent | Callable[..., Any] | Acts  # a name, an agent, or what agents/imported.py takes by an import path
Jobs = int | Cluster | None  # threads, or a cluster; None: a thread for each core
Watch = Callable[[int, Batch, np.ndarray, np.ndarray], Any]  # the agent (0: A, 1: B), its views, its actions, games


def play(
    a: Player,
    b: Player,
    rules: RulesSource = "classic",
    games: int | None = None,
    hands: int | None = None,
    seed: int = 0,
    jobs: Jobs = None,
    progress: Progress | None = None,
    watch: Watch | None = None,
    sprt: Sprt | None = None,
    look: Callable[[Result], Any] | None = None,
) -> Result:
    """Play a duplicate match: each deal twice, with the seats swapped.

    Args:
        a: An agent's name, an Agent, or a function view -> action. Those given by name get seeds that follow from
            `seed`.
        b: The other.
        rules: What `Rules.of` takes.
        games: An even number, by default 1,000; with `sprt` the most to play, by default 10,000,000.
        hands: Play so many single hands instead.
        seed: Of the deals.
        jobs: Threads, by default one for each core, or a cluster.
        progress: Called with games finished and games in all.
        watch: Called with every decision, from any thread; it must copy what it keeps of a batch.
        sprt: A sequential test: the match ends when a look at its games accepts a hypothesis.
        look: Called with the result so far at each look of the test.

    Returns:
        The result, which doesn't depend on `jobs`.

    Raises:
        AgentError: An agent can't be loaded, or gave a wrong answer.
        SpadesError: Another argument is wrong, or both `games` and `hands` are given.

    Examples:
        >>> from spades_env.agents import arena
        >>> result = arena.play("rule", "random", rules="match", games=20, seed=0)
        >>> result.games, result.win_rate
        (20, 1.0)
    """
    rules, seed = Rules.of(rules), whole("seed", seed, 0, LARGEST_SEED)
    if sprt and hands is not None:
        raise SpadesError(f"a sequential test is of whole games: leave out hands={hands}")
    mode, count = length(MOST_GAMES if sprt and games is None else games, hands)
    most_hands = 1 if mode == "hands" else MOST_HANDS
    if watch and isinstance(jobs, Cluster):
        raise SpadesError("decisions can be watched on this machine only, not on a cluster")
    played: list[DealGames] = []
    with seated(a, b, seed) as agents:
        so_far = partial(Result, agents[0].name, agents[1].name, rules, mode, seed, sprt=sprt)
        for deals in looks(count // 2) if sprt else [range(count // 2)]:
            report = part_of(progress, 2 * deals.start, count)
            if isinstance(jobs, Cluster):
                more = play_in_pieces(jobs, play_piece, agents, deals, (rules, most_hands, seed), report)
            else:
                more = play_deals(agents, rules, deals, most_hands, seed, jobs, report, watch)
            played.append(more)
            if sprt:
                seen = so_far(*joined(played))
                if look:
                    look(seen)
                if sprt.accepted(seen.pairs):
                    break
        return so_far(*joined(played))


def play_deals(
    agents: tuple[Agent, Agent],
    rules: Rules,
    deals: range,
    most_hands: int,
    seed: int,
    jobs: int | None = None,
    progress: Progress | None = None,
    watch: Watch | None = None,
) -> DealGames:
    """Play both games of each of these deals of a match, in threads."""
    jobs = usable_cores() if jobs is None else whole("jobs", jobs, 1, 1024)
    match = Match(agents, rules, deals, most_hands, seed, watch)
    warm_up(agents, rules)
    before = [_counts(agent) for agent in agents]
    match.play(min(jobs, len(deals)), progress)
    since = [_since(agent, then) for agent, then in zip(agents, before, strict=True)]
    return DealGames(match.rows, *match.spent(), (since[0], since[1]))


def play_piece(
    load: Load, players: tuple[tuple[str, int], ...], deals: range, rules: Rules, most_hands: int, seed: int
) -> DealGames:
    """Play some deals of a match between the agents of these strings and seeds, on a node of a cluster."""
    agents = load(*players[0]), load(*players[1])
    try:
        return play_deals(agents, rules, deals, most_hands, seed, jobs=1)
    finally:
        for agent in agents:
            agent.close()


def _since(agent: Agent, before: dict[str, int]) -> dict[str, int]:
    """Return what an agent has counted since it had those counts before."""
    return {kind: count - before[kind] for kind, count in _counts(agent).items()}


def _counts(agent: Agent) -> dict[str, int]:
    return agent.failures | agent.tokens


@contextmanager
def seated(a: Player, b: Player, seed: int) -> Iterator[tuple[Agent, Agent]]:
    """Lend both agents; those given by name are closed afterwards."""
    both = players(a, b, seed)
    try:
        yield both
    finally:
        for given, agent in zip((a, b), both, strict=True):
            if isinstance(given, str):
                agent.close()


def players(a: Player, b: Player, seed: int) -> tuple[Agent, Agent]:
    """Return both agents; those that are made here get seeds of their own."""
    key = np.uint64(whole("seed", seed, 0, LARGEST_SEED))
    seeds = (int(lockstep.derived_seed(~key, who)) for who in range(2))  # ~: none of them is the seed of a deal
    first, second = (
        load(given, own) if isinstance(given, str) else given_agent(given, own)
        for given, own in zip((a, b), seeds, strict=True)
    )
    return first, second


def part_of(progress: Progress | None, before: int, total: int) -> Progress | None:
    """Return the progress callback of one match among several, after `before` games of `total`."""
    return progress and (lambda done, _: progress(before + done, total))


def length(games: int | None, hands: int | None) -> tuple[str, int]:
    """Return whether a match is of games or of hands, and of how many."""
    if games is not None and hands is not None:
        raise SpadesError(f"a match has games or hands, not both: leave out games={games} or hands={hands}")
    if hands is not None:
        return "hands", even("hands", hands)
    return "games", even("games", USUAL_GAMES if games is None else games)


def even(name: str, count: int) -> int:
    count = whole(name, count, 2, MOST_GAMES)
    if count % 2:
        raise SpadesError(
            f"{name} must be an even number, as each deal is played twice with seats swapped, not {count}"
        )
    return count


def warm_up(agents: tuple[Agent, Agent], rules: Rules) -> None:
    """Ask for a first bid and a first card, so that compiling does not count as thinking time."""
    in_first = rules.first_hand == "bid"  # are there bids in the first hand?
    game = Game(rules, seed=0, hand_number=int(not in_first and rules.max_hands != 1))
    for phase in ("bid", "play") if in_first or game.hand_number else ("play",):
        while game.phase != phase:
            game.apply(game.legal_actions()[-1])
        for agent in agents:
            ask(agent, Batch.of([game if agent.cheats else game.view(game.turn)]))


def ask(agent: Agent, batch: Batch) -> np.ndarray:
    """Return an agent's answers, int64[N]."""
    try:
        return np.asarray(agent.act_batch(batch), np.int64).reshape(len(batch))
    except AgentError:
        raise
    except Exception as error:
        raise RuntimeError(f"{agent.name} failed to answer") from error


def in_threads(
    tasks: Sequence[Callable[[], Any]],
    stop: threading.Event,
    report: Callable[[], Any] | None,
    agents: Sequence[Agent],
) -> None:
    """Run each task in a thread, with reports in between; an error or Ctrl-C sets `stop`, which ends the others.

    The agents that are asked there are closed then: else threads would wait for slow programs.
    """
    with ThreadPoolExecutor(len(tasks), initializer=wrap_around) as pool:
        try:
            working = {pool.submit(task) for task in tasks}
            while working:
                done, working = wait(working, LOOK_S, "FIRST_COMPLETED")
                for future in done:
                    future.result()
                if report:
                    report()
        except BaseException:
            stop.set()
            for agent in agents:
                agent.close()
            raise


class Match:
    """The games that the threads share, and the result of each."""

    def __init__(
        self, agents: tuple[Agent, Agent], rules: Rules, deals: range, most_hands: int, seed: int, watch: Watch | None
    ):
        self.agents, self.games, self.most_hands, self.watch = agents, 2 * len(deals), most_hands, watch
        self.deals_before = deals.start
        self.rules, self.named = compile_rules(rules), (rules,)
        self.seed = np.uint64(seed)
        self.rows = np.zeros(self.games, GAME).view(np.recarray)
        self.stopped = threading.Event()
        self._begun = 0
        self._lock = threading.Lock()
        self._workers: list[Worker] = []

    def play(self, jobs: int, progress: Progress | None) -> None:
        """Play all games. An error of an agent or Ctrl-C stops all threads."""
        workers = self._workers = [Worker(self, min(MOST_TABLES, -(-self.games // jobs))) for _ in range(jobs)]
        report = progress and (lambda: progress(sum(worker.finished for worker in workers), self.games))
        in_threads([worker.play for worker in workers], self.stopped, report, self.agents)

    def draw(self, count: int) -> range:
        """Return the next games to play, at most this many."""
        with self._lock:
            first, self._begun = self._begun, min(self._begun + count, self.games)
            return range(first, self._begun)

    def spent(self) -> tuple[tuple[int, int], tuple[float, float]]:
        moves = np.sum([worker.moves for worker in self._workers], axis=0).tolist()
        seconds = np.sum([worker.seconds for worker in self._workers], axis=0).tolist()
        return (moves[0], moves[1]), (seconds[0], seconds[1])


class Worker:
    """One thread's tables, with a game at each.

    It begins with two tables and takes more while its agents are quick: so slow agents show progress early and finish
    together on all cores, and cheap ones are asked about many positions at once.
    """

    def __init__(self, match: Match, most_tables: int):
        self.match = match
        self.num_tables, self.most_tables = 2, most_tables
        self.finished = 0
        self.moves, self.seconds = [0, 0], [0.0, 0.0]
        self._open = 0
        self._tables, self._views = new_tables(most_tables), new_tables(most_tables)
        self._games = np.full(most_tables, FREE, np.int64)
        self._asked = np.zeros(most_tables, np.int64)
        self._rules_of = np.zeros(most_tables, np.int32)

    def play(self) -> None:
        while not self.match.stopped.is_set():
            self._begin_games()
            if not self._open:
                return
            start = time.perf_counter()
            for who in range(2):
                self._move(who)
            if time.perf_counter() - start < QUICK_S:
                self.num_tables = min(2 * self.num_tables, self.most_tables)

    def _begin_games(self) -> None:
        games = self.match.draw(self.num_tables - self._open)
        first, end = games.start, games.stop
        seed, before = self.match.seed, self.match.deals_before
        lockstep.begin_games(self._tables, self.match.rules[0], self._games, first, end, seed, before)
        self._open += len(games)

    def _move(self, who: int) -> None:
        """Make one move at every table where A (0) or B (1) is to move."""
        agent = self.match.agents[who]
        tables, games, asked, rules = self._tables, self._games, self._asked, self.match.rules
        count = lockstep.gather(tables, games, self.num_tables, who, agent.cheats, self._views, asked)
        if not count:
            return
        start = time.perf_counter()
        batch = Batch(self._views[:count].view(np.recarray), rules, self._rules_of[:count], self.match.named)
        actions = ask(agent, batch)
        self.seconds[who] += time.perf_counter() - start
        self.moves[who] += count
        if self.match.watch:
            self.match.watch(who, batch, actions, 2 * self.match.deals_before + games[asked[:count]])
        ended = lockstep.advance(tables, rules[0], games, who, asked, actions, self.match.most_hands, self.match.rows)
        self._open -= ended
        self.finished += ended
