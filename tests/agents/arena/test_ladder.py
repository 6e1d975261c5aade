"""The ladder: ratings, folders that continue, and both reports as pages of HTML."""

import sys
from html.parser import HTMLParser
from itertools import combinations
from types import ModuleType

import numpy as np
import pytest
from support.agents.levels import level_file
from support.strategies import scaled

from spades_env import Rules
from spades_env.agents import AgentError, arena
from spades_env.agents.arena import ladder
from spades_env.agents.arena.ladder import Ladder, LadderError
from spades_env.agents.arena.lockstep import GAME
from spades_env.agents.arena.match_result import Result
from spades_env.agents.base import FAILURES
from spades_env.agents.digest import read_sealed_json
from spades_env.extras import MissingExtraError
from spades_env.play.commands import report

pytest.importorskip("choix")
pytest.importorskip("matplotlib")

SHORT = {"rules": Rules(target=None, max_hands=1), "games": 4}
LOOKS = {"hands": 10, "side_hands": 10, "seat_hands": 20, "bid": 50, "sets": 1, "overtricks": 9, "nils": 2}
LOOKS |= {"nils_kept": 1, "blind_nils": 0, "blind_nils_kept": 0, "moves": 560, "seconds": 0.1} | dict.fromkeys(
    FAILURES, 0
)


@pytest.fixture
def counted(monkeypatch):
    """The pairings that are really played, in which the first by name wins two games of three."""
    played = []

    def play(a, b, rules, games, hands, seed, jobs, progress):
        if progress:
            progress(games, games)
        played.append((a, b))
        rows = np.zeros(games, GAME)
        rows["hands"] = 1
        rows["outcome"] = np.where(np.arange(games) % 3 < 2, 1, -1)
        return Result(a, b, Rules.of(rules), "games", seed, rows, (28, 28), (0.001, 0.001))

    monkeypatch.setattr(arena, "play", play)
    monkeypatch.setattr(ladder, "load", lambda name: name)
    return played


def fake(shares: dict[tuple[str, str], list[float]], seed: int = 0) -> Ladder:
    """A ladder of which only the outcomes are known."""
    names = tuple(dict.fromkeys(name for pair in shares for name in pair))
    deals = len(next(iter(shares.values())))
    pairings = {
        (a, b): {"a": a, "b": b, "win_rate": float(np.mean(won)), "deals": won, "counts": {"a": LOOKS, "b": LOOKS}}
        | {"win_rate_ci": [0, 1], "points_per_hand": 0.0, "points_per_hand_ci": [-1, 1], "illegal": 0}
        for (a, b), won in shares.items()
    }
    settings = {"rules": "classic", "mode": "games", "games": 2 * deals, "seed": seed}
    return Ladder(names, settings, pairings)


# Ratings


def test_ratings_recover_strengths():
    rng = np.random.default_rng(1)
    strength = {"a": 0.0, "b": 100.0, "c": 250.0, "d": 600.0}
    odds = {(x, y): 1 / (1 + 10 ** ((strength[y] - strength[x]) / 400)) for x in strength for y in strength if x < y}
    games = {pair: (rng.random((2000, 2)) < p).mean(axis=1).tolist() for pair, p in odds.items()}
    ratings, low, high = fake(games).ratings()
    true = np.array(list(strength.values())) - np.mean(list(strength.values()))
    assert np.abs(ratings - true).max() < 40
    assert ((low < true) & (true < high)).all()
    assert ((low < ratings) & (ratings < high)).all()
    assert ratings.sum() == pytest.approx(0, abs=1e-6)
    assert (high - low).max() < 80


def test_who_wins_every_game_is_not_infinitely_strong():
    ratings, low, high = fake({("a", "b"): [1.0] * 5, ("a", "c"): [1.0] * 5, ("b", "c"): [0.5] * 5}).ratings()
    assert np.isfinite([ratings, low, high]).all()
    assert ratings[0] > 200
    assert ratings[1] == pytest.approx(ratings[2], abs=1)
    assert high[0] - low[0] > 200, "five deals prove little"


def test_few_deals_are_no_reason_to_be_thought_less_of():
    """What everybody begins with weighs little, so a share of the wins says as much of six deals as of six hundred."""
    share = [1.0, 1.0, 1.0, 1.0, 1.0, 0.0]
    names = "abcdefghij"
    few, many = (
        fake({(x, y): share * times if x == "a" else [0.5] * 6 * times for x, y in combinations(names, 2)})
        for times in (1, 100)
    )
    assert few.ratings()[0][0] == pytest.approx(many.ratings()[0][0], rel=0.07)
    assert many.ratings()[0][0] - many.ratings()[0][1] == pytest.approx(400 * np.log10(5), rel=0.02)


def test_ratings_above_an_anchor():
    found = fake({("a", "b"): [1.0, 0.5] * 20, ("a", "c"): [1.0, 0.5] * 20, ("b", "c"): [0.5] * 40})
    ratings, low, high = found.ratings(anchor="b")
    assert (ratings[1], low[1], high[1]) == (0, 0, 0)
    plain, plain_low, plain_high = found.ratings()
    assert ratings == pytest.approx(plain - plain[1])
    assert high[0] - low[0] > plain_high[0] - plain_low[0], "the anchor's own chance is in it"


def test_reports_rate_the_rule_bot_1000_wherever_it_plays():
    shares = {("rule", "a"): [1.0, 0.5] * 20, ("rule", "b"): [1.0, 0.5] * 20, ("a", "b"): [0.5] * 40}
    found, ratings = fake(shares), fake(shares).ratings(anchor="rule")[0]
    standings = {agent["name"]: agent for agent in found.as_dict()["standings"]}
    assert (standings["rule"]["rating"], standings["rule"]["rating_ci"]) == (1000, [1000, 1000])
    assert [standings[name]["rating"] for name in found.names] == pytest.approx(1000 + ratings)
    assert "rule is rated 1000" in report.ladder_page(found)
    without = fake({("a", "b"): [1.0, 0.5] * 20})
    assert sum(agent["rating"] for agent in without.as_dict()["standings"]) == pytest.approx(0, abs=1e-6)
    assert "the mean rating is 0" in report.ladder_page(without)


def test_draws_are_half_wins():
    drawn, shared = fake({("a", "b"): [0.5] * 40}), fake({("a", "b"): [1.0, 0.0] * 20})
    assert drawn.ratings()[0] == pytest.approx([0, 0], abs=1e-6)
    assert shared.ratings()[0] == pytest.approx([0, 0], abs=1e-6)
    widths = [high - low for _, low, high in (drawn.ratings(), shared.ratings())]
    assert (widths[0] < widths[1]).all()


def test_standings_are_in_order():
    standings = fake({("a", "b"): [0.0] * 6, ("a", "c"): [0.25] * 6, ("b", "c"): [1.0] * 6}).as_dict()["standings"]
    assert [agent["name"] for agent in standings] == ["b", "c", "a"]
    assert standings[0]["win_rate"] == 1
    assert standings[0]["stats"]["mean_bid"] == 2.5


# A round robin, and its folder


def test_a_round_robin_by_real_games():
    reports = []
    found = ladder.play(["random", "random/random"], **SHORT, progress=lambda *seen: reports.append(seen))
    assert reports[-1] == (4, 4)
    turned = ladder.play(["random/random", "random"], **SHORT)
    assert turned.as_dict()["pairings"] == found.as_dict()["pairings"]
    [pairing] = found.pairings.values()
    alone = arena.play("random", "random/random", **SHORT)
    assert pairing["win_rate"] == alone.win_rate
    assert pairing["counts"]["a"]["bid"] == alone.counts["a"]["bid"]


def test_an_interrupted_ladder_continues(tmp_path, counted):
    def stop_in_the_second(done, total):
        if done > total / 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ladder.play(["a", "b", "c"], games=6, folder=tmp_path, progress=stop_in_the_second)
    assert counted == [("a", "b")]
    whole = ladder.play(["a", "b", "c"], games=6, folder=tmp_path)
    assert counted == [("a", "b"), ("a", "c"), ("b", "c")]
    again = ladder.play(["a", "b", "c"], games=6, folder=tmp_path)
    assert len(counted) == 3
    assert again.as_dict() == whole.as_dict() == ladder.play(["a", "b", "c"], games=6).as_dict()
    assert not list(tmp_path.glob("*.part"))


def test_a_level_that_has_learned_anew_plays_anew(tmp_path, counted):
    level = str(level_file(tmp_path, seed=1))
    for _ in range(2):
        ladder.play([level, "random"], games=6, folder=tmp_path / "kept")
    assert len(counted) == 1
    level_file(tmp_path, seed=2)
    ladder.play([level, "random"], games=6, folder=tmp_path / "kept")
    assert len(counted) == 2


def test_a_module_that_has_changed_plays_anew(tmp_path, counted, monkeypatch):
    monkeypatch.setitem(sys.modules, "mine", ModuleType("mine"))
    sys.modules["mine"].__file__ = str(tmp_path / "mine.py")
    for text in ("first", "second"):
        (tmp_path / "mine.py").write_text(text, encoding="utf-8")
        for _ in range(2):
            ladder.play(["mine:policy", "rb"], games=6, folder=tmp_path / "ladder")
    assert counted == [("mine:policy", "rb")] * 2


def test_more_agents_play_only_what_is_missing(tmp_path, counted):
    ladder.play(["b", "a"], games=6, folder=tmp_path)
    ladder.play(["c", "a", "b"], games=6, folder=tmp_path)
    assert counted == [("a", "b"), ("a", "c"), ("b", "c")]
    ladder.play(["c", "b"], games=6, folder=tmp_path)
    assert len(counted) == 3


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seed": 1}, "with seed 0, not 1"),
        ({"games": 8}, "with games 6, not 8"),
        ({"games": None, "hands": 6}, "with mode games, not hands"),
        ({"rules": "pagat"}, "with rules classic, not pagat"),
    ],
)
def test_a_folder_of_other_settings_is_refused(tmp_path, counted, change, words):
    ladder.play(["a", "b"], games=6, folder=tmp_path)
    with pytest.raises(LadderError, match=words):
        ladder.play(["a", "b"], **{"games": 6, "folder": tmp_path, **change})


def test_a_broken_file_is_named(tmp_path, counted):
    ladder.play(["a", "b"], games=6, folder=tmp_path)
    [path] = tmp_path.glob("a-against-b-*.json")
    path.write_text("{")
    with pytest.raises(LadderError, match="remove it, and it will be played again"):
        ladder.play(["a", "b"], games=6, folder=tmp_path)


def test_names_make_files_of_their_own(tmp_path, counted):
    ladder.play(["mc:3", "mc/3", "../mc 3" * 20], games=2, folder=tmp_path)
    assert len(list(tmp_path.glob("*.json"))) == 1 + 3
    assert not list(tmp_path.parent.glob("*against*.json"))


@pytest.mark.parametrize(("names", "words"), [(["a"], "two agents or more"), (["a", "b", "a"], "a is named twice")])
def test_bad_lists_are_refused(names, words, counted):
    with pytest.raises(LadderError, match=words):
        ladder.play(names)


def test_unknown_agents_are_refused_before_anything_is_played():
    with pytest.raises(AgentError, match="unknown agent 'nobody'"):
        ladder.play(["random", "nobody"])


def test_a_missing_library_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "choix", None)
    with pytest.raises(MissingExtraError, match=r'this needs choix: pip install "spades-env\[arena\]"'):
        ladder.play(["a", "b"])


# Pages


class Page(HTMLParser):
    """Checks that tags close in order, and that nothing is loaded from elsewhere."""

    def __init__(self, text: str):
        super().__init__()
        self.open, self.text, self.pictures = [], "", 0
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.pictures += tag == "svg"
        for name, value in attrs:
            assert name not in ("src", "srcset"), value
            assert name not in ("href", "xlink:href") or str(value).startswith("#"), value
        assert tag not in ("script", "link", "img")
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def test_the_page_of_a_match():
    result = arena.play("random", "random/random", Rules(target=None, max_hands=2), games=2 * scaled(20))
    text = report.arena_page(result)
    page = Page(text)
    assert page.pictures == 2
    assert "random against random/random" in page.text
    assert f"{result.win_rate:.1%}" in page.text
    assert "url(http" not in text
    assert "@import" not in text
    assert report.arena_page(result) == text


def test_the_page_of_a_match_of_one_deal():
    page = Page(report.arena_page(arena.play("random", "random", Rules(target=None, max_hands=1), games=2)))
    assert "nan" not in page.text


def test_the_page_of_a_ladder():
    found = fake({("a", "<b>"): [0.0] * 6, ("a", "$c$"): [0.25] * 6, ("<b>", "$c$"): [1.0] * 6})
    text = report.ladder_page(found)
    page = Page(text)
    assert page.pictures == 2
    assert "<b>" in page.text
    assert "$c$" in page.text
    assert report.ladder_page(found) == text


def test_files_of_a_ladder_are_plain_json(tmp_path, counted):
    ladder.play(["a", "b"], games=6, folder=tmp_path)
    found = [read_sealed_json(path) for path in tmp_path.glob("*.json")]
    assert {"rules": "classic", "mode": "games", "games": 6, "seed": 0} in found
    assert len(found) == 2
