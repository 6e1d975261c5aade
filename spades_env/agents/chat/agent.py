"""A language model as an agent: a prompt for every decision, one answer, read as an action.

    agents.load("chat:my-model")      asks the endpoint of SPADES_CHAT_URL (agents/chat/endpoint.py)

A model gets one try, and no memory of earlier decisions: the prompt has the rules and the hand so far. If its answer is
illegal, unreadable, late or lost, a random legal action is played instead and counted (`failures`), as for a program.
After MOST_IN_A_ROW late or lost answers nothing more is asked: the match ends with an error.
"""

import threading
from collections import Counter

import numpy as np

from spades_env import words
from spades_env.agents.agent_name import AgentName
from spades_env.agents.base import FAILURES, TOKENS, Agent, AgentError, Batch
from spades_env.agents.chat.endpoint import Endpoint
from spades_env.agents.command.program import seconds_to_answer
from spades_env.agents.command.protocol import CRASHES, TIMEOUTS, FailedError
from spades_env.agents.compiled import RANDOM, Compiled
from spades_env.game.cards import Action
from spades_env.game.view import View

MOST_IN_A_ROW = 10
FORM = "chat:MODEL, such as chat:my-model"


class ChatAgent(Agent):
    """An agent that asks a language model. Each thread waits for its own answer."""

    def __init__(self, name: str, endpoint: Endpoint, seed: int = 0):
        super().__init__(name, seed)
        self._endpoint = endpoint
        self._instead = Compiled("random", RANDOM, RANDOM, seed)
        self._counts: Counter[str] = Counter()
        self._counting = threading.Lock()
        self._in_a_row = 0

    @property
    def failures(self) -> dict[str, int]:
        """How many random actions were played in its place since it was loaded, by reason."""
        return {reason: self._counts[reason] for reason in FAILURES}

    @property
    def tokens(self) -> dict[str, int]:
        """How many tokens the model has read and written since it was loaded."""
        return {kind: self._counts[kind] for kind in TOKENS}

    def close(self) -> None:
        self._endpoint.close()
        self._in_a_row = 0

    def _choose(self, batch: Batch) -> np.ndarray:
        return np.array([self._decide(view) for view in batch.views()], np.int64)

    def _decide(self, view: View) -> Action:
        try:
            answer = self._endpoint.ask(words.messages(view))
        except FailedError as failed:
            self._count(failed.kind, failed)
            return self._instead.act(view)
        read = words.read(answer.text, view)
        with self._counting:
            self._in_a_row = 0
            self._counts.update(prompt_tokens=answer.prompt_tokens, completion_tokens=answer.completion_tokens)
        if read.action is not None:
            return read.action
        self._count(read.outcome)
        return self._instead.act(view)

    def _count(self, reason: str, failed: FailedError | None = None) -> None:
        with self._counting:
            self._counts[reason] += 1
            self._in_a_row += reason in (TIMEOUTS, CRASHES)
            if failed and self._in_a_row >= MOST_IN_A_ROW:
                raise AgentError(f"{self.name} failed {self._in_a_row} times in a row: {failed}")


def make(name: AgentName, seed: int) -> Agent:
    """Return the agent that a model's name asks for; nothing is asked yet."""
    if not name.setting.strip() or not name.setting.isprintable():
        raise AgentError(f"invalid agent {name.text!r}; expected {FORM}")
    return ChatAgent(name.text, Endpoint.from_environment(name.setting, seconds_to_answer()), seed)
