"""`spades table` prints the links that others join by, and warns of plain HTTP."""

import socket
import sys

import pytest
from support.play.servers import owner, running

from spades_env.play.commands import cli
from spades_env.play.server import table_command


@pytest.mark.parametrize(
    ("words", "reach", "origin"),
    [
        ([], "Only this computer", ""),
        (["--host", "127.0.0.2"], "Only this computer", ""),
        (["--host", "0.0.0.0"], "--allow ADDRESS", ""),
        (["--host", "0.0.0.0", "--allow", "192.168.1.5"], "", "http://192.168.1.5:0"),
        (["--allow", "spades.example"], "Others come through spades.example", ""),  # with a proxy in front
        (["--allow", "spades.example:443"], "", "http://spades.example:443"),
        (
            ["--host", "0.0.0.0", "--allow", "spades.example", "--allow", "192.168.1.5:8321"],
            "",
            "http://192.168.1.5:8321",
        ),
        (["--host", "192.168.1.5"], "", ""),
    ],
)
def test_the_link_leads_others_here(tmp_path, monkeypatch, words, reach, origin):
    made = {}

    def server(*_, **told):
        made.update(told)
        raise KeyboardInterrupt

    monkeypatch.setattr("spades_env.play.server.server.Server", server)
    monkeypatch.setattr(table_command, "_listen", lambda *_: socket.socket())
    assert cli.main(["table", "--data", str(tmp_path), *words]) == cli.STOPPED
    assert made["origin"] == origin
    assert reach in made["reach"]
    assert bool(reach) == bool(made["reach"])


@pytest.mark.parametrize(
    ("host", "warned"), [("127.0.0.1", 0), ("localhost", 0), ("127.0.0.2", 0), ("::1", 0), ("0.0.0.0", 1), ("::", 1)]
)
def test_plain_http_beyond_this_machine_is_warned_of(tmp_path, monkeypatch, capsys, host, warned):
    def server(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("spades_env.play.server.server.Server", server)
    monkeypatch.setattr(table_command, "_listen", lambda *_: socket.socket())
    cli.main(["table", "--data", str(tmp_path), "--host", host])
    assert capsys.readouterr().err.count("plain HTTP isn't encrypted: anyone on the network path can read") == warned


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="this machine has no IPv6")
def test_all_addresses_are_those_of_both_kinds():
    with table_command._listen("::", 0) as listening:
        socket.create_connection(("127.0.0.1", listening.getsockname()[1])).close()


def test_the_command_shows_each_link_once_and_its_qr_code_in_a_terminal(tmp_path, monkeypatch, capsys):
    with running(tmp_path) as server:
        server.server.on_invite = table_command._link_shower()
        host = owner(server)
        path = host.done("invite", begin="https://table.example")["path"]
        host.done("invite", begin="https://table.example")
        link = f"https://table.example{path}"
        assert capsys.readouterr().out == f"Others can join at {link}\n"
        assert table_command._links(server.services.sessions.invites, "https://table.example") == [link]
        assert table_command._links(server.services.sessions.invites, "") == []
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    table_command._link_shower()(link)
    assert capsys.readouterr().out.count("█") > 100
