"""`spades table`: the table in a browser.

spades table                                          opens the page; saves games in the user's data folder
spades table --port 9000 --data DIR --no-browser
spades table --host 0.0.0.0 --allow 192.168.1.5       others in the house can join with a link
spades table --also runs/x/level.safetensors          another bot to choose from
"""

import argparse
import errno
import os
import re
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import NoReturn

from spades_env._jit import JIT_ON
from spades_env.agents import AgentError, load
from spades_env.errors import SpadesError
from spades_env.extras import needed
from spades_env.play.texts import text

HOST, PORT, MOST_PORT = "127.0.0.1", 8321, 65_535
ANY_HOST = ("", "0.0.0.0", "::")
LOCAL = (HOST, "localhost", "::1")
NEEDED = ("segno", "starlette", "uvicorn", "websockets")
BROWSER_SECONDS = 0.3  # by then the server is listening
SWITCH_SECONDS = 0.0005  # until a thread that computes lets the server's answers through; Python's own is 5 ms
UNENCRYPTED = (
    "plain HTTP isn't encrypted: anyone on the network path can read the cards and the key. "
    "Beyond a network you trust, put an HTTPS proxy in front or use an SSH tunnel"
)


class TableCommandError(SpadesError):
    """No server can be started with these arguments."""


def add_table_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `spades table`."""
    add = parser.add_argument
    add("--host", default=HOST, help=f"the address to listen on (default: {HOST}, this machine only)")
    add("--port", type=int, default=PORT, help=f"default: {PORT}; 0 takes a free one")
    add("--data", type=Path, help="the folder for saved games (default: the user's data folder)")
    add("--no-browser", action="store_true", help="do not open the page")
    add("--allow", action="append", default=[], metavar="NAME", help="another HOST or HOST:PORT that it answers to")
    add("--also", action="append", default=[], metavar="AGENT", help="another bot to choose from")
    add("--adviser", metavar="AGENT", help="the agent that gives hints and reviews (default: the strongest)")
    help_absent = "until a bot plays for a person who is away (default: 60)"
    add("--absent", type=float, default=60.0, metavar="SECONDS", help=help_absent)


def run_table(options: argparse.Namespace) -> int:
    """Check the arguments, then serve until somebody stops it."""
    for package in NEEDED:
        needed(package, f"the table in a browser needs {package}: pip install 'spades-env[play]'")
    for agent in filter(None, [*options.also, options.adviser]):
        if load(agent).cheats:
            raise AgentError(f"{agent} sees all cards: it may not sit at a table")
    if not options.absent >= 0:
        raise TableCommandError(f"--absent must be a number of seconds, 0 or more, not {options.absent:g}")
    if not 0 <= options.port <= MOST_PORT:
        raise TableCommandError(f"--port must be a whole number from 0 to {MOST_PORT}, not {options.port}")
    from spades_env.play.cold_start import TABLE, inherited_socket, is_cold, restart
    from spades_env.play.commands.parsing import as_program

    if as_program.is_set():
        _clean_up_before_the_end()
    inherited = inherited_socket()
    with inherited or _listen(options.host, options.port) as listening:
        if inherited is None and as_program.is_set() and is_cold(TABLE):
            restart(listening, plain=True)
        if _serve(options, listening, inherited is not None):
            restart(listening, plain=False)
    return 0


def _clean_up_before_the_end() -> None:
    """Let SIGTERM and SIGHUP end the program as Ctrl-C does: the file with the key must not stay."""
    from spades_env.play.commands.parsing import terminated

    def end(*_) -> NoReturn:
        terminated.set()
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, end)
    hangup = getattr(signal, "SIGHUP", None)  # Windows has none
    if hangup and signal.getsignal(hangup) == signal.SIG_DFL:  # `nohup` ignores it
        signal.signal(hangup, lambda *_: signal.raise_signal(signal.SIGTERM))


def _serve(options: argparse.Namespace, listening: socket.socket, restarted: bool) -> bool:
    """Serve until somebody stops it. Return whether to begin anew with what was compiled meanwhile."""
    from spades_env.play.ready import make_rules_ready
    from spades_env.play.server.limits import HostNames
    from spades_env.play.server.net.browser_file import browser_file, remove_leftover
    from spades_env.play.server.net.door import OPENED, Door
    from spades_env.play.server.net.serving import make_web_server
    from spades_env.play.server.routes import Site
    from spades_env.play.server.server import Server

    again = restarted and JIT_ON  # people play here already
    if not (again or _is_local(options.host)):
        _warn_of_plain_http()
    make_rules_ready()
    sys.setswitchinterval(SWITCH_SECONDS)
    port = listening.getsockname()[1]
    origin = _origin(options.host, port, options.allow)
    bots = {"extra_bots": tuple(options.also), "adviser": options.adviser}
    reach = _reach(options.host, origin, options.allow)
    server = Server(options.data, options.absent, reach=reach, origin=origin, **bots)
    names = HostNames(port, options.host, options.allow)
    web_server = make_web_server(Site(server, names, port))
    if _is_local(options.host) and not options.allow:
        server.door = Door(web_server, names, port, say=_warn_of_plain_http)
        web_server.on_start = server.open_door if os.environ.pop(OPENED, None) else None
    address = f"http://{_shown(options.host)}:{port}/?key={server.services.sessions.key}"
    show_link = server.on_invite = _link_shower()
    if not again:
        print(f"The table is at {address}", flush=True)
        for link in _links(server.services.sessions.invites, origin):
            show_link(link)
    folder = server.services.store.path.parent
    remove_leftover(folder)
    with ExitStack() as stack:
        if not (again or options.no_browser):
            path = stack.enter_context(browser_file(folder, address))
            threading.Timer(BROWSER_SECONDS, webbrowser.open, [path.as_uri()]).start()
        compiled = threading.Event()
        if restarted and not again:
            stack.callback(_compile_for(web_server, server.services.adviser, compiled).stop)
        web_server.run(sockets=[listening.dup()])  # which closes what it is given
        return compiled.is_set()


def _warn_of_plain_http() -> None:
    print(f"spades: {UNENCRYPTED}", file=sys.stderr, flush=True)


def _links(invites: Iterable[str], origin: str) -> list[str]:
    """Return the links for others that still lead to a game."""
    return [f"{origin}/join/{code}" for code in invites] if origin else []


def _link_shower() -> Callable[[str], None]:
    """Return a function that prints a link for others once, in a terminal with its QR code."""
    from spades_env.play.server.qr import drawn

    shown = set()

    def show(link: str) -> None:
        if link in shown:
            return
        shown.add(link)
        print(f"Others can join at {link}", flush=True)
        if sys.stdout.isatty() and "utf" in (sys.stdout.encoding or "").lower():
            print(drawn(link), flush=True)

    return show


def _compile_for(web_server, adviser: str, compiled: threading.Event):
    """Let another process compile; end the web server when that is done."""
    from spades_env.play.cold_start import TABLE, Compiler

    def done() -> None:
        compiled.set()
        web_server.should_exit = True

    return Compiler(TABLE, adviser, done)


def _origin(host: str, port: int, allowed: list[str]) -> str:
    """Return the address for links: the first allowed name that has a port, or the first name with our port."""
    with_port = [name for name in allowed if re.search(r":\d+$", name)]
    if not with_port and not _is_local(host):
        with_port = [f"{name}:{port}" for name in allowed]
    return f"http://{with_port[0]}" if with_port else ""


def _reach(host: str, origin: str, allowed: list[str]) -> str:
    """Say why there is no link for others on a page that was opened on this computer; empty if there is one."""
    if origin:
        return ""
    if _is_local(host):
        return text("invite.through", name=allowed[0]) if allowed else text("invite.only_here")
    return text("invite.no_address") if host in ANY_HOST else ""


def _is_local(host: str) -> bool:
    return host in LOCAL or host.startswith("127.")


def _shown(host: str) -> str:
    """Return the host as an address shows it."""
    if host in ANY_HOST:
        return HOST
    return f"[{host}]" if ":" in host else host


def _listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        both = host == "::" and socket.has_dualstack_ipv6()  # 127.0.0.1 should reach it too
        return socket.create_server((host, port), family=family, dualstack_ipv6=both)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise TableCommandError(f"Port {port} is already in use. Try --port 0.") from None
        raise TableCommandError(f"can't listen on {host}, port {port}: {error}") from None
