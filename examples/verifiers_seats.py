"""Two live seats at our table in verifiers, by an endpoint that stands in for a model.

Shows `spades_env.integrations.verifiers_env`: a taskset of deals, an environment whose agents have the seats, and the
rewards of a trace: the outcome of a hand, and the regret of its moves. The stand-in bids far too high at first, and
sensibly at last. Put the address of your model in its place.

    pip install ".[verifiers]"
    python examples/verifiers_seats.py --hands 1
"""

import argparse
import asyncio
import json
import os
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from verifiers.v1.clients import ModelContext
from verifiers.v1.configs.client import EvalClientConfig

from spades_env.integrations.verifiers_env import SpadesSeatsConfig, SpadesSeatsEnv, SpadesTaskset

__all__ = ["SpadesSeatsEnv", "SpadesTaskset"]  # by which verifiers finds them: the taskset's id is this file's name
TOO_HIGH, SENSIBLE = 7, 3


class StandIn(BaseHTTPRequestHandler):
    """Answers in a stream, as a model would: always the same bid, then the first legal card."""

    def __init__(self, bid: int, *args):
        self.bid = bid
        super().__init__(*args)

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        legal = re.findall(r"may: (.*)", str(body["messages"][-1]["content"]).replace("\\n", "\n"))[-1].split()
        text = f"Action: {f'bid:{self.bid}' if legal[0].startswith('bid:') else legal[0]}"
        about = {"id": "x", "object": "chat.completion.chunk", "created": 0, "model": body["model"]}
        delta = {"role": "assistant", "content": text}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        parts = [
            about | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
            about | {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}], "usage": usage},
        ]
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        for part in (*map(json.dumps, parts), "[DONE]"):
            self.wfile.write(f"data: {part}\n\n".encode())

    def log_message(self, format, *args):
        pass


@contextmanager
def serving(bid: int) -> Iterator[str]:
    """Lend the address of a stand-in."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(StandIn, bid))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()


async def play(url: str, hands: int, seed: int) -> float:
    """Play hands; return the mean points of South's side, less the other side's."""
    taskset = {"id": "verifiers_seats", "rules": "match", "opponents": "rb", "first_seed": seed}
    env = SpadesSeatsEnv(SpadesSeatsConfig(taskset=taskset, seats=2))
    context = ModelContext(model="stand-in", client=EvalClientConfig(base_url=url, api_key_var="NO_KEY"))
    points = []
    async with env.serving():
        for task in env.taskset.take(hands):
            episode = await env.run_episode(task, context)
            for error in (*episode.errors, *(error for trace in episode.traces for error in trace.errors)):
                raise RuntimeError(f"{error.type}: {error.message}")
            for trace in episode.traces:
                found = trace.metrics
                if found["illegal"] or found["unreadable"] or found["late"] or not found["legal"]:
                    raise RuntimeError(f"answers were replaced: {found}")
                rewards = {name: round(reward.score, 3) for name, reward in trace.rewards.items()}
                print(f"{task.data.name} {trace.agent.name}: {rewards}, {found['points']:+.0f} points")
            points.append(episode.traces[0].metrics["points"])
    return sum(points) / len(points)


def main(hands: int, seed: int) -> None:
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])  # where uv is
    os.environ.setdefault("NO_KEY", "none")  # which the stand-in doesn't ask for
    found = []
    for bid in (TOO_HIGH, SENSIBLE):
        with serving(bid) as url:
            found.append(asyncio.run(play(url, hands, seed)))
    print(f"reward: {found[0]:+.1f} at first, {found[1]:+.1f} at last")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    main(**vars(parser.parse_args()))
