"""The table is opened to the network while it runs: by whom, for whom, and what stays. 127.0.0.2 is the network."""

import json
import os
import socket
import sys
from http.client import HTTPConnection

import pytest
from support.play.servers import get, guest, owner
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from spades_env.play.server.net.door import OPENED, Door, network_address

NETWORK = "127.0.0.2"
pytestmark = pytest.mark.skipif(sys.platform == "darwin", reason="macOS has one loopback address")


@pytest.fixture
def server(server, monkeypatch):
    """A server with a door, which leads to NETWORK."""
    monkeypatch.setenv(OPENED, "")
    server.server.reach = ""
    server.server.door = Door(server._web_server, server.site.names, server.port, lambda: NETWORK)
    return server


def get_there(server, path: str, host: str = "") -> tuple[int, str]:
    connection = HTTPConnection(NETWORK, server.port, timeout=60)
    connection.request("GET", path, headers={"Host": host or f"{NETWORK}:{server.port}"})
    answer = connection.getresponse()
    return answer.status, answer.getheader("Set-Cookie") or ""


def said_there(server, path: str, do: str) -> dict:
    """Make a request as a page that was opened at the network's address."""
    cookie = get_there(server, path)[1].partition(";")[0]
    origin = f"http://{NETWORK}:{server.port}"
    with connect(
        f"ws://{NETWORK}:{server.port}/live", origin=Origin(origin), additional_headers={"Cookie": cookie}
    ) as socket:
        socket.send(json.dumps({"id": 1, "do": do}))
        while "re" not in (message := json.loads(socket.recv(60))):
            pass
        return message


def test_the_host_opens_it_and_the_game_goes_on(server, host):
    with pytest.raises(ConnectionRefusedError):
        get_there(server, "/")
    view, before = host.view, host.done("invite")
    assert (before["opens"], before["origin"], before["code"]) == (NETWORK, "", None)
    host.done("open_door")
    after = host.done("invite")
    assert (after["opens"], after["origin"]) == (None, f"http://{NETWORK}:{server.port}")
    assert (after["path"], bool(after["code"])) == (before["path"], True)
    assert get_there(server, after["path"])[0] == 200
    assert said_there(server, after["path"], "guests")["error"] == "Only the person who started the server can do that"
    host.reload()
    assert host.view["key"] == view["key"]
    assert os.environ[OPENED] == "1"


def test_it_answers_there_to_its_own_name_and_to_who_may_come_in(server, host):
    host.done("open_door")
    assert get_there(server, "/", host=f"table.elsewhere:{server.port}")[0] == 421
    assert get_there(server, "/")[0] == 403
    with pytest.raises(InvalidStatus, match="403"):
        connect(f"ws://{NETWORK}:{server.port}/live", origin=Origin(f"http://{NETWORK}:{server.port}")).close()


def test_no_guest_can_open_it(server, host, link):
    assert guest(server, link).refused("open_door") == "Only the person who started the server can do that"
    assert not os.environ[OPENED]


def test_nor_the_host_from_another_computer(server, host):
    """A page by another name may be anywhere, as behind a proxy."""
    cookie = get(server.port, f"/?key={server.key}", Host="table.example")[0].getheader("Set-Cookie")
    headers = {"Cookie": (cookie or "").partition(";")[0]}
    line, origin = socket.create_connection(("127.0.0.1", server.port)), Origin("http://table.example")
    with connect("ws://table.example/live", sock=line, origin=origin, additional_headers=headers) as page:
        for number, do in enumerate(("invite", "open_door")):
            page.send(json.dumps({"id": number, "do": do}))
        answers = {}
        while len(answers) < 2:
            message = json.loads(page.recv(60))
            answers |= {message["re"]: message} if "re" in message else {}
    assert answers[0]["opens"] is None
    assert answers[1]["error"] == "Only a page on the computer that runs the table can open it to the network"


def test_it_opens_once(server, host):
    host.done("open_door")
    assert host.refused("open_door") == "This table is already open to the network, or was started without that choice"


def test_what_cannot_be_opened_is_said(server, host):
    server.server.door._find = lambda: None
    assert host.done("invite")["opens"] is None
    assert host.refused("open_door").startswith("This computer isn't on a network")
    server.server.door._find = lambda: NETWORK
    with socket.create_server((NETWORK, server.port)):
        assert host.refused("open_door").startswith(f"The table can't be opened at {NETWORK}: ")
    host.done("open_door")


def test_a_server_without_a_door_has_none(server):
    server.server.door = None
    page = owner(server)
    assert page.done("invite")["opens"] is None
    assert page.refused("open_door") == "This table is already open to the network, or was started without that choice"


def test_the_address_is_one_of_this_computer():
    found = network_address()
    if found is not None:
        assert not found.startswith("127.")
        socket.create_server((found, 0)).close()
