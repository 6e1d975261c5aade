"""A hub on this machine: repositories in memory, and as much of the Hugging Face Hub's protocol as levels need."""

import base64
import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

Files = dict[str, bytes]


@dataclass
class Hub:
    """repositories: name -> its commits, the first one empty; the number of a commit stands in its 40 digits."""

    address: str = ""
    repositories: dict[str, list[Files]] = field(default_factory=dict)
    private: set[str] = field(default_factory=set)
    asked: list[str] = field(default_factory=list)

    def commit(self, name: str, files: Files) -> None:
        """Add a commit; the repository is made if there is none."""
        commits = self.repositories.setdefault(name, [{}])
        commits.append(commits[-1] | files)

    def files(self, name: str) -> Files:
        """Return the files of the last commit."""
        return self.repositories[name][-1]

    def at(self, name: str, revision: str) -> int | None:
        """Return the number of the commit: `main`, `v1` … or the 40 digits of one."""
        last = len(self.repositories[name]) - 1
        if revision == "main":
            return last
        number = int(revision.removeprefix("v")) if revision.removeprefix("v").isdigit() else -1
        return number if 0 <= number <= last else None


@contextmanager
def running_hub() -> Iterator[Hub]:
    """Serve a hub until the end of the block."""
    hub = Hub()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"hub": hub}))
    hub.address = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    hub: Hub
    protocol_version = "HTTP/1.1"

    def log_message(self, format, *args):
        """Keep what was asked instead of printing it."""

    def do_HEAD(self):
        self._serve(b"")

    def do_GET(self):
        self._serve(b"")

    def do_POST(self):
        self._serve(self._body())

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = []
        while size := int(self.rfile.readline(), 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def _serve(self, body: bytes) -> None:
        path = self.path.partition("?")[0].strip("/")
        self.hub.asked.append(f"{self.command} /{path}")
        words = path.split("/")
        if path == "api/repos/create":
            self._create(json.loads(body))
        elif path == "api/validate-yaml":
            self._json({"errors": [], "warnings": []})
        elif words[:2] == ["api", "models"] and len(words) >= 4 and "/".join(words[2:4]) in self.hub.repositories:
            self._of_repository("/".join(words[2:4]), words[4:], body)
        elif len(words) >= 5 and words[2] == "resolve" and "/".join(words[:2]) in self.hub.repositories:
            self._file("/".join(words[:2]), words[3], "/".join(words[4:]))
        else:
            self._refuse(401, "RepoNotFound")

    def _create(self, asked: dict) -> None:
        if self.headers.get("Authorization") != "Bearer hf_good":
            return self._refuse(401, "")
        name = f"{asked['organization']}/{asked['name']}"
        status = 409 if name in self.hub.repositories else 200
        self.hub.repositories.setdefault(name, [{}])
        if "private" in (asked.get("visibility"), asked.get("private") and "private") and status == 200:
            self.hub.private.add(name)
        return self._json({"url": f"{self.hub.address}/{name}"}, status)

    def _of_repository(self, name: str, words: list[str], body: bytes) -> None:
        if words[:1] == ["preupload"]:
            files = [
                {"path": file["path"], "uploadMode": "regular", "shouldIgnore": False}
                for file in json.loads(body)["files"]
            ]
            return self._json({"files": files})
        if words[:1] == ["commit"]:
            lines = [json.loads(line) for line in body.splitlines()]
            files = {
                line["value"]["path"]: base64.b64decode(line["value"]["content"])
                for line in lines
                if line["key"] == "file"
            }
            self.hub.commit(name, files)
            for line in lines:
                if line["key"] == "deletedFile":
                    del self.hub.files(name)[line["value"]["path"]]
            digits = _digits(len(self.hub.repositories[name]) - 1)
            return self._json({"commitOid": digits, "commitUrl": f"{self.hub.address}/{name}/commit/{digits}"})
        return self._json({"id": name, "sha": _digits(len(self.hub.repositories[name]) - 1), "siblings": []})

    def _file(self, name: str, revision: str, file: str) -> None:
        commit = self.hub.at(name, revision)
        if commit is None:
            return self._refuse(404, "RevisionNotFound")
        content = self.hub.repositories[name][commit].get(file)
        if content is None:
            return self._refuse(404, "EntryNotFound", commit)
        headers = {"ETag": f'"{hashlib.sha1(content).hexdigest()}"', "X-Repo-Commit": _digits(commit)}
        return self._send(200, content, headers)

    def _json(self, content: dict, status: int = 200) -> None:
        self._send(status, json.dumps(content).encode(), {"Content-Type": "application/json"})

    def _refuse(self, status: int, code: str, commit: int = 0) -> None:
        headers = {"X-Error-Code": code, "X-Error-Message": code} if code else {}
        self._send(status, b"", headers | {"X-Repo-Commit": _digits(commit)})

    def _send(self, status: int, content: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)


def _digits(commit: int) -> str:
    return f"{commit:040}"
