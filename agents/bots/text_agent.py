"""An agent that reads the table as text and answers with text, as a language model does.

Shows the loop around a model: the prompt (rules, earlier hands, what the seat knows, what it may do), the answer
read (`spades_env.words`), a refusal sent back with the reason, a random legal action when retries run out (the arena
counts these as failures). `stand_in` takes the place of the model: replace it by a function `prompt -> answer` that
asks yours. It bids far too high until it has read in its prompt how earlier hands went, so points rise as hands are
added to the prompt.

    pip install .
    python agents/bots/text_agent.py --hands 100
    cd agents/bots && spades arena text_agent:TextAgent random --hands 100
"""

import argparse
import random
import re
from collections import Counter
from collections.abc import Callable

from spades_env import Game, words
from spades_env.game.cards import SEATS, parse_action
from spades_env.game.view import View

TASK = """You play Spades as {seat}; your partner sits opposite. Bid how many tricks you will take, then take them: a
side that misses its bid loses ten points for each trick bid. The letter before a trick is its leader's; its winner
leads the next. Answer with ACTION: and one of the words behind `may`."""
RETRIES = 3


def stand_in(prompt: str) -> str:
    """Stand in for a model: overbid, correct itself by the refusal, and sometimes forget the rules."""
    words = re.findall(r"^may: (.*)", prompt, re.MULTILINE)[-1].split()
    if not words[0].startswith("bid:"):
        forgets = len(prompt) % 7 == 0 and "You answered" not in prompt
        return f"I think about it. ACTION: {'AS' if forgets else words[-1]}"
    past = [(int(bid), int(took)) for bid, took in re.findall(r"you bid (\d+) and took (\d+)", prompt)]
    bid = 7 if not past else round(sum(took for _, took in past) / len(past) - 0.5)
    return f"ACTION: bid:{max(1, bid)}"


class TextAgent:
    """A seat whose decisions are answers to prompts; `act(view)` makes it an agent."""

    def __init__(self, model: Callable[[str], str] = stand_in, seed: int = 0):
        self.model = model
        self.rng = random.Random(seed)
        self.lessons: list[str] = []
        self.failures: Counter[str] = Counter()  # decisions made at random by reason, for the arena
        self.refused = 0

    def act(self, view: View) -> int:
        """Ask for an action; if it is refused, ask again with the reason."""
        prompt, outcome = self.prompt(view), ""
        for _ in range(RETRIES):
            answer = self.model(prompt)
            found = words.read(answer, view)
            if found.action is not None:
                return found.action
            self.refused, outcome = self.refused + 1, found.outcome
            prompt += f"\nYou answered {answer!r}: {found.why}\n"
        self.failures[outcome] += 1
        return self.rng.choice(view.legal_actions())

    def prompt(self, view: View) -> str:
        """Return all that the seat may know, in words."""
        return "\n".join([TASK.format(seat=SEATS[view.seat]), *self.lessons[-10:], view.to_text()])

    def remember(self, bid: int, took: int) -> None:
        """Add a finished hand as a line of the prompt."""
        self.lessons.append(f"An earlier hand: you bid {bid} and took {took}.")


def play_hand(agent: TextAgent, seed: int) -> int:
    """Play one hand, the agent at South against random seats; return its side's points less the other side's."""
    game, rng = Game("classic", seed=seed), random.Random(seed)
    while not game.results:
        game.apply(agent.act(game.view(0)) if game.turn == 0 else rng.choice(game.legal_actions()))
    hand = game.results[0]
    agent.remember(hand.bids[0] or 0, hand.tricks[0])
    return hand.points[0] - hand.points[1]


def first_decision(seed: int) -> View:
    """Return what the seat sees when it is to bid."""
    game = Game("classic", seed=seed)
    while game.turn != 0:
        game.apply(parse_action("bid:3"))
    return game.view(0)


def main(hands: int, seed: int) -> None:
    forgetful, attentive = TextAgent(stand_in, seed), TextAgent(stand_in, seed)
    without, with_memory = [], []
    for i in range(seed, seed + hands):
        forgetful.lessons.clear()
        without.append(play_hand(forgetful, i))
        with_memory.append(play_hand(attentive, i))
    print(attentive.prompt(first_decision(seed)))
    print(
        f"{attentive.refused} answers were refused; {attentive.failures.total()} decisions were made at random instead"
    )
    print(f"reward: {sum(without) / hands:+.1f} at first, {sum(with_memory) / hands:+.1f} at last")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    main(**vars(parser.parse_args()))
