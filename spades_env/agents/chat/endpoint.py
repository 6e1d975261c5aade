"""An endpoint for chat completions, as vLLM, llama.cpp, Ollama and hosted models offer one.

    endpoint = Endpoint.from_environment("my-model", seconds=30)
    endpoint.ask(messages)      an Answer; FailedError if there is none in time

    SPADES_CHAT_URL         what stands before /chat/completions, such as http://localhost:8000/v1
    SPADES_CHAT_KEY         the key, if it wants one
    SPADES_CHAT_OPTIONS     more fields of every request as JSON, such as {"temperature": 0}

The key is sent to that address only, and no message repeats it.
"""

import http.client
import json
import os
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from spades_env.agents.base import AgentError
from spades_env.agents.command.protocol import CRASHES, TIMEOUTS, FailedError
from spades_env.plain import PlainError, from_json
from spades_env.words import Message

URL, KEY, OPTIONS = "SPADES_CHAT_URL", "SPADES_CHAT_KEY", "SPADES_CHAT_OPTIONS"
PATH = "/chat/completions"
BUSY = (429, 503)  # answers that ask to come again later
WAIT_S = 1.0  # before that, unless the endpoint says how long
LONGEST = 4_000_000  # bytes of an answer
CHUNK = 65_536


@dataclass(frozen=True)
class Answer:
    """What a model has written, and the tokens that it read and wrote, as far as the endpoint tells."""

    text: str
    prompt_tokens: int
    completion_tokens: int


class Endpoint:
    """Asks one model. Several threads may ask at the same time."""

    def __init__(
        self, url: str, model: str, key: str = "", seconds: float = 10.0, options: dict[str, Any] | None = None
    ):
        if not _is_address(url):
            raise AgentError(f"{URL} must be an address such as http://localhost:8000/v1, not {url!r}")
        if key and not (key.isascii() and key.isprintable()):
            raise AgentError(f"{KEY} must be one line of printable ASCII characters")
        self.url, self.model, self.seconds = url.rstrip("/"), model, seconds
        self._key, self._options = key, options or {}
        self._has_answered = False
        self._closed = threading.Event()

    @classmethod
    def from_environment(cls, model: str, seconds: float) -> "Endpoint":
        """Return the endpoint that environment variables describe."""
        return cls(os.environ.get(URL, ""), model, os.environ.get(KEY, ""), seconds, _options())

    def close(self) -> None:
        """Let those who ask now wait no longer for a busy endpoint."""
        closed, self._closed = self._closed, threading.Event()
        closed.set()

    def ask(self, messages: Sequence[Message]) -> Answer:
        """Return the model's answer; FailedError if there is none in time, AgentError if a request is refused."""
        deadline, closed = time.monotonic() + self.seconds, self._closed
        while True:
            try:
                body = self._body(self._request(messages), deadline)
            except urllib.error.HTTPError as error:
                self._wait_or_raise(error, deadline, closed)
                continue
            except TimeoutError:
                raise self._late() from None
            except (OSError, http.client.HTTPException) as error:
                raise self._lost(error) from None
            self._has_answered = True
            return answer_of(body)

    def _request(self, messages: Sequence[Message]) -> urllib.request.Request:
        fields = {"model": self.model, "messages": list(messages)} | self._options
        request = urllib.request.Request(
            self.url + PATH, json.dumps(fields).encode(), {"Content-Type": "application/json"}
        )
        if self._key:
            request.add_unredirected_header("Authorization", f"Bearer {self._key}")
        return request

    def _body(self, request: urllib.request.Request, deadline: float) -> bytes:
        """Return the body of the answer; TimeoutError if it is not whole by the deadline."""
        body = bytearray()
        with urllib.request.urlopen(request, timeout=self._left(deadline)) as response:
            while chunk := response.read1(CHUNK):
                body += chunk
                self._left(deadline)
                if len(body) > LONGEST:
                    raise FailedError(CRASHES, f"its answer has more than {LONGEST:,} bytes")
        self._left(deadline)
        return bytes(body)

    def _left(self, deadline: float) -> float:
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left

    def _wait_or_raise(self, error: urllib.error.HTTPError, deadline: float, closed: threading.Event) -> None:
        """Wait for a busy endpoint, if that may end in time."""
        with error:
            words = f"it answered {error.code} {error.reason}"
            if error.code in BUSY:
                seconds = _seconds(error.headers.get("Retry-After"))
                if time.monotonic() + seconds >= deadline or closed.wait(seconds):
                    raise FailedError(TIMEOUTS, words)
            elif error.code < 500:
                raise AgentError(f"chat:{self.model} cannot be asked at {self.url}: {words}")
            else:
                raise FailedError(CRASHES, words)

    def _late(self) -> FailedError:
        return FailedError(TIMEOUTS, f"no answer in {self.seconds:g} seconds")

    def _lost(self, error: Exception) -> Exception:
        """Return what to raise where there is no connection: before the first answer, the address may be wrong."""
        reason = getattr(error, "reason", error)
        if isinstance(reason, TimeoutError):
            return self._late()
        if not self._has_answered:
            return AgentError(f"chat:{self.model} cannot be asked at {self.url}: {reason}")
        return FailedError(CRASHES, f"the connection failed: {reason}")


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and url.isascii()


def _options() -> dict[str, Any]:
    text = os.environ.get(OPTIONS, "")
    try:
        found = from_json(text) if text else {}
    except PlainError:
        found = None
    if not isinstance(found, dict):
        raise AgentError(f'{OPTIONS} must be a JSON object such as {{"temperature": 0}}, not {text!r:.80}')
    return found


def _seconds(text: str | None) -> float:
    return float(text) if text and text.isdecimal() else WAIT_S


def answer_of(body: bytes) -> Answer:
    """Return what the body of an answer says; FailedError if it is none."""
    try:
        found = from_json(body)
        text = found["choices"][0]["message"]["content"]
    except (PlainError, LookupError, TypeError):
        raise FailedError(CRASHES, f"it sent {body[:80]!r}, which is no chat completion") from None
    usage = found.get("usage") or {}
    return Answer(_text(text), _count(usage, "prompt_tokens"), _count(usage, "completion_tokens"))


def _text(content: Any) -> str:
    """Return the text of an answer, which may come in parts; "" if there is none."""
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _count(usage: Any, kind: str) -> int:
    count = usage.get(kind) if isinstance(usage, dict) else None
    return count if isinstance(count, int) and count >= 0 else 0
