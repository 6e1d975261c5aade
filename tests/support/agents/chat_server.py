"""A stand-in for an endpoint of a language model, in this process: it answers prompts by a script, and counts."""

import json
import re
import threading
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PROMPT_TOKENS, COMPLETION_TOKENS = 7, 2  # that it reports of each answer
SHAPES = ("Action: {}", "I think about it.\n**Action: {}**", '{{"action": "{}"}}', "<think>AS? bid 3?</think>{}", "{}")
Script = Callable[[str], Any]  # the user's prompt → an answer's text, a whole body, or a status with headers


class ScriptedModel:
    """Chooses by a hash of the prompt: mostly a legal action in one of SHAPES, sometimes none or an illegal one."""

    def __init__(self, faults: int = 20):
        self.faults = faults  # one in so many answers names no action, and another one an illegal one
        self.counts: Counter[str] = Counter()

    def __call__(self, prompt: str) -> str:
        number = zlib.crc32(prompt.encode())
        legal = re.findall(r"^may: (.*)", prompt, re.MULTILINE)[-1].split()
        fault = number % self.faults
        kind = {0: "unreadable", 1: "illegal"}.get(fault, "legal")
        self.counts[kind] += 1
        if kind == "unreadable":
            return "Let me think about what my partner holds."
        if kind == "illegal":
            return "Action: look" if "look" not in legal else "Action: AS"
        return SHAPES[number // 64 % len(SHAPES)].format(legal[number // 1024 % len(legal)])


@contextmanager
def serving(script: Script) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Lend the address of an endpoint that answers by this script, and the requests that it gets."""
    requests: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # an answer is sent at once
        disable_nagle_algorithm = True

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            requests.append({"path": self.path, "key": self.headers.get("Authorization"), "body": body})
            found = script(body["messages"][-1]["content"])
            status, headers, content = found if isinstance(found, tuple) else (200, {}, found)
            content = content if isinstance(content, bytes) else json.dumps(_completion(content)).encode()
            self.send_response(status)
            for name, value in (headers | {"Content-Length": str(len(content)), "Connection": "close"}).items():
                self.send_header(name, value)
            self.end_headers()
            with suppress(OSError):  # who asked has gone
                self.wfile.write(content)
                self.wfile.flush()

        def log_message(self, format, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", requests
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _completion(text: Any) -> dict[str, Any]:
    usage = {"prompt_tokens": PROMPT_TOKENS, "completion_tokens": COMPLETION_TOKENS}
    return {"choices": [{"message": {"role": "assistant", "content": text}}], "usage": usage}
