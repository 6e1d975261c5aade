"""`spades mcp`: a table for an assistant, by the Model Context Protocol over standard input and output.

spades mcp

The tools: new_game, view, act, hint, review. The assistant has a seat, bots have the others. Tools tell what the seat
may know, and nothing else. An action that can't be played is refused with the reason, and counted.

It needs the extra `mcp`: `pip install "spades-env[mcp]"`.
"""

import argparse
from collections.abc import Callable
from functools import wraps
from typing import Any

from spades_env import agents, words
from spades_env.agents.measures import CHANCE, measure
from spades_env.agents.registry import check_bundled
from spades_env.checks import random_seed
from spades_env.errors import SpadesError
from spades_env.extras import needed
from spades_env.game.cards import action_name
from spades_env.game.facts import HandResult, side_name
from spades_env.game.rules import Rules
from spades_env.game.view import View
from spades_env.integrations.live_table import LiveMove, LiveTable
from spades_env.play.coach.regret import RegretJudge
from spades_env.words.prompt import TABLE

NEEDED = '`spades mcp` needs {missing}: pip install "spades-env[mcp]"'
SOUTH = 0
ADVISER = "zofia"
REVIEW_WORLDS = 64
SHOWN = 3  # actions of a hint


class AssistantTable:
    """The tools of one assistant: a table, and what it has been refused."""

    def __init__(self):
        self._table: LiveTable | None = None
        self._refused = {words.ILLEGAL: 0, words.UNREADABLE: 0}
        self._told = 0  # hands whose result was told

    def new_game(
        self, rules: str = "classic", opponents: str = "rule", episode: str = "game", seed: int | None = None
    ) -> str:
        """Start a game of Spades: you are South, your partner is North, bots play the other seats.

        rules: a preset such as classic, pagat, showdown or solo, with changes such as "classic target=300".
        opponents: the bots' agent, such as random, rb, bis, club or rule. episode: hand or game.
        seed: a number that decides the cards, for a game that can be repeated.
        """
        check_bundled(opponents)
        seed = random_seed() if seed is None else seed
        self._table = LiveTable(Rules.parse(rules), (SOUTH,), opponents, seed, episode)
        self._told, self._refused = 0, dict.fromkeys(self._refused, 0)
        return f"{words.rules_text(self._table.game.rules)}\n\n{self.view()}"

    def view(self) -> str:
        """Show what you know of the table, and your legal actions."""
        table = self._playing()
        results = table.game.results
        news = [_result_words(table, hand) for hand in results[self._told :]]
        self._told = len(results)
        if table.over:
            return "\n".join([*news, f"The {table.episode} is over. {_outcome_words(table)}"])
        return "\n".join([*news, words.question(table.view)])

    def act(self, action: str) -> str:
        """Bid, pass or play: a legal action such as bid:4, bid:0, blind, look or AS. Bots then move up to your turn."""
        table = self._playing()
        found = words.read(action, table.view)
        if found.outcome != words.LEGAL:
            self._refused[found.outcome] += 1
            return f"Refused: {found.why}"
        table.answer(action)
        return self.view()

    def hint(self) -> str:
        """Ask a strong bot what it would do in your place."""
        view, adviser = self._playing().view, agents.load(ADVISER)
        weighed = adviser.hint(view)
        what = "to win" if measure(adviser, view, weighed) == CHANCE else "likely"
        shown = ", ".join(f"{action_name(action)} ({weight:.1%} {what})" for action, weight in weighed[:SHOWN])
        return f"{ADVISER} would choose, best first: {shown}"

    def review(self) -> str:
        """Review your decisions so far: what each has lost of the chance to win the game, and what was better."""
        table, judge = self._playing(), RegretJudge(REVIEW_WORLDS)
        lines = [_review_line(judge, *pair) for pair in zip(table.asked, table.moves, strict=True)]
        refused = ", ".join(f"{count} {outcome}" for outcome, count in self._refused.items())
        return "\n".join([*lines, f"{len(lines)} decisions; refused answers: {refused}"])

    def _playing(self) -> LiveTable:
        if self._table is None:
            raise SpadesError("there is no game yet: call new_game")
        return self._table


def server() -> Any:
    """Return an MCP server with the tools of one table."""
    made = needed("mcp.server", NEEDED).MCPServer("spades", instructions=f"{TABLE} Start with new_game.")
    table = AssistantTable()
    for tool in (table.new_game, table.view, table.act, table.hint, table.review):
        made.tool()(_told(tool))
    return made


def _told(tool: Callable[..., str]) -> Callable[..., str]:
    """Return the tool with errors of the assistant's own as messages to it."""
    mistake = needed("mcp.server.mcpserver.exceptions", NEEDED).ToolError

    @wraps(tool)
    def told(*args, **kwargs) -> str:
        try:
            return tool(*args, **kwargs)
        except SpadesError as error:
            raise mistake(str(error)) from None

    return told


def add_mcp_arguments(parser: argparse.ArgumentParser) -> None:
    """Add nothing: the assistant chooses rules and opponents."""


def run_mcp(options: argparse.Namespace) -> int:
    """Serve one assistant until its input ends."""
    server().run()
    return 0


def _result_words(table: LiveTable, hand: HandResult) -> str:
    rules = table.game.rules
    sides = (f"{side_name(rules, side)} {hand.points[side]:+d} to {hand.scores[side]}" for side in range(rules.sides))
    return f"Hand {hand.hand_number + 1}: {', '.join(sides)}."


def _outcome_words(table: LiveTable) -> str:
    winner = table.game.winner
    if table.episode == "hand":
        points = table.points(SOUTH)
        return f"Your side is {abs(points)} points {'behind' if points < 0 else 'ahead'}."
    return "It is a draw." if winner is None else f"{side_name(table.game.rules, winner)} won."


def _review_line(judge: RegretJudge, view: View, move: LiveMove) -> str:
    found = judge.verdict(view, move.action)
    where = f"hand {view.hand_number + 1}, " + (
        f"trick {len(view.tricks_played) + 1}" if view.phase == "play" else view.phase
    )
    name = action_name(move.action)
    if found is None or not found.whole.lost:
        return f"{where}: {name}, nothing lost"
    better, lost = action_name(found.better), 100 * found.whole.lost
    return f"{where}: {name} lost {lost:.1f} points of the chance to win ({found.grade}); better {better}"
