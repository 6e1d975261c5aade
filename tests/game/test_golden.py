"""Golden games: whole games as text that must always be played, written and read the same, byte for byte."""

import re

import pytest
from support import make_golden
from support.game import reference
from support.make_golden import ADVICE_FILE, ADVICE_RULES, FOLDER, GAMES, advice, play
from support.strategies import scaled

from spades_env import Game, Rules
from spades_env.game.cards import SEATS, TRUMP_ORDERS, cards

HAND = re.compile(r"^hand (\d+), dealer (\w+)\n((?:\w+: .*\n){4})", re.MULTILINE)
RESULT = re.compile(r"points ([+-]\d+)(?:, bags (\d+))?, score (-?\d+)$", re.MULTILINE)


def golden(name: str) -> str:
    """Return the text of a golden game with its original line ends."""
    return (FOLDER / f"{name}.txt").read_bytes().decode("utf-8")


def test_the_files_are_the_games():
    assert sorted(path.name for path in FOLDER.iterdir()) == sorted(
        [ADVICE_FILE, "house.json", *(f"{name}.txt" for name in GAMES)]
    )


def test_every_preset_and_trump_mode_has_a_game():
    rules = [Rules.parse(text) for _, text, _ in GAMES.values()]
    assert {one.nearest_preset()[0] for one in rules} == set(Rules.presets())
    assert {r.trumps for r in rules} == set(TRUMP_ORDERS)
    assert any(r.blind_nil_pass for r in rules)


def test_the_games_show_what_they_are_for():
    texts = {name: golden(name) for name in GAMES}
    assert "\npasses: " in texts["blind_nil_passing"]
    assert " blind nil" in texts["blind_nil_passing"]
    assert "\nstart: dealer North, scores -180 385, bags 7 9, hand 7\n" in texts["last_hands"]
    assert "\ntime is up\n" in texts["time_up"]
    for name, text in texts.items():
        game = Game.replay(text)
        assert game.over
        assert (f"\nwinner: {game_side(game)}\n" in text) or text.endswith("\ndraw\n"), name


def game_side(game: Game) -> str:
    return " & ".join(SEATS[seat] for seat in game.rules.seats(game.winner or 0))


@pytest.mark.parametrize("name", GAMES)
def test_a_game_replayed_writes_the_same_record(name):
    text = golden(name)
    game = Game.replay(text)
    assert game.record() == text
    assert str(game.rules) in text.splitlines()[1]


@pytest.mark.parametrize("name", GAMES)
def test_the_same_players_play_the_same_game(name):
    assert play(name).record() == golden(name)


@pytest.mark.parametrize("name", GAMES)
def test_the_reference_comes_to_the_same_scores(name):
    """The reference, dealt the same cards, makes the game's moves and reaches its scores."""
    text = golden(name)
    game = Game.replay(text)
    sides = game.rules.sides
    dealt = {
        int(number) - 1: (SEATS.index(dealer), [hand_in(line) for line in hands.splitlines()])
        for number, dealer, hands in HAND.findall(text)
    }
    first = min(dealt)
    start = GAMES[name][2]
    table = reference.Table(
        game.rules.as_dict(), dealt[first][1], dealt[first][0], start.get("scores"), start.get("bags"), first
    )
    for move in game.moves:
        assert table.dealer == dealt[table.hand_number][0]
        table.apply(move, lambda number: dealt[number][1])
    scored = RESULT.findall(text)
    assert len(scored) == sides * len(table.results) == sides * len(game.results)
    assert [int(points) for points, _, _ in scored] == [p for result in table.results for p in result["points"]]
    assert [int(bags or 0) for _, bags, _ in scored] == [b for result in table.results for b in result["bags"]]
    assert [int(score) for _, _, score in scored[-sides:]] == table.scores
    if not game.timed_out:
        assert (table.phase, table.winner) == ("over", game.winner)


def hand_in(line: str) -> list[int]:
    """Return the cards of a line such as `South: AC 9C | - | QH | KS`."""
    return cards(line.partition(": ")[2].replace("|", " ").replace("-", " "))


def test_writing_games_again_changes_nothing(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(make_golden, "FOLDER", tmp_path / "golden")
    (tmp_path / "golden").mkdir()
    make_golden.write_games()
    assert capsys.readouterr().out.count("\n") == len(GAMES)
    for path in (tmp_path / "golden").iterdir():
        assert path.read_bytes() == (FOLDER / path.name).read_bytes()
    assert len(list((tmp_path / "golden").iterdir())) == len(GAMES)


@pytest.mark.parametrize("rules", ADVICE_RULES)
def test_the_rule_bot_plays_as_ever(rules):
    lines = golden(ADVICE_FILE.removesuffix(".txt")).splitlines()
    [recorded] = [line.partition(": ")[2].split() for line in lines if line.startswith(f"{rules}: ")]
    count = scaled(95)
    assert advice(rules, count) == recorded[:count]
