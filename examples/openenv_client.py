"""A learner's seat at our table in OpenEnv, over the wire.

Shows `spades_env.integrations.openenv_server`: a server, a client that resets and steps, and a reward after every
move, what it has lost of the chance to win. The learner answers in words: it bids far too high at first, and sensibly
at last. The folder `openenv` beside this file has the server as a package with a Dockerfile.

    pip install ".[openenv]"
    python examples/openenv_client.py --hands 4
"""

import argparse
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from openenv.core.generic_client import GenericEnvClient

from spades_env.integrations.openenv_server import make_app

TOO_HIGH, SENSIBLE = 7, 3


@contextmanager
def serving() -> Iterator[str]:
    """Lend the address of a server in this process."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()  # so that a client may come before the server does
        server = uvicorn.Server(uvicorn.Config(make_app(), log_level="warning"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


def answer(prompt: str, bid: int) -> str:
    """Return the bid, or the first legal card, in words."""
    legal = re.findall(r"^may: (.*)", prompt, re.MULTILINE)[-1].split()
    return f"Action: {f'bid:{bid}' if legal[0].startswith('bid:') else legal[0]}"


def play_hand(client, seed: int, bid: int) -> float:
    """Play a hand at South; return the chances to win that its moves have lost, added up, as a negative number."""
    result = client.reset(seed=seed, rules="match", opponents="rb", reward="regret")
    paid = 0.0
    while not result.done:
        result = client.step({"answer": answer(result.observation["prompt"], bid)})
        paid += result.reward
    check_legal(client.state()["answers"])
    return paid


def check_legal(found: dict[str, int]) -> None:
    """Raise an error if an answer could not be played as it was."""
    if sum(found.values()) > found["legal"] or not found["legal"]:
        raise RuntimeError(f"answers were replaced: {found}")


def main(hands: int, seed: int) -> None:
    found = []
    with serving() as url, GenericEnvClient(base_url=url).sync() as client:
        for bid in (TOO_HIGH, SENSIBLE):
            found.append(100 * sum(play_hand(client, seed + i, bid) for i in range(hands)) / hands)
            print(f"bid {bid}: {found[-1]:+.1f} points of the chance to win a hand; {client.state()['answers']}")
    print(f"reward: {found[0]:+.1f} at first, {found[1]:+.1f} at last")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=4)
    parser.add_argument("--seed", type=int, default=0)
    main(**vars(parser.parse_args()))
