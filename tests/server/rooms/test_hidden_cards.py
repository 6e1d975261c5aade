"""Every text sent to every person in whole games names no card that this seat may not know at that moment.

What a view may name is worked out anew from the moves made: the seat's cards once they were looked at, those passed and
received, and what lay open on the table.
"""

import json
import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from support.game.redeals import redealt
from support.play.hidden import check_view, may_name, named
from support.play.servers import Page, Running, guest, owner, running
from support.strategies import scaled

from spades_env.game.cards import CARD_NAMES, card_words, deck
from spades_env.game.view import View
from spades_env.play.coach.hint import coached
from spades_env.play.table.company.watching import watch_view
from spades_env.play.table.seat_view import seat_view
from spades_env.play.table.table import Table

RULES = "classic target=off max_hands={hands} blind_nil_deficit=0 blind_nil_pass=2 trumps={trumps}"
KNOWN_NEWS = {
    "hello",
    "table",
    "view",
    "lobby",
    "re",
    "ok",
    "error",
    "version",
    "key",
    "path",
    "origin",
    "reach",
    "opens",
}
KNOWN_NEWS |= {"code", "news", "said", "texts"}  # of a link, who did what, quick phrases, the keys of sentences


def views(page: Page) -> Iterator[dict]:
    for text in page.heard:
        told = json.loads(text)
        if "view" in told:
            yield told["view"]


def check_everything(server: Running, pages: list[Page], table: Table) -> None:
    for page in pages:
        for text in page.heard:
            told = json.loads(text)
            if "hint" in told:
                continue  # checked when it was asked for
            assert told.keys() <= KNOWN_NEWS, told.keys()
            for message in (told, told.get("texts", {})):
                message.pop("hello", None)  # the rules name trumps
            if "view" in told:
                check_view(table, told["view"], told.get("texts", {}).get("view"))
            else:
                assert not named(told) or "error" in told, told


def play(rng: random.Random, server: Running, pages: list[Page]) -> None:
    """Play random games, with refused moves in between, so that errors are read too."""
    table = server.table(pages[0])
    server.up_to_date(*pages)
    while not table.over:
        page = pages[table.game.turn]
        page.until(page.to_move)
        for other in pages:
            if rng.random() < 0.05 and other is not page:
                other.ask("act", action=rng.choice(CARD_NAMES), version=table.version)
        if rng.random() < 0.1:
            refused = rng.choice(list(page.view["refused"]) or ["AS"])
            if refused not in page.view["legal"]:
                error = page.refused("act", action=refused, version=page.view["version"])
                assert named(error) <= {CARD_NAMES.index(refused)}
        if rng.random() < 0.2:
            hint, hand = page.done("hint", version=page.view["version"]), table.hands[-1]
            for said in (hint, hint["texts"]):
                said.pop("reason", None)  # it may say which cards are still out
            assert named(hint) <= may_name(table, hand, len(hand.moves), page.view["seat"])
            page.until(lambda page=page, hint=hint: page.view["version"] == hint["version"])
        page.act(rng.choice(page.view["legal"]))
    for page in pages:
        page.until(lambda page=page: page.view["outcome"])


@pytest.mark.parametrize("seed", range(scaled(3)))
def test_no_text_names_a_card_that_its_reader_may_not_know(tmp_path, seed):
    rng = random.Random(seed)
    rules = RULES.format(hands=scaled(2), trumps=rng.choice(("normal", "nyc", "deuces")))
    with running(tmp_path) as server:
        host = owner(server)
        key = host.done("new", rules=rules, bots=["random"] * 4)["key"]
        host.until(lambda: host.key == key)
        host.heard.clear()
        link = host.done("invite")["path"]
        pages = [host, *(guest(server, link, seat, f"Guest {seat}") for seat in (1, 2, 3))]
        watching, waiting = guest(server, link), guest(server, link)
        waiting.done("watch", on=False)
        waiting.until(lambda: "lobby" in waiting.told)
        waiting.heard.clear()
        play(rng, server, pages)
        pages[1].done("say", phrase="good_game")
        watching.until(lambda: "said" in watching.told)
        table = server.table(host)
        check_everything(server, [*pages, watching, waiting], table)
        assert len(list(views(host))) > len(table.moves) / 2
        assert len(list(views(watching))) > len(table.moves) / 2
        assert {"bid", "play", "over"} <= {view["phase"] for view in views(watching)}
        assert {(view["seat"], view["watching"]) for view in views(watching)} == {(None, True)}
        assert not any("view" in json.loads(text) for text in waiting.heard)


def test_a_hint_is_the_same_whoever_has_the_hidden_cards():
    """Its reason may name cards that are still out."""
    rng, table = random.Random(4), Table(RULES.format(hands=scaled(8), trumps="normal"), people=dict(enumerate("ABCD")))
    while not table.over:
        game = table.game
        asked, other = table.ask(game.turn), redealt(game, game.turn, rng)
        elsewhere = replace(asked, view=View(game.rules, other, asked.seat, game.results, game._compiled))
        assert coached(asked, list("ABCD")) == coached(elsewhere, list("ABCD"))
        table.act(asked.seat, rng.choice(game.legal_actions()))


@pytest.mark.parametrize("kind", ["bid", "nil"])
def test_a_drill_names_the_own_cards_alone(tmp_path, kind):
    """Neither the hand as it is dealt, nor what is said about it, names a card of the others."""
    with running(tmp_path) as server:
        page = owner(server)
        for _ in range(scaled(6)):
            asked = page.done("drill", kind=kind)
            table = server.services.drills["owner"].table
            own = set(table.game.hands[0])
            asked["scene"].pop("trumps")
            assert named(asked) == own
            assert str(table.game.seed) not in json.dumps(asked)
            assert named(page.done("answer_drill", number=asked["number"], action="bid:0")) <= own
            assert not server.services.drills


def test_the_games_held_what_is_hard_to_hide():
    """Blind nils and passed cards, which the random games are only likely to have."""
    table = Table(RULES.format(hands=1, trumps="normal"), people=dict(enumerate("ABCD")), seed=3)
    for seat in range(4):
        assert not named(seat_view(table, seat) | {"rules": None}), "nobody has looked"
    table.act(table.game.turn, "blind")
    while table.game.phase != "play":
        seat = table.game.turn
        view = seat_view(table, seat)
        table.act(
            seat, "look" if "look" in view["legal"] else "bid:3" if "bid:3" in view["legal"] else view["legal"][0]
        )
        for other in range(4):
            check_view(table, seat_view(table, other))
        check_view(table, watch_view(table))
    assert {deed.phase for deed in table.moves} == {"blind", "bid", "pass"}


def test_the_search_would_find_a_leak():
    """A view with one card too many is noticed, in whatever form it names the card."""
    table = Table("classic", people=dict(enumerate("ABCD")), seed=3)
    view = seat_view(table, 0)
    check_view(table, view)
    [other] = [card for card in deck("normal") if card in table.game.hands[1]][:1]
    rank, suit = CARD_NAMES[other]
    with pytest.raises(AssertionError):
        check_view(
            table,
            view,
            {"prompt": ["x", {"card": ["card", {"rank": [f"rank.{rank}", {}], "suit": [f"suit.{suit}", {}]}]}]},
        )
    check_view(table, watch_view(table))
    for leak in (CARD_NAMES[other], f"West holds the {card_words(other)}", {"x": [CARD_NAMES[other]]}):
        for shown in (view, watch_view(table)):
            with pytest.raises(AssertionError):
                check_view(table, shown | {"prompt": leak})
