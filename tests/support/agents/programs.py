"""Programs that play: what the tests of `cmd:` agents write, ask and count."""

from pathlib import Path

from spades_env import Game, agents

SHORT = "match target=off max_hands=1"
LIMIT = "SPADES_BOT_SECONDS"
LOOP = """
import json, os, signal, sys, time
def answer(message, action=None, **more):
    action = action or message["view"]["legal_actions"][0]
    print(json.dumps({"id": message["id"], "action": action} | more), flush=True)
def messages():
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "decide":
            yield message
"""
LOWEST = "for message in messages(): answer(message)"


def first(seed: int = 5):
    game = Game(SHORT, seed=seed)
    return game.view(game.turn)


def play_hand(agent: agents.Agent, seed: int = 5) -> Game:
    """Play a hand at all seats; Game raises where an action is not legal."""
    game = Game(SHORT, seed=seed)
    while not game.over:
        game.apply(agent.act(game.view(game.turn)))
    return game


def failures(illegal: int = 0, unreadable: int = 0, timeouts: int = 0, crashes: int = 0) -> dict[str, int]:
    return {"illegal": illegal, "unreadable": unreadable, "timeouts": timeouts, "crashes": crashes}


def is_running(number: int) -> bool:
    """Is there such a process, and is it no zombie?"""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
