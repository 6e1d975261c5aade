"""One person at the server: tables, moves, takebacks, hints, claims; what is refused changes nothing."""

import json

import pytest
from support.play.alone import BOTS, new, packed_table
from support.play.servers import TWO_HANDS, Page, owner
from support.play.sittings import ONE_HAND, SPADES_FOR_SOUTH

from spades_env import Rules, __version__
from spades_env.game.cards import NUM_SEATS


def test_what_a_page_is_told_first(page):
    hello = page.told["hello"]
    assert (hello["program"], hello["version"], hello["guest"], hello["name"]) == ("spades", __version__, False, "You")
    assert [preset["name"] for preset in hello["presets"]] == list(Rules.presets())
    assert {"random", "rule"} <= {one["key"] for one in hello["roster"]}
    assert hello["adviser"]["key"] in [one["key"] for one in hello["roster"]]
    assert hello["options"][0]["options"]


def test_a_table_is_open_from_the_first_moment(server, page):
    first = Page(server.port, f"/?key={server.key}")
    first.until(lambda: first.is_at_table)
    assert first.view["seat"] == 0
    assert first.view["hand_number"] == 1


def test_a_game_from_the_first_bid_to_the_last_trick(server, page):
    key = new(page)
    page.play()
    table = server.table(page)
    assert table.over
    assert page.view["outcome"]["outcome"] in ("win", "draw", "loss")
    assert [deed.by for deed in table.moves if deed.seat == 0] == ["person"] * len(table.moves[::NUM_SEATS])
    assert server.services.store.load(key).over
    [mine] = [one for one in page.done("sittings")["sittings"] if one["key"] == key]
    assert (mine["state"], mine["people"], mine["bots"]) == ("over", ["You"], BOTS)


def test_a_view_comes_after_every_move(server, page):
    new(page)
    version, events = page.view["version"], len(page.view["events"])
    page.done("act", action=page.view["legal"][0], version=version)
    seen = []
    while not page.to_move() or page.view["version"] == version:
        page.until(lambda: page.view["version"] > (seen[-1][0] if seen else version))
        seen.append((page.view["version"], len(page.view["events"])))
    assert [count for _, count in seen] == list(range(events + 1, events + 1 + len(seen)))


def test_what_is_refused_changes_nothing(server, page):
    new(page)
    server.rest(page)
    before, version = packed_table(server, page), page.view["version"]
    assert (
        page.refused("act", action="AS", version=version).startswith("It's time to bid") or page.view["phase"] == "play"
    )
    for action in ("bid:14", "XX", "", "look", "blind"):
        assert page.ask("act", action=action, version=version).get("error")
    assert page.refused("act", action="bid:1", version=version - 1) == "The table has moved on"
    assert page.refused("act", action="bid:1", version=version + 1) == "The table has moved on"
    assert page.refused("takeback", version=version) == "You have no move to undo"
    assert page.refused("claim", version=version).startswith("It's not certain")
    assert page.refused("sit", seat=1) == "You already have a seat: leave it first"
    assert packed_table(server, page) == before


def test_a_move_is_made_once(server, page):
    """The same message again is too late."""
    new(page)
    message = json.dumps({"id": 999, "do": "act", "action": "bid:3", "version": page.view["version"]})
    assert page.answer_to(message).get("ok")
    page.until(page.to_move)
    deeds = list(server.table(page).moves)
    assert page.answer_to(message)["error"] == "The table has moved on"
    assert server.table(page).moves == deeds


def test_moves_are_taken_back_across_a_hand(server, page):
    key = new(page)
    page.play(moves=16)
    page.until(page.to_move)
    assert page.view["hand_number"] == 2
    moves = page.view["can"]["takeback"]
    page.done("takeback", moves=moves, version=page.view["version"])
    page.until(lambda: page.view["hand_number"] == 1 and page.to_move())
    assert page.view["phase"] == "bid"
    assert page.view["help"]["takebacks"] == moves
    assert [hand.number for hand in server.services.store.hands.of(key, taken_back=True)] == [0]


def test_a_hint_is_counted_and_told(page):
    new(page)
    answer = page.done("hint", version=page.view["version"])
    page.until(lambda: page.view["version"] == answer["version"])
    assert page.view["help"]["hints"] == 1
    assert {one["action"] for one in answer["hint"]} <= set(page.view["legal"])
    weights = [one["weight"] for one in answer["hint"]]
    assert weights == sorted(weights, reverse=True)
    assert page.done("hint", version=answer["version"])["hint"] == answer["hint"]
    assert page.view["help"]["hints"] == 1
    assert page.done("act", action=answer["hint"][0]["action"], version=answer["version"])


def test_a_claim_ends_the_hand(server, page):
    new(page, f"{ONE_HAND} first_dealer=west", deal=SPADES_FOR_SOUTH)
    page.act("bid:13")
    page.until(lambda: page.view["can"]["claim"])
    page.done("claim", version=page.view["version"])
    page.until(lambda: page.view["outcome"])
    assert server.table(page).game.results[0].tricks == [13, 0, 0, 0]
    assert {deed.by for deed in server.table(page).moves[-52:]} == {"person", "claim"}
    assert not server.table(page).counted


def test_a_typed_seed_is_dealt_and_not_counted(server, page):
    hands = []
    for _ in range(2):
        new(page, seed="123456789012345678")
        hands.append(server.table(page).game.hands)
        assert not server.table(page).counted
    assert hands[0] == hands[1]
    new(page)
    assert server.table(page).counted
    for seed in ("x", "-1", "1" * 21, 7):
        assert "Seed must be" in page.refused("new", rules=TWO_HANDS, bots=BOTS, seed=seed)
    assert "Seed must be" in page.refused("new", rules=TWO_HANDS, bots=BOTS, seed=str(2**64))
    assert "four hands" in page.refused("new", rules=TWO_HANDS, bots=BOTS, deal="AS | KS")


@pytest.mark.parametrize("bot", ["oracle", "nobody", "mc:9x9", "ismcts:100000000", "../x.safetensors", "a/b", ""])
def test_only_those_who_are_offered_can_be_chosen(page, bot):
    words = page.refused("new", rules=TWO_HANDS, bots=[bot, "rule", "rule", "rule"])
    assert words.startswith(f"{bot!r} cannot be chosen; expected one of ")


@pytest.mark.parametrize(
    "rules", ["nonsense", "classic target=0", "classic target=off", "x.toml", "/etc/passwd", "classic x=1"]
)
def test_rules_that_cannot_be_played(page, rules):
    for words in (page.refused("new", rules=rules, bots=BOTS), page.refused("rules", text=rules)):
        assert words[0].isupper() or words.startswith(("x", "max_hands"))
        assert "file" not in words


def test_another_seat(server, page):
    new(page, seat=2)
    assert page.view["seat"] == 2
    assert server.table(page).seats.people == [None, None, "You", None]


def test_two_pages_of_one_person_see_the_same(server, page):
    new(page)
    page.act(page.view["legal"][0])
    other = owner(server)
    other.until(other.to_move)
    page.until(page.to_move)
    assert other.view == page.view
    other.act(other.view["legal"][0])
    page.until(lambda: page.view["version"] == other.view["version"])
    assert page.view == other.view
    other.close()
