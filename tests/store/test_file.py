"""The store's file: files of others, transactions, named rules, settings and its folder."""

import sqlite3
import sys

import pytest
from support.play.kept import new
from support.play.sittings import ONE_HAND, move, play, refuses

from spades_env import Rules, RulesError
from spades_env.play.store.database import FILE, Store, StoreError, data_folder
from spades_env.play.store.saved import packed
from spades_env.play.store.schema import SCHEMA
from spades_env.play.store.statistics import statistics


def test_named_rules(store):
    ours = Rules(target=300, trumps="nyc")
    store.variants.save("Ours", ours)
    store.variants.save("Grandma's", Rules.preset("solo"))
    store.variants.save("Ours", ours.replace(target=250))
    assert store.variants.all() == {"Grandma's": Rules.preset("solo"), "Ours": ours.replace(target=250)}
    store.variants.forget("Ours")
    assert list(store.variants.all()) == ["Grandma's"]
    with refuses("There is a preset called classic: choose another name", RulesError):
        store.variants.save("classic", ours)
    with pytest.raises(ValueError, match="A name has 1 to 24 characters"):
        store.variants.save("", ours)


def test_settings(store, tmp_path):
    store.settings.set("speed", 0.5)
    store.settings.set("order", ["S", "H"])
    store.settings.set("speed", None)
    with Store(tmp_path) as other:
        assert other.settings.all() == {"order": ["S", "H"], "speed": None}
    with pytest.raises(TypeError):
        store.settings.set("speed", object())


@pytest.mark.parametrize("schema", [0, SCHEMA - 1, SCHEMA + 1])
def test_a_file_of_another_version_is_refused_and_left_as_it_is(tmp_path, schema):
    Store(tmp_path).close()
    with sqlite3.connect(tmp_path / FILE) as db:
        db.execute(f"PRAGMA user_version = {schema}")
    db.close()
    before = (tmp_path / FILE).read_bytes()
    why = f"{tmp_path / FILE} was written by another version: its schema is {schema}, not {SCHEMA}; nothing was changed"
    with refuses(f"{why}; move the file elsewhere to begin with a new one", StoreError):
        Store(tmp_path)
    assert (tmp_path / FILE).read_bytes() == before


def test_files_of_others_are_refused(tmp_path):
    with sqlite3.connect(tmp_path / FILE) as db:
        db.execute("CREATE TABLE theirs (x)")
    db.close()
    before = (tmp_path / FILE).read_bytes()
    with refuses(f"{tmp_path / FILE} is a database of another program", StoreError):
        Store(tmp_path)
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / FILE).write_text("no database at all, but long enough to be looked at " * 20)
    with refuses(f"{tmp_path / 'a' / FILE}: file is not a database", StoreError):
        Store(tmp_path / "a")
    with pytest.raises(StoreError, match="cannot be opened"):
        Store(tmp_path / FILE / "b")
    assert (tmp_path / FILE).read_bytes() == before


def test_a_transaction_is_all_or_nothing(store, monkeypatch):
    table = play(new(ONE_HAND), 3)
    store.save(table)
    before = packed(store.load(table.key))
    play(table)
    monkeypatch.setattr("spades_env.play.store.database.game_rows", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        store.save(table)
    assert packed(store.load(table.key)) == before
    assert store.hands.of(table.key) == []
    monkeypatch.undo()
    store.save(table)
    assert store.hands.of(table.key) == table.finished
    assert statistics(store, "Anna").total.games == 1


def test_two_programs_may_share_a_file(tmp_path):
    with Store(tmp_path) as one, Store(tmp_path) as other:
        table = new()
        one.save(table)
        move(table)
        other.save(table)
        assert packed(one.load(table.key)) == packed(table)


def test_the_data_folder(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert data_folder() == tmp_path / "spades"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert data_folder() == tmp_path / ".local" / "share" / "spades"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert data_folder() == tmp_path / "Library" / "Application Support" / "spades"
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    assert data_folder() == tmp_path / "local" / "spades"
