"""A damaged store behind the table in a browser: it starts, and says what is damaged where
that would be shown."""

import json
from pathlib import Path

import pytest
from support.play.damaged import DAMAGED, damaged_store
from support.play.servers import QUICK, owner, running

from spades_env.play.commands import cli
from spades_env.play.server.server import Server
from spades_env.play.store.database import FILE
from spades_env.play.store.sitting_rows import UNREADABLE


@pytest.fixture
def folder(tmp_path) -> Path:
    """A folder whose store is damaged in every table."""
    damaged_store(tmp_path)
    return tmp_path


def test_the_server_starts_and_says_it_once(folder, capsys):
    with running(folder) as server:
        said = capsys.readouterr().err.splitlines()
        rows = {"sittings": DAMAGED, "variants": "Ours", "settings": "page"}
        assert [line.partition(" (")[2] for line in said] == [
            f"{folder / FILE}, table {table}, row {row})" for table, row in rows.items()
        ]
        page = owner(server)
        page.done("statistics")
        page.done("statistics")
        later = capsys.readouterr().err.splitlines()
        assert [line.partition(", table ")[2] for line in later] == [
            f"{table}, row 1)" for table in ("game_results", "hands", "hand_results")
        ]


def test_the_page_shows_it_where_it_would_be(folder):
    with running(folder) as server:
        page = owner(server)
        hello = json.loads(page.heard[0])["hello"]
        assert [fault["table"] for fault in hello["faults"]] == ["variants", "settings"]
        assert "'Ours' cannot be read and are left out" in hello["faults"][0]["words"]
        assert [one["name"] for one in hello["variants"]] == ["Theirs"]
        assert hello["settings"] == {"terminal.deck": "two"}
        listed = {one["key"]: one["rules"] for one in page.done("sittings")["sittings"]}
        assert listed[DAMAGED] == UNREADABLE
        assert listed["over"].startswith("match")
        found = page.done("statistics")["statistics"]
        assert found["total"]["games"] == 0
        assert len(found["left_out"]) == 3
        assert f"({FILE}, table game_results, row 1)" in found["left_out"][0]
        assert page.refused("open", key=DAMAGED).startswith("This game cannot be read: ")
        assert page.done("new", rules="classic", bots=["random"] * 4)["key"]
        assert page.done("save_variant", name="Ours", rules="classic target=300")["variants"]
        assert page.done("give_up", key=DAMAGED)
        assert str(folder) not in "".join(page.heard)  # guests would read it too


def test_a_setting_of_the_wrong_kind_keeps_nobody_from_new_games(tmp_path, capsys):
    with running(tmp_path, last=QUICK | {"bots": "rule"}) as server:
        page = owner(server)
        assert page.done("new", rules="classic", bots=["random"] * 4)["key"]
    assert f"({tmp_path / FILE}, table settings, row last)" in capsys.readouterr().err


def test_a_damaged_file_starts_no_server_and_is_left_as_it_is(folder, capsys):
    content = (folder / FILE).read_bytes().replace(b"CREATE TABLE sit", b"CREATE TABLF sit")
    (folder / FILE).write_bytes(content)
    assert cli.main(["table", "--data", str(folder), "--port", "0", "--no-browser"]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"spades: {folder / FILE} is damaged (malformed database schema")
    assert said.count("\n") == 1
    assert (folder / FILE).read_bytes() == content


def test_a_damaged_file_of_keys_starts_a_server(tmp_path, capsys):
    (tmp_path / "server.json").write_text("{")
    services = Server(tmp_path).services
    assert services.sessions.key
    services.close()
    assert f"{tmp_path / 'server.json'} is damaged" in capsys.readouterr().err


def test_saved_games_are_listed_with_what_is_damaged(folder, capsys):
    assert cli.main(["replay", "--data", str(folder), "--json"]) == 0
    out, err = capsys.readouterr()
    assert {one["key"]: one["rules"] for one in json.loads(out)}[DAMAGED] == UNREADABLE
    assert err.count("\n") == 1
    assert f"row {DAMAGED}" in err
    assert cli.main(["replay", DAMAGED, "--data", str(folder)]) == 2
    assert f"({folder / FILE}, table sittings, row {DAMAGED})" in capsys.readouterr().err
