"""A damaged store: one sentence names the file and the row, all else is there, and nothing is deleted."""

import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.play.sittings import SHORT, move, play, stand_still

from spades_env import Rules
from spades_env.play.store.database import FILE, Store, StoreError
from spades_env.play.store.rows import COLUMNS
from spades_env.play.store.saved import packed
from spades_env.play.store.sitting_rows import OPEN, UNREADABLE
from spades_env.play.store.statistics import statistics
from spades_env.play.table.table import Table

LAST = {"rules": "classic", "bots": ["rule"] * 4, "seat": 0, "move_seconds": None}
STRIDE = int(os.environ.get("SPADES_FLIP_STRIDE", "61"))  # 1: every byte of the file is flipped


def table(key: str, seed: int = 7, rules: str = SHORT) -> Table:
    one = Table(rules, people={0: "Anna"}, seed=seed, now=stand_still)
    one.key, one.salt = key, f"salt of {key}"
    return one


def fill(store: Store) -> None:
    """A game that goes on, a finished one, and all that is kept beside games."""
    first = play(table("first"), 4)
    store.save(first)
    second = table("second", 8, "match target=off max_hands=1")
    while not second.over:
        move(second)
    store.save(second)
    store.variants.save("Ours", Rules(target=300))
    store.variants.save("Theirs", Rules(target=250))
    store.settings.set("name", "Anna")
    store.settings.set("last", LAST)
    store.settings.set("page", {"deck": "four"})


@pytest.fixture(scope="module")
def sound(tmp_path_factory) -> Path:
    """A folder with a store that nothing is the matter with; its pages are small."""
    folder = tmp_path_factory.mktemp("sound")
    with Store(folder) as store:
        fill(store)
    db = sqlite3.connect(folder / FILE)
    for pragma in ("journal_mode = DELETE", "page_size = 512"):
        db.execute(f"PRAGMA {pragma}")
    db.execute("VACUUM")
    db.execute("PRAGMA journal_mode = WAL")
    db.close()
    return folder


@pytest.fixture
def folder(sound, tmp_path) -> Path:
    shutil.copy(sound / FILE, tmp_path / FILE)
    return tmp_path


def change(folder: Path, statement: str, *values: Any) -> None:
    """What another program does to the file."""
    db = sqlite3.connect(folder / FILE)
    with db:
        db.execute(statement, values)
    db.close()


def rows_in(folder: Path) -> dict[str, list]:
    """All that is in the file, damaged or not."""
    db = sqlite3.connect(folder / FILE)
    db.text_factory = bytes
    found = {table: db.execute(f"SELECT * FROM {table} ORDER BY rowid").fetchall() for table in COLUMNS}
    db.close()
    return found


# One row


DAMAGE = {
    "no text": ("sittings", "first", "UPDATE sittings SET told = cast(x'ff7b22' AS text) WHERE key = 'first'"),
    "another game": ("sittings", "first", "UPDATE sittings SET told = replace(told, 'Anna', 'Emma') WHERE key='first'"),
    "no state": ("sittings", "first", "UPDATE sittings SET state = 'opem' WHERE key = 'first'"),
    "no time": ("sittings", "first", "UPDATE sittings SET changed = 'soon' WHERE key = 'first'"),
    "no number": ("sittings", "first", "UPDATE sittings SET changes = 'many' WHERE key = 'first'"),
    "a variant cut short": ("variants", "Ours", "UPDATE variants SET rules = '' WHERE name = 'Ours'"),
    "a variant of no rules": ("variants", "Ours", "UPDATE variants SET rules = 'clasic' WHERE name = 'Ours'"),
    "a setting cut short": ("settings", "last", "UPDATE settings SET value = '' WHERE name = 'last'"),
    "a setting of no text": ("settings", "page", "UPDATE settings SET value = x'ff' WHERE name = 'page'"),
    "a nested setting": ("settings", "page", f"UPDATE settings SET value = '{'[' * 3000}' WHERE name = 'page'"),
    "a hand of no text": ("hands", "1", "UPDATE hands SET told = cast(x'ff' AS text)"),
    "a hand of a number": ("hands", "1", "UPDATE hands SET told = 7"),
    "a hand's result": ("hand_results", "1", "UPDATE hand_results SET bid = 'three'"),
    "a game's result": ("game_results", "1", "UPDATE game_results SET outcome = 'won'"),
    "a game's opponents": ("game_results", "1", "UPDATE game_results SET opponents = '['"),
    "a game's person": ("game_results", "1", "UPDATE game_results SET person = 'Anne'"),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_one_damaged_row_is_named_and_all_else_is_there(folder, sound, damage):
    damaged, row, statement = DAMAGE[damage]
    change(folder, statement)
    before, said = rows_in(folder), []
    with Store(folder, said.append) as store:
        found = all_of(store)
        assert store.faults.keys() == {(damaged, row)}
    [sentence] = said
    assert sentence.endswith(f"({folder / FILE}, table {damaged}, row {row})")
    with Store(sound) as store:
        whole = all_of(store)
    assert_all_else_is_there(found, whole, {(damaged, row)})
    assert rows_in(folder) == before


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("name", 5),
        ("name", ""),
        ("last", "classic"),
        ("last", LAST | {"bots": "rule"}),
        ("last", LAST | {"seat": 4}),
        ("last", LAST | {"rules": 7}),
        ("last", LAST | {"move_seconds": "7"}),
        ("last", {}),
        ("page", [1]),
        ("page", {"deck": {}}),
    ],
)
def test_a_setting_that_cannot_be_is_named_and_kept(folder, name, value):
    """Whoever wrote it."""
    with Store(folder) as store:
        store.settings.set(name, value)
    with Store(folder) as store:
        assert name not in store.settings.all()
        [(where, sentence)] = store.faults.items()
        assert where == ("settings", name)
        assert "so its default is used" in sentence
        assert store.file.rows("SELECT value FROM settings WHERE name = ?", name) == [(json.dumps(value),)]
        store.settings.set(name, {"name": "Anna", "last": LAST, "page": {}}[name])
        assert name in store.settings.all()
        assert not store.faults


def test_a_damaged_game_is_listed_and_can_be_given_up(folder):
    change(folder, "UPDATE sittings SET told = cast(x'ff7b22' AS text) WHERE key = 'first'")
    with Store(folder) as store:
        [saved] = store.unfinished()
        assert (saved.key, saved.state, saved.rules, saved.people) == ("first", OPEN, UNREADABLE, ())
        with pytest.raises(StoreError, match=f"this game cannot be read: .*{FILE}, table sittings, row first"):
            store.load("first")
        store.give_up("first")
        assert store.unfinished() == []
        assert [saved.rules for saved in store.sittings() if saved.key == "first"] == [UNREADABLE]


def test_a_damaged_hand_is_written_anew(folder):
    """A game that goes on has its hands still; the damaged row stays, and no result counts twice."""
    with Store(folder) as store:
        game = play(table("third", 9, SHORT), 60)
        store.save(game)
        assert len(game.finished) == 1
    change(folder, "UPDATE hands SET told = '{}' WHERE key = 'third'")
    with Store(folder) as store:
        game = store.load("third")
        assert store.hands.of("third") == []
        assert len(store.faults) == 1
        store.save(play(game))
        assert store.hands.of("third") == game.finished
        found = statistics(store, "Anna")
        assert found.bids.hands == 3
        assert len(found.left_out) == 1
        assert store.file.rows("SELECT count(*) FROM hands WHERE key = 'third'") == [(3,)]


# The whole file


def test_a_damaged_schema_is_refused_in_a_sentence(folder):
    content = (folder / FILE).read_bytes()
    for old, new in (
        (b"CREATE TABLE sit", b"CREATE TABLF sit"),
        (b"told TEXT", b"tald TEXT"),
        (b"(key, number)", b"(k\xffy, number)"),
    ):
        assert old in content
        (folder / FILE).write_bytes(content.replace(old, new, 1))
        with pytest.raises(StoreError, match=str(folder / FILE)):
            Store(folder)
        assert (folder / FILE).read_bytes() == content.replace(old, new, 1)


@pytest.mark.parametrize(
    ("kind", "statement"),
    [
        ("trigger", "CREATE TRIGGER sly AFTER INSERT ON settings BEGIN DELETE FROM game_results; END"),
        ("trigger", "CREATE TRIGGER sly AFTER UPDATE ON sittings BEGIN DELETE FROM game_results; END"),
        ("view", "CREATE VIEW sly AS SELECT * FROM sittings"),
    ],
)
def test_triggers_and_views_are_refused_before_they_run(folder, kind, statement):
    """Somebody else may have made the file."""
    change(folder, statement)
    before = (folder / FILE).read_bytes()
    with pytest.raises(StoreError) as found:
        Store(folder)
    words = f"{folder / FILE} contains the {kind} 'sly', and only tables and indices are allowed: nothing was changed; "
    assert str(found.value) == f"{words}move the file elsewhere to begin with a new one"
    assert (folder / FILE).read_bytes() == before


def test_the_tables_of_a_file_call_no_unsafe_functions(folder):
    with Store(folder) as store:
        assert store.file.one("PRAGMA trusted_schema") == (0,)


def test_indices_are_made_anew(folder, sound):
    content = (folder / FILE).read_bytes()
    with sqlite3.connect(folder / FILE) as db:
        [(page,)] = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_variants_1'")
    db.close()
    at = content.index(b"Ours", 512 * (page - 1))
    (folder / FILE).write_bytes(content[:at] + b"Purs" + content[at + 4 :])
    with Store(folder) as store, Store(sound) as whole:
        assert all_of(store) == all_of(whole)
        assert not store.faults
        assert store.file.rows("SELECT rules FROM variants WHERE name = 'Ours'") != []


def all_of(store: Store) -> dict[str, Any]:
    """All that is read of a store: parts by name, each of which may refuse in a sentence that names the file."""
    parts: dict[str, Callable[[], Any]] = {
        "sittings": lambda: {saved.key: saved for saved in store.sittings()},
        "unfinished": lambda: {saved.key: saved for saved in store.unfinished()},
        "given up": lambda: [store.is_given_up(key) for key in ("first", "second")],
        "count": store.count_unfinished,
        "load first": lambda: packed(store.load("first")),
        "load second": lambda: packed(store.load("second")),
        "hands": lambda: store.hands.of("second"),
        "taken back": lambda: store.hands.of("second", taken_back=True),
        "variants": store.variants.all,
        "settings": store.settings.all,
        "statistics": lambda: statistics(store, "Anna").as_dict(),
        "unaided": lambda: statistics(store, "Anna", unaided=True).as_dict(),
    }
    return {name: part() if not name.startswith("load") else _or_sentence(store, part) for name, part in parts.items()}


def _or_sentence(store: Store, part: Callable[[], Any]) -> Any:
    try:
        return part()
    except StoreError as error:
        told = str(error)
    assert str(store.path) in told or "there is no saved game" in told
    return told


READS = {  # whom damage in a table may change
    "sittings": {"sittings", "unfinished", "given up", "count"},
    "hands": {"hands", "taken back", "statistics", "unaided"},
    "hand_results": {"statistics", "unaided"},
    "game_results": {"statistics", "unaided"},
    "variants": {"variants"},
    "settings": {"settings"},
}


def assert_all_else_is_there(found: dict, whole: dict, damaged: set[tuple[str, str]]) -> None:
    """Parts that read no damaged row are as they were; of those that do, what is read is as it was."""
    tables = {table for table, _ in damaged}
    touched = set().union(*(READS[table] for table in tables), *({f"load {row}"} for _, row in damaged))
    if "sittings" in tables and not {row for _, row in damaged} <= {"first", "second"}:
        touched |= {"load first", "load second"}  # its key is damaged
    for name, part in found.items():
        if name not in touched:
            assert part == whole[name], name
        elif name in ("sittings", "unfinished"):
            for key, saved in part.items():
                assert saved.rules == UNREADABLE or saved == whole[name].get(key), (name, key)
        elif name in ("variants", "settings"):
            assert part.items() <= whole[name].items() if name == "variants" else _is_part(part, whole[name])
        elif name.startswith("load"):
            assert part == whole[name] or isinstance(part, str)


def _is_part(part: dict, whole: dict) -> bool:
    return all(whole.get(name) == value for name, value in part.items())


def places(content: bytes) -> Iterator[int]:
    return iter(range(0, len(content), STRIDE))


@pytest.mark.parametrize("mask", [0xFF, 0x01])
def test_every_byte_flipped_is_refused_in_words_or_the_same(sound, tmp_path, mask):
    """Or a row is named as damaged, and all else is as it was. STRIDE 1 takes minutes."""
    with Store(sound) as store:
        whole = all_of(store)
    content = (sound / FILE).read_bytes()
    refused, reported, sentence = 0, 0, str(tmp_path / FILE)
    for place in places(content):
        flipped = bytearray(content)
        flipped[place] ^= mask
        (tmp_path / FILE).write_bytes(flipped)
        try:
            with Store(tmp_path) as store:
                found, damaged = all_of(store), set(store.faults)
            assert_all_else_is_there(found, whole, damaged)
            reported += bool(damaged)
        except StoreError as error:
            sentence = str(error)
            refused += 1
        except Exception as error:
            error.add_note(f"byte {place} of {len(content)}, mask {mask:#x}")
            raise
        assert str(tmp_path / FILE) in sentence
        assert "\n" not in sentence
        for end in ("-wal", "-shm", "-journal"):
            (tmp_path / (FILE + end)).unlink(missing_ok=True)
    assert refused
    assert reported
